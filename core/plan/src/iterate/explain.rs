//! Plans and lattices in words: what `:show plan` and `:show lattice` print.

use std::fmt::Write;

use super::{
    Assembly, Capacity, Derived, Hint, Lattice, Method, OperandId, Plan, Presence, ResultPlan, Space, find,
    graph::{self, Walks},
    hint::encoding_text,
    lattice::MOST_WALKERS,
    nests::LoopNest,
    order, taken_apart,
};
use nnz_base::ids::IndexVar;
use nnz_kernel::{Access, Expr, IndexExpr, Kernel, ReduceOp};

/// The lattices of `plan`: for every variable along which operands store only some coordinates, the regions
/// that its loop visits, with the simplified expression in each, and the loops of the merge.
pub fn lattices(plan: &Plan) -> String {
    let explainer = Explainer { kernel: &plan.kernel, plan };
    let texts: Vec<String> = plan.loop_nests().into_iter().map(|nest| explainer.lattice_of(&nest)).collect();
    texts.join("\n")
}

/// The plan as a table: the order of the loops, every access, and the work outside the loops, each with its estimated
/// cost in loop steps. `made` has a row for each operand that is made before the loops, `hints` the plan's hints in the
/// words of the kernel's text.
pub fn plan_text(plan: &Plan, made: Vec<PlanRow>, hints: &[Hint]) -> String {
    let explainer = Explainer { kernel: &plan.kernel, plan };
    let mut rows = vec![explainer.result()];
    for nest in plan.loop_nests() {
        rows.extend(explainer.nest(&nest));
    }
    rows.extend(plan.derived.iter().map(|derived| explainer.derived(derived)));
    rows.extend(made);
    rows.extend(densified(hints));
    rows.extend(plan.hasty.then(|| ("orders".to_string(), HASTY.to_string())));
    let width = rows.iter().map(|(head, _)| head.chars().count()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (head, tail)| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{head:width$}  {tail}");
        text
    })
}

/// The note on a plan for which not all orders of the loops were tried.
const HASTY: &str = "too many to try them all: of those that begin as the text does the cheapest is taken";

/// A head, and its text.
pub type PlanRow = (String, String);

struct Explainer<'p> {
    kernel: &'p Kernel,
    plan: &'p Plan,
}

