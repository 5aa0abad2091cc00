//! Walking over statements and expressions, and making others of them.

use nnz_base::element::Element;
use nnz_tir::model::{
    Access, Argument, Block, BlockVariable, Expr, ExprKind, Intrinsic, Loop, Region, Statement, StatementKind,
};

use crate::fault::{Done, unread};

/// What a lowering makes of the parts of a function; all else stays as it is.
pub(crate) trait Rewrite<'f> {
    /// A variable; `expr` is one.
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr>;
    /// The value of an element.
    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr>;
    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind>;
    /// What a block says that it reads or writes; `None` where it is to be inferred.
    fn regions(&mut self, regions: &'f [Region]) -> Done<Option<Vec<Region>>>;
    /// A statement that becomes something of its own.
    fn special(&mut self, statement: &'f Statement) -> Done<Option<Vec<Statement>>>;

    fn expr(&mut self, expr: &'f Expr) -> Done<Expr> {
        let (place, element) = (expr.place, expr.element());
        let made = match expr.kind() {
            ExprKind::Variable(_) => return self.variable(expr),
            ExprKind::Load(access) => return self.load(access, element),
            ExprKind::Unary(op, operand) => Expr::unary(place, *op, self.expr(operand)?),
            ExprKind::Binary(op, left, right) => Expr::binary(place, *op, self.expr(left)?, self.expr(right)?),
            ExprKind::Math(math, operand) => Expr::math(place, math, self.expr(operand)?),
            ExprKind::Cast(operand) => return Ok(self.expr(operand)?.into_type(element)),
            ExprKind::Choice { lazy, parts } => Expr::choice(place, *lazy, self.parts(*lazy, parts)?),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Least
            | ExprKind::Greatest
            | ExprKind::Offset(_)
            | ExprKind::Stride(..) => return Ok(expr.clone()),
        };
        made.map_err(|_| Box::new(unread(place.0, "this expression changes its type when it is lowered")))
    }

    /// The condition of a choice, and its values.
    fn parts(&mut self, _lazy: bool, [condition, one, other]: &'f [Expr; 3]) -> Done<[Expr; 3]> {
        Ok([self.expr(condition)?, self.expr(one)?, self.expr(other)?])
    }

    fn statements(&mut self, statements: &'f [Statement]) -> Done<Vec<Statement>> {
        let mut lowered = Vec::new();
        for statement in statements {
            match self.special(statement)? {
                Some(special) => lowered.extend(special),
                None => lowered.push(self.statement(statement)?),
            }
        }
        Ok(lowered)
    }

    fn statement(&mut self, statement: &'f Statement) -> Done<Statement> {
        let kind = match &statement.kind {
            StatementKind::Block(block) => StatementKind::Block(Box::new(self.block(block)?)),
            StatementKind::Loop(one) => {
                let (start, end, body) = (self.expr(&one.start)?, self.expr(&one.end)?, self.statements(&one.body)?);
                StatementKind::Loop(Loop { start, end, body, ..one.clone() })
            }
            StatementKind::While(condition, body) => {
                StatementKind::While(self.expr(condition)?, self.statements(body)?)
            }
            StatementKind::If { condition, then, otherwise } => StatementKind::If {
                condition: self.expr(condition)?,
                then: self.statements(then)?,
                otherwise: self.statements(otherwise)?,
            },
            StatementKind::Store(target, value) => self.store(target, value)?,
            StatementKind::Let(variable, value) => StatementKind::Let(*variable, self.expr(value)?),
            StatementKind::Evaluate(value) => StatementKind::Evaluate(self.expr(value)?),
            StatementKind::Intrinsic(intrinsic) => StatementKind::Intrinsic(self.intrinsic(intrinsic)?),
            StatementKind::Assert(condition, message) => StatementKind::Assert(self.expr(condition)?, message.clone()),
            StatementKind::Allocate(_) | StatementKind::Domain(..) | StatementKind::Iteration(_) => {
                statement.kind.clone()
            }
        };
        Ok(Statement { place: statement.place, kind })
    }

    fn intrinsic(&mut self, intrinsic: &'f Intrinsic) -> Done<Intrinsic> {
        let arguments = intrinsic.arguments.iter().map(|argument| match argument {
            Argument::Value(value) => self.expr(value).map(Argument::Value),
            Argument::Text(_) | Argument::Pointer(..) => Ok(argument.clone()),
        });
        Ok(Intrinsic { name: intrinsic.name, arguments: arguments.collect::<Done<_>>()? })
    }

    fn block(&mut self, block: &'f Block) -> Done<Block> {
        let reads = block.reads.as_ref().map(|regions| self.regions(regions)).transpose()?.flatten();
        let writes = block.writes.as_ref().map(|regions| self.regions(regions)).transpose()?.flatten();
        let predicate = block.predicate.as_ref().map(|predicate| self.expr(predicate)).transpose()?;
        let variables = block.variables.iter().map(|one| self.block_variable(one)).collect::<Done<Vec<_>>>()?;
        let (init, body) = (self.statements(&block.init)?, self.statements(&block.body)?);
        Ok(Block { reads, writes, predicate, variables, init, body, ..block.clone() })
    }

    fn block_variable(&mut self, one: &'f BlockVariable) -> Done<BlockVariable> {
        let (start, end, value) = (self.expr(&one.start)?, self.expr(&one.end)?, self.expr(&one.value)?);
        Ok(BlockVariable { start, end, value, ..one.clone() })
    }
}
