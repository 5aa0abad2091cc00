//! Exit statuses.

use std::process::ExitCode;

/// How the program ends. Wrong usage (2) is the command line parser's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Fine,
    /// What was given has an error.
    Failed,
    /// By Ctrl-C.
    Interrupted,
}

impl Exit {
    pub(crate) fn worse(self, other: Exit) -> Exit {
        self.max(other)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Fine => 0,
            Exit::Failed => 1,
            // 128 and the number of the signal, as shells say it.
            Exit::Interrupted => 130,
        })
    }
}
