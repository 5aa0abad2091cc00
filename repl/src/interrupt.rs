//! Ctrl-C. One part of the program handles it at a time: a session, a running program, or nobody.

use std::sync::{Arc, Mutex, Once, PoisonError};

use crate::exit::{self, Exit};

type Answer = Arc<dyn Fn() + Send + Sync>;

static ANSWER: Mutex<Option<Answer>> = Mutex::new(None);

/// Makes signals that end the process remove unfinished files first. A signal that is ignored, as under `nohup`, stays
/// ignored.
#[cfg(unix)]
fn tidy_before_the_end() {
    extern "C" fn end(signal: libc::c_int) {
        crate::unfinished::remove_unfinished_now();
        // SAFETY: both may be called by a handler; the signal then ends the process as if there were none.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    for signal in [libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler does nothing that a handler may not do.
        unsafe {
            if libc::signal(signal, end as extern "C" fn(libc::c_int) as libc::sighandler_t) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Whether the process was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: zeros are an action, and with none to be set the call only writes the one that there is.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Sets what Ctrl-C does from now on.
pub(crate) fn on_ctrl_c(answer: impl Fn() + Send + Sync + 'static) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(answer));
    watch();
}

/// Makes Ctrl-C end the process if nothing handles it.
pub(crate) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        #[cfg(unix)]
        tidy_before_the_end();
        #[cfg(unix)]
        if is_ignored(libc::SIGINT) {
            return;
        }
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
