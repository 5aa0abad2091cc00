//! What editors are told of scripts of SparseTIR, and that the page about them names every word and code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path, sync::Arc};

use nnz_core::{
    diagnostic::Code,
    ide::{complete::NoFolders, hover::Section, lowered::Preview},
    ids::FileId,
    languages::{Answers, Known, LANGUAGES},
    session::View,
    source::{Source, Span},
    tir::members::{Member, ROWS},
};

const SPMM: &str = r#"from tvm.script import tir as T

@T.prim_func
def spmm(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD])
    C = T.sp.match_buffer(c, [I])
    with T.sp.iteration([I, J], "SR", "spmm") as [i, j]:
        with T.init():
            C[i] = 0.0
        C[i] = C[i] + A[i, j] * B[j]
"#;

fn answers(text: &str) -> Arc<dyn Answers> {
    LANGUAGES.of_path("a.py").unwrap().check_alone(&Source::new(FileId(0), "a.py", text))
}

/// The offset of the `|` in a part of the text.
fn at(part: &str) -> usize {
    let (before, after) = part.split_once('|').unwrap();
    SPMM.find(&format!("{before}{after}")).unwrap() + before.len()
}

fn hovered(part: &str) -> String {
    let hover = answers(SPMM).hover(at(part)).unwrap();
    let texts = hover.sections.iter().map(|section| match section {
        Section::Text(text) | Section::Code(text) => text.as_str(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn at_span(span: Span) -> &'static str {
    &SPMM[span.range()]
}

/// The parts of the script that the line of a view which begins so is made of.
fn made_of(view: View, line: &str) -> Vec<&'static str> {
    let Some(Preview::Shown(shown)) = answers(SPMM).lowered("spmm", view, &|| false) else { panic!("no view") };
    let at = shown.text.lines().position(|one| one.trim_start().starts_with(line)).unwrap();
    shown.places.iter().filter(|place| place.first == at).map(|place| at_span(place.span)).collect()
}

#[test]
fn lines_of_stages_are_linked_to_what_they_are_made_of() {
    for view in [View::Lowered, View::Loops] {
        assert_eq!(made_of(view, "for j in"), ["J", "j"]);
        assert_eq!(made_of(view, "with T.block(\"spmm0\")"), ["T.sp.iteration([I, J], \"SR\", \"spmm\")"]);
    }
    assert_eq!(made_of(View::Lowered, "J_indices = "), ["J"]);
    assert_eq!(made_of(View::Loops, "B_data = "), ["B"]);
    assert_eq!(made_of(View::Lowered, "C[vi] = T.float32"), ["C[i] = 0.0"]);
    assert_eq!(made_of(View::Loops, "C_data[vi] = C_data"), ["C[i] = C[i] + A[i, j] * B[j]"]);
}

#[test]
fn structures_are_written_another_way() {
    let text = SPMM.replacen("A = T.sp", "A| = T.sp", 1);
    let at = text.find('|').unwrap();
    let found = answers(&text.replacen('|', "", 1)).refactorings(at..at, &|| true);
    assert_eq!(found[0].title, "write the encoding of `A` as a comment");
    let comment = "    # A: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>\n";
    assert_eq!(found[0].edits[0].replacement, comment);
    let found = answers(comment.trim_start()).refactorings(3..3, &|| true);
    assert_eq!(found[0].title, "write a format description of this encoding");
    let described = &found[0].edits[0].replacement;
    assert!(
        described.contains("    J = T.sp.compressed_varied(I, (j_size, j_count), (j_indptr, j_indices))\n"),
        "{described}"
    );
    assert!(answers(described).diagnostics(&mut Known::default(), &|| false).is_empty(), "{described}");
}

#[test]
fn hovers_say_what_arrays_are_behind_a_name() {
    let iterator = "**`J`**: compressed varied iterator, child of `I`\nlength    m\npositions nnz\nextent    p[I + 1] - p[I]\n\
                    path      I, J\nindptr   p: int32[n + 1]\nindices  q: int32[nnz]";
    assert_eq!(hovered("    |J = "), iterator);
    let buffer = "**`A`**: buffer of `float32` over `I`, `J`: CSR\nindptr   p: int32[n + 1]\nindices  q: int32[nnz]\n\
                  values   a: float32[nnz]\n#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>\n\
                  What is not stored reads as `0`.";
    assert_eq!(hovered("    |A = "), buffer);
    assert!(hovered("+ |A[i, j]").ends_with("I = i: the position of the loop\nJ = j: the position of the loop"));
    assert!(hovered("* |B[j]").ends_with("JD = j: the position itself"), "{}", hovered("* |B[j]"));
    assert_eq!(hovered("as [i, |j]"), "**`j`**: reduction coordinate of `J`, `int32`");
    assert_eq!(hovered("|q: T.handle"), "**`q`**: handle, passes `indices` of `J`");
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let answers = answers(SPMM);
    let definition = answers.definition(at("[I, |J], \"SR\"")).unwrap();
    assert_eq!((at_span(definition), definition.start as usize), ("J", at("    |J = ")));
    let places = answers.references(at("    |J = "), true);
    assert_eq!(places.iter().map(|span| at_span(*span)).collect::<Vec<_>>(), ["J", "J", "J"]);
    assert_eq!(answers.references(at("    |J = "), false).len(), 2);
    assert_eq!(answers.highlights(at("as [i, |j]")).len(), 3);
}

#[test]
fn the_outline_has_functions_with_what_they_declare() {
    let symbols = answers(SPMM).symbols();
    let [function] = symbols.as_slice() else { panic!("{symbols:?}") };
    assert_eq!((function.name.as_str(), function.detail.as_str()), ("spmm", "stage I"));
    let children: Vec<_> = function.children.iter().map(|child| format!("{}: {}", child.name, child.detail)).collect();
    let wanted = [
        "I: dense fixed",
        "J: compressed varied of I",
        "JD: dense fixed",
        "A: float32 over I, J (CSR)",
        "B: float32 over JD (dense)",
        "C: float32 over I (dense)",
        "spmm: i: S, j: R",
    ];
    assert_eq!(children, wanted);
}

/// The text with a part put in at the `|` of another, and what is offered behind it.
fn offered(part: &str, typed: &str) -> Vec<String> {
    let text = format!("{}{typed}{}", &SPMM[..at(part)], &SPMM[at(part)..]);
    let items = answers(&text).complete(at(part) + typed.len(), &NoFolders);
    items.into_iter().map(|item| item.label).collect()
}

#[test]
fn members_and_names_are_completed() {
    let kinds = ["dense_fixed", "dense_varied"];
    assert_eq!(offered("    |JD = ", "X = T.sp.dense"), kinds);
    assert_eq!(offered("    |JD = ", "X = T.if"), ["if_then_else"]);
    assert_eq!(offered("    |A = ", "X = J"), ["J", "JD"]);
    assert!(offered("    |J = ", "X = J").is_empty(), "nothing that is declared below");
    assert!(offered("from |tvm", "T.").is_empty(), "outside of functions");
    assert!(offered("level\"|: 2", "T.").is_empty() || !offered("sparse_|tir", "T.").iter().any(|name| name == "grid"));
    let text = SPMM.replace("    J = T.sp.compressed_varied(I, (m, nnz), (p, q))", "    J = T.sp.compressed_v");
    let offset = text.find("compressed_v\n").unwrap() + "compressed_v".len();
    let items = answers(&text).complete(offset, &NoFolders);
    let [item] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!(item.snippet.as_ref().unwrap().text, "compressed_varied(parent, shape, data)");
    assert_eq!(&text[item.replace.range()], "compressed_v");
}

fn renamed(part: &str, name: &str) -> Result<String, String> {
    let answers = answers(SPMM);
    let named = answers.prepare_rename(at(part))?;
    let mut text = SPMM.to_string();
    for edit in answers.rename(&named, name)?.iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    Ok(text)
}

#[test]
fn names_of_functions_are_renamed() {
    let wanted = SPMM.replace("J = T", "COLUMN = T").replace("[I, J]", "[I, COLUMN]");
    assert_eq!(renamed("    |J = ", "COLUMN").unwrap(), wanted);
    let wanted = SPMM.replace("p: T", "starts: T").replace("(p, q)", "(starts, q)");
    assert_eq!(renamed("|p: T.handle", "starts").unwrap(), wanted);
    assert_eq!(renamed("as [i, |j]", "column").unwrap().matches("column").count(), 3);
    assert_eq!(renamed("    |J = ", "JD").unwrap_err(), "`J` cannot be called `JD`: `JD` is declared twice");
    assert_eq!(renamed("from |tvm", "x").unwrap_err(), "no name of a function of SparseTIR stands here");
    assert!(renamed("    |J = ", "class").is_err());
}

#[test]
fn functions_are_shown_as_they_are_lowered() {
    let answers = answers(SPMM);
    let [kernel] = answers.kernels().try_into().unwrap();
    assert_eq!((kernel.name.as_str(), at_span(kernel.selection)), ("spmm", "spmm"));
    let shown = |kernel: &str, view: View| answers.lowered(kernel, view, &|| false).unwrap();
    for ((_, view), wanted) in answers.lenses().iter().zip(["A[vi, vj]", "A_data[vj + J_indptr_data[vi]]"]) {
        let Preview::Shown(text) = shown("spmm", *view) else { panic!("{view:?}") };
        assert!(text.text.contains(wanted) && text.language == Some("python"), "{}", text.text);
    }
    assert_eq!(shown("spmv", View::Loops), Preview::Unknown(vec!["spmm".to_string()]));
    let Preview::Shown(other) = shown("spmm", View::C) else { panic!("C") };
    assert_eq!(other.text, "# a function of SparseTIR is shown as `lowered` and `loops`, not as `c`\n");
}

#[test]
fn other_python_is_left_alone() {
    let answers = answers("import numpy as np\n\ndef f(x:\n    return prim_func(x\n");
    assert!(answers.diagnostics(&mut Known::default(), &|| false).is_empty());
    assert!(answers.hover(8).is_none() && answers.symbols().is_empty() && answers.definition(8).is_none());
}

#[test]
fn the_page_of_scripts_names_every_word_and_code() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/sparsetir.md")).unwrap();
    let abbreviated =
        |name: &str| name.strip_prefix("axis.").or(name.strip_prefix("sp.")).map(|word| format!(".{word}`"));
    let unused = [Member::FuncAttr, Member::PrimFunc];
    for row in ROWS.iter().filter(|row| !unused.contains(&row.member) && !matches!(row.name, "axis.S" | "axis.R")) {
        let full = page.contains(&format!("`T.{}", row.name));
        let short = abbreviated(row.name).is_some_and(|short| page.contains(&short));
        assert!(full || short, "`T.{}` is missing", row.name);
    }
    for code in Code::ALL.iter().filter(|code| code.text().get(1..3) == Some("07")) {
        assert!(page.contains(&format!("| {} | {} |", code.text(), code.title())), "{} is missing", code.text());
    }
}
