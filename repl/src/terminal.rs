//! What the streams can show, decided once at the start.

use std::io::IsTerminal;

use clap::ValueEnum;
use nnz_core::view::{Charset, Screen};

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is `dumb`; CLICOLOR_FORCE forces it
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether a stream gets colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    On,
    Off,
}

/// The user's environment, read through a function so that tests can bring their own.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'a> {
    pub(crate) variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Environment<'_> {
    fn get(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// The order of precedence that no-color.org and bixense.com/clicolors describe.
    fn color(&self, choice: ColorChoice, is_terminal: bool) -> Color {
        let forced = || self.get("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let on = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if self.get("NO_COLOR").is_some() => false,
            ColorChoice::Auto if forced() => true,
            ColorChoice::Auto => is_terminal && !self.is_dumb() && self.get("CLICOLOR").as_deref() != Some("0"),
        };
        if on { Color::On } else { Color::Off }
    }

    fn is_dumb(&self) -> bool {
        self.get("TERM").as_deref() == Some("dumb")
    }

    /// ASCII where the terminal is dumb or the locale names another character set than UTF-8; a
    /// locale that is not set at all says nothing against Unicode.
    fn charset(&self) -> Charset {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| self.get(name));
        let utf8 = |locale: &str| {
            let locale = locale.to_ascii_lowercase();
            locale.ends_with("utf-8") || locale.ends_with("utf8") || locale.contains("utf-8@")
        };
        let other = locale.is_some_and(|locale| !utf8(&locale));
        if other || self.is_dumb() { Charset::Ascii } else { Charset::Unicode }
    }
}

/// The two output streams and the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) stdout: Color,
    pub(crate) stderr: Color,
    pub(crate) screen: Screen,
    /// A person types, and sees the answers.
    pub(crate) interactive: bool,
    /// Progress may be drawn.
    pub(crate) stderr_is_terminal: bool,
    /// The columns that diagnostics fit into; `None` if there is no terminal.
    pub(crate) stderr_width: Option<usize>,
    /// The columns of the terminal that answers were last fit into; `None` if the user says how wide they are.
    pub(crate) measured: Option<usize>,
}

/// The colour of one stream, before the command line is understood.
pub(crate) fn color_of(stream: &impl IsTerminal, choice: ColorChoice) -> Color {
    Environment { variable: &|name| std::env::var(name).ok() }.color(choice, stream.is_terminal())
}

/// The user's wishes on the command line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) color: ColorChoice,
    pub(crate) ascii: bool,
    pub(crate) width: Option<usize>,
}

/// The columns that a terminal has now.
pub(crate) fn columns() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

impl Terminal {
    pub(crate) fn detect(wishes: Wishes) -> Terminal {
        let env = Environment { variable: &|name| std::env::var(name).ok() };
        let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
        // What a terminal measures is truer than a variable, which pipes alone need.
        let told = || env.get("COLUMNS")?.parse().ok().filter(|columns| (20..=1000).contains(columns));
        let measured = columns().filter(|_| stdout.is_terminal() && wishes.width.is_none());
        let width = wishes.width.or(measured).or_else(told);
        let beside = || terminal_size::terminal_size_of(&stderr).map(|(width, _)| usize::from(width.0));
        Terminal {
            stdout: env.color(wishes.color, stdout.is_terminal()),
            stderr: env.color(wishes.color, stderr.is_terminal()),
            screen: Screen {
                width: width.unwrap_or(Screen::DEFAULT_WIDTH),
                charset: if wishes.ascii { Charset::Ascii } else { env.charset() },
                ..Screen::default()
            },
            interactive: stdin.is_terminal() && stdout.is_terminal(),
            stderr_is_terminal: stderr.is_terminal(),
            stderr_width: wishes.width.or_else(|| beside().filter(|_| stderr.is_terminal())).or_else(told),
            measured,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(pairs: &[(&str, &str)], ask: impl FnOnce(Environment<'_>) -> T) -> T {
        let variable = |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned());
        ask(Environment { variable: &variable })
    }

    #[test]
    fn the_flag_beats_the_environment_and_the_environment_the_terminal() {
        let color = |pairs, choice, tty| with(pairs, |env| env.color(choice, tty));
        assert_eq!(color(&[], ColorChoice::Auto, true), Color::On);
        assert_eq!(color(&[], ColorChoice::Auto, false), Color::Off);
        assert_eq!(color(&[("NO_COLOR", "1")], ColorChoice::Auto, true), Color::Off);
        assert_eq!(color(&[("NO_COLOR", "")], ColorChoice::Auto, true), Color::On);
        assert_eq!(color(&[("NO_COLOR", "1")], ColorChoice::Always, false), Color::On);
        assert_eq!(color(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], ColorChoice::Auto, true), Color::Off);
        assert_eq!(color(&[("CLICOLOR_FORCE", "1")], ColorChoice::Auto, false), Color::On);
        assert_eq!(color(&[("CLICOLOR_FORCE", "0")], ColorChoice::Auto, false), Color::Off);
        assert_eq!(color(&[("CLICOLOR_FORCE", "1")], ColorChoice::Never, true), Color::Off);
        assert_eq!(color(&[("TERM", "dumb")], ColorChoice::Auto, true), Color::Off);
        assert_eq!(color(&[("CLICOLOR", "0")], ColorChoice::Auto, true), Color::Off);
    }

    #[test]
    fn the_locale_decides_the_characters() {
        let charset = |pairs| with(pairs, |env| env.charset());
        assert_eq!(charset(&[]), Charset::Unicode);
        assert_eq!(charset(&[("LANG", "en_GB.UTF-8")]), Charset::Unicode);
        assert_eq!(charset(&[("LANG", "de_DE.utf8"), ("LC_ALL", "C")]), Charset::Ascii);
        assert_eq!(charset(&[("LANG", "ca_ES.UTF-8@valencia")]), Charset::Unicode);
        assert_eq!(charset(&[("LANG", "en_GB.UTF-8"), ("TERM", "dumb")]), Charset::Ascii);
    }
}
