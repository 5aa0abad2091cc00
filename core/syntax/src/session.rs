//! The nnz notation: `.nnz` files and what is typed into the REPL.
//!
//! ```text
//! Session    ::= { Statement }
//! Statement  ::= Alias | Definition | Assignment | Use | ProgramCall | Command | Show
//! Alias      ::= '#'Name '=' Attribute                            // MLIR's own text
//! Definition ::= Name [ ':' TypeSpec ] '=' Init [ Schedule ]      // without a type: a list, else the checker offers one
//! TypeSpec   ::= MLIR type | encoding | name of a format [ '(' numbers ')' ]
//! Init       ::= List | 'dense' '<' (List | Value) '>' | 'sparse' '<' List ',' (List | Value) '>'
//!              | 'read' String | Decomposition | Expr            // Expr: a scalar, a generator, another tensor's name
//! Decomposition ::= 'decompose' '(' Expr ',' '[' TypeSpec { ',' TypeSpec } ']' { ',' Arg } ')'
//! List       ::= '[' [ (List | Expr) { ',' (List | Expr) } ] ']'
//! Assignment ::= Name [ '(' Indices ')' ] [ ':' TypeSpec ] ('=' | Update) Expr [ Schedule ]
//! Schedule   ::= 'schedule' Step { ',' Step }                   // may start the next line
//! Step       ::= Name '(' Args ')'
//! Update     ::= '+=' | '-=' | '*=' | '/=' | 'min' '=' | 'max' '='
//! Use        ::= 'use' String
//! ProgramCall ::= [ Name { ',' Name } [ ':' TypeSpec ] '=' ] '@'Name '(' [ Given { ',' Given } ] ')'
//! Given      ::= Init | String
//! Command    ::= ':' Name { String | '{' TypeSpec { ',' TypeSpec } '}' | Expr }
//! Show       ::= Expr
//! ```
//!
//! A statement ends with its line, unless a bracket is open, the line ends with an operator, `=`, `:` or a
//! comma between steps, a schedule follows, or the next line is indented deeper and begins with an operator; `;` ends
//! one too. A command may follow another on one line without it.
//!
//! Every token belongs to something: a token that is not part of a statement is an error at its place.

mod assignment;
mod command;
mod decomposition;
mod definition;
mod edited;
mod foreign_type;
mod habit;
mod init;
mod pasted;
mod program;
mod schedule;
mod statements;
mod stray;

use super::{NodeKind, Parser, SyntaxError, TokenKind, Tree, expr::at_expr, parser::LineStart, words::is_operator};
use assignment::parse_assignment_or_show;
use command::parse_command;
use definition::{parse_definition, parse_untyped};
pub use edited::edited;
use nnz_base::source::Span;
use program::{calls_at, parse_program_call};
use schedule::parse_schedule;
pub use statements::{Statement, statements};

/// The tree of a session's text.
pub fn parse(text: impl Into<std::sync::Arc<str>>) -> Tree {
    parse_by(text, parse_bounded_statement)
}

/// The tree of a type alone; anything after it is an error.
pub fn parse_type(text: impl Into<std::sync::Arc<str>>) -> Tree {
    parse_alone(text, definition::parse_type_spec)
}

/// The tree of an argument of a call alone; anything after it is an error.
pub fn parse_argument(text: impl Into<std::sync::Arc<str>>) -> Tree {
    parse_alone(text, program::parse_argument)
}

fn parse_alone(text: impl Into<std::sync::Arc<str>>, parse: fn(&mut Parser)) -> Tree {
    let mut p = Parser::new(text);
    let root = p.open(NodeKind::Root);
    parse(&mut p);
    if !p.at_end() {
        let message = format!("expected nothing more, found `{}`", p.peek_text());
        p.report(SyntaxError::new(p.span(), message).label("not part of it"));
        let rest = p.open(NodeKind::Error);
        while !p.at_end() {
            p.bump();
        }
        p.close(rest);
    }
    p.close(root);
    p.finish()
}

/// Whether a text ends in the middle of a statement, and more text could complete it. A line that could begin another
/// statement continues one that is open.
pub fn is_incomplete(text: &str) -> bool {
    parse_by(text, parse_open_statement).is_incomplete()
}

