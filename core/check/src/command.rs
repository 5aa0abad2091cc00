//! `:commands`. The table below is what `:help`, completion and did-you-mean read.

use std::num::NonZero;

use super::{
    scope::{Meaning, Scope, Word, plural, suggest},
    topics,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    ids::FileId,
    source::Span,
};
use nnz_storage::files::{self, FileKind};
use nnz_syntax::{
    NodeKind, NodeRef, TokenKind,
    habits::{self, Leading},
};

/// One row of the table of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Without the colon.
    pub name: &'static str,
    pub args: &'static str,
    /// In a few words.
    pub summary: &'static str,
}

/// The views of `:show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Levels,
    Tree,
    Storage,
    Dump,
    Spy,
    Graph,
    Svg,
    Lattice,
    Plan,
    Loops,
    Lowered,
    C,
    Mlir,
    Llvm,
    Asm,
    Ptx,
}

impl View {
    pub const ALL: &'static [View] = &[
        View::Levels,
        View::Tree,
        View::Storage,
        View::Dump,
        View::Spy,
        View::Graph,
        View::Svg,
        View::Lattice,
        View::Plan,
        View::Loops,
        View::Lowered,
        View::C,
        View::Mlir,
        View::Llvm,
        View::Asm,
        View::Ptx,
    ];

    pub fn name(self) -> &'static str {
        match self {
            View::Levels => "levels",
            View::Tree => "tree",
            View::Storage => "storage",
            View::Dump => "dump",
            View::Spy => "spy",
            View::Graph => "graph",
            View::Svg => "svg",
            View::Lattice => "lattice",
            View::Plan => "plan",
            View::Loops => "loops",
            View::Lowered => "lowered",
            View::C => "c",
            View::Mlir => "mlir",
            View::Llvm => "llvm",
            View::Asm => "asm",
            View::Ptx => "ptx",
        }
    }
    /// Whether it shows a stage of compiling a kernel, not a tensor.
    pub fn is_of_kernel(self) -> bool {
        match self {
            View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => false,
            View::Graph
            | View::Svg
            | View::Lattice
            | View::Plan
            | View::Loops
            | View::Lowered
            | View::C
            | View::Mlir
            | View::Llvm
            | View::Asm
            | View::Ptx => true,
        }
    }
    pub fn summary(self) -> &'static str {
        match self {
            View::Levels => "the levels of a tensor's storage, with their arrays and sizes",
            View::Tree => "the coordinate tree that a tensor stores",
            View::Storage => "the arrays of a tensor, and for each entry its coordinates and positions, level by level",
            View::Dump => "every array of a tensor, whole, as MLIR's `sparse_tensor.print` shows them",
            View::Spy => "a plot of where a matrix has entries",
            View::Graph => "the iteration graph of a kernel, with each operand's access",
            View::Svg => "the iteration graph of a kernel as a picture, in SVG",
            View::Lattice => "where each loop goes: what operands must be present, and what is computed there",
            View::Plan => "the order of loops, every access, conversions and workspaces, with estimated costs",
            View::Loops => "the loops of a kernel as they run, after the passes for this machine",
            View::Lowered => "the loops of a kernel before these passes, as a schedule arranges them",
            View::C => "a kernel as a C function that needs nothing else",
            View::Mlir => "a kernel as MLIR: scf, memref, arith and math",
            View::Llvm => "a kernel's LLVM IR",
            View::Asm => "a kernel's machine code",
            View::Ptx => "a kernel as PTX for NVIDIA's GPUs, with a thread for each iteration of its parallel loop",
        }
    }
}

/// The largest number of threads allowed, here and on the command line.
pub const MOST_THREADS: u16 = 1024;

/// As many significant digits tell every number from every other.
pub const MOST_DIGITS: u16 = 17;

/// The settings of `:set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// How many threads may run a kernel.
    Threads(NonZero<u16>),
    /// Significant digits that numbers are shown with.
    Precision(NonZero<u16>),
    /// Whether floating-point sums may be regrouped.
    Reassociate(bool),
}

impl Setting {
    /// Each with its values.
    pub const ALL: &'static [(&'static str, &'static str)] = &[
        ("threads", "a number: how many threads may run a kernel"),
        ("precision", "a number from 1 to 17: the significant digits that numbers in vectors and matrices keep"),
        ("reassociate", "on or off: whether floating-point sums may be regrouped, which is faster"),
    ];
}

