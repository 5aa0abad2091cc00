//! The statements of kernels and of functions that launch them. Each begins with a word without `=` or `[` behind it,
//! so the word can also be a name.

use super::{Parsed, Parser, lexer::Token};
use crate::{ArrayId, AtomicOp, ExprId, KernelId, Launch, ShuffleFrom, Stmt, Type, VarId, WARP};

impl Parser<'_> {
    pub(super) fn gpu_stmt(&mut self, word: &str) -> Parsed<()> {
        let parse = match word {
            "load" => Self::load_vector,
            "store" => Self::store_vector,
            "atomic" => Self::atomic,
            "alloc" => Self::alloc,
            "barrier" => Self::barrier,
            "shuffle" => Self::shuffle,
            "copy" => Self::copy,
            "launch" => Self::launch,
            _ => return self.assignment(),
        };
        self.lexer.next();
        parse(self)
    }

    fn entry(&mut self) -> Parsed<(ArrayId, ExprId)> {
        let array = self.array()?;
        match self.length()? {
            Some(index) => Ok((array, index)),
            None => self.error("expected `[`"),
        }
    }

    /// `first, second, ...`
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.lexer.accept(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// As [`Parser::list`] between two signs, perhaps of nothing.
    fn enclosed<T>(&mut self, [open, close]: [&str; 2], item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(open)?;
        if self.lexer.accept(close) {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(close)?;
        Ok(items)
    }

    /// `name: type`, a new variable.
    fn result(&mut self) -> Parsed<VarId> {
        let name = self.new_name()?;
        let ty = if self.lexer.accept(":") { self.ty()? } else { Type::Index };
        Ok(self.declare(name, ty))
    }

    fn load_vector(&mut self) -> Parsed<()> {
        let (array, index) = self.entry()?;
        self.expect("->")?;
        let vars = self.list(Self::result)?;
        self.b.push(Stmt::LoadVector { vars, array, index });
        Ok(())
    }

    fn store_vector(&mut self) -> Parsed<()> {
        let values = self.list(Self::expr)?;
        self.expect("->")?;
        let (array, index) = self.entry()?;
        self.b.push(Stmt::StoreVector { array, index, values });
        Ok(())
    }

    fn atomic(&mut self) -> Parsed<()> {
        let word = self.word()?;
        let (array, index) = self.entry()?;
        self.expect(",")?;
        let first = self.expr()?;
        let Some(op) = atomic_op(word, first) else { return self.error(format!("`{word}` is no atomic operation")) };
        let value = if let AtomicOp::CompareExchange { .. } = op {
            self.expect(",")?;
            self.expr()?
        } else {
            first
        };
        let old = if self.lexer.accept("->") { Some(self.result()?) } else { None };
        self.b.push(Stmt::Atomic { op, array, index, value, old });
        Ok(())
    }

    fn alloc(&mut self) -> Parsed<()> {
        let name = self.new_name()?;
        self.expect(":")?;
        let (space, ty) = (self.space(), self.array_type()?);
        let Some(len) = self.length()? else { return self.error("expected the length") };
        let array = self.b.alloc(&name, ty, space, len);
        self.arrays.insert(name, array);
        Ok(())
    }

    fn barrier(&mut self) -> Parsed<()> {
        self.b.push(Stmt::Barrier);
        Ok(())
    }

    fn shuffle(&mut self) -> Parsed<()> {
        let word = self.word()?;
        let from = ShuffleFrom::ALL.iter().copied().find(|from| from.name() == word);
        let Some(from) = from else { return self.error(format!("`{word}` is no way to shuffle")) };
        let value = self.expr()?;
        self.expect(",")?;
        let by = self.expr()?;
        let width = if self.lexer.accept("width") { self.number()? } else { WARP };
        self.expect("->")?;
        let var = self.result()?;
        self.b.push(Stmt::Shuffle { var, from, value, by, width });
        Ok(())
    }

    fn number(&mut self) -> Parsed<i64> {
        let Token::Number(digits) = self.lexer.peek() else { return self.error("expected a number") };
        let Ok(number) = digits.parse() else { return self.error(format!("`{digits}` is not a 64-bit number")) };
        self.lexer.next();
        Ok(number)
    }

    fn copy(&mut self) -> Parsed<()> {
        let from = self.array()?;
        self.expect("->")?;
        let to = self.array()?;
        self.expect(",")?;
        let len = self.expr()?;
        self.b.push(Stmt::Copy { from, to, len });
        Ok(())
    }

    fn launch(&mut self) -> Parsed<()> {
        let Token::Word(name) = self.lexer.peek() else { return self.error("expected a name") };
        let Some(kernel) = self.kernels.iter().position(|kernel| kernel.name == name) else {
            return self.error(format!("no kernel `{name}`"));
        };
        self.lexer.next();
        let scalars = self.enclosed(["(", ")"], Self::expr)?;
        let arrays = self.enclosed(["[", "]"], Self::array)?;
        let (blocks, threads) = (self.dimensions("blocks")?, self.dimensions("threads")?);
        self.b.push(Stmt::Launch(Launch { kernel: KernelId::new(kernel), scalars, arrays, blocks, threads }));
        Ok(())
    }

    fn dimensions(&mut self, word: &str) -> Parsed<[ExprId; 3]> {
        self.expect(word)?;
        self.arguments()
    }
}

fn atomic_op(word: &str, expected: ExprId) -> Option<AtomicOp> {
    let compare = AtomicOp::CompareExchange { expected };
    let all = [AtomicOp::Add, AtomicOp::Min, AtomicOp::Max, AtomicOp::And, AtomicOp::Or, AtomicOp::Xor];
    all.into_iter().chain([AtomicOp::Exchange, compare]).find(|op| op.name() == word)
}