fn parse_by(text: impl Into<std::sync::Arc<str>>, parse_statement: fn(&mut Parser)) -> Tree {
    let mut p = Parser::new(text);
    p.set_fences(begins_definition_or_command);
    let root = p.open(NodeKind::Root);
    pass_data(&mut p);
    let mut parts = 0;
    while !p.at_end() {
        parts = if p.newline_before() || p.at(TokenKind::Semicolon) { 0 } else { parts + 1 };
        if parts > MOST_PARTS {
            report_parts(&mut p);
        } else if !p.eat(TokenKind::Semicolon) {
            parse_statement(&mut p);
        }
    }
    p.close(root);
    p.finish()
}

/// The numbers of a Matrix Market file are no statements: told once.
fn pass_data(p: &mut Parser) {
    const HEAD: &str = "%%MatrixMarket";
    if !p.rest().starts_with(HEAD) {
        return;
    }
    let (start, end) = (p.span().start as usize, p.span().start as usize + p.rest().len());
    let error =
        SyntaxError::new(Span::new(start, start + HEAD.len()), "this is a Matrix Market file, and no text of nnz");
    p.report(
        error
            .label("data")
            .help("under a name that ends in `.mtx` a statement reads it: `A : CSR = read \"file.mtx\"`"),
    );
    let node = p.open(NodeKind::Stray);
    p.bump_until(end);
    p.close(node);
}

/// So many statements may stand on a line without a `;` between them, which is wrong: each looks at all the rest of the line
/// for what is meant.
const MOST_PARTS: usize = 64;

fn report_parts(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), format!("more than {MOST_PARTS} statements stand on this line"));
    p.report(error.label("the rest is not read").help("a statement ends with its line, or with `;`"));
    stray::skip_line(p);
}

/// A statement, or text that is not one. A statement that has errors and continues past a line that could begin another
/// was not finished: it ends before that line. So does `A :` before a line like `b = ...`.
fn parse_bounded_statement(p: &mut Parser) {
    if pasted::parse_pasted(p) || habit::parse_block(p) {
        return;
    }
    let (from, column) = (p.bookmark(), p.line_start().column());
    let follows = |line: LineStart<'_>| line.column() <= column && line.next() == TokenKind::Eq;
    if (p.peek(), p.next_on_line()) == (TokenKind::Ident, TokenKind::Colon)
        && p.ended_with_line(2, follows, parse_whole_statement)
    {
        return;
    }
    p.fenced_at(column, parse_whole_statement);
    p.retry_up_to(&from, |line| line.column() <= column && may_begin_statement(line), parse_whole_statement);
}

/// A statement, or text that is not one, with all lines that can belong to it.
fn parse_open_statement(p: &mut Parser) {
    if !pasted::parse_pasted(p) && !habit::parse_block(p) {
        p.fenced_at(p.line_start().column(), parse_whole_statement);
    }
}

/// A statement, and stray text after it; always makes progress.
fn parse_whole_statement(p: &mut Parser) {
    p.begin_statement();
    let (start, errors, command) = (p.checkpoint(), p.error_count(), p.at(TokenKind::Colon));
    if !habit::parse_habit(p) {
        parse_statement(p);
    }
    if !p.moved_since(start) {
        stray::skip_line(p);
    } else if !(at_statement_end(p) || command && p.at(TokenKind::Colon)) {
        stray::report(p, start, errors);
    }
    if p.error_count() > errors {
        schedule::pass_schedule(p);
    }
    p.claim_errors(errors);
}

/// A line that can only be another statement, whatever is still open before it.
fn begins_definition_or_command(line: LineStart<'_>) -> bool {
    use TokenKind::*;
    match (line.kind(), line.next()) {
        (HashId, Eq) | (Colon, Ident) => true,
        // A level of an encoding that goes over several lines has no `=`.
        (Ident, Colon) => line.holds(Eq),
        (Ident, String) => line.text() == "use",
        _ => false,
    }
}

fn may_begin_statement(line: LineStart<'_>) -> bool {
    use TokenKind::*;
    let word = line.kind() == Ident && !is_operator(line.text()) && line.text() != "schedule";
    word || matches!(line.kind(), HashId | AtId | Colon)
}

