//! Index notation as the literature writes it, read without the product's own grammar.
//!
//! ```text
//! assign ::= access '=' expr          expr   ::= term (('+' | '-') term)*
//! term   ::= factor (('*' | '/') factor)*
//! factor ::= '-' factor | '(' expr ')' | number | access | function '(' expr (',' expr)* ')'
//!          | reduction '(' var (',' var)* ',' expr ')'
//!          | semiring '(' var (',' var)* ',' expr ',' expr ')'                  min_plus, any_pair, ...
//!          | ('with' | 'without') '(' access ',' expr ')'                       a mask
//!          | ('least' | 'greatest') '(' access ',' reduction ')'                an old value that is updated
//! access ::= tensor ('(' var (',' var)* ')')?
//! ```

use nnz_core::{
    element::Scalar,
    ids::{IndexVar, TensorId},
    kernel::{Access, BinaryOp, Expr, Nothing, Over, ReduceOp, Tensor, UnaryOp},
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
        if let Some((add, multiply)) = name.split_once('_') {
            return self.semiring(add, multiply);
        }
        if let "with" | "without" | "least" | "greatest" = name {
            return self.beside(name);
        }
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
        let expr = match UnaryOp::all().find(|op| op.name() == name) {
            Some(op) => Expr::Unary(op, first),
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

    /// A product over a semiring.
    fn semiring(&mut self, add: &str, multiply: &str) -> Result<Expr, String> {
        let additions = [
            ("plus", ReduceOp::Sum),
            ("times", ReduceOp::Prod),
            ("min", ReduceOp::Min),
            ("max", ReduceOp::Max),
            ("any", ReduceOp::Pick),
        ];
        let op = additions.into_iter().find(|(name, _)| *name == add).ok_or_else(|| format!("no addition {add}"))?.1;
        let mut vars = Vec::new();
        while self.is_var() {
            vars.push(self.var()?);
            self.expect(",")?;
        }
        let a = self.expr()?;
        self.expect(",")?;
        let b = self.expr()?;
        self.expect(")")?;
        let both = |op| Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
        let term = match multiply {
            "first" => a.clone(),
            "second" => b.clone(),
            "pair" => Expr::literal(self.tensors[0].element, Scalar::Int(1)),
            "plus" => both(BinaryOp::Add),
            "times" => both(BinaryOp::Mul),
            "max" => both(BinaryOp::Max),
            other => return Err(format!("no multiplication {other}")),
        };
        let body = Box::new(Expr::regions([a, b], Some(term), None, None));
        Ok(Expr::Reduce { op, over: Over::Stored, vars, body })
    }

    /// A mask, or an old value, and a reduction over stored terms.
    fn beside(&mut self, name: &str) -> Result<Expr, String> {
        let first = Box::new(self.expr()?);
        self.expect(",")?;
        let second = Box::new(self.expr()?);
        self.expect(")")?;
        let (op, nothing) = match name {
            "with" => return Ok(Expr::Present { of: first, then: Some(second), other: None }),
            "without" => return Ok(Expr::Present { of: first, then: None, other: Some(second) }),
            "least" => (BinaryOp::Min, Nothing::Greatest),
            _ => (BinaryOp::Max, Nothing::Least),
        };
        let Expr::Reduce { op: by, vars, body, .. } = &*second else { return Err("no reduction".to_string()) };
        let (vars, body) = (vars.clone(), body.clone());
        let or_nothing = Expr::Reduce { op: by.clone(), over: Over::StoredOr(nothing), vars, body };
        let then = Some(Box::new(Expr::Binary(op, first.clone(), Box::new(or_nothing))));
        Ok(Expr::Present { of: first, then, other: Some(second) })
    }

    /// A word that is no tensor, with a comma after it.
    fn is_var(&self) -> bool {
        let word = self.peek();
        let is_word = word.chars().next().is_some_and(char::is_alphabetic);
        is_word && self.tensor(word).is_none() && self.tokens.get(self.at + 1).is_some_and(|token| token == ",")
    }
}
