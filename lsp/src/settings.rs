//! The user's settings: what the client sends with `initialize` and when they change, or answers when it is asked.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use nnz_core::diagnostic::Lints;
use serde_json::Value;
use tower_lsp::{
    Client,
    lsp_types::{ConfigurationItem, MessageType},
};

use crate::{abilities::Agreed, publish::Publisher, store::Shared};

/// Where settings take effect.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) client: Client,
    pub(crate) documents: Shared,
    pub(crate) publisher: Publisher,
    pub(crate) abilities: Agreed,
    /// The messages about wrong settings that were shown; once is enough.
    told: Arc<Mutex<HashSet<String>>>,
}

impl Settings {
    pub(crate) fn new(client: Client, documents: Shared, (publisher, abilities): (Publisher, Agreed)) -> Settings {
        Settings { client, documents, publisher, abilities, told: Arc::default() }
    }

    /// Applies settings, those of nnz alone or among others. Settings that they do not name stay as they are.
    pub(crate) async fn apply(&self, settings: &Value) {
        self.documents.workspace().set(settings);
        let Some((lints, wrong)) = lints(settings) else { return };
        self.documents.set_lints(lints);
        for message in wrong {
            if self.is_new(&message) {
                self.client.show_message(MessageType::WARNING, message).await;
            }
        }
    }

    fn is_new(&self, message: &str) -> bool {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(message.to_string())
    }

    /// Asks the client for its settings, if it answers such, and applies them.
    pub(crate) async fn ask(&self) {
        if !self.abilities.get().answers_settings {
            return;
        }
        let item = ConfigurationItem { scope_uri: None, section: Some("nnz".to_string()) };
        if let Ok(answer) = self.client.configuration(vec![item]).await
            && let Some(settings) = answer.first().filter(|settings| settings.is_object())
        {
            self.apply(settings).await;
            self.check_all();
        }
    }

    /// All texts are checked again, as what is wanted of them has changed.
    pub(crate) fn check_all(&self) {
        self.documents.renew_users(None);
        let open = self.documents.snapshot();
        open.documents().for_each(|(url, _)| self.publisher.changed(url.clone()));
        self.refresh();
        if self.abilities.get().refreshes_hints {
            let client = self.client.clone();
            tokio::spawn(async move { client.inlay_hint_refresh().await });
        }
    }

    /// A client that asks for diagnostics shall ask again. Nobody waits for its answer.
    pub(crate) fn refresh(&self) {
        let abilities = self.abilities.get();
        if abilities.pulls_diagnostics && abilities.refreshes_diagnostics {
            let client = self.client.clone();
            tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
        }
    }
}

/// The levels in `nnz.lints`, if the settings have it, and the mistakes in them.
fn lints(settings: &Value) -> Option<(Lints, Vec<String>)> {
    let levels = settings.pointer("/nnz/lints").or_else(|| settings.get("lints")).filter(|levels| !levels.is_null())?;
    let (mut lints, mut wrong) = (Lints::default(), Vec::new());
    let Some(levels) = levels.as_object() else {
        let message = "`nnz.lints` maps codes to levels, as in `{\"H0330\": \"off\"}`".to_string();
        return Some((lints, vec![message]));
    };
    for (code, level) in levels {
        let level = level.as_str().map_or_else(|| level.to_string(), str::to_string);
        wrong.extend(lints.set(code, &level).err().map(|why| format!("`nnz.lints`: {why}")));
    }
    Some((lints, wrong))
}
