//! The session on a terminal.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use nnz_core::{
    session::{Session, Verdict, given_up},
    threads::STATEMENT_STACK,
    view::{Role, broken},
};
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext, EventHandler,
    KeyEvent, RepeatCount, config::BellStyle, error::ReadlineError, history::FileHistory,
};

use crate::{
    ansi::paint,
    background::{self, Behind, Ended, Watched},
    exit::Exit,
    helper::SessionHelper,
    history::History,
    host::{Cancel, LocalHost, Running},
    interrupt,
    output::{Output, eprint, print},
    render::one_line,
    terminal::{Color, Terminal, columns},
};

const PROMPT: &str = "nnz> ";
const HISTORY_ENTRIES: usize = 10_000;

type LineEditor = Editor<SessionHelper, FileHistory>;

/// Reads and runs statements until the user leaves.
pub(crate) fn run(session: &mut Session, output: &mut Output, terminal: Terminal) -> Exit {
    let color = terminal.stdout;
    let mut editor = match new_editor(color, session) {
        Ok(editor) => editor,
        Err(error) => {
            eprint(&format!("error: the terminal cannot be used: {error}\n"));
            return Exit::Failed;
        }
    };
    let had_text = watch_ctrl_c(&mut editor);
    let running = Running::default();
    stop_on_ctrl_c(&running);
    let history = History::open(HISTORY_ENTRIES).unwrap_or_else(|why| {
        eprint(&format!("no history is kept: {}\n", one_line(&why)));
        None
    });
    if let Some(history) = &history {
        // The first session has no history file.
        let _ = editor.load_history(history.path());
    }
    greet(color, terminal.screen.width);
    let ahead = session.clone();
    // Without a thread the first kernel waits for LLVM.
    let _ = std::thread::Builder::new().stack_size(STATEMENT_STACK).spawn(move || ahead.warm_up());
    Loop { session, output, editor, running, had_text, terminal, history, behind: Vec::new() }.run()
}

fn new_editor(color: Color, session: &Session) -> rustyline::Result<LineEditor> {
    let config = Config::builder()
        .max_history_size(HISTORY_ENTRIES)?
        .history_ignore_dups(true)?
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .bell_style(BellStyle::None)
        .color_mode(match color {
            Color::On => ColorMode::Forced,
            Color::Off => ColorMode::Disabled,
        })
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(SessionHelper::new(color, session.clone())));
    Ok(editor)
}

fn greet(color: Color, width: usize) {
    let version = env!("CARGO_PKG_VERSION");
    let hint = ":help lists the commands, Tab completes, Ctrl-D leaves";
    let name = format!("nnz {version}");
    let lines = broken(&format!("{name} {hint}"), width);
    for line in &lines {
        let painted = match line.strip_prefix(&name) {
            Some(hint) => paint(Role::Heading, &name, color) + " " + &paint(Role::Note, hint.trim_start(), color),
            None => paint(Role::Note, line, color),
        };
        print(&(painted + "\n"));
    }
}

/// What a round of the loop asks for.
enum Next {
    Prompt,
    Leave,
}

struct Loop<'a> {
    session: &'a mut Session,
    output: &'a mut Output,
    editor: LineEditor,
    running: Running,
    /// Whether there was text when Ctrl-C was last pressed.
    had_text: Arc<AtomicBool>,
    terminal: Terminal,
    /// Where the history is kept; `None` where there is no place for it.
    history: Option<History>,
    /// Statements that were left behind.
    behind: Vec<Behind>,
}

