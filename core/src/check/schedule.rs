//! `schedule split(i, i0, i1, 16), unroll(i1, 4)`: from its tree to a [`Schedule`].
//!
//! Checks what the text alone tells: that every step is known and has its arguments, that it names loops
//! that are there after the steps before it, and that the names it gives are new. Whether a step is legal
//! for the loops of the kernel is for `crate::schedule` to say, which has them.

use super::{
    Checker,
    scope::{Word, suggest},
    value::value,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    kernel::{
        LoopName, Schedule, Step,
        schedule::{Count, STEPS, StepInfo, step_info},
    },
    source::Span,
    syntax::{NodeKind, NodeRef},
};

/// A schedule and where its steps stand.
#[derive(Clone, Debug, Default)]
pub struct Scheduled {
    pub schedule: Schedule,
    /// One per step.
    pub places: Vec<StepPlace>,
}

#[derive(Clone, Debug)]
pub struct StepPlace {
    pub whole: Span,
    pub arguments: Vec<Span>,
}

/// The schedule of a kernel with the index variables `vars`; `None` if it has errors, which are then
/// reported to `c`.
pub(super) fn schedule(c: &mut Checker<'_>, vars: &[String], node: NodeRef<'_>) -> Option<Scheduled> {
    let there = vars.iter().map(LoopName::new).collect();
    let mut reader = Reader { c, there, taken_apart: Vec::new() };
    let steps: Option<Vec<(Step, StepPlace)>> =
        node.children().filter(|step| step.kind() == NodeKind::Step).map(|step| reader.step(step)).collect();
    let (steps, places) = steps?.into_iter().unzip();
    Some(Scheduled { schedule: Schedule { steps }, places })
}

/// A loop that a step has replaced.
struct TakenApart {
    name: LoopName,
    by: Span,
    into: Vec<LoopName>,
}

struct Reader<'a, 's> {
    c: &'a mut Checker<'s>,
    /// The loops after the steps so far.
    there: Vec<LoopName>,
    taken_apart: Vec<TakenApart>,
}

impl Reader<'_, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::ScheduleStep, self.c.source.id, span, message)
    }
    fn report(&mut self, diagnostic: Diagnostic) {
        self.c.diagnostics.push(diagnostic);
    }

    fn step(&mut self, node: NodeRef<'_>) -> Option<(Step, StepPlace)> {
        let token = node.first_token()?;
        let Some(info) = step_info(token.text()) else {
            self.unknown_step(&Word { text: token.text().to_string(), span: token.span() });
            return None;
        };
        let call = StepCall { info, name: token.span(), node };
        let step = match info.name {
            "split" => self.split(&call),
            "divide" => self.divide(&call),
            _ => self.unroll(&call),
        }?;
        let arguments = node.children().map(|argument| argument.span()).collect();
        Some((step, StepPlace { whole: node.span(), arguments }))
    }

    fn unknown_step(&mut self, name: &Word) {
        let names = || STEPS.iter().map(|info| info.name);
        let all = names().collect::<Vec<_>>().join(", ");
        let error = self.error(name.span, format!("a schedule has no step `{}`", name.text));
        self.report(suggest(error, &name.text, names(), format!("the steps are {all}")));
    }

    fn split(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, outer, inner, size] = self.arguments(call)?;
        let (of, outer, inner, size) = (self.known(of)?, self.fresh(outer)?, self.fresh(inner)?, self.count(size)?);
        self.replace(call, &of, &[&outer, &inner])?;
        Some(Step::Split { of, outer, inner, size })
    }

    fn divide(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, outer, inner, parts] = self.arguments(call)?;
        let (of, outer, inner, parts) = (self.known(of)?, self.fresh(outer)?, self.fresh(inner)?, self.count(parts)?);
        self.replace(call, &of, &[&outer, &inner])?;
        Some(Step::Divide { of, outer, inner, parts })
    }

    fn unroll(&mut self, call: &StepCall<'_>) -> Option<Step> {
        let [of, times] = self.arguments(call)?;
        Some(Step::Unroll { of: self.known(of)?, times: self.count(times)? })
    }

    /// The arguments, if they are as many as the step takes.
    fn arguments<'n, const N: usize>(&mut self, call: &StepCall<'n>) -> Option<[NodeRef<'n>; N]> {
        let found: Vec<NodeRef<'n>> = call.node.children().collect();
        let count = found.len();
        if let Ok(arguments) = found.try_into() {
            return Some(arguments);
        }
        let given = if count == 1 { "1 is given".to_string() } else { format!("{count} are given") };
        let message = format!("`{}` takes {N} arguments, and {given}", call.info.name);
        let error = self.error(call.node.span(), message).help(format!("write `{}`", call.info.usage));
        self.report(error);
        None
    }

    fn name(&mut self, node: NodeRef<'_>) -> Option<Word> {
        if node.kind() == NodeKind::Name {
            return Some(Word { text: node.text().to_string(), span: node.span() });
        }
        let error = self.error(node.span(), format!("`{}` is not the name of a loop", node.text()));
        self.report(error);
        None
    }

    /// A loop that is there. The loops over the levels of a block, `i.outer` and `i.inner`, only the
    /// kernel's loops tell.
    fn known(&mut self, node: NodeRef<'_>) -> Option<LoopName> {
        let Word { text, span } = self.name(node)?;
        let name = LoopName::new(text);
        let part = name.as_str().strip_suffix(".outer").or(name.as_str().strip_suffix(".inner"));
        let is_part = part.is_some_and(|var| self.there.iter().any(|known| known.as_str() == var));
        if is_part || self.there.contains(&name) {
            return Some(name);
        }
        self.unknown_loop(&name, span);
        None
    }

    fn unknown_loop(&mut self, name: &LoopName, span: Span) {
        if let Some(gone) = self.taken_apart.iter().find(|gone| gone.name == *name) {
            let into = gone.into.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
            let (by, help) = (gone.by, format!("name what became of it: {into}"));
            let error = self.error(span, format!("there is no loop `{name}` any more"));
            return self.report(error.secondary(by, format!("this made {into} of it")).help(help));
        }
        let error = self.error(span, format!("the kernel has no loop `{name}`"));
        let all = self.there.iter().map(LoopName::to_string).collect::<Vec<_>>().join(", ");
        let names = self.there.iter().map(LoopName::as_str);
        let error = suggest(error, name.as_str(), names, format!("its loops are {all}"));
        self.report(error);
    }

    /// A name for a loop that the step makes.
    fn fresh(&mut self, node: NodeRef<'_>) -> Option<LoopName> {
        let Word { text, span } = self.name(node)?;
        let name = LoopName::new(text);
        let used = self.there.contains(&name) || self.taken_apart.iter().any(|gone| gone.name == name);
        if !used {
            return Some(name);
        }
        let error =
            self.error(span, format!("there is a loop `{name}` already")).help("give the new loop another name");
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
            let error = self.error(node.span(), message).help(format!("write a whole number from 1 to {}", u32::MAX));
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

/// A step as it is written.
struct StepCall<'n> {
    info: &'static StepInfo,
    name: Span,
    node: NodeRef<'n>,
}
