//! Runs a program beside the server, in a process group of its own. It ends at a time limit, when nobody wants its
//! result any more, or with the server. If it crashes, only its own result is lost.

use std::{
    io::{Read, Write},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{Builder, ScopedJoinHandle, scope},
    time::{Duration, Instant},
};

/// The program to run.
pub(crate) struct Job {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) folder: Option<PathBuf>,
    /// What it reads from its standard input.
    pub(crate) input: String,
    pub(crate) time: Duration,
}

/// How a program has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself, with this status.
    Finished(i32),
    /// By a signal that is not ours.
    Crashed(i32),
    /// It took too long.
    TimeUp,
    /// Nobody wants its result.
    Stopped,
}

/// What is left of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The most bytes that are kept of each stream, the last ones: what is asked for is printed last.
pub(crate) const MOST: usize = 8 << 20;

/// The longest time between two looks at a program.
const BETWEEN: Duration = Duration::from_millis(20);

impl Job {
    /// Runs it to its end; `is_unwanted` is asked again and again.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn run(self, is_unwanted: &dyn Fn() -> bool) -> Result<Ended, String> {
        if is_unwanted() {
            return Ok(Ended { end: End::Stopped, stdout: String::new(), stderr: String::new() });
        }
        let failed = |error: std::io::Error| format!("`{}` cannot be started: {error}", self.program.display());
        let mut process = Process::start(&self).map_err(failed)?;
        let [stdin, stdout, stderr] = process.streams();
        let (input, deadline) = (self.input, Instant::now() + self.time);
        scope(|scope| {
            let spawn = |work: Box<dyn FnOnce() -> String + Send>| Builder::new().spawn_scoped(scope, work);
            let fed = spawn(Box::new(move || stdin.feed(&input)));
            let read = [stdout, stderr].map(|stream| spawn(Box::new(move || stream.kept())));
            let threads = fed.is_ok() && read.iter().all(Result::is_ok);
            let end = process.wait(deadline, &|| !threads || is_unwanted());
            let [stdout, stderr] = read.map(|thread| thread.map(text).unwrap_or_default());
            match threads {
                true => Ok(Ended { end, stdout, stderr }),
                false => Err("a thread that reads what it prints cannot be started".to_string()),
            }
        })
    }
}

fn text(thread: ScopedJoinHandle<'_, String>) -> String {
    thread.join().unwrap_or_default()
}

/// A stream of a program; none where it was taken before.
enum Stream {
    In(Option<std::process::ChildStdin>),
    Out(Option<Box<dyn Read + Send>>),
}

impl Stream {
    /// A program that ends before it has read all is no failure of ours.
    fn feed(self, input: &str) -> String {
        if let Stream::In(Some(mut stdin)) = self {
            let _ = stdin.write_all(input.as_bytes());
        }
        String::new()
    }

    /// The last lines of its output, which is read completely.
    fn kept(self) -> String {
        let Stream::Out(Some(mut from)) = self else { return String::new() };
        let (mut kept, mut is_cut) = (Vec::new(), false);
        while let Ok(1..) = from.by_ref().take(MOST as u64).read_to_end(&mut kept) {
            is_cut |= kept.len() > MOST;
            kept.drain(..kept.len().saturating_sub(MOST));
        }
        let first = kept.iter().position(|byte| *byte == b'\n').map_or(kept.len(), |end| end + 1);
        kept.drain(..if is_cut { first } else { 0 });
        String::from_utf8_lossy(&kept).into_owned()
    }
}

/// What runs now.
struct Running {
    groups: Vec<u32>,
    /// The server ends, and nothing begins any more.
    ends: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), ends: false });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all running programs at the end of the server.
pub(crate) fn end_all() {
    let mut running = running();
    running.ends = true;
    running.groups.iter().for_each(|group| kill(*group));
}

/// The server's input: where it ends nobody wants results any more, and what runs would hold up the server's end.
pub(crate) struct Input<R>(pub(crate) R);

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer);
        if matches!(read, Ok(0)) && !buffer.is_empty() {
            end_all();
        }
        read
    }
}

/// A process; it does not outlive this value.
struct Process(Child);

