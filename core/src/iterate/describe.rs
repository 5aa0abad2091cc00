//! Plans in the words of their kernels: plain data that views draw.

use std::fmt;

use super::{Combine, Edge, EdgeReason, Iterates, IterationGraph, Loop, LoopId, Nest, Plan, Term};
use crate::{
    ids::{IndexVar, Lvl, TensorId},
    kernel::{Access, Expr, IndexExpr, Kernel},
};

/// The iteration graph of one nest of loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphText {
    /// The part of the expression that the loops compute.
    pub term: String,
    /// Outermost first.
    pub loops: Vec<LoopText>,
    pub edges: Vec<EdgeText>,
    pub accesses: Vec<AccessText>,
    /// Where the result is initialised, summed and stored; costs that the expression does not show.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopText {
    /// The variables that it binds, or the level that it walks where it binds none.
    pub name: String,
    /// `all of i`, `level 1 of A (compressed)`.
    pub over: String,
    pub role: Role,
    pub parallel: bool,
}

/// What a loop does for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its variable is one of the result's.
    Result,
    /// The result is summed over it.
    Reduction,
}

/// `from` is outside of `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeText {
    pub from: LoopId,
    pub to: LoopId,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessText {
    /// `A(i, j)`
    pub access: String,
    pub how: AccessKind,
}

/// How the loops reach an operand's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Level by level, in the order of its storage: concordant.
    Walked,
    /// By computing its place; the innermost loop runs along its memory.
    Contiguous,
    /// By computing its place; the innermost loop leaves it where it is.
    Fixed,
    /// By computing its place, with steps of many entries or none in order.
    Scattered,
    /// A number.
    Scalar,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Walked => "walked level by level, in the order of its storage",
            AccessKind::Contiguous => "dense, along its memory",
            AccessKind::Fixed => "dense, one entry for the whole innermost loop",
            AccessKind::Scattered => "dense, at computed places",
            AccessKind::Scalar => "a number",
        })
    }
}

/// Every nest of `plan`, in the order in which they run.
pub fn describe(kernel: &Kernel, plan: &Plan) -> Vec<GraphText> {
    let describer = Describer { kernel, plan };
    let scatter = plan.workspace.iter().map(|nest| describer.nest(nest, "the dense copy"));
    let alone = plan.nests.is_empty();
    let everywhere = plan.everywhere.iter().filter(|_| alone).map(|term| describer.everywhere(term));
    let nests = plan.nests.iter().map(|nest| describer.nest(nest, "the result"));
    let mut graphs: Vec<GraphText> = scatter.chain(everywhere).chain(nests).collect();
    let start = plan.everywhere.iter().filter(|_| !alone).map(|term| describer.term(term));
    let start = start.map(|term| format!("the result starts from {term}, at every coordinate"));
    if let Some(last) = graphs.last_mut() {
        last.notes.extend(start.chain(plan.hints.iter().map(ToString::to_string)));
    }
    graphs
}

struct Describer<'p> {
    kernel: &'p Kernel,
    plan: &'p Plan,
}

