//! Sparse results whose products are listed, each with its coordinates, in the order in which the loops of each term
//! meet them.

use super::{
    Lowerer,
    assemble::{Assembler, Purpose},
};
use crate::iterate::{Assembly, Term, entry_terms};
use nnz_kernel::Expr;

impl<'k> Lowerer<'k> {
    pub(super) fn products(&mut self, assembly: &'k Assembly, purpose: Purpose) {
        let mut assembler = Assembler { assembly, purpose, counters: Vec::new(), workspace: None };
        self.open_segments(&assembler);
        assembler.counters = (0..assembly.rows.len()).map(|at| self.counter(&assembler, at)).collect();
        for term in entry_terms(&assembly.combine, &assembly.expr) {
            self.reset_cursors();
            let mut vars = term.summed.clone();
            vars.extend(assembly.rows.iter().map(|row| row.var));
            vars.sort_by_key(|var| assembly.order.iter().position(|other| other == var));
            self.nest_loops(&vars, &term.body, &mut |this, expr| this.product(&assembler, &term, expr));
        }
        let root = self.b.index(0);
        self.close_segment(&assembler, 0, root);
        self.report_ends(&assembler);
    }

    /// Appends one product to the list, if it is there.
    fn product(&mut self, assembler: &Assembler<'_>, term: &Term, expr: &Expr) {
        self.where_met(expr, assembler.purpose == Purpose::Fill, &mut |this, value| {
            let value = value.map(|value| this.added(None, term.negated, value));
            let root = this.b.index(0);
            this.append(assembler, root, value);
        });
    }
}
