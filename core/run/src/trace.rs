//! Runs a prepared kernel once in the interpreter, for people to follow.

use super::{Compiled, Prepared, RunError};
use nnz_backend::{BackendError, Recorder};
use nnz_loops::trace::Trace;

impl Prepared<'_> {
    /// What each of the first `most_steps` steps does, with the loops as a schedule arranges them.
    ///
    /// # Errors
    /// As [`super::run`], except for more steps.
    pub fn trace(&self, most_steps: usize) -> Result<Trace, RunError> {
        let recorder = Recorder::new(most_steps);
        let code = Compiled::new(self.lowered(), &recorder)?;
        let ended = match self.kernel().result().indices.is_empty() {
            true => super::run_scalar(self.lowered(), &code, &self.operands(), 1).map(drop),
            false => super::run(self.lowered(), &code, &self.operands(), 1).map(drop),
        };
        match ended {
            Ok(()) | Err(RunError::Backend(BackendError::TooManySteps)) => Ok(recorder.trace()),
            Err(other) => Err(other),
        }
    }
}
