//! The iterators of iterations: each once, behind its parent.

use std::collections::HashMap;

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    source::Span,
};

use super::Checker;
use crate::model::{Iteration, IteratorId, IteratorKind, Running, Step};
use crate::sites::sites;

impl Checker<'_> {
    pub(super) fn iterations(&mut self) {
        let mut names: HashMap<&str, Span> = HashMap::new();
        for site in sites(self.function) {
            let Some(iteration) = site.statement.iteration() else { continue };
            let place = site.statement.place.0;
            if let Some(first) = names.insert(&iteration.name, place).filter(|_| !iteration.name.is_empty()) {
                self.name_twice(iteration, place, first);
            }
            let outside = site.around.iter().flat_map(|outer| outer.running().map(|running| running.iterator));
            self.list(iteration, outside.collect());
        }
    }

    fn name_twice(&mut self, iteration: &Iteration, place: Span, first: Span) {
        let message = format!("two iterations are called `{}`", iteration.name);
        let told = self.mistake(Code::ScriptName, place, message).label("the second");
        let told = told.secondary(first, "the first");
        self.tell(told.help("give it a name of its own: schedules find iterations by name"));
    }

    /// The list of an iteration, behind the iterators that run around it.
    fn list(&mut self, iteration: &Iteration, mut known: Vec<IteratorId>) {
        for step in &iteration.steps {
            for running in step.running() {
                if known.contains(&running.iterator) {
                    self.twice(running);
                }
                let is_first = step.running().first() == Some(running);
                match step {
                    Step::Attached(_, parent) => self.attached(running, *parent, &known),
                    Step::One(_) => self.behind_parent(iteration, running, &known),
                    Step::Fused(_) if is_first => self.behind_parent(iteration, running, &known),
                    Step::Fused(_) => {}
                }
                known.push(running.iterator);
            }
            if let Step::Fused(members) = step {
                self.chain(members);
            }
        }
    }

    fn twice(&mut self, running: &Running) {
        let iterator = self.function.iterator(running.iterator);
        let told = self.mistake(Code::IteratorTwice, running.place.0, format!("`{}` runs already", iterator.name));
        let told = told.label("the second time").secondary(iterator.place.0, "the iterator");
        self.tell(told.help("declare another iterator over the same coordinates"));
    }

    fn behind_parent(&mut self, iteration: &Iteration, running: &Running, known: &[IteratorId]) {
        let iterator = self.function.iterator(running.iterator);
        let Some(parent) = iterator.parent().filter(|parent| !known.contains(parent)) else { return };
        let above = self.function.iterator(parent);
        let message = format!("`{}` runs without its parent `{}` before it", iterator.name, above.name);
        let told = self.mistake(Code::ParentMissing, running.place.0, message);
        let told = told.label(format!("what it runs over depends on `{}`", above.name));
        let later = iteration.running().find(|other| other.iterator == parent);
        self.tell(match later {
            Some(later) => self.exchanged(told.secondary(later.place.0, "the parent runs behind it"), running, later),
            None => {
                let told = told.secondary(above.place.0, "the parent");
                told.help(format!("put `{}` before it, with a kind and a name", above.name))
            }
        });
    }

    /// With a fix that exchanges two iterators of one kind, with their names.
    fn exchanged(&self, told: Diagnostic, one: &Running, other: &Running) -> Diagnostic {
        if one.kind != other.kind {
            return told.help("put the parent first, with its kind and its name");
        }
        let name = |running: &Running| self.function.variable(running.variable).place.0;
        let pairs = [(one.place.0, other.place.0), (name(one), name(other))];
        let file = self.source.id;
        let edit = |at: Span, with: Span| Edit { file, span: at, replacement: self.source.slice(with).to_string() };
        let mut edits: Vec<Edit> = pairs.iter().flat_map(|(a, b)| [edit(*a, *b), edit(*b, *a)]).collect();
        edits.sort_by_key(|edit| edit.span.start);
        told.fix_edits("put the parent first", edits, Applicability::MaybeIncorrect)
    }

    fn chain(&mut self, members: &[Running]) {
        for pair in members.windows(2) {
            let [above, running] = pair else { continue };
            let iterator = self.function.iterator(running.iterator);
            if iterator.is_varied() && iterator.parent() == Some(above.iterator) {
                continue;
            }
            let above = &self.function.iterator(above.iterator).name;
            let why = if iterator.is_varied() {
                format!("`{above}` is not its parent")
            } else {
                "it is not varied".to_string()
            };
            let message = format!("`{}` cannot be fused with `{above}`", iterator.name);
            let told = self.mistake(Code::FuseChain, running.place.0, message).label(why);
            let told = told.secondary(iterator.place.0, "the iterator");
            self.tell(told.help("fuse a chain of varied iterators, each behind its parent"));
        }
    }

    fn attached(&mut self, running: &Running, parent: IteratorId, known: &[IteratorId]) {
        let base = self.function.iterator(running.iterator);
        let is_fixed = |id: IteratorId| self.function.iterator(id).kind == IteratorKind::DenseFixed;
        let named = self.function.iterator(parent);
        let why = match base.parent() {
            Some(above) if is_fixed(above) && known.contains(&parent) => return,
            Some(above) if is_fixed(above) => format!("`{}` does not run before it", named.name),
            Some(_) => format!("the parent of `{}` is not dense fixed", base.name),
            None => format!("`{}` has no parent", base.name),
        };
        let told = self.mistake(
            Code::AttachBase,
            running.place.0,
            format!("`{}` cannot be attached to `{}`", base.name, named.name),
        );
        let told = told.label(why).secondary(base.place.0, "the base");
        self.tell(told.help("attach a child of a dense fixed iterator to an iterator that runs before it"));
    }
}
