//! The front end of programs: the tokens of a checked file become a [`Module`], or diagnostics.
//!
//! The syntax tree of a file has aliases, types and encodings, and skips operations token by token, so an unknown
//! operation does not disturb an editor. This reader goes over the same tokens again. It takes types and encodings from
//! the check, and operations from the tables of the dialects. A broken operation is reported and skipped; its results
//! have type [`Type::Broken`], which causes no further reports. So all mistakes of a file are found at once. An alias
//! or a function, an *item*, is read by itself, up to where the next one begins, so its diagnostics do not affect the
//! next and can be cached (`known`).
//!
//! Naming: `x` reads an x that must stand there; `eat_x` and `optional_x` may decline.

mod attributes;
mod blocks;
mod body;
mod brackets;
mod constants;
mod cursor;
mod draft;
mod flags;
mod functions;
mod holders;
mod items;
mod known;
mod liveness;
mod maps;
mod operations;
mod scope;
mod tables;
mod types;
mod unknown;

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    ops::Range,
};

pub use body::BodyBuilder;
pub use draft::Draft;
pub use known::Known;
pub use operations::Form;
pub use scope::Use;

use super::{
    attribute::Attribute,
    ir::{Function, Module},
    types::{FunctionType, Type},
};
use holders::{Holder, Unnamed};
use known::Memory;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use nnz_check::Checked;
use nnz_syntax::{TokenRef, location};
use scope::Scope;

pub type Read<T> = Result<T, Mistake>;

/// Something wrong in the text, on its way to become a diagnostic.
#[derive(Debug)]
pub struct Mistake(Box<Diagnostic>, Vec<Mistake>);

impl Mistake {
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Mistake {
        // The file is filled in where the mistake is reported.
        Mistake(Box::new(Diagnostic::new(code, nnz_base::ids::FileId(0), span, message)), Vec::new())
    }
    /// A mistake that is reported elsewhere.
    pub fn told() -> Mistake {
        Mistake::syntax(Span::at(0), "")
    }
    fn is_silent(&self) -> bool {
        self.0.message.is_empty()
    }
    /// Everything that several looks at one operation find.
    ///
    /// # Errors
    /// The first mistake, with the others.
    pub fn all(looks: impl IntoIterator<Item = Result<(), Mistake>>) -> Result<(), Mistake> {
        let mut found = looks.into_iter().filter_map(Result::err);
        let Some(mut first) = found.next() else { return Ok(()) };
        first.1.extend(found);
        Err(first)
    }
    /// The place of a value that is not defined, where this is what is wrong.
    fn undefined_value(&self) -> Option<Span> {
        (self.0.code == Code::UndefinedValue).then_some(self.0.primary.span)
    }
    /// The same with the guilty token elsewhere; where it was is marked too.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Mistake {
        let file = self.0.primary.file;
        let guilty = nnz_base::diagnostic::Label { file, span, message: label.into() };
        let before = std::mem::replace(&mut self.0.primary, guilty);
        self.0.secondary.push(before);
        self
    }
    /// A value of a wrong type.
    pub fn types(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::ValueType, span, message)
    }
    pub fn syntax(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::SyntaxError, span, message)
    }
    /// Legal, perhaps, but nothing that nnz can do.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::UnsupportedProgram, span, message)
    }
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Mistake {
        self.0.helps.push(help.into());
        self
    }
    /// The same at another place.
    #[must_use]
    pub fn moved_to(mut self, span: Span) -> Mistake {
        self.0.primary.span = span;
        self
    }
    /// The same by another code.
    #[must_use]
    pub fn code(mut self, code: Code) -> Mistake {
        self.0.code = code;
        self
    }
    /// Points to the type that a constant does not fit.
    #[must_use]
    pub fn of_type(self, ty: Span) -> Mistake {
        match self.0.code {
            Code::LiteralShape | Code::LiteralCoordinate if self.0.secondary.is_empty() => {
                self.secondary(ty, "the type that it is of")
            }
            _ => self,
        }
    }
    /// The label at the place, in a few words.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Mistake {
        self.0.primary.message = message.into();
        self
    }
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Mistake {
        self.0.notes.push(note.into());
        self
    }
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Mistake {
        self.0 = Box::new(self.0.fix(title, span, replacement));
        self
    }
    /// A guess at what was meant in place of `span`.
    #[must_use]
    pub fn guess(mut self, span: Span, replacement: impl Into<String>) -> Mistake {
        self.0 = Box::new(self.0.guess(span, replacement));
        self
    }
    #[must_use]
    pub fn secondary(mut self, span: Span, message: impl Into<String>) -> Mistake {
        let file = self.0.primary.file;
        self.0.secondary.push(nnz_base::diagnostic::Label { file, span, message: message.into() });
        self
    }
}

