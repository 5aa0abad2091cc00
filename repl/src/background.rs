//! Threads with a stack size of their own, so that no work depends on the limit of the main thread's stack
//! (`ulimit -s`).
//!
//! A statement of the prompt runs on such a thread, over a clone of the session, which replaces the session when the
//! statement ends. So Ctrl-C always gives the prompt back, even from a kernel that cannot be interrupted, and a crash
//! loses only its statement.

use std::{
    sync::{
        Arc, Weak,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

use nnz_core::{
    diagnostic::Diagnostic,
    memory::NoRoom,
    session::{Event, Outcome, Session, Verdict},
    source::Source,
    syntax,
    threads::STATEMENT_STACK,
};

use crate::{host::Cancel, memory};

/// How long a statement may take to heed Ctrl-C before it is left behind.
const PATIENCE: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(25);
/// The stack of the command line and of the prompt.
pub(crate) const COMMAND_STACK: usize = 8 << 20;

/// Why work on a separate thread did not finish.
#[derive(Debug)]
pub(crate) enum Stopped {
    NoRoom(NoRoom),
    /// With a stack of so many bytes.
    NoThread(usize, std::io::Error),
    Crashed,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::NoRoom(refused) => write!(f, "error: memory is short: with its stack {refused}"),
            Stopped::NoThread(stack, reason) if memory::can_map(*stack) => {
                write!(f, "error: threads are short: not one more can be had ({reason})")
            }
            Stopped::NoThread(stack, reason) => {
                write!(f, "error: memory is short: a stack of {} MiB cannot be had ({reason})", stack >> 20)
            }
            Stopped::Crashed => f.write_str("this is a bug in nnz"),
        }
    }
}

/// Does `work` on a thread with a stack of so many bytes.
///
/// # Errors
/// It crashed, or no such thread could be made.
pub(crate) fn on_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    std::thread::scope(|scope| {
        let thread = with_stack(bytes)?.spawn_scoped(scope, work);
        thread.map_err(|error| Stopped::NoThread(bytes, error))?.join().map_err(|_| Stopped::Crashed)
    })
}

/// What a statement needs beside its stack.
const LEAST_BYTES: usize = 24 << 20;

/// A builder for a thread with a stack of this many bytes.
///
/// # Errors
/// There is no room for it and for its work.
fn with_stack(bytes: usize) -> Result<std::thread::Builder, Stopped> {
    nnz_core::memory::addresses((bytes + LEAST_BYTES) as u64).map_err(Stopped::NoRoom)?;
    Ok(std::thread::Builder::new().stack_size(bytes))
}

/// A program that prints faster than can be shown waits after so many pieces.
const MOST_WAITING: usize = 1024;

/// A statement that was left behind.
pub(crate) struct Behind {
    pub(crate) statement: String,
    /// Its thread lives.
    alive: Weak<()>,
}

/// A statement that takes so long is told what it may wait for.
const LONG: Duration = Duration::from_secs(1);

/// How a statement ended.
pub(crate) enum Ended {
    Ran(Box<Session>, Verdict),
    /// This statement did not react to Ctrl-C and ends in the background; nothing that it does reaches the session.
    LeftBehind(Behind),
    Stopped(Stopped),
}

enum Message {
    Ahead(Diagnostic),
    Printed(String),
    Outcome(Box<Outcome>),
    End(Box<Session>, Verdict),
}

/// Where a statement runs: its events are shown as they come, the session's host stops it at `cancel`, and `behind` are
/// those that may still take the processors.
pub(crate) struct Watched<'w> {
    pub(crate) cancel: &'w Cancel,
    pub(crate) behind: &'w [Behind],
    /// Shows an event.
    pub(crate) show: &'w mut dyn FnMut(&Event<'_>),
    /// Is told of a statement left behind, if one runs while this one takes long.
    pub(crate) wait: &'w mut dyn FnMut(&Behind),
}

/// Runs the statements of `source`.
pub(crate) fn run(session: &Session, source: &Source, watched: Watched<'_>) -> Ended {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let (session, own, alive) = (session.clone(), source.clone(), Arc::new(()));
    let of_thread = alive.clone();
    let work = move || {
        let _alive = of_thread;
        work(session, &own, &sender);
    };
    let builder = match with_stack(STATEMENT_STACK) {
        Ok(builder) => builder,
        Err(stopped) => return Ended::Stopped(stopped),
    };
    match builder.spawn(work) {
        Ok(_) => watch(&receiver, source, (watched, &alive)),
        Err(error) => Ended::Stopped(Stopped::NoThread(STATEMENT_STACK, error)),
    }
}

/// The sends fail where nobody waits any more.
fn work(mut session: Session, source: &Source, sender: &SyncSender<Message>) {
    let verdict = session.run_telling(source, false, &mut |event| {
        let message = match event {
            Event::Ahead(diagnostic) => Message::Ahead(diagnostic.clone()),
            Event::Printed(text) => Message::Printed(text.to_string()),
            Event::Ended(outcome) => {
                // Here, where it can be left behind.
                outcome.markup();
                Message::Outcome(outcome)
            }
        };
        let _ = sender.send(message);
    });
    let _ = sender.send(Message::End(Box::new(session), verdict));
}

fn watch(receiver: &Receiver<Message>, source: &Source, (watched, alive): (Watched<'_>, &Arc<()>)) -> Ended {
    let Watched { cancel, behind, show, wait } = watched;
    let (start, mut told) = (Instant::now(), false);
    let mut asked: Option<Instant> = None;
    let mut ended = 0;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(Message::Ahead(diagnostic)) => show(&Event::Ahead(&diagnostic)),
            Ok(Message::Printed(text)) => show(&Event::Printed(&text)),
            Ok(Message::Outcome(outcome)) => {
                ended += 1;
                show(&Event::Ended(outcome));
            }
            Ok(Message::End(session, verdict)) => return Ended::Ran(session, verdict),
            Err(RecvTimeoutError::Disconnected) => return Ended::Stopped(Stopped::Crashed),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if !told && start.elapsed() > LONG {
            told = true;
            behind.iter().rev().find(|other| other.runs()).into_iter().for_each(&mut *wait);
        }
        if cancel.is_requested() && asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            let statement = statement(source, ended);
            return Ended::LeftBehind(Behind { statement, alive: Arc::downgrade(alive) });
        }
    }
}

impl Behind {
    pub(crate) fn runs(&self) -> bool {
        self.alive.strong_count() > 0
    }
}

/// The statement after `ended` others.
fn statement(source: &Source, ended: usize) -> String {
    let tree = syntax::session::parse(source.text.clone());
    let running = syntax::session::statements(&tree).into_iter().nth(ended);
    running.map_or_else(String::new, |statement| source.slice(statement.span).trim().to_string())
}

#[cfg(test)]
mod tests {
    use nnz_core::ids::FileId;

    use super::*;

    #[test]
    fn the_statement_that_runs_is_known_by_those_that_have_ended() {
        let source =
            Source::new(FileId(0), "", "x = 1 // one\n\nA : CSR = poisson2d(n = 5000)\ny(i) =\n  x(i)\n".to_string());
        let running = [0, 1, 2, 3].map(|ended| statement(&source, ended));
        assert_eq!(running, ["x = 1", "A : CSR = poisson2d(n = 5000)", "y(i) =\n  x(i)", ""]);
    }
}
