//! The state of a check, and what every check does: it knows names, and collects findings.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{
    AffineMapSite, Checked, CheckedCall, CheckedKernel, Contents, DefId, Definition, DefinitionKind, EncodingSite,
    Grammar, NameUse, Symbols, TypeSite,
    checked::{Defined, Used},
    list_of,
    scope::{Meaning, Scope},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    memory,
    source::{Source, Span},
};
use nnz_encoding::{Encoding, Slice};
use nnz_syntax::{NodeKind, NodeRef, SyntaxError, SyntaxFix, Tree};
use rustc_hash::FxHashMap;

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
pub(crate) enum Alias {
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
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) symbols: Symbols,
    pub(crate) aliases: FxHashMap<String, Alias>,
    /// The definitions before this text.
    pub(crate) outer: Option<&'s Scope>,
    /// Aliases of slices.
    pub(crate) slices: HashMap<String, Slice>,
    /// Aliases defined further down, for a better word about a use above.
    pub(crate) later_aliases: HashMap<String, Span>,
    /// Names of locations: those may be defined further down.
    pub(crate) locations: Vec<Span>,
    /// Definitions that a misspelt name may mean: they are not unused.
    pub(crate) meant: Vec<DefId>,
    pub(crate) kernels: Vec<CheckedKernel>,
    pub(crate) calls: Vec<CheckedCall>,
    pub(crate) contents: Vec<Contents>,
    pub(crate) errors: usize,
    /// Those of them after which the text is read as it was meant.
    pub(crate) mended: usize,
    /// How many more names may be compared with misspelt ones: texts with many of both must not take the square of it.
    pub(crate) comparisons: usize,
    /// A `use` names a file that is not read here: aliases may come from it.
    pub(crate) uses_unread_files: bool,
    pub(crate) used: Vec<Used>,
    pub(crate) defined: Vec<Defined>,
    /// What the name of a definition means by its type, where only its data are wrong.
    pub(crate) declared: Option<Meaning>,
    /// What has been reported about aliases: the keys and the elements of tensors that do not fit each other, or that
    /// there is no such alias.
    pub(crate) told: HashSet<(String, &'static str, String)>,
}

/// Some 20 ms.
const MAX_COMPARISONS: usize = 100_000;

impl<'s> Checker<'s> {
    /// A checker of nnz notation that knows the encodings of `scope`.
    pub fn within(source: &'s Source, scope: &'s Scope) -> Self {
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
            aliases: FxHashMap::default(),
            outer: None,
            slices: HashMap::new(),
            later_aliases: HashMap::new(),
            locations: Vec::new(),
            meant: Vec::new(),
            kernels: Vec::new(),
            calls: Vec::new(),
            contents: Vec::new(),
            errors: 0,
            mended: 0,
            comparisons: MAX_COMPARISONS,
            uses_unread_files: false,
            used: Vec::new(),
            defined: Vec::new(),
            declared: None,
            told: HashSet::new(),
        }
    }

    /// Whether it has not been reported yet that the encoding at `slot` has a `key` that does not fit tensors of
    /// `element`. In a program this is reported once for each alias.
    pub(crate) fn is_first_of(&mut self, slot: NodeRef<'_>, (key, element): (&'static str, &str)) -> bool {
        let alias = slot.kind() == NodeKind::AliasRef && self.grammar == Grammar::Mlir;
        !alias || self.told.insert((slot.text().to_string(), key, element.to_string()))
    }

    /// Whether it has not been reported yet that a program does not define `name`.
    pub(crate) fn is_first_use(&mut self, name: &str) -> bool {
        self.grammar != Grammar::Mlir || self.told.insert((name.to_string(), "", String::new()))
    }

    /// Guesses at what an undefined name means; none after too many guesses.
    pub fn guesses<'n>(&mut self, scope: &'n Scope, fits: impl Fn(&Meaning) -> bool) -> Vec<&'n str> {
        let Some(left) = self.comparisons.checked_sub(scope.len()) else { return Vec::new() };
        self.comparisons = left;
        scope.iter().filter(|(_, meaning)| fits(meaning)).map(|(name, _)| name).collect()
    }

    /// Adds the encoding `#name` of an earlier cell or another file; `name` has its `#`.
    pub fn import(&mut self, name: &str, encoding: Arc<Encoding>) {
        self.aliases.insert(name.to_string(), Alias::Imported(encoding));
    }

    /// The meaning of `#name`, given with its `#`.
    pub(crate) fn alias(&self, name: &str) -> Option<Alias> {
        let outer = || {
            if let Meaning::Encoding(encoding) = self.outer?.get(name)? {
                Some(Alias::Imported(encoding.clone()))
            } else {
                None
            }
        };
        self.aliases.get(name).cloned().or_else(outer)
    }

    /// The aliases that an unknown name may be meant for, in order: every one that is known, unless these are many.
    pub(crate) fn alias_names(&self) -> Vec<&str> {
        // To look through more for each of many unknown names would take quadratic time.
        const MOST: usize = 1024;
        if self.aliases.len() > MOST {
            return Vec::new();
        }
        let outer = self.outer.into_iter().flat_map(Scope::encodings).map(|(name, _)| name);
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
    /// As [`Checker::report`], where what was meant is known and is what the text says for all that follows.
    pub(crate) fn report_mended(&mut self, diagnostic: Diagnostic) {
        self.report_if_mended(true, diagnostic);
    }
    pub(crate) fn report_if_mended(&mut self, mended: bool, diagnostic: Diagnostic) {
        self.mended += usize::from(mended && diagnostic.is_error());
        self.report(diagnostic);
    }
    /// The number of errors so far after which it is not known what the text says.
    pub(crate) fn unmended_count(&self) -> usize {
        self.errors - self.mended
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
    pub(crate) fn record_use(&mut self, span: Span, definition: Option<DefId>) {
        self.symbols.uses.push(NameUse { span, definition });
    }
    pub(crate) fn record_type(&mut self, site: TypeSite) {
        self.symbols.types.push(site);
    }
    pub(crate) fn record_map(&mut self, site: AffineMapSite) {
        self.symbols.maps.push(site);
    }
    pub(crate) fn record_encoding(&mut self, site: EncodingSite) {
        self.symbols.encodings.push(site);
    }

    /// The snapshot with the tree's own errors.
    pub fn finish(mut self, tree: Tree) -> Checked {
        let syntax: Vec<Diagnostic> = tree.errors().iter().map(|error| self.syntax_diagnostic(error)).collect();
        self.diagnostics.splice(0..0, syntax);
        self.snapshot(tree)
    }

    /// The snapshot of a tree whose errors are reported: everything sorted, one error kept per token.
    pub(crate) fn snapshot(mut self, tree: Tree) -> Checked {
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

    pub(crate) fn syntax_diagnostic(&self, error: &SyntaxError) -> Diagnostic {
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
