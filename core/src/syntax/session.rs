//! The nnz notation: `.nnz` files and what is typed into the REPL.
//!
//! ```text
//! Session    ::= { Statement }
//! Statement  ::= Alias | Definition | Assignment | Use | ProgramCall | Command | Show
//! Alias      ::= '#'Name '=' Attribute                            // MLIR's own text
//! Definition ::= Name ':' TypeSpec '=' Init [ Schedule ]
//! TypeSpec   ::= MLIR type | encoding | name of a format [ '(' numbers ')' ]
//! Init       ::= List | 'dense' '<' (List | Value) '>' | 'sparse' '<' List ',' (List | Value) '>'
//!              | 'read' String | Expr                            // Expr: a scalar, a generator, another tensor's name
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
//! comma between steps, or a schedule follows; `;` ends one too, and a command may follow another on one line.

use super::{
    NodeKind, NodeRef, Parser, SyntaxError, TokenKind, Tree,
    expr::{Lines, at_expr, parse_arguments, parse_expr, parse_value},
};
use crate::source::Span;

/// The tree of a session's text.
pub fn parse(text: impl Into<std::sync::Arc<str>>) -> Tree {
    let mut p = Parser::new(text);
    let root = p.open(NodeKind::Root);
    while !p.at_end() {
        if !p.eat(TokenKind::Semicolon) {
            let start = p.span();
            parse_statement(&mut p);
            // What no statement starts with, such as a lone `#name`, is skipped, so that parsing goes on.
            match p.span() == start && !p.at_end() {
                true => skip_to_next_statement(&mut p),
                false => parse_statement_end(&mut p),
            }
        }
    }
    p.close(root);
    p.finish()
}

fn parse_statement(p: &mut Parser) {
    use TokenKind::*;
    match (p.peek(), p.next_on_line()) {
        (Ident, Colon) => parse_definition(p),
        (Ident, Eq) if p.nth(2) == TokenKind::LBracket => parse_untyped(p),
        (Ident, String) if p.at_word("use") => parse_use(p),
        // For the checker to report: it has no kernel.
        (Ident, Ident) if p.at_word("schedule") => parse_schedule(p),
        (Colon, _) => parse_command(p),
        (AtId, _) => parse_program_call(p),
        (HashId, Eq) => p.parse_attr_alias(),
        _ if at_expr(p) => parse_assignment_or_show(p),
        _ => p.error_expected("a statement", &["A : CSR = read \"file.mtx\"", "y(i) = A(i, j) * x(j)", "y", ":help"]),
    }
}

/// Skips what does not belong to the statement; always makes progress.
fn parse_statement_end(p: &mut Parser) {
    let ended = |p: &Parser| p.newline_before() || matches!(p.peek(), TokenKind::Semicolon | TokenKind::Colon);
    if p.at_end() || ended(p) && at_statement_start(p) {
        return;
    }
    if !ended(p) {
        p.error_expected("the end of the statement", &["+", "*", ";"]);
    }
    skip_to_next_statement(p);
}

fn skip_to_next_statement(p: &mut Parser) {
    let node = p.open(NodeKind::Error);
    loop {
        p.bump();
        if p.at_end() || p.at(TokenKind::Semicolon) || p.newline_before() && at_statement_start(p) {
            break;
        }
    }
    p.close(node);
}

fn at_statement_start(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), Semicolon | Colon | AtId | HashId | BangId) || at_expr(p)
}

/// A new line that can only be another statement: where a bracket is still open, it was forgotten.
fn at_forgotten_bracket(p: &Parser) -> bool {
    use TokenKind::*;
    p.newline_before()
        && match (p.peek(), p.next_on_line()) {
            (Ident, Colon) | (HashId, Eq) | (Colon, Ident) => true,
            (Ident, String) => p.at_word("use"),
            _ => false,
        }
}

fn parse_use(p: &mut Parser) {
    let node = p.open(NodeKind::Use);
    p.bump();
    p.bump();
    p.close(node);
}

/// `@f(A, 2.5, [1, 2], "file.mtx")`
fn parse_program_call(p: &mut Parser) {
    let node = p.open(NodeKind::ProgramCall);
    p.bump();
    if p.at(TokenKind::LParen) {
        parse_given(p);
    } else {
        p.error_expected("`(`", &[]);
    }
    p.close(node);
}

fn parse_given(p: &mut Parser) {
    p.bump();
    while !p.at(TokenKind::RParen) && !p.at_end() && !at_forgotten_bracket(p) {
        let before = p.span();
        match p.peek() {
            TokenKind::String => {
                let node = p.open(NodeKind::StringArg);
                p.bump();
                p.close(node);
            }
            _ => parse_init(p, Lines::Continue),
        }
        if !p.eat(TokenKind::Comma) || p.span() == before {
            break;
        }
    }
    if !p.eat(TokenKind::RParen) {
        p.error_expected("`,` or `)`", &[]);
        p.skip_until(|p| p.newline_before() || p.at(TokenKind::RParen));
        p.eat(TokenKind::RParen);
    }
}

