//! From the words of the command line to its options: moves misplaced options to their places, and reports errors in
//! nnz's words.

use std::ffi::OsString;

use clap::{
    CommandFactory, FromArgMatches, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use nnz_core::{diagnostic::did_you_mean, view::broken};

use super::{Cli, usage};
use crate::{
    output::{eprint, print},
    render::one_line,
    terminal::{Color, ColorChoice, Terminal, Wishes, color_of},
    words::{self, words},
};

/// The words, with options before the command moved after it.
fn in_order(mut words: Vec<OsString>, cli: &clap::Command) -> Vec<OsString> {
    let begins_with_option = words.get(1).and_then(|word| word.to_str()).is_some_and(|word| word.starts_with('-'));
    if !begins_with_option {
        return words;
    }
    let known = |word: &str| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let mut options = cli.get_arguments().filter(|option| !option.is_positional());
        options.find(|option| match name.strip_prefix("--") {
            Some(long) => option.get_long() == Some(long),
            None => option.get_short() == name.chars().nth(1) && name.len() == 2,
        })
    };
    let mut at = 1;
    while let Some(word) = words.get(at).and_then(|word| word.to_str()).filter(|word| word.len() > 1) {
        let option = word.starts_with('-').then(|| known(word));
        match option {
            Some(None) => return words,
            Some(Some(option)) => at += 1 + usize::from(option.get_action().takes_values() && !word.contains('=')),
            None if cli.find_subcommand(word).is_some() => {
                words[1..=at].rotate_right(1);
                return words;
            }
            None => return words,
        }
    }
    words
}

/// Whether a command could stand where this word does.
pub(crate) fn is_first_word(word: &str) -> bool {
    words().skip(1).find(|word| !word.starts_with('-')).is_some_and(|first| first == word)
}

/// A word in place of a command or a file.
pub(crate) fn neither(word: &str, file: Option<&str>) -> String {
    let help = match (command_like(word), file) {
        (_, Some(file)) if file.starts_with(word) => format!("did you mean `nnz {file}`?"),
        (Some(command), _) => format!("did you mean `nnz {command}`?"),
        (None, _) => "`nnz --help` lists the commands".to_string(),
    };
    format!("error: `{}` is neither a command nor a file\n  = help: {help}\n", one_line(word))
}

/// The first word, if it would be a command without a slip: the words after it are not options without a command.
fn misspelt_command() -> Option<String> {
    let word = words().nth(1)?;
    let file = word.contains(['.', '/']) || std::path::Path::new(&word).exists();
    (!file && command_like(&word).is_some_and(|command| command != word)).then_some(word)
}

/// Errors as text, the usage behind them: what helps as other errors say it, in lines that fit the terminal.
fn rendered(error: &clap::Error, others: &[clap::Error], columns: Option<usize>) -> String {
    let first = in_our_words(error);
    let (told, usage) = first.split_once("\n\n").unwrap_or((&first, ""));
    let more = others.iter().map(in_our_words);
    let more: String =
        more.map(|text| format!("{}\n", text.split("\n\n").next().unwrap_or_default().trim_end())).collect();
    let text = format!("{}\n{more}\n{usage}", told.trim_end());
    let fitted = |line: &str| match columns {
        Some(columns) => broken(line, columns).join("\n"),
        None => line.to_string(),
    };
    text.lines().map(|line| fitted(&one_line(line)) + "\n").collect()
}

fn in_our_words(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.replace("invalid digit found in string", "not a whole number");
    text.replace("\n\n  tip: ", "\n  = help: ").replace("\n  tip: ", "\n  = help: ")
}

/// What else is wrong: each mistake is looked for where those before it are mended.
fn further(mut words: Vec<OsString>, first: &clap::Error) -> Vec<clap::Error> {
    const MOST: usize = 8;
    let mut found = Vec::new();
    let mut mended = mend(&mut words, first);
    while mended && found.len() < MOST {
        let Err(error) = Cli::try_parse_from(&words) else { break };
        mended = mend(&mut words, &error);
        found.extend(mended.then_some(error));
    }
    found.iter_mut().for_each(|error| drop(error.remove(ContextKind::Suggested)));
    found
}

/// Whether the word that an error is about could be mended.
fn mend(words: &mut Vec<OsString>, error: &clap::Error) -> bool {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let unknown = error.kind() == ErrorKind::UnknownArgument;
    let wrong = said(if unknown { ContextKind::InvalidArg } else { ContextKind::InvalidValue });
    let Some(wrong) = wrong.filter(|word| word.starts_with('-') == unknown) else { return false };
    let is_wrong = |word: &OsString| word.to_str().is_some_and(|word| word.split('=').any(|part| part == wrong));
    let Some(at) = words.iter().position(is_wrong) else { return false };
    let value = || said(ContextKind::SuggestedValue).or_else(|| said(ContextKind::ValidValue));
    let meant = if unknown { said(ContextKind::SuggestedArg) } else { value() };
    // An option whose value nobody can guess is left out with it.
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let behind_option = !unknown && !is_option(&words[at]) && at > 0 && is_option(&words[at - 1]);
    match meant {
        Some(meant) => words[at] = words[at].to_string_lossy().replace(&wrong, &meant).into(),
        None if behind_option => drop(words.drain(at - 1..=at)),
        None => drop(words.remove(at)),
    }
    true
}

