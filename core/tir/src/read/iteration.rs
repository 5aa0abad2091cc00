//! Sparse iterations.

use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};
use ruff_python_ast as py;

use super::{
    arguments::Given,
    python::{items, one_or_more, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Attributes, Iteration, IteratorId, Kind, Place, Role, Running, Statement, StatementKind, Step},
};

/// An entry of the list of iterators, before its kinds and names are known.
enum Entry {
    One(Place, IteratorId),
    Fused(Vec<(Place, IteratorId)>),
    Attached(Place, IteratorId, IteratorId),
}

impl Entry {
    fn iterators(&self) -> Vec<(Place, IteratorId)> {
        match self {
            Entry::One(place, id) | Entry::Attached(place, id, _) => vec![(*place, *id)],
            Entry::Fused(several) => several.clone(),
        }
    }
}

impl<'a> Reader<'a> {
    /// `with T.sp.iteration([I, J], "SR", "name") as [i, j]:`.
    pub(super) fn iteration(
        &mut self,
        with: &'a py::StmtWith,
        given: &Given<'a>,
        names: Option<&'a py::Expr>,
    ) -> Option<Statement> {
        let head = self.iteration_head(given, names);
        self.names.open();
        let steps = match head {
            Some((entries, kinds, names)) => self.steps(entries, &kinds, names),
            None => {
                names.into_iter().for_each(|names| self.break_names(names));
                None
            }
        };
        // Without its names nothing is known of those that the body uses.
        let is_broken = self.is_broken;
        self.is_broken |= steps.is_none();
        let name = given.get("name").map_or(Some(""), |name| self.text_of(name));
        let (attributes, init, body) = self.iteration_body(&with.body);
        self.is_broken = is_broken;
        self.names.close();
        let iteration = Iteration { name: name?.to_string(), steps: steps?, attributes, init, body };
        Some(Statement { place: Place(given.span), kind: StatementKind::Iteration(Box::new(iteration)) })
    }

