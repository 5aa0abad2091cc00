//! Text to meaning: one call, [`session::check_session`] or [`mlir::check_mlir`], makes an immutable snapshot of a file,
//! with all its diagnostics and the tables that editors query.
//!
//! What is at an offset? [`Checked::definition_at`] answers for names, on their definition and on every use;
//! [`Checked::encoding_at`] for an encoding's text, with the places of its dimensions and levels;
//! [`Checked::type_at`] for a tensor type; [`Tree::token_at`] and `TokenRef::node` for the syntax. A name
//! that resolves to something broken has a definition whose kind holds `None`, so errors do not cascade.
//!
//! Rules of diagnostics here: sorted by place; at most one error per token; every one with a code.

#![warn(clippy::wildcard_enum_match_arm)]

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    memory,
    source::{Source, Span},
};
use nnz_encoding::{AffineMap, Encoding, Slice};
use nnz_storage::{Triplets, generate::Count};
use nnz_syntax::{Edited, NodeKind, NodeRef, SyntaxError, SyntaxFix, Tree};

pub mod command;
pub mod encoding;
pub mod fixed;
mod free;
pub mod kernel;
pub mod literal;
mod legacy;
pub use legacy::{is_historic, renamed};
pub mod mlir;
mod places;
pub mod schedule;
pub mod scope;
pub mod session;
pub mod spec;
pub mod topics;
pub mod types;
pub mod used;
pub mod value;
pub mod variables;

pub use types::{MLIR_FAMILIES, TensorType, TypeSite, is_mlir_type};

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
    /// What the text tells of the entries of tensors, by their definitions.
    pub contents: Vec<Contents>,
    /// The files that the text uses and that were read, in order.
    pub used: Vec<used::Used>,
    /// What the statements of a session give a meaning, in order.
    defined: Vec<session::Defined>,
    /// Of a program that differs from one that was checked in one function: its text, and the function.
    pub edited: Option<(Arc<str>, Edited)>,
}

/// A kernel and its schedule.
#[derive(Clone, Debug)]
pub struct CheckedKernel {
    pub kernel: Arc<nnz_kernel::Kernel>,
    /// The place of the right side.
    pub span: Span,
    /// Where each tensor stands.
    pub places: Places,
    pub scheduled: schedule::Scheduled,
}

/// Places in one statement; cheap to clone, and to move with the statement.
#[derive(Clone, Debug)]
pub struct Places {
    /// All stand behind it.
    from: Span,
    relative: Arc<[Span]>,
}

impl Places {
    fn new(places: &[Span]) -> Places {
        let from = places.iter().map(|place| place.start).min().unwrap_or(0);
        Places {
            from: Span { start: from, end: from },
            relative: places.iter().map(|at| at.relative_to(from)).collect(),
        }
    }
    pub fn get(&self, at: usize) -> Option<Span> {
        self.relative.get(at).map(|place| place.moved_by(self.from.start))
    }
    pub fn last(&self) -> Option<Span> {
        self.get(self.relative.len().checked_sub(1)?)
    }
}

/// A call of a function of a file in use.
#[derive(Clone, Debug)]
pub struct CheckedCall {
    /// Without its `@`, at its place.
    pub function: scope::Word,
    /// The file, as the text names it.
    pub path: String,
    pub file: Arc<Checked>,
}

/// What a text tells of the entries of a tensor.
#[derive(Clone, Debug)]
pub struct Contents {
    pub definition: DefId,
    pub entries: Count,
    /// Those of a short literal.
    pub literal: Option<Arc<Triplets>>,
}

/// The two kinds of text in which encodings and tensor types stand; they share their syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Definitions, statements and `:commands` of nnz.
    Notation,
    /// An MLIR file, which has only the level formats of MLIR.
    Mlir,
}

/// The number of a definition in [`Symbols::definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(u32);

/// A named thing; its name is the text at `name`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name where it is defined, its sigil included: `#CSR`, `%x`, `@f`, `i`.
    pub name: Span,
    /// The whole definition: `#CSR = ...`, a function with its body; for values, the name.
    pub whole: Span,
    pub kind: DefinitionKind,
}

