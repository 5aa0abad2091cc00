//! Drawn functions of stage III: loops, blocks, cells, and elements at indices that may lie outside.

use super::Draws;

/// The text of a script with one function, `f`, over `A` of whole numbers, and `X`, `Y` and `Z`.
pub fn program(draws: &mut Draws) -> String {
    let mut text = Text { draws, lines: Vec::new(), loops: 0 };
    let mut scope = Scope::default();
    for _ in 0..2 + text.draws.below(3) {
        text.statement(&mut scope, 1, 3);
    }
    format!(
        "from tvm.script import tir as T\n\n\n@T.prim_func\ndef f(a: T.handle, x: T.handle, y: T.handle, z: T.handle, n: T.int32, \
         m: T.int32, s: T.float32):\n    T.func_attr({{\"sparse_tir_level\": 0}})\n    \
         A = T.match_buffer(a, [n + 1], \"int32\")\n    X = T.match_buffer(x, [n, m], \"float32\")\n    \
         Y = T.match_buffer(y, [n, m], \"float32\")\n    Z = T.match_buffer(z, [m], \"int64\")\n{}\n",
        text.lines.join("\n")
    )
}

/// What a statement may name.
#[derive(Clone, Default)]
struct Scope {
    ints: Vec<String>,
    floats: Vec<String>,
    /// Buffers of one number, and of four.
    cells: Vec<String>,
    rows: Vec<String>,
}

struct Text<'a> {
    draws: &'a mut Draws,
    lines: Vec<String>,
    loops: usize,
}

