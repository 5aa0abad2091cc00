//! The reasons why a kernel cannot be prepared, in words that all edges share.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{FileId, TensorId},
    memory,
    source::Span,
};
use nnz_kernel::KernelError;
use nnz_plan::{
    iterate::PlanError,
    lower::LowerError,
    schedule::{self, ScheduleError},
};
use nnz_storage::StorageError;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No loops can be made for it, not even with the copy that would help, if there is one.
    #[error("{error}")]
    Unplanned { error: LowerError, copy: Option<(TensorId, Uncopied)> },
    #[error("an operand is too large to be copied")]
    Uncopied(TensorId),
    /// A step of the schedule, by its number, is not legal.
    #[error("{refusal}")]
    Step { step: usize, refusal: schedule::Refusal },
    /// An operand cannot be stored as is needed.
    #[error(transparent)]
    Data(#[from] StorageError),
    /// A bug of nnz: loops that its verifier refuses.
    #[error("nnz made loops that its verifier refuses: {problem}")]
    Bug { problem: String, loops: String },
    /// A bug of nnz: a kernel that was rewritten breaks a rule.
    #[error("nnz rewrote the kernel to one that is not valid: {0}")]
    Rewrite(String),
    /// A bug of nnz: copies that bring nothing.
    #[error("the kernel cannot be lowered")]
    Endless,
}

/// A dense copy that would help, but is too large to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncopied {
    pub name: String,
    pub bytes: u64,
}

/// The subject of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    Kernel,
    Tensor(TensorId),
    /// A step of the schedule, by its number.
    Step(usize),
    Memory,
    Nnz,
}

impl Refusal {
    pub(super) fn of(error: ScheduleError) -> Refusal {
        match error {
            ScheduleError::Step { step, refusal } => Refusal::Step { step, refusal },
            ScheduleError::Lower(LowerError::Bug { problems, loops }) => {
                Refusal::Bug { problem: problems.first().map_or(String::new(), ToString::to_string), loops }
            }
            ScheduleError::Lower(LowerError::Plan(PlanError::Rewrite(problem))) => Refusal::Rewrite(problem),
            ScheduleError::Lower(error) => Refusal::Unplanned { error, copy: None },
        }
    }

    pub fn rewrite(errors: Vec<KernelError>) -> Refusal {
        Refusal::Rewrite(errors.first().map_or(String::new(), ToString::to_string))
    }

    pub fn is_bug(&self) -> bool {
        self.blame() == Blame::Nnz
    }

    /// Whether the reason is a limit of the compiler, which the kernel's text does not show.
    pub(crate) fn is_limit(&self) -> bool {
        let limit = |error: &LowerError| {
            matches!(error, LowerError::TooLong { .. } | LowerError::Plan(PlanError::ManyOperands { .. }))
        };
        matches!(self, Refusal::Unplanned { error, .. } if limit(error))
    }

    pub fn blame(&self) -> Blame {
        match self {
            Refusal::Unplanned { copy: None, .. } => Blame::Kernel,
            Refusal::Unplanned { copy: Some((tensor, _)), .. } | Refusal::Uncopied(tensor) => Blame::Tensor(*tensor),
            Refusal::Step { step, .. } => Blame::Step(*step),
            Refusal::Data(error) if error.is_no_room() => Blame::Memory,
            Refusal::Data(_) => Blame::Kernel,
            Refusal::Bug { .. } | Refusal::Rewrite(_) | Refusal::Endless => Blame::Nnz,
        }
    }

    pub fn code(&self) -> Code {
        match self.blame() {
            Blame::Kernel | Blame::Tensor(_) => Code::NotYet,
            Blame::Step(_) => Code::IllegalStep,
            Blame::Memory => Code::TooLarge,
            Blame::Nnz => Code::CompilerBug,
        }
    }

    /// The refusal as an error at a place.
    pub fn diagnostic(&self, file: FileId, span: Span) -> Diagnostic {
        let mut error = Diagnostic::new(self.code(), file, span, self.to_string());
        error.helps.extend(self.help());
        error.primary.message = self.label().unwrap_or_default().to_string();
        error
    }

    /// The label at the place, if it says more than that the kernel is not supported.
    fn label(&self) -> Option<&'static str> {
        if let Refusal::Step { refusal, .. } = self { Some(refusal.label()) } else { None }
    }

    pub fn help(&self) -> Option<String> {
        match self {
            Refusal::Unplanned { copy: Some((_, uncopied)), .. } => Some(uncopied.to_string()),
            Refusal::Unplanned { .. } if self.is_limit() => {
                Some("make parts of it first, each a kernel of its own".to_string())
            }
            Refusal::Step { refusal, .. } => refusal.help(),
            Refusal::Bug { loops, .. } => Some(loops.clone()),
            Refusal::Unplanned { .. } | Refusal::Uncopied(_) | Refusal::Data(_) => None,
            Refusal::Rewrite(_) | Refusal::Endless => None,
        }
    }
}

impl From<PlanError> for Refusal {
    fn from(error: PlanError) -> Refusal {
        Refusal::of(LowerError::from(error).into())
    }
}

impl std::fmt::Display for Uncopied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a dense copy of `{}` would take {}", self.name, memory::size_text(self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody goes another way where nnz itself has done wrong.
    #[test]
    fn bugs_are_told_from_limits() {
        let bug = LowerError::Bug { problems: Vec::new(), loops: "kernel k() {}".to_string() };
        let rewritten = LowerError::Plan(PlanError::Rewrite("a broken rule".to_string()));
        for error in [bug, rewritten] {
            let refusal = Refusal::of(ScheduleError::Lower(error));
            assert!(refusal.is_bug());
            assert_eq!(refusal.code(), Code::CompilerBug);
        }
        let limit = Refusal::of(ScheduleError::Lower(LowerError::TooLong { operands: 7 }));
        assert!(limit.is_limit() && !limit.is_bug());
        assert_eq!(limit.code(), Code::NotYet);
    }
}
