//! The steps that constrain the plan: the order of the loops, and how the result is assembled. The planner gets them as
//! wishes. Afterwards this module checks that the plan fulfils them, and has neither a new conversion nor another order
//! of additions than the default plan.

use super::{Refusal, ScheduleError, sums::Sums};
use crate::{
    iterate::{self, Assembling, Derived, Hint, Method, Nest, Plan, PlanError, ResultPlan, Wishes},
    lower::LowerError,
};
use nnz_base::ids::IndexVar;
use nnz_encoding::named;
use nnz_kernel::{Expr, Kernel, LoopName, Schedule, Step, schedule::AssembleMethod};

/// The plan that the schedule asks for.
///
/// # Errors
/// What no plan can be made for; the first step that no plan follows.
pub(super) fn planned(kernel: &Kernel, schedule: &Schedule) -> Result<Plan, ScheduleError> {
    let default = plan_of(kernel, &Wishes::default(), &[])?;
    let sums = (!sums_are_free(kernel, schedule)).then(|| Sums::of(&default));
    let (mut wishes, mut bare, mut plan) = (Wishes::default(), Vec::new(), default.clone());
    for (at, step) in schedule.steps.iter().enumerate() {
        let refused = |refusal| ScheduleError::Step { step: at, refusal };
        bare.extend(fused(kernel, step));
        if !wish(kernel, step, &mut wishes).map_err(refused)? && fused(kernel, step).is_none() {
            continue;
        }
        plan = plan_of(kernel, &wishes, &bare)?;
        if sums.as_ref().is_some_and(|sums| *sums != Sums::of(&plan)) {
            let entry_by_entry = entry_by_entry(&plan);
            plan = if sums.as_ref().is_some_and(|sums| *sums == Sums::of(&entry_by_entry)) {
                entry_by_entry
            } else {
                plan
            };
        }
        follows(&plan, step, &wishes).map_err(refused)?;
        // A schedule that asks for another method than listing accepts the conversions of that method.
        if !matches!(step, Step::Assemble { .. } | Step::Precompute { .. }) || !is_listed(&default) {
            without_conversions(&default, &plan).map_err(refused)?;
        }
        if sums.as_ref().is_some_and(|sums| *sums != Sums::of(&plan)) {
            return Err(refused(Refusal::Reassociates));
        }
    }
    Ok(plan)
}

fn is_listed(plan: &Plan) -> bool {
    matches!(&plan.result, ResultPlan::Assembled(assembly) if assembly.method == Method::List)
}

/// Whether sums may be added up in any order: the schedule says so, or they are of whole numbers, which wrap.
pub(super) fn sums_are_free(kernel: &Kernel, schedule: &Schedule) -> bool {
    let rounded = |node: &Expr| matches!(node, Expr::Reduce { body, .. } if !kernel.element_of(body).is_integer());
    let all_whole = || kernel.element().is_integer() && !kernel.expr().nodes().into_iter().any(rounded);
    schedule.steps.contains(&Step::Reassociate) || all_whole()
}

/// The plan with these wishes and with no statements between the pairs of loops in `bare`.
fn plan_of(kernel: &Kernel, wishes: &Wishes, bare: &[[IndexVar; 2]]) -> Result<Plan, ScheduleError> {
    let planned = iterate::plan_wished(kernel, wishes);
    let mut plan = planned.map_err(|error: PlanError| ScheduleError::Lower(LowerError::Plan(error)))?;
    if let ResultPlan::Dense { nests, .. } = &mut plan.result {
        for nest in nests {
            // Steps are checked against loops that leave nothing to the next iteration.
            (nest.placement.carrying, nest.placement.parts) = (None, None);
            bare.iter().for_each(|pair| bare_between(nest, *pair));
        }
    }
    Ok(plan)
}

/// The index variables of two loops that become one.
fn fused(kernel: &Kernel, step: &Step) -> Option<[IndexVar; 2]> {
    let Step::Fuse { outer, inner, .. } = step else { return None };
    Some([var(kernel, outer)?, var(kernel, inner)?])
}

/// The plan with each term added to its entry at once, not in a register first: so the loops of a result's variables may
/// stand among those of its sum, and every entry is still added up in the same order.
fn entry_by_entry(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    if let ResultPlan::Dense { nests, .. } = &mut plan.result {
        for nest in nests {
            nest.placement.accumulate_after = nest.graph.loops.len();
        }
    }
    plan
}

/// Entries are initialised before the nest, and added to one by one, rather than between these loops.
fn bare_between(nest: &mut Nest, [outer, inner]: [IndexVar; 2]) {
    let loops = &nest.graph.loops;
    let place = |var: IndexVar| loops.iter().position(|l| l.binds.contains(&var));
    let Some(below) = place(inner).filter(|below| place(outer).is_some_and(|above| above + 1 == *below)) else {
        return;
    };
    let placement = &mut nest.placement;
    let adds = placement.accumulate_after == below;
    if adds {
        placement.accumulate_after = loops.len();
    }
    if adds || placement.covering == below && !placement.stores_once() {
        placement.covering = 0;
        placement.covered.clear();
    }
}