/// A command with arguments of the right kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Show { view: View, name: Word },
    Time(Word),
    Step(Word),
    Type(Word),
    Vars,
    Write { name: Word, path: Word },
    Set(Setting),
    Explain(Code),
    Help(Option<Word>),
    Quit,
}

const TABLE: &[CommandInfo] = &[
    CommandInfo {
        name: "show",
        args: "VIEW NAME",
        summary: "levels, tree, storage, dump, spy of a tensor; graph, svg, lattice, plan, loops, lowered, c, mlir, llvm, asm, ptx of a kernel",
    },
    CommandInfo { name: "dump", args: "NAME", summary: "every array of a tensor: `:show dump`" },
    CommandInfo { name: "spy", args: "NAME", summary: "where a matrix has entries: `:show spy`" },
    CommandInfo { name: "time", args: "NAME", summary: "measure the kernel that defined a tensor" },
    CommandInfo {
        name: "step",
        args: "NAME",
        summary: "the kernel that defined a tensor once more, a line at each step",
    },
    CommandInfo { name: "type", args: "NAME", summary: "the type of a name, without showing its entries" },
    CommandInfo { name: "vars", args: "", summary: "all that the session has defined" },
    CommandInfo {
        name: "write",
        args: "NAME \"FILE\"",
        summary: "write a tensor to a file; to FILE.svg, its kernel's graph",
    },
    CommandInfo {
        name: "set",
        args: "SETTING VALUE",
        summary: "threads N; precision N: significant digits; reassociate on or off: sums in another order, for speed",
    },
    CommandInfo { name: "explain", args: "CODE", summary: "a diagnostic, at length" },
    CommandInfo {
        name: "help",
        args: "[TOPIC]",
        summary: "how to begin, and this list; or one command, topic or name",
    },
    CommandInfo { name: "quit", args: "", summary: "leave" },
];

/// The topics of `:help` besides commands and the names of [`topics`].
pub const TOPICS: &[&str] =
    &["formats", "files", "read", "use", "kernels", "functions", "reductions", "semirings", "generators", "schedule"];

impl Command {
    pub const ALL: &'static [CommandInfo] = TABLE;

    /// The row of a command, named with or without its colon.
    pub fn info(name: &str) -> Option<&'static CommandInfo> {
        let name = name.strip_prefix(':').unwrap_or(name);
        TABLE.iter().find(|info| info.name == name)
    }

    /// The definition that the command is about.
    pub fn subject(&self) -> Option<&Word> {
        match self {
            Command::Show { name, .. } | Command::Write { name, .. } => Some(name),
            Command::Time(name) | Command::Step(name) | Command::Type(name) => Some(name),
            Command::Vars | Command::Set(_) | Command::Explain(_) | Command::Help(_) | Command::Quit => None,
        }
    }

    /// Why it cannot be carried out, as far as the meanings of names tell.
    pub(crate) fn refusal(&self, file: FileId, scope: &Scope) -> Option<Diagnostic> {
        if let Command::Help(Some(topic)) = self {
            return no_function(file, scope, topic);
        }
        let subject = self.subject()?;
        let asks_for_kernel = match self {
            Command::Show { view, .. } => view.is_of_kernel(),
            Command::Write { path, .. } => is_picture(&path.text),
            Command::Time(_) | Command::Step(_) => true,
            Command::Type(_) | Command::Vars | Command::Set(_) => false,
            Command::Explain(_) | Command::Help(_) | Command::Quit => false,
        };
        let asks_for_tensor = matches!(self, Command::Show { .. } | Command::Write { .. }) && !asks_for_kernel;
        match scope.get(&subject.text) {
            Some(Meaning::Tensor(_) | Meaning::Scalar(_)) if asks_for_kernel && scope.is_given(&subject.text) => {
                Some(no_kernel(file, subject))
            }
            Some(Meaning::Scalar(_)) if asks_for_tensor => Some(no_tensor(file, subject)),
            Some(Meaning::Tensor(ty)) if asks_for_tensor => match self {
                Command::Write { path, .. } => unwritable(file, path, ty.sizes().as_deref()),
                Command::Show { view: View::Spy, name } => no_matrix(file, name, ty.shape.as_ref()?.len()),
                Command::Show { .. } | Command::Time(_) | Command::Step(_) => None,
                Command::Type(_) | Command::Vars => None,
                Command::Set(_) | Command::Explain(_) | Command::Help(_) | Command::Quit => None,
            },
            _ => None,
        }
    }

    /// The command of a `Command` node without syntax errors.
    ///
    /// # Errors
    /// An unknown command or view; too few, too many or unfit arguments.
    pub fn parse(file: FileId, node: NodeRef<'_>) -> Result<Command, Box<Diagnostic>> {
        let Some(name) = node.token(TokenKind::Ident) else { return Err(unknown(file, node.span(), "")) };
        let Some(info) = Command::info(name.text()) else { return Err(unknown(file, name.span(), name.text())) };
        let arguments = node.children().collect();
        Arguments { file, info, name: name.span(), arguments, at: 0 }.command()
    }
}

