//! The arguments of a call, at the parameters that they are given for.

use nnz_base::{
    diagnostic::{Code, counted, did_you_mean},
    source::Span,
};
use ruff_python_ast::{Expr, ExprCall, Keyword};

use super::{
    names::Meaning,
    python::{dotted, span, text, what},
    reader::Reader,
};
use crate::members::{self, Row};

/// A call of a member of `T`.
pub(super) struct Given<'a> {
    pub(super) row: &'static Row,
    /// As the text says it, without the prefix.
    pub(super) name: String,
    slots: Vec<Option<&'a Expr>>,
    /// Those of a member that takes any number.
    pub(super) rest: &'a [Expr],
    pub(super) span: Span,
    /// Of the name of the member.
    pub(super) head: Span,
}

impl<'a> Given<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'a Expr> {
        self.slots.get(self.row.position(name)?).copied().flatten()
    }
}

impl<'a> Reader<'a> {
    /// The name behind `T.` that an expression says.
    pub(super) fn member_name(&self, expr: &Expr) -> Option<String> {
        let name = dotted(expr)?;
        let of_alias = |alias: &String| name.strip_prefix(alias.as_str())?.strip_prefix('.').map(String::from);
        let is_hidden = |alias: &&String| self.names.find(alias).is_none();
        self.aliases.iter().filter(is_hidden).find_map(of_alias)
    }