impl Explainer<'_> {
    fn lattice_of(&self, nest: &LoopNest) -> String {
        let mut text = format!("{}\n", self.kernel.expr_text(&nest.term.body));
        for var in &nest.loops {
            // Writing to a string does not fail.
            let _ = match nest.leader {
                Some(leader) if self.plan.operands[leader.index()].indices.contains(var) => {
                    writeln!(text, "  {}: the entries of {}", self.name(*var), self.operand(leader))
                }
                _ => write!(text, "{}", self.regions(&nest.term.body, (*var, &nest.loops))),
            };
        }
        text
    }

    fn regions(&self, expr: &Expr, (var, order): (IndexVar, &[IndexVar])) -> String {
        let located = self.located(expr, (var, order));
        let lattice = match graph::walks_along(self.kernel, expr, var, &self.plan.operands) {
            Walks::Lattice(lattice) => lattice,
            Walks::Values => return format!("  {}: every value{located}\n", self.name(var)),
            Walks::Many(walkers) => {
                let (name, count) = (self.name(var), walkers.len());
                return format!("  {name}: {count} operands, term by term: one loop merges at most {MOST_WALKERS}\n");
            }
        };
        let mut text = format!("  {}: {}{located}\n", self.name(var), self.merge_text(&lattice));
        let width = lattice.regions.iter().map(|region| self.set(&lattice, region.present).chars().count()).max();
        for region in &lattice.regions {
            let set = self.set(&lattice, region.present);
            // Writing to a string does not fail.
            let _ = writeln!(text, "    {set:0$}  {1}", width.unwrap_or(0), self.kernel.expr_text(&region.expr));
        }
        text
    }

    /// `; H is located at each`, if so.
    fn located(&self, expr: &Expr, along: (IndexVar, &[IndexVar])) -> String {
        let found = graph::looked_up(expr, along, &self.plan.operands);
        let names: Vec<&str> = found.iter().map(|id| self.operand(*id)).collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} is located at each"),
            several => format!("; {} are located at each", several.join(" and ")),
        }
    }

    /// `while A and B last; then the rest of A`.
    fn merge_text(&self, lattice: &Lattice) -> String {
        if let Some((walker, _)) = lattice.only_walker() {
            return format!("the entries of {}", self.operand(walker));
        }
        let loops = lattice.loops().into_iter().map(|live| match live.count() {
            0 => "the values that are left".to_string(),
            1 if !lattice.is_dense() => format!("the rest of {}", self.names(lattice, live)),
            1 => format!("while {} lasts", self.names(lattice, live)),
            _ => format!("while {} last", self.names(lattice, live)),
        });
        loops.collect::<Vec<_>>().join(", then ")
    }

    fn names(&self, lattice: &Lattice, present: Presence) -> String {
        let names = present.walkers().filter_map(|at| lattice.walkers.get(at));
        names.map(|id| self.operand(*id)).collect::<Vec<_>>().join(" and ")
    }

    fn set(&self, lattice: &Lattice, present: Presence) -> String {
        let names = present.walkers().filter_map(|at| lattice.walkers.get(at)).map(|id| self.operand(*id));
        format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
    }

    fn result(&self) -> PlanRow {
        let tensor = self.kernel.tensor(self.kernel.result().tensor);
        let how = match &self.plan.result {
            ResultPlan::Dense { .. } => "dense, written in place".to_string(),
            ResultPlan::Inherited { operand, .. } => format!("one value for every entry of {}", self.operand(*operand)),
            ResultPlan::Assembled(assembly) => self.assembled(assembly),
        };
        let converted = self.plan.hints.iter().find(|hint| matches!(hint, Hint::ResultConverted { .. }));
        let converted = converted.map_or(String::new(), |hint| format!("; {hint}"));
        (format!("result {}", tensor.name), format!("{how}{converted}"))
    }

    fn assembled(&self, assembly: &Assembly) -> String {
        let room = match &assembly.capacity {
            Capacity::Counted => "entries are counted first, then appended in order".to_string(),
            Capacity::Bound(operands) => {
                let names: Vec<&str> = operands.iter().map(|id| self.operand(*id)).collect();
                let hold = if names.len() == 1 { "holds" } else { "hold" };
                format!("appended in order, no more entries than {} {hold}", names.join(" and "))
            }
        };
        let parts = assembly.rows.first().filter(|_| assembly.in_parts);
        let room = parts.map_or(room.clone(), |row| format!("{room}; parts of {} in parallel", self.name(row.var)));
        match (assembly.method, assembly.rows.last()) {
            (Method::Insert { .. }, _) => "entries are counted per segment, then put into their places".to_string(),
            (Method::List, _) => "products are counted first, then listed, sorted and added up".to_string(),
            (Method::Blocks(_), _) => format!("{room}; blocks are listed, cleared, then filled"),
            (Method::Append, _) | (_, None) => room,
            (Method::Workspace, Some(row)) => {
                if let Space::Hashed(operands) = &assembly.space {
                    let names: Vec<&str> = operands.iter().map(|id| self.operand(*id)).collect();
                    let along = self.name(row.var);
                    return format!(
                        "{room}; a hash table along {along}, with room for the entries of {}",
                        names.join(" and ")
                    );
                }
                let extent = self.kernel.var(row.var).extent;
                let bytes = extent.saturating_mul(self.kernel.element().bytes() as u64 + 8);
                let each = if assembly.in_parts { " each" } else { "" };
                format!("{room}; workspace along {}, {extent} entries, {bytes} bytes{each}", self.name(row.var))
            }
        }
    }

    fn nest(&self, nest: &LoopNest) -> Vec<PlanRow> {
        let loops: Vec<&str> = nest.loops.iter().map(|var| self.name(*var)).collect();
        // Other terms than sums stand whole in the nests of a dense result.
        let whole = self.plan.combine != ReduceOp::Sum && !matches!(self.plan.result, ResultPlan::Assembled(_));
        let terms = match nest.leader.is_some() || whole {
            true => vec![nest.term.clone()],
            false => taken_apart(&self.plan.combine, &nest.term.body),
        };
        let steps = order::steps(self.kernel, &self.plan.operands, &terms, &nest.loops);
        let text = self.kernel.expr_text(&nest.term.body);
        let mut rows = vec![(format!("loops {}", loops.join(", ")), format!("{text}, about {}", count(steps)))];
        let mut seen: Vec<&Access> = Vec::new();
        for access in nest.term.body.accesses() {
            if !seen.contains(&access) && !access.indices.is_empty() {
                seen.push(access);
                rows.push((format!("  {}", self.access(access)), self.how(access, nest)));
            }
        }
        rows
    }

    fn access(&self, access: &Access) -> String {
        self.kernel.expr_text(&Expr::Access(access.clone()))
    }

    fn how(&self, access: &Access, nest: &LoopNest) -> String {
        let last = nest.loops.last();
        let along = |index: Option<&IndexExpr>| index.is_some_and(|index| index.vars().any(|var| Some(&var) == last));
        match find(&self.plan.operands, access) {
            Some(id) if nest.leader == Some(id) => "concordant: its levels are the loops".to_string(),
            Some(id) if self.plan.operands[id.index()].condition.is_some() => {
                "a condition: where it holds is computed".to_string()
            }
            Some(id) if self.plan.operands[id.index()].has_looked_up_level() => {
                "located: looked up where the loops stand".to_string()
            }
            Some(_) => "concordant: walked in the order of its storage".to_string(),
            None if along(access.indices.last()) => "random access, along its memory".to_string(),
            None if access.vars().any(|var| Some(&var) == last) => {
                "random access, jumping in its memory in the innermost loop".to_string()
            }
            None => "random access, fixed in the innermost loop".to_string(),
        }
    }

    fn derived(&self, derived: &Derived) -> PlanRow {
        let tensor = self.kernel.tensor(derived.tensor);
        let encoding = tensor.encoding.as_ref().map_or(String::new(), |encoding| encoding_text(encoding));
        let from = &self.kernel.tensor(derived.from).name;
        let steps = order::conversion_steps(&tensor.shape);
        let text = format!("{from} as {encoding}, before the loops, about {}: {}", count(steps), derived.reason);
        (format!("conversion {}", tensor.name), text)
    }

    fn name(&self, var: IndexVar) -> &str {
        &self.kernel.var(var).name
    }

    fn operand(&self, id: OperandId) -> &str {
        self.plan.operands.get(id.index()).map_or("", |operand| self.kernel.tensor(operand.tensor).name.as_str())
    }
}

fn densified(hints: &[Hint]) -> impl Iterator<Item = PlanRow> {
    let dense = hints.iter().filter(|hint| matches!(hint, Hint::EveryCoordinate { .. }));
    dense.map(|hint| ("every coordinate".to_string(), hint.to_string()))
}

/// A number of steps with two significant digits.
pub fn count(steps: f64) -> String {
    match steps {
        steps if steps < 1e4 => format!("{steps:.0} steps"),
        steps => format!("{steps:.1e} steps"),
    }
}
