//! `:help` and `:explain`.

use crate::{
    check::{
        command::{Command, CommandInfo, View},
        scope::Word,
    },
    diagnostic::Code,
    view::{Line, Markup, Role},
};

/// The list of commands, or one command or topic.
pub(super) fn help(topic: Option<&Word>) -> Markup {
    match topic.map(|word| word.text.as_str()) {
        None => overview(),
        Some("show") => Command::info("show").map(one).unwrap_or_default().then(views()),
        Some(name) => Command::info(name).map(one).unwrap_or_else(overview),
    }
}

fn overview() -> Markup {
    Command::ALL.iter().map(row).collect()
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

/// A diagnostic's code at length.
pub(super) fn explain(code: Code) -> Markup {
    let title = Line::of(Role::Error, code.text()).text(": ").with(Role::Heading, code.title());
    let mut role = Role::Plain;
    let mut markup = Markup::new().line(title).blank();
    for line in code.explanation().lines() {
        role = match line {
            "```wrong" | "```right" => Role::Keyword,
            "```" => Role::Plain,
            _ => role,
        };
        match line {
            "```wrong" => markup.push(Line::of(Role::Warning, "wrong:")),
            "```right" => markup.push(Line::of(Role::Good, "right:")),
            "```" => {}
            text if role == Role::Keyword => markup.push(Line::plain(text).indented(4)),
            text => markup.push(Line::plain(text)),
        }
    }
    markup
}
