//! `nnz/storage`: how the tensors at a place of a text are stored, and what the loops of its kernel do step by step,
//! for a panel that draws them. The text runs in a separate process, as for `nnz/execute`; for an encoding the answer
//! is a small example.

use std::{path::PathBuf, time::Duration};

use nnz_core::{
    ide::{
        execution::{Action, Part},
        panel::{Panel, Session},
    },
    view::TensorView,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{Position, Url},
};

use super::{
    execute::{
        Limits, begin, file_name, folder,
        report::{Told, objects},
    },
    rename::refused,
};
use crate::{
    ask::{OpenDocument, ask, ask_all},
    child::{Ended, Job},
    settings::Settings,
    work::Works,
};

#[derive(Deserialize)]
pub(crate) struct Params {
    uri: Url,
    position: Position,
}

/// The answer: see docs/editors.md.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Content {
    title: String,
    kernel: Option<String>,
    tensors: Vec<Value>,
    formats: Vec<Value>,
    steps: Option<Value>,
    problems: Vec<String>,
}

/// What is known before anything runs.
enum Found {
    Example(Content),
    Session(Box<Running>),
}

struct Running {
    session: Session,
    job: Job,
    told: Told,
}

pub(crate) async fn answer(Params { uri, position }: Params, (settings, works): (&Settings, Works)) -> Result<Content> {
    let program = settings.documents.workspace().trust.program();
    let folders = settings.documents.workspace().folders();
    let found = ask(uri, move |target| Some(found(target, position, (program, &folders)))).await?;
    let running = match found.ok_or_else(|| refused("the text is not open".to_string()))?.map_err(refused)? {
        Found::Example(content) => return Ok(content),
        Found::Session(running) => running,
    };
    let Running { session, job, told } = *running;
    let work = begin(&works, &told.title, settings.abilities.get().shows_work, &settings.client);
    let ended = ask_all(move |_, is_cancelled| job.run(&|| is_cancelled() || work.is_cancelled())).await?;
    Ok(content(session, told, ended))
}

type Program = std::result::Result<PathBuf, String>;

/// # Errors
/// Why there is nothing to show.
fn found(
    target: &OpenDocument,
    position: Position,
    (program, folders): (Program, &[PathBuf]),
) -> std::result::Result<Found, String> {
    let nothing = || "there is no tensor, kernel or encoding here: put the cursor on one".to_string();
    match target.document.checked().panel(target.offset(position)).ok_or_else(nothing)? {
        Panel::Example(name, storage) => {
            let view = TensorView { name: &name, encoding: &name, storage: &storage };
            let title = format!("{name}, a small example");
            Ok(Found::Example(Content { title, tensors: vec![view.storage_json()], ..Content::default() }))
        }
        Panel::Refused(reason) => Err(reason),
        Panel::Session(session) => Ok(Found::Session(Box::new(running(target, session, (program?, folders))))),
    }
}

fn running(target: &OpenDocument, session: Session, (program, folders): (PathBuf, &[PathBuf])) -> Running {
    let document = &target.document;
    let name = file_name(&target.url, document.language);
    let Limits { seconds, bytes } = Limits::default();
    let words = ["run", "-", "--stdin-name", &name, "--json", "--color", "never", "--max-memory", &bytes.to_string()];
    let (input, more) = input(&document.source.text, &session);
    let job = Job {
        program,
        arguments: words.into_iter().map(String::from).chain(more).collect(),
        folder: folder(&target.url, folders),
        input,
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
    };
    let told = Told {
        title: format!("storage of {}", session.tensors.join(", ")),
        action: Action::Run,
        name,
        limits: (seconds, bytes),
        source: document.source.clone(),
        unit: target.unit,
        range: <_>::default(),
        version: document.version,
    };
    Running { session, job, told }
}

/// What the process reads, with more words of its command line: the statements, or a program and the kernel at which it
/// stops, then what is asked.
fn input(text: &str, session: &Session) -> (String, Vec<String>) {
    let asked = asked(session);
    match &session.before {
        Part::Statements { end, .. } => (format!("{}\n{asked}", text.get(..*end).unwrap_or(text)), Vec::new()),
        Part::Kernel { name, .. } => {
            let words = ["--at", name, "--keep-going", "--then", &asked];
            (text.to_string(), words.map(String::from).to_vec())
        }
        Part::Function(_) => (text.to_string(), Vec::new()),
    }
}

/// Conversions last, as some may fail.
fn asked(session: &Session) -> String {
    let Session { tensors, formats, kernel, .. } = session;
    let shown = tensors.iter().map(|name| format!(":show storage {name}\n"));
    let steps = kernel.iter().map(|(_, name)| format!(":step {name}\n"));
    let first = tensors.first().map(String::as_str).unwrap_or_default();
    let converted = formats.iter().enumerate().map(|(at, format)| {
        let name = format!("nnz_panel_{at}");
        format!("{name} : {format} = {first}\n:show storage {name}\n")
    });
    shown.chain(steps).chain(converted).collect()
}

fn content(session: Session, told: Told, ended: std::result::Result<Ended, String>) -> Content {
    let printed: Vec<Value> = ended.iter().flat_map(|ended| objects(&ended.stdout)).collect();
    let of_kind = |kind: &str| printed.iter().filter(|it| it["kind"] == kind).cloned().collect::<Vec<Value>>();
    let (mut tensors, steps) = (of_kind("storage"), of_kind("steps").pop());
    let is_converted = |it: &Value| it["name"].as_str().is_some_and(|name| name.starts_with("nnz_panel_"));
    let (formats, own): (Vec<Value>, Vec<Value>) = tensors.drain(..).partition(is_converted);
    let report = told.report(None, ended);
    let is_whole = !own.is_empty() && own.len() == session.tensors.len() && steps.is_some() == session.kernel.is_some();
    let problems = if report.ok || is_whole { Vec::new() } else { report.lines };
    // The own one may have a name of its own.
    let formats = formats.into_iter().filter(|it| own.first().is_none_or(|own| shape_of(own) != shape_of(it)));
    let formats = formats.map(|it| named(it, own.first())).collect();
    let Session { title, kernel, .. } = session;
    Content { title, kernel: kernel.map(|(kernel, _)| kernel), tensors: own, formats, steps, problems }
}

/// The map of an encoding, whatever its dimensions are called, and its other properties.
fn shape_of(sheet: &Value) -> String {
    let names = sheet["dims"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let map = sheet["map"].as_str().unwrap_or_default();
    let word = |part: &str| match names.iter().position(|name| *name == part) {
        Some(at) => format!("d{at}"),
        None => part.to_string(),
    };
    let signs = |c: char| !c.is_alphanumeric() && c != '_';
    map.split_inclusive(signs)
        .map(|part| match part.char_indices().next_back().filter(|(_, last)| signs(*last)) {
            Some((at, sign)) => format!("{}{sign}", word(&part[..at])),
            None => word(part),
        })
        .collect()
}

/// A conversion under the name of the converted tensor.
fn named(mut sheet: Value, own: Option<&Value>) -> Value {
    if let Some(own) = own {
        sheet["name"] = own["name"].clone();
    }
    sheet
}
