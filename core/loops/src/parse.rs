//! Reads the text that `print` writes. The function still has to be verified.
//!
//! ```text
//! module    ::= ('gpu' rest)* ('host' rest)*
//! function  ::= 'kernel' rest
//! rest      ::= name '(' (param ',')* ')' block
//! param     ::= name ':' (type | space? mode array)
//! space     ::= 'device' | 'shared' | 'local'
//! array     ::= ('values' | 'indices') '<' type '>' ('[' expr ']')?
//! block     ::= '{' stmt* '}'
//! stmt      ::= 'let' var '=' expr | 'var' var '=' expr | entry '=' expr | name '=' expr
//!             | 'sort' name '[' expr '..' expr ']'
//!             | 'load' entry '->' var (',' var)* | 'store' exprs '->' entry
//!             | 'atomic' op entry (',' expr)+ ('->' var)? | 'shuffle' from expr ',' expr ('width' number)? '->' var
//!             | 'alloc' name ':' space? array | 'barrier' | 'copy' name '->' name ',' expr
//!             | 'launch' name '(' exprs ')' '[' names ']' 'blocks' '(' exprs ')' 'threads' '(' exprs ')'
//!             | 'for' name 'in' expr '..' expr kind? block | 'while' expr block
//!             | 'if' expr block ('else' block)? | '//' text
//! var       ::= name (':' type)?
//! entry     ::= name '[' expr ']'
//! kind      ::= 'rolled' | 'parallel' ('by' name)? | 'vector' | ('block' | 'thread') '.' axis | 'warp' | 'lane'
//! expr      ::= operators, loosest first: ||, &&, == != < <=, + -, * / %, unary - !
//! leaf      ::= number | 'true' | 'false' | type '(' number (',' number)? ')' | 'cast' '<' type '>' '(' expr ')'
//!             | function '(' expr (',' expr)* ')' | name ('[' expr ']')? | '(' expr ')'
//! ```

mod expressions;
mod gpu;
mod lexer;

use std::collections::HashMap;

use super::{
    AccessMode, Array, ArrayId, ArrayType, Axis, Builder, ExprId, ForKind, Function, Module, Space, Stmt, Type, VarId,
    machine::Width, words,
};
use lexer::{Lexer, Token};
use nnz_base::element::Element;

/// An error in the text of a function: its byte offset, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct ParseError {
    pub at: usize,
    pub problem: String,
}

/// Parentheses and blocks nest no deeper; the parser is recursive.
const MAX_DEPTH: usize = 200;

/// The function that `text` prints.
///
/// # Errors
/// The first thing that does not follow the grammar or names nothing.
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let mut parser = Parser::new(text);
    parser.expect("kernel")?;
    let function = parser.function()?;
    parser.end()?;
    Ok(function)
}

/// The module that `text` prints.
///
/// # Errors
/// As [`parse`].
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text);
    while parser.lexer.accept("gpu") {
        let kernel = parser.function()?;
        parser.kernels.push(kernel);
    }
    let mut host = Vec::new();
    while parser.lexer.accept("host") {
        host.push(parser.function()?);
    }
    parser.end()?;
    Ok(Module { kernels: parser.kernels, host })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    b: Builder,
    arrays: HashMap<String, ArrayId>,
    vars: HashMap<String, (VarId, Type)>,
    /// Those of the module so far.
    kernels: Vec<Function>,
    depth: usize,
}

