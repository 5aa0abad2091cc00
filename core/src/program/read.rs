//! The front end of programs: the tokens of a checked file become a [`Module`], or diagnostics.
//!
//! The tree of a file knows aliases, types and encodings, and passes over operations token by token, so
//! that no unknown operation disturbs an editor. This reader goes over the same tokens once more: it
//! takes types and encodings from the check, and operations from the tables of the dialects. An
//! operation that is broken is reported and passed over; its results are of type [`Type::Broken`], about
//! which nothing is said again. So all mistakes of a file are found at once.
//!
//! Naming: `x` reads an x that must stand there; `eat_x` and `optional_x` may decline.

mod attributes;
mod blocks;
mod body;
mod constants;
mod cursor;
mod draft;
mod functions;
mod liveness;
mod maps;
mod operations;
mod scope;
mod types;

use std::collections::{HashMap, HashSet};

pub use body::BodyBuilder;
pub use draft::Draft;
pub use operations::Form;
pub use scope::Use;

use super::{
    attribute::Attribute,
    ir::{Function, FunctionId, Module},
    types::{FunctionType, Type},
};
use crate::{
    check::{Checked, TypeSite},
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::{TokenKind, TokenRef},
};
use scope::Scope;

pub type Read<T> = Result<T, Mistake>;

/// Something wrong in the text, on its way to become a diagnostic.
#[derive(Debug)]
pub struct Mistake(Box<Diagnostic>);

impl Mistake {
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Mistake {
        // The file is filled in where the mistake is reported.
        Mistake(Box::new(Diagnostic::new(code, crate::ids::FileId(0), span, message)))
    }
    /// A value of a type that cannot stand there.
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
    #[must_use]
    pub fn secondary(mut self, span: Span, message: impl Into<String>) -> Mistake {
        let file = self.0.primary.file;
        self.0.secondary.push(crate::diagnostic::Label { file, span, message: message.into() });
        self
    }
}

/// The modules of a file, one for each part between `// -----`.
///
/// # Errors
/// Everything that is wrong with the program, in the order of the text.
pub fn modules(checked: &Checked) -> Result<Vec<Module>, Vec<Diagnostic>> {
    let mut reader = Reader::new(checked);
    let modules = reader.sections();
    reader.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    if reader.diagnostics.iter().any(Diagnostic::is_error) { Err(reader.diagnostics) } else { Ok(modules) }
}

/// The types of what is named at byte `offset`: a value, or the several results of an operation. Mistakes
/// elsewhere do not matter.
pub fn types_at(checked: &Checked, offset: usize) -> Option<Vec<Type>> {
    let mut reader = Reader::new(checked);
    reader.watch = Some(Watch { offset: u32::try_from(offset).ok()?, found: None });
    reader.sections();
    reader.watch?.found
}

/// A place of the text, and the types of the values that are named there once they are read.
struct Watch {
    offset: u32,
    found: Option<Vec<Type>>,
}

/// The reader of one file.
pub struct Reader<'c> {
    checked: &'c Checked,
    tokens: Vec<TokenRef<'c>>,
    at: usize,
    /// Tensor types by the offset where they start.
    sites: HashMap<u32, &'c TypeSite>,
    diagnostics: Vec<Diagnostic>,
    attribute_aliases: HashMap<&'c str, Attribute>,
    type_aliases: HashMap<&'c str, Type>,
    functions: HashMap<String, (FunctionType, Span)>,
    scope: Scope<'c>,
    /// What the function that is being read returns.
    returns: Vec<Type>,
    depth: usize,
    /// Operations that are unknown, and what to write instead: many files are full of the same few.
    unknown: HashMap<String, Option<String>>,
    /// Where something was reported.
    reported: HashSet<u32>,
    /// Functions that do not hold the place that is watched are passed over.
    watch: Option<Watch>,
}

/// Deeper nesting of regions, attributes and types is refused rather than risking the stack.
const MAX_DEPTH: usize = 64;