/// The modules of a file, one for each part between `// -----`.
///
/// # Errors
/// Everything that is wrong with the program, in the order of the text.
pub fn modules(checked: &Checked) -> Result<Vec<Module>, Vec<Diagnostic>> {
    let mut reader = Reader::new(checked, Purpose::Run);
    let modules = reader.sections();
    let found = reader.found();
    if found.iter().any(Diagnostic::is_error) { Err(found) } else { Ok(modules) }
}

/// All mistakes in the program, in the order of the text, for a check without a run. Those of unchanged functions
/// come from `known`, which afterwards holds the findings of this version.
pub fn mistakes(checked: &Checked, known: &mut Known, costs: Costs) -> Vec<Diagnostic> {
    let mut reader = Reader::new(checked, Purpose::Mistakes(Memory::of(std::mem::take(known), costs).into()));
    reader.sections();
    if let Purpose::Mistakes(memory) = std::mem::replace(&mut reader.purpose, Purpose::Run) {
        *known = memory.learnt();
    }
    reader.found()
}

/// The types of the value named at byte `offset`, or of the several results of an operation. Mistakes
/// elsewhere do not matter.
pub fn types_at(checked: &Checked, offset: usize) -> Option<Vec<Type>> {
    let watch = Watch { offset: u32::try_from(offset).ok()?, found: None };
    let mut reader = Reader::new(checked, Purpose::Types(watch));
    reader.sections();
    if let Purpose::Types(watch) = reader.purpose { watch.found } else { None }
}

/// What running a function costs that its text does not show, each with its place. Who runs functions knows.
pub type Costs = fn(&Source, &Function) -> Vec<Mistake>;

/// What a text is read for.
enum Purpose {
    /// Its functions.
    Run,
    /// What is wrong with it: of a function no more is kept than that.
    Mistakes(Box<Memory>),
    /// The types at one place: functions that do not hold it are passed over.
    Types(Watch),
}

/// A place of the text, and the types of the values that are named there once they are read.
struct Watch {
    offset: u32,
    found: Option<Vec<Type>>,
}

/// The reader of one file.
pub struct Reader<'c> {
    checked: &'c Checked,
    purpose: Purpose,
    tokens: Vec<TokenRef<'c>>,
    at: usize,
    /// The tokens at which items begin.
    items: Vec<usize>,
    /// Of each item the table of symbols that it is in.
    tables: Vec<usize>,
    /// The tokens of the item that is being read.
    item: Option<Range<usize>>,
    diagnostics: Vec<Diagnostic>,
    /// How many mistakes were not reported, as the check has told of them.
    silent: usize,
    attribute_aliases: HashMap<&'c str, Attribute>,
    type_aliases: HashMap<&'c str, Type>,
    /// By table and name.
    functions: HashMap<(usize, String), (FunctionType, Span)>,
    /// The table of the function that is being read.
    table: usize,
    /// Names of aliases and functions whose definitions are broken.
    broken: HashSet<&'c str>,
    scope: Scope<'c>,
    /// What the function that is being read returns.
    returns: Vec<Type>,
    depth: usize,
    /// The operations in which the place lies, the innermost last.
    holders: Vec<Holder>,
    /// Of regions that name fewer values than they take: what the next names are that nothing defines.
    unnamed_arguments: Unnamed<'c>,
    /// The function that is being read asks of what type others are.
    asks: Cell<bool>,
    /// Of functions, by their first tokens, whether their text goes on behind the brace that closes them.
    early_end: RefCell<HashMap<usize, bool>>,
    /// Operations that are unknown, and what they may be: many files are full of the same few.
    unknown: HashMap<String, unknown::Unknown>,
    /// Where the last type stands.
    last_type: Span,
}

