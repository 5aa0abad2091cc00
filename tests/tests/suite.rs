//! The suite: cases as data, `tests/suite/encoding/*.{mlir,nnz}`, many short sections a file.
//!
//! A section begins with `// --- name`. After a line where a diagnostic starts, or with an encoding, the file
//! holds nnz's output about it:
//!
//! ```text
//! #A = #sparse_tensor.encoding<{ map = (i) -> (i : sparse) }>
//! // ^ error E0106 50-56: unknown level format `sparse`
//! // ^ fix: compressed
//! ```
//!
//! Columns count bytes from 1, the second is behind the last. `// ^ is ...` gives an encoding in MLIR's canonical
//! form. Annotations are complete: no other diagnostic may be reported, except that an alias is unused (H0101),
//! which counts only in sections that mention it. `NNZ_BLESS=1 cargo test --test suite` writes nnz's present
//! output into the files, for review.
//!
//! Besides: every prefix of every section is checked without a stall; every fix removes the error that it is offered
//! for; every code of encodings has a section.

use std::{error::Error, fs, path::Path};

use libtest_mimic::{Arguments, Failed, Trial};
use nnz_core::{
    check::Checked,
    diagnostic::{Applicability, Code, Diagnostic, Fix},
    ids::FileId,
    languages::{FrontEnd, LANGUAGES},
    source::{Source, Span},
    syntax::NodeKind,
};
use nnz_tests::languages;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/encoding");
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "mlir" || ending == "nnz"));
    files.sort();
    let mut trials = Vec::new();
    let mut all = String::new();
    for path in &files {
        let mut text = fs::read_to_string(path)?;
        if std::env::var_os("NNZ_BLESS").is_some() {
            text = bless(path, &text);
            fs::write(path, &text)?;
        }
        trials.extend(sections(path, &text).into_iter().flat_map(Section::trials));
        all += &text;
    }
    trials.extend(Code::ALL.iter().filter(|code| is_of_encodings(**code)).map(|code| section_trial(*code, &all)));
    libtest_mimic::run(&arguments, trials).exit()
}

/// One case.
#[derive(Clone)]
struct Section {
    name: String,
    language: &'static FrontEnd,
    /// With its annotations.
    text: String,
}

const HEAD: &str = "// --- ";
const ANNOTATION: &str = "// ^ ";

fn sections(path: &Path, text: &str) -> Vec<Section> {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let starts = text.match_indices(HEAD).map(|(at, _)| at).filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    let starts: Vec<usize> = starts.chain([text.len()]).collect();
    let section = |pair: &[usize]| {
        let text = &text[pair[0]..pair[1]];
        let name = text.lines().next().unwrap_or_default().trim_start_matches(HEAD);
        Section {
            name: format!("{file}::{name}"),
            language: LANGUAGES.of_path(&file).expect("a language of nnz"),
            text: text.to_string(),
        }
    };
    starts.windows(2).map(section).collect()
}

fn bless(path: &Path, text: &str) -> String {
    let head = text.find(HEAD).unwrap_or(text.len());
    let blessed = sections(path, text).iter().map(|section| section.annotated()).collect::<String>();
    format!("{}{blessed}", &text[..head])
}

impl Section {
    fn trials(self) -> Vec<Trial> {
        let (annotations, fixes, prefixes) = (self.clone(), self.clone(), self.clone());
        vec![
            Trial::test(format!("{}::prefixes", self.name), move || prefixes.check_prefixes()),
            Trial::test(self.name.clone(), move || annotations.check_annotations()),
            Trial::test(format!("{}::fixes", self.name), move || fixes.check_fixes()),
        ]
    }

    /// Without its annotations.
    fn source(&self) -> Source {
        let lines = self.text.split_inclusive('\n').filter(|line| !line.starts_with(ANNOTATION));
        Source::new(FileId(0), &self.name, lines.collect::<String>())
    }

    /// The section as it would be if nnz were right.
    fn annotated(&self) -> String {
        let source = self.source();
        let checked = languages::checked(self.language, &source);
        let mut out = String::new();
        for (number, line) in source.text.split_inclusive('\n').enumerate() {
            out += line;
            self.facts(&checked, number).into_iter().for_each(|fact| out += &format!("{ANNOTATION}{fact}\n"));
        }
        out
    }

    fn facts(&self, checked: &Checked, line: usize) -> Vec<String> {
        let on_line = |offset: u32| checked.source.line_col(offset as usize).line as usize == line;
        let unused = self.text.contains("H0101");
        let said = checked.diagnostics.iter().filter(|d| on_line(d.primary.span.start));
        let said =
            said.filter(|d| unused || d.code != Code::UnusedAlias).flat_map(|d| diagnostic_facts(d, &checked.source));
        let written = checked
            .symbols
            .encodings
            .iter()
            .filter(|site| on_line(site.span.start) && is_written_out(checked, site.span.start))
            .filter(|site| !is_mended(checked, site.span));
        let canonical = written.filter_map(|site| Some(format!("is {}", site.encoding.as_ref()?.canonical())));
        said.chain(canonical).collect()
    }

    fn check_annotations(&self) -> Result<(), Failed> {
        let now = self.annotated();
        if now == self.text { Ok(()) } else { Err(format!("nnz says\n{now}\nthe file says\n{}", self.text).into()) }
    }