fn parse_statement(p: &mut Parser) {
    use TokenKind::*;
    match (p.peek(), p.next_on_line()) {
        (Ident, Colon) if habit::at_misassigned_name(p) => parse_assignment_or_show(p),
        (Ident, Colon) => parse_definition(p),
        (Ident, Eq) if p.nth(2) == HashId && p.nth_text(2) == "#sparse_tensor.encoding" => {
            habit::parse_nameless_encoding(p);
        }
        (Ident, Eq) if !calls_at(p, 2) => parse_untyped(p),
        (Ident, String) if p.at_word("use") => parse_use(p),
        (Ident, Ident) if p.at_word("schedule") && p.nth(2) == Colon => schedule::parse_schedule_of_name(p),
        // For the checker to report: it has no kernel.
        (Ident, Ident) if p.at_word("schedule") => parse_schedule(p),
        (Colon, _) => parse_command(p),
        (AtId, _) | (Ident, AtId) if calls_at(p, 0) => parse_program_call(p),
        (HashId, Eq) => p.parse_attr_alias(),
        (HashId, EqEq | Colon) if p.at_other_sign(1) => p.parse_attr_alias(),
        (HashId, HashId | Colon) if habit::at_alias_without_sign(p) => habit::parse_alias_without_sign(p),
        _ if at_expr(p) => parse_assignment_or_show(p),
        _ => stray::report_start(p),
    }
}

/// A line that begins with an operator continues the statement if it is indented.
fn at_statement_end(p: &Parser) -> bool {
    let ended = p.newline_before() || p.at(TokenKind::Semicolon);
    p.at_end() || ended && !(p.at_continuation() && stray::at_operator(p))
}

fn at_statement_start(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), Semicolon | Colon | AtId | HashId | BangId) || at_expr(p)
}

fn parse_use(p: &mut Parser) {
    let node = p.open(NodeKind::Use);
    p.bump();
    bump_string(p);
    p.close(node);
}

/// Consumes a string, which must be closed.
fn bump_string(p: &mut Parser) {
    if p.at_open_string() {
        let end = p.span().end as usize;
        let error = SyntaxError::new(p.span(), "this string is never closed: `\"` is missing");
        p.report(error.label("no `\"` closes this").guess("insert `\"`", vec![(Span::at(end), "\"".to_string())]));
    }
    p.bump();
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    pub(super) fn check(text: &str, expect: Expect) {
        let tree = parse(text);
        assert_eq!(tree.tokens().map(|token| token.text()).collect::<String>(), text);
        let errors: String = tree.errors().iter().map(|e| format!("error: {}\n", e.message)).collect();
        let statements: String = tree.root().children().map(|node| format!("{node:?}")).collect();
        expect.assert_eq(&(statements + &errors));
    }

    #[test]
    fn one_mistake_does_not_hide_the_next_statement() {
        check(
            "A : CSR = [[1, 2],\nB : CSR = read \"b\"\ny(i) = ) 3\nz",
            expect![[r#"
                Definition "A : CSR = [[1, 2],"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  ListLiteral "[[1, 2],"
                    ListLiteral "[1, 2]"
                      Number "1"
                      Number "2"
                Definition "B : CSR = read \"b\""
                  TypeSpec "CSR"
                    FormatName "CSR"
                  Read "read \"b\""
                Assignment "y(i) ="
                  Call "y(i)"
                    Name "i"
                Error ") 3"
                Show "z"
                  Name "z"
                error: `]` is missing
                error: expected an expression, found `)`
            "#]],
        );
        check(
            ") ] } =\n:show tree A",
            expect![[r#"
                Stray ") ] } ="
                Command ":show tree A"
                  Name "tree"
                  Name "A"
                error: expected a statement, found `)`
            "#]],
        );
    }

    #[test]
    fn what_more_text_could_mend_is_incomplete() {
        for text in [
            "y(i) =",
            "y(i) = A(i, j) *",
            "A : CSR = [[1,",
            "A : CSR = [",
            "y(",
            "A :",
            "A : CSR =",
            ":compare y in {CSR,",
            "@f(A,",
            "b = @f(",
            "y(i) = x(i) schedule",
            "y(i) = x(i) schedule split(i, i0,",
            "y(i) = x(i) schedule split(i, i0, i1, 2),",
            "y(i) = W(i, j) * (\nx(j",
            "y(i) = W(i, j) *\nx(j",
            "y(i) = W(i, j) * (\nx(j)",
        ] {
            assert!(is_incomplete(text), "{text}: {:?}", parse(text).errors());
        }
        for text in ["", "y", "y(i) = x(i)", "#CSR", "x\n#CSR\n!t\n@f", ":help", "y(i) = )", "A : CSR = ] [", "// c"] {
            assert!(!is_incomplete(text), "{text}");
        }
    }
}
