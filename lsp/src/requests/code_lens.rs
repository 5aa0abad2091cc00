//! `textDocument/codeLens` and `codeLens/resolve`: what can be done with each kernel, and its views. A lens is a command
//! of the client's, so only clients that have it get lenses. A lens has its place at first, and gets its command when it
//! is on the screen: a long text has tens of thousands.

use std::sync::Arc;

use nnz_core::{
    ide::{
        code_lens::{LENSES, OF_SCRIPTS},
        execution::{Action, Executable},
        kernels::KernelPlace,
    },
    session::View,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::{Error, Result},
    lsp_types::*,
};

use crate::{
    abilities::{Abilities, EXECUTE, OPEN_STORAGE, OPEN_VIEW},
    address::{encoded, spelled},
    ask::{OpenDocument, ask_long},
};

pub(crate) fn options() -> CodeLensOptions {
    CodeLensOptions { resolve_provider: Some(true) }
}

/// What a lens does.
#[derive(Clone, Copy)]
enum Deed {
    Execute(Action),
    Storage,
    View(&'static str, View),
}

impl Deed {
    fn all() -> impl Iterator<Item = Deed> {
        let views = LENSES.iter().chain(OF_SCRIPTS).map(|(title, view)| Deed::View(title, *view));
        Action::ALL.into_iter().map(Deed::Execute).chain([Deed::Storage]).chain(views)
    }

    fn name(self) -> &'static str {
        match self {
            Deed::Execute(action) => action.name(),
            Deed::Storage => "storage",
            Deed::View(_, view) => view.name(),
        }
    }

    /// What the lens does to a kernel of the text at `uri`, whose name is at `place`.
    fn command(self, (uri, kernel): (&str, &str), place: Range) -> Command {
        let (title, command, argument) = match self {
            Deed::Execute(action) => {
                (action.title(), EXECUTE, json!({ "uri": uri, "kernel": kernel, "action": action.name() }))
            }
            Deed::Storage => ("Storage", OPEN_STORAGE, json!({ "uri": uri, "position": place.start })),
            Deed::View(title, view) => (title, OPEN_VIEW, json!({ "uri": spelled(&encoded(uri), kernel, view) })),
        };
        Command::new(title.to_string(), command.to_string(), Some(vec![argument]))
    }
}

/// A lens before it has its command.
struct Lens {
    place: Range,
    deed: Deed,
    kernel: Arc<str>,
}

/// All lenses of a text, written one after the other.
struct Lenses {
    uri: Url,
    all: Vec<Lens>,
}

#[derive(Serialize)]
struct Written {
    range: Range,
    data: String,
}

impl Serialize for Lenses {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let written = |Lens { place, deed, kernel }: &Lens| {
            // None of the three has a blank.
            Written { range: *place, data: format!("{} {kernel} {}", deed.name(), self.uri) }
        };
        serializer.collect_seq(self.all.iter().map(written))
    }
}

pub(crate) async fn answer(params: CodeLensParams, abilities: Abilities) -> Result<Option<Vec<CodeLens>>> {
    if !abilities.opens_views && !abilities.executes && !abilities.opens_storage {
        return Ok(None);
    }
    let written = ask_long(params.text_document.uri, move |target| Some(lenses(target, abilities)));
    written.await.map(|_| None)
}

fn lenses(target: &OpenDocument, abilities: Abilities) -> Lenses {
    let checked = target.document.checked();
    let runs = abilities.executes || abilities.opens_storage;
    let executables = if runs { checked.executables() } else { Vec::new() };
    let mut all = Vec::new();
    for executable in executables.iter().take_while(|_| !target.is_cancelled()) {
        all.extend(deeds(executable, abilities).map(lens(target, executable.place, &executable.name)));
    }
    let shows = abilities.opens_views && !target.is_cancelled();
    let kernels = if shows { checked.kernels() } else { Vec::new() };
    for KernelPlace { name, selection, .. } in kernels.iter().take_while(|_| !target.is_cancelled()) {
        let views = checked.lenses().iter().map(|(title, view)| Deed::View(title, *view));
        all.extend(views.map(lens(target, *selection, name)));
    }
    Lenses { uri: target.url.clone(), all }
}

/// What can be done with one; what can be measured has a storage panel.
fn deeds(executable: &Executable, abilities: Abilities) -> impl Iterator<Item = Deed> {
    let actions = executable.actions.iter().filter(move |_| abilities.executes).copied().map(Deed::Execute);
    let stores = abilities.opens_storage && executable.actions.contains(&Action::Time);
    actions.chain(stores.then_some(Deed::Storage))
}

fn lens(target: &OpenDocument, place: nnz_core::source::Span, kernel: &str) -> impl Fn(Deed) -> Lens {
    let (place, kernel) = (target.range(place), Arc::from(kernel));
    move |deed| Lens { place, deed, kernel: Arc::clone(&kernel) }
}

/// A lens with its command.
pub(crate) fn resolve(mut lens: CodeLens) -> Result<CodeLens> {
    let unknown = || Error::invalid_params("`data` is not that of a lens of this server");
    let data = lens.data.as_ref().and_then(Value::as_str).unwrap_or_default();
    let mut words = data.splitn(3, ' ');
    let (Some(deed), Some(kernel), Some(uri)) = (words.next(), words.next(), words.next()) else {
        return Err(unknown());
    };
    let deed = Deed::all().find(|known| known.name() == deed).ok_or_else(unknown)?;
    lens.command = Some(deed.command((uri, kernel), lens.range));
    Ok(lens)
}
