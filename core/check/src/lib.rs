//! Text to meaning: one call, [`session::check_session`] or [`mlir::check_mlir`], makes an immutable snapshot of a file,
//! with all its diagnostics and the tables that editors query.
//!
//! Queries by offset: [`Checked::definition_at`] finds names, at their definition and at every use;
//! [`Checked::encoding_at`] finds an encoding's text, with the places of its dimensions and levels;
//! [`Checked::type_at`] a tensor type; [`Tree::token_at`] and `TokenRef::node` the syntax. A name that resolves to
//! something broken has a definition whose kind holds `None`, so errors do not cascade.
//!
//! Rules for diagnostics: they are sorted by place; a token has at most one error; each has a code.

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
use nnz_encoding::{Encoding, Slice};
use nnz_syntax::{NodeKind, NodeRef, SyntaxError, SyntaxFix, Tree};

mod checked;
pub mod command;
pub mod encoding;
pub mod fixed;
mod free;
pub mod kernel;
pub mod literal;
mod legacy;
pub use legacy::{is_historic, renamed};
pub use mlir::SPARSE_ATTRIBUTES;
pub mod mlir;
mod places;
pub mod schedule;
pub mod scope;
pub mod session;
pub mod spec;
mod symbols;
pub mod topics;
pub mod types;
pub mod used;
pub mod value;
pub mod variables;

use checked::starting_in;
pub use checked::{Checked, CheckedCall, CheckedKernel, Contents, Places, TensorPlace};
pub use symbols::{AffineMapSite, DefId, Definition, DefinitionKind, EncodingSite, MapVariable, NameUse, Symbols};
pub use types::{MLIR_FAMILIES, TensorType, TypeSite, is_mlir_type};

/// The two kinds of text that have encodings and tensor types; these have the same syntax in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Definitions, statements and `:commands` of nnz.
    Notation,
    /// An MLIR file, which has only the level formats of MLIR.
    Mlir,
}

impl Grammar {
    pub const ALL: [Grammar; 2] = [Grammar::Notation, Grammar::Mlir];

    /// What the names of its files end in, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Grammar::Notation => "nnz",
            Grammar::Mlir => "mlir",
        }
    }
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

/// The meaning of a `#name`.
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
    /// The definitions before this text.
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
    /// What has been reported about aliases: the keys and the elements of tensors that do not fit each other, or that
    /// there is no such alias.
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

    /// Whether it has not been reported yet that the encoding at `slot` has a `key` that does not fit tensors of
    /// `element`. In a program this is reported once for each alias.
    fn is_first_of(&mut self, slot: NodeRef<'_>, (key, element): (&'static str, &str)) -> bool {
        let alias = slot.kind() == NodeKind::AliasRef && self.grammar == Grammar::Mlir;
        !alias || self.told.insert((slot.text().to_string(), key, element.to_string()))
    }

    /// Whether it has not been reported yet that a program does not define `name`.
    fn is_first_use(&mut self, name: &str) -> bool {
        self.grammar != Grammar::Mlir || self.told.insert((name.to_string(), "", String::new()))
    }

    /// Guesses at what an undefined name means; none after too many guesses.
    pub fn guesses<'n>(&mut self, scope: &'n scope::Scope, fits: impl Fn(&scope::Meaning) -> bool) -> Vec<&'n str> {
        let Some(left) = self.comparisons.checked_sub(scope.len()) else { return Vec::new() };
        self.comparisons = left;
        scope.iter().filter(|(_, meaning)| fits(meaning)).map(|(name, _)| name).collect()
    }

    /// Adds the encoding `#name` of an earlier cell or another file; `name` has its `#`.
    pub fn import(&mut self, name: &str, encoding: Arc<Encoding>) {
        self.aliases.insert(name.to_string(), Alias::Imported(encoding));
    }

    /// The meaning of `#name`, given with its `#`.
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
