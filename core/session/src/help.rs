//! `:help` and `:explain`.

use nnz_base::diagnostic::Code;
use nnz_check::{
    command::{Command, CommandInfo, TOPICS, View},
    kernel::{functions, semiring},
    scope::Word,
};
use nnz_kernel::schedule::STEPS;
use nnz_storage::generate;
use nnz_view::{Line, Markup, Role};

/// The list of commands, or one command or topic.
pub(super) fn help(topic: Option<&Word>) -> Markup {
    match topic.map(|word| word.text.as_str()) {
        None => overview(),
        Some("show") => Command::info("show").map(one).unwrap_or_default().then(views()),
        Some("functions") => {
            functions::FUNCTIONS.iter().map(|info| entry(&call(info.name, info.arguments), info.summary)).collect()
        }
        Some("reductions") => {
            functions::REDUCTIONS.iter().map(|(name, _, summary)| entry(&call(name, "i, ..., x"), summary)).collect()
        }
        Some("semirings") => semirings(),
        Some("schedule") => STEPS.iter().map(|info| step(info.usage, info.summary)).collect(),
        Some("generators") => generate::registry().iter().map(|info| entry(info.name, info.summary)).collect(),
        Some(name) => Command::info(name).map(one).unwrap_or_else(overview),
    }
}

fn overview() -> Markup {
    let topics = format!("also: :help {}", TOPICS.join(", "));
    Command::ALL.iter().map(row).collect::<Markup>().line(Line::of(Role::Note, topics).indented(2))
}

fn call(name: &str, arguments: &str) -> String {
    format!("{name}({arguments})")
}

fn entry(usage: &str, summary: &str) -> Line {
    let mut line = Line::plain("  ");
    line.push_left(Role::Keyword, usage, 22);
    line.text(format!(" {summary}"))
}

/// A step is longer than a function.
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
        markup = markup.then(broken_at_words(&std::mem::take(&mut paragraph), width));
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
    markup.then(broken_at_words(&paragraph, width))
}

fn broken_at_words(text: &str, width: usize) -> Markup {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.into_iter().map(Line::plain).collect()
}
