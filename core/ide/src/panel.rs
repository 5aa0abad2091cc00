//! `nnz/storage`: which part of a text the storage panel shows. Nothing runs here.

mod program;

use std::sync::Arc;

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind, Grammar, scope::PartialType};
use nnz_storage::Storage;

use crate::{
    execution::Part,
    hover::{hover, standard},
    kernels::{KernelPlace, kernels},
};

/// What is shown.
#[derive(Clone, Debug)]
pub enum Panel {
    /// Tensors that a session has.
    Session(Session),
    /// A small tensor, of this name.
    Example(String, Arc<Storage>),
    /// Why a kernel has none, in one line.
    Refused(String),
}

/// What is found in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The statement, in one line.
    pub title: String,
    /// What runs before: statements, or a program until it reaches a kernel.
    pub before: Part,
    /// The tensors then, the first of them also in `formats`.
    pub tensors: Vec<String>,
    pub formats: &'static [&'static str],
    /// The kernel of the last statement, and the name that it defines.
    pub kernel: Option<(String, String)>,
}

/// What is at `offset`: a kernel, a tensor, an encoding.
pub fn panel(checked: &Checked, offset: usize) -> Option<Panel> {
    let session = || of_kernel(checked, offset).or_else(|| of_tensor(checked, offset)).map(Panel::Session);
    match checked.grammar {
        Grammar::Notation => session().or_else(|| example(checked, offset)),
        Grammar::Mlir => program::panel(checked, offset, example),
    }
}

fn of_kernel(checked: &Checked, offset: usize) -> Option<Session> {
    let kernel = kernels(checked).into_iter().find(|kernel| kernel.whole.touches(offset))?;
    let mut found = operands(checked, &kernel);
    // Stored sparse first: that is what other encodings are of interest for.
    found.sort_by_key(|(_, ty)| !is_sparse(ty));
    let result = checked.source.slice(kernel.selection).to_string();
    let formats = found.first().map_or(&[][..], |(_, ty)| formats(ty.rank()));
    let mut tensors: Vec<String> = found.into_iter().map(|(name, _)| name).filter(|name| *name != result).collect();
    tensors.extend(tensor_named(checked, &result).map(|_| result.clone()));
    let before = Part::Statements { end: kernel.whole.end as usize, name: result.clone() };
    let title = one_line(checked, kernel.whole);
    Some(Session { title, before, tensors, formats, kernel: Some((kernel.name, result)) })
}

/// The tensors that a kernel reads, each once.
fn operands<'c>(checked: &'c Checked, kernel: &KernelPlace) -> Vec<(String, &'c PartialType)> {
    let mut found: Vec<(String, &PartialType)> = Vec::new();
    for used in checked.symbols.uses.iter().filter(|used| kernel.whole.contains(used.span.start as usize)) {
        let Some(ty) = used.definition.and_then(|id| tensor(checked.symbols.definition(id))) else { continue };
        let name = checked.source.slice(used.span);
        if found.iter().all(|(known, _)| known != name) {
            found.push((name.to_string(), ty));
        }
    }
    found
}

fn of_tensor(checked: &Checked, offset: usize) -> Option<Session> {
    let named = checked.definition_at(offset).map(|id| checked.symbols.definition(id));
    let around = || checked.symbols.definitions.iter().find(|it| it.whole.touches(offset) && tensor(it).is_some());
    let definition = named.filter(|it| tensor(it).is_some()).or_else(around)?;
    let (name, ty) = (checked.source.slice(definition.name).to_string(), tensor(definition)?);
    Some(Session {
        title: one_line(checked, definition.whole),
        before: Part::Statements { end: definition.whole.end as usize, name: name.clone() },
        tensors: vec![name],
        formats: formats(ty.rank()),
        kernel: None,
    })
}

fn tensor(definition: &Definition) -> Option<&PartialType> {
    if let DefinitionKind::Tensor(ty) = &definition.kind { ty.as_deref() } else { None }
}

fn tensor_named<'c>(checked: &'c Checked, name: &str) -> Option<&'c PartialType> {
    let mut all = checked.symbols.definitions.iter().rev();
    all.find(|it| checked.source.slice(it.name) == name).and_then(tensor)
}

fn is_sparse(ty: &PartialType) -> bool {
    ty.format.as_ref().and_then(|format| format.encoding()).is_some_and(|encoding| !encoding.all_dense())
}

/// Encodings to hold beside a tensor's own; none of them takes many times its bytes.
fn formats(rank: Option<usize>) -> &'static [&'static str] {
    match rank {
        Some(1) => &["SparseVector", "dense"],
        Some(2) => &["CSR", "CSC", "DCSR", "COO", "BSR(2, 2)"],
        Some(3..) => &["CSF", "COO"],
        Some(0) | None => &[],
    }
}

fn example(checked: &Checked, offset: usize) -> Option<Panel> {
    let found = hover(checked, offset)?;
    let storage = standard(found.drawn.as_ref()?)?;
    Some(Panel::Example(checked.source.slice(found.span).to_string(), storage))
}

fn one_line(checked: &Checked, whole: Span) -> String {
    const MOST: usize = 80;
    let text = checked.source.slice(whole).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} ...", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_base::{ids::FileId, source::Source};
    use nnz_check::scope::Scope;

    const TEXT: &str = "x = [1, 2]\nA : CSR = [[1, 0], [0, 2]]\ny(i) = x(j) * A(i, j)\n#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>\n";

    fn shown(at: &str) -> Option<Panel> {
        let checked = nnz_check::session::check_session(&Source::new(FileId(0), "t.nnz", TEXT), &Scope::default());
        panel(&checked, TEXT.find(at).expect("it is in the text"))
    }

    fn session(at: &str) -> Session {
        let Some(Panel::Session(session)) = shown(at) else { panic!("no session at {at}") };
        session
    }

    #[test]
    fn a_kernel_has_its_sparse_operands_first_and_its_result_last() {
        let found = session("* A(i");
        assert_eq!(found.tensors, ["A", "x", "y"]);
        assert_eq!(found.kernel, Some(("y".to_string(), "y".to_string())));
        let before = Part::Statements { end: TEXT.find("\n#S").unwrap(), name: "y".to_string() };
        assert_eq!((found.title.as_str(), found.before), ("y(i) = x(j) * A(i, j)", before));
        assert!(found.formats.contains(&"CSC"));
    }

    #[test]
    fn a_tensor_stands_alone_and_an_encoding_has_an_example() {
        let found = session("A : CSR");
        assert_eq!((found.tensors.as_slice(), found.kernel), (&["A".to_string()][..], None));
        assert_eq!(session("[1, 2]\n").tensors, ["x"]);
        let Some(Panel::Example(name, storage)) = shown("#S") else { panic!("no example") };
        assert_eq!((name.as_str(), storage.dim_sizes().len()), ("#S", 1));
        assert!(shown("sparse_tensor").is_none_or(|it| matches!(it, Panel::Example(..))));
    }
}