#[derive(Clone, Debug)]
pub enum DefinitionKind {
    /// `#CSR = #sparse_tensor.encoding<...>`; `None` if it is broken.
    Encoding(Option<Arc<Encoding>>),
    /// `#map = affine_map<...>`, `#trait = {...}`: an alias of something else.
    Attribute,
    /// `!t = tensor<...>`; `None` if it is broken or no tensor.
    Type(Option<TensorType>),
    /// A tensor of the nnz notation; `None` if it is broken.
    Tensor(Option<Arc<scope::PartialType>>),
    /// A scalar of the nnz notation; `None` if it is broken.
    Scalar(Option<nnz_base::element::Element>),
    /// `%x`
    Value,
    /// `@f`
    Function,
    /// `^bb0`
    Block,
    /// A dimension, symbol or level variable inside a map.
    MapVariable(MapVariable),
}

impl DefinitionKind {
    /// The encoding that the name stands for, unless it is broken.
    pub fn encoding(&self) -> Option<&Encoding> {
        if let DefinitionKind::Encoding(encoding) = self { encoding.as_deref() } else { None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapVariable {
    Dim,
    Symbol,
    Lvl,
}

/// A use of a name; a name that is not defined has no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    pub span: Span,
    pub definition: Option<DefId>,
}

/// An encoding written out in the text, or named where it is used.
#[derive(Clone, Debug)]
pub struct EncodingSite {
    pub span: Span,
    /// `None` if it is broken.
    pub encoding: Option<Arc<Encoding>>,
    /// Where each dimension and each level is written; empty at a mere name.
    pub dims: Vec<Span>,
    pub levels: Vec<Span>,
}

/// An affine map of a program.
#[derive(Clone, Debug)]
pub struct AffineMapSite {
    pub span: Span,
    /// `None` if its syntax is broken. A result that is wrong, which is told, is 0.
    pub map: Option<Arc<AffineMap>>,
}

/// Bytes that checking takes for each byte of a text: tokens and nodes above all.
const CHECKING: u64 = 64;

/// Takes the memory reserve again, and asks for room to check a text.
///
/// # Errors
/// There is none.
pub fn room(source: &Source) -> Result<(), Box<Diagnostic>> {
    memory::begin();
    memory::room_for(source.text.len() as u128, CHECKING).map_err(|refused| {
        let message = format!("this text is not checked: {refused}");
        Box::new(Diagnostic::new(Code::TooLarge, source.id, Span::at(0), message))
    })
}

/// Definitions and uses with their places; every list is sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    pub definitions: Vec<Definition>,
    pub uses: Vec<NameUse>,
    pub types: Vec<TypeSite>,
    pub encodings: Vec<EncodingSite>,
    pub maps: Vec<AffineMapSite>,
}

impl Symbols {
    pub fn definition(&self, id: DefId) -> &Definition {
        &self.definitions[id.0 as usize]
    }
    pub fn definition_ids(&self) -> impl Iterator<Item = DefId> {
        (0..self.definitions.len() as u32).map(DefId)
    }
    pub fn uses_of(&self, id: DefId) -> impl Iterator<Item = Span> {
        self.uses.iter().filter(move |u| u.definition == Some(id)).map(|u| u.span)
    }
}

impl Checked {
    /// The definition whose name, or a use of whose name, touches `offset`.
    pub fn definition_at(&self, offset: usize) -> Option<DefId> {
        let symbols = &self.symbols;
        let used = touching(&symbols.uses, offset, |u| u.span).and_then(|u| u.definition);
        used.or_else(|| symbols.definition_ids().find(|&id| symbols.definition(id).name.touches(offset)))
    }
    /// What the text tells of the entries of a tensor.
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
        used.any(|used| used.definition.is_none_or(broken))
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
    /// The numbers of correct tensor types and encodings, and of errors, in `span`. If a text and the aliases
    /// before it are the same in two files, these tell whether both were understood alike.
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
fn starting_in<T>(sites: &[T], span: Span, of: impl Fn(&T) -> Span + Copy) -> impl Iterator<Item = &T> {
    let first = sites.partition_point(|site| of(site).start < span.start);
    sites[first..].iter().take_while(move |site| of(site).start < span.end)
}

/// The last of `sites` (sorted, nested at most) that touches `offset`.
fn touching<T>(sites: &[T], offset: usize, span: impl Fn(&T) -> Span) -> Option<&T> {
    let after = sites.partition_point(|site| span(site).start as usize <= offset);
    sites[..after].iter().rev().take(8).find(|site| span(site).touches(offset))
}

/// What a `#name` stands for.
#[derive(Clone, Debug)]
enum Alias {
    /// Defined in this file.
    Local(DefId),
    /// Defined elsewhere, e.g. by an earlier cell of the REPL.
    Imported(Arc<Encoding>),
}

/// The state of a check: the findings so far, and the names in scope. It checks statements of the nnz
/// notation and items of MLIR.
pub struct Checker<'s> {
    pub source: &'s Source,
    pub grammar: Grammar,
    diagnostics: Vec<Diagnostic>,
    symbols: Symbols,
    aliases: HashMap<String, Alias>,
    /// What was defined before this text.
    outer: Option<&'s scope::Scope>,
    /// Aliases of slices.
    slices: HashMap<String, Slice>,
    /// Aliases defined further down, for a better word about a use above.
    later_aliases: HashMap<String, Span>,
    /// Names of locations: those may be defined further down.
    locations: Vec<Span>,
    /// Definitions that a misspelt name may mean: they are not unused.
    meant: Vec<DefId>,
    kernels: Vec<CheckedKernel>,
    calls: Vec<CheckedCall>,
    contents: Vec<Contents>,
    errors: usize,
    /// How many more names may be compared with misspelt ones: texts with many of both must not take the square of it.
    comparisons: usize,
    /// A `use` names a file that is not read here: aliases may come from it.
    uses_unread_files: bool,
    used: Vec<used::Used>,
    defined: Vec<session::Defined>,
    /// What has been told of aliases: the keys and the elements of tensors that do not fit each other, or that there are none.
    told: HashSet<(String, &'static str, String)>,
}

/// Some 20 ms.
const MAX_COMPARISONS: usize = 100_000;

impl<'s> Checker<'s> {
    /// A checker of nnz notation that knows the encodings of `scope`.
    pub fn within(source: &'s Source, scope: &'s scope::Scope) -> Self {
        Checker { outer: Some(scope), ..Checker::new(source, Grammar::Notation) }
    }
    /// Takes out the findings so far.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    pub fn new(source: &'s Source, grammar: Grammar) -> Self {
        Self {
            source,
            grammar,
            diagnostics: Vec::new(),
            symbols: Symbols::default(),
            aliases: HashMap::new(),
            outer: None,
            slices: HashMap::new(),
            later_aliases: HashMap::new(),
            locations: Vec::new(),
            meant: Vec::new(),
            kernels: Vec::new(),
            calls: Vec::new(),
            contents: Vec::new(),
            errors: 0,
            comparisons: MAX_COMPARISONS,
            uses_unread_files: false,
            used: Vec::new(),
            defined: Vec::new(),
            told: HashSet::new(),
        }
    }