impl Describer<'_> {
    fn nest(&self, nest: &Nest, target: &str) -> GraphText {
        let Nest { term, graph, placement, target: vars, .. } = nest;
        let loops =
            graph.loops.iter().enumerate().map(|(at, l)| self.loop_text(l, vars, at == 0 && placement.parallel));
        GraphText {
            term: self.combined(nest),
            loops: loops.collect(),
            edges: graph.edges.iter().map(|edge| self.edge(*edge)).collect(),
            accesses: self.accesses(&term.body, innermost(graph), true),
            notes: self.notes(nest, target),
        }
    }

    /// Loops over every coordinate: the result's variables, then the summed ones.
    fn everywhere(&self, term: &Term) -> GraphText {
        let vars = self.plan.result_vars.iter().chain(&term.summed).copied();
        let loops: Vec<Loop> =
            vars.map(|var| Loop { iterates: Iterates::Dense(var), binds: vec![var], parts_of: vec![var] }).collect();
        let graph = IterationGraph { loops, edges: Vec::new() };
        let result = &self.kernel.result().indices;
        GraphText {
            term: self.term(term),
            loops: graph
                .loops
                .iter()
                .enumerate()
                .map(|(at, l)| self.loop_text(l, result, at == 0 && !result.is_empty()))
                .collect(),
            edges: Vec::new(),
            accesses: self.accesses(&term.body, innermost(&graph), false),
            notes: Vec::new(),
        }
    }

    /// The expression of a nest.
    fn combined(&self, nest: &Nest) -> String {
        match nest.combine {
            Combine::Sum => self.term(&nest.term),
            Combine::WithZeros(op) => {
                format!("{}({}, {})", op.name(), self.names(&nest.term.summed), self.text(&nest.term.body))
            }
        }
    }

    fn term(&self, term: &Term) -> String {
        let sign = if term.negated { "-" } else { "" };
        let body = self.text(&term.body);
        if term.summed.is_empty() {
            return format!("{sign}{body}");
        }
        format!("{sign}sum({}, {body})", self.names(&term.summed))
    }

    /// The scatter's variables are the plan's own, so names come from the plan.
    fn text(&self, expr: &Expr) -> String {
        match expr {
            Expr::Access(access) => self.access(access),
            _ => self.kernel.expr_text(expr),
        }
    }

    fn access(&self, access: &Access) -> String {
        let tensor = &self.kernel.tensor(access.tensor).name;
        if access.indices.is_empty() { tensor.clone() } else { format!("{tensor}({})", self.index_text(access)) }
    }

    fn index_text(&self, access: &Access) -> String {
        match access.as_vars() {
            Some(vars) => self.names(&vars),
            None => self.kernel.indices_text(access),
        }
    }

    fn names(&self, vars: &[IndexVar]) -> String {
        let names: Vec<&str> = vars.iter().map(|var| self.plan.vars[var.index()].name.as_str()).collect();
        names.join(", ")
    }

    fn loop_text(&self, l: &Loop, target: &[IndexVar], parallel: bool) -> LoopText {
        let for_result = l.parts_of.iter().any(|var| target.contains(var));
        let over = match l.iterates {
            Iterates::Dense(var) => format!("all of {}", self.names(&[var])),
            Iterates::Level { tensor, lvl } => self.level(tensor, lvl),
        };
        let name = if l.binds.is_empty() { self.names(&l.parts_of) } else { self.names(&l.binds) };
        let role = if for_result { Role::Result } else { Role::Reduction };
        LoopText { name, over, role, parallel }
    }

    fn level(&self, tensor: TensorId, lvl: Lvl) -> String {
        let tensor = self.kernel.tensor(tensor);
        let format = tensor.encoding.as_ref().map_or(String::new(), |encoding| encoding.format(lvl).to_string());
        format!("level {} of {} ({format})", lvl.index(), tensor.name)
    }

    fn edge(&self, edge: Edge) -> EdgeText {
        let name = |tensor: TensorId| &self.kernel.tensor(tensor).name;
        let reason = match edge.reason {
            EdgeReason::Storage { tensor, outer, inner } => {
                format!("{} stores level {} below level {}", name(tensor), inner.index(), outer.index())
            }
            EdgeReason::EntryFirst { tensor } => format!("the entry of {} is loaded once for the loop", name(tensor)),
            EdgeReason::ResultInnermost => "the innermost loop runs along the result".to_string(),
        };
        EdgeText { from: edge.from, to: edge.to, reason }
    }

    /// Each access once. `walks` says that the loops follow the sparse operand, and not its dense copy.
    fn accesses(&self, body: &Expr, innermost: Option<IndexVar>, walks: bool) -> Vec<AccessText> {
        let mut texts: Vec<AccessText> = Vec::new();
        for access in body.accesses() {
            let text = AccessText { access: self.access(access), how: self.access_kind(access, innermost, walks) };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn access_kind(&self, access: &Access, innermost: Option<IndexVar>, walks: bool) -> AccessKind {
        let is_sparse = self.plan.sparse.as_ref().is_some_and(|operand| operand.tensor == access.tensor);
        match innermost {
            _ if access.indices.is_empty() => AccessKind::Scalar,
            _ if is_sparse && walks => AccessKind::Walked,
            Some(var) if !access.vars().any(|used| used == var) => AccessKind::Fixed,
            Some(var) if self.last_stored(access, is_sparse) == Some(var) => AccessKind::Contiguous,
            _ => AccessKind::Scattered,
        }
    }

    /// The variable along which the entries lie side by side.
    fn last_stored(&self, access: &Access, is_sparse: bool) -> Option<IndexVar> {
        match self.kernel.tensor(access.tensor).encoding.as_ref().filter(|_| !is_sparse) {
            None => access.indices.last().and_then(IndexExpr::as_var),
            Some(encoding) => {
                let dim = encoding.levels().last().and_then(|level| level.expr.as_var())?;
                access.indices.get(dim.index()).and_then(IndexExpr::as_var)
            }
        }
    }

    fn notes(&self, nest: &Nest, target: &str) -> Vec<String> {
        let Nest { graph, placement, .. } = nest;
        let inside = |count: usize| match count.checked_sub(1).and_then(|at| graph.loops.get(at)) {
            None => "before the loops".to_string(),
            Some(l) => {
                format!("inside the loop over {}", self.names(if l.binds.is_empty() { &l.parts_of } else { &l.binds }))
            }
        };
        let sums = placement.accumulate_after < graph.loops.len();
        let mut notes = Vec::new();
        if sums {
            notes.push(format!("summed in a register {}", inside(placement.accumulate_after)));
        }
        if let Combine::WithZeros(_) = nest.combine {
            notes.push("the entries are counted: where some are absent, a zero takes part".to_string());
        }
        notes.push(match placement.stores_once() {
            true => format!("{target} is stored once per entry"),
            false => format!("{target} is initialised {}, then added to", inside(placement.covering)),
        });
        notes
    }
}

/// The variable of the innermost loop, where that is a dense one or a level that is one.
fn innermost(graph: &IterationGraph) -> Option<IndexVar> {
    let last = graph.loops.last()?;
    match last.iterates {
        Iterates::Dense(var) => Some(var),
        Iterates::Level { .. } => None,
    }
}

impl fmt::Display for GraphText {
    /// One loop a line, indented as they nest; then edges, accesses and notes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.term)?;
        for (at, l) in self.loops.iter().enumerate() {
            let role = if l.role == Role::Reduction { ", summed" } else { "" };
            let parallel = if l.parallel { ", parallel" } else { "" };
            let indent = 2 + at * 2;
            writeln!(f, "{:indent$}{}: {}{role}{parallel}", "", l.name, l.over)?;
        }
        for edge in &self.edges {
            let name = |id: LoopId| self.loops.get(id.index()).map_or("?", |l| l.name.as_str());
            writeln!(f, "  {} -> {}: {}", name(edge.from), name(edge.to), edge.reason)?;
        }
        for access in &self.accesses {
            writeln!(f, "  {}: {}", access.access, access.how)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}
