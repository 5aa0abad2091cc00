//! The lines of a function's statements in its printed text.

use std::collections::HashMap;

use super::{Function, Stmt};

/// The lines that statements begin on, from 0 for the first line of the text.
pub struct Lines {
    /// By the address of the statement, which stays while the function is borrowed.
    of: HashMap<usize, usize>,
    next: usize,
}

impl Lines {
    pub fn of(function: &Function) -> Lines {
        // The name, a line for each parameter, the brace.
        let head = 2 + function.scalar_params + function.array_parameters().len();
        let mut lines = Lines { of: HashMap::new(), next: head };
        lines.block(&function.body);
        lines
    }

    /// The line of a statement of that function.
    pub fn get(&self, stmt: &Stmt) -> Option<usize> {
        self.of.get(&std::ptr::from_ref(stmt).addr()).copied()
    }

    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.of.insert(std::ptr::from_ref(stmt).addr(), self.next);
        self.next += 1;
        match stmt {
            Stmt::For { body, .. } | Stmt::While { body, .. } => self.closed(body),
            Stmt::If { then, other, .. } if other.is_empty() => self.closed(then),
            Stmt::If { then, other, .. } => {
                self.closed(then);
                self.closed(other);
            }
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::Store { .. } | Stmt::Sort { .. } => {}
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } | Stmt::Alloc { .. } => {}
            Stmt::Copy { .. } | Stmt::Launch(_) | Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Comment(_) => {}
        }
    }

    /// A block and the line of its closing brace.
    fn closed(&mut self, block: &[Stmt]) {
        self.block(block);
        self.next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_stand_on_their_lines() {
        let text = "kernel f(\n  n: index,\n  x: readwrite values<f64>,\n) {\n  // doubled\n  for i in 0..n {\n    \
                    if x[i] < f64(0.0) {\n      x[i] = f64(0.0)\n    } else {\n      let twice: f64 = x[i] + x[i]\n      \
                    x[i] = twice\n    }\n  }\n  x[0] = f64(1.0)\n}\n";
        let function = crate::parse(text).expect("it parses");
        let printed = function.to_string();
        let lines = Lines::of(&function);
        let line = |stmt: &Stmt| printed.lines().nth(lines.get(stmt).expect("it has a line")).map(str::trim_start);
        let [comment, Stmt::For { body, .. }, last] = function.body.as_slice() else { panic!("{printed}") };
        let [Stmt::If { then, other, .. }] = body.as_slice() else { panic!("{printed}") };
        assert_eq!(line(comment), Some("// doubled"));
        assert_eq!(line(&body[0]), Some("if x[i] < f64(0.0) {"));
        assert_eq!(line(&then[0]), Some("x[i] = f64(0.0)"));
        assert_eq!(line(&other[1]), Some("x[i] = twice"));
        assert_eq!(line(last), Some("x[0] = f64(1.0)"));
    }
}
