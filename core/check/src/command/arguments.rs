//! The arguments of commands.

use std::num::NonZero;

use super::{Command, CommandInfo, MOST_DIGITS, MOST_THREADS, Setting, TABLE, TOPICS, View};
use crate::{
    scope::{Word, suggest},
    topics,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    ids::FileId,
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef};

/// Takes a command's arguments one by one.
pub(super) struct Arguments<'t> {
    pub(super) file: FileId,
    pub(super) info: &'static CommandInfo,
    pub(super) name: Span,
    pub(super) arguments: Vec<NodeRef<'t>>,
    pub(super) at: usize,
}

impl Arguments<'_> {
    pub(super) fn command(self) -> Result<Command, Box<Diagnostic>> {
        let filled = self.filled();
        let taken = self.taken();
        match filled {
            Some(told) if taken.is_err() => Err(told),
            _ => taken,
        }
    }

    /// `:show loops of y`: words between those that the command takes.
    fn filled(&self) -> Option<Box<Diagnostic>> {
        let is_filler = |word: &str| matches!(word, "of" | "for" | "the" | "from" | "my");
        let pairs = self.arguments.iter().zip(self.arguments.iter().skip(1));
        let fillers = pairs.filter(|(word, _)| word.kind() == NodeKind::Name && is_filler(word.text()));
        let fillers: Vec<(Span, Span)> = fillers.map(|(word, next)| (word.span(), next.span())).collect();
        let (place, _) = fillers.first()?;
        let word = self.arguments.iter().find(|word| word.span() == *place)?.text();
        let gap = |(word, next): &(Span, Span)| Span { start: word.start, end: next.start };
        let edits =
            fillers.iter().map(|filler| Edit { file: self.file, span: gap(filler), replacement: String::new() });
        let message = format!("`{word}` is no word of `:{}`", self.info.name);
        let error = Diagnostic::new(Code::CommandArguments, self.file, *place, message).label("not needed");
        let error = error.help(format!("the form is `:{} {}`", self.info.name, self.info.args));
        Some(Box::new(error.fix_edits("remove it", edits.collect(), Applicability::MaybeIncorrect)))
    }

    fn taken(mut self) -> Result<Command, Box<Diagnostic>> {
        let command = match self.info.name {
            "show" => {
                let view = self.view()?;
                let of_kernel = view.is_of_kernel();
                let what = if of_kernel { "the name that a kernel defined" } else { "the name of a tensor" };
                Command::Show { view, name: self.word(what)? }
            }
            "dump" => Command::Show { view: View::Dump, name: self.word("the name of a tensor")? },
            "spy" => Command::Show { view: View::Spy, name: self.word("the name of a matrix")? },
            "time" => Command::Time(self.word("the name that a kernel defined")?),
            "step" => Command::Step(self.word("the name that a kernel defined")?),
            "type" => Command::Type(self.word("a name")?),
            "write" if let Some(told) = self.swapped() => return Err(told),
            "write" => Command::Write { name: self.word("the name of a tensor")?, path: self.string()? },
            "set" => Command::Set(self.setting()?),
            "explain" => Command::Explain(self.code()?),
            "help" => Command::Help(self.topic()?),
            "quit" => Command::Quit,
            _ => Command::Vars,
        };
        match self.arguments.get(self.at) {
            Some(extra) => Err(self.unfit(extra.span(), format!("`:{}` takes no more arguments", self.info.name))),
            None => Ok(command),
        }
    }

    fn unfit(&self, span: Span, message: String) -> Box<Diagnostic> {
        let usage = format!("`:{}`", [self.info.name, self.info.args].join(" ").trim_end());
        let label = if span == self.name { "too few arguments" } else { "does not fit here" };
        let error = Diagnostic::new(Code::CommandArguments, self.file, span, message).label(label);
        Box::new(error.help(format!("the form is {usage}")))
    }

    fn next(&mut self, kind: NodeKind, what: &str) -> Result<Word, Box<Diagnostic>> {
        let missing = || format!("`:{}` needs {what}", self.info.name);
        let Some(node) = self.arguments.get(self.at) else { return Err(self.unfit(self.name, missing())) };
        if node.kind() != kind {
            return Err(self.unfit(node.span(), missing()));
        }
        self.at += 1;
        Ok(Word { text: node.text().to_string(), span: node.span() })
    }

    fn word(&mut self, what: &str) -> Result<Word, Box<Diagnostic>> {
        self.next(NodeKind::Name, what)
    }

    fn topic(&mut self) -> Result<Option<Word>, Box<Diagnostic>> {
        if self.arguments.is_empty() {
            return Ok(None);
        }
        let word = self.word("a command or a topic")?;
        if word.text.starts_with('@') {
            return Ok(Some(word));
        }
        let names = || TABLE.iter().map(|info| info.name).chain(TOPICS.iter().copied()).chain(topics::words());
        if names().any(|name| name == word.text) || topics::describe(&word.text).is_some() {
            return Ok(Some(word));
        }
        if Code::parse(&word.text).is_some() {
            let message = format!("a diagnostic is explained by `:explain {}`", word.text);
            let error =
                Diagnostic::new(Code::CommandArguments, self.file, word.span, message).label("a code, and no topic");
            let edit = Edit { file: self.file, span: self.name, replacement: "explain".to_string() };
            let title = format!("write `:explain {}`", word.text);
            return Err(Box::new(error.fix_edits(title, vec![edit], Applicability::MachineApplicable)));
        }
        let message = format!("there is no command and no topic `{}`", word.text);
        let diagnostic = Diagnostic::new(Code::CommandArguments, self.file, word.span, message).label("no topic");
        let other = format!(
            "the topics are {}, and every name of a format, a level, a function, a generator, a step or a view; `:help` lists the commands",
            TOPICS.join(", ")
        );
        Err(Box::new(suggest(diagnostic, &word.text, names(), other)))
    }

    /// `:write "b.mtx" A`
    fn swapped(&self) -> Option<Box<Diagnostic>> {
        let &[path, name] = self.arguments.as_slice() else { return None };
        (path.kind() == NodeKind::StringArg && name.kind() == NodeKind::Name).then_some(())?;
        let meant = format!("{} {}", name.text(), path.text());
        let message = format!("the name of the tensor is first: `:write {meant}`");
        let whole = path.span().cover(name.span());
        let error = Diagnostic::new(Code::CommandArguments, self.file, path.span(), message).label("stands second");
        Some(Box::new(error.fix(format!("write `{meant}`"), whole, meant)))
    }

    fn string(&mut self) -> Result<Word, Box<Diagnostic>> {
        let word =
            self.next(NodeKind::StringArg, "the name of a file in quotes").map_err(|error| self.quoted(error))?;
        Ok(Word { text: word.text.trim_matches('"').to_string(), span: word.span })
    }

    /// With the quotes that are missing.
    fn quoted(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let (Some(first), Some(last)) = (self.arguments.get(self.at), self.arguments.last()) else { return error };
        if last.kind() == NodeKind::StringArg {
            let gap = Span { start: first.span().start, end: last.span().start };
            let title = format!("remove `{}`", first.text());
            return Box::new(error.label("not needed").fix(title, gap, ""));
        }
        let (start, end) = (first.span().start as usize, last.span().end as usize);
        let edit = |at| Edit { file: self.file, span: Span::at(at), replacement: "\"".to_string() };
        let edits = vec![edit(start), edit(end)];
        Box::new(error.label("write it in quotes").fix_edits("write quotes", edits, Applicability::MaybeIncorrect))
    }

    fn view(&mut self) -> Result<View, Box<Diagnostic>> {
        let names = || View::ALL.iter().map(|view| view.name());
        if let Some(told) = self.called_view() {
            return Err(told);
        }
        let word = self.word(&format!("a view: {}", names().collect::<Vec<_>>().join(", ")))?;
        if let Some(view) = View::ALL.iter().find(|view| view.name() == word.text) {
            return Ok(*view);
        }
        let message = format!("there is no view `{}`", word.text);
        if let Some(told) = self.view_behind(&word) {
            return Err(Box::new(told));
        }
        let diagnostic = Diagnostic::new(Code::CommandArguments, self.file, word.span, message).label("no view");
        let all = names().collect::<Vec<_>>().join(", ");
        if did_you_mean(&word.text, names()).is_none() && self.at == self.arguments.len() {
            let shown = format!("a view stands in front of a name, as in `:show levels {}`", word.text);
            return Err(Box::new(diagnostic.help(shown).help(format!("the views are {all}"))));
        }
        Err(Box::new(suggest(diagnostic, &word.text, names(), format!("the views are {all}"))))
    }

    /// `levels(A)`
    fn called_view(&self) -> Option<Box<Diagnostic>> {
        let call = self.arguments.get(self.at).filter(|node| node.kind() == NodeKind::Call)?;
        let (view, name) = (call.first_token()?.text(), call.children().next()?.text());
        View::ALL.iter().find(|known| known.name() == view)?;
        let meant = format!("{view} {name}");
        let error = Diagnostic::new(
            Code::CommandArguments,
            self.file,
            call.span(),
            format!("a view is named without parentheses: `{meant}`"),
        );
        Some(Box::new(error.label("called like a function").fix(format!("write `{meant}`"), call.span(), meant)))
    }

    /// `A as tree`, `A tree`: the view follows what it shows.
    fn view_behind(&self, name: &Word) -> Option<Diagnostic> {
        let last = self.arguments.last().filter(|last| last.span() != name.span)?;
        View::ALL.iter().find(|view| view.name() == last.text())?;
        let message = format!("the view is named first: `{} {}`", last.text(), name.text);
        let error = Diagnostic::new(Code::CommandArguments, self.file, name.span, message).label("not a view");
        let whole = name.span.cover(last.span());
        Some(error.fix(
            format!("write `{} {}`", last.text(), name.text),
            whole,
            format!("{} {}", last.text(), name.text),
        ))
    }

    fn setting(&mut self) -> Result<Setting, Box<Diagnostic>> {
        let word = self.word("a setting: threads, precision or reassociate")?;
        if let Some(negative) = self.arguments.get(self.at).filter(|node| node.kind() == NodeKind::Unary) {
            let message = format!("the value of a setting is not negative: `:set {} 4`", word.text);
            let error = Diagnostic::new(Code::CommandArguments, self.file, negative.span(), message);
            return Err(Box::new(error.label("not from 1 on")));
        }
        match word.text.as_str() {
            "threads" => self.number("a number of threads", MOST_THREADS).map(Setting::Threads),
            "precision" => self.number("a number of digits", MOST_DIGITS).map(Setting::Precision),
            "reassociate" => self.switch().map(Setting::Reassociate),
            other => {
                let names = Setting::ALL.iter().map(|(name, _)| *name);
                let message = format!("there is no setting `{other}`");
                let diagnostic = Diagnostic::new(Code::CommandArguments, self.file, word.span, message);
                let diagnostic = diagnostic.label("no setting");
                Err(Box::new(suggest(diagnostic, other, names, "the settings are threads, precision, reassociate")))
            }
        }
    }

    /// A number from 1 to `most`; `what` it is says what is missing.
    fn number(&mut self, what: &str, most: u16) -> Result<NonZero<u16>, Box<Diagnostic>> {
        let example = |error: Box<Diagnostic>| {
            let name = if most == MOST_DIGITS { "precision" } else { "threads" };
            Box::new(error.help(format!("for example `:set {name} 4`")))
        };
        let word = self.next(NodeKind::Number, what).map_err(example)?;
        let what = what.trim_start_matches("a ");
        let unfit = || self.unfit(word.span, format!("`{}` is no {what} from 1 to {most}", word.text));
        word.text.parse().ok().filter(|number: &NonZero<u16>| number.get() <= most).ok_or_else(unfit)
    }

    fn switch(&mut self) -> Result<bool, Box<Diagnostic>> {
        let word = self.word("`on` or `off`")?;
        match word.text.as_str() {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(self.unfit(word.span, format!("`{other}` is neither `on` nor `off`"))),
        }
    }

    fn code(&mut self) -> Result<Code, Box<Diagnostic>> {
        if let Some(number) = self.arguments.get(self.at).filter(|node| node.kind() == NodeKind::Number) {
            let meant = format!("E{:0>4}", number.text());
            if Code::parse(&meant).is_some() {
                let message = format!("the code of a diagnostic begins with a letter: `{meant}`");
                let error = Diagnostic::new(Code::CommandArguments, self.file, number.span(), message);
                return Err(Box::new(error.label("a number alone").guess(number.span(), meant)));
            }
        }
        let word = self.word("the code of a diagnostic, as in `:explain E0001`")?;
        let unknown = || self.unfit(word.span, format!("there is no diagnostic `{}`", word.text));
        Code::parse(&word.text).ok_or_else(unknown)
    }
}
