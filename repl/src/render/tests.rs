use expect_test::{Expect, expect};
use nnz_core::{
    diagnostic::{Code, Diagnostic, Label},
    ids::FileId,
    source::{Source, Span},
};
use proptest::prelude::*;

use super::*;

const HUMAN: Style = Style { format: ErrorFormat::Human, color: Color::Off, charset: Charset::Unicode, terminal: None };

fn source(id: u32, name: &str, text: &str) -> Source {
    Source::new(FileId(id), name, text)
}

fn span_of(text: &str, word: &str) -> Span {
    let at = text.find(word).unwrap();
    Span::new(at, at + word.len())
}

fn check(style: Style, text: &str, diagnostic: Diagnostic, expect: Expect) {
    let source = source(0, "a.nnz", text);
    expect.assert_eq(&style.render(&diagnostic, &Texts::from_iter([source])));
}

fn typo() -> (&'static str, Diagnostic) {
    let text = "#A = #sparse_tensor.encoding<{\n  map = (i, j) -> (i : densee, j : compressed)\n}>\n";
    let span = span_of(text, "densee");
    let diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), span, "unknown level format `densee`")
        .label("not a level format")
        .secondary(span_of(text, "map"), "in this map")
        .note("level formats: dense, compressed")
        .fix("write `dense`", span, "dense");
    (text, diagnostic)
}

