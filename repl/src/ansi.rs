//! Markup to text for a terminal. This file alone knows which role has which colour; the sixteen
//! colours of the user's own palette are used, so that they suit light and dark screens.

use anstyle::{AnsiColor, Style};
use nnz_core::view::{Line, Markup, Role};

use crate::terminal::Color;

pub(crate) fn style(role: Role) -> Style {
    let color = |color: AnsiColor| color.on_default();
    match role {
        Role::Plain => Style::new(),
        Role::Keyword => color(AnsiColor::Magenta),
        Role::Name => color(AnsiColor::Cyan),
        Role::Number => color(AnsiColor::Yellow),
        Role::String => color(AnsiColor::Green),
        Role::Comment | Role::Absent | Role::Border => color(AnsiColor::BrightBlack),
        Role::Type => color(AnsiColor::Blue),
        Role::Format => color(AnsiColor::Green),
        Role::Mark => color(AnsiColor::Cyan),
        Role::Heading => Style::new().bold(),
        Role::Note => Style::new().italic(),
        Role::Good => color(AnsiColor::Green).bold(),
        Role::Warning => color(AnsiColor::Yellow).bold(),
        Role::Error => color(AnsiColor::Red).bold(),
    }
}

/// `text` in the colour of `role`.
pub(crate) fn paint(role: Role, text: &str, color: Color) -> String {
    let style = style(role);
    match color {
        Color::On if style != Style::new() && !text.trim().is_empty() => {
            format!("{}{text}{}", style.render(), style.render_reset())
        }
        Color::On | Color::Off => text.to_owned(),
    }
}

pub(crate) fn line(line: &Line, color: Color) -> String {
    let painted: String = line.pieces().iter().map(|piece| paint(piece.role(), piece.text(), color)).collect();
    painted.trim_end().to_owned()
}

/// Each line with a newline behind it.
pub(crate) fn markup(markup: &Markup, color: Color) -> String {
    markup.lines.iter().map(|each| line(each, color) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colour_the_text_alone_remains() {
        let shown = Markup::new().line(Line::of(Role::Name, "A").with(Role::Number, " 1"));
        assert_eq!(markup(&shown, Color::Off), "A 1\n");
        assert_eq!(markup(&shown, Color::On), "\u{1b}[36mA\u{1b}[0m\u{1b}[33m 1\u{1b}[0m\n");
    }
}
