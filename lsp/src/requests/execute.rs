//! `nnz/execute` and the command `nnz.execute`: runs, times or compares a kernel of a text as it is in the editor, in a
//! separate process.

pub(super) mod report;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, TryLockError},
    time::Duration,
};

use nnz_core::{
    ide::execution::{Action, Execution, Part},
    languages::{FrontEnd, LANGUAGES},
};
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Handle;
use tower_lsp::{
    Client,
    jsonrpc::{Error, Result},
    lsp_types::{ExecuteCommandOptions, ExecuteCommandParams, MessageType, Url},
};

use super::rename::refused;
use crate::{
    abilities::{Abilities, EXECUTE},
    ask::{OpenDocument, ask, ask_all},
    child::{End, Ended, Job},
    settings::Settings,
    store::Shared,
    work::Works,
};
pub(crate) use report::Report;
use report::Told;

/// A client that has the command itself sends the request.
pub(crate) fn options(abilities: Abilities) -> Option<ExecuteCommandOptions> {
    let commands = vec![EXECUTE.to_string()];
    (!abilities.executes).then(|| ExecuteCommandOptions { commands, ..<_>::default() })
}

#[derive(Deserialize)]
pub(crate) struct Params {
    uri: Url,
    kernel: String,
    action: String,
    /// What is compared, where that is not the usual: a tensor, and encodings of it.
    #[serde(default)]
    tensor: Option<String>,
    #[serde(default)]
    formats: Vec<String>,
    #[serde(default)]
    limits: Limits,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(default)]
pub(super) struct Limits {
    pub(super) seconds: f64,
    pub(super) bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { seconds: 30.0, bytes: 2 << 30 }
    }
}

impl Limits {
    /// # Errors
    /// No limit.
    fn time(self) -> Result<Duration> {
        let time = Duration::try_from_secs_f64(self.seconds).ok().filter(|time| !time.is_zero() && self.bytes > 0);
        time.ok_or_else(|| Error::invalid_params("`limits` are more than no `seconds`, and more than no `bytes`"))
    }
}

/// What executions share.
#[derive(Clone, Default)]
pub(crate) struct Bench {
    /// Whoever measures is alone.
    measuring: Arc<Mutex<()>>,
}

/// What runs, and the messages about it.
struct Prepared {
    job: Job,
    part: Part,
    told: Told,
}

/// The command `nnz.execute`, for clients that do not know nnz; they get a message, too.
pub(crate) async fn command(
    params: ExecuteCommandParams,
    (settings, works, bench): (&Settings, Works, Bench),
) -> Result<Option<Value>> {
    let ExecuteCommandParams { command, arguments, .. } = params;
    let argument = arguments.into_iter().next().filter(|_| command == EXECUTE);
    let argument =
        argument.ok_or_else(|| Error::invalid_params(format!("`{command}` is not `{EXECUTE}` with one argument")))?;
    let params = Params::deserialize(argument).map_err(|error| Error::invalid_params(error.to_string()))?;
    let report = answer(params, (settings, works, bench)).await?;
    if !settings.abilities.get().executes {
        let kind = if report.ok { MessageType::INFO } else { MessageType::ERROR };
        settings.client.show_message(kind, format!("{}: {}", report.title, report.line)).await;
    }
    serde_json::to_value(report).map(Some).map_err(|_| Error::internal_error())
}

pub(crate) async fn answer(params: Params, (settings, works, bench): (&Settings, Works, Bench)) -> Result<Report> {
    let action = Action::named(&params.action).ok_or_else(|| unknown_action(&params.action))?;
    params.limits.time()?;
    let program = settings.documents.workspace().trust.program().map_err(refused)?;
    let (documents, url) = (settings.documents.clone(), params.uri.clone());
    let prepared = ask(url, move |target| Some(prepare(target, (&params, action), (program, &documents)))).await?;
    let not_open = || refused("the text is not open, or there is no memory to check it".to_string());
    let Prepared { job, part, told } = prepared.ok_or_else(not_open)?.map_err(refused)?;
    let shows = settings.abilities.get().shows_work;
    let work = begin(&works, &told.title, shows, &settings.client);
    let ended = ask_all(move |_, is_cancelled| {
        let is_unwanted = || is_cancelled() || work.is_cancelled();
        match action {
            Action::Run => job.run(&is_unwanted),
            Action::Time | Action::Compare => bench.alone(job, &is_unwanted),
        }
    });
    Ok(told.report(Some(&part), ended.await?))
}

pub(super) fn begin(works: &Works, title: &str, shows: bool, client: &Client) -> crate::work::Work {
    works.begin(title.to_string(), shows, (client, &Handle::current()))
}

fn unknown_action(action: &str) -> Error {
    let names = Action::ALL.map(Action::name).join(", ");
    Error::invalid_params(format!("there is no action `{action}`: there are {names}"))
}

