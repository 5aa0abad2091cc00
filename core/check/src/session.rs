//! Statements of the nnz notation, checked given the names defined before them.
//!
//! Each statement is checked by itself against a [`Scope`], so a REPL cell sees the cells before it, and all
//! diagnostics of a file are reported at once. Nothing here reads a file or runs a kernel. A size that depends on data
//! is left open, and what depends on it is checked when the statement runs.

mod assignment;
mod call;
mod comment;
mod data;
mod decomposition;
mod definition;
mod edited;
mod file;
mod read;
mod show;
mod statement;
mod syntax;
mod typed;
mod untyped;

use super::{
    Checker, DefinitionKind,
    checker::Alias,
    functions,
    scope::{Meaning, Scope, Word, suggest},
};
pub use data::{generator_refusal, storage_error};
use definition::{is_constant, nesting};
pub use edited::check_edited;
pub use file::{check_session, check_session_with, names_meant};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    ids::FileId,
    source::Span,
};
use nnz_storage::generate;
use nnz_syntax::{
    NodeKind, NodeRef, TokenKind,
    habits::{self, Function, Leading},
};
pub use read::{file_doubt, file_error};
pub use statement::{Argument, Decomposition, Given, Init, ProgramCall, Statement, TensorDefinition};
pub use syntax::syntax_errors;
pub use typed::{Meant, Typed, typed_call, typed_spec};

/// Checks one statement; `None` if it has errors, which are then reported to `c`.
pub fn statement(c: &mut Checker<'_>, scope: &Scope, node: NodeRef<'_>) -> Option<Statement> {
    let mut checker = Notation { c, scope };
    checker.doubt_comment(node);
    checker.doubt_sign(node);
    if checker.refuses_lists(node) {
        return None;
    }
    let checked = checker.statement(node);
    if let Some((name, _)) = checked.as_ref().and_then(|statement| statement.definition(scope)) {
        checker.doubt_hidden_function(node, &name);
    }
    checked
}

/// The content of the node's string, at the string's place.
fn quoted(node: NodeRef<'_>) -> Option<Word> {
    let string = node.token(TokenKind::String)?;
    Some(Word { text: string.text().trim_matches('"').to_string(), span: string.span() })
}

fn word(node: NodeRef<'_>) -> Option<Word> {
    let token = node.first_token()?;
    Some(Word { text: token.text().to_string(), span: token.span() })
}

