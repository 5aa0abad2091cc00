//! The reader: the tokens of a checked file become a [`Module`], or diagnostics.
//!
//! The syntax tree of a file has aliases, types, encodings and affine maps, and skips operations token by token, so an
//! unknown operation does not disturb an editor. This reader goes over the same tokens again. It takes types, encodings
//! and maps from the check, and operations from tables that it is given. A broken operation is reported and skipped;
//! its results have type [`Type::Broken`], which causes no further reports. So all mistakes of a file are found at once.
//! An alias or a function, an *item*, is read by itself, up to where the next one begins, so its diagnostics do not
//! affect the next and can be cached (`known`).
//!
//! Naming: `x` reads an x that must stand there; `eat_x` and `optional_x` may decline.

mod annotations;
mod attributes;
mod blocks;
mod body;
mod brackets;
mod constants;
mod cursor;
mod edited;
mod entry;
mod flags;
mod forms;
mod functions;
mod heads;
mod holders;
mod items;
mod known;
mod layouts;
mod idle;
mod liveness;
mod locations;
mod misplaced;
mod numbers;
mod operations;
mod recovery;
mod regions;
mod registered;
mod scope;
mod tables;
mod types;
mod types_among;
mod unknown;
mod uses;

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    ops::Range,
};

pub use body::BodyBuilder;
pub use entry::{Dialects, Entry};
pub use forms::Form;
pub use known::Known;
pub use scope::Use;

use crate::{
    ir::{Function, Module},
    mistake::{Mistake, Read},
    types::{FunctionType, Type},
};
use holders::{Holder, Unnamed};
use items::Others;
use known::Memory;
use locations::Locations;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use nnz_check::Checked;
use nnz_syntax::{TokenRef, location};
use scope::Scope;

#[cfg(test)]
mod tests;

/// The modules of a file by the operations that `dialects` declares.
pub(crate) fn modules(checked: &Checked, dialects: &'static Dialects) -> Result<Vec<Module>, Vec<Diagnostic>> {
    let mut reader = Reader::new(checked, dialects, Purpose::Run);
    let modules = reader.sections();
    let found = reader.found();
    if found.iter().any(Diagnostic::is_error) { Err(found) } else { Ok(modules) }
}

/// All mistakes in the program. Those of unchanged functions come from `known`, which afterwards holds the findings of
/// this version.
pub(crate) fn mistakes(
    checked: &Checked,
    dialects: &'static Dialects,
    known: &mut Known,
    costs: Costs,
) -> Vec<Diagnostic> {
    let found = edited::mistakes(checked, dialects, (known, costs)).unwrap_or_else(|| {
        let memory = Memory::of(std::mem::take(known), costs);
        let mut reader = Reader::new(checked, dialects, Purpose::Mistakes(memory.into()));
        reader.sections();
        if let Purpose::Mistakes(memory) = std::mem::replace(&mut reader.purpose, Purpose::Run) {
            *known = memory.learnt();
        }
        reader.found()
    });
    known.found_in(&checked.source.text, &found);
    found
}

/// The types of the values named at byte `offset`.
pub(crate) fn types_at(checked: &Checked, dialects: &'static Dialects, offset: usize) -> Option<Vec<Type>> {
    let watch = Watch { offset: u32::try_from(offset).ok()?, found: None };
    let mut reader = Reader::new(checked, dialects, Purpose::Types(watch));
    reader.sections();
    if let Purpose::Types(watch) = reader.purpose { watch.found } else { None }
}

/// The function that contains byte `offset`, as far as it is understood, and the mistakes in it and in the heads of
/// others.
pub(crate) fn function_at(
    checked: &Checked,
    dialects: &'static Dialects,
    offset: usize,
) -> Option<(Function, Vec<Diagnostic>)> {
    let watch = Watch { offset: u32::try_from(offset).ok()?, found: None };
    let mut reader = Reader::new(checked, dialects, Purpose::Types(watch));
    let modules = reader.sections();
    let function = modules.into_iter().flat_map(|module| module.functions).next()?;
    Some((function, reader.found()))
}