    /// Half-typed text is checked without a stall or a panic, and every byte of it is in the tree.
    fn check_prefixes(&self) -> Result<(), Failed> {
        let source = self.source();
        for (end, _) in source.text.char_indices() {
            let prefix = &source.text[..end];
            let checked = languages::checked(self.language, &Source::new(FileId(0), &self.name, prefix));
            if checked.tree.tokens().map(|token| token.text()).collect::<String>() != prefix {
                return Err(format!("the tree does not reprint {prefix:?}").into());
            }
        }
        Ok(())
    }

    /// Each fix alone takes away what it was offered for, and brings no new error: of an error, there are fewer then, or
    /// one comes to light elsewhere that it hid. One that machines may apply leaves every encoding what it is.
    fn check_fixes(&self) -> Result<(), Failed> {
        let source = self.source();
        let checked = languages::checked(self.language, &source);
        let meant = checked.diagnostics.iter().filter(|d| d.code != Code::UnusedAlias || self.text.contains("H0101"));
        for diagnostic in meant {
            for fix in &diagnostic.fixes {
                let fixed = languages::checked(
                    self.language,
                    &Source { text: apply(&source.text, fix).into(), ..source.clone() },
                );
                let errors = |checked: &Checked| checked.diagnostics.iter().filter(|d| d.is_error()).count();
                let same =
                    |checked: &Checked| checked.diagnostics.iter().filter(|d| d.message == diagnostic.message).count();
                let hidden = diagnostic.is_error() && errors(&fixed) == errors(&checked) && is_wrong_at(&fixed, fix);
                let most = errors(&checked) - usize::from(hidden);
                let safe = fix.applicability == Applicability::MachineApplicable;
                if safe
                    && !diagnostic.is_error()
                    && !meanings(&checked).iter().all(|meaning| meanings(&fixed).contains(meaning))
                {
                    return Err(format!("the fix {fix:?} changes the meaning: {}", fixed.source.text).into());
                }
                if same(&fixed) >= same(&checked) || errors(&fixed) > most {
                    return Err(format!(
                        "the fix {fix:?} does not mend {:?}: {}",
                        diagnostic.message, fixed.source.text
                    )
                    .into());
                }
            }
        }
        Ok(())
    }
}

/// Whether there is an error where a fix has written.
fn is_wrong_at(fixed: &Checked, fix: &Fix) -> bool {
    let mut errors = fixed.diagnostics.iter().filter(|d| d.is_error());
    errors.any(|error| {
        fix.edits.iter().any(|edit| {
            let end = edit.span.start + edit.replacement.len() as u32;
            error.primary.span.start <= end + 1 && edit.span.start <= error.primary.span.end
        })
    })
}

/// The encodings of a text, in its order.
fn meanings(checked: &Checked) -> Vec<String> {
    let written = checked.symbols.encodings.iter().filter_map(|site| site.encoding.as_ref());
    written.map(|encoding| encoding.canonical().to_string()).collect()
}

/// `error E0106 50-56: unknown level format ...` and its fixes.
fn diagnostic_facts(diagnostic: &Diagnostic, source: &Source) -> Vec<String> {
    let start = source.line_col(diagnostic.primary.span.start as usize).column + 1;
    let end = start + diagnostic.primary.span.len() as u32;
    let (severity, code) = (diagnostic.severity().name(), diagnostic.code.text());
    let mut facts = vec![format!("{severity} {code} {start}-{end}: {}", diagnostic.message)];
    let texts = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.replacement.escape_debug());
    facts.extend(texts.map(|text| format!("fix: {}", text.to_string().replace("\\\"", "\""))));
    facts
}

/// Whether something in the encoding is read as it was meant: it is known, but not what the text says.
fn is_mended(checked: &Checked, encoding: Span) -> bool {
    let inside = |error: &Diagnostic| {
        error.primary.span.start > encoding.start && encoding.contains(error.primary.span.start as usize)
    };
    checked.diagnostics.iter().any(|found| found.is_error() && inside(found))
}

/// Not a mere name.
fn is_written_out(checked: &Checked, offset: u32) -> bool {
    let node = checked.tree.token_at(offset as usize).map(|token| token.node());
    node.is_some_and(|node| !matches!(node.kind(), NodeKind::AliasRef | NodeKind::FormatName))
}

/// The text with a fix applied, its last edit first.
fn apply(text: &str, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    edits.iter().fold(text.to_string(), |text, edit| {
        format!("{}{}{}", &text[..edit.span.start as usize], edit.replacement, &text[edit.span.end as usize..])
    })
}

/// E0001, E01xx, E0201 to E0206, W01xx, H01xx but H014x, which come from what a text does with encodings.
fn is_of_encodings(code: Code) -> bool {
    let text = code.text();
    text == "E0001" || text[1..].starts_with("01") && !text.starts_with("H014") || text.starts_with("E020")
}

fn section_trial(code: Code, suite: &str) -> Trial {
    let in_suite = suite.contains(&format!(" {} ", code.text()));
    let section = move || if in_suite { Ok(()) } else { Err("no section gives this code".into()) };
    Trial::test(format!("code::{}::section", code.text()), section)
}