/// Parses the command line; prints help, version or a usage error and exits where that is all there is
/// to do (status 0, 0, 2).
pub(crate) fn parse() -> Cli {
    // To describe all options takes longer than to parse them.
    let mut cli = Cli::command();
    let words = in_order(std::env::args_os().collect(), &cli);
    let typed: Vec<String> = words::words().collect();
    if let Some(told) = usage::misplaced(&typed, &cli) {
        eprint(&told);
        std::process::exit(2);
    }
    let matches = cli.try_get_matches_from_mut(&words);
    let parsed = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    let parsed = parsed.map_err(|error| error.format(&mut cli)).and_then(Cli::consistent);
    parsed.unwrap_or_else(|mut error| {
        let choice = asked_for_color(words::words());
        if let Some(word) = misspelt_command().filter(|_| error.kind() == ErrorKind::UnknownArgument) {
            eprint(&neither(&word, None));
            std::process::exit(error.exit_code());
        }
        if let Some(told) = usage::told(&error, &typed) {
            eprint(&told);
            std::process::exit(error.exit_code());
        }
        let others = further(words, &error);
        // The hint that the word may not be an option helps nobody.
        error.remove(ContextKind::Suggested);
        let text = error.render();
        let painted = |color| match color {
            Color::On => only_styles(&text.ansi().to_string()),
            Color::Off => lines(&text.to_string()),
        };
        match error.use_stderr() {
            true => {
                let text = rendered(&error, &others, Terminal::detect(Wishes::default()).stderr_width);
                eprint(&match color_of(&std::io::stderr(), choice) {
                    Color::On => text.replacen("error:", "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m", 1),
                    Color::Off => text,
                });
            }
            false => print(&painted(color_of(&std::io::stdout(), choice))),
        }
        std::process::exit(error.exit_code())
    })
}

/// Lines without characters that control a terminal.
fn lines(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| one_line(line.trim_end_matches('\n')) + &line[line.trim_end_matches('\n').len()..])
        .collect()
}

/// As [`lines`], but for styles: `ESC [ numbers m`.
fn only_styles(text: &str) -> String {
    let (first, rest) = text.split_once('\u{1b}').unwrap_or((text, ""));
    let parts = rest.split('\u{1b}').filter(|_| text.len() > first.len()).map(|part| {
        let style = part.strip_prefix('[').and_then(|part| part.split_once('m'));
        match style.filter(|(numbers, _)| numbers.bytes().all(|b| b.is_ascii_digit() || b == b';')) {
            Some((numbers, part)) => format!("\u{1b}[{numbers}m{}", lines(part)),
            None => lines(part),
        }
    });
    lines(first) + &parts.collect::<String>()
}

/// The command that a word may be a misspelling of.
pub(crate) fn command_like(word: &str) -> Option<String> {
    let cli = Cli::command();
    did_you_mean(word, cli.get_subcommands().map(clap::Command::get_name)).map(str::to_owned)
}

/// `--color` has to be known even if the command line is not understood.
fn asked_for_color(arguments: impl Iterator<Item = String>) -> ColorChoice {
    let joined = arguments.collect::<Vec<_>>().join(" ");
    let value = joined.split("--color").nth(1).map(|rest| rest.trim_start_matches(['=', ' ']));
    match value.and_then(|value| value.split(' ').next()) {
        Some("never") => ColorChoice::Never,
        Some("always") => ColorChoice::Always,
        _ => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_command_is_known() {
        assert_eq!(command_like("chek").as_deref(), Some("check"));
        assert_eq!(command_like("check.nnz"), None);
        assert_eq!(command_like("spmv.nnz"), None);
    }

    #[test]
    fn options_may_stand_in_front_of_the_command() {
        let ordered = |line: &str| {
            let words = in_order(line.split(' ').map(OsString::from).collect(), &Cli::command());
            words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ordered("nnz --threads 2 run s.nnz"), "nnz run --threads 2 s.nnz");
        assert_eq!(ordered("nnz --max-steps=5 --json run a.mlir"), "nnz run --max-steps=5 --json a.mlir");
        for same in ["nnz run --threads 2 s.nnz", "nnz --threads 2 s.nnz run", "nnz --xyzzy run", "nnz -c run", "nnz"] {
            assert_eq!(ordered(same), same);
        }
    }

    #[test]
    fn colour_is_known_before_the_help_is_printed() {
        let asked = |line: &str| asked_for_color(line.split(' ').map(str::to_owned));
        assert_eq!(asked("nnz --help --color never"), ColorChoice::Never);
        assert_eq!(asked("nnz --color=always --help"), ColorChoice::Always);
        assert_eq!(asked("nnz --help"), ColorChoice::Auto);
    }
}
