//! Loops.

use nnz_base::diagnostic::{Code, counted};
use ruff_python_ast as py;

use super::{
    arguments::Given,
    python::{dotted, one_or_more, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Attributes, Expr, Loop, LoopKind, Place, Role, Statement, StatementKind, TAGS, Tag, VariableId},
};

/// What a loop says before its body.
struct Head {
    kind: LoopKind,
    ranges: Vec<(Expr, Expr)>,
    attributes: Attributes,
}

impl<'a> Reader<'a> {
    /// `for i, j in T.grid(n, m):`.
    pub(super) fn for_loop(&mut self, written: &'a py::StmtFor) -> Option<Vec<Statement>> {
        if let Some(first) = written.orelse.first() {
            let told = self.mistake(Code::ScriptStatement, span(first), "a loop has no `else`");
            self.tell(told.label("Python that does not run here"));
        }
        let head = self.head(&written.iter);
        self.names.open();
        let variables = match &head {
            Some(head) => self.loop_variables(written, head),
            None => {
                self.break_names(&written.target);
                None
            }
        };
        let body = self.suite(&written.body);
        self.names.close();
        Some(nested(Place(span(written)), head?, variables?, body))
    }

    fn loop_variables(&mut self, written: &'a py::StmtFor, head: &Head) -> Option<Vec<VariableId>> {
        let names = one_or_more(&written.target);
        if names.len() != head.ranges.len() {
            let message = format!("{} for {}", counted(names.len(), "name"), counted(head.ranges.len(), "loop"));
            let told = self.mistake(Code::ScriptArguments, span(&*written.target), message);
            self.break_names(&written.target);
            return self.wrong(told.label(counted(names.len(), "name")).help("give one name for each extent"));
        }
        let variables = names.iter().zip(&head.ranges).map(|(name, range)| {
            let name = self.target(name)?;
            let variable = self.variable(&name.id, span(name), range.1.element(), Role::Loop);
            self.ranges.insert(variable, range.clone());
            Some(variable)
        });
        variables.collect::<Vec<_>>().into_iter().collect()
    }

    fn head(&mut self, iter: &'a py::Expr) -> Option<Head> {
        let Some(call) = iter.as_call_expr() else { return self.no_loop(iter) };
        if dotted(&call.func).as_deref() == Some("range") {
            return self.python_range(call);
        }
        let given = self.given(call)?;
        self.head_of(iter, &given)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "members are many")]
    fn head_of(&mut self, iter: &'a py::Expr, given: &Given<'a>) -> Option<Head> {
        let kind = match given.row.member {
            Member::Grid => return self.grid(given),
            Member::Serial => LoopKind::Serial,
            Member::Parallel => LoopKind::Parallel,
            Member::Vectorized => LoopKind::Vectorized,
            Member::Unroll => LoopKind::Unrolled,
            Member::ThreadBinding => return self.binding(given),
            _ => return self.no_loop(iter),
        };
        let range = self.range_of(given.get("start")?, given.get("stop"))?;
        Some(Head { kind, ranges: vec![range], attributes: self.annotations(given) })
    }

    fn annotations(&mut self, given: &Given<'a>) -> Attributes {
        given.get("annotations").and_then(|attributes| self.attributes(attributes)).unwrap_or_default()
    }

    fn grid(&mut self, given: &Given<'a>) -> Option<Head> {
        let ranges: Vec<_> = given.rest.iter().map(|extent| self.range_of(extent, None)).collect();
        let ranges = ranges.into_iter().collect::<Option<Vec<_>>>()?;
        if ranges.is_empty() {
            let told = self.mistake(Code::ScriptArguments, given.span, "`T.grid` needs an extent");
            return self.wrong(told.label("no loop").help("give one extent for each loop"));
        }
        Some(Head { kind: LoopKind::Serial, ranges, attributes: Attributes::new() })
    }

    /// `T.thread_binding(n, thread="blockIdx.x")` or `T.thread_binding(0, n, "blockIdx.x")`.
    fn binding(&mut self, given: &Given<'a>) -> Option<Head> {
        let start = given.get("start")?;
        let (stop, thread) = match (given.get("stop"), given.get("thread")) {
            (Some(stop), None) => (None, stop),
            (stop, Some(thread)) => (stop, thread),
            (None, None) => {
                let told = self.mistake(Code::ScriptArguments, given.span, "`T.thread_binding` needs `thread`");
                return self.wrong(told.label("bound to nothing").help("give `thread=\"blockIdx.x\"`"));
            }
        };
        let (range, tag) = (self.range_of(start, stop), self.word(thread, ("thread", TAGS), Tag::named));
        Some(Head { kind: LoopKind::Bound(tag?), ranges: vec![range?], attributes: self.annotations(given) })
    }

    fn range_of(&mut self, start: &'a py::Expr, stop: Option<&'a py::Expr>) -> Option<(Expr, Expr)> {
        let first = self.integer(start);
        let Some(stop) = stop else {
            let end = first?;
            return Some((Expr::int(end.place, 0, end.element()), end));
        };
        let end = self.integer(stop);
        self.bounds(first?, end?)
    }

    fn python_range(&mut self, call: &'a py::ExprCall) -> Option<Head> {
        let range = match &*call.arguments.args {
            [stop] => self.range_of(stop, None),
            [start, stop] => self.range_of(start, Some(stop)),
            _ => {
                let told =
                    self.mistake(Code::ScriptArguments, span(call), "a loop has a start and a stop, and no step");
                self.wrong(told.label("not `range(n)`").help("write `T.serial(start, stop)`"))
            }
        };
        Some(Head { kind: LoopKind::Serial, ranges: vec![range?], attributes: Attributes::new() })
    }

    fn no_loop<T>(&mut self, iter: &py::Expr) -> Option<T> {
        let told = self.mistake(Code::ScriptStatement, span(iter), "a loop runs over a range");
        self.wrong(told.label("no range").help("write `T.serial(n)`, `T.grid(n, m)` or `range(n)`"))
    }
}

/// Loops within each other, the first outermost.
fn nested(place: Place, head: Head, variables: Vec<VariableId>, body: Vec<Statement>) -> Vec<Statement> {
    let Head { kind, ranges, attributes } = head;
    variables.into_iter().zip(ranges).rev().fold(body, |body, (variable, (start, end))| {
        let attributes = attributes.clone();
        let kind = StatementKind::Loop(Loop { variable, kind, start, end, attributes, body });
        vec![Statement { place, kind }]
    })
}
