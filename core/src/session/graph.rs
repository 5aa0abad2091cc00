//! The plan of a kernel in words: its loops in order, what each runs over, and why it stands there.

use crate::{
    iterate::{Edge, EdgeReason, Iterates, IterationGraph, Nest, Plan},
    kernel::Kernel,
    view::{Line, Markup, Role},
};

/// Every loop nest of a plan, its loops indented as they nest.
pub(super) fn graph(kernel: &Kernel, plan: &Plan) -> Markup {
    let view = View { kernel, plan };
    let mut markup = Markup::new().line(Line::plain(kernel.to_string()));
    if let Some(nest) = &plan.workspace {
        markup =
            markup.line(Line::of(Role::Note, "first, the sparse operand into a dense workspace")).then(view.nest(nest));
    }
    for term in &plan.everywhere {
        let vars: Vec<&str> = plan.result_vars.iter().chain(&term.summed).map(|var| view.var(var.index())).collect();
        let text = format!("for every {}: {}", vars.join(", "), kernel.expr_text(&term.body));
        markup.push(Line::of(Role::Warning, text));
    }
    plan.nests.iter().fold(markup, |markup, nest| markup.then(view.nest(nest)))
}

struct View<'a> {
    kernel: &'a Kernel,
    plan: &'a Plan,
}

impl View<'_> {
    fn var(&self, at: usize) -> &str {
        self.plan.vars.get(at).map_or("?", |var| var.name.as_str())
    }

    fn nest(&self, nest: &Nest) -> Markup {
        let mut markup = Markup::new();
        for at in 0..nest.graph.loops.len() {
            markup.push(self.line(&nest.graph, at).indented(2 * at));
        }
        let body = Line::of(Role::Plain, self.kernel.expr_text(&nest.term.body));
        markup.line(body.indented(2 * nest.graph.loops.len()))
    }

    fn line(&self, graph: &IterationGraph, at: usize) -> Line {
        let found = &graph.loops[at];
        let names = |vars: &[crate::ids::IndexVar]| {
            vars.iter().map(|var| self.var(var.index()).to_string()).collect::<Vec<_>>().join(", ")
        };
        let line = Line::of(Role::Keyword, "for ");
        let line = match &found.iterates {
            Iterates::Level { tensor, lvl } => {
                let tensor = self.kernel.tensor(*tensor);
                let level = tensor.encoding.as_ref().and_then(|encoding| encoding.levels().get(lvl.index()));
                let format = level.map_or(String::new(), |level| level.format.to_string());
                let line = line.with(Role::Name, names(&found.parts_of)).text(" in ");
                line.with(Role::Name, format!("{} level {}", tensor.name, lvl.index()))
                    .text(" : ")
                    .with(Role::Format, format)
            }
            Iterates::Dense(var) => {
                let extent = self.plan.vars.get(var.index()).map_or(0, |var| var.extent);
                line.with(Role::Name, self.var(var.index())).text(format!(" in 0..{extent}"))
            }
        };
        let reasons: Vec<String> =
            graph.edges.iter().filter(|edge| edge.to.index() == at).map(|e| self.reason(e)).collect();
        match reasons.is_empty() {
            true => line,
            false => line.with(Role::Note, format!("   // {}", reasons.join("; "))),
        }
    }

    fn reason(&self, edge: &Edge) -> String {
        match edge.reason {
            EdgeReason::Storage { tensor, .. } => format!("stored below in `{}`", self.kernel.tensor(tensor).name),
            EdgeReason::EntryFirst { tensor } => {
                format!("inside, with the entry of `{}` at hand", self.kernel.tensor(tensor).name)
            }
            EdgeReason::ResultInnermost => "inside, along the result's memory".to_string(),
        }
    }
}
