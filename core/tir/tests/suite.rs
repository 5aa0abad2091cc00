//! Cases as data: `tests/suite/tir/*.py`, many short sections a file.
//!
//! A section is a file of its own that begins with `# --- name`. After a line where a diagnostic starts, the file holds
//! nnz's output about it:
//!
//! ```text
//! J = T.sp.compressed_varied(K, (m, nnz), (p, c))
//! # ^ error E0703 32-33: `K` is not declared
//! # ^ fix: I
//! ```
//!
//! Columns count bytes from 1, the second is behind the last. Annotations are complete: nothing else is told.
//! `NNZ_BLESS=1 cargo test -p nnz-tir --test suite` writes nnz's present output into the files, for review.
//!
//! Besides: every prefix of every section is read without a panic; every fix removes what it is offered for and brings no
//! error; every code of SparseTIR has a section.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use libtest_mimic::{Arguments, Failed, Trial};
use nnz_base::{
    diagnostic::{Code, Diagnostic, Fix},
    ids::FileId,
    source::Source,
};
use nnz_tir::{Script, script};

const HEAD: &str = "# --- ";
const ANNOTATION: &str = "# ^ ";

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/tir");
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "py")).collect();
    files.sort();
    let (mut trials, mut all) = (Vec::new(), String::new());
    for path in &files {
        let mut text = fs::read_to_string(path).unwrap();
        if std::env::var_os("NNZ_BLESS").is_some() {
            text = sections(&text).iter().map(|(_, section)| annotated(section)).collect();
            fs::write(path, &text).unwrap();
        }
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        trials.extend(
            sections(&text).into_iter().flat_map(|(name, section)| of_section(&format!("{file}::{name}"), section)),
        );
        all += &text;
    }
    trials.extend(Code::ALL.iter().filter(|code| is_of_scripts(**code)).map(|code| has_section(*code, &all)));
    libtest_mimic::run(&arguments, trials).exit()
}

/// Codes of scripts that a check gives.
fn is_of_scripts(code: Code) -> bool {
    code.text().get(1..3) == Some("07")
        && !matches!(
            code,
            Code::ArrayMisfit | Code::ScriptFailed | Code::NotCompiled | Code::TirStep | Code::TirStepForm
        )
}

fn has_section(code: Code, all: &str) -> Trial {
    let found = all.contains(&format!(" {} ", code.text()));
    Trial::test(
        format!("section of {}", code.text()),
        move || if found { Ok(()) } else { Err("no section has it".into()) },
    )
}

/// The names and texts of the sections of a file.
fn sections(text: &str) -> Vec<(String, String)> {
    let starts = text.match_indices(HEAD).map(|(at, _)| at).filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    let starts: Vec<usize> = starts.chain([text.len()]).collect();
    let section = |pair: &[usize]| {
        let section = &text[pair[0]..pair[1]];
        (section.lines().next().unwrap_or_default().trim_start_matches(HEAD).to_string(), section.to_string())
    };
    starts.windows(2).map(section).collect()
}

fn of_section(name: &str, section: String) -> Vec<Trial> {
    let (prefixes, fixes) = (section.clone(), section.clone());
    vec![
        Trial::test(name.to_string(), move || annotations_hold(&section)),
        Trial::test(format!("{name}::prefixes"), move || prefixes_are_read(&prefixes)),
        Trial::test(format!("{name}::fixes"), move || fixes_mend(&fixes)),
    ]
}

fn source(section: &str) -> Source {
    let lines = section.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(ANNOTATION));
    Source::new(FileId(0), "case.py", lines.collect::<String>())
}

/// The section as it would be if nnz were right.
fn annotated(section: &str) -> String {
    let source = source(section);
    let script = script(&source);
    let mut out = String::new();
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        out += line;
        let last = source.text.lines().count().saturating_sub(1);
        let line = |one: &Diagnostic| source.line_col(one.primary.span.start as usize).line as usize;
        let on_line = |one: &&Diagnostic| line(one).min(last) == number;
        let facts = script.diagnostics.iter().filter(on_line).flat_map(|one| facts(one, &source));
        facts.for_each(|fact| out += &format!("{ANNOTATION}{fact}\n"));
    }
    out
}

/// `error E0703 32-33: ...`, and its fixes.
fn facts(one: &Diagnostic, source: &Source) -> Vec<String> {
    let start = source.line_col(one.primary.span.start as usize).column + 1;
    let end = start + one.primary.span.len() as u32;
    let mut facts = vec![format!("{} {} {start}-{end}: {}", one.severity().name(), one.code.text(), one.message)];
    let texts = one.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.replacement.replace('\n', "\\n"));
    facts.extend(texts.map(|text| format!("fix: {text}")));
    facts
}

fn annotations_hold(section: &str) -> Result<(), Failed> {
    let now = annotated(section);
    if now == section { Ok(()) } else { Err(format!("nnz says\n{now}\nthe file says\n{section}").into()) }
}

fn prefixes_are_read(section: &str) -> Result<(), Failed> {
    let text = source(section).text;
    for (end, _) in text.char_indices() {
        script(&Source::new(FileId(0), "case.py", &text[..end]));
    }
    Ok(())
}

fn fixes_mend(section: &str) -> Result<(), Failed> {
    let source = source(section);
    let before = script(&source);
    for one in &before.diagnostics {
        for fix in &one.fixes {
            let text = applied(&source.text, fix);
            let after = script(&Source::new(FileId(0), "case.py", text.as_str()));
            let same = |script: &Script| script.diagnostics.iter().filter(|other| other.message == one.message).count();
            let errors = |script: &Script| script.diagnostics.iter().filter(|other| other.is_error()).count();
            if same(&after) >= same(&before) || errors(&after) > errors(&before) {
                return Err(format!("the fix {fix:?} does not mend {:?}:\n{text}", one.message).into());
            }
        }
    }
    Ok(())
}

/// The text with a fix applied, its last edit first.
fn applied(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_string();
    edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
    text
}