impl Bench {
    /// Runs it when no other measurement runs: what `try_lock` gives is held until then.
    fn alone(&self, job: Job, is_unwanted: &dyn Fn() -> bool) -> std::result::Result<Ended, String> {
        loop {
            match self.measuring.try_lock() {
                Err(TryLockError::WouldBlock) if is_unwanted() => {
                    return Ok(Ended { end: End::Stopped, stdout: String::new(), stderr: String::new() });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
                Ok(_) | Err(TryLockError::Poisoned(_)) => return job.run(is_unwanted),
            }
        }
    }
}

/// # Errors
/// Why nothing runs.
fn prepare(
    target: &OpenDocument,
    (params, action): (&Params, Action),
    (program, documents): (PathBuf, &Shared),
) -> std::result::Result<Prepared, String> {
    let document = &target.document;
    let execution = document.checked().execution(&params.kernel, action)?;
    let name = file_name(&target.url, document.language);
    let Execution { place, part } = execution;
    let (input, arguments) = (input(&document.source.text, &part, action), arguments(&part, action));
    let chosen = if action == Action::Compare { compared(params) } else { Vec::new() };
    let common = ["--stdin-name", &name, "--json", "--with-text", "--color", "never", "--width", "100"];
    let memory = ["--max-memory".to_string(), params.limits.bytes.to_string()];
    let arguments = [arguments, chosen, common.map(String::from).to_vec(), memory.to_vec()].concat();
    let folder = folder(&target.url, &documents.workspace().folders());
    let time = Duration::try_from_secs_f64(params.limits.seconds).unwrap_or_default();
    let told = Told {
        title: title(&part, action),
        action,
        name,
        limits: (params.limits.seconds, params.limits.bytes),
        source: document.source.clone(),
        unit: target.unit,
        range: target.range(place),
        version: document.version,
    };
    Ok(Prepared { job: Job { program, arguments, folder, input, time }, part, told })
}

fn title(part: &Part, action: Action) -> String {
    match part {
        Part::Statements { name, .. } | Part::Kernel { name, .. } => format!("{} {name}", action.name()),
        Part::Function(name) => format!("{} @{name}", action.name()),
    }
}

/// The part of the text that runs; where a kernel runs its result is shown at the end.
fn input(text: &str, part: &Part, action: Action) -> String {
    match (part, action) {
        (Part::Statements { end, name }, Action::Run) => format!("{}\n{name}\n", text.get(..*end).unwrap_or(text)),
        (Part::Statements { end, .. }, Action::Time | Action::Compare) => text.get(..*end).unwrap_or(text).to_string(),
        (Part::Function(_) | Part::Kernel { .. }, _) => text.to_string(),
    }
}

fn arguments(part: &Part, action: Action) -> Vec<String> {
    let words: &[&str] = match (part, action) {
        (Part::Statements { .. }, Action::Run) => &["run", "-"],
        (Part::Statements { name, .. }, Action::Time | Action::Compare) => &[action.name(), "-", "--kernel", name],
        (Part::Kernel { name, .. }, _) => &[action.name(), "-", "--kernel", name],
        (Part::Function(name), _) => &["run", "-", "--entry", name, "--args", ""],
    };
    words.iter().map(|word| word.to_string()).collect()
}

/// `--tensor A --in CSR --in COO`
fn compared(Params { tensor, formats, .. }: &Params) -> Vec<String> {
    let option = |name: &str, value: &String| [name.to_string(), value.clone()];
    let tensor = tensor.iter().flat_map(|tensor| option("--tensor", tensor));
    tensor.chain(formats.iter().flat_map(|format| option("--in", format))).collect()
}

/// The name of a text, whose extension gives its language.
pub(super) fn file_name(url: &Url, language: &FrontEnd) -> String {
    let path = url.to_file_path().ok().and_then(|path| path.to_str().map(String::from));
    let path = path.unwrap_or_else(|| "untitled".to_string());
    let tells = Path::new(&path).extension().is_some()
        && LANGUAGES.of_path(&path).is_some_and(|known| std::ptr::eq(known, language));
    let ending = language.extensions.first().filter(|_| !tells);
    ending.map_or(path.clone(), |ending| format!("{path}.{ending}"))
}

/// Where a text runs: in the folder of the workspace that it lies in, as in a terminal there, else in its own.
pub(super) fn folder(url: &Url, workspace: &[PathBuf]) -> Option<PathBuf> {
    let Ok(path) = url.to_file_path() else { return workspace.first().cloned() };
    let around =
        workspace.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
    around.cloned().or_else(|| path.parent().map(Path::to_path_buf)).filter(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_runs_in_its_folder_of_the_workspace() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let url = Url::from_file_path(inner.join("a.nnz")).unwrap();
        let both = [root.path().to_path_buf(), inner.clone()];
        assert_eq!(folder(&url, &both), Some(inner.clone()));
        assert_eq!(folder(&url, &both[..1]), Some(root.path().to_path_buf()));
        assert_eq!(folder(&url, &[]), Some(inner));
        let untitled = Url::parse("untitled:Untitled-1").unwrap();
        assert_eq!(folder(&untitled, &both), Some(root.path().to_path_buf()));
        assert_eq!(folder(&Url::parse("file:///none/a.nnz").unwrap(), &[]), None);
    }

    #[test]
    fn the_name_of_a_text_tells_its_language() {
        let [notation, mlir, ..] = LANGUAGES.rows() else { panic!("several languages") };
        let name = |url: &str, language| file_name(&Url::parse(url).unwrap(), language);
        assert_eq!(name("file:///a/b.mlir", mlir), "/a/b.mlir");
        assert_eq!(name("file:///a/b.txt", mlir), "/a/b.txt.mlir");
        assert_eq!(name("file:///a/b", notation), "/a/b.nnz");
        assert_eq!(name("untitled:Untitled-1", notation), "untitled.nnz");
    }
}
