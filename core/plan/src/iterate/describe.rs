//! Plans described with the names of their kernels, as plain data that views draw.

use std::fmt;

use super::{
    Assembly, Capacity, Edge, EdgeReason, Iterates, IterationGraph, Loop, LoopId, Method, Nest, OperandId, Plan,
    ResultPlan, Term, find,
    graph::{Walks, walks_along},
};
use nnz_base::ids::{IndexVar, Lvl, TensorId};
use nnz_kernel::{Access, Expr, IndexExpr, Kernel};

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
    /// The variables that it binds, or the level that it walks if it binds none.
    pub name: String,
    /// `all of i`, `level 1 of A (compressed)`.
    pub over: String,
    pub role: Role,
    pub parallel: bool,
}

/// The role of a loop for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its variable is one of the result's.
    Result,
    /// The result is summed over it.
    Reduction,
}

/// `from` is outside `to`.
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

/// How the loops access an operand's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Level by level, in the order of its storage: concordant.
    Walked,
    /// By looking up whether there is an entry at the current coordinates.
    LookedUp,
    /// By computing its place; the innermost loop runs along its memory.
    Contiguous,
    /// By computing its place; the innermost loop leaves it where it is.
    Fixed,
    /// By computing its place; the innermost loop jumps in its memory.
    Scattered,
    /// A number.
    Scalar,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Walked => "walked level by level, in the order of its storage",
            AccessKind::LookedUp => "located: looked up where the loops stand",
            AccessKind::Contiguous => "dense, along its memory",
            AccessKind::Fixed => "dense, one entry for the whole innermost loop",
            AccessKind::Scattered => "dense, at computed places",
            AccessKind::Scalar => "a number",
        })
    }
}

/// The loops of `plan`, in the order in which they run, and the costs that its kernel does not show.
pub fn describe(kernel: &Kernel, plan: &Plan, costs: impl IntoIterator<Item = String>) -> Vec<GraphText> {
    let describer = Describer { kernel: &plan.kernel, plan };
    let mut graphs = match &plan.result {
        ResultPlan::Dense { everywhere, vars, nests } => describer.dense(everywhere, vars, nests),
        ResultPlan::Inherited { nest, .. } => vec![describer.inherited(nest)],
        ResultPlan::Assembled(assembly) => vec![describer.assembly(kernel, assembly)],
    };
    if let Some(last) = graphs.last_mut() {
        last.notes.extend(costs);
    }
    graphs
}

struct Describer<'p> {
    kernel: &'p Kernel,
    plan: &'p Plan,
}

