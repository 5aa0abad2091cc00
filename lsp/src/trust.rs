//! Whether texts may run, and with which program. Texts read and write files, so the user has to trust the workspace
//! first.

use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::Value;

#[derive(Default)]
pub(crate) struct Trust {
    /// The setting `nnz.trusted`.
    trusted: AtomicBool,
    /// The setting `nnz.command`.
    command: Mutex<Option<PathBuf>>,
}

impl Trust {
    /// Applies the settings, those of nnz alone or among others.
    pub(crate) fn set(&self, settings: &Value) {
        let named = |name: &str| settings.get("nnz").and_then(|nnz| nnz.get(name)).or_else(|| settings.get(name));
        if let Some(trusted) = named("trusted").and_then(Value::as_bool) {
            self.trusted.store(trusted, Ordering::Relaxed);
        }
        if let Some(command) = named("command").and_then(Value::as_str) {
            let command = Some(command).filter(|command| !command.is_empty()).map(PathBuf::from);
            *self.command.lock().unwrap_or_else(PoisonError::into_inner) = command;
        }
    }

    /// The program that runs texts.
    ///
    /// # Errors
    /// Nothing may run.
    pub(crate) fn program(&self) -> Result<PathBuf, String> {
        if !self.trusted.load(Ordering::Relaxed) {
            let way_out = "trust it in the editor, or set `nnz.trusted` to true";
            return Err(format!("nothing runs in a workspace that is not trusted: {way_out}"));
        }
        let command = self.command.lock().unwrap_or_else(PoisonError::into_inner).clone();
        command.map_or_else(own, Ok)
    }
}

/// This program, even if its file was replaced since it started.
fn own() -> Result<PathBuf, String> {
    #[cfg(target_os = "linux")]
    if let Ok(true) = std::fs::exists("/proc/self/exe") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe()
        .map_err(|error| format!("the program of the server is not known: {error}: set `nnz.command`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_runs_until_it_is_trusted() {
        let trust = Trust::default();
        for settings in [json!({}), json!({ "trusted": "yes" }), json!({ "nnz": { "trusted": false } })] {
            trust.set(&settings);
            assert!(trust.program().unwrap_err().contains("not trusted"), "{settings}");
        }
        trust.set(&json!({ "nnz": { "trusted": true } }));
        trust.set(&json!({ "lints": {} }));
        assert!(trust.program().is_ok());
        trust.set(&json!({ "command": "/opt/nnz" }));
        assert_eq!(trust.program(), Ok("/opt/nnz".into()));
        trust.set(&json!({ "trusted": false }));
        assert!(trust.program().is_err());
    }
}