/// The hidden costs of running a function, each with its place. The machine provides them.
pub type Costs = fn(&Source, &Function) -> Vec<Mistake>;

/// What a text is read for.
enum Purpose {
    /// Its functions.
    Run,
    /// The mistakes in it; nothing else of a function is kept.
    Mistakes(Box<Memory>),
    /// The types at one place, or the function around it: functions that do not hold it are passed over.
    Types(Watch),
}

impl Purpose {
    /// A place in the only function that is read, if not all are.
    fn only(&self) -> Option<(u32, Others)> {
        match self {
            Purpose::Run => None,
            Purpose::Mistakes(memory) => memory.only,
            Purpose::Types(watch) => Some((watch.offset, Others::Named)),
        }
    }
}

/// A place of the text, and the types of the values that are named there once they are read.
struct Watch {
    offset: u32,
    found: Option<Vec<Type>>,
}

/// The reader of one file.
pub struct Reader<'c> {
    checked: &'c Checked,
    dialects: &'static Dialects,
    purpose: Purpose,
    tokens: Vec<TokenRef<'c>>,
    at: usize,
    /// The token up to which operations have been read: a broken one that holds others is not gone into again.
    read_to: usize,
    /// Of each token that opens a group, the one that closes it.
    closings: Vec<Option<usize>>,
    /// The tokens at which items begin.
    items: Vec<usize>,
    /// Of each item the table of symbols that it is in.
    tables: Vec<usize>,
    /// Of the head of each module, by its token, the table that it is in.
    tables_of_modules: Vec<(usize, usize)>,
    /// The tokens of the item that is being read.
    item: Option<Range<usize>>,
    diagnostics: Vec<Diagnostic>,
    /// The number of mistakes in `diagnostics`: errors, and what nnz does not know.
    told: usize,
    /// The number of mistakes that were not reported, because the check has reported them.
    silent: usize,
    attribute_aliases: HashMap<&'c str, attributes::Alias>,
    type_aliases: HashMap<&'c str, Type>,
    /// By table and name.
    functions: HashMap<(usize, String), (FunctionType, Span)>,
    /// As functions.
    modules: HashMap<(usize, &'c str), Span>,
    /// The table of the function that is being read.
    table: usize,
    /// Names of aliases and functions whose definitions are broken.
    broken: HashSet<&'c str>,
    scope: Scope<'c>,
    /// What the function that is being read returns.
    returns: Vec<Type>,
    depth: usize,
    /// The token in front of which regions have ended without their braces, and how many.
    ended: (usize, usize),
    /// How deep the alias that is being read goes, with those that it names.
    deepest: usize,
    /// The operations in which the place lies, the innermost last.
    holders: Vec<Holder>,
    /// Of regions that name fewer values than they take: what the next names are that nothing defines.
    unnamed_arguments: Unnamed<'c>,
    /// The function that is being read asks for the types of others.
    asks: Cell<bool>,
    /// By the first tokens of functions, whether their text continues after their closing brace.
    early_end: RefCell<HashMap<usize, bool>>,
    /// Operations that are unknown, and what they may be: many files are full of the same few.
    unknown: HashMap<String, unknown::Unknown>,
    /// The place of the last type.
    last_type: Span,
    /// How many types in the text were broken, which has been reported.
    broken_types: usize,
    locations: Locations,
}

/// Whether a report says that what follows may not be what is meant: a hint about costs does not.
fn is_mistake(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() || diagnostic.code == Code::UnsupportedProgram
}

/// Deeper nesting of regions, attributes and types is refused rather than risking the stack.
const MAX_DEPTH: usize = 64;

