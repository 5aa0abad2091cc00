//! Answers the line editor while the user types: whether the statement is finished, completions, colours.

use std::borrow::Cow;

use nnz_core::{
    ide::complete::Completion,
    session::{Command, Completeness, Session, is_complete},
    view::{
        Role,
        highlight::roles,
        markup::{display_width, elide},
    },
};
use rustyline::{
    Context, Helper,
    completion::{Completer, FilenameCompleter, Pair},
    highlight::{CmdKind, Highlighter},
    hint::Hinter,
    validate::{ValidationContext, ValidationResult, Validator},
};

use crate::{
    ansi::paint,
    terminal::{self, Color},
};

/// The columns of the terminal, which change.
type Columns = fn() -> Option<usize>;

pub(crate) struct SessionHelper {
    color: Color,
    /// The session at the prompt.
    session: Session,
    files: FilenameCompleter,
    columns: Columns,
}

impl SessionHelper {
    pub(crate) fn new(color: Color, session: Session) -> Self {
        Self { color, session, files: FilenameCompleter::new(), columns: terminal::columns }
    }
    pub(crate) fn set_session(&mut self, session: Session) {
        self.session = session;
    }
}

impl Helper for SessionHelper {}

impl Validator for SessionHelper {
    /// An unfinished statement continues on a new line; an empty line ends it in any case, so that nobody is trapped in
    /// it.
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        Ok(match is_complete(text) {
            Completeness::Incomplete if !text.ends_with('\n') => ValidationResult::Incomplete,
            _ => ValidationResult::Valid(None),
        })
    }
}

impl Highlighter for SessionHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        match self.color {
            Color::Off => Cow::Borrowed(line),
            Color::On => roles(line).into_iter().map(|(role, range)| paint(role, &line[range], Color::On)).collect(),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(paint(Role::Absent, hint, self.color))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.color == Color::On && kind != CmdKind::MoveCursor
    }
}

impl Hinter for SessionHelper {
    type Hint = String;

    /// The arguments of a command whose name is alone.
    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<String> {
        let name = line.strip_prefix(':').filter(|_| position == line.len())?;
        let info = Command::info(name.trim_end())?;
        let gap = if name.ends_with(' ') { "" } else { " " };
        (!info.args.is_empty()).then(|| format!("{gap}{}", info.args))
    }
}

impl Completer for SessionHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, mut pairs) = match in_file_name(line, position) {
            true => self.files.complete_path(line, position)?,
            false => self.completions(line, position),
        };
        let screen = self.session.options.screen;
        let columns = (self.columns)().unwrap_or(screen.width);
        pairs.iter_mut().for_each(|pair| pair.display = elide(&pair.display, columns, screen.ellipsis()).into_owned());
        Ok((start, pairs))
    }
}

impl SessionHelper {
    fn completions(&self, line: &str, position: usize) -> (usize, Vec<Pair>) {
        let found = self.session.complete(line, position);
        let start = found.first().map_or(position, |completion| completion.replace.start as usize);
        let mut pairs = pairs(found);
        if line.get(..start).is_some_and(|before| before.ends_with(':')) {
            pairs.iter_mut().for_each(goes_on);
        }
        (start, pairs)
    }
}

/// Puts the space behind a command that takes arguments.
fn goes_on(command: &mut Pair) {
    if Command::info(&command.replacement).is_some_and(|info| !info.args.is_empty()) {
        command.replacement.push(' ');
    }
}

/// Whether the cursor is in the string behind `read`, `use` or the name that `:write` takes.
fn in_file_name(line: &str, position: usize) -> bool {
    let before = line.get(..position).unwrap_or_default();
    let Some((head, _)) = before.rsplit_once('"').filter(|_| before.matches('"').count() % 2 == 1) else {
        return false;
    };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    match words(head.rsplit([';', '\n']).next().unwrap_or_default()).as_slice() {
        [.., word] if word == "read" || word == "use" => true,
        [command, ..] => command == ":write",
        [] => false,
    }
}