/// `:help @f`, where no program that is in use has such a function.
fn no_function(file: FileId, scope: &Scope, topic: &Word) -> Option<Diagnostic> {
    let name = topic.text.strip_prefix('@').filter(|name| scope.function(name).is_none() && !scope.is_open())?;
    let message = format!("there is no function `@{name}`");
    let error = Diagnostic::new(Code::UnknownName, file, topic.span, message).label("not known here");
    let known: Vec<String> = scope.functions().map(|(known, _)| format!("`@{known}`")).collect();
    Some(match known.is_empty() {
        true => error.help("`use \"FILE.mlir\"` makes the functions of a program known"),
        false => error.help(format!("there is {}", known.join(", "))),
    })
}

/// Whether a file of this name is a picture of a kernel.
pub fn is_picture(path: &str) -> bool {
    path.ends_with(".svg")
}

pub fn no_kernel(file: FileId, name: &Word) -> Diagnostic {
    let message = format!("no kernel computed `{}`", name.text);
    let error = Diagnostic::new(Code::CommandArguments, file, name.span, message).label("not the result of a kernel");
    error.help("name the result of a kernel, such as the `y` of `y(i) = A(i, j) * x(j)`")
}

pub fn no_tensor(file: FileId, name: &Word) -> Diagnostic {
    let message = format!("`{}` is a scalar and stores no levels", name.text);
    let error = Diagnostic::new(Code::CommandArguments, file, name.span, message).label("a scalar");
    error.help(format!("its name alone shows its value: `{}`", name.text))
}

/// The error for plotting a tensor that is not a matrix.
pub fn no_matrix(file: FileId, name: &Word, rank: usize) -> Option<Diagnostic> {
    let counted = plural(rank, "dimension");
    let message = format!("only a matrix can be plotted, and `{}` has {counted}", name.text);
    let error = Diagnostic::new(Code::CommandArguments, file, name.span, message).label(counted);
    (rank != 2).then(|| error.help(format!("`:show tree {0}` shows its entries by level, `{0}` its values", name.text)))
}

/// Why a tensor of these sizes is not written to a file of this name.
pub fn unwritable(file: FileId, path: &Word, sizes: Option<&[u64]>) -> Option<Diagnostic> {
    let bad = |message| Diagnostic::new(Code::BadFile, file, path.span, message).label("not written");
    let Some(kind) = FileKind::of_path(&path.text) else {
        let message = format!("the name of `{}` does not tell how to write it", path.text);
        return Some(bad(message).help("end it in .mtx or .tns, or in .svg for a picture of a kernel"));
    };
    files::check_writable(kind, sizes?).err().map(|error| bad(error.to_string()))
}

fn unknown(file: FileId, span: Span, name: &str) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::UnknownCommand, file, span, format!("there is no command `:{name}`"));
    let diagnostic = diagnostic.label("no command");
    if let Some(help) = otherwise(name) {
        return Box::new(diagnostic.help(help));
    }
    if let Some((own, view)) = View::ALL
        .iter()
        .find_map(|view| Some(("show", name.strip_prefix("show")?)).filter(|(_, rest)| *rest == view.name()))
    {
        let edit = Edit { file, span, replacement: format!("{own} {view}") };
        return Box::new(diagnostic.fix_edits(
            format!("write `:{own} {view}`"),
            vec![edit],
            Applicability::MaybeIncorrect,
        ));
    }
    let short = || TABLE.iter().map(|info| info.name).find(|full| !name.is_empty() && full.starts_with(name));
    let habit = || if let Leading::Command(own) = habits::leading(name)? { Some(own) } else { None };
    Box::new(match habit().or_else(short).or_else(|| did_you_mean(name, TABLE.iter().map(|info| info.name))) {
        Some(near) => {
            let edit = Edit { file, span, replacement: near.to_string() };
            let told = diagnostic.help(format!("did you mean `:{near}`?"));
            told.fix_edits(format!("write `{near}`"), vec![edit], Applicability::MaybeIncorrect)
        }
        None => diagnostic.help("`:help` lists the commands"),
    })
}