fn parse_definition(p: &mut Parser) {
    let node = p.open(NodeKind::Definition);
    p.bump();
    p.bump();
    parse_type_spec(p);
    if p.expect(TokenKind::Eq) {
        match p.at(TokenKind::AtId) {
            true => parse_program_call(p),
            false => parse_init(p, Lines::End),
        }
        parse_schedule(p);
    }
    p.close(node);
}

/// `x = [1, 2]`: a dense tensor whose type follows from the literal.
fn parse_untyped(p: &mut Parser) {
    let node = p.open(NodeKind::Definition);
    p.bump();
    p.bump();
    parse_init(p, Lines::End);
    p.close(node);
}

/// A type, an encoding, or the name of a format or element type.
fn parse_type_spec(p: &mut Parser) {
    let node = p.open(NodeKind::TypeSpec);
    if p.at_tensor_type() || p.at_word("complex") {
        p.parse_type();
    } else if p.at(TokenKind::Ident) {
        p.parse_format_name();
    } else {
        p.parse_encoding_slot();
    }
    p.close(node);
}

fn parse_assignment_or_show(p: &mut Parser) {
    let from = p.checkpoint();
    parse_expr(p, Lines::End);
    // The results of a program's function.
    while p.at(TokenKind::Comma) && p.next_on_line() == TokenKind::Ident && !p.newline_before() {
        p.bump();
        parse_expr(p, Lines::End);
    }
    let assigns = (p.at(TokenKind::Colon) || p.at(TokenKind::Eq) || at_update(p)) && !p.newline_before();
    if !assigns {
        return p.wrap(from, NodeKind::Show);
    }
    if p.eat(TokenKind::Colon) {
        parse_type_spec(p);
    }
    if eat_update(p) || p.expect(TokenKind::Eq) {
        match p.at(TokenKind::AtId) {
            true => parse_program_call(p),
            false => parse_expr(p, Lines::End),
        }
        parse_schedule(p);
    }
    p.wrap(from, NodeKind::Assignment);
}

/// A new line starts with a schedule only where a step follows on it: a tensor could have the name.
fn at_schedule(p: &Parser) -> bool {
    p.at_word("schedule") && (!p.newline_before() || p.next_on_line() == TokenKind::Ident)
}

fn parse_schedule(p: &mut Parser) {
    if !at_schedule(p) {
        return;
    }
    let node = p.open(NodeKind::Schedule);
    p.bump();
    while parse_step(p) && p.at(TokenKind::Comma) {
        p.bump();
    }
    p.close(node);
}

/// Whether there is one. Arguments that are missing altogether are for the checker to report, which knows how
/// many there should be.
fn parse_step(p: &mut Parser) -> bool {
    if !p.at(TokenKind::Ident) {
        p.error_expected("a step of a schedule", &["split(i, i0, i1, 16)", "reorder(i, j)"]);
        return false;
    }
    let node = p.open(NodeKind::Step);
    p.bump();
    if p.at(TokenKind::LParen) && !p.newline_before() {
        parse_arguments(p);
    }
    p.close(node);
    true
}

fn at_update(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), PlusEq | MinusEq | StarEq | SlashEq) || at_word_update(p)
}

/// `min=` or `max=`
fn at_word_update(p: &Parser) -> bool {
    (p.at_word("min") || p.at_word("max")) && p.nth(1) == TokenKind::Eq
}

fn eat_update(p: &mut Parser) -> bool {
    let (found, words) = (at_update(p), at_word_update(p));
    if found {
        p.bump();
    }
    if words {
        p.bump();
    }
    found
}

fn parse_init(p: &mut Parser, lines: Lines) {
    match (p.peek(), p.next_on_line()) {
        (TokenKind::LBracket, _) => parse_list(p),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("dense") => parse_elements(p, NodeKind::DenseLiteral),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("sparse") => parse_elements(p, NodeKind::SparseLiteral),
        (TokenKind::Ident, TokenKind::String) if p.at_word("read") => {
            let node = p.open(NodeKind::Read);
            p.bump();
            p.bump();
            p.close(node);
        }
        _ => parse_expr(p, lines),
    }
}

/// `dense<...>` or `sparse<..., ...>`
fn parse_elements(p: &mut Parser, kind: NodeKind) {
    let node = p.open(kind);
    p.bump();
    p.bump();
    if !p.at(TokenKind::Gt) {
        parse_item(p);
        while p.eat(TokenKind::Comma) {
            parse_item(p);
        }
    }
    p.expect(TokenKind::Gt);
    p.close(node);
}

