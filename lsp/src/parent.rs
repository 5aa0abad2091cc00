//! Watches the process that started the server. When it ends, the server ends (LSP 3.17, "initialize", `processId`),
//! even if another process keeps stdin open.

use std::{path::PathBuf, time::Duration};

use serde_json::Value;

/// The time between two looks.
const BETWEEN: Duration = Duration::from_secs(2);

/// Calls `exit` once the process that `initialize` names has ended, at once if it has ended already.
pub(crate) fn watch(initialize: Option<&Value>, exit: impl Fn() + Send + 'static) {
    let id = initialize.and_then(|params| params.get("processId")?.as_u64());
    let Some(processes) = Processes::of_the_system() else { return };
    let Some(id) = id.filter(|id| processes.tell_of(*id)) else { return };
    if !processes.has(id) {
        exit();
    }
    tokio::spawn(async move {
        while processes.has(id) {
            tokio::time::sleep(BETWEEN).await;
        }
        exit();
    });
}

/// What the system says of processes, in the files of this folder.
struct Processes(PathBuf);

impl Processes {
    /// Systems other than Linux end the server by closing its stdin.
    fn of_the_system() -> Option<Processes> {
        cfg!(target_os = "linux").then(|| Processes(PathBuf::from("/proc")))
    }

    /// Whether what they say of this process is true of the client.
    fn tell_of(&self, id: u64) -> bool {
        id > 0 && (self.has(id) || !self.are_apart())
    }

    /// Whether there is such a process, and more of it than its exit status.
    fn has(&self, id: u64) -> bool {
        match self.stat(id) {
            Ok(stat) => !matches!(fields(&stat).next(), Some("Z" | "X")),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Whether the client is in another container, whose processes cannot be seen. Then the process that the client
    /// started in this container, the first visible ancestor of the server, reads the server's stdin. Elsewhere that
    /// ancestor is the init process.
    fn are_apart(&self) -> bool {
        let own = u64::from(std::process::id());
        let first = std::iter::successors(Some(own), |id| self.parent(*id)).last().unwrap_or(own);
        first == own || self.stdin(first).is_some_and(|stdin| Some(stdin) == self.stdin(own))
    }

    fn parent(&self, id: u64) -> Option<u64> {
        let stat = self.stat(id).ok()?;
        fields(&stat).nth(1)?.parse().ok().filter(|parent| *parent > 0)
    }

    fn stdin(&self, id: u64) -> Option<PathBuf> {
        std::fs::read_link(self.0.join(id.to_string()).join("fd/0")).ok()
    }

    fn stat(&self, id: u64) -> std::io::Result<String> {
        std::fs::read_to_string(self.0.join(id.to_string()).join("stat"))
    }
}

/// The state of a process, its parent and so on. Its name, which comes before them, can contain anything.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(") ").map_or("", |(_, behind)| behind).split_whitespace()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::Processes;
    use std::{fs, io, os::unix::fs::symlink, process};

    /// Processes with their parents and what their stdin is; the last is the server.
    fn processes(chain: &[(u64, u64, &str)]) -> io::Result<(tempfile::TempDir, Processes)> {
        let folder = tempfile::tempdir()?;
        for (id, parent, stdin) in chain {
            let of = folder.path().join(id.to_string());
            fs::create_dir_all(of.join("fd"))?;
            fs::write(of.join("stat"), format!("{id} (a) name) S {parent} 1 1 0"))?;
            symlink(stdin, of.join("fd/0"))?;
        }
        let processes = Processes(folder.path().to_path_buf());
        Ok((folder, processes))
    }

    const GONE: u64 = u32::MAX as u64;

    /// A client outside the server's container names a process that cannot be seen inside.
    #[test]
    fn a_client_outside_of_the_container_is_not_told_of() {
        let own = u64::from(process::id());
        let (_folder, alone) = processes(&[(own, 0, "pipe:[7]")]).unwrap();
        assert!(!alone.tell_of(GONE));
        let (_folder, by_a_shell) = processes(&[(1, 0, "pipe:[7]"), (own, 1, "pipe:[7]")]).unwrap();
        assert!(!by_a_shell.tell_of(GONE));
    }

    #[test]
    fn a_client_beside_the_server_is_told_of_even_if_it_has_ended() {
        let own = u64::from(process::id());
        let (_folder, beside) = processes(&[(1, 0, "/dev/null"), (own, 1, "pipe:[7]")]).unwrap();
        assert!(beside.tell_of(GONE) && !beside.has(GONE));
        assert!(beside.tell_of(1) && beside.has(1));
        assert!(!beside.tell_of(0));
    }
}
