//! Regions of several blocks: the targets and arguments of branches, and whether definitions dominate uses.

use std::collections::HashMap;

use super::Reader;
use crate::{
    ir::{Label, Op, Operand, Region, ValueId},
    mistake::Mistake,
};
use nnz_base::diagnostic::{Code, counted, did_you_mean};

impl Reader<'_> {
    /// Finds the blocks that branches name, and reports errors. The ends of blocks are checked only if the
    /// region is `whole`, because unknown or broken operations are left out of it.
    pub(super) fn link(&mut self, region: &mut Region, first: Option<&str>, whole: bool) {
        let mut mistakes = Vec::new();
        let labels: Vec<String> = region.others.iter().map(|block| block.label.name.clone()).collect();
        for (at, block) in region.others.iter().enumerate() {
            let before = || labels[..at].iter().map(String::as_str).chain(first);
            if before().any(|label| label == block.label.name) {
                let message = format!("`{}` is defined twice", block.label.name);
                mistakes.push(Mistake::new(Code::RedefinedValue, block.label.span, message).label("the second one"));
            }
        }
        let operations = std::iter::once(&mut region.operations);
        for operations in operations.chain(region.others.iter_mut().map(|block| &mut block.operations)) {
            for successor in operations.iter_mut().flat_map(|op| &mut op.successors) {
                match labels.iter().position(|label| *label == successor.label.name) {
                    Some(block) => successor.block = block,
                    None if Some(successor.label.name.as_str()) == first => mistakes.push(to_first(&successor.label)),
                    None => mistakes.push(no_block(&successor.label.name, successor.label.span, &labels)),
                }
            }
        }
        if mistakes.is_empty() && whole {
            mistakes = wrong_blocks(region);
        }
        mistakes.into_iter().for_each(|mistake| self.report(mistake));
    }
}

fn to_first(label: &Label) -> Mistake {
    let message = format!("`{}` is the first block of its region, to which nothing branches", label.name);
    let mistake = Mistake::new(Code::OperationForm, label.span, message).label("the first block");
    mistake.help("put a block in front of it that branches to it at once")
}

fn no_block(name: &str, span: nnz_base::source::Span, labels: &[String]) -> Mistake {
    let mistake = Mistake::new(Code::UndefinedValue, span, format!("there is no block `{name}` to branch to"))
        .label("no such block");
    match did_you_mean(name, labels.iter().map(String::as_str)) {
        Some(near) => mistake.help(format!("did you mean `{near}`?")),
        None => mistake.help("branches lead to blocks of the same region, but for its first"),
    }
}

/// The mistakes in blocks whose branches are linked.
fn wrong_blocks(region: &Region) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for operations in region.blocks() {
        let ends = |op: &&Op| op.def.is_terminator();
        if let Some(early) = operations.iter().rev().skip(1).find(ends) {
            let message = format!("`{}` ends a block, and more stands behind it", early.def.name);
            mistakes.push(Mistake::new(Code::OperationForm, early.span, message).label("the end of the block"));
        }
        match operations.last() {
            Some(last) if !ends(&last) && !region.others.is_empty() => {
                let message = "a block ends with a branch or a return, and this is its last operation";
                mistakes.push(Mistake::new(Code::OperationForm, last.span, message).label("no branch and no return"));
            }
            Some(last) => mistakes.extend(wrong_branch(region, last)),
            None => {}
        }
    }
    for block in region.others.iter().filter(|block| block.operations.is_empty()) {
        let message = format!("`{}` holds no operations: a block ends with a branch or a return", block.label.name);
        mistakes.push(Mistake::new(Code::OperationForm, block.label.span, message).label("an empty block"));
    }
    if mistakes.is_empty() && !region.others.is_empty() {
        mistakes = undominated(region);
    }
    mistakes
}

/// A branch that hands on other values than its blocks take.
fn wrong_branch(region: &Region, op: &Op) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for (at, successor) in op.successors.iter().enumerate() {
        let (given, wanted) =
            (op.handed(at), region.others.get(successor.block).map_or(&[][..], |block| &block.arguments));
        if given.len() != wanted.len() {
            let message =
                format!("`{}` takes {}, not {}", successor.label.name, counted(wanted.len(), "value"), given.len());
            mistakes.push(Mistake::types(successor.label.span, message).label(counted(given.len(), "value")));
        }
        let differs = |(given, wanted): &(&Operand, &Operand)| {
            given.ty != wanted.ty && !given.ty.is_broken() && !wanted.ty.is_broken()
        };
        if let Some((given, wanted)) = given.iter().zip(wanted).find(differs) {
            let message = format!("`{}` takes `{}` here, not `{}`", successor.label.name, wanted.ty, given.ty);
            mistakes.push(Mistake::types(given.span, message));
        }
    }
    mistakes
}

