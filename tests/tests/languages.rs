//! A language is a row: the one added here, with the extension `.toy`, is checked and answers editors like the others,
//! and no other code knows of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{ops::Range, sync::Arc};

use nnz_core::{
    check::used::NoFiles,
    diagnostic::{Code, Diagnostic},
    host::Host,
    ide::{
        complete::NoFolders,
        hover::{Hover, Section},
        semantic_tokens::{Token, TokenType},
    },
    ids::FileId,
    languages::{Answers, Context, Execution, FrontEnd, Known, LANGUAGES, Languages, MLIR, NOTATION},
    session::{Options, Session},
    source::{Source, Span},
};

/// A text of words, of which `toy` is the only one that means something.
struct Words(Source);

static TOY: FrontEnd = FrontEnd {
    name: "Toy",
    extensions: &["toy"],
    editor_ids: &["toy"],
    check: |source: &Source, _: Context<'_>| Arc::new(Words(source.clone())),
    may_use_files: |_| false,
    execution: Execution::Nothing,
};

static WITH_TOY: Languages = Languages::new(&[&NOTATION, &MLIR, &TOY]);

impl Words {
    fn all(&self) -> impl Iterator<Item = (Span, &str)> {
        let text = &*self.0.text;
        text.split_whitespace().map(move |word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            (Span::new(start, start + word.len()), word)
        })
    }
}

impl Answers for Words {
    fn diagnostics(&self, known: &mut Known, _: &dyn Fn() -> bool) -> Vec<Diagnostic> {
        *known.of::<usize>() += 1;
        let wrong = self.all().filter(|(_, word)| *word != "toy");
        let error = |(span, word)| Diagnostic::new(Code::SyntaxError, self.0.id, span, format!("`{word}` is no `toy`"));
        wrong.map(error).collect()
    }
    fn hover(&self, offset: usize) -> Option<Hover> {
        let (span, _) = self.all().find(|(span, word)| span.touches(offset) && *word == "toy")?;
        let sections = vec![Section::Text("**`toy`**: something to play with".to_string())];
        Some(Hover { span, sections, drawn: None })
    }
    fn semantic_tokens(&self, range: Range<usize>, _: &dyn Fn() -> bool) -> Vec<Token> {
        let toys = self.all().filter(|(span, word)| range.contains(&(span.start as usize)) && *word == "toy");
        toys.map(|(span, _)| Token { span, kind: TokenType::Keyword, declaration: false }).collect()
    }
}

struct Nowhere;

impl Host for Nowhere {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(format!("toy {path}").into_bytes())
    }
}

fn answers(path: &str, text: &str) -> Arc<dyn Answers> {
    let language = WITH_TOY.of_path(path).unwrap();
    language.check_alone(&Source::new(FileId(0), path, text))
}

#[test]
fn a_file_is_in_the_language_of_its_ending() {
    let name = |path: &str| WITH_TOY.of_path(path).map(|language| language.name);
    assert_eq!(name("folder.mlir/a.toy"), Some("Toy"));
    assert_eq!(name("a.mlir"), Some("MLIR"));
    assert_eq!(name("a.nnz"), Some("nnz notation"));
    assert_eq!(name("/dev/stdin"), Some("nnz notation"));
    assert_eq!(name("kernel.py"), None, "only rows of this registry are looked at");
    assert_eq!(LANGUAGES.of_path("kernel.py").map(|language| language.name), Some("SparseTIR"));
    assert!(LANGUAGES.of_path("a.toy").is_none());
    assert_eq!(LANGUAGES.endings(), ".nnz (nnz notation), .mlir (MLIR) or .py (SparseTIR)");
}

#[test]
fn an_editor_says_what_a_document_is_in() {
    let name = |id: &str, path: &str| WITH_TOY.of_document(id, path).map(|language| language.name);
    assert_eq!(name("toy", "file.py"), Some("Toy"));
    assert_eq!(name("plaintext", "file.toy"), Some("Toy"));
    assert_eq!(name("python", "file.py"), None);
}

#[test]
fn no_two_rows_claim_the_same_files() {
    let mut claims: Vec<&str> = LANGUAGES.rows().iter().flat_map(|row| row.extensions).copied().collect();
    claims.sort_unstable();
    let all = claims.len();
    claims.dedup();
    assert_eq!((claims.len(), all), (all, 3));
}

#[test]
fn a_row_more_is_checked() {
    let session = Session::new(Arc::new(Nowhere), Options::default());
    let language = WITH_TOY.of_path("a.toy").unwrap();
    let found = session.check(language, &Source::new(FileId(0), "a.toy", "toy tyo\ntoy"), &NoFiles);
    let told: Vec<_> = found.iter().map(|found| (found.primary.span.range(), found.message.as_str())).collect();
    assert_eq!(told, [(4..7, "`tyo` is no `toy`")]);
}

#[test]
fn a_row_more_answers_editors() {
    let answers = answers("a.toy", "toy tyo\ntoy");
    let mut known = Known::default();
    assert_eq!(answers.diagnostics(&mut known, &|| false).len(), 1);
    assert_eq!(answers.diagnostics(&mut known, &|| false).len(), 1);
    assert_eq!(*known.of::<usize>(), 2);
    assert_eq!(answers.hover(9).map(|hover| hover.span.range()), Some(8..11));
    assert!(answers.hover(5).is_none());
    let tokens = answers.semantic_tokens(0..11, &|| false);
    assert_eq!(tokens.iter().map(|token| token.span.range()).collect::<Vec<_>>(), [0..3, 8..11]);
    // What a front end does not answer is empty.
    assert!(
        answers.complete(0, &NoFolders).is_empty()
            && answers.symbols().is_empty()
            && answers.references(0, true).is_empty()
    );
    assert!(answers.definition(0).is_none() && answers.used().is_none());
}

/// What a session says of files in use: of an unknown ending, and of a language that it knows.
#[test]
fn a_session_uses_only_languages_that_it_knows() {
    let mut said = Vec::new();
    let mut session = Session::new(Arc::new(Nowhere), Options::default());
    let source = Source::new(FileId(0), "a.nnz", "use \"a.rb\"\n");
    session.run(&source, true, &mut |outcome| said.extend(outcome.diagnostics));
    let told: Vec<_> = said.iter().map(|found| found.message.as_str()).collect();
    let reason =
        "its name does not tell its language: texts end in .nnz (nnz notation), .mlir (MLIR) or .py (SparseTIR)";
    assert_eq!(told, [format!("cannot read `a.rb`: {reason}")]);
}
