//! `nnz convert ENCODING --to iterators`, and back with `nnz convert F.py --to encoding`.

use std::path::Path;

use nnz_core::{
    check::{Checked, DefinitionKind},
    diagnostic::Code,
    element::Element,
    encoding::Encoding,
    languages::{ArrayLowering, Execution, To},
    session::{Session, Spec},
    stages::iterators::{Unsaid, description},
    view::Markup,
};
use serde_json::json;

use crate::{
    cli::Convert,
    exit::Exit,
    files::{self, Existing},
    format,
    output::{Output, failed},
    texts::{Text, open},
};

/// What `--to` names besides formats.
pub(crate) const ITERATORS: &str = "iterators";
pub(crate) const ENCODING: &str = "encoding";

/// An encoding, or all of a file, as format descriptions.
pub(crate) fn of_encodings(session: &Session, output: &mut Output, convert: &Convert) -> Exit {
    let shown = convert.input.display().to_string();
    match convert.input.extension().is_some_and(|ending| ending == "mlir" || ending == "nnz") {
        true => of_file(output, convert),
        false => of_word(session, output, (convert, &shown)),
    }
}

fn of_word(session: &Session, output: &mut Output, (convert, word): (&Convert, &str)) -> Exit {
    if format::is_none(output, word, None) {
        return Exit::Failed;
    }
    let line = output.command_line();
    let spec = match session.format(&line.source, &line.word(word)) {
        Ok(told) => told.value,
        Err(refused) => return output.refused(&refused),
    };
    match encoding_of(&spec) {
        Some((encoding, element)) => match description(&encoding, element, &name_of(&spec)) {
            Ok(text) => finish(output, convert, &text),
            Err(unsaid) => refused(output, word, &unsaid),
        },
        None => {
            let dense = Unsaid {
                why: format!("`{word}` has no levels"),
                help: "an array is a buffer over `dense_fixed`: name its encoding, `(i, j) -> (i : dense, j : dense)`"
                    .to_string(),
            };
            refused(output, word, &dense)
        }
    }
}

/// The encoding of a type, for matrices where it does not say.
fn encoding_of(spec: &Spec) -> Option<(Encoding, Option<Element>)> {
    let format = spec.known_format(spec.rank().unwrap_or(2))?;
    Some((Encoding::clone(format.encoding()?), spec.element))
}

fn name_of(spec: &Spec) -> String {
    spec.format_name.clone().unwrap_or_default()
}

fn of_file(output: &mut Output, convert: &Convert) -> Exit {
    let (checked, name) = match checked(output, &convert.input) {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    let definitions = checked.symbols.definitions.iter().filter_map(|definition| match &definition.kind {
        DefinitionKind::Encoding(Some(encoding)) => Some((checked.source.slice(definition.name), encoding)),
        _ => None,
    });
    let definitions: Vec<_> = definitions.collect();
    if definitions.is_empty() {
        return failed(&format!("{name}: no encoding has a name there, as in `#CSR = #sparse_tensor.encoding<...>`"));
    }
    let (mut text, mut exit) = (String::new(), Exit::Fine);
    for (name, encoding) in definitions {
        match description(encoding, None, name) {
            Ok(one) if text.is_empty() => text = one,
            Ok(one) => {
                text += &format!("\n\n{}", one.trim_start_matches(nnz_core::stages::iterators::IMPORT).trim_start())
            }
            Err(unsaid) => exit = exit.worse(refused(output, name, &unsaid)),
        }
    }
    if text.is_empty() { exit } else { finish(output, convert, &text).worse(exit) }
}

/// A text with encodings.
fn checked(output: &mut Output, path: &Path) -> Result<(Checked, String), Exit> {
    let Text { language, name, text } = open(output, path)?;
    let source = output.add(&name, text);
    let checked = match language.execution {
        Execution::Statements(check) => check(&source),
        Execution::Functions(program) => program(&source).checked,
        Execution::Arrays(_) | Execution::Nothing => return Err(failed(&format!("{name}: no file with encodings"))),
    };
    match checked.has_errors() {
        true => {
            output.found(checked.diagnostics);
            Err(Exit::Failed)
        }
        false => Ok((checked, name)),
    }
}

/// The encodings of the buffers of a script.
pub(crate) fn to_encodings(output: &mut Output, convert: &Convert) -> Exit {
    let Text { language, name, text } = match open(output, &convert.input) {
        Ok(text) => text,
        Err(exit) => return exit,
    };
    let Some(functions) = language.of_arrays() else {
        return failed(&format!(
            "{name}: `--to encoding` takes a SparseTIR script; a file of data has a format, as in `--to CSR`"
        ));
    };
    let source = output.add(&name, text);
    let wanted = ArrayLowering { function: None, to: To::Stage(ENCODING), gpu: nnz_core::backend::Gpu::default() };
    match (functions.lower)(&source, &wanted) {
        Ok(text) => finish(output, convert, &text),
        Err(told) => {
            output.found(told);
            Exit::Failed
        }
    }
}

fn refused(output: &mut Output, word: &str, unsaid: &Unsaid) -> Exit {
    let wrong = output.wrong_word(word, Code::CommandArguments, format!("iterators cannot say this: {}", unsaid.why));
    output.diagnostic(&wrong.label("not as iterators").help(&unsaid.help));
    Exit::Failed
}

/// Prints the text, or writes it to the file that is named.
fn finish(output: &mut Output, convert: &Convert, text: &str) -> Exit {
    let Some(path) = &convert.output else {
        output.answer(|| Markup::plain(text), || json!({ "kind": convert.to, "text": text }), &[]);
        return Exit::Fine;
    };
    let existing = if convert.no_clobber { Existing::Kept } else { Existing::Replaced };
    let path = path.display().to_string();
    match files::write(&path, existing, &mut |out| out.write_all(text.as_bytes())) {
        Ok(_) => {
            let line = format!("{path}: {} bytes", text.len());
            output.answer(
                || Markup::plain(&line),
                || json!({ "kind": "written", "path": path, "bytes": text.len() }),
                &[],
            );
            Exit::Fine
        }
        Err(error) => failed(&format!("{path}: {error}")),
    }
}