#[test]
fn labels_notes_and_fixes_are_shown() {
    let (text, diagnostic) = typo();
    check(
        HUMAN,
        text,
        diagnostic,
        expect![[r#"
            error[E0001]: unknown level format `densee`
               ╭─[ a.nnz:2:24 ]
               │
             2 │   map = (i, j) -> (i : densee, j : compressed)
               │   ─┬─                  ───┬──
               │    ╰─────────────────────────── in this map
               │                           │
               │                           ╰──── not a level format
            ───╯
               = note: level formats: dense, compressed
               = fix: write `dense`
                  2 -   map = (i, j) -> (i : densee, j : compressed)
                  2 +   map = (i, j) -> (i : dense, j : compressed)
        "#]],
    );
}

#[test]
fn dumb_terminals_get_ascii() {
    let (text, diagnostic) = typo();
    let style = Style { charset: Charset::Ascii, ..HUMAN };
    let source = source(0, "a.nnz", text);
    let shown = style.render(&diagnostic, &Texts::from_iter([source]));
    assert!(shown.is_ascii() && shown.contains("not a level format"), "{shown}");
}

#[test]
fn short_is_one_line() {
    let (text, diagnostic) = typo();
    let style = Style { format: ErrorFormat::Short, ..HUMAN };
    check(
        style,
        text,
        diagnostic,
        expect![[r#"
        a.nnz:2:24: error[E0001]: unknown level format `densee`
    "#]],
    );
}

#[test]
fn json_has_the_shape_of_rustc() {
    let (text, diagnostic) = typo();
    let source = source(0, "a.nnz", text);
    let object = json(&diagnostic, &Texts::from_iter([source]));
    assert_eq!(object["code"]["code"], "E0001");
    assert_eq!(object["level"], "error");
    let span = &object["spans"][0];
    assert_eq!((&span["line_start"], &span["column_start"]), (&2.into(), &24.into()));
    assert_eq!(span["is_primary"], true);
    assert_eq!(span["text"][0]["highlight_end"], 30);
    let fix = &object["children"][1]["spans"][0];
    assert_eq!(fix["suggested_replacement"], "dense");
    assert_eq!(fix["suggestion_applicability"], "MaybeIncorrect");
    assert!(object["rendered"].as_str().unwrap().contains("╭─[ a.nnz:2:24 ]"));
}

#[test]
fn columns_are_those_of_the_whole_line() {
    let text = format!("{}oops{}", "x".repeat(3000), "y".repeat(3000));
    let diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), span_of(&text, "oops"), "wrong").label("this");
    check(
        HUMAN,
        &text,
        diagnostic,
        expect![[r#"
            error[E0001]: wrong
               ╭─[ a.nnz:1:3001 ]
               │
             1 │ …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxoopsyyyyyyyyyyyyyyyyyyyyyyyyy…
               │                                                              ──┬─
               │                                                                ╰─── this
            ───╯
        "#]],
    );
}

#[test]
fn two_files_make_two_pictures() {
    let (first, second) = (source(0, "a.nnz", "use \"b.nnz\"\n"), source(1, "b.nnz", "é\n\nA : CSR\n"));
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), Span::new(4, 11), "wrong").label("read here");
    diagnostic.secondary.push(Label { file: FileId(1), span: Span::new(4, 5), message: "defined there".into() });
    let texts = Texts::from_iter([first, second]);
    expect![[r#"
        error[E0001]: wrong
           ╭─[ a.nnz:1:5 ]
           │
         1 │ use "b.nnz"
           │     ───┬───
           │        ╰───── read here
        ───╯
           ╭─[ b.nnz:3:1 ]
           │
         3 │ A : CSR
           │ ┬
           │ ╰── defined there
        ───╯
    "#]]
    .assert_eq(&HUMAN.render(&diagnostic, &texts));
}

#[test]
fn an_unknown_file_still_says_what_is_wrong() {
    let diagnostic = Diagnostic::new(Code::SyntaxError, FileId(7), Span::new(4, 11), "wrong").note("because");
    assert_eq!(HUMAN.render(&diagnostic, &Texts::default()), "error[E0001]: wrong\n   = note: because\n");
}

/// Text with everything that has broken renderers: wide and combining characters, tabs, every line end, control
/// characters, lines of many lengths.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{0,12}",
        "[a-z]{190,260}",
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\t漢é😀e\u{301}\u{200b}".to_owned()),
        Just("\r\u{b}\u{c}\u{85}\u{2028}\u{1b}[31m\u{0}\u{9b}".to_owned()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn spans() -> impl Strategy<Value = Span> {
    let offset = prop_oneof![0..40usize, 0..900usize, Just(4_000_000usize)];
    (offset.clone(), offset).prop_map(|(a, b)| Span::new(a.min(b), a.max(b)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("NNZ_DRAWS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_span_on_any_text_renders(
        text in texts(),
        labels in proptest::collection::vec((spans(), 0..2u32), 1..4),
        columns in 40..130usize,
    ) {
        let texts = Texts::from_iter([source(0, "a.nnz", &text), source(1, "b.nnz", &text)]);
        let mut diagnostic = Diagnostic::new(Code::SyntaxError, FileId(labels[0].1), labels[0].0, "wrong").label("label0");
        for (at, (span, file)) in labels.iter().enumerate().skip(1) {
            diagnostic.secondary.push(Label { file: FileId(*file), span: *span, message: format!("label{at}") });
        }
        let shown = HUMAN.render(&diagnostic, &texts);
        for at in 0..labels.len() {
            let label = format!("label{at}");
            prop_assert!(shown.contains(&label), "{} is lost:\n{}", label, shown);
        }
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{:?}", shown);
        prop_assert!(shown.len() < 40_000);
        let narrow = Style { terminal: Some(columns), ..HUMAN }.render(&diagnostic, &texts);
        let wide = narrow.lines().find(|line| excerpt::width(line) > columns);
        prop_assert!(wide.is_none(), "{:?} is wider than {}:\n{}", wide, columns, narrow);
        let object = json(&diagnostic, &texts);
        prop_assert_eq!(object["spans"].as_array().map(Vec::len), Some(labels.len()));
    }
}

#[test]
fn labels_at_both_ends_of_a_long_line_fit_the_terminal() {
    let text = format!("{}\n\n", "a".repeat(220));
    let texts = Texts::from_iter([source(0, "a.nnz", &text)]);
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), Span::at(0), "wrong").label("label0");
    diagnostic.secondary.push(Label { file: FileId(0), span: Span::at(221), message: "label1".into() });
    let narrow = Style { terminal: Some(40), ..HUMAN }.render(&diagnostic, &texts);
    let wide = narrow.lines().find(|line| excerpt::width(line) > 40);
    assert!(wide.is_none(), "{wide:?} is wider than 40:\n{narrow}");
}

#[test]
fn a_label_behind_a_carriage_return_fits_the_terminal() {
    let hostile = "\r\u{b}\u{c}\u{85}\u{2028}\u{1b}[31m\u{0}\u{9b}".repeat(2);
    let text = format!("  a a a\r\n{hostile}\r\n");
    let texts = Texts::from_iter([source(0, "a.nnz", &text)]);
    let diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), Span { start: 0, end: 11 }, "wrong").label("label0");
    let narrow = Style { terminal: Some(43), ..HUMAN }.render(&diagnostic, &texts);
    let wide = narrow.lines().find(|line| excerpt::width(line) > 43);
    assert!(wide.is_none(), "{wide:?} is wider than 43:\n{narrow}");
}

#[test]
fn a_label_behind_wide_characters_fits_the_terminal() {
    let text = "\t漢é😀e\u{301}\u{200b}\t漢é😀e\u{301}\u{200b}a  a  aa  a    a \r\n";
    let texts = Texts::from_iter([source(0, "a.nnz", text)]);
    let diagnostic =
        Diagnostic::new(Code::SyntaxError, FileId(0), Span { start: 50, end: 50 }, "wrong").label("label0");
    let narrow = Style { terminal: Some(40), ..HUMAN }.render(&diagnostic, &texts);
    let wide = narrow.lines().find(|line| excerpt::width(line) > 40);
    assert!(wide.is_none(), "{wide:?} is wider than 40:\n{narrow}");
}

#[test]
fn a_label_beside_two_that_go_over_lines_fits_the_terminal() {
    let text = format!("{}\r\u{b}\u{c}\u{85}\u{2028}\u{1b}[31m", "a".repeat(185));
    let texts = Texts::from_iter([source(0, "a.nnz", &text)]);
    let spans = [Span::new(6, 192), Span::new(7, 44), Span::new(3, 192)];
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, FileId(0), spans[0], "wrong").label("label0");
    for (span, label) in spans.into_iter().zip(["label0", "label1", "label2"]).skip(1) {
        diagnostic.secondary.push(Label { file: FileId(0), span, message: label.into() });
    }
    let narrow = Style { terminal: Some(62), ..HUMAN }.render(&diagnostic, &texts);
    let wide = narrow.lines().find(|line| excerpt::width(line) > 62);
    assert!(wide.is_none(), "{wide:?} is wider than 62:\n{narrow}");
}