impl<'c> Reader<'c> {
    fn new(checked: &'c Checked, dialects: &'static Dialects, purpose: Purpose) -> Reader<'c> {
        let mut tokens = match purpose.only() {
            Some((offset, others)) => items::tokens_around(checked, offset, others),
            None => checked.tree.root().tokens().collect(),
        };
        let locations = Locations::new(location::leave_out(&checked.tree, &mut tokens));
        items::leave_out_broken_maps(checked, &mut tokens);
        items::leave_out_told(checked, &mut tokens);
        let mut reader = Reader {
            checked,
            dialects,
            purpose,
            closings: cursor::closings(&tokens),
            tokens,
            at: 0,
            read_to: 0,
            items: Vec::new(),
            tables: Vec::new(),
            tables_of_modules: Vec::new(),
            item: None,
            diagnostics: Vec::new(),
            told: 0,
            silent: 0,
            attribute_aliases: HashMap::new(),
            type_aliases: HashMap::new(),
            functions: HashMap::new(),
            modules: HashMap::new(),
            table: 0,
            broken: HashSet::new(),
            scope: Scope::default(),
            returns: Vec::new(),
            depth: 0,
            ended: (0, 0),
            deepest: 0,
            holders: Vec::new(),
            unnamed_arguments: Unnamed::default(),
            asks: Cell::new(false),
            early_end: RefCell::default(),
            unknown: HashMap::new(),
            last_type: Span::at(0),
            broken_types: 0,
            locations,
        };
        reader.find_items();
        reader
    }

    /// The reports, one at each place: the first of several, but every cost.
    fn found(self) -> Vec<Diagnostic> {
        let mut found = self.diagnostics;
        found.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        found.dedup_by(|one, other| one.repeats(other));
        found
    }

    /// Notes the types of the values that `span` names, if that place is watched.
    fn note(&mut self, span: Span, types: &[Type]) {
        if let Purpose::Types(watch) = &mut self.purpose
            && span.touches(watch.offset as usize)
        {
            watch.found = Some(types.to_vec());
        }
    }

    /// How many mistakes were found so far.
    fn mistakes(&self) -> usize {
        self.told + self.silent
    }

    /// Reports a mistake after which reading can continue.
    pub fn report(&mut self, mistake: Mistake) {
        if mistake.is_silent() {
            return;
        }
        let (mut diagnostic, others) = mistake.into_parts();
        let file = self.checked.source.id;
        self.point_to_definition(&mut diagnostic);
        self.name_encodings(&mut diagnostic);
        diagnostic.places_mut().for_each(|(known, _)| *known = file);
        if self.is_told(&diagnostic) || self.is_checked(&diagnostic) {
            self.silent += 1;
        } else if !self.is_warned(&diagnostic) {
            self.told += usize::from(is_mistake(&diagnostic));
            self.diagnostics.push(*diagnostic);
        }
        others.into_iter().for_each(|other| self.report(other));
    }

    /// Whether the check has reported a syntax error in the line.
    fn is_checked(&self, diagnostic: &Diagnostic) -> bool {
        let start = diagnostic.primary.span.start as usize;
        let line = self.checked.source.line_col(start).line as usize;
        let line = self.checked.source.lines.line_span(self.checked.tree.text(), line);
        // What stands on the line behind the definition that is read is another's.
        let item = self.item.as_ref().and_then(|item| self.tokens.get(item.clone())).unwrap_or(&self.tokens);
        let place = |token: Option<&TokenRef<'_>>| token.map_or(line, |token| token.span());
        let (start, end) = (place(item.first()).start.max(line.start), place(item.last()).end.min(line.end));
        // What is missing at its end is its.
        let here = Span { start, end: end.max(start) + 1 };
        diagnostic.code == Code::SyntaxError && self.checked.has_syntax_error_in(here)
    }

    /// Whether this says of an operation's old name what a check has warned of.
    fn is_warned(&self, diagnostic: &Diagnostic) -> bool {
        let name = || self.checked.source.slice(diagnostic.primary.span).trim_matches('"');
        let checks = matches!(self.purpose, Purpose::Mistakes(_));
        checks && diagnostic.code == Code::UnsupportedProgram && nnz_check::is_historic(name())
    }

    /// Runs `read` one level deeper.
    ///
    /// # Errors
    /// As `read`; nesting beyond [`MAX_DEPTH`].
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
            let mistake = Mistake::syntax(self.span(), message).label("too deep to be read");
            return Err(mistake.help("move the inner regions into a function of their own"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
