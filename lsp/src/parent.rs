//! Watches the process that started the server. When it ends, the server ends (LSP 3.17, "initialize", `processId`),
//! even if another process keeps stdin open.

use std::time::Duration;

use serde_json::Value;

/// The time between two looks.
const BETWEEN: Duration = Duration::from_secs(2);

/// Calls `exit` once the process that `initialize` names has ended. A process that cannot be seen now, for example from
/// within a container, is not watched.
pub(crate) fn watch(initialize: Option<&Value>, exit: impl Fn() + Send + 'static) {
    let id = initialize.and_then(|params| params.get("processId")?.as_u64());
    let Some(id) = id.filter(|id| !has_ended(*id)) else { return };
    tokio::spawn(async move {
        while !has_ended(id) {
            tokio::time::sleep(BETWEEN).await;
        }
        exit();
    });
}

/// Whether there is no such process, or nothing of it but its exit status.
#[cfg(target_os = "linux")]
fn has_ended(id: u64) -> bool {
    let state = |stat: &str| stat.rsplit_once(") ").and_then(|(_, behind)| behind.chars().next());
    match std::fs::read_to_string(format!("/proc/{id}/stat")) {
        Ok(stat) => matches!(state(&stat), Some('Z' | 'X')),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Other systems end the server by closing its stdin.
#[cfg(not(target_os = "linux"))]
fn has_ended(_: u64) -> bool {
    true
}