/// Deeper nesting of regions, attributes and types is refused rather than risking the stack.
const MAX_DEPTH: usize = 64;

impl<'c> Reader<'c> {
    fn new(checked: &'c Checked, purpose: Purpose) -> Reader<'c> {
        let mut tokens = match &purpose {
            Purpose::Types(watch) => items::tokens_around(checked, watch.offset),
            Purpose::Run | Purpose::Mistakes(_) => checked.tree.root().tokens().collect(),
        };
        location::leave_out(&checked.tree, &mut tokens);
        let mut reader = Reader {
            checked,
            purpose,
            tokens,
            at: 0,
            items: Vec::new(),
            tables: Vec::new(),
            item: None,
            diagnostics: Vec::new(),
            silent: 0,
            attribute_aliases: HashMap::new(),
            type_aliases: HashMap::new(),
            functions: HashMap::new(),
            table: 0,
            broken: HashSet::new(),
            scope: Scope::default(),
            returns: Vec::new(),
            depth: 0,
            holders: Vec::new(),
            unnamed_arguments: Unnamed::default(),
            asks: Cell::new(false),
            early_end: RefCell::default(),
            unknown: HashMap::new(),
            last_type: Span::at(0),
        };
        reader.find_items();
        reader
    }

    /// What was reported, one at each place: the first of several.
    fn found(self) -> Vec<Diagnostic> {
        let mut found = self.diagnostics;
        found.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        found.dedup_by_key(|diagnostic| diagnostic.primary.span.start);
        found
    }

    /// Notes the types of what `span` names, if that is watched.
    fn note(&mut self, span: Span, types: &[Type]) {
        if let Purpose::Types(watch) = &mut self.purpose
            && span.touches(watch.offset as usize)
        {
            watch.found = Some(types.to_vec());
        }
    }

    /// How many mistakes were found so far.
    fn mistakes(&self) -> usize {
        self.diagnostics.len() + self.silent
    }

    /// Reports a mistake after which reading can go on.
    pub fn report(&mut self, mistake: Mistake) {
        if mistake.is_silent() {
            return;
        }
        let Mistake(mut diagnostic, others) = mistake;
        let file = self.checked.source.id;
        self.point_to_definition(&mut diagnostic);
        self.name_encodings(&mut diagnostic);
        diagnostic.places_mut().for_each(|(known, _)| *known = file);
        if self.is_told(&diagnostic) || self.is_checked(&diagnostic) {
            self.silent += 1;
        } else if !self.is_warned(&diagnostic) {
            self.diagnostics.push(*diagnostic);
        }
        others.into_iter().for_each(|other| self.report(other));
    }

    /// Whether the check has told of something in the syntax of the line.
    fn is_checked(&self, diagnostic: &Diagnostic) -> bool {
        let start = diagnostic.primary.span.start as usize;
        let line = self.checked.source.line_col(start).line as usize;
        let line = self.checked.source.lines.line_span(self.checked.tree.text(), line);
        // What stands on the line behind the definition that is read is another's.
        let item = self.item.as_ref().and_then(|item| self.tokens.get(item.clone())).unwrap_or(&self.tokens);
        let place = |token: Option<&TokenRef<'_>>| token.map_or(line, |token| token.span());
        let (start, end) = (place(item.first()).start.max(line.start), place(item.last()).end.min(line.end));
        let here = Span { start, end: end.max(start) };
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
            return Err(Mistake::syntax(self.span(), "nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