/// Labels with their descriptions in a column of their own.
fn pairs(found: Vec<Completion>) -> Vec<Pair> {
    let width = found.iter().map(|completion| display_width(&completion.label)).max().unwrap_or(0);
    let pair = |Completion { label, insert, detail, .. }: Completion| {
        let pad = " ".repeat(width - display_width(&label));
        Pair { display: format!("{label}{pad}  {detail}"), replacement: insert }
    };
    found.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use nnz_core::{host::Host, ids::FileId, session::Options, source::Source};
    use rustyline::history::DefaultHistory;

    /// A host without files.
    struct Nowhere;
    impl Host for Nowhere {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("no files here".into())
        }
    }

    fn helper(color: Color) -> SessionHelper {
        let session = Session::new(Arc::new(Nowhere), Options::default());
        SessionHelper { columns: || None, ..SessionHelper::new(color, session) }
    }

    fn displayed(line: &str) -> Vec<Pair> {
        let mut helper = helper(Color::Off);
        let text = "#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
            Alpha : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]";
        let mut outcomes = Vec::new();
        let source = Source::new(FileId(0), "before", text);
        helper.session.run(&source, false, &mut |outcome| outcomes.extend(outcome.diagnostics));
        assert!(outcomes.is_empty(), "{outcomes:?}");
        let history = DefaultHistory::new();
        helper.complete(line, line.len(), &Context::new(&history)).unwrap().1
    }

    fn complete(line: &str) -> Vec<String> {
        displayed(line).into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn completion_knows_commands_views_and_names() {
        assert_eq!(complete(":he"), ["help "]);
        assert_eq!(complete("x; :sho"), ["show "]);
        assert_eq!(complete(":qui"), ["quit"]);
        assert_eq!(complete(":show tr"), ["tree"]);
        assert_eq!(complete(":show tree Al"), ["Alpha"]);
        assert_eq!(complete(":show tree #"), ["#Rows"]);
        assert_eq!(complete("y(i) = Al"), ["Alpha"]);
        assert_eq!(complete("A : DCS"), ["DCSR", "DCSC"]);
        assert_eq!(complete("A : tensor<2x2xf64, #"), ["#Rows"]);
        assert_eq!(complete("a : f6"), ["f64"]);
        assert_eq!(complete("#A = #sparse_tensor.encoding<{ map = (i) -> (i : comp"), ["compressed"]);
        assert_eq!(complete(":explain E000"), ["E0001"]);
    }

    #[test]
    fn files_are_completed_in_strings() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Aged.mtx"), "").unwrap();
        let path = folder.path().display();
        let whole = format!("{path}/Aged.mtx");
        for before in ["A : CSR = read ", "x; use ", ":write A "] {
            assert_eq!(complete(&format!("{before}\"{path}/Ag")), [whole.as_str()], "{before}");
        }
        assert!(!complete(&format!("A : CSR = read \"{path}/Aged.mtx\" ")).contains(&whole));
    }

    #[test]
    fn descriptions_stand_in_a_column() {
        let displayed: Vec<String> = displayed("A : DCS").into_iter().map(|pair| pair.display).collect();
        let columns: Vec<usize> = displayed.iter().filter_map(|line| line.find("  ")).collect();
        assert_eq!(columns, [4, 4]);
        assert!(displayed[0].starts_with("DCSR  "), "{displayed:?}");
    }

    /// A description that does not fit the terminal is cut, and what is inserted is not.
    #[test]
    fn descriptions_are_cut_to_the_terminal() {
        let history = DefaultHistory::new();
        let screens: [(Columns, usize); 3] = [(|| Some(40), 40), (|| Some(20), 20), (|| None, 80)];
        for (columns, width) in screens {
            let helper = SessionHelper { columns, ..helper(Color::Off) };
            let pairs = helper.complete(":show ", 6, &Context::new(&history)).unwrap().1;
            assert!(pairs.iter().all(|pair| display_width(&pair.display) <= width), "{width} columns");
            assert!(pairs.iter().any(|pair| pair.display.ends_with('…')), "{width} columns");
            assert!(pairs.iter().any(|pair| pair.replacement == "lattice"));
        }
    }

    #[test]
    fn highlighting_keeps_the_text() {
        let helper = helper(Color::On);
        let text = "A : tensor<3x4xf64, CSR> =\n  read \"é.mtx\" // x";
        let shown = helper.highlight(text, 0);
        let mut plain = String::new();
        let mut escape = false;
        for c in shown.chars() {
            match c {
                '\u{1b}' => escape = true,
                'm' if escape => escape = false,
                c if !escape => plain.push(c),
                _ => {}
            }
        }
        assert_eq!(plain, text);
        assert!(shown.len() > text.len());
    }

    #[test]
    fn a_command_hints_its_arguments() {
        let helper = helper(Color::Off);
        let history = DefaultHistory::new();
        let hint = |line: &str| helper.hint(line, line.len(), &Context::new(&history));
        assert_eq!(hint(":show").as_deref(), Some(" VIEW NAME"));
        assert_eq!(hint(":show ").as_deref(), Some("VIEW NAME"));
        assert_eq!(hint(":vars"), None);
        assert_eq!(hint("x"), None);
    }
}
