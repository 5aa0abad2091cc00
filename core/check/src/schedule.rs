//! From the tree of `schedule split(i, i0, i1, 16), unroll(i1, 4)` to a [`Schedule`].
//!
//! Checks what the text alone determines: that every step is known and has its arguments, that it names loops that
//! exist after the steps before it, and that the names it gives are new. `nnz_plan::schedule`, which has the loops of
//! the kernel, decides whether a step is legal for them.

mod meant;
mod settled;

pub use super::checked::{Scheduled, StepPlace};
use super::{
    Checker,
    functions::is_function,
    scope::{Word, suggest},
    value::value,
};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_kernel::{
    LoopName, Schedule, Step,
    schedule::{AssembleMethod, Count, STEPS, StepInfo, StepKind, Unit, step_info},
};
use nnz_syntax::{NodeKind, NodeRef};
use std::collections::BTreeSet;

/// The schedule of a kernel with the index variables `vars` and this right side; `None` if it has errors,
/// which are then reported to `c`.
pub(super) fn schedule(
    c: &mut Checker<'_>,
    (vars, right_side): (&[String], NodeRef<'_>),
    node: NodeRef<'_>,
) -> Option<Scheduled> {
    if has_too_many(c, node) {
        return None;
    }
    let there = vars.iter().map(LoopName::new).collect();
    let mut reader = Reader { c, there, taken_apart: Vec::new(), perhaps: Vec::new(), right_side };
    let written = node.children().filter(|step| step.kind() == NodeKind::Step);
    let steps: Vec<Option<(Step, StepPlace)>> = written.map(|step| reader.step_or_names(step)).collect();
    let (steps, places) = steps.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let scheduled = Scheduled { schedule: Schedule { steps }, places };
    reader.settled_once(&scheduled).then_some(scheduled)
}

/// The most steps of a schedule: the loops are verified after each. No hand-written schedule comes near.
const MOST_STEPS: usize = 100;

/// Reports steps beyond the last one that a schedule may have.
fn has_too_many(c: &mut Checker<'_>, node: NodeRef<'_>) -> bool {
    let steps: Vec<NodeRef<'_>> = node.children().filter(|step| step.kind() == NodeKind::Step).collect();
    let (Some(first), Some(last)) = (steps.get(MOST_STEPS), steps.last()) else { return false };
    let message = format!("{} steps: a schedule has at most {MOST_STEPS}", steps.len());
    let error = Diagnostic::new(Code::TooLarge, c.source.id, first.span().cover(last.span()), message);
    c.report(error.label("steps too many").help("`divide` and `split` by a larger number make fewer loops"));
    true
}

/// A loop that a step has replaced.
struct TakenApart {
    name: LoopName,
    by: Span,
    into: Vec<LoopName>,
}

struct Reader<'a, 's, 'n> {
    c: &'a mut Checker<'s>,
    right_side: NodeRef<'n>,
    /// The loops after the steps so far.
    there: Vec<LoopName>,
    taken_apart: Vec<TakenApart>,
    /// What a step with a mistake names: those may be loops after it.
    perhaps: Vec<LoopName>,
}