impl Loop<'_> {
    fn run(&mut self) -> Exit {
        loop {
            self.tell_helper();
            match self.editor.readline(&(PROMPT, &paint(Role::Good, PROMPT, self.terminal.stdout))) {
                Ok(text) => {
                    // From here on Ctrl-C is a signal: one that comes before the statement has started stops it too.
                    let cancel = self.running.begin();
                    match self.run_text(text, &cancel) {
                        Next::Prompt => {}
                        Next::Leave => return Exit::Fine,
                    }
                }
                Err(ReadlineError::Interrupted) => self.interrupted(),
                Err(ReadlineError::Eof) => return Exit::Fine,
                // What is defined is not lost for a byte.
                Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    eprint("error: what was typed is no UTF-8; the line is thrown away\n");
                }
                Err(error) => {
                    eprint(&format!("error: the terminal cannot be read: {error}\n"));
                    return Exit::Failed;
                }
            }
        }
    }

    /// The first Ctrl-C clears what is typed; at an empty prompt it shows the way out.
    fn interrupted(&self) {
        if !self.had_text.swap(false, Ordering::Relaxed) {
            let hint = "Ctrl-D or :quit leaves";
            print(&format!("{}\n", paint(Role::Note, hint, self.terminal.stdout)));
        }
    }

    fn run_text(&mut self, text: String, cancel: &Cancel) -> Next {
        if text.trim().is_empty() {
            return Next::Prompt;
        }
        if let Some((unfinished, command)) = given_up(&text) {
            eprint(&format!("thrown away, as it has no end: {}\n", one_line(unfinished)));
            return self.run_text(command.to_string(), cancel);
        }
        self.remember(text.trim_end());
        self.fit();
        let source = self.output.add_cell(text);
        let output = &mut *self.output;
        output.cancel = cancel.clone();
        let host = LocalHost::new(cancel.clone(), self.terminal.stderr_is_terminal);
        let width = self.session.options.screen.width;
        self.behind.retain(Behind::runs);
        let watched = Watched {
            cancel,
            behind: &self.behind,
            show: &mut |event| output.event(event),
            wait: &mut |behind| eprint(&(broken(&waits_for(&behind.statement), width).join("\n") + "\n")),
        };
        match background::run(&self.session.with_host(Arc::new(host)), &source, watched) {
            Ended::Ran(_, Verdict::Quit) => return Next::Leave,
            Ended::Ran(session, _) => *self.session = *session,
            Ended::LeftBehind(behind) => {
                eprint(&(broken(&left_behind(&behind.statement), width).join("\n") + "\n"));
                self.behind.push(behind);
            }
            Ended::Stopped(stopped) => eprint(&format!("{stopped}; the session is as it was before this input\n")),
        }
        Next::Prompt
    }

    /// Takes the width of a terminal that was resized since the last answer.
    fn fit(&mut self) {
        let now = columns().filter(|_| self.terminal.measured.is_some());
        if let Some(width) = now.filter(|_| now != self.terminal.measured) {
            self.terminal.measured = now;
            self.session.options.screen.width = width;
            self.output.fit(width);
        }
    }

    /// Keeps a statement, at once in the file too, so that a killed session keeps its history. An error of the file
    /// does not stop the session.
    fn remember(&mut self, text: &str) {
        let added = self.editor.add_history_entry(text).unwrap_or(false);
        if let Some(history) = self.history.as_ref().filter(|_| added) {
            let _ = history.add(text);
        }
    }

    fn tell_helper(&mut self) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.set_session(self.session.clone());
        }
    }
}

/// Kernels and the sorting of entries cannot be interrupted.
fn left_behind(statement: &str) -> String {
    let begin = one_line(statement.lines().next().unwrap_or_default());
    // It may notice that it is to stop, or be done before.
    let file = if statement.contains(":write") { ", and leaves its file whole or as it was" } else { "" };
    format!("stopped waiting: the session is as it was before this input; `{begin}` ends in the background{file}")
}

fn waits_for(statement: &str) -> String {
    let begin = one_line(statement.lines().next().unwrap_or_default());
    format!(
        "`{begin}` still runs in the background and takes the processors: this waits for it; Ctrl-C gives the prompt back"
    )
}

/// Notes, at each Ctrl-C, whether there was text to clear: the line editor does not report it.
struct CtrlC(Arc<AtomicBool>);

impl ConditionalEventHandler for CtrlC {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        self.0.store(!context.line().is_empty(), Ordering::Relaxed);
        Some(Cmd::Interrupt)
    }
}

fn watch_ctrl_c(editor: &mut LineEditor) -> Arc<AtomicBool> {
    let had_text = Arc::new(AtomicBool::new(false));
    let handler = EventHandler::Conditional(Box::new(CtrlC(had_text.clone())));
    editor.bind_sequence(KeyEvent::ctrl('C'), handler);
    had_text
}

/// While a statement runs, the terminal turns Ctrl-C into a signal.
fn stop_on_ctrl_c(running: &Running) {
    let running = running.clone();
    interrupt::on_ctrl_c(move || running.stop());
}
