//! `:help` and `:explain`.

use nnz_base::diagnostic::Code;
use nnz_check::{
    command::{Command, CommandInfo, TOPICS, View},
    kernel::{functions, semiring},
    scope::Word,
    topics,
};
use nnz_encoding::named::{self, FormatName};
use nnz_kernel::schedule::STEPS;
use nnz_storage::{files::FileKind, generate};
use nnz_view::{Line, Markup, Role};

/// How to begin and the list of commands, or one command, topic or name.
pub(super) fn help(topic: Option<&Word>) -> Markup {
    match topic.map(|word| word.text.as_str()) {
        None => overview(),
        Some("show") => Command::info("show").map(one).unwrap_or_default().then(views()),
        Some("formats") => named::FORMATS.iter().map(|info| entry(&of_format(info), info.meaning)).collect::<Markup>(),
        Some("files") => files(),
        Some("read") => lines(READING),
        Some("use") => lines(USING),
        Some("kernels") => lines(KERNELS),
        Some("functions") => {
            functions::FUNCTIONS.iter().map(|info| entry(&call(info.name, info.arguments), info.summary)).collect()
        }
        Some("reductions") => {
            functions::REDUCTIONS.iter().map(|(name, _, summary)| entry(&call(name, "i, ..., x"), summary)).collect()
        }
        Some("semirings") => semirings(),
        Some("schedule") => STEPS.iter().map(|info| step(info.usage, info.summary)).collect(),
        Some("generators") => generate::registry().iter().map(|info| entry(info.name, info.summary)).collect(),
        Some(name) => match (Command::info(name), topics::describe(name)) {
            (Some(info), _) => one(info),
            (None, Some((usage, summary))) => {
                Markup::new().line(Line::of(Role::Keyword, usage).text("  ").text(summary))
            }
            (None, None) => overview(),
        },
    }
}

/// A text to type, and what it does.
type Example = (&'static str, &'static str);

const BEGINNING: &[Example] = &[
    ("x = [1, 2, 3]", "define a tensor"),
    ("A : CSR = [[1, 0, 2], [0, 3, 0]]", "define one in a format; `:help formats` lists them"),
    ("B : CSR = read \"FILE.mtx\"", "read one from a file; `:help files` says from which"),
    ("y(i) = A(i, j) * x(j)", "compute: what the result lacks, here `j`, is summed"),
    ("y", "show a value; `:show levels A` shows how it is stored"),
];

const READING: &[Example] = &[
    ("A : CSR = read \"FILE\"", "the file gives sizes and values, the name of a format how they are stored"),
    ("A : tensor<3x4xf32, CSR> = read \"FILE\"", "the file must have these sizes, and values that fit"),
    ("x : tensor<3xf64> = read \"FILE\"", "a vector; a matrix of one row or one column can be one"),
];

const USING: &[Example] = &[
    ("use \"FILE.mlir\"", "the encodings and the functions of an MLIR program are known from here on"),
    ("use \"FILE.nnz\"", "the encodings of a file of statements are known"),
    ("y = @f(A, x)", "calls a function of such a program"),
];

const KERNELS: &[Example] = &[
    ("y(i) = A(i, j) * x(j)", "what the result lacks, here `j`, is summed over the term"),
    ("C(i, j) : CSR = A(i, k) * B(k, j)", "a type chooses how the result is stored; without one it is dense"),
    ("t : f64 = A(i, j)", "a scalar: the sum of all"),
    ("y(i) += x(i)", "an update: `y` takes a new value that is made of the old one"),
    ("d(i) = A(i = 0:4, i + 2)", "a window: `i` runs over a part of a dimension"),
    ("m(i) = max(j, A(i, j))", "other reductions; see `:help reductions`"),
    ("y(i) = A(i, j) * x(j) schedule parallelize(i)", "how its loops run; see `:help schedule`"),
];

fn lines(examples: &[Example]) -> Markup {
    let width = examples.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let line = |(usage, summary): &Example| {
        let mut line = Line::plain("  ");
        line.push_left(Role::Keyword, usage, width + 2);
        line.text(summary)
    };
    examples.iter().map(line).collect()
}