impl Describer<'_> {
    fn dense(&self, everywhere: &[Term], vars: &[IndexVar], nests: &[Nest]) -> Vec<GraphText> {
        let alone = nests.is_empty();
        let first = everywhere.iter().filter(|_| alone).map(|term| self.everywhere(term, vars));
        let mut graphs: Vec<GraphText> = first.chain(nests.iter().map(|nest| self.nest(nest))).collect();
        let start = everywhere.iter().filter(|_| !alone).map(|term| self.term(term));
        let start = start.map(|term| format!("the result starts from {term}, at every coordinate"));
        if let Some(last) = graphs.last_mut() {
            last.notes.extend(start);
        }
        graphs
    }

    fn nest(&self, nest: &Nest) -> GraphText {
        let Nest { term, graph, placement, target, .. } = nest;
        let mut loops = self.loops(&term.body, graph, target, placement.parallel);
        let within =
            term.body.bound_vars().into_iter().filter(|var| graph.loops.iter().all(|l| !l.parts_of.contains(var)));
        loops.extend(within.map(|var| self.loop_text(&term.body, &Loop::over(var, true), target, false)));
        GraphText {
            term: self.term(term),
            loops,
            edges: graph.edges.iter().map(|edge| self.edge(*edge)).collect(),
            accesses: self.accesses(&term.body, graph),
            notes: self.notes(nest),
        }
    }

    fn inherited(&self, nest: &Nest) -> GraphText {
        let graph = self.nest(nest);
        let operand = nest.leader.map_or("", |leader| self.operand_name(leader));
        let notes = vec![format!("the result has the entries of {operand}: one value is stored for each")];
        GraphText { notes, ..graph }
    }

    fn assembly(&self, kernel: &Kernel, assembly: &Assembly) -> GraphText {
        let mut rows: Vec<IndexVar> = assembly.rows.iter().map(|row| row.var).collect();
        rows.truncate(kernel.result().indices.len());
        let graph = &assembly.graph;
        let mut notes = vec![match (assembly.method, rows.last()) {
            (Method::Insert { .. }, _) => {
                "the loops run twice: entries are counted per segment, then put into their places".to_string()
            }
            (Method::Workspace, Some(last)) => {
                format!("a row along {} is added up in a dense workspace, then appended in order", self.names(&[*last]))
            }
            (Method::List, _) => {
                "every product is listed as the loops meet it; the list is sorted and added up".to_string()
            }
            (Method::Blocks(_), _) => "the blocks of a row of blocks are listed and cleared, then filled".to_string(),
            (Method::Append, _) | (Method::Workspace, None) => {
                "entries are appended in the order of the loops".to_string()
            }
        }];
        notes.push(match &assembly.capacity {
            Capacity::Counted => "the loops run twice: first they count the entries".to_string(),
            Capacity::Bound(operands) => {
                let names: Vec<&str> = operands.iter().map(|id| self.operand_name(*id)).collect();
                format!("room is made for as many entries as {} hold", names.join(" and "))
            }
        });
        GraphText {
            term: kernel.expr_text(kernel.expr()),
            loops: self.loops(&assembly.expr, graph, &rows, false),
            edges: graph.edges.iter().map(|edge| self.edge(*edge)).collect(),
            accesses: self.accesses(&assembly.expr, graph),
            notes,
        }
    }

    fn operand_name(&self, id: OperandId) -> &str {
        self.plan.operands.get(id.index()).map_or("", |operand| self.kernel.tensor(operand.tensor).name.as_str())
    }

    fn loops(&self, expr: &Expr, graph: &IterationGraph, target: &[IndexVar], parallel: bool) -> Vec<LoopText> {
        let loops = graph.loops.iter().enumerate();
        loops.map(|(at, l)| self.loop_text(expr, l, target, at == 0 && parallel)).collect()
    }

    /// Loops over every coordinate: the result's variables, then the summed ones.
    fn everywhere(&self, term: &Term, vars: &[IndexVar]) -> GraphText {
        let within = term.body.bound_vars();
        let loops = vars.iter().chain(&term.summed).chain(&within).map(|var| Loop::over(*var, true)).collect();
        let graph = IterationGraph { loops, edges: Vec::new() };
        let result = &self.kernel.result().indices;
        GraphText {
            term: self.term(term),
            loops: self.loops(&term.body, &graph, result, !result.is_empty()),
            edges: Vec::new(),
            accesses: self.accesses(&term.body, &graph),
            notes: Vec::new(),
        }
    }

    fn term(&self, term: &Term) -> String {
        let sign = if term.negated { "-" } else { "" };
        let body = self.text(&term.body);
        if term.summed.is_empty() {
            return format!("{sign}{body}");
        }
        format!("{sign}{}({}, {body})", self.plan.combine.name(), self.names(&term.summed))
    }

    fn text(&self, expr: &Expr) -> String {
        self.kernel.expr_text(expr)
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
        let names: Vec<&str> = vars.iter().map(|var| self.kernel.var(*var).name.as_str()).collect();
        names.join(", ")
    }

    fn loop_text(&self, expr: &Expr, l: &Loop, target: &[IndexVar], parallel: bool) -> LoopText {
        let for_result = l.parts_of.iter().any(|var| target.contains(var));
        let over = match l.iterates {
            Iterates::Var(var) => self.values_of(expr, var),
            Iterates::Level { operand, lvl } => {
                self.plan.operands.get(operand.index()).map_or(String::new(), |o| self.level(o.tensor, lvl))
            }
        };
        let name = if l.binds.is_empty() { self.names(&l.parts_of) } else { self.names(&l.binds) };
        let role = if for_result { Role::Result } else { Role::Reduction };
        LoopText { name, over, role, parallel }
    }

    /// What a loop over a variable visits: `all of j`, `level 1 of A (compressed)`, or what is left of a
    /// merge of several.
    fn values_of(&self, expr: &Expr, var: IndexVar) -> String {
        let all = format!("all of {}", self.names(&[var]));
        let levels = |walkers: &[OperandId]| -> Vec<String> {
            walkers.iter().filter_map(|id| self.level_along(*id, var)).collect()
        };
        let lattice = match walks_along(self.kernel, expr, var, &self.plan.operands) {
            Walks::Lattice(lattice) => lattice,
            Walks::Values => return all,
            Walks::Many(walkers) => return format!("{}, term by term", levels(&walkers).join(" and ")),
        };
        let levels = levels(&lattice.walkers);
        let every = crate::iterate::Presence::all(levels.len());
        match lattice.regions.as_slice() {
            _ if lattice.is_dense() => format!("{all}, beside {}", levels.join(" and ")),
            [only] if only.present == every => levels.join(" and "),
            _ => format!("{} merged", levels.join(" and ")),
        }
    }

    fn level_along(&self, id: OperandId, var: IndexVar) -> Option<String> {
        let operand = self.plan.operands.get(id.index())?;
        let mut levels = (0..operand.encoding.lvl_rank()).map(Lvl::new);
        let lvl = levels.find(|lvl| operand.level_var(*lvl) == Some(var))?;
        Some(self.level(operand.tensor, lvl))
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

    /// Each access once.
    fn accesses(&self, body: &Expr, graph: &IterationGraph) -> Vec<AccessText> {
        let (innermost, leader) = (innermost(graph), graph.leader());
        let mut texts: Vec<AccessText> = Vec::new();
        for access in body.accesses() {
            let text = AccessText { access: self.access(access), how: self.access_kind(access, innermost, leader) };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn access_kind(&self, access: &Access, innermost: Option<IndexVar>, leader: Option<OperandId>) -> AccessKind {
        let sparse = find(&self.plan.operands, access);
        let looked_up = |id: OperandId| leader != Some(id) && self.plan.operands[id.index()].has_looked_up_level();
        match innermost {
            _ if access.indices.is_empty() => AccessKind::Scalar,
            _ if sparse.is_some_and(looked_up) => AccessKind::LookedUp,
            _ if sparse.is_some() => AccessKind::Walked,
            Some(var) if !access.vars().any(|used| used == var) => AccessKind::Fixed,
            Some(var) if self.last_stored(access) == Some(var) => AccessKind::Contiguous,
            _ => AccessKind::Scattered,
        }
    }

    /// The variable along which the entries lie side by side.
    fn last_stored(&self, access: &Access) -> Option<IndexVar> {
        match self.kernel.tensor(access.tensor).encoding.as_ref() {
            None => access.indices.last().and_then(IndexExpr::as_var),
            Some(encoding) => {
                let dim = encoding.levels().last().and_then(|level| level.expr.as_var())?;
                access.indices.get(dim.index()).and_then(IndexExpr::as_var)
            }
        }
    }

    fn notes(&self, nest: &Nest) -> Vec<String> {
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
        if placement.parts.is_some() {
            notes.push("in parts that end where the coordinate changes, beside each other".to_string());
        }
        if let Some(around) = placement.carrying {
            notes.push(format!("the last entry stays in a register {}", inside(around.index() + 1)));
        }
        notes.push(match placement.stores_once() {
            true => "the result is stored once per entry".to_string(),
            false => format!("the result is initialised {}, then added to", inside(placement.covering)),
        });
        notes
    }
}

/// The variable of the innermost loop, if that is a dense loop or runs over a level that stores one variable.
fn innermost(graph: &IterationGraph) -> Option<IndexVar> {
    let last = graph.loops.last()?;
    match last.iterates {
        Iterates::Var(var) => Some(var),
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