    /// Whether it is not told yet that the encoding at `slot` has a `key` which does not fit tensors of `element`. In a
    /// program it is told once of each alias.
    fn is_first_of(&mut self, slot: NodeRef<'_>, (key, element): (&'static str, &str)) -> bool {
        let alias = slot.kind() == NodeKind::AliasRef && self.grammar == Grammar::Mlir;
        !alias || self.told.insert((slot.text().to_string(), key, element.to_string()))
    }

    /// Whether it is not told yet that a program does not define `name`.
    fn is_first_use(&mut self, name: &str) -> bool {
        self.grammar != Grammar::Mlir || self.told.insert((name.to_string(), "", String::new()))
    }

    /// Guesses at the name meant by an undefined one; none if too many guesses were made already.
    pub fn guesses<'n>(&mut self, scope: &'n scope::Scope, fits: impl Fn(&scope::Meaning) -> bool) -> Vec<&'n str> {
        let Some(left) = self.comparisons.checked_sub(scope.len()) else { return Vec::new() };
        self.comparisons = left;
        scope.iter().filter(|(_, meaning)| fits(meaning)).map(|(name, _)| name).collect()
    }

    /// Makes the encoding `#name` of an earlier cell or another file known; `name` has its `#`.
    pub fn import(&mut self, name: &str, encoding: Arc<Encoding>) {
        self.aliases.insert(name.to_string(), Alias::Imported(encoding));
    }

    /// What `#name` stands for, given with its `#`.
    fn alias(&self, name: &str) -> Option<Alias> {
        let outer = || {
            if let scope::Meaning::Encoding(encoding) = self.outer?.get(name)? {
                Some(Alias::Imported(encoding.clone()))
            } else {
                None
            }
        };
        self.aliases.get(name).cloned().or_else(outer)
    }

    /// Every alias that is known, in order.
    fn alias_names(&self) -> Vec<&str> {
        let outer = self.outer.into_iter().flat_map(scope::Scope::encodings).map(|(name, _)| name);
        let mut names: Vec<&str> = self.aliases.keys().map(String::as_str).chain(outer).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub fn text(&self, span: Span) -> &'s str {
        self.source.slice(span)
    }

    // Findings.

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }
    /// The number of errors so far. Text read since an earlier count has no errors if it has not grown.
    pub fn error_count(&self) -> usize {
        self.errors
    }
    /// A new diagnostic about a place in this file, to be finished and handed to [`Checker::report`].
    pub fn diagnostic(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.source.id, span, message)
    }
    pub fn define(&mut self, name: Span, whole: Span, kind: DefinitionKind) -> DefId {
        self.symbols.definitions.push(Definition { name, whole, kind });
        DefId(self.symbols.definitions.len() as u32 - 1)
    }
    pub fn record_use(&mut self, span: Span, definition: Option<DefId>) {
        self.symbols.uses.push(NameUse { span, definition });
    }
    pub fn record_type(&mut self, site: TypeSite) {
        self.symbols.types.push(site);
    }
    pub fn record_map(&mut self, site: AffineMapSite) {
        self.symbols.maps.push(site);
    }
    pub fn record_encoding(&mut self, site: EncodingSite) {
        self.symbols.encodings.push(site);
    }

    /// The snapshot with the tree's own errors.
    pub fn finish(mut self, tree: Tree) -> Checked {
        let syntax: Vec<Diagnostic> = tree.errors().iter().map(|error| self.syntax_diagnostic(error)).collect();
        self.diagnostics.splice(0..0, syntax);
        self.snapshot(tree)
    }

    /// The snapshot of a tree whose errors are reported: everything sorted, one error kept per token.
    fn snapshot(mut self, tree: Tree) -> Checked {
        self.diagnostics.sort_by_key(|d| (d.primary.span.start, d.severity()));
        let mut last_error = None;
        self.diagnostics
            .retain(|d| !d.is_error() || last_error.replace(d.primary.span.start) != Some(d.primary.span.start));
        self.symbols.uses.sort_by_key(|u| u.span);
        self.symbols.types.sort_by_key(|site| site.span.start);
        self.symbols.maps.sort_by_key(|site| site.span.start);
        self.symbols.encodings.sort_by_key(|site| (site.span.start, std::cmp::Reverse(site.span.end)));
        let Self { grammar, diagnostics, symbols, kernels, calls, contents, used, defined, .. } = self;
        let (source, tree) = (self.source.clone(), Arc::new(tree));
        let edited = None;
        Checked { source, grammar, tree, diagnostics, symbols, kernels, calls, contents, used, defined, edited }
    }

    pub fn syntax_diagnostic(&self, error: &SyntaxError) -> Diagnostic {
        let mut diagnostic = self.diagnostic(Code::SyntaxError, error.span, error.message.clone());
        diagnostic.primary.message = error.label.clone();
        diagnostic.helps = error.helps.clone();
        if !error.expected.is_empty() {
            diagnostic = diagnostic.help(format!("legal here: {}", list_of(&error.expected)));
        }
        if let Some(opened) = error.opened {
            diagnostic = diagnostic.secondary(opened, "this bracket is never closed");
        }
        let file = self.source.id;
        let edit = |(span, text): &(Span, String)| Edit { file, span: *span, replacement: text.clone() };
        error.fixes.iter().fold(diagnostic, |diagnostic, SyntaxFix { title, edits, sure }| {
            let applicability = if *sure { Applicability::MachineApplicable } else { Applicability::MaybeIncorrect };
            diagnostic.fix_edits(title.clone(), edits.iter().map(edit).collect(), applicability)
        })
    }
}

/// `` `a`, `b`, `c` ``
pub fn list_of<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref().trim_matches('`'))).collect();
    quoted.join(", ")
}