/// Adds what the step asks of the plan, if anything.
fn wish(kernel: &Kernel, step: &Step, wishes: &mut Wishes) -> Result<bool, Refusal> {
    match step {
        Step::Reorder { loops } => {
            if !is_planned(kernel, loops) {
                return Ok(false);
            }
            wishes.orders.push(loops.iter().filter_map(|name| var(kernel, name)).collect());
            if contradict(wishes, kernel.vars().len()) {
                return Err(Refusal::Contradicts);
            }
        }
        Step::Precompute { of, .. } => {
            workspace(kernel, of)?;
            wishes.assembling = Some(Assembling::Workspace);
        }
        Step::Assemble { tensor, method } => {
            let result = &kernel.tensor(kernel.result().tensor).name;
            if tensor != result {
                return Err(Refusal::NotResult { tensor: tensor.clone(), result: result.clone() });
            }
            wishes.assembling = Some(match method {
                AssembleMethod::Append => Assembling::Append,
                AssembleMethod::Workspace => Assembling::Workspace,
                AssembleMethod::Insert => Assembling::Insert,
            });
        }
        Step::Split { .. }
        | Step::Divide { .. }
        | Step::Fuse { .. }
        | Step::Pos { .. }
        | Step::Unroll { .. }
        | Step::Vectorize { .. }
        | Step::Parallelize { .. }
        | Step::Bound { .. }
        | Step::Reassociate => return Ok(false),
    }
    Ok(true)
}

/// Whether the planner nests these loops: those over index variables, and not any that a step has made.
pub(super) fn is_planned(kernel: &Kernel, loops: &[LoopName]) -> bool {
    loops.iter().all(|name| var(kernel, name).is_some())
}

/// The index variable of that name; `None` for a loop that a step has made.
fn var(kernel: &Kernel, name: &LoopName) -> Option<IndexVar> {
    kernel.vars().iter().position(|var| var.name == name.as_str()).map(IndexVar::new)
}

/// Whether no order of `count` variables fulfils the wishes.
fn contradict(wishes: &Wishes, count: usize) -> bool {
    let mut left: Vec<IndexVar> = (0..count).map(IndexVar::new).collect();
    let first = |left: &[IndexVar]| left.iter().position(|var| !wishes.holds_back(*var, &[], left));
    while let Some(at) = first(&left) {
        left.remove(at);
    }
    !left.is_empty()
}

/// Checks that a workspace along `of` differs from the result itself.
fn workspace(kernel: &Kernel, of: &LoopName) -> Result<(), Refusal> {
    let result = kernel.result();
    let tensor = kernel.tensor(result.tensor);
    let along_result = var(kernel, of).is_some_and(|var| result.indices.contains(&var));
    if iterate::is_random_access(tensor) || !along_result {
        return Err(Refusal::NoWorkspace { name: of.clone(), result: tensor.name.clone() });
    }
    Ok(())
}

/// Checks that the plan follows the step.
fn follows(plan: &Plan, step: &Step, wishes: &Wishes) -> Result<(), Refusal> {
    match (step, &plan.result) {
        (Step::Fuse { .. }, _) => Ok(()),
        (Step::Reorder { .. }, _) => in_order(plan, wishes),
        (Step::Precompute { of, .. }, ResultPlan::Assembled(assembly)) => {
            let last = assembly.rows.last().map(|row| row.var);
            let along = last.is_some() && last == var(&plan.kernel, of);
            let refused = || Refusal::NoWorkspace { name: of.clone(), result: result_name(plan) };
            if assembly.method == Method::Workspace && along { Ok(()) } else { Err(refused()) }
        }
        (Step::Assemble { method, .. }, ResultPlan::Assembled(assembly)) => {
            let is = match method {
                AssembleMethod::Append => assembly.method == Method::Append,
                AssembleMethod::Workspace => assembly.method == Method::Workspace,
                AssembleMethod::Insert => matches!(assembly.method, Method::Insert { .. }),
            };
            let refused = || Refusal::CannotAssemble { result: result_name(plan), method: *method };
            if is { Ok(()) } else { Err(refused()) }
        }
        (Step::Precompute { .. } | Step::Assemble { .. }, ResultPlan::Dense { .. } | ResultPlan::Inherited { .. }) => {
            Err(Refusal::NotAssembled { result: result_name(plan) })
        }
        // These ask nothing of the plan.
        (Step::Split { .. } | Step::Divide { .. } | Step::Pos { .. } | Step::Unroll { .. }, _) => Ok(()),
        (Step::Vectorize { .. } | Step::Parallelize { .. } | Step::Bound { .. } | Step::Reassociate, _) => Ok(()),
    }
}

