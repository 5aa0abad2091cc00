//! Tells Zed how to start the language server: the `nnz` of the settings, or else that of `PATH`.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct Nnz;

impl zed::Extension for Nnz {
    fn new() -> Self {
        Nnz
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?;
        let named = settings.binary.and_then(|binary| binary.path);
        let command = named.or_else(|| worktree.which("nnz")).ok_or(
            "nnz is not on PATH: put it there, or its path into the settings, `\"lsp\": { \"nnz\": { \"binary\": { \"path\": \"...\" } } }`",
        )?;
        Ok(Command { command, args: vec!["lsp".into(), "--stdio".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Nnz);
