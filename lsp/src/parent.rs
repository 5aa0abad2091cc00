//! Watches the process that started the server. When it ends, the server ends (LSP 3.17, "initialize", `processId`),
//! even if another process keeps stdin open.

use std::time::Duration;

use serde_json::Value;

/// The time between two looks.
const BETWEEN: Duration = Duration::from_secs(2);

/// Calls `exit` once the process that `initialize` names has ended, at once if it has ended already.
pub(crate) fn watch(initialize: Option<&Value>, exit: impl Fn() + Send + 'static) {
    let id = initialize.and_then(|params| params.get("processId")?.as_u64());
    let Some(processes) = Processes::of_the_system() else { return };
    let Some(id) = id.filter(|id| *id > 0 && (processes.has(*id) || !processes.are_apart())) else { return };
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
struct Processes(&'static str);

impl Processes {
    /// Systems other than Linux end the server by closing its stdin.
    fn of_the_system() -> Option<Processes> {
        cfg!(target_os = "linux").then_some(Processes("/proc"))
    }

    /// Whether there is such a process, and more of it than its exit status.
    fn has(&self, id: u64) -> bool {
        match self.stat(id) {
            Ok(stat) => !matches!(fields(&stat).next(), Some("Z" | "X")),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Whether the client is in another container, where its processes are not seen. Then what the client started in this
    /// one, the first ancestor of the server that is seen, reads the server's stdin. Elsewhere that is the init process.
    fn are_apart(&self) -> bool {
        let own = u64::from(std::process::id());
        let first = std::iter::successors(Some(own), |id| self.parent(*id)).last().unwrap_or(own);
        first == own || self.stdin(first).is_some_and(|stdin| Some(stdin) == self.stdin(own))
    }

    fn parent(&self, id: u64) -> Option<u64> {
        let stat = self.stat(id).ok()?;
        fields(&stat).nth(1)?.parse().ok().filter(|parent| *parent > 0)
    }

    fn stdin(&self, id: u64) -> Option<std::path::PathBuf> {
        std::fs::read_link(format!("{}/{id}/fd/0", self.0)).ok()
    }

    fn stat(&self, id: u64) -> std::io::Result<String> {
        std::fs::read_to_string(format!("{}/{id}/stat", self.0))
    }
}

/// The state of a process, its parent and so on. Its name, which stands before them, can hold anything.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(") ").map_or("", |(_, behind)| behind).split_whitespace()
}
