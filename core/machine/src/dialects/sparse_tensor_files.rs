//! `sparse_tensor` at run time: tensors from files and to files.

use std::ops::ControlFlow;

use crate::{
    machine::{Fault, Frame, Machine, More},
    meaning::{Row, host},
    value::{Sparse, Value},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::write_while,
};
use nnz_check::TensorType;
use nnz_mlir::{ir::Op, types::Type};
use nnz_storage::files::{self, FileKind, Note, ReadOptions, Triangles};

pub(super) static MEANINGS: &[Row] = &[host("sparse_tensor.new", new), host("sparse_tensor.out", out)];

/// The path that a pointer stands for.
fn path(value: &Value) -> Result<&str, Fault> {
    if let Value::Name(path) = value { Ok(path) } else { Err(Fault::new("a file's name is wanted here")) }
}

fn kind(path: &str) -> Result<FileKind, Fault> {
    let known = FileKind::of_path(path);
    known.ok_or_else(|| Fault::new(format!("`{path}`: nnz reads files ending in `.mtx` and `.tns`")))
}

fn new(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let path = path(frame.operand(op, 0)?)?.to_string();
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    Ok(vec![Value::Sparse(read(machine, op, &path, to)?)])
}

/// Published programs expect a symmetric file to give only the triangle that it stores. A warning says so.
fn read(machine: &mut Machine<'_>, op: &Op, path: &str, to: &TensorType) -> Result<Sparse, Fault> {
    let found = machine.host.find(path, machine.run.text);
    let bytes = machine.host.read(&found).map_err(|reason| Fault::new(format!("`{path}`: {reason}")))?;
    let options = ReadOptions {
        element: Some(to.element),
        shape: Some(to.shape.clone()),
        triangles: Triangles::Stored,
        ..ReadOptions::default()
    };
    let host = machine.host;
    let watch = |_| if host.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let read = files::read(kind(path)?, &bytes, &options, &watch);
    machine.go_on()?;
    let read = read.map_err(|error| {
        let fault = if matches!(error.cause, files::Cause::NoRoom) {
            Fault::limit(format!("`{path}`: {error}"))
        } else {
            Fault::new(format!("`{path}`: {error}"))
        };
        let (notes, data) = (error.notes(), error.data_place(path));
        let more = More { notes, help: error.help.clone(), data };
        Fault { more: Some(Box::new(more)), ..fault }
    })?;
    let file = machine.run.source.id;
    for note in &read.notes {
        let (code, message) = match note {
            Note::TriangleOnly { .. } => (Code::PartOfFile, format!("`{path}`: {note}, as MLIR does")),
            Note::SizesAndCount { .. }
            | Note::PerhapsSizes { .. }
            | Note::PerhapsEmpty { .. }
            | Note::NoLineEnd
            | Note::RoomBehind { .. } => (Code::DoubtfulFile, format!("`{path}`: {note}")),
            Note::Mirrored { .. } | Note::PatternAsOnes => continue,
        };
        machine.sink.note(Diagnostic::new(code, file, op.span, message).label(note.label()));
    }
    let encoding = to.encoding.as_ref().ok_or_else(|| Fault::new("no encoding to store the file in"))?;
    Sparse::packed(read.triplets, encoding)
}

fn out(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let triplets = frame.operand(op, 0)?.sparse()?.triplets()?;
    let path = path(frame.operand(op, 1)?)?.to_string();
    let kind = FileKind::of_path(&path).unwrap_or(FileKind::Frostt);
    let packing = files::Packing::of_path(&path);
    let fault = |reason: String| Fault::new(format!("`{path}`: {reason}"));
    files::check_writable(kind, triplets.shape()).map_err(|error| fault(error.to_string()))?;
    let written = write_while(machine.host, &path, &mut |out| files::write(kind, &triplets, packing, out));
    machine.go_on()?;
    written.map_err(fault)?;
    Ok(Vec::new())
}