fn result_name(plan: &Plan) -> String {
    plan.kernel.tensor(plan.kernel.result().tensor).name.clone()
}

/// Checks that the loops nest as wished.
fn in_order(plan: &Plan, wishes: &Wishes) -> Result<(), Refusal> {
    let names = |vars: &[IndexVar]| vars.iter().map(|var| plan.kernel.var(*var).name.clone()).collect();
    match &plan.result {
        ResultPlan::Dense { everywhere, vars, nests } => {
            let dense = everywhere.iter().map(|term| vars.iter().chain(&term.summed).copied().collect());
            let orders: Vec<Vec<IndexVar>> = dense.chain(nests.iter().map(Nest::loop_order)).collect();
            match orders.into_iter().find(|order| !wishes.allow(order)) {
                Some(order) => Err(Refusal::FixedOrder { loops: names(&order) }),
                None => Ok(()),
            }
        }
        ResultPlan::Inherited { nest, .. } if wishes.allow(&nest.loop_order()) => Ok(()),
        ResultPlan::Inherited { nest, .. } => Err(Refusal::FixedOrder { loops: names(&nest.loop_order()) }),
        ResultPlan::Assembled(assembly) if wishes.allow(&assembly.loop_order()) => Ok(()),
        ResultPlan::Assembled(assembly) => {
            let rows: Vec<IndexVar> = assembly.rows.iter().map(|row| row.var).collect();
            let workspace = wishes.assembling.is_none() && works_in_a_workspace(plan, wishes);
            Err(Refusal::ResultOrder { result: result_name(plan), levels: names(&rows), workspace })
        }
    }
}

/// Whether the loops nest as wished where the result is added up in a workspace.
fn works_in_a_workspace(plan: &Plan, wishes: &Wishes) -> bool {
    let wishes = Wishes { assembling: Some(Assembling::Workspace), ..wishes.clone() };
    let planned = plan_of(&plan.kernel, &wishes, &[]);
    planned.is_ok_and(|plan| match &plan.result {
        ResultPlan::Assembled(assembly) => assembly.method == Method::Workspace && wishes.allow(&assembly.loop_order()),
        ResultPlan::Dense { .. } | ResultPlan::Inherited { .. } => false,
    })
}

/// Checks that the plan converts nothing that the default plan does not convert.
fn without_conversions(default: &Plan, plan: &Plan) -> Result<(), Refusal> {
    let new = plan.hints.iter().filter(|hint| !default.hints.contains(hint));
    let conversion = new.into_iter().find_map(|hint| match hint {
        Hint::Converted { tensor, encoding, .. } => Some((tensor, encoding)),
        Hint::ResultConverted { .. } | Hint::EveryCoordinate { .. } | Hint::Strided { .. } => None,
    });
    let Some((tensor, encoding)) = conversion else { return Ok(()) };
    let levels = stored_order(plan, tensor);
    let spelled = spelled(plan, tensor).unwrap_or_else(|| encoding.clone());
    Err(Refusal::NeedsConversion { tensor: tensor.clone(), levels, encoding: encoding.clone(), spelled })
}

/// The encoding that a tensor would be converted to, as a definition writes it.
fn spelled(plan: &Plan, name: &str) -> Option<String> {
    let derived = derived_from(plan, name)?;
    let encoding = plan.kernel.tensor(derived.tensor).encoding.as_ref()?;
    named::names_of(encoding).nnz.or_else(|| Some(encoding.map_text()))
}

fn derived_from<'p>(plan: &'p Plan, name: &str) -> Option<&'p Derived> {
    plan.derived.iter().find(|derived| plan.kernel.tensor(derived.from).name == name)
}

/// The variables of the access that would be converted, in the order of the tensor's levels.
fn stored_order(plan: &Plan, name: &str) -> Vec<String> {
    let kernel = &plan.kernel;
    let found = derived_from(plan, name).and_then(|derived| {
        let operand = plan.operands.iter().find(|operand| operand.tensor == derived.tensor)?;
        Some((derived, operand, kernel.tensor(derived.from).encoding.as_ref()?))
    });
    let Some((derived, operand, encoding)) = found else { return Vec::new() };
    let mut levels: Vec<String> = Vec::new();
    for dim in encoding.levels().iter().flat_map(|level| level.expr.vars()) {
        let place = derived.dims.iter().position(|dims| dims.contains(&dim));
        let var = place.and_then(|at| operand.indices.get(at));
        levels.extend(var.map(|var| kernel.var(*var).name.clone()).filter(|name| !levels.contains(name)));
    }
    levels
}
