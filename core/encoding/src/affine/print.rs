//! Printing as MLIR's AsmPrinter does: no needless parentheses, `a - b` for `a + b * -1`.

use super::Affine;
use crate::COUNT;
use nnz_base::ids::Sym;

/// How tightly the surroundings bind an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Weak,
    Strong,
}

impl<V: Copy + PartialEq> Affine<V> {
    /// The text of the expression, with these names for its variables and symbols.
    pub fn print(&self, var: &dyn Fn(V) -> String, sym: &dyn Fn(Sym) -> String) -> String {
        let mut printer = Printer { out: String::new(), var, sym };
        printer.print(self, Binding::Weak);
        printer.out
    }
}

impl<V: Copy + PartialEq + std::fmt::Display> std::fmt::Display for Affine<V> {
    /// With the ids as names: `d0 floordiv 2 + s0`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print(&|v| v.to_string(), &|s| s.to_string()))
    }
}

struct Printer<'a, V> {
    out: String,
    var: &'a dyn Fn(V) -> String,
    sym: &'a dyn Fn(Sym) -> String,
}

impl<V: Copy + PartialEq> Printer<'_, V> {
    fn print(&mut self, expr: &Affine<V>, around: Binding) {
        let word = match expr {
            Affine::Var(v) => return self.out += &(self.var)(*v),
            Affine::Sym(s) => return self.out += &(self.sym)(*s),
            Affine::Const(c) => return self.out += &c.to_string(),
            Affine::Add(a, b) => return self.in_parens(around, |p| p.print_sum(a, b)),
            Affine::Mul(a, b) if b.as_const() == Some(-1) => {
                return self.in_parens(around, |p| {
                    p.out.push('-');
                    p.print(a, Binding::Strong);
                });
            }
            Affine::Mul(a, b) if self.counts(b) => {
                self.out.push_str(COUNT);
                return self.print(a, Binding::Strong);
            }
            Affine::Mul(..) => " * ",
            Affine::FloorDiv(..) => " floordiv ",
            Affine::CeilDiv(..) => " ceildiv ",
            Affine::Mod(..) => " mod ",
        };
        let Some((a, b)) = expr.operands() else { return };
        self.in_parens(around, |p| {
            p.print(a, Binding::Strong);
            p.out += word;
            p.print(b, Binding::Strong);
        });
    }

    /// Whether a factor is the symbol of counts.
    fn counts(&self, factor: &Affine<V>) -> bool {
        matches!(factor, Affine::Sym(sym) if (self.sym)(*sym) == COUNT)
    }

    fn in_parens(&mut self, around: Binding, inside: impl FnOnce(&mut Self)) {
        let parens = around == Binding::Strong;
        self.out.push_str(if parens { "(" } else { "" });
        inside(self);
        self.out.push_str(if parens { ")" } else { "" });
    }

    fn print_sum(&mut self, a: &Affine<V>, b: &Affine<V>) {
        self.print(a, Binding::Weak);
        match (b.as_scaled(), b.as_const()) {
            (Some((e, -1)), _) => {
                self.out += " - ";
                let sum = matches!(e, Affine::Add(..));
                self.print(e, if sum { Binding::Strong } else { Binding::Weak });
            }
            (Some((e, c)), _) if c < -1 => {
                self.out += " - ";
                self.print(e, Binding::Strong);
                self.out += &format!(" * {}", c.unsigned_abs());
            }
            (_, Some(c)) if c < 0 => self.out += &format!(" - {}", c.unsigned_abs()),
            _ => {
                self.out += " + ";
                self.print(b, Binding::Weak);
            }
        }
    }
}
