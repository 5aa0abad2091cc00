//! Walks over expressions.

use super::{Access, BinaryOp, Expr, ReduceOp, UnaryOp};
use crate::ids::IndexVar;

impl Expr {
    /// The expressions that this one is made of, in the order of the text.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Access(_) | Expr::Literal(_) => Vec::new(),
            Expr::Unary(_, a) | Expr::Reduce { body: a, .. } => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
        }
    }

    /// This expression and all below it, in the order of the text, outer before inner.
    pub fn nodes(&self) -> Vec<&Expr> {
        let mut pending = vec![self];
        let mut nodes = Vec::new();
        while let Some(expr) = pending.pop() {
            nodes.push(expr);
            pending.extend(expr.operands().into_iter().rev());
        }
        nodes
    }

    /// The accesses, in the order of the text.
    pub fn accesses(&self) -> Vec<&Access> {
        let access = |expr: &'_ Expr| matches!(expr, Expr::Access(_));
        let accesses = self.nodes().into_iter().filter(|expr| access(expr));
        accesses.filter_map(|expr| if let Expr::Access(access) = expr { Some(access) } else { None }).collect()
    }

    /// The variables used and not bound by a reduction inside, each once, in the order of the text.
    pub fn free_vars(&self) -> Vec<IndexVar> {
        let mut vars = Vec::new();
        let mut add = |var: IndexVar| {
            if !vars.contains(&var) {
                vars.push(var);
            }
        };
        match self {
            Expr::Access(access) => access.indices.iter().copied().for_each(&mut add),
            Expr::Literal(_) => {}
            Expr::Unary(_, a) => return a.free_vars(),
            Expr::Binary(_, a, b) => a.free_vars().into_iter().chain(b.free_vars()).for_each(&mut add),
            Expr::Reduce { vars: bound, body, .. } => {
                body.free_vars().into_iter().filter(|var| !bound.contains(var)).for_each(&mut add);
            }
        }
        vars
    }

    /// How many operations lie on the longest way to a leaf; counted without recursion.
    pub(super) fn depth(&self) -> usize {
        let mut pending = vec![(self, 1)];
        let mut deepest = 0;
        while let Some((expr, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            pending.extend(expr.operands().into_iter().map(|operand| (operand, depth + 1)));
        }
        deepest
    }
}

impl UnaryOp {
    pub const ALL: &'static [UnaryOp] = &[
        UnaryOp::Neg,
        UnaryOp::Abs,
        UnaryOp::Sqrt,
        UnaryOp::Exp,
        UnaryOp::Log,
        UnaryOp::Sin,
        UnaryOp::Cos,
        UnaryOp::Tan,
        UnaryOp::Tanh,
    ];

    pub fn name(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Abs => "abs",
            UnaryOp::Sqrt => "sqrt",
            UnaryOp::Exp => "exp",
            UnaryOp::Log => "log",
            UnaryOp::Sin => "sin",
            UnaryOp::Cos => "cos",
            UnaryOp::Tan => "tan",
            UnaryOp::Tanh => "tanh",
        }
    }
}

impl BinaryOp {
    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
            BinaryOp::Pow => "pow",
        }
    }
}

impl ReduceOp {
    pub fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Prod => "prod",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
        }
    }
}
