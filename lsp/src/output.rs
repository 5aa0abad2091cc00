//! Stdout, written directly by the sender of a message. The runtime's own stdout hands every message to
//! another thread, which costs more than writing it.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::AsFd,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use tokio::io::AsyncWrite;
use tower_lsp::jsonrpc::Id;

use crate::end_process;

/// Writing blocks if the client does not read, which is harmless. What is given at once is written as a whole, so that
/// messages do not mix: tower-lsp gives whole messages.
#[derive(Clone)]
pub(crate) struct Stdout(Arc<Mutex<File>>);

impl Stdout {
    /// # Errors
    /// An error of the system, for example if stdout is closed.
    pub(crate) fn open() -> io::Result<Stdout> {
        Ok(Stdout(Arc::new(Mutex::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))))
    }

    /// Where the client reads no more, nothing that the server does has any use, and tower-lsp would panic.
    fn write(&self, bytes: &[u8]) {
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes);
        if let Err(error) = written {
            let _ = writeln!(io::stderr(), "nnz lsp: the output cannot be written: {error}");
            end_process(1)
        }
    }

    /// Writes the answer to the request `id`, whose result is already text.
    ///
    /// # Errors
    /// An id that cannot be written.
    pub(crate) fn answer(&self, id: &Id, result: &str) -> io::Result<()> {
        let (head, tail) = (r#"{"jsonrpc":"2.0","result":"#, format!(r#","id":{}}}"#, serde_json::to_string(id)?));
        let length = head.len() + result.len() + tail.len();
        self.write(format!("Content-Length: {length}\r\n\r\n{head}{result}{tail}").as_bytes());
        Ok(())
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.write(bytes);
        Poll::Ready(Ok(bytes.len()))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
