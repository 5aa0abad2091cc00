//! Stdout, written directly by the sender of a message. The runtime's own stdout hands every message to
//! another thread, which costs more than writing it.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::AsFd,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::AsyncWrite;

/// Writing blocks if the client does not read, which is harmless.
pub(crate) struct Stdout(File);

impl Stdout {
    /// # Errors
    /// An error of the system, for example if stdout is closed.
    pub(crate) fn open() -> io::Result<Stdout> {
        Ok(Stdout(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
