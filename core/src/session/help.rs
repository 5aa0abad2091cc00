//! `:help` and `:explain`.

use super::command::{Command, CommandInfo, View, Word};
use crate::view::{Line, Markup, Role};

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