    /// The iterators, and their kinds and names, of which there are as many.
    fn iteration_head(&mut self, given: &Given<'a>, names: Option<&'a py::Expr>) -> Option<Head<'a>> {
        let entries = self.entries_of(given.get("iterators")?);
        let kinds = self.kinds(given.get("kinds")?);
        let names: &[py::Expr] = names.map_or(&[], one_or_more);
        let (entries, kinds) = (entries?, kinds?);
        let expanded: Vec<(Place, IteratorId)> = entries.iter().flat_map(Entry::iterators).collect();
        let place = given.get("kinds").map_or(given.span, span);
        self.as_many(&expanded, (kinds.len(), "kind", place))?;
        let place = match (names.first(), names.last()) {
            (Some(first), Some(last)) => span(first).cover(span(last)),
            _ => given.span,
        };
        self.as_many(&expanded, (names.len(), "name", place))?;
        Some((entries, kinds, names))
    }

    fn as_many(&mut self, expanded: &[(Place, IteratorId)], (count, what, place): (usize, &str, Span)) -> Option<()> {
        if expanded.len() == count {
            return Some(());
        }
        let names: Vec<_> = expanded.iter().map(|(_, id)| self.function.iterator(*id).name.as_str()).collect();
        let message = format!("{} for {}", counted(count, what), counted(expanded.len(), "iterator"));
        let told = self.mistake(Code::IterationForm, place, message).label(counted(count, what));
        self.wrong(told.help(format!("give one for each of `{}`", names.join("`, `"))))
    }

    fn entries_of(&mut self, list: &'a py::Expr) -> Option<Vec<Entry>> {
        let Some(written) = items(list) else {
            let told = self.mistake(Code::IterationForm, span(list), "an iteration runs over a list of iterators");
            return self.wrong(told.label("no list").help("write `[I, J]`"));
        };
        let entries: Vec<Option<Entry>> = written.iter().map(|entry| self.entry(entry)).collect();
        entries.into_iter().collect()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "members are many")]
    fn entry(&mut self, entry: &'a py::Expr) -> Option<Entry> {
        let place = Place(span(entry));
        let Some(call) = entry.as_call_expr() else { return Some(Entry::One(place, self.iterator_named(entry)?)) };
        let given = self.given(call)?;
        match given.row.member {
            Member::Fuse => {
                let members: Vec<_> =
                    given.rest.iter().map(|one| Some((Place(span(one)), self.iterator_named(one)?))).collect();
                members.into_iter().collect::<Option<Vec<_>>>().map(Entry::Fused)
            }
            Member::Attach => {
                let (base, parent) = (given.get("base")?, given.get("new_parent")?);
                let (base, parent) = (self.iterator_named(base), self.iterator_named(parent));
                Some(Entry::Attached(place, base?, parent?))
            }
            _ => {
                let told = self.mistake(Code::IterationForm, place.0, "an iteration runs over iterators");
                self.wrong(told.label("no iterator").help("declare the iterator above, and name it here"))
            }
        }
    }

    fn kinds(&mut self, expr: &'a py::Expr) -> Option<Vec<Kind>> {
        let letters = self.text_of(expr)?;
        let kinds: Vec<Option<Kind>> = letters.chars().map(kind).collect();
        let Some(wrong) = kinds.iter().position(Option::is_none) else { return kinds.into_iter().collect() };
        let letter = letters.chars().nth(wrong).unwrap_or_default();
        let told = self.mistake(Code::IterationForm, span(expr), format!("`{letter}` is no kind of iterator"));
        let told = told.label("neither `S` nor `R`");
        let upper = letters.to_uppercase();
        self.wrong(match upper.chars().all(|letter| kind(letter).is_some()) {
            true => told.fix("write capitals", span(expr), format!("\"{upper}\"")),
            false => told.help("`S` stands for spatial, `R` for a reduction"),
        })
    }

    fn steps(&mut self, entries: Vec<Entry>, kinds: &[Kind], names: &'a [py::Expr]) -> Option<Vec<Step>> {
        let mut given = kinds.iter().copied().zip(names);
        let mut steps = Vec::new();
        for entry in entries {
            let iterators = entry.iterators().into_iter().zip(given.by_ref());
            let running: Vec<_> =
                iterators.map(|((place, id), (kind, name))| self.running(place, id, kind, name)).collect();
            let mut running = running.into_iter().collect::<Option<Vec<Running>>>()?;
            steps.push(match entry {
                Entry::One(..) => Step::One(running.pop()?),
                Entry::Fused(_) => Step::Fused(running),
                Entry::Attached(_, _, parent) => Step::Attached(running.pop()?, parent),
            });
        }
        Some(steps)
    }

    fn running(&mut self, place: Place, iterator: IteratorId, kind: Kind, name: &'a py::Expr) -> Option<Running> {
        let name = self.target(name)?;
        let element = self.function.iterator(iterator).width.element();
        let variable = self.variable(&name.id, span(name), element, Role::Iteration);
        Some(Running { place, iterator, kind, variable })
    }

    /// Attributes, the initialization, and the rest of a body.
    fn iteration_body(&mut self, body: &'a [py::Stmt]) -> (Attributes, Vec<Statement>, Vec<Statement>) {
        let (mut attributes, mut init, mut rest) = (Attributes::new(), Vec::new(), Vec::new());
        for statement in body {
            if let Some(given) = self.attr_call(statement, Member::IterationAttr) {
                let more = given.and_then(|given| self.attributes(given.get("attributes")?));
                attributes.extend(more.unwrap_or_default());
            } else if let Some(body) = self.init_body(statement) {
                self.once(statement, &init, &rest);
                init = self.suite(body);
            } else {
                self.statement(statement, &mut rest);
            }
        }
        (attributes, init, rest)
    }

    /// An initialization stands once, before other statements.
    pub(super) fn once(&mut self, statement: &py::Stmt, init: &[Statement], before: &[Statement]) {
        let is_buffer = |statement: &Statement| matches!(statement.kind, StatementKind::Allocate(_));
        if init.is_empty() && before.iter().all(is_buffer) {
            return;
        }
        let told = self.mistake(Code::ScriptStatement, span(statement), "an initialization comes first, and once");
        self.tell(told.label("behind other statements").help("move `with T.init():` to the beginning of the body"));
    }
}

type Head<'a> = (Vec<Entry>, Vec<Kind>, &'a [py::Expr]);

fn kind(letter: char) -> Option<Kind> {
    [Kind::Spatial, Kind::Reduction].into_iter().find(|kind| kind.letter() == letter)
}