impl Reader<'_, '_, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::ScheduleStep, self.c.source.id, span, message).label("in this step")
    }
    fn report(&mut self, diagnostic: Diagnostic) {
        self.c.diagnostics.push(diagnostic);
    }

    /// The steps after one with a mistake are read as well: they may use what it names.
    fn step_or_names(&mut self, node: NodeRef<'_>) -> Option<(Step, StepPlace)> {
        let step = self.step(node);
        if step.is_none() {
            let names = node.children().filter(|argument| argument.kind() == NodeKind::Name);
            self.perhaps.extend(names.map(|name| LoopName::new(name.text())));
        }
        step
    }

    fn step(&mut self, node: NodeRef<'_>) -> Option<(Step, StepPlace)> {
        let token = node.first_token()?;
        let Some(info) = step_info(token.text()) else {
            self.unknown_step(&Word { text: token.text().to_string(), span: token.span() }, node);
            self.look_for_loops(token.text(), node);
            return None;
        };
        if let Some(text) = meant::in_other_order(node, info) {
            let error = self.error(node.span(), format!("`{}` takes its arguments in another order", info.name));
            self.report(error.fix(format!("write `{text}`"), node.span(), text));
            return None;
        }
        let call = StepCall { info, name: token.span(), node };
        let step = match info.kind {
            StepKind::Reorder => self.reorder(&call),
            StepKind::Split => self.split(&call),
            StepKind::Divide => self.divide(&call),
            StepKind::Fuse => self.fuse(&call),
            StepKind::Pos => self.pos(&call),
            StepKind::Unroll => self.unroll(&call),
            StepKind::Vectorize => self.vectorize(&call),
            StepKind::Parallelize => self.parallelize(&call),
            StepKind::Bound => self.bound(&call),
            StepKind::Precompute => self.precompute(&call),
            StepKind::Assemble => self.assemble(&call),
            StepKind::Reassociate => self.reassociate(&call),
        }?;
        let arguments = node.children().map(|argument| argument.span()).collect();
        Some((step, StepPlace { whole: node.span(), arguments }))
    }

    /// The loops that a step names which is misspelt.
    fn look_for_loops(&mut self, written: &str, node: NodeRef<'_>) {
        let meant = did_you_mean(written, STEPS.iter().map(|info| info.name)).and_then(step_info);
        let count = match meant.map(|info| info.kind) {
            Some(StepKind::Reorder) => usize::MAX,
            Some(StepKind::Fuse) => 2,
            Some(StepKind::Precompute | StepKind::Assemble | StepKind::Reassociate) | None => 0,
            Some(
                StepKind::Split
                | StepKind::Divide
                | StepKind::Pos
                | StepKind::Unroll
                | StepKind::Vectorize
                | StepKind::Parallelize
                | StepKind::Bound,
            ) => 1,
        };
        node.children().take(count).for_each(|loop_name| drop(self.known(loop_name)));
    }

    fn unknown_step(&mut self, name: &Word, node: NodeRef<'_>) {
        let names = || STEPS.iter().map(|info| info.name);
        let all = names().collect::<Vec<_>>().join(", ");
        let error = self.error(name.span, format!("a schedule has no step `{}`", name.text)).label("no step");
        if let Some(text) = meant::of_other_tools(&name.text, node) {
            return self.report(error.fix(format!("write `{text}`"), node.span(), text));
        }
        self.report(suggest(error, &name.text, names(), format!("the steps are {all}")));
    }

    fn reorder(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let nodes: Vec<NodeRef<'_>> = call.node.children().collect();
        let loops: Option<Vec<LoopName>> = nodes.iter().map(|node| self.known(*node)).collect();
        let loops = loops?;
        if loops.len() < 2 {
            let error = self.error(call.node.span(), "an order has two loops at least");
            self.report(error.help(format!("write `{}`", call.info.usage)));
            return None;
        }
        let twice = (1..loops.len()).find(|at| loops[..*at].contains(&loops[*at]));
        if let Some(at) = twice {
            let error = self.error(nodes[at].span(), format!("`{}` is in this order twice", loops[at]));
            self.report(error.label("the second time").help("name each loop once, the outermost first"));
            return None;
        }
        Some(Step::Reorder { loops })
    }

    fn split(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, outer, inner, size] = self.arguments(call)?;
        let (of, outer, inner, size) = (self.known(of), self.fresh(outer), self.fresh(inner), self.count(size));
        let (of, outer, inner, size) = (of?, outer?, inner?, size?);
        self.replace(call, &of, &[&outer, &inner])?;
        Some(Step::Split { of, outer, inner, size })
    }

    fn divide(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, outer, inner, parts] = self.arguments(call)?;
        let (of, outer, inner, parts) = (self.known(of), self.fresh(outer), self.fresh(inner), self.count(parts));
        let (of, outer, inner, parts) = (of?, outer?, inner?, parts?);
        self.replace(call, &of, &[&outer, &inner])?;
        Some(Step::Divide { of, outer, inner, parts })
    }

    fn fuse(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [outer, inner, into] = self.arguments(call)?;
        let (first, second, into) = (self.known(outer), self.known(inner), self.fresh(into));
        let (first, second, into) = (first?, second?, into?);
        if first == second {
            let error = self.error(inner.span(), format!("`{second}` cannot be fused with itself"));
            self.report(error.label("the same loop").help(format!("write `{}`", call.info.usage)));
            return None;
        }
        self.replace(call, &first, &[&into])?;
        self.replace(call, &second, &[])?;
        Some(Step::Fuse { outer: first, inner: second, into })
    }

    fn pos(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, into, tensor] = self.arguments(call)?;
        let (of, into, tensor) = (self.known(of), self.fresh(into), self.operand(tensor));
        let (of, into, tensor) = (of?, into?, tensor?);
        self.replace(call, &of, &[&into])?;
        Some(Step::Pos { of, into, tensor })
    }

    fn vectorize(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of] = self.arguments(call)?;
        Some(Step::Vectorize { of: self.known(of)? })
    }

    /// TACO's form has two more arguments, the unit and what to do about races.
    fn parallelize(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let nodes: Vec<NodeRef<'_>> = call.node.children().collect();
        let (of, words) = match nodes.as_slice() {
            [of, words @ ..] if words.len() <= 2 => (self.known(*of)?, words),
            [] => return self.arguments::<1>(call).and(None),
            [_, ..] => {
                let message =
                    format!("`parallelize` takes a loop, a unit and `NoRaces`, and {} are given", nodes.len());
                let error = self.error(call.node.span(), message);
                self.report(error.help("as in `parallelize(i, CPUThread, NoRaces)`"));
                return None;
            }
        };
        self.no_races(words.get(1).copied())?;
        match words.first().map_or(Unit::CpuThreads.name(), |unit| unit.text()) {
            "CPUThread" => {}
            "NotParallel" => return Some(Step::Parallelize { of, on: Unit::NotParallel }),
            "CPUVector" => return Some(Step::Vectorize { of }),
            unit => {
                let message = format!("the iterations of a loop cannot be dealt to `{unit}`");
                let error = self.error(words[0].span(), message).label("no unit");
                self.report(error.help("write `CPUThread`, `CPUVector` or `NotParallel`"));
                return None;
            }
        }
        Some(Step::Parallelize { of, on: Unit::CpuThreads })
    }

    /// Loops with races are refused, whatever is proposed to be done about them.
    fn no_races(&mut self, strategy: Option<NodeRef<'_>>) -> Option<()> {
        let Some(node) = strategy.filter(|node| node.text() != "NoRaces") else { return Some(()) };
        let message = format!("a parallel loop has no races here, and `{}` is nothing to do about one", node.text());
        let error =
            self.error(node.span(), message).label("not here").note("it would make sums differ from run to run");
        self.report(error.help("write `NoRaces`, or leave it out"));
        None
    }

    fn bound(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let nodes: Vec<NodeRef<'_>> = call.node.children().collect();
        let ([of, into, extent, how @ ..], true) = (nodes.as_slice(), nodes.len() <= 4) else {
            return self.arguments::<4>(call).and(None);
        };
        if let Some(how) = how.first().filter(|how| how.text() != "MaxExact") {
            let message = format!("`{}` is no bound: how far a variable runs is known exactly", how.text());
            let error = self.error(how.span(), message).label("no bound");
            self.report(error.help("write `MaxExact`, or leave it out"));
            return None;
        }
        let (of, into, extent) = (self.known(*of), self.fresh(*into), self.count(*extent));
        let (of, into, extent) = (of?, into?, u64::from(extent?.get()));
        self.replace(call, &of, &[&into])?;
        Some(Step::Bound { of, into, extent })
    }

    /// Only the whole right side can be precomputed, row by row.
    fn precompute(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let nodes: Vec<NodeRef<'_>> = call.node.children().collect();
        let (expr, of, into) = match nodes.as_slice() {
            [expr, of, into] => (*expr, *of, *into),
            // TACO's form names the workspace too.
            [expr, of, into, workspace] => {
                self.name(*workspace, "a workspace")?;
                (*expr, *of, *into)
            }
            _ => return self.arguments::<3>(call).and(None),
        };
        if words(expr) != words(self.right_side) {
            let message =
                format!("`{}` is not the whole right side, and only that is added up in a workspace", expr.text());
            let error = self.error(expr.span(), message).label("a part of it");
            let help = "compute a part of it in a statement of its own, such as `t(j) = b(j) * c(j)`, and use that";
            self.report(error.help(help));
            return None;
        }
        let of = self.known(of)?;
        let into = if into.text() == of.as_str() { of.clone() } else { self.fresh(into)? };
        if into != of {
            self.replace(call, &of, &[&into])?;
        }
        Some(Step::Precompute { of, into })
    }

    fn assemble(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [tensor, method] = self.arguments(call)?;
        let tensor = self.tensor(tensor);
        let known = AssembleMethod::ALL.iter().copied().find(|known| known.name() == method.text());
        if known.is_none() {
            let message = format!("`{}` is no way to assemble a result", method.text());
            let error = self.error(method.span(), message).label("no such way");
            let names: Vec<String> = AssembleMethod::ALL.iter().map(|known| format!("`{}`", known.name())).collect();
            self.report(error.help(format!("write one of {}", names.join(", "))));
        }
        Some(Step::Assemble { tensor: tensor?, method: known? })
    }

    fn reassociate(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [] = self.arguments(call)?;
        if call.node.text() == call.info.name {
            let error = self.error(call.node.span(), "a step has parentheses, even with nothing between them");
            self.report(error.fix("insert `()`", Span::at(call.name.end as usize), "()"));
            return None;
        }
        Some(Step::Reassociate)
    }

    fn unroll(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, times] = self.arguments(call)?;
        let (of, times) = (self.known(of), self.count(times));
        Some(Step::Unroll { of: of?, times: times? })
    }

    /// The arguments, if they are as many as the step takes.
    fn arguments<'n, const N: usize>(&mut self, call: &StepCall<'n>) -> Option<[NodeRef<'n>; N]> {
        let found: Vec<NodeRef<'n>> = call.node.children().collect();
        let count = found.len();
        if let Ok(arguments) = found.try_into() {
            return Some(arguments);
        }
        let given = if count == 1 { "1 is given".to_string() } else { format!("{count} are given") };
        let takes = if N == 0 { "no".to_string() } else { N.to_string() };
        let plural = if N == 1 { "argument" } else { "arguments" };
        let message = format!("`{}` takes {takes} {plural}, and {given}", call.info.name);
        let error = self.error(call.node.span(), message);
        self.report(match meant::as_meant(call.node, call.info) {
            Some((text, true)) => error.fix(format!("write `{text}`"), call.node.span(), text),
            Some((text, false)) => error.help(format!("as in `{text}`")),
            None => error.help(format!("write `{}`", call.info.usage)),
        });
        None
    }

    fn name(&mut self, node: NodeRef<'_>, what: &str) -> Option<Word> {
        if node.kind() == NodeKind::Name {
            return Some(Word { text: node.text().to_string(), span: node.span() });
        }
        let error = self.error(node.span(), format!("`{}` is not the name of {what}", node.text())).label("no name");
        let step = node.ancestors().find(|step| step.kind() == NodeKind::Step);
        let info = step.and_then(|step| step_info(step.first_token()?.text()));
        self.report(match info {
            Some(info) => error.help(format!("as in `{}`", info.usage)),
            None => error,
        });
        None
    }

    /// A tensor, by its name alone.
    fn tensor(&mut self, node: NodeRef<'_>) -> Option<String> {
        let called = node.first_token().filter(|_| node.kind() == NodeKind::Call);
        let Some(name) = called else { return Some(self.name(node, "a tensor")?.text) };
        let message = format!("a step names the tensor alone: `{}`", name.text());
        let error = self.error(node.span(), message).label("without indices");
        self.report(error.fix(format!("write `{}`", name.text()), node.span(), name.text()));
        None
    }

    /// A tensor on the right side.
    fn operand(&mut self, node: NodeRef<'_>) -> Option<String> {
        let name = self.tensor(node)?;
        let calls = self.right_side.descendants().filter(|part| part.kind() == NodeKind::Call);
        let called: Vec<&str> = calls.filter_map(|call| Some(call.first_token()?.text())).collect();
        if called.contains(&name.as_str()) {
            return Some(name);
        }
        let names = called.into_iter().filter(|called| !is_function(called)).collect::<BTreeSet<_>>();
        let error = self.error(node.span(), format!("the kernel reads no tensor `{name}`")).label("no operand");
        let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let one = names.first().filter(|_| names.len() == 1);
        let told = match one {
            Some(one) => error.fix(format!("write `{one}`"), node.span(), *one),
            None => suggest(error, &name, names.iter().copied(), format!("it reads {all}")),
        };
        self.report(told);
        None
    }

    /// A loop that exists. Whether there are loops over the levels of a block, `i.outer` and `i.inner`, only the
    /// kernel's loops show.
    fn known(&mut self, node: NodeRef<'_>) -> Option<LoopName> {
        let Word { text, span } = self.name(node, "a loop")?;
        let name = LoopName::new(text);
        let part = name.as_str().strip_suffix(".outer").or(name.as_str().strip_suffix(".inner"));
        let is_part = part.is_some_and(|var| self.there.iter().any(|known| known.as_str() == var));
        if is_part || self.there.contains(&name) || self.perhaps.contains(&name) {
            return Some(name);
        }
        let dealt = node.ancestors().find_map(|step| step_info(step.first_token()?.text()));
        self.unknown_loop(&name, span, dealt.is_some_and(|info| matches!(info.kind, StepKind::Parallelize)));
        None
    }

    /// The loops that are there instead; threads take the outer one of two alone.
    fn unknown_loop(&mut self, name: &LoopName, span: Span, outer_alone: bool) {
        if let Some(gone) = self.taken_apart.iter().find(|gone| gone.name == *name) {
            let outer = gone.into.first().filter(|_| outer_alone).map(|outer| format!("`{outer}`"));
            let into = gone.into.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
            let (by, last) = (gone.by, gone.into.is_empty());
            let error = self.error(span, format!("there is no loop `{name}` any more")).label("replaced before");
            return self.report(match last {
                true => error.secondary(by, "this made it a part of another"),
                false => error
                    .secondary(by, format!("this made {into} of it"))
                    .help(format!("name {}", outer.unwrap_or(into))),
            });
        }
        let error = self.error(span, format!("the kernel has no loop `{name}`")).label("no loop");
        let all = self.there.iter().map(LoopName::to_string).collect::<Vec<_>>().join(", ");
        let names = self.there.iter().map(LoopName::as_str);
        let other = if all.is_empty() { "it has no loops".to_string() } else { format!("its loops are {all}") };
        let error = suggest(error, name.as_str(), names, other);
        self.report(error);
    }

    /// A name for a loop that the step makes.
    fn fresh(&mut self, node: NodeRef<'_>) -> Option<LoopName> {
        let Word { text, span } = self.name(node, "a loop")?;
        let name = LoopName::new(text);
        let used = self.there.contains(&name) || self.taken_apart.iter().any(|gone| gone.name == name);
        if !used {
            return Some(name);
        }
        let error = self
            .error(span, format!("there is a loop `{name}` already"))
            .label("a loop already")
            .help("give the new loop another name");
        self.report(error);
        None
    }

    fn count(&mut self, node: NodeRef<'_>) -> Option<Count> {
        let number = match value(self.c.source.id, node, Element::I64) {
            Ok(Scalar::Int(number)) => u32::try_from(number).ok().and_then(Count::new),
            _ => None,
        };
        if number.is_none() {
            let message = format!("`{}` is no number of iterations", node.text());
            let error = self
                .error(node.span(), message)
                .label("no such number")
                .help(format!("write a whole number from 1 to {}", u32::MAX));
            self.report(error);
        }
        number
    }

    /// `of` is gone, and `into`, which must differ, are there.
    fn replace(&mut self, call: &StepCall<'_>, of: &LoopName, into: &[&LoopName]) -> Option<()> {
        if let [first, rest @ ..] = into
            && rest.contains(first)
        {
            let error = self.error(call.node.span(), format!("two new loops are both called `{first}`"));
            self.report(error.help(format!("give each its own name: `{}`", call.info.usage)));
            return None;
        }
        self.there.retain(|name| name != of);
        let into: Vec<LoopName> = into.iter().map(|name| (*name).clone()).collect();
        self.there.extend(into.iter().cloned());
        self.taken_apart.push(TakenApart { name: of.clone(), by: call.name, into });
        Some(())
    }
}

/// A step as written.
struct StepCall<'n> {
    info: &'static StepInfo,
    name: Span,
    node: NodeRef<'n>,
}

/// The tokens of a part of the text, without what is between them.
fn words(node: NodeRef<'_>) -> Vec<&str> {
    node.tokens().filter(|token| !token.kind().is_trivia()).map(|token| token.text()).collect()
}
