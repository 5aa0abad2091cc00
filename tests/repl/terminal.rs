//! The interactive session on a pseudo-terminal, keys typed and the screen read as a person would.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    io::{Read, Write},
    num::NonZeroU16,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

const ROWS: NonZeroU16 = NonZeroU16::new(40).unwrap();
const COLUMNS: NonZeroU16 = NonZeroU16::new(100).unwrap();
/// Under load a key may take long to be answered.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session and its screen.
struct Session {
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: Box<dyn Child + Send + Sync>,
}

impl Session {
    /// Starts a session that keeps its history in `state`, and waits for the prompt.
    fn start(state: &Path) -> Session {
        Session::with(state, &[])
    }

    fn with(state: &Path, arguments: &[&str]) -> Session {
        let session = Session::spawn(state, arguments);
        session.until("nnz> ");
        session
    }

    fn spawn(state: &Path, arguments: &[&str]) -> Session {
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), ..PtySize::default() };
        let pty = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_nnz"));
        command.args(arguments);
        command.env("XDG_STATE_HOME", state);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let child = pty.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(ROWS, COLUMNS, 1000)));
        let (mut output, drawn) = (pty.master.try_clone_reader().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(len @ 1..) = output.read(&mut buffer) {
                drawn.lock().unwrap().process(&buffer[..len]);
            }
        });
        let keys = pty.master.take_writer().unwrap();
        // The terminal lives as long as the process.
        std::mem::forget(pty.master);
        Session { keys, screen, child }
    }

    fn contents(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen shows `text`.
    fn until(&self, text: &str) {
        self.until_holds(text, |screen| screen.contains(text));
    }

    fn until_holds(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !holds(&self.contents()) {
            assert!(start.elapsed() < PATIENCE, "no {what:?} on the screen:\n{}", self.contents());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types `keys` and waits until the screen shows `answer`.
    fn ask(&mut self, keys: &str, answer: &str) {
        self.type_keys(keys);
        self.until(answer);
    }

    /// Types a whole statement, and waits for `answer` and the next prompt.
    fn run(&mut self, statement: &str, answer: &str) {
        let prompts = self.count("nnz>");
        self.type_keys(&format!("{statement}\r"));
        let answered = |screen: &str| screen.contains(answer) && screen.matches("nnz>").count() > prompts;
        self.until_holds(answer, answered);
    }

    fn until_next_prompt(&self) {
        self.until_holds("an empty prompt", |screen| screen.trim_end().ends_with("nnz>"));
    }

    /// Types `statement` and presses Ctrl-C until it is stopped. A key pressed before the statement has begun only clears its
    /// line; at an empty prompt it is typed again.
    fn stop(&mut self, statement: &str) {
        let start = Instant::now();
        while !self.contents().contains("stopped") {
            assert!(start.elapsed() < PATIENCE, "nothing stops:\n{}", self.contents());
            if self.contents().trim_end().ends_with("nnz>") {
                self.type_keys(&format!("{statement}\r"));
                std::thread::sleep(Duration::from_millis(50));
            }
            self.type_keys(CTRL_C);
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// How often `text` is on the screen.
    fn count(&self, text: &str) -> usize {
        self.contents().matches(text).count()
    }

    fn wait_for_end(mut self) -> u32 {
        self.ended()
    }

    fn ended(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "still running:\n{}", self.contents());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const UP: &str = "\x1b[A";

/// A folder of its own for each test.
fn state(test: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn statements_are_answered_and_ctrl_d_leaves() {
    let mut session = Session::start(&state("answers"));
    session.run(":help", "this list; or one command");
    session.run(":shwo", "write `show`");
    session.type_keys(CTRL_D);
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn quit_leaves() {
    let mut session = Session::start(&state("quit"));
    session.type_keys(":quit\r");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn a_command_gives_an_unfinished_statement_up() {
    let mut session = Session::start(&state("given-up"));
    session.ask("x = [1,\r", "[1,");
    session.ask(":vars\r", "thrown away, as it has no end: x = [1,");
    session.until_next_prompt();
    assert_eq!(session.count("error"), 0, "{}", session.contents());
    session.ask("x = [1,\r", "[1,");
    session.type_keys(":quit\r");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn lines_typed_ahead_are_all_run() {
    let mut session = Session::start(&state("typed-ahead"));
    session.type_keys("c1 = [1]\rc2 = [2]\rc3 = [3]\rc3\r");
    session.until("[ 3 ]");
    session.until_next_prompt();
    session.run("c1", "[ 1 ]");
    session.run("c2", "[ 2 ]");
}

#[test]
fn an_unfinished_statement_goes_on_in_the_next_line() {
    let mut session = Session::start(&state("multiline"));
    session.ask("x : tensor<2xf64> = [1,\r", "[1,");
    assert_eq!(session.count("error"), 0, "{}", session.contents());
    session.ask("2\r", "\n2");
    assert_eq!(session.count("error"), 0, "{}", session.contents());
    session.type_keys("]\r");
    session.until_next_prompt();
}

/// As in a file, whatever the next line begins with.
#[test]
fn an_open_bracket_or_an_operator_goes_on_with_a_call() {
    let mut session = Session::start(&state("goes-on"));
    session.run("x = [1, 2]", "");
    session.ask("y(i) = x(i) * (\r", "* (");
    session.ask("x(i\r", "\nx(i");
    session.ask(") + 1)\r", "+ 1)");
    session.until_next_prompt();
    session.ask("z(i) = x(i) *\r", "x(i) *");
    session.ask("y(i\r", "\ny(i");
    session.ask(")\r", ")");
    session.until_next_prompt();
    assert_eq!(session.count("error"), 0, "{}", session.contents());
    session.run("z", "[ 2  12 ]");
}

#[test]
fn an_empty_line_ends_an_unfinished_statement() {
    let mut session = Session::start(&state("unfinished"));
    session.ask("y(i) = A(i,\r", "A(i,");
    session.ask("\r", "error[E0001]");
}

#[test]
fn tab_completes_and_describes() {
    let mut session = Session::start(&state("completion"));
    session.ask(":expl\t", ":explain CODE");
    session.type_keys(CTRL_C);
    session.until_next_prompt();
    session.ask(":show \t", "a plot of where a matrix has entries");
}

#[test]
fn ctrl_c_clears_the_line_and_then_tells_how_to_leave() {
    let mut session = Session::start(&state("ctrl-c"));
    session.ask("nonsense", "nonsense");
    session.type_keys(CTRL_C);
    session.until_next_prompt();
    assert_eq!(session.count("leaves\n"), 1, "only the greeting speaks of leaving:\n{}", session.contents());
    session.ask(CTRL_C, "Ctrl-D or :quit leaves");
    session.until_next_prompt();
    session.run(":help", "this list; or one command");
}

#[test]
fn history_outlives_the_session() {
    let state = state("history");
    let mut session = Session::start(&state);
    session.run(":help quit", "leave");
    session.run(":help quit", "leave");
    session.type_keys(CTRL_D);
    session.wait_for_end();
    let history = std::fs::read_to_string(state.join("nnz/history")).unwrap();
    assert_eq!(history.matches(":help quit").count(), 1, "{history:?}");
    let mut session = Session::start(&state);
    session.ask(UP, "nnz> :help quit");
}

#[test]
fn a_pipe_in_the_place_of_the_history_is_left_alone() {
    let state = state("pipe");
    std::fs::create_dir_all(state.join("nnz")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(state.join("nnz/history")).status().unwrap();
    assert!(made.success());
    let mut session = Session::start(&state);
    session.until("no history is kept: `");
    session.run("1 + 1", "2");
    session.type_keys(CTRL_D);
    assert_eq!(session.wait_for_end(), 0);
}

/// LLVM gets ready in a thread of its own, which must not be caught in the end of the process.
#[test]
fn a_session_can_be_left_at_any_moment_of_its_start() {
    for milliseconds in (0..80).step_by(4) {
        let mut session = Session::start(&state("left"));
        std::thread::sleep(Duration::from_millis(milliseconds));
        session.type_keys(CTRL_D);
        assert_eq!(session.wait_for_end(), 0, "left after {milliseconds} ms");
    }
}

#[test]
fn ctrl_c_gives_the_prompt_back_from_a_long_kernel_and_keeps_the_session() {
    let mut session = Session::with(&state("cancel"), &["--interpret"]);
    session.run("A : tensor<4000x4000xf64, CSR> = random(density = 0.03, seed = 7)", "480,000 stored");
    session.stop("C(i, j) : CSR = A(i, k) * A(k, j)");
    session.until_next_prompt();
    session.run(":type A", "A: tensor<4000x4000xf64, CSR>");
    session.type_keys(CTRL_D);
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn ctrl_c_ends_a_long_generator_and_keeps_the_session() {
    let mut session = Session::start(&state("generator"));
    session.run("x = [1, 2]", "x = [1, 2]");
    session.stop("A : CSR = poisson2d(n = 2500)");
    session.until_next_prompt();
    assert_eq!(session.count("stopped before"), 1, "not left to finish in the background:\n{}", session.contents());
    session.run(":type x", "x: tensor<2xf64>");
}

#[test]
fn ctrl_c_ends_a_program_within_a_long_kernel() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite/repl/large.mlir");
    let arguments = ["run", "--threads", "1", "--max-steps", "1000000000000", file.to_str().unwrap()];
    let mut program = Session::spawn(&state("program"), &arguments);
    // Printed in front of the kernel.
    program.until("3000");
    program.type_keys(CTRL_C);
    assert_eq!(program.ended(), 130);
    program.until("stopped");
}