impl Text<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        self.lines.push(format!("{}{line}", "    ".repeat(depth)));
    }

    fn fresh(&mut self, letter: char) -> String {
        self.loops += 1;
        format!("{letter}{}", self.loops)
    }

    fn body(&mut self, scope: &Scope, depth: usize, left: usize) {
        let mut inner = scope.clone();
        for _ in 0..1 + self.draws.below(2) {
            self.statement(&mut inner, depth, left);
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize, left: usize) {
        match self.draws.below(if left == 0 { 6 } else { 13 }) {
            0 | 1 => {
                let line = format!("{} = {}", self.target(scope), self.float(scope, 2));
                self.line(depth, &line);
            }
            2 => {
                let line = format!("Z[{}] = T.cast({}, \"int64\")", self.int(scope, 1), self.int(scope, 2));
                self.line(depth, &line);
            }
            3 => {
                let (name, value) = (self.fresh('v'), self.int(scope, 1));
                self.line(depth, &format!("{name} = {value} + 0"));
                scope.ints.push(name);
            }
            4 if !scope.cells.is_empty() => {
                let (name, value) = (self.any(&scope.cells), self.int(scope, 2));
                self.line(depth, &format!("{name}[0] = {value}"));
            }
            4 | 5 => {
                let name = self.fresh('c');
                self.line(depth, &format!("{name} = T.alloc_buffer([1], \"int32\")"));
                scope.cells.push(name);
            }
            6 => {
                let name = self.fresh('r');
                self.line(depth, &format!("{name} = T.alloc_buffer([4], \"float32\")"));
                scope.rows.push(name);
            }
            7 => {
                let condition = self.condition(scope);
                self.line(depth, &format!("if {condition}:"));
                self.body(scope, depth + 1, left - 1);
            }
            8 => self.block(scope, depth, left),
            9 => self.repeat(scope, depth, left),
            10 => {
                let condition = self.condition(scope);
                self.line(depth, &format!("assert {condition} or n > 1, \"wrong\""));
            }
            _ => self.count(scope, depth, left),
        }
    }

    fn count(&mut self, scope: &Scope, depth: usize, left: usize) {
        let name = self.fresh('i');
        let end = match self.draws.below(6) {
            0 => "3".to_string(),
            1 => format!("A[{}]", self.int(scope, 0)),
            2 => "m".to_string(),
            _ => "n".to_string(),
        };
        let end = match self.draws.below(5) {
            0 if !scope.ints.is_empty() => {
                let row = self.any(&scope.ints);
                format!("A[{row} + 1] - A[{row}]")
            }
            _ => end,
        };
        let kind = ["serial", "serial", "parallel", "vectorized", "unroll"][self.draws.below(5) as usize];
        self.line(depth, &format!("for {name} in T.{kind}({end}):"));
        let mut inner = scope.clone();
        inner.ints.push(name);
        self.body(&inner, depth + 1, left - 1);
    }

    fn block(&mut self, scope: &Scope, depth: usize, left: usize) {
        let (name, variable) = (self.fresh('b'), self.fresh('w'));
        let (kind, value) = (["spatial", "reduce"][self.draws.below(2) as usize], self.int(scope, 1));
        self.line(depth, &format!("with T.block(\"{name}\"):"));
        self.line(depth + 1, &format!("{variable} = T.axis.{kind}(m, {value})"));
        let mut inner = scope.clone();
        inner.ints.push(variable);
        if self.draws.below(2) == 0 {
            let condition = self.condition(&inner);
            self.line(depth + 1, &format!("T.where({condition})"));
        }
        if kind == "reduce" {
            self.line(depth + 1, "with T.init():");
            let line = format!("{} = 1.0", self.target(&inner));
            self.line(depth + 2, &line);
        }
        self.body(&inner, depth + 1, left - 1);
    }

    /// A loop that a cell counts.
    fn repeat(&mut self, scope: &Scope, depth: usize, left: usize) {
        let cell = self.fresh('t');
        self.line(depth, &format!("{cell} = T.alloc_buffer([1], \"int32\")"));
        let guard =
            if self.draws.below(3) == 0 { format!(" and A[{}] < 9", self.int(scope, 1)) } else { String::new() };
        let turns = 1 + self.draws.below(3);
        self.line(depth, &format!("while {cell}[0] < {turns}{guard}:"));
        self.line(depth + 1, &format!("{cell}[0] = {cell}[0] + 1"));
        self.body(scope, depth + 1, left - 1);
    }

    fn any(&mut self, names: &[String]) -> String {
        names[self.draws.below(names.len() as u64) as usize].clone()
    }

    fn target(&mut self, scope: &Scope) -> String {
        match self.draws.below(4) {
            0 if !scope.rows.is_empty() => format!("{}[{}]", self.any(&scope.rows), self.int(scope, 1)),
            _ => format!("Y[{}, {}]", self.int(scope, 0), self.int(scope, 0)),
        }
    }

    fn int(&mut self, scope: &Scope, depth: u64) -> String {
        let plain = |text: &mut Self| match scope.ints.len() {
            0 => "1".to_string(),
            _ => text.any(&scope.ints),
        };
        match self.draws.below(if depth == 0 { 5 } else { 16 }) {
            0 => self.draws.below(3).to_string(),
            5 => format!("{} + 1", self.int(scope, depth - 1)),
            6 => format!("{} - 1", self.int(scope, depth - 1)),
            7 => format!("({} // {})", self.int(scope, depth - 1), self.int(scope, 0)),
            8 => format!("({} % {})", self.int(scope, depth - 1), self.int(scope, 0)),
            9 => format!("{} * {}", plain(self), self.int(scope, 0)),
            10 => format!("A[{}]", self.int(scope, depth - 1)),
            11 if !scope.cells.is_empty() => format!("{}[0]", self.any(&scope.cells)),
            12 => format!("T.min({}, n - 1)", self.int(scope, depth - 1)),
            13 => format!(
                "T.if_then_else({}, {}, {})",
                self.compared(scope),
                self.int(scope, 0),
                self.int(scope, depth - 1)
            ),
            14 => format!("T.truncdiv({}, {})", self.int(scope, depth - 1), self.int(scope, 0)),
            15 => format!("({} + 2147483647)", plain(self)),
            _ => plain(self),
        }
    }

    fn compared(&mut self, scope: &Scope) -> String {
        let op = ["<", "<=", ">", ">=", "==", "!="][self.draws.below(6) as usize];
        format!("{} {op} {}", self.int(scope, 0), self.int(scope, 0))
    }

    fn condition(&mut self, scope: &Scope) -> String {
        match self.draws.below(4) {
            0 => format!("{} and {}", self.compared(scope), self.compared(scope)),
            1 => format!("not {}", self.compared(scope)),
            2 => format!("{} > X[{}, 0]", self.float(scope, 0), self.int(scope, 0)),
            _ => self.compared(scope),
        }
    }

    fn float(&mut self, scope: &Scope, depth: u64) -> String {
        match self.draws.below(if depth == 0 { 3 } else { 9 }) {
            0 => "s".to_string(),
            1 if !scope.rows.is_empty() => format!("{}[{}]", self.any(&scope.rows), self.int(scope, 1)),
            1 | 2 => format!("X[{}, {}]", self.int(scope, 1), self.int(scope, 1)),
            3 => format!("Y[{}, {}]", self.int(scope, 0), self.int(scope, 0)),
            4 => format!("T.cast({}, \"float32\")", self.int(scope, depth)),
            5 => format!("T.exp({})", self.float(scope, depth - 1)),
            6 => format!("T.max({}, {})", self.float(scope, depth - 1), self.float(scope, depth - 1)),
            7 => format!(
                "T.if_then_else({}, {}, {})",
                self.compared(scope),
                self.float(scope, depth - 1),
                self.float(scope, depth - 1)
            ),
            _ => format!("({} + {} * 0.5)", self.float(scope, depth - 1), self.float(scope, depth - 1)),
        }
    }
}