/// What commands of other tools do, by what does it here.
fn otherwise(name: &str) -> Option<&'static str> {
    match name {
        "load" | "open" | "source" | "run" | "use" | "import" | "include" | "read" => Some(
            "`nnz FILE` runs the statements of a file; `use \"FILE\"` takes over its encodings and functions, \
             `A : CSR = read \"FILE\"` reads a tensor",
        ),
        "save" => Some("`:write NAME \"FILE\"` writes a tensor; a session is not written as a whole"),
        "history" => Some("the arrow keys go through earlier lines, and Ctrl-R searches them"),
        "clear" | "reset" | "delete" | "del" => {
            Some("a definition takes the place of an earlier one of its name; `:quit` ends the session")
        }
        "cd" | "ls" | "pwd" | "cat" => {
            Some("commands of a shell are typed outside of nnz; names of files are relative to where it was started")
        }
        "format" | "fmt" => Some("`nnz fmt FILE` formats a text; `:show levels NAME` shows how a tensor is stored"),
        _ => None,
    }
}

/// Takes a command's arguments one by one.
struct Arguments<'t> {
    file: FileId,
    info: &'static CommandInfo,
    name: Span,
    arguments: Vec<NodeRef<'t>>,
    at: usize,
}

impl Arguments<'_> {
    fn command(mut self) -> Result<Command, Box<Diagnostic>> {
        let command = match self.info.name {
            "show" => Command::Show { view: self.view()?, name: self.word("the name of a tensor")? },
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

    /// `A as tree`, `A tree`: the view stands behind what it shows.
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

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_syntax::session::parse;

    fn command(text: &str) -> Result<Command, String> {
        let tree = parse(text);
        let node = tree.root().children().next().unwrap();
        Command::parse(FileId(0), node).map_err(|d| format!("{}: {}", d.message, d.helps.join("; ")))
    }

    #[test]
    fn commands_take_their_arguments() {
        let word = |text: &str, start, end| Word { text: text.to_string(), span: Span::new(start, end) };
        assert_eq!(command(":show tree A"), Ok(Command::Show { view: View::Tree, name: word("A", 11, 12) }));
        assert_eq!(command(":quit"), Ok(Command::Quit));
        assert_eq!(command(":help :show"), Ok(Command::Help(Some(word("show", 7, 11)))));
        assert_eq!(command(":explain e0001"), Ok(Command::Explain(Code::SyntaxError)));
        assert_eq!(command(":set reassociate on"), Ok(Command::Set(Setting::Reassociate(true))));
        let two = NonZero::new(2).unwrap();
        assert_eq!(command(":set threads 2"), Ok(Command::Set(Setting::Threads(two))));
        let write = Command::Write { name: word("A", 7, 8), path: word("a b.mtx", 9, 18) };
        assert_eq!(command(":write A \"a b.mtx\""), Ok(write));
    }

    #[test]
    fn wrong_commands_say_what_would_be_right() {
        assert_eq!(command(":shwo tree A").unwrap_err(), "there is no command `:shwo`: did you mean `:show`?");
        assert_eq!(command(":show tre A").unwrap_err(), "there is no view `tre`: did you mean `tree`?");
        assert_eq!(
            command(":time").unwrap_err(),
            "`:time` needs the name that a kernel defined: the form is `:time NAME`"
        );
        assert_eq!(command(":set thread 2").unwrap_err(), "there is no setting `thread`: did you mean `threads`?");
        let form = "the form is `:set SETTING VALUE`";
        for (text, message) in [
            (":set threads 0", "`0` is no number of threads from 1 to 1024"),
            (":set threads 1025", "`1025` is no number of threads from 1 to 1024"),
            (":set precision 18", "`18` is no number of digits from 1 to 17"),
            (":set threads many", "`:set` needs a number of threads"),
            (":set reassociate yes", "`yes` is neither `on` nor `off`"),
            (":set reassociate", "`:set` needs `on` or `off`"),
        ] {
            let example = if text.ends_with("many") { "; for example `:set threads 4`" } else { "" };
            assert_eq!(command(text).unwrap_err(), format!("{message}: {form}{example}"));
        }
        assert_eq!(command(":vars x").unwrap_err(), "`:vars` takes no more arguments: the form is `:vars`");
    }
}
