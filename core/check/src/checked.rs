//! The snapshot of a checked file, and the queries that editors make on it.

use std::sync::Arc;

use crate::{
    AffineMapSite, DefId, DefinitionKind, EncodingSite, Grammar, Symbols, TypeSite,
    scope::{Known, PartialType, Word},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use nnz_encoding::Encoding;
use nnz_kernel::Schedule;
use nnz_storage::{Triplets, generate::Count};
use nnz_syntax::{Edited, Tree};

/// A checked file. Cheap to share: editors read it while the next one is being made.
#[derive(Clone, Debug)]
pub struct Checked {
    pub source: Source,
    pub grammar: Grammar,
    pub tree: Arc<Tree>,
    /// Sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    pub symbols: Symbols,
    /// The kernels whose sizes are known. Their loops give their costs, and whether their schedules are
    /// legal.
    pub kernels: Vec<CheckedKernel>,
    /// The calls of functions of files that were read.
    pub calls: Vec<CheckedCall>,
    /// What the text says about the entries of tensors, by their definitions.
    pub contents: Vec<Contents>,
    /// The files that the text uses and that were read, in order.
    pub used: Vec<Used>,
    /// What the statements of a session give a meaning, in order.
    pub(crate) defined: Vec<Defined>,
    /// Of a program that differs from one that was checked in one function: its text, and the function.
    pub edited: Option<(Arc<str>, Edited)>,
}

/// A kernel and its schedule.
#[derive(Clone, Debug)]
pub struct CheckedKernel {
    pub kernel: Arc<nnz_kernel::Kernel>,
    /// [`nnz_kernel::Kernel::size`], which is asked of every kernel after every edit.
    pub size: u64,
    /// The place of the right side.
    pub span: Span,
    /// The places of each tensor.
    pub places: Places,
    pub scheduled: Scheduled,
}

/// A schedule, and the places of its steps.
#[derive(Clone, Debug, Default)]
pub struct Scheduled {
    pub schedule: Schedule,
    /// One per step.
    pub places: Vec<StepPlace>,
}

#[derive(Clone, Debug)]
pub struct StepPlace {
    pub whole: Span,
    pub arguments: Vec<Span>,
}

/// A place of a tensor in a statement.
#[derive(Clone, Debug)]
pub struct TensorPlace {
    pub first: Span,
    /// Each access, with the index variables there.
    pub accesses: Vec<(Vec<String>, Span)>,
}

impl TensorPlace {
    /// The place of the access with these index variables; the first place if there is none.
    pub fn of(&self, indices: &[String]) -> Span {
        let access = self.accesses.iter().find(|(vars, _)| vars == indices);
        access.map_or(self.first, |(_, place)| *place)
    }

    fn relative_to(&self, from: u32) -> TensorPlace {
        let accesses = self.accesses.iter().map(|(vars, place)| (vars.clone(), place.relative_to(from)));
        TensorPlace { first: self.first.relative_to(from), accesses: accesses.collect() }
    }
}

/// The places of tensors in one statement; cheap to clone, and to move with the statement.
#[derive(Clone, Debug)]
pub struct Places {
    /// All come after it.
    pub(crate) from: Span,
    relative: Arc<[TensorPlace]>,
}

impl Places {
    pub(crate) fn new(places: &[TensorPlace]) -> Places {
        let spans = places.iter().flat_map(|place| place.accesses.iter().map(|(_, at)| at).chain([&place.first]));
        let from = spans.map(|place| place.start).min().unwrap_or(0);
        Places {
            from: Span { start: from, end: from },
            relative: places.iter().map(|place| place.relative_to(from)).collect(),
        }
    }
    /// Where a tensor is accessed with these index variables, or else its first place.
    pub fn access(&self, at: usize, indices: &[String]) -> Option<Span> {
        self.relative.get(at).map(|place| place.of(indices).moved_by(self.from.start))
    }
    pub fn get(&self, at: usize) -> Option<Span> {
        self.access(at, &[])
    }
    pub fn last(&self) -> Option<Span> {
        self.get(self.relative.len().checked_sub(1)?)
    }
}

/// A call of a function of a file in use.
#[derive(Clone, Debug)]
pub struct CheckedCall {
    /// Without its `@`, at its place.
    pub function: Word,
    /// The file, as the text names it.
    pub path: String,
    pub file: Arc<Checked>,
}

/// A file that a text uses.
#[derive(Clone, Debug)]
pub struct Used {
    /// The path in the text, with its quotes.
    pub path: Span,
    pub file: Arc<Checked>,
}

/// What a statement gives a meaning.
#[derive(Clone, Debug)]
pub(crate) struct Defined {
    /// Where the statement begins.
    pub statement: Span,
    pub name: Arc<str>,
    pub known: Known,
    /// Of tensors and scalars.
    pub id: Option<DefId>,
}

/// What a text says about the entries of a tensor.
#[derive(Clone, Debug)]
pub struct Contents {
    pub definition: DefId,
    pub entries: Count,
    /// Those of a short literal.
    pub literal: Option<Arc<Triplets>>,
    /// The type with what a file that was read adds to it.
    pub read: Option<Arc<PartialType>>,
}

impl Checked {
    /// The definition whose name, or a use of whose name, touches `offset`.
    pub fn definition_at(&self, offset: usize) -> Option<DefId> {
        let symbols = &self.symbols;
        let used = touching(&symbols.uses, offset, |u| u.span).and_then(|u| u.definition);
        used.or_else(|| symbols.definition_ids().find(|&id| symbols.definition(id).name.touches(offset)))
    }
    /// What the text says about the entries of a tensor.
    pub fn contents_of(&self, id: DefId) -> Option<&Contents> {
        let at = self.contents.binary_search_by_key(&id, |contents| contents.definition).ok()?;
        self.contents.get(at)
    }
    /// The kernel whose right side lies in `span`.
    pub fn kernel_in(&self, span: Span) -> Option<&CheckedKernel> {
        starting_in(&self.kernels, span, |kernel| kernel.span).find(|kernel| kernel.span.end <= span.end)
    }
    /// The innermost encoding whose text touches `offset`.
    pub fn encoding_at(&self, offset: usize) -> Option<&EncodingSite> {
        touching(&self.symbols.encodings, offset, |site| site.span)
    }
    /// The tensor type whose text touches `offset`.
    pub fn type_at(&self, offset: usize) -> Option<&TypeSite> {
        touching(&self.symbols.types, offset, |site| site.span)
    }
    /// The encoding that a definition of this file gives the name `name` (with its `#`).
    pub fn encoding_named(&self, name: &str) -> Option<Arc<Encoding>> {
        self.symbols.definitions.iter().find_map(|definition| {
            if let DefinitionKind::Encoding(encoding) = &definition.kind
                && self.source.slice(definition.name) == name
            {
                encoding.clone()
            } else {
                None
            }
        })
    }
    /// Whether a name in `span` stands for an encoding that is broken, or for none.
    pub fn names_broken_encoding(&self, span: Span) -> bool {
        let broken = |id| matches!(self.symbols.definition(id).kind, DefinitionKind::Encoding(None));
        let mut used = starting_in(&self.symbols.uses, span, |used| used.span);
        // A symbol, `@name`, stands for no encoding at all.
        used.any(|used| !self.source.slice(used.span).starts_with('@') && used.definition.is_none_or(broken))
    }
    /// The tensor type whose text starts at `offset`.
    pub fn type_starting_at(&self, offset: u32) -> Option<&TypeSite> {
        starting_in(&self.symbols.types, Span { start: offset, end: offset + 1 }, |site| site.span).last()
    }
    /// The outermost encoding whose text starts at `offset`.
    pub fn encoding_starting_at(&self, offset: u32) -> Option<&EncodingSite> {
        starting_in(&self.symbols.encodings, Span { start: offset, end: offset + 1 }, |site| site.span).next()
    }
    /// The affine map whose text starts at `offset`.
    pub fn affine_map_starting_at(&self, offset: u32) -> Option<&AffineMapSite> {
        starting_in(&self.symbols.maps, Span { start: offset, end: offset + 1 }, |site| site.span).next()
    }
    /// The number of errors in `span`, including what is missing at its end.
    pub fn errors_in(&self, span: Span) -> usize {
        let at_end = Span { start: span.start, end: span.end + 1 };
        let found = starting_in(&self.diagnostics, at_end, |found| found.primary.span);
        found
            .filter(|found| found.is_error() && (found.primary.span.start < span.end || found.primary.span.is_empty()))
            .count()
    }
    pub fn has_syntax_error_in(&self, span: Span) -> bool {
        starting_in(&self.diagnostics, span, |found| found.primary.span).any(|found| found.code == Code::SyntaxError)
    }
    /// The numbers of correct tensor types and encodings, and of errors, in `span`. If a text and the aliases before it
    /// are the same in two files, equal numbers mean that both were understood alike.
    pub fn understood(&self, span: Span) -> [usize; 3] {
        let types = starting_in(&self.symbols.types, span, |site| site.span);
        let encodings = starting_in(&self.symbols.encodings, span, |site| site.span);
        let types = types.filter(|site| site.tensor.is_some()).count();
        [types, encodings.filter(|site| site.encoding.is_some()).count(), self.errors_in(span)]
    }
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Those of `sites` (sorted by their starts) that start in `span`.
pub(crate) fn starting_in<T>(sites: &[T], span: Span, of: impl Fn(&T) -> Span + Copy) -> impl Iterator<Item = &T> {
    let first = sites.partition_point(|site| of(site).start < span.start);
    sites[first..].iter().take_while(move |site| of(site).start < span.end)
}

/// The last of `sites` (sorted, nested at most) that touches `offset`.
fn touching<T>(sites: &[T], offset: usize, span: impl Fn(&T) -> Span) -> Option<&T> {
    let after = sites.partition_point(|site| span(site).start as usize <= offset);
    sites[..after].iter().rev().take(8).find(|site| span(site).touches(offset))
}