fn parse_list(p: &mut Parser) {
    if p.too_deep() {
        return;
    }
    let node = p.open(NodeKind::ListLiteral);
    p.bump();
    while !p.at(TokenKind::RBracket) && !p.at_end() && !at_forgotten_bracket(p) {
        parse_item(p);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    if !p.eat(TokenKind::RBracket) {
        p.error_expected("`,` or `]`", &[]);
        p.skip_until(|p| p.newline_before() || p.at(TokenKind::RBracket));
        p.eat(TokenKind::RBracket);
    }
    p.close(node);
}

fn parse_item(p: &mut Parser) {
    match p.peek() {
        TokenKind::LBracket => parse_list(p),
        _ => parse_value(p),
    }
}

fn parse_command(p: &mut Parser) {
    let node = p.open(NodeKind::Command);
    p.bump();
    if p.at(TokenKind::Ident) && !p.newline_before() {
        let help = p.at_word("help");
        p.bump();
        if help && !p.newline_before() {
            p.eat(TokenKind::Colon);
        }
        while !p.newline_before() && parse_command_argument(p) {}
    } else {
        p.error_expected("the name of a command", &[]);
    }
    p.close(node);
}

fn parse_command_argument(p: &mut Parser) -> bool {
    match p.peek() {
        TokenKind::String => {
            let node = p.open(NodeKind::StringArg);
            p.bump();
            p.close(node);
        }
        TokenKind::LBrace => parse_format_set(p),
        _ if at_expr(p) => parse_expr(p, Lines::End),
        _ => return false,
    }
    true
}

fn parse_format_set(p: &mut Parser) {
    let node = p.open(NodeKind::FormatSet);
    p.bump();
    while !p.at(TokenKind::RBrace) && !p.at_end() {
        parse_type_spec(p);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::RBrace);
    p.close(node);
}

/// One statement and the syntax errors in it.
#[derive(Clone, Debug)]
pub struct Statement<'t> {
    pub span: Span,
    /// `None` where the text is no statement at all.
    pub node: Option<NodeRef<'t>>,
    pub errors: Vec<&'t SyntaxError>,
}

