//! `:commands`. The table below is what `:help`, completion and did-you-mean read.

mod arguments;
mod setting;
mod unknown;

use super::scope::{Meaning, Scope, Signature, Word, plural};
pub use super::view::View;
use arguments::Arguments;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
};
use nnz_storage::files::{self, FileKind};
use nnz_syntax::{NodeRef, TokenKind};
pub use setting::{MOST_DIGITS, MOST_THREADS, Setting};
use unknown::unknown;

/// One row of the table of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Without the colon.
    pub name: &'static str,
    pub args: &'static str,
    /// In a few words.
    pub summary: &'static str,
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
        summary: "levels, tree, storage, dump, spy of a tensor; graph, svg, lattice, plan, loops, lowered, grid, c, mlir, llvm, asm, ptx of a kernel",
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

/// The topics of `:help` besides commands and the names of [`super::topics`].
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

    /// The function of a program that it is about, written with its `@` or without.
    pub(crate) fn function<'s>(&self, scope: &'s Scope) -> Option<&'s Signature> {
        let name = self.subject().filter(|name| scope.get(&name.text).is_none())?;
        scope.function(name.text.trim_start_matches('@')).map(AsRef::as_ref)
    }

    /// Why it cannot be carried out for a function of a program, whose type alone can be shown.
    pub(crate) fn refused_of(&self, file: FileId, signature: &Signature) -> Option<Diagnostic> {
        let name = self.subject()?;
        let function = name.text.trim_start_matches('@');
        let help = match self {
            Command::Type(_) if name.text.starts_with('@') => return None,
            Command::Type(_) => format!("its type is shown by `:type @{function}`"),
            Command::Show { view, .. } if view.is_of_kernel() && *view != View::Lattice => {
                format!("`nnz lower {} --function {function} --to {}` shows its kernels", signature.file, view.name())
            }
            Command::Time(_) | Command::Step(_) => self.of_kernel(function, signature),
            Command::Show { .. } | Command::Write { .. } => {
                format!("a result of it has these once it is named: `y = @{function}(...)`")
            }
            Command::Vars | Command::Set(_) | Command::Explain(_) | Command::Help(_) | Command::Quit => return None,
        };
        let message = format!("`@{function}` is a function of a program");
        Some(Diagnostic::new(Code::CommandArguments, file, name.span, message).label("a function").help(help))
    }

    /// How the first kernel of a function is timed, or stepped through.
    fn of_kernel(&self, function: &str, Signature { file, kernel, .. }: &Signature) -> String {
        let Some(kernel) = kernel.map(|kernel| format!("@{function}/{kernel}")) else {
            return format!("`@{function}` has no kernel of its own, and a kernel is named as in `@f/linalg.generic`");
        };
        match matches!(self, Command::Step(_)) {
            true => {
                format!(
                    "`nnz run {file} --at {kernel} --then ':step NAME'` steps through that kernel as `@main` runs it"
                )
            }
            false => format!("`nnz time {file} --kernel {kernel}` measures that kernel as `@main` runs it"),
        }
    }

    /// Why it cannot be carried out, given the meanings of names.
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
            Some(Meaning::Scalar(element)) if matches!(self, Command::Write { .. }) && asks_for_tensor => {
                let message = format!("`{}` is a scalar, and a file holds a tensor", subject.text);
                let error = Diagnostic::new(Code::CommandArguments, file, subject.span, message).label("a scalar");
                let head = format!("{}({}) : tensor<1x{element}>", scope.free_name("v"), scope.free_name("i"));
                Some(error.help(format!("a tensor of one entry: `{head} = {}`", subject.text)))
            }
            Some(Meaning::Scalar(_)) if asks_for_tensor => Some(no_tensor(file, subject)),
            Some(Meaning::Tensor(ty)) if asks_for_tensor => match self {
                Command::Write { name, .. } if ty.parts().is_some() => Some(in_parts(file, scope, name)),
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

/// A decomposed tensor where one format is wanted.
pub fn in_parts(file: FileId, scope: &Scope, name: &Word) -> Diagnostic {
    let message = format!("`{}` is decomposed, and has no entries in one format", name.text);
    let error = Diagnostic::new(Code::CommandArguments, file, name.span, message).label("in several formats");
    error.help(format!("store it in one format first: `{} : CSR = {}`", scope.free_name("B"), name.text))
}

/// `:help @f`, where no program that is in use has such a function.
pub(crate) fn no_function(file: FileId, scope: &Scope, topic: &Word) -> Option<Diagnostic> {
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
    let fits = sizes.map_or_else(|| files::check_written(kind), |sizes| files::check_writable(kind, sizes));
    fits.err().map(|error| bad(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;
    use nnz_base::source::Span;
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
