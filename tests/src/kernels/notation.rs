//! Index notation as the literature writes it, read without the product's own grammar.
//!
//! ```text
//! assign ::= access '=' expr          expr   ::= term (('+' | '-') term)*
//! term   ::= factor (('*' | '/') factor)*
//! factor ::= '-' factor | '(' expr ')' | number | access | function '(' expr (',' expr)* ')'
//!          | reduction '(' var (',' var)* ',' expr ')'
//! access ::= tensor ('(' var (',' var)* ')')?
//! ```

use nnz_core::{
    element::Scalar,
    ids::{IndexVar, TensorId},
    kernel::{Access, BinaryOp, Expr, ReduceOp, Tensor, UnaryOp},
};

#[derive(Debug)]
pub struct Parsed {
    pub vars: Vec<String>,
    pub result: Access,
    pub expr: Expr,
}

/// # Errors
/// Where the text stops being an assignment over `tensors`.
pub fn parse(text: &str, tensors: &[Tensor]) -> Result<Parsed, String> {
    let mut parser = Parser { tokens: tokens(text), at: 0, tensors, vars: Vec::new() };
    let result = match parser.word().and_then(|name| parser.tensor(&name)) {
        Some(tensor) => parser.access(tensor)?,
        None => return Err(format!("no result in `{text}`")),
    };
    parser.expect("=")?;
    let expr = parser.expr()?;
    match parser.peek() {
        "" => Ok(Parsed { vars: parser.vars, result, expr }),
        rest => Err(format!("unexpected `{rest}` in `{text}`")),
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut joins = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_' || c == '.';
        match tokens.last_mut().filter(|_| is_word && joins) {
            Some(word) => word.push(c),
            None if c.is_whitespace() => {}
            None => tokens.push(c.to_string()),
        }
        joins = is_word;
    }
    tokens
}

struct Parser<'t> {
    tokens: Vec<String>,
    at: usize,
    tensors: &'t [Tensor],
    vars: Vec<String>,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }
    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) { Ok(()) } else { Err(format!("expected `{token}` before `{}`", self.peek())) }
    }
    fn word(&mut self) -> Option<String> {
        let word = self.peek().to_string();
        word.chars().next().filter(|c| c.is_alphabetic())?;
        self.at += 1;
        Some(word)
    }
    fn tensor(&self, name: &str) -> Option<TensorId> {
        self.tensors.iter().position(|tensor| tensor.name == name).map(TensorId::new)
    }
    fn var(&mut self) -> Result<IndexVar, String> {
        let name = self.word().ok_or_else(|| format!("expected a variable before `{}`", self.peek()))?;
        let at = self.vars.iter().position(|var| *var == name);
        Ok(IndexVar::new(at.unwrap_or_else(|| {
            self.vars.push(name);
            self.vars.len() - 1
        })))
    }

    fn access(&mut self, tensor: TensorId) -> Result<Access, String> {
        let mut indices = Vec::new();
        if self.accept("(") {
            indices.push(self.var()?);
            while self.accept(",") {
                indices.push(self.var()?);
            }
            self.expect(")")?;
        }
        Ok(Access::of_vars(tensor, &indices))
    }

    fn expr(&mut self) -> Result<Expr, String> {
        let mut left = self.term()?;
        loop {
            let op = match self.peek() {
                "+" => BinaryOp::Add,
                "-" => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Binary(op, Box::new(left), Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Expr, String> {
        let mut left = self.factor()?;
        loop {
            let op = match self.peek() {
                "*" => BinaryOp::Mul,
                "/" => BinaryOp::Div,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Binary(op, Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Expr, String> {
        if self.accept("-") {
            return Ok(Expr::Unary(UnaryOp::Neg, Box::new(self.factor()?)));
        }
        if self.accept("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let Some(name) = self.word() else { return self.number() };
        if let Some(tensor) = self.tensor(&name) {
            return Ok(Expr::Access(self.access(tensor)?));
        }
        self.expect("(")?;
        self.function(&name)
    }

    fn number(&mut self) -> Result<Expr, String> {
        let text = self.peek().to_string();
        self.at += 1;
        let whole = text.parse().map(Scalar::Int).ok();
        let scalar = whole.or_else(|| text.parse().map(Scalar::Float).ok());
        scalar
            .map(|scalar| Expr::literal(self.tensors[0].element, scalar))
            .ok_or_else(|| format!("expected an operand before `{text}`"))
    }

    fn function(&mut self, name: &str) -> Result<Expr, String> {
        let reduction = [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max];
        let mut vars = Vec::new();
        if let Some(op) = reduction.into_iter().find(|op| op.name() == name) {
            while self.is_var() {
                vars.push(self.var()?);
                self.expect(",")?;
            }
            if !vars.is_empty() {
                let body = Box::new(self.expr()?);
                self.expect(")")?;
                return Ok(Expr::reduce(op, vars, *body));
            }
        }
        let first = Box::new(self.expr()?);
        let expr = match UnaryOp::ALL.iter().find(|op| op.name() == name) {
            Some(op) => Expr::Unary(*op, first),
            None => {
                let binary = [BinaryOp::Min, BinaryOp::Max, BinaryOp::Pow];
                let op =
                    binary.into_iter().find(|op| op.name() == name).ok_or_else(|| format!("no function {name}"))?;
                self.expect(",")?;
                Expr::Binary(op, first, Box::new(self.expr()?))
            }
        };
        self.expect(")")?;
        Ok(expr)
    }

    /// A word that is no tensor, with a comma after it.
    fn is_var(&self) -> bool {
        let word = self.peek();
        let is_word = word.chars().next().is_some_and(char::is_alphabetic);
        is_word && self.tensor(word).is_none() && self.tokens.get(self.at + 1).is_some_and(|token| token == ",")
    }
}