type Parsed<T> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser {
            lexer: Lexer::new(text),
            b: Builder::new("kernel"),
            arrays: HashMap::new(),
            vars: HashMap::new(),
            kernels: Vec::new(),
            depth: 0,
        }
    }
    fn error<T>(&self, problem: impl Into<String>) -> Parsed<T> {
        Err(ParseError { at: self.lexer.at(), problem: problem.into() })
    }
    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.lexer.accept(sign) { Ok(()) } else { self.error(format!("expected `{sign}`")) }
    }
    fn word(&mut self) -> Parsed<&'t str> {
        let Token::Word(word) = self.lexer.peek() else { return self.error("expected a name") };
        self.lexer.next();
        Ok(word)
    }
    fn new_name(&mut self) -> Parsed<String> {
        let Token::Word(name) = self.lexer.peek() else { return self.error("expected a name") };
        if !words::is_name(name) {
            return self.error(format!("`{name}` is not a name"));
        }
        if self.arrays.contains_key(name) || self.vars.contains_key(name) {
            return self.error(format!("`{name}` is declared twice"));
        }
        self.lexer.next();
        Ok(name.to_string())
    }
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("nested too deeply");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// A function behind the word that opens it.
    fn function(&mut self) -> Parsed<Function> {
        let name = self.word()?;
        self.b = Builder::new(name);
        self.arrays.clear();
        self.vars.clear();
        self.expect("(")?;
        while !self.lexer.accept(")") {
            self.param()?;
            self.expect(",")?;
        }
        self.expect("{")?;
        self.stmts()?;
        Ok(std::mem::replace(&mut self.b, Builder::new("kernel")).finish())
    }

    fn end(&self) -> Parsed<()> {
        if self.lexer.peek() == Token::End { Ok(()) } else { self.error("expected the end of the text") }
    }

    fn param(&mut self) -> Parsed<()> {
        let name = self.new_name()?;
        self.expect(":")?;
        let space = self.space();
        match self.mode() {
            Some(mode) => {
                let (ty, len) = (self.array_type()?, self.length()?);
                let array = self.b.array_param(Array { name: name.clone(), ty, mode, space, len });
                self.arrays.insert(name, array);
            }
            None => {
                let ty = self.ty()?;
                let var = self.b.param(&name, ty);
                self.vars.insert(name, (var, ty));
            }
        }
        Ok(())
    }

    fn space(&mut self) -> Space {
        let spaces = Space::ALL.iter().copied();
        spaces.into_iter().find(|space| self.lexer.accept(space.name())).unwrap_or_default()
    }

    /// `[expr]` behind the type of an array.
    fn length(&mut self) -> Parsed<Option<ExprId>> {
        if !self.lexer.accept("[") {
            return Ok(None);
        }
        let len = self.expr()?;
        self.expect("]")?;
        Ok(Some(len))
    }

    fn mode(&mut self) -> Option<AccessMode> {
        let modes = [AccessMode::Read, AccessMode::Write, AccessMode::ReadWrite];
        modes.into_iter().find(|mode| self.lexer.accept(&mode.to_string()))
    }

    fn array_type(&mut self) -> Parsed<ArrayType> {
        let kind = self.word()?;
        self.expect("<")?;
        let ty = match kind {
            "values" => ArrayType::Values(self.element()?),
            "indices" => ArrayType::Indices(self.width()?),
            _ => return self.error("expected `values` or `indices`"),
        };
        self.expect(">")?;
        Ok(ty)
    }

    fn width(&mut self) -> Parsed<Width> {
        let word = self.word()?;
        let named = Width::ALL.into_iter().find(|width| width.name() == word);
        named.map_or_else(|| self.error("expected u8, u16, u32 or u64"), Ok)
    }

    /// `index` is the type of positions, not the element type, except inside `values<>`.
    fn ty(&mut self) -> Parsed<Type> {
        if self.lexer.accept("bool") {
            return Ok(Type::Bool);
        }
        if self.lexer.accept("index") {
            return Ok(Type::Index);
        }
        Ok(Type::Element(self.element()?))
    }

    fn element(&mut self) -> Parsed<Element> {
        let Token::Word(word) = self.lexer.peek() else { return self.error("expected a type") };
        match self.accept_element(word)? {
            Some(element) => Ok(element),
            None => self.error(format!("`{word}` is not a type")),
        }
    }

    /// The element type that `word`, the next token, opens.
    fn accept_element(&mut self, word: &str) -> Parsed<Option<Element>> {
        if word != "complex" {
            let element = Element::parse(word);
            if element.is_some() {
                self.lexer.next();
            }
            return Ok(element);
        }
        self.lexer.next();
        self.expect("<")?;
        let part = self.word()?;
        self.expect(">")?;
        Ok(Element::parse(&format!("complex<{part}>")))
    }

    /// Statements up to the closing brace.
    fn stmts(&mut self) -> Parsed<()> {
        while !self.lexer.accept("}") {
            self.deeper(Self::stmt)?;
        }
        Ok(())
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        self.b.open();
        self.stmts()?;
        Ok(self.b.close())
    }

    fn stmt(&mut self) -> Parsed<()> {
        match self.lexer.peek() {
            Token::Comment(text) => {
                self.lexer.next();
                self.b.comment(text);
                Ok(())
            }
            Token::Word("let") => self.declaration(|var, value| Stmt::Let { var, value }),
            Token::Word("var") => self.declaration(|var, value| Stmt::Mut { var, value }),
            Token::Word("sort") => self.sort(),
            Token::Word("for") => self.for_loop(),
            Token::Word("while") => self.while_loop(),
            Token::Word("if") => self.branch(),
            Token::Word(_) if self.is_assignment() => self.assignment(),
            Token::Word(word) => self.gpu_stmt(word),
            Token::Number(_) | Token::Sign(_) | Token::End => self.error("expected a statement"),
        }
    }

    fn declaration(&mut self, stmt: impl FnOnce(VarId, ExprId) -> Stmt) -> Parsed<()> {
        self.lexer.next();
        let name = self.new_name()?;
        let ty = if self.lexer.accept(":") { self.ty()? } else { Type::Index };
        self.expect("=")?;
        let value = self.expr()?;
        let var = self.declare(name, ty);
        self.b.push(stmt(var, value));
        Ok(())
    }

    fn declare(&mut self, name: String, ty: Type) -> VarId {
        let var = self.b.local(&name, ty);
        self.vars.insert(name, (var, ty));
        var
    }

    fn for_loop(&mut self) -> Parsed<()> {
        self.lexer.next();
        let name = self.new_name()?;
        self.expect("in")?;
        let lo = self.expr()?;
        self.expect("..")?;
        let hi = self.expr()?;
        let kind = self.kind()?;
        let var = self.declare(name, Type::Index);
        let body = self.block()?;
        self.b.push(Stmt::For { var, lo, hi, kind, body });
        Ok(())
    }

    fn kind(&mut self) -> Parsed<ForKind> {
        let plain = [
            ("rolled", ForKind::Rolled),
            ("vector", ForKind::Vector),
            ("warp", ForKind::Warp),
            ("lane", ForKind::Lane),
        ];
        let axes = Axis::ALL.into_iter().flat_map(|axis| {
            [("block", ForKind::Block(axis)), ("thread", ForKind::Thread(axis))]
                .map(|(word, kind)| (format!("{word}.{}", axis.name()), kind))
        });
        let mut words = plain.map(|(word, kind)| (word.to_string(), kind)).into_iter().chain(axes);
        if self.lexer.accept("parallel") {
            return Ok(if self.lexer.accept("by") { ForKind::Balanced(self.array()?) } else { ForKind::Parallel });
        }
        Ok(words.find(|(word, _)| self.lexer.accept(word)).map_or(ForKind::Serial, |(_, kind)| kind))
    }

    fn array(&mut self) -> Parsed<ArrayId> {
        let name = self.word()?;
        match self.arrays.get(name) {
            Some(array) => Ok(*array),
            None => self.error(format!("no array `{name}`")),
        }
    }

    fn sort(&mut self) -> Parsed<()> {
        self.lexer.next();
        let array = self.array()?;
        self.expect("[")?;
        let lo = self.expr()?;
        self.expect("..")?;
        let hi = self.expr()?;
        self.expect("]")?;
        self.b.sort(array, lo, hi);
        Ok(())
    }

    fn while_loop(&mut self) -> Parsed<()> {
        self.lexer.next();
        let cond = self.expr()?;
        let body = self.block()?;
        self.b.push(Stmt::While { cond, body });
        Ok(())
    }

    fn branch(&mut self) -> Parsed<()> {
        self.lexer.next();
        let cond = self.expr()?;
        let then = self.block()?;
        let other = if self.lexer.accept("else") { self.block()? } else { Vec::new() };
        self.b.push(Stmt::If { cond, then, other });
        Ok(())
    }

    /// Whether the next word names what is assigned: other statements go on with a word.
    fn is_assignment(&self) -> bool {
        matches!(self.lexer.second(), Token::Sign("=" | "["))
    }

    fn assignment(&mut self) -> Parsed<()> {
        let name = self.word()?;
        if self.lexer.accept("[") {
            let Some(&array) = self.arrays.get(name) else { return self.error(format!("no array `{name}`")) };
            let index = self.expr()?;
            self.expect("]")?;
            self.expect("=")?;
            let value = self.expr()?;
            self.b.push(Stmt::Store { array, index, value });
            return Ok(());
        }
        let Some(&(var, _)) = self.vars.get(name) else { return self.error(format!("no variable `{name}`")) };
        self.expect("=")?;
        let value = self.expr()?;
        self.b.push(Stmt::Assign { var, value });
        Ok(())
    }
}