/// Uses of values that may not have been computed: their block does not come first on every way.
fn undominated(region: &Region) -> Vec<Mistake> {
    let dominators = Dominators::of(region);
    let mut defined: HashMap<ValueId, usize> = HashMap::new();
    for (at, operations) in region.blocks().enumerate() {
        let arguments =
            at.checked_sub(1).and_then(|at| region.others.get(at)).map_or(&[][..], |block| &block.arguments);
        let results = operations.iter().flat_map(|op| &op.results).copied();
        defined.extend(arguments.iter().map(|argument| argument.value).chain(results).map(|value| (value, at)));
    }
    let mut mistakes = Vec::new();
    for (at, operations) in region.blocks().enumerate() {
        let mut uses = Vec::new();
        collect_uses(operations, &mut uses);
        let first =
            |operand: &&&Operand| defined.get(&operand.value).is_some_and(|block| !dominators.precedes(*block, at));
        mistakes.extend(uses.iter().find(first).map(|operand| {
            let message = "there is a way to this block on which the value is not computed";
            let mistake = Mistake::new(Code::UndefinedValue, operand.span, message).label("not always computed");
            mistake.help("hand it on as an argument of the block")
        }));
    }
    mistakes
}

fn collect_uses<'o>(operations: &'o [Op], uses: &mut Vec<&'o Operand>) {
    for op in operations {
        uses.extend(&op.operands);
        op.regions.iter().flatten().flat_map(Region::blocks).for_each(|inner| collect_uses(inner, uses));
    }
}

/// Which block comes before which on every way from the first (Cooper, Harvey and Kennedy: A simple, fast
/// dominance algorithm, 2001).
struct Dominators {
    /// The number of each block in reverse postorder; `None` of one that no way leads to.
    order: Vec<Option<usize>>,
    /// By that number: the closest block before, itself for the first.
    closest: Vec<usize>,
}

impl Dominators {
    fn of(region: &Region) -> Dominators {
        let next: Vec<Vec<usize>> = region.blocks().map(successors).collect();
        let postorder = postorder(&next);
        let mut order = vec![None; next.len()];
        postorder.iter().rev().enumerate().for_each(|(number, block)| order[*block] = Some(number));
        let mut before = vec![Vec::new(); postorder.len()];
        for (block, next) in next.iter().enumerate() {
            let Some(from) = order[block] else { continue };
            next.iter().filter_map(|to| order[*to]).for_each(|to| before[to].push(from));
        }
        Dominators { order, closest: closest(&before) }
    }

    /// Whether every way to `block` leads through `first`.
    fn precedes(&self, first: usize, block: usize) -> bool {
        let number = |block: usize| self.order.get(block).copied().flatten();
        // Where no way leads, nothing is wrong.
        let Some(mut at) = number(block) else { return true };
        let Some(first) = number(first) else { return false };
        while at > first {
            at = self.closest[at];
        }
        at == first
    }
}

/// Blocks by number: 0 is the first, the others follow.
fn successors(operations: &[Op]) -> Vec<usize> {
    operations.last().map_or(Vec::new(), |op| op.successors.iter().map(|successor| successor.block + 1).collect())
}

fn postorder(next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut done = Vec::new();
    // A block, and how many of its successors were gone to.
    let mut path = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, gone)) = path.last_mut() {
        match next[*block].get(*gone) {
            Some(&to) => {
                *gone += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                done.push(*block);
                path.pop();
            }
        }
    }
    done
}

fn closest(before: &[Vec<usize>]) -> Vec<usize> {
    let mut closest: Vec<Option<usize>> = vec![None; before.len()];
    closest[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..before.len() {
            let known = before[block].iter().copied().filter(|from| closest[*from].is_some());
            let common = known.reduce(|a, b| meet(&closest, a, b));
            changed |= common != closest[block];
            closest[block] = common;
        }
    }
    closest.into_iter().map(|block| block.unwrap_or(0)).collect()
}

fn meet(closest: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = closest[*later].unwrap_or(0);
    }
    a
}