impl<'c> Reader<'c> {
    fn new(checked: &'c Checked) -> Reader<'c> {
        Reader {
            checked,
            tokens: checked.tree.tokens().filter(|token| !token.kind().is_trivia()).collect(),
            at: 0,
            sites: checked.symbols.types.iter().map(|site| (site.span.start, site)).collect(),
            diagnostics: Vec::new(),
            attribute_aliases: HashMap::new(),
            type_aliases: HashMap::new(),
            functions: HashMap::new(),
            scope: Scope::default(),
            returns: Vec::new(),
            depth: 0,
            unknown: HashMap::new(),
            reported: HashSet::new(),
            watch: None,
        }
    }

    /// Notes the types of what `span` names, if that is watched.
    fn note(&mut self, span: Span, types: &[Type]) {
        if let Some(watch) = self.watch.as_mut().filter(|watch| span.touches(watch.offset as usize)) {
            watch.found = Some(types.to_vec());
        }
    }

    /// Passes over a function that does not hold the place that is watched.
    fn passes(&mut self) -> bool {
        let Some(offset) = self.watch.as_ref().map(|watch| watch.offset) else { return false };
        if self.peek() != TokenKind::Ident || self.text() != "func.func" {
            return false;
        }
        let (start, holds) = (self.at, self.span().start <= offset);
        self.recover_item(start);
        if holds && (self.at_end() || self.span().start > offset) {
            self.at = start;
            return false;
        }
        true
    }

    fn report(&mut self, Mistake(mut diagnostic): Mistake) {
        let file = self.checked.source.id;
        diagnostic.primary.file = file;
        diagnostic.secondary.iter_mut().for_each(|label| label.file = file);
        let start = diagnostic.primary.span.start;
        if self.reported.insert(start) {
            self.diagnostics.push(*diagnostic);
        }
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

    fn sections(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        let splits = crate::check::mlir::splits(&self.checked.tree);
        for end in splits.into_iter().chain([u32::MAX]) {
            self.attribute_aliases.clear();
            self.type_aliases.clear();
            self.functions.clear();
            let module = self.section(end);
            if !module.functions.is_empty() {
                modules.push(module);
            }
        }
        modules
    }

    fn section(&mut self, end: u32) -> Module {
        let from = self.at;
        self.declare_all(end);
        self.at = from;
        let mut module = Module::default();
        while !self.at_end() && self.span().start < end {
            if !self.passes() {
                self.item(&mut module);
            }
        }
        self.check_bodies(&module);
        module
    }

    /// An alias, a module or a function.
    fn item(&mut self, module: &mut Module) {
        let start = self.at;
        let read = match self.peek() {
            TokenKind::HashId => self.attribute_alias(),
            TokenKind::BangId => self.type_alias(),
            TokenKind::Ident if matches!(self.text(), "module" | "builtin.module") => self.module_head(),
            TokenKind::Ident if self.text() == "func.func" => {
                self.function().map(|function| add_function(module, function))
            }
            TokenKind::String if self.text() == "\"builtin.module\"" => self.generic_module(),
            TokenKind::String if self.text() == "\"func.func\"" => {
                self.generic_function().map(|function| add_function(module, function))
            }
            // The end of a module.
            TokenKind::RBrace => self.module_end(),
            TokenKind::LBrace => {
                self.skip_group();
                Ok(())
            }
            _ => Err(Mistake::new(
                Code::UnknownOperation,
                self.span(),
                format!("`{}` does not begin an alias, a module or a function", self.text()),
            )),
        };
        if let Err(mistake) = read {
            self.report(mistake);
            self.recover_item(start);
        }
    }

    /// `module @name attributes {...} {`
    fn module_head(&mut self) -> Read<()> {
        self.bump();
        self.eat(TokenKind::AtId);
        if self.eat_word("attributes") {
            self.skip_group();
        }
        self.expect(TokenKind::LBrace)
    }

    /// `"builtin.module"() <{...}> ({ ^bb0:`
    fn generic_module(&mut self) -> Read<()> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        self.expect(TokenKind::RParen)?;
        if self.at(TokenKind::Lt) {
            self.angles()?;
        }
        self.expect(TokenKind::LParen)?;
        self.expect(TokenKind::LBrace)?;
        if self.eat(TokenKind::CaretId) {
            self.expect(TokenKind::Colon)?;
        }
        Ok(())
    }

    /// `}`, and of the generic syntax `}) {...} : () -> ()`
    fn module_end(&mut self) -> Read<()> {
        self.bump();
        if !self.eat(TokenKind::RParen) {
            return Ok(());
        }
        self.optional_dictionary()?;
        self.expect(TokenKind::Colon)?;
        self.function_type().map(|_| ())
    }

    /// Goes on behind the broken item: at the next one that begins a line.
    fn recover_item(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while !(self.at_end() || self.begins_line() && self.at_item()) {
            self.bump();
        }
    }

    fn at_item(&self) -> bool {
        match self.peek() {
            TokenKind::HashId | TokenKind::BangId => self.nth(1) == TokenKind::Eq,
            TokenKind::Ident => matches!(self.text(), "func.func" | "module"),
            TokenKind::String => matches!(self.text(), "\"func.func\"" | "\"builtin.module\""),
            _ => false,
        }
    }
}

fn add_function(module: &mut Module, function: Function) {
    let id = FunctionId::new(module.functions.len());
    module.names.insert(function.name.clone(), id);
    module.functions.push(function);
}
