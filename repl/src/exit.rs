//! Exit statuses, and the end of the process.

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Fine,
    /// The input has an error.
    Failed,
    /// Wrong usage that the command line's parser lets through.
    Misused,
    /// By Ctrl-C.
    Interrupted,
}

impl Exit {
    pub(crate) fn worse(self, other: Exit) -> Exit {
        self.max(other)
    }
}

/// Ends the process from anywhere. Files that were being written are removed; those that they were to replace are
/// as they were.
pub(crate) fn now(exit: Exit) -> ! {
    crate::unfinished::remove_unfinished();
    nnz_lsp::end_process(exit.code())
}

impl Exit {
    fn code(self) -> i32 {
        match self {
            Exit::Fine => 0,
            Exit::Failed => 1,
            Exit::Misused => 2,
            // 128 and the number of the signal, as shells say it.
            Exit::Interrupted => 130,
        }
    }
}
