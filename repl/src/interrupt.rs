//! Ctrl-C, which one part of the program answers at a time: a session, a program that runs, or nobody.

use std::sync::{Arc, Mutex, Once, PoisonError};

use crate::exit::{self, Exit};

type Answer = Arc<dyn Fn() + Send + Sync>;

static ANSWER: Mutex<Option<Answer>> = Mutex::new(None);

/// From now on Ctrl-C does this.
pub(crate) fn on_ctrl_c(answer: impl Fn() + Send + Sync + 'static) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(answer));
    watch();
}

/// Has Ctrl-C end the process where nobody answers it.
pub(crate) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // Where the signal cannot be caught it ends the process, as it does by default.
        let _ = ctrlc::set_handler(|| {
            let answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match answer {
                Some(answer) => answer(),
                None => exit::now(Exit::Interrupted),
            }
        });
    });
}
