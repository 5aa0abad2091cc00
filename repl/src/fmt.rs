//! `nnz fmt`: formats texts in place, or shows what would change.

mod difference;

use std::path::Path;

use nnz_core::{
    check,
    diagnostic::{Code, Diagnostic, Edit},
    ide::formatting::{Formatted, Left, Part, Style},
    source::Source,
    view::{Line, Markup},
};
use serde_json::json;

use crate::{
    cli::Fmt,
    exit::Exit,
    files::{self, Existing},
    output::{Output, eprint, print},
    render::one_line,
    texts::{Text, open},
};

pub(crate) fn fmt(output: &mut Output, asked: &Fmt) -> Exit {
    let stdin = asked.stdin.then(|| Path::new("-"));
    let files = asked.files.iter().map(AsRef::as_ref).chain(stdin);
    let exit = files.fold(Exit::Fine, |exit: Exit, file: &Path| exit.worse(one(output, asked, file)));
    if let Some(tally) = output.tally() {
        eprint(&format!("{tally}\n"));
    }
    exit
}

fn one(output: &mut Output, asked: &Fmt, file: &Path) -> Exit {
    if !asked.check && cannot_be_replaced(file) {
        return no_place(output, file);
    }
    let Text { language, name, text } = match open(output, file) {
        Ok(text) => text,
        Err(failed) => return failed,
    };
    let source = output.add(&name, text);
    if let Err(refused) = check::room(&source) {
        output.diagnostic(&refused);
        return Exit::Failed;
    }
    let Formatted { edits, left } = language.check_alone(&source).formatting(Style::default(), &Part::Whole, &|| false);
    left.iter().for_each(|left| output.diagnostic(&told(&source, left)));
    let broken = if left.is_empty() { Exit::Fine } else { Exit::Failed };
    let done = match asked.check {
        true if edits.is_empty() => Exit::Fine,
        true => {
            let markup = difference::of(&source, &edits);
            let text = markup.plain_text();
            output.answer(|| markup, || json!({ "kind": "unformatted", "file": &*source.name, "diff": text }), &[]);
            Exit::Failed
        }
        false if file == Path::new("-") => {
            print(&applied(&source.text, &edits));
            Exit::Fine
        }
        false => write(output, (file, &source), &edits),
    };
    broken.worse(done)
}

/// Whether a text can be read there, but no other be put in its place: a pipe, a device.
fn cannot_be_replaced(file: &Path) -> bool {
    file != Path::new("-") && file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn no_place(output: &mut Output, file: &Path) -> Exit {
    let path = one_line(&file.to_string_lossy());
    let wrong = output.wrong_word(&path, Code::BadFile, format!("`{path}` is no file that can be written anew"));
    let wrong = wrong.label("a pipe or a device");
    output.diagnostic(&wrong.help(format!("`nnz fmt --stdin < {path}` formats it to standard output")));
    Exit::Failed
}

/// Why a statement is left unchanged.
fn told(source: &Source, left: &Left) -> Diagnostic {
    let told = Diagnostic::new(Code::SyntaxError, source.id, left.error, left.message.clone());
    let name = one_line(&source.name);
    told.label("here").help(format!("the statement stays as it is: mend it first, `nnz check {name}` says more"))
}

/// The edits are in order, and none overlap.
pub(crate) fn applied(text: &str, edits: &[Edit]) -> String {
    let (mut new, mut from) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        new += text.get(from..edit.span.start as usize).unwrap_or_default();
        new += &edit.replacement;
        from = edit.span.end as usize;
    }
    new + text.get(from..).unwrap_or_default()
}

fn write(output: &mut Output, (file, source): (&Path, &Source), edits: &[Edit]) -> Exit {
    let new = applied(&source.text, edits);
    let written = match (edits, file.to_str()) {
        ([], _) => Ok(()),
        (_, Some(path)) => files::write(path, Existing::Replaced, &mut |out| out.write_all(new.as_bytes())).map(|_| ()),
        (_, None) => Err(std::io::Error::other("a path that is not UTF-8 text cannot be named; rename or link it")),
    };
    let name = one_line(&source.name);
    if let Err(error) = written {
        eprint(&format!("error: `{name}` cannot be written: {error}\n"));
        return Exit::Failed;
    }
    if !edits.is_empty() {
        let line = Line::new().text(format!("formatted {name}"));
        output.answer(|| Markup::new().line(line), || json!({ "kind": "formatted", "file": &*source.name }), &[]);
    }
    Exit::Fine
}
