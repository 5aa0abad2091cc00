//! The language server of nnz: LSP 3.17 over the shared core, on stdin and stdout.
//!
//! The path of a message: `frame` cuts stdin into frames; `filter` replaces those that are not JSON-RPC; texts bypass
//! tower-lsp (`past`); `front` applies document changes in arrival order and gives every request the snapshot of that
//! moment; tower-lsp dispatches to `server`, and on to a file of `requests`, which queries the checked text and
//! translates (`from_proto`, `to_proto`). `publish` checks changed documents on a thread of its own and publishes their
//! diagnostics.
//!
//! Architecture Invariant: language features live in the core's `ide`; this crate only translates. Architecture
//! Invariant: a handler never awaits a request to the client, and computes nothing on the transport's thread, except a
//! look-up in a text that is already checked.

mod abilities;
mod address;
mod parent;
mod child;
mod end;
mod output;
mod trust;
mod backlog;
mod past;
mod frame;
mod filter;
mod newer;
mod from_proto;
mod to_proto;
mod used;
mod work;
mod judged;
mod workspace;
mod store;
mod folders;
mod moment;
mod ask;
mod found;
mod views;
mod publish;
mod settings;
mod requests;
mod capabilities;
mod server;
mod front;

pub use end::end_process;
pub use used::FromDisk;

use std::{sync::Mutex, time::Duration};

use tower_lsp::{LspService, Server};

/// Serves until the client sends `exit` or closes stdin, then ends the process: with 0 after an orderly
/// shutdown, else 1.
pub fn run() -> ! {
    if let Err(error) = there_are_threads() {
        eprintln!("nnz lsp: threads are short: {THREADS} cannot be had ({error})");
        end_process(1)
    }
    nnz_core::memory::begin();
    let runtime = match tokio::runtime::Builder::new_current_thread().thread_keep_alive(ALWAYS).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("nnz lsp: cannot start: {error}");
            end_process(1)
        }
    };
    if let Err(error) = runtime.block_on(serve()) {
        eprintln!("nnz lsp: {error}");
    }
    eprintln!("nnz lsp: the input has ended before the client sent `exit`");
    end_process(1)
}

/// The thread that reads, the one that publishes, and one for handlers.
const THREADS: usize = 3;

/// Checks that the necessary threads can be started. The libraries that start them later could not report a failure.
///
/// # Errors
/// What the system says.
fn there_are_threads() -> std::io::Result<()> {
    // They wait here until all have been started.
    let gate = Mutex::new(());
    let closed = gate.lock();
    std::thread::scope(|scope| {
        let wait = || drop(gate.lock());
        let started = (0..THREADS).try_for_each(|_| std::thread::Builder::new().spawn_scoped(scope, wait).map(drop));
        drop(closed);
        started
    })
}

/// tower-lsp handles 4 messages at a time unless told otherwise, so that a few slow requests would
/// hold up all others.
const CONCURRENCY: usize = 4096;

/// A handler's thread stays: if there can be no other, it does the work of all.
const ALWAYS: Duration = Duration::from_secs(1 << 32);

async fn serve() -> std::io::Result<()> {
    // Starts the handlers' thread that stays.
    tokio::task::spawn_blocking(|| ());
    let (documents, views) = (store::Shared::default(), views::Views::default());
    let backlog = backlog::Backlog::default();
    let build = |client: tower_lsp::Client| {
        let (abilities, works) = (abilities::Agreed::default(), work::Works::default());
        let shared = (backlog.clone(), views.clone(), abilities.clone(), works.clone());
        let publisher = publish::Publisher::start(client.clone(), documents.clone(), shared);
        let settings = settings::Settings::new(client, documents.clone(), (publisher, abilities));
        server::Backend::new(settings, views.clone(), works)
    };
    let (service, socket) = add_test_hooks(add_extensions(LspService::build(build))).finish();
    let stdout = output::Stdout::open()?;
    let past = past::Past::default();
    let front = front::Front::new(service, (documents.clone(), views.clone()), (stdout.clone(), past.clone()));
    let messages = filter::json_rpc_frames(child::Input(std::io::stdin()), backlog.clone(), past);
    Server::new(messages, stdout, socket).concurrency_level(CONCURRENCY).serve(front).await;
    Ok(())
}

/// Requests that lsp-types does not know.
fn add_extensions(
    builder: tower_lsp::LspServiceBuilder<server::Backend>,
) -> tower_lsp::LspServiceBuilder<server::Backend> {
    builder
        .custom_method("nnz/textDocumentContent", server::Backend::view)
        .custom_method("nnz/execute", server::Backend::execute)
        .custom_method("nnz/storage", server::Backend::storage)
        .custom_method("workspace/textDocumentContent", server::Backend::text_document_content)
        .custom_method("window/workDoneProgress/cancel", server::Backend::cancel_work)
}

/// Requests that are slow, or that wait for the client, exist only for the protocol tests.
fn add_test_hooks(
    builder: tower_lsp::LspServiceBuilder<server::Backend>,
) -> tower_lsp::LspServiceBuilder<server::Backend> {
    if std::env::var_os("NNZ_LSP_TEST_HOOKS").is_none() {
        return builder;
    }
    builder
        .custom_method("nnz/testSleep", server::Backend::test_sleep)
        .custom_method("nnz/testAskClient", server::Backend::test_ask_client)
}