/// The first list among the arguments of a call, those with names too.
fn list_argument(call: NodeRef<'_>) -> Option<NodeRef<'_>> {
    let mut values = call.children().map(|argument| {
        if argument.kind() == NodeKind::NamedArg { argument.children().next().unwrap_or(argument) } else { argument }
    });
    values.find(|value| value.kind() == NodeKind::ListLiteral)
}

/// One statement's checker.
struct Notation<'a, 's> {
    c: &'a mut Checker<'s>,
    scope: &'a Scope,
}

impl Notation<'_, '_> {
    fn file(&self) -> FileId {
        self.c.source.id
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn statement(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        match node.kind() {
            NodeKind::AttrAlias => self.alias(node),
            NodeKind::Definition => self.definition(node),
            NodeKind::Assignment => self.assignment(node),
            NodeKind::Show => self.show(node),
            NodeKind::Command => self.command(node),
            NodeKind::Use => Some(Statement::Use(quoted(node)?)),
            NodeKind::Schedule => {
                let message = "a schedule stands behind a kernel, and none is in front of this one".to_string();
                let error =
                    Diagnostic::new(Code::ScheduleStep, self.file(), node.span(), message).label("behind no kernel");
                self.c.report(self.with_place_of_schedule(error, node));
                None
            }
            NodeKind::ProgramCall => call::call(self.c, self.scope, node, (Vec::new(), None)).map(Statement::Call),
            _ => None,
        }
    }

    /// `y(i) = x(i); schedule unroll(i, 2)`: without the `;` the schedule is the kernel's.
    fn with_place_of_schedule(&self, error: Diagnostic, node: NodeRef<'_>) -> Diagnostic {
        let start = node.span().start as usize;
        let before = self.c.source.text.get(..start).unwrap_or_default().trim_end_matches([' ', '\t']);
        match before.strip_suffix(';') {
            Some(kernel) => error.fix("remove `;`", Span::new(kernel.len(), before.len()), ""),
            None => error.help("write it on the kernel's line, or end that line with `schedule`"),
        }
    }

    /// `sum : f64 = ...`: told where the name is defined, as its uses say something else from there on.
    fn doubt_hidden_function(&mut self, node: NodeRef<'_>, name: &str) {
        let Some(token) = node.first_token().filter(|token| token.text() == name) else { return };
        if !functions::is_function(name) || self.scope.get(name).is_some() {
            return;
        }
        let message = format!("`{name}` is no function from here on, but what this defines");
        let hint = self.c.diagnostic(Code::HiddenFunction, token.span(), message).label("the name of a function");
        self.c.report(hint.help("another name leaves the function as it is"));
    }
    fn error(&mut self, code: Code, span: Span, message: String) -> &mut Diagnostic {
        self.c.diagnostics.push(Diagnostic::new(code, self.file(), span, message));
        let last = self.c.diagnostics.len() - 1;
        &mut self.c.diagnostics[last]
    }

    /// `random(shape = [3, 4])`, `spmv(A, [1, 2])`: no call but that of a program's function takes a list. Whether there was one.
    fn refuses_lists(&mut self, node: NodeRef<'_>) -> bool {
        let mut calls = node.descendants().filter(|call| call.kind() == NodeKind::Call);
        let Some((list, function)) = calls.find_map(|call| Some((list_argument(call)?, word(call)?))) else {
            return false;
        };
        if self.scope.function(&function.text).is_some() {
            let message = format!("`{0}` is a function of a program: it is called as `@{0}`", function.text);
            let error = Diagnostic::new(Code::SyntaxError, self.file(), function.span, message);
            let at = Span::at(function.span.start as usize);
            self.c.report(error.label("no `@` in front of this").fix("insert `@`", at, "@"));
            return true;
        }
        if function.text == "decompose" {
            let message = "a decomposed tensor needs a name".to_string();
            let error =
                Diagnostic::new(Code::AssignmentTarget, self.file(), function.span, message).label("of no name");
            let free = self.scope.free_name("D");
            let start = Span::at(function.span.start as usize);
            let alone = node.span().start == function.span.start;
            let told =
                if alone { error.fix(format!("write `{free} = ...`"), start, format!("{free} = ")) } else { error };
            self.c.report(told.help("as in `A = decompose(A, [BSR(32, 32), BSR(8, 8), CSR])`"));
            return true;
        }
        let sizes: String = list.children().map(|size| format!("{}x", size.text())).collect();
        let counts = !sizes.is_empty() && sizes.chars().all(|c| c.is_ascii_digit() || c == 'x');
        let message = format!("`{}` takes no list", function.text);
        let error = Diagnostic::new(Code::SyntaxError, self.file(), list.span(), message).label("a list");
        self.c.report(match counts {
            true if generate::lookup(&function.text).is_some() => {
                error.help(format!("sizes stand in the type: `A : tensor<{sizes}f64, CSR> = ...`"))
            }
            _ if let Some(Function::Said(how)) = habits::function(&function.text) => {
                error.help(self.scope.said(how, &format!("{}({sizes})", function.text)))
            }
            true => error.help(format!("sizes stand in the type: `A : tensor<{sizes}f64, CSR> = ...`")),
            false => error.help("a literal stands alone on the right: `x = [1, 2]`"),
        });
        true
    }

    fn alias(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        self.c.attr_alias(node);
        let name = word(node)?;
        let encoding = match self.c.alias(&name.text)? {
            Alias::Imported(encoding) => encoding,
            Alias::Local(id) => {
                if let DefinitionKind::Encoding(encoding) = &self.c.symbols.definition(id).kind {
                    encoding.clone()?
                } else {
                    return self.no_encoding(node, &name);
                }
            }
        };
        Some(Statement::Encoding { name, encoding })
    }

    /// `#A = foo`: in MLIR a name for anything, in a session for encodings alone.
    fn no_encoding(&mut self, node: NodeRef<'_>, name: &Word) -> Option<Statement> {
        let start = node.token(TokenKind::Eq).map_or(name.span.end, |equals| equals.span().end) as usize;
        let behind = self.c.source.text.get(start..node.span().end as usize).unwrap_or_default();
        let text = behind.trim_start().lines().next().unwrap_or_default().trim_end();
        let start = start + behind.len() - behind.trim_start().len();
        let place = Span::new(start, start + text.len());
        let message = format!("`{}` names an encoding, and `{text}` is none", name.text);
        let error = Diagnostic::new(Code::NoMap, self.file(), place, message).label("no encoding");
        let forgotten = text.starts_with("sparse_tensor.encoding");
        self.c.report(match forgotten {
            true => error.help("an attribute of MLIR begins with `#`").fix(
                "insert `#`",
                Span::at(place.start as usize),
                "#",
            ),
            false => error.help(format!(
                "as in `{} = #sparse_tensor.encoding<{{ map = (i, j) -> (i : dense, j : compressed) }}>`",
                name.text
            )),
        });
        None
    }

    /// `B(i, j) : CSC = A(j, i); B` for a matrix `A`.
    fn transposed(&self, object: &str) -> Option<String> {
        let ty = self.tensor_called(object).filter(|ty| ty.rank() == Some(2))?;
        let free = self.scope.free_name("B");
        let (head, right) = untyped::transpose(&free, (object, Some(ty)));
        Some(format!("{head} = {right}; {free}"))
    }

    /// Whether nothing else stands on the line.
    fn stands_alone(&self, place: Span) -> bool {
        let text = &self.c.source.text;
        let (start, end) = (place.start as usize, place.end as usize);
        let before = text.get(..start).and_then(|before| before.rsplit(['\n', ';']).next());
        let behind = text.get(end..).and_then(|behind| behind.split(['\n', ';']).next());
        let behind = behind.and_then(|behind| behind.split("//").next());
        before.is_some_and(|text| text.trim().is_empty()) && behind.is_some_and(|text| text.trim().is_empty())
    }

    /// `schedule` or `use` alone: a word of statements that lacks the rest of its own.
    fn unfinished(&self, name: &Word) -> Option<Diagnostic> {
        let (message, label, help) = match name.text.as_str() {
            "schedule" => {
                ("no step stands behind `schedule`", "steps are missing behind this", "as in `schedule parallelize(i)`")
            }
            "use" => ("`use` names a file, in quotes", "no file behind this", "as in `use \"FILE\"`"),
            _ => return None,
        };
        let error = Diagnostic::new(Code::SyntaxError, self.file(), name.span, message).label(label);
        self.stands_alone(name.span).then(|| error.help(help))
    }

    fn unknown(&mut self, name: &Word) {
        if let Some(told) = self.unfinished(name) {
            return self.c.report(told);
        }
        let message = format!("`{}` is not defined", name.text);
        let diagnostic = Diagnostic::new(Code::UnknownName, self.file(), name.span, message).label("not defined");
        if let Some((object, member)) = name.text.rsplit_once('.') {
            if let Some(shown) = self.transposed(object).filter(|_| member == "T") {
                let told = diagnostic.help("a transpose names its indices");
                return self.c.report(match self.stands_alone(name.span) {
                    true => told.fix(format!("write `{shown}`"), name.span, shown),
                    false => {
                        told.help(format!("define it first: `{}`", shown.rsplit_once(';').map_or("", |(it, _)| it)))
                    }
                });
            }
            let help = match habits::member(member) {
                Some(how) => crate::kernel::of_object(how, object),
                None => "names have no members".to_string(),
            };
            return self.c.diagnostics.push(diagnostic.help(self.scope.with_free_names(&help)));
        }
        if let Some(Leading::Command(command)) = habits::leading(&name.text) {
            let told = diagnostic.help(format!("a command begins with `:`: `:{command}`"));
            let edit = Edit { file: self.file(), span: name.span, replacement: format!(":{command}") };
            let told = told.fix_edits(format!("write `:{command}`"), vec![edit], Applicability::MaybeIncorrect);
            return self.c.diagnostics.push(told);
        }
        if let Some(own) = habits::constant(&name.text) {
            return self.c.report(diagnostic.guess(name.span, own));
        }
        let other = "`:vars` lists what is defined, `:help` shows how to define more";
        let known = self.c.guesses(self.scope, |meaning| !matches!(meaning, Meaning::Encoding(_) | Meaning::Broken));
        self.c.diagnostics.push(suggest(diagnostic, &name.text, known, other));
    }
}
