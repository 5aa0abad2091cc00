//! Statements, and sparse iterations.

use super::{Printer, list, quoted};
use crate::{
    members::Member,
    model::{
        Argument, Attributes, Expr, Intrinsic, Iteration, Loop, LoopKind, Pointer, Running, Statement, StatementKind,
        Step,
    },
};

impl Printer<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// A body that has a line in any case.
    fn body(&mut self, statements: &[Statement]) {
        if statements.is_empty() {
            return self.line("pass");
        }
        self.statements(statements);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Iteration(iteration) => self.iteration(iteration),
            StatementKind::Block(block) => self.block(block),
            StatementKind::Loop(first) => self.loops(first),
            StatementKind::While(condition, body) => {
                let head = format!("while {}:", self.expr(condition));
                self.within(&head, |printer| printer.body(body));
            }
            StatementKind::If { condition, then, otherwise } => self.branch("if", condition, (then, otherwise)),
            StatementKind::Store(access, value) => {
                let line = format!("{} = {}", self.access(access), self.expr(value));
                self.line(&line);
            }
            StatementKind::Let(variable, value) => {
                let line = format!("{} = {}", self.variable(*variable), self.expr(value));
                self.line(&line);
            }
            StatementKind::Evaluate(value) => {
                let line = format!("T.evaluate({})", self.expr(value));
                self.line(&line);
            }
            StatementKind::Intrinsic(intrinsic) => {
                let line = self.intrinsic(intrinsic);
                self.line(&line);
            }
            StatementKind::Assert(condition, message) => self.assertion(condition, message),
            StatementKind::Allocate(buffer) => {
                let line = self.buffer(self.function.buffer(*buffer));
                self.line(&line);
            }
            StatementKind::Domain(buffer, start, end) => {
                let name = &self.function.buffer(*buffer).name;
                let line = format!("T.assume_buffer_domain({name}, [{}, {}])", self.expr(start), self.expr(end));
                self.line(&line);
            }
        }
    }

    fn branch(&mut self, word: &str, condition: &Expr, (then, otherwise): (&[Statement], &[Statement])) {
        let head = format!("{word} {}:", self.expr(condition));
        self.within(&head, |printer| printer.body(then));
        match otherwise {
            [] => {}
            [Statement { kind: StatementKind::If { condition, then, otherwise }, .. }] => {
                self.branch("elif", condition, (then, otherwise));
            }
            others => self.within("else:", |printer| printer.body(others)),
        }
    }

    fn assertion(&mut self, condition: &Expr, message: &str) {
        let condition = self.expr(condition);
        let message = if message.is_empty() { String::new() } else { format!(", {}", quoted(message)) };
        self.line(&format!("assert {condition}{message}"));
    }

    fn intrinsic(&self, intrinsic: &Intrinsic) -> String {
        let argument = |argument: &Argument| match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Text(text) => quoted(text),
            Argument::Pointer(buffer, Pointer::Data) => format!("{}.data", self.function.buffer(*buffer).name),
            Argument::Pointer(buffer, Pointer::Access(letters)) => {
                format!("{}.access_ptr({})", self.function.buffer(*buffer).name, quoted(letters))
            }
        };
        let arguments: Vec<String> = intrinsic.arguments.iter().map(argument).collect();
        format!("T.{}({})", intrinsic.name, arguments.join(", "))
    }

    fn iteration(&mut self, iteration: &Iteration) {
        let steps: Vec<String> = iteration.steps.iter().map(|step| self.step(step)).collect();
        let kinds: String = iteration.running().map(|running| running.kind.letter()).collect();
        let names: Vec<String> =
            iteration.running().map(|running| self.variable(running.variable).to_string()).collect();
        let (call, name) = (self.name(Member::Iteration), quoted(&iteration.name));
        let head = format!("with {call}({}, \"{kinds}\", {name}) as {}:", list(&steps), list(&names));
        self.within(&head, |printer| {
            printer.iteration_attributes(&iteration.attributes);
            printer.initialized(&iteration.init, &iteration.body);
        });
    }

    fn iteration_attributes(&mut self, attributes: &Attributes) {
        if !attributes.is_empty() {
            let line = format!("{}({})", self.name(Member::IterationAttr), self.attributes(attributes));
            self.line(&line);
        }
    }

    /// Buffers come before the initialization, which may use them.
    pub(super) fn initialized(&mut self, init: &[Statement], body: &[Statement]) {
        let is_buffer = |statement: &&Statement| matches!(statement.kind, StatementKind::Allocate(_));
        let buffers = body.iter().take_while(is_buffer).count();
        let (buffers, rest) = body.split_at(buffers);
        self.statements(buffers);
        if !init.is_empty() {
            self.within("with T.init():", |printer| printer.body(init));
        }
        match (buffers, init, rest) {
            ([], [], []) => self.line("pass"),
            _ => self.statements(rest),
        }
    }

    fn step(&self, step: &Step) -> String {
        let name = |running: &Running| self.function.iterator(running.iterator).name.clone();
        match step {
            Step::One(running) => name(running),
            Step::Fused(several) => {
                let names: Vec<String> = several.iter().map(name).collect();
                format!("{}({})", self.name(Member::Fuse), names.join(", "))
            }
            Step::Attached(base, parent) => {
                format!("{}({}, {})", self.name(Member::Attach), name(base), self.function.iterator(*parent).name)
            }
        }
    }

    /// A loop, or several as a grid.
    fn loops(&mut self, first: &Loop) {
        let grid = grid(first);
        let Some(last) = grid.last() else { return };
        let names: Vec<String> = grid.iter().map(|one| self.variable(one.variable).to_string()).collect();
        let range = match grid.as_slice() {
            [one] => self.range(one),
            several => {
                let ends: Vec<String> = several.iter().map(|one| self.expr(&one.end)).collect();
                format!("T.grid({})", ends.join(", "))
            }
        };
        self.ranges.extend(grid.iter().map(|one| (one.variable, (one.start.clone(), one.end.clone()))));
        self.within(&format!("for {} in {range}:", names.join(", ")), |printer| printer.body(&last.body));
    }

    fn range(&self, one: &Loop) -> String {
        let end = self.expr(&one.end);
        let mut arguments = match one.start.as_constant() {
            Some(0) => vec![end],
            _ => vec![self.expr(&one.start), end],
        };
        let word = match one.kind {
            LoopKind::Serial => "serial",
            LoopKind::Parallel => "parallel",
            LoopKind::Vectorized => "vectorized",
            LoopKind::Unrolled => "unroll",
            LoopKind::Bound(tag) => {
                arguments.push(format!("thread=\"{}\"", tag.name()));
                "thread_binding"
            }
        };
        if !one.attributes.is_empty() {
            arguments.push(format!("annotations={}", self.attributes(&one.attributes)));
        }
        format!("T.{word}({})", arguments.join(", "))
    }
}

/// The loops that one `T.grid` says: plain ones directly within each other, whose ends use none of the others.
fn grid(first: &Loop) -> Vec<&Loop> {
    let mut loops = vec![first];
    let is_plain =
        |one: &Loop| one.kind == LoopKind::Serial && one.attributes.is_empty() && one.start.as_constant() == Some(0);
    while let Some(Loop { body, .. }) = loops.last().filter(|last| is_plain(last)) {
        let [Statement { kind: StatementKind::Loop(next), .. }] = body.as_slice() else { break };
        if !is_plain(next) || loops.iter().any(|outer| uses(&next.end, outer)) {
            break;
        }
        loops.push(next);
    }
    loops
}

fn uses(expr: &Expr, outer: &Loop) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= part.as_variable() == Some(outer.variable));
    found
}
