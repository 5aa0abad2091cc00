//! `nnz convert`: files of data. Encodings and iterators are in [`iterators`].

use nnz_core::{
    diagnostic::Code,
    session::{Session, Told},
    storage::files::FileKind,
    view::Markup,
};

use crate::{
    cli::Convert,
    exit::Exit,
    format, iterators,
    output::{Output, eprint, failed},
    render::one_line,
};

/// Reads a file of data, and writes it as another.
pub(crate) fn convert(session: &mut Session, output: &mut Output, convert: &Convert) -> Exit {
    match convert.to.as_str() {
        iterators::ITERATORS => return iterators::of_encodings(session, output, convert),
        iterators::ENCODING => return iterators::to_encodings(output, convert),
        _ => {}
    }
    let Some(written) = &convert.output else {
        return failed("`nnz convert IN OUT` names the file to write, too");
    };
    let (Some(from), Some(to)) = (convert.input.to_str(), written.to_str()) else {
        let path = if convert.input.to_str().is_none() { &convert.input } else { written };
        let path = one_line(&path.display().to_string());
        eprint(&format!("error: {path}: a path that is not UTF-8 text cannot be named; rename or link it\n"));
        return Exit::Failed;
    };
    if FileKind::of_path(to).is_none() {
        return unwritable(output, to);
    }
    if format::is_none(output, &convert.to, None) {
        return Exit::Failed;
    }
    session.options.drop_zeros = convert.drop_zeros;
    let line = output.command_line();
    let words = (&line.word(from), &line.last(to));
    let format = session.format(&line.source, &line.value_of(&["--to"], &convert.to));
    let converted = format.and_then(|format| {
        let mut converted = session.convert(&line.source, words, &format.value)?;
        converted.notes.splice(0..0, format.notes);
        Ok(converted)
    });
    match converted {
        Ok(Told { value, notes }) => {
            output.answer(|| value.markup(), || value.json(), &notes);
            output.answer(|| Markup::new().line(value.written.line()), || value.written.json(), &[]);
            Exit::Fine
        }
        Err(refused) => output.refused(&refused),
    }
}

/// A file that `nnz convert` does not know how to write.
fn unwritable(output: &mut Output, path: &str) -> Exit {
    let message = format!("the name of `{path}` does not tell how to write it");
    let wrong = output.wrong_word(path, Code::BadFile, message).label("no ending of a file that is written");
    output.diagnostic(&wrong.help("end it in .mtx or .tns"));
    Exit::Failed
}