    /// The row of the member that an expression names, without telling what is wrong.
    pub(super) fn row_of(&self, expr: &Expr) -> Option<&'static Row> {
        members::find(&self.member_name(expr)?)
    }

    /// The row of the member that a call names.
    pub(super) fn callee(&self, expr: &Expr) -> Option<&'static Row> {
        self.row_of(&expr.as_call_expr()?.func)
    }

    /// The row of a member, or a mistake; the RFC's newer spelling is noted.
    pub(super) fn member(&mut self, expr: &Expr) -> Option<&'static Row> {
        let place = span(expr);
        let Some(name) = self.member_name(expr) else { return self.no_member(expr) };
        let end = Span { start: place.end - name.len().min(place.len()) as u32, end: place.end };
        let Some(row) = members::find(&name) else {
            let told = self.mistake(Code::UnknownMember, end, format!("there is no `T.{name}`"));
            let told = told.label("no such name of SparseTIR");
            let told = match members::near(&name) {
                Some(near) => told.guess(end, near),
                None => told.help("see `docs/sparsetir.md` for what is read"),
            };
            return self.wrong(told);
        };
        if row.is_old() {
            self.old.push((end, row.member.newest().to_string()));
        }
        Some(row)
    }

    fn no_member<T>(&mut self, expr: &Expr) -> Option<T> {
        let name = dotted(expr).unwrap_or_default();
        if let Some((Meaning::Broken, _)) = self.names.find(name.split('.').next().unwrap_or_default()) {
            return None;
        }
        let message = format!("`{}` is no function of SparseTIR", self.text(span(expr)));
        let told = self.mistake(Code::ScriptStatement, span(expr), message).label("Python that does not run here");
        self.wrong(told.help("call what stands behind `T.`, or compute it before the function"))
    }

    /// The arguments of a call, each at its parameter.
    pub(super) fn given(&mut self, call: &'a ExprCall) -> Option<Given<'a>> {
        let row = self.member(&call.func)?;
        let name = self.member_name(&call.func)?;
        let (place, head) = (span(call), span(&*call.func));
        if let Some(starred) = call.arguments.args.iter().find(|one| one.is_starred_expr()) {
            return self.no_python(starred);
        }
        if row.open {
            return Some(Given { row, name, slots: Vec::new(), rest: &call.arguments.args, span: place, head });
        }
        let mut slots = vec![None; row.parameters.len()];
        let called = Called { row, name: &name, place };
        self.positional(called, &call.arguments.args, &mut slots)?;
        call.arguments.keywords.iter().try_for_each(|keyword| self.keyword(called, keyword, &mut slots))?;
        self.required(called, &slots)?;
        Some(Given { row, name, slots, rest: &[], span: place, head })
    }

    fn positional(&mut self, called: Called<'_>, args: &'a [Expr], slots: &mut [Option<&'a Expr>]) -> Option<()> {
        if let Some(extra) = args.get(slots.len()) {
            let most = counted(slots.len(), "argument");
            let told =
                self.mistake(Code::ScriptArguments, span(extra), format!("`T.{}` takes at most {most}", called.name));
            return self.wrong(told.label("one too many").help(called.usage()));
        }
        slots.iter_mut().zip(args).for_each(|(slot, argument)| *slot = Some(argument));
        Some(())
    }

    fn keyword(&mut self, called: Called<'_>, keyword: &'a Keyword, slots: &mut [Option<&'a Expr>]) -> Option<()> {
        let Some(name) = &keyword.arg else { return self.no_python(&keyword.value) };
        let Some(at) = called.row.position(name) else {
            let told = self.mistake(Code::UnknownMember, span(name), format!("`T.{}` has no `{name}`", called.name));
            let known = called.row.parameters.iter().flat_map(|names| names.split('|'));
            let told = told.label("no such parameter");
            let told = match did_you_mean(name, known) {
                Some(near) => told.guess(span(name), near),
                None => told.help(called.usage()),
            };
            return self.wrong(told);
        };
        if let Some(first) = slots[at] {
            let told = self.mistake(Code::ScriptArguments, span(keyword), format!("`{name}` is given twice"));
            return self.wrong(told.label("the second").secondary(span(first), "the first"));
        }
        slots[at] = Some(&keyword.value);
        Some(())
    }

    fn required(&mut self, called: Called<'_>, slots: &[Option<&Expr>]) -> Option<()> {
        let Called { row, place, .. } = called;
        let missing = row.parameters.iter().zip(slots).take(row.required).find(|(_, slot)| slot.is_none());
        let Some((name, _)) = missing else { return Some(()) };
        let name = name.split('|').next().unwrap_or_default();
        let told = self.mistake(Code::ScriptArguments, place, format!("`T.{}` needs `{name}`", called.name));
        self.wrong(told.label("an argument is missing").help(called.usage()))
    }

    /// Python that a function cannot have.
    pub(super) fn no_python<T>(&mut self, expr: &Expr) -> Option<T> {
        let told = self.mistake(Code::ScriptStatement, span(expr), format!("{} cannot stand here", what(expr)));
        self.wrong(told.label("Python that does not run here").help("write it out with what stands behind `T.`"))
    }

    /// The text of an argument.
    pub(super) fn text_of(&mut self, expr: &'a Expr) -> Option<&'a str> {
        if let Some(name) = expr.as_name_expr() {
            let meaning = self.meaning(name)?;
            return match meaning {
                Meaning::Known(value) => self.text_of(value),
                Meaning::Broken => None,
                Meaning::Thing(_) | Meaning::Function(_) => self.no_text(expr),
            };
        }
        text(expr).or_else(|| self.no_text(expr))
    }

    fn no_text<T>(&mut self, expr: &Expr) -> Option<T> {
        let told = self.mistake(Code::ScriptArguments, span(expr), "a text in quotes is wanted here");
        self.wrong(told.label(what(expr)))
    }

    /// One of a list of words.
    pub(super) fn word<T>(
        &mut self,
        expr: &'a Expr,
        (kind, known): (&str, &[&'static str]),
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let word = self.text_of(expr)?.to_string();
        if let Some(found) = find(&word) {
            return Some(found);
        }
        let told = self.mistake(Code::ScriptArguments, span(expr), format!("`{word}` is no {kind}"));
        let told = told.label(format!("no {kind} that there is"));
        let told = match did_you_mean(&word, known.iter().copied()) {
            Some(near) => told.guess(span(expr), format!("\"{near}\"")),
            None => told.help(format!("there are `{}`", known.join("`, `"))),
        };
        self.wrong(told)
    }
}

/// A call whose arguments are read.
#[derive(Clone, Copy)]
struct Called<'n> {
    row: &'static Row,
    name: &'n str,
    place: Span,
}

impl Called<'_> {
    /// How it is written.
    fn usage(self) -> String {
        let names = self.row.parameters.iter().enumerate().map(|(at, names)| {
            let name = names.split('|').next().unwrap_or_default();
            if at < self.row.required { name.to_string() } else { format!("{name}=…") }
        });
        format!("write `T.{}({})`", self.name, names.collect::<Vec<_>>().join(", "))
    }
}