impl Process {
    fn start(job: &Job) -> std::io::Result<Process> {
        let mut command = Command::new(&job.program);
        command.args(&job.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What it prints is shown by editors, which know no colours of terminals.
        command.env("LC_ALL", "C.UTF-8").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
        if let Some(folder) = &job.folder {
            command.current_dir(folder);
        }
        set_apart(&mut command);
        // The lock is held until it is known: the server's end sees it or comes before it.
        let mut running = running();
        if running.ends {
            return Err(std::io::Error::other("the server ends"));
        }
        let child = command.spawn()?;
        running.groups.push(child.id());
        Ok(Process(child))
    }

    fn streams(&mut self) -> [Stream; 3] {
        let Process(child) = self;
        let stdout = child.stdout.take().map(|stdout| Box::new(stdout) as Box<dyn Read + Send>);
        let stderr = child.stderr.take().map(|stderr| Box::new(stderr) as Box<dyn Read + Send>);
        [Stream::In(child.stdin.take()), Stream::Out(stdout), Stream::Out(stderr)]
    }

    fn wait(&mut self, deadline: Instant, is_unwanted: &dyn Fn() -> bool) -> End {
        let mut pause = Duration::from_millis(1);
        loop {
            let stopped = match (has_ended(&mut self.0), is_unwanted(), Instant::now() >= deadline) {
                (true, ..) => return self.end().map_or(End::Stopped, end),
                (false, false, false) => None,
                (false, true, _) => Some(End::Stopped),
                (false, false, true) => Some(End::TimeUp),
            };
            if let Some(stopped) = stopped {
                self.end();
                return stopped;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(BETWEEN);
        }
    }

    /// Ends the process and all that it has started, which may hold its streams open. This comes before waiting for it,
    /// because until then no other process can have its number.
    fn end(&mut self) -> Option<ExitStatus> {
        kill(self.0.id());
        let _ = self.0.kill();
        self.0.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let own = self.0.id();
        running().groups.retain(|group| *group != own);
    }
}

/// Whether it has ended; it is not waited for.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: zeros are a `siginfo_t`, and the system writes nowhere else.
    unsafe {
        let mut found: libc::siginfo_t = std::mem::zeroed();
        let answer = libc::waitid(libc::P_PID, child.id(), &mut found, options);
        answer != 0 || found.si_pid() != 0
    }
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn end(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    status.code().map_or_else(|| End::Crashed(status.signal().unwrap_or_default()), End::Finished)
}

#[cfg(not(unix))]
fn end(status: ExitStatus) -> End {
    End::Finished(status.code().unwrap_or(1))
}

/// A group of its own, which ends at once where the server is killed: the system does that when the thread ends that has
/// started it, and that one waits for it.
#[cfg(unix)]
fn set_apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.arg0("nnz").process_group(0);
    #[cfg(target_os = "linux")]
    {
        let server = std::process::id() as libc::pid_t;
        // SAFETY: both are calls of the system that a forked process may make, and nothing is allocated.
        unsafe {
            command.pre_exec(move || {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                // The server may have ended just before.
                if libc::getppid() == server { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
            });
        }
    }
}

#[cfg(not(unix))]
fn set_apart(_: &mut Command) {}

#[cfg(unix)]
fn kill(group: u32) {
    // SAFETY: it only sends a signal, to a group that we have made.
    unsafe {
        libc::kill(-(group as libc::pid_t), libc::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration) -> Job {
        let arguments = vec!["-c".to_string(), script.to_string()];
        Job { program: "/bin/sh".into(), arguments, folder: None, input: "in\n".to_string(), time }
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_it_prints_and_how_it_ends_is_known() {
        let ended = shell("cat; echo err >&2; exit 3", LONG).run(&|| false).unwrap();
        assert_eq!((ended.end, &*ended.stdout, &*ended.stderr), (End::Finished(3), "in\n", "err\n"));
        assert_eq!(shell("kill -11 $$", LONG).run(&|| false).unwrap().end, End::Crashed(11));
        let none = Job { program: "/nowhere/nnz".into(), ..shell("", LONG) };
        assert!(none.run(&|| false).unwrap_err().starts_with("`/nowhere/nnz` cannot be started: "));
    }

    #[test]
    fn it_ends_with_all_that_it_has_started() {
        let begin = Instant::now();
        let ended = shell("echo one; sleep 50 & sleep 50", Duration::from_millis(300)).run(&|| false).unwrap();
        assert_eq!((ended.end, &*ended.stdout), (End::TimeUp, "one\n"));
        let late = Instant::now() + Duration::from_millis(300);
        let ended = shell("sleep 50 & sleep 50", LONG).run(&|| Instant::now() > late).unwrap();
        assert_eq!(ended.end, End::Stopped);
        // Else reading what they print would take as long as they do.
        assert!(begin.elapsed() < Duration::from_secs(40));
    }

    #[test]
    fn what_is_too_much_is_dropped_but_for_the_last_lines() {
        let ended = shell("head -c 20000000 /dev/zero; echo; echo last", LONG).run(&|| false).unwrap();
        assert_eq!((ended.end, &*ended.stdout), (End::Finished(0), "last\n"));
        let ended = shell("yes line | head -n 4000000; echo last", LONG).run(&|| false).unwrap();
        assert!((MOST - 10..=MOST).contains(&ended.stdout.len()), "{}", ended.stdout.len());
        assert!(ended.stdout.starts_with("line\n") && ended.stdout.ends_with("line\nlast\n"));
        let ended = shell("head -c 20000000 /dev/zero", LONG).run(&|| false).unwrap();
        assert_eq!((ended.end, &*ended.stdout), (End::Finished(0), ""));
    }

    #[test]
    fn what_it_leaves_behind_holds_nothing_up() {
        let begin = Instant::now();
        let ended = shell("sleep 50 & echo done", LONG).run(&|| false).unwrap();
        assert_eq!((ended.end, &*ended.stdout), (End::Finished(0), "done\n"));
        assert!(begin.elapsed() < Duration::from_secs(40));
    }
}
