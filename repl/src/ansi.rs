//! Markup to text for a terminal. Only this file knows the colours of roles. It uses the sixteen colours of
//! the user's palette, so they suit light and dark screens.

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
    merged(painted.trim_end())
}

/// `text` without the escapes that end a style only to begin it again.
pub(crate) fn merged(text: &str) -> String {
    const RESET: &str = "\u{1b}[0m";
    let mut out = String::with_capacity(text.len());
    // The escapes since the last reset.
    let mut style = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let end = rest[at..].find('m').map_or(rest.len(), |end| at + end + 1);
        let (plain, escape, behind) = (&rest[..at], &rest[at..end], &rest[end..]);
        out.push_str(plain);
        rest = behind;
        match behind.strip_prefix(style.as_str()) {
            Some(same) if escape == RESET && !style.is_empty() => rest = same,
            _ if escape == RESET => {
                style.clear();
                out.push_str(escape);
            }
            _ => {
                style.push_str(escape);
                out.push_str(escape);
            }
        }
    }
    out + rest
}

/// Each line with a newline after it.
pub(crate) fn markup(markup: &Markup, color: Color) -> String {
    markup.lines.iter().map(|each| line(each, color) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_one_style_share_its_escapes() {
        let (red, bold, reset) = ("\u{1b}[31m", "\u{1b}[1m", "\u{1b}[0m");
        let each = |style: &str, text: &str| text.chars().map(|c| format!("{style}{c}{reset}")).collect::<String>();
        let both = format!("{bold}{red}");
        assert_eq!(merged(&each(red, "abc")), format!("{red}abc{reset}"));
        assert_eq!(merged(&each(&both, "ab")), format!("{both}ab{reset}"));
        let apart = format!("{both}a{reset}{red}b{reset} {red}c{reset}{bold}d{reset}");
        assert_eq!(merged(&apart), apart);
        assert_eq!(merged("plain"), "plain");
    }

    #[test]
    fn without_colour_the_text_alone_remains() {
        let shown = Markup::new().line(Line::of(Role::Name, "A").with(Role::Number, " 1"));
        assert_eq!(markup(&shown, Color::Off), "A 1\n");
        assert_eq!(markup(&shown, Color::On), "\u{1b}[36mA\u{1b}[0m\u{1b}[33m 1\u{1b}[0m\n");
    }
}