/// The statements of a tree in order; every syntax error belongs to exactly one of them.
pub fn statements(tree: &Tree) -> Vec<Statement<'_>> {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for node in tree.root().children() {
        let own = (node.kind() != NodeKind::Error).then_some(node);
        match statements.last_mut() {
            // What was skipped belongs to the statement that it spoils.
            Some(last) if own.is_none() => last.span = last.span.cover(node.span()),
            _ => statements.push(Statement { span: node.span(), node: own, errors: Vec::new() }),
        }
    }
    let starts: Vec<u32> = statements.iter().map(|statement| statement.span.start).collect();
    for error in tree.errors() {
        let after = starts.partition_point(|&start| start <= error.span.start);
        match statements.get_mut(after.saturating_sub(1)) {
            Some(statement) => statement.errors.push(error),
            None => statements.push(Statement { span: error.span, node: None, errors: vec![error] }),
        }
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let tree = parse(text);
        assert_eq!(tree.tokens().map(|token| token.text()).collect::<String>(), text);
        let errors: String = tree.errors().iter().map(|e| format!("error: {}\n", e.message)).collect();
        let statements: String = tree.root().children().map(|node| format!("{node:?}")).collect();
        expect.assert_eq(&(statements + &errors));
    }

    #[test]
    fn definitions() {
        check(
            "x : f64 = -2.5 // a scalar\nA : CSR =\n  [[1, 0],\n   [0, 2]]\nB : CSC = sparse<[[0, 1]], 3>; C : CSR = read \"c.mtx\"",
            expect![[r#"
                Definition "x : f64 = -2.5"
                  TypeSpec "f64"
                    FormatName "f64"
                  Unary "-2.5"
                    Number "2.5"
                Definition "A : CSR =\n  [[1, 0],\n   [0, 2]]"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  ListLiteral "[[1, 0],\n   [0, 2]]"
                    ListLiteral "[1, 0]"
                      Number "1"
                      Number "0"
                    ListLiteral "[0, 2]"
                      Number "0"
                      Number "2"
                Definition "B : CSC = sparse<[[0, 1]], 3>"
                  TypeSpec "CSC"
                    FormatName "CSC"
                  SparseLiteral "sparse<[[0, 1]], 3>"
                    ListLiteral "[[0, 1]]"
                      ListLiteral "[0, 1]"
                        Number "0"
                        Number "1"
                    Number "3"
                Definition "C : CSR = read \"c.mtx\""
                  TypeSpec "CSR"
                    FormatName "CSR"
                  Read "read \"c.mtx\""
            "#]],
        );
    }

    #[test]
    fn kernels_and_commands() {
        check(
            "y(i) : CSR = A(i, j) *\n  max(k, B(j, k))\ny\n:show levels y  :time y\n:compare y with A in {CSR, BSR(2, 2)}\n:help :show",
            expect![[r#"
                Assignment "y(i) : CSR = A(i, j) *\n  max(k, B(j, k))"
                  Call "y(i)"
                    Name "i"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  Binary "A(i, j) *\n  max(k, B(j, k))"
                    Call "A(i, j)"
                      Name "i"
                      Name "j"
                    Call "max(k, B(j, k))"
                      Name "k"
                      Call "B(j, k)"
                        Name "j"
                        Name "k"
                Show "y"
                  Name "y"
                Command ":show levels y"
                  Name "levels"
                  Name "y"
                Command ":time y"
                  Name "y"
                Command ":compare y with A in {CSR, BSR(2, 2)}"
                  Name "y"
                  Name "with"
                  Name "A"
                  Name "in"
                  FormatSet "{CSR, BSR(2, 2)}"
                    TypeSpec "CSR"
                      FormatName "CSR"
                    TypeSpec "BSR(2, 2)"
                      FormatName "BSR(2, 2)"
                        FormatArgs "(2, 2)"
                          Value "2"
                          Value "2"
                Command ":help :show"
                  Name "show"
            "#]],
        );
    }

    #[test]
    fn calls_of_programs() {
        check(
            "@f(A, 2.5, \"a.mtx\")\nb, c = @g(dense<1>)\nB : CSR = @h([1],\n  read \"a.mtx\")\n@k(A\nB : f64 = 1",
            expect![[r#"
                ProgramCall "@f(A, 2.5, \"a.mtx\")"
                  Name "A"
                  Number "2.5"
                  StringArg "\"a.mtx\""
                Assignment "b, c = @g(dense<1>)"
                  Name "b"
                  Name "c"
                  ProgramCall "@g(dense<1>)"
                    DenseLiteral "dense<1>"
                      Number "1"
                Definition "B : CSR = @h([1],\n  read \"a.mtx\")"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  ProgramCall "@h([1],\n  read \"a.mtx\")"
                    ListLiteral "[1]"
                      Number "1"
                    Read "read \"a.mtx\""
                ProgramCall "@k(A"
                  Name "A"
                Definition "B : f64 = 1"
                  TypeSpec "f64"
                    FormatName "f64"
                  Number "1"
                error: expected `,` or `)`, found `B`
            "#]],
        );
    }

    #[test]
    fn schedules() {
        check(
            "y(i) = x(i) schedule split(i, i0, i1, 2),\n  unroll(i1, 2)\ns : f64 = x(i)\n  schedule unroll(i, 2)\nschedule(i) = x(i)",
            expect![[r#"
                Assignment "y(i) = x(i) schedule split(i, i0, i1, 2),\n  unroll(i1, 2)"
                  Call "y(i)"
                    Name "i"
                  Call "x(i)"
                    Name "i"
                  Schedule "schedule split(i, i0, i1, 2),\n  unroll(i1, 2)"
                    Step "split(i, i0, i1, 2)"
                      Name "i"
                      Name "i0"
                      Name "i1"
                      Number "2"
                    Step "unroll(i1, 2)"
                      Name "i1"
                      Number "2"
                Definition "s : f64 = x(i)\n  schedule unroll(i, 2)"
                  TypeSpec "f64"
                    FormatName "f64"
                  Call "x(i)"
                    Name "i"
                  Schedule "schedule unroll(i, 2)"
                    Step "unroll(i, 2)"
                      Name "i"
                      Number "2"
                Assignment "schedule(i) = x(i)"
                  Call "schedule(i)"
                    Name "i"
                  Call "x(i)"
                    Name "i"
            "#]],
        );
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
                error: expected `,` or `]`, found `B`
                error: expected an expression, found `)`
            "#]],
        );
        check(
            ") ] } =\n:show tree A",
            expect![[r#"
            Error ") ] } ="
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
        ] {
            assert!(parse(text).is_incomplete(), "{text}: {:?}", parse(text).errors());
        }
        for text in ["", "y", "y(i) = x(i)", "#CSR", "x\n#CSR\n!t\n@f", ":help", "y(i) = )", "A : CSR = ] [", "// c"] {
            assert!(!parse(text).is_incomplete(), "{text}");
        }
    }

    #[test]
    fn errors_belong_to_their_statement() {
        let tree = parse("x : f64 = )\ny ]\nz");
        let cut: Vec<(&str, usize)> =
            statements(&tree).iter().map(|s| (&tree.text()[s.span.range()], s.errors.len())).collect();
        assert_eq!(cut, [("x : f64 = )", 1), ("y ]", 1), ("z", 0)]);
    }
}