fn files() -> Markup {
    let row = |kind: &FileKind| {
        let names: Vec<String> = kind.extensions().iter().map(|extension| format!(".{extension}")).collect();
        let meaning = match kind {
            FileKind::MatrixMarket => "Matrix Market, a text: matrices",
            FileKind::Frostt => "FROSTT, a text: tensors of any rank, vectors too",
            FileKind::Dlmc => "DLMC, a text: where a matrix has entries",
            FileKind::Scipy => "SciPy's `save_npz`: sparse matrices and arrays",
        };
        entry(&names.join(", "), meaning)
    };
    let rows: Markup = FileKind::ALL.iter().map(row).collect();
    rows.line(entry(".mtx.gz", "a text may be gzipped"))
        .line(entry("read \"FILE\"", "reads them; see `:help read`"))
        .line(entry(":write A \"FILE\"", "writes .mtx and .tns"))
}

fn of_format(info: &FormatName) -> String {
    let arguments: Vec<&str> = info.arguments.iter().map(|argument| argument.trim_end_matches('?')).collect();
    if arguments.is_empty() { info.name.to_string() } else { call(info.name, &arguments.join(", ")) }
}

fn overview() -> Markup {
    let topics = format!("also: :help {}, or a name of one of these", TOPICS.join(", "));
    let commands = Command::ALL.iter().map(row).collect::<Markup>();
    lines(BEGINNING).then(commands).line(Line::of(Role::Note, topics).indented(2))
}

fn call(name: &str, arguments: &str) -> String {
    format!("{name}({arguments})")
}

fn entry(usage: &str, summary: &str) -> Line {
    let mut line = Line::plain("  ");
    line.push_left(Role::Keyword, usage, 22);
    line.text(format!(" {summary}"))
}

/// The line of a step. Its usage is longer than a function's.
fn step(usage: &str, summary: &str) -> Line {
    let mut line = Line::plain("  ");
    line.push_left(Role::Keyword, usage, 42);
    line.text(format!(" {summary}"))
}

fn semirings() -> Markup {
    let words = |names: Vec<&str>| names.join(", ");
    let additions = semiring::ADDITIONS.iter().map(|(name, _)| *name).collect();
    Markup::new()
        .line(entry("plus_times(j, x, y)", "and every other pair of a way to combine and a way to make a term"))
        .line(entry("combine", &words(additions)))
        .line(entry("make a term", &words(semiring::multiplication_names().collect())))
}

fn row(info: &CommandInfo) -> Line {
    let mut line = Line::plain("  ");
    line.push_left(Role::Keyword, usage(info), 20);
    line.text(info.summary)
}

fn usage(info: &CommandInfo) -> String {
    format!(":{} {}", info.name, info.args).trim_end().to_string()
}

fn one(info: &'static CommandInfo) -> Markup {
    Markup::new().line(Line::of(Role::Keyword, usage(info)).text("  ").text(info.summary))
}

fn views() -> Markup {
    View::ALL.iter().map(view_row).collect()
}

fn view_row(view: &View) -> Line {
    let mut line = Line::plain("  ");
    line.push_left(Role::Keyword, view.name(), 8);
    line.text(view.summary())
}

/// A diagnostic's code at length: its sentences broken at words to fit `width`, its examples as they are.
pub(super) fn explain(code: Code, width: usize) -> Markup {
    let title = Line::of(Role::Error, code.text()).text(": ").with(Role::Heading, code.title());
    let mut markup = Markup::new().line(title).blank();
    let (mut example, mut paragraph) = (false, String::new());
    for line in code.explanation().lines() {
        if !example && !line.is_empty() && !line.starts_with("```") {
            paragraph.push_str(line);
            paragraph.push(' ');
            continue;
        }
        markup = markup.then(prose(&std::mem::take(&mut paragraph), width));
        match line {
            "```wrong" => markup.push(Line::of(Role::Warning, "wrong:")),
            "```right" => markup.push(Line::of(Role::Good, "right:")),
            text if text.starts_with("```") => {}
            text if example => markup.push(Line::plain(text).indented(4)),
            text => markup.push(Line::plain(text)),
        }
        if line.starts_with("```") {
            example = line != "```";
        }
    }
    markup.then(prose(&paragraph, width))
}

fn prose(text: &str, width: usize) -> Markup {
    match text.trim() {
        "" => Markup::new(),
        text => Line::plain(text).wrapped(width),
    }
}
