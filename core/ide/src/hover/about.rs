//! `completionItem/resolve`: what a word that completion offers means, in the words of hovers.

use nnz_base::diagnostic::Code;
use nnz_check::{
    Checked, DefinitionKind,
    command::{Command, Setting, View},
    kernel::functions,
};
use nnz_encoding::named;
use nnz_kernel::schedule::step_info;
use nnz_mlir::words as programs;
use nnz_storage::generate;

use super::{Said, Section, named as hovers, operation, storage, word_sections};
use crate::{
    complete::CompletionKind,
    words::{self, Word},
};

/// What `label` of this kind means at `offset`; nothing if its line says it all.
pub fn about(checked: &Checked, kind: CompletionKind, label: &str, offset: usize) -> Vec<Section> {
    let said = match kind {
        CompletionKind::Format => of_words(&words::FORMATS, label),
        CompletionKind::Property => of_words(words::PROPERTIES, label),
        CompletionKind::Key => of_words(words::KEYS, label).or_else(|| of_attribute(label)),
        CompletionKind::Encoding => of_encoding(checked, label),
        CompletionKind::Variable => of_value(checked, label, offset),
        CompletionKind::Function => of_function(checked, label),
        CompletionKind::Operation => operation::in_words(label),
        CompletionKind::Command => of_command(label),
        CompletionKind::Keyword => of_words(words::OPERATORS, label),
        CompletionKind::File | CompletionKind::Folder => None,
    };
    said.map(|said| said.sections).unwrap_or_default()
}

fn of_words(list: &'static [Word], label: &str) -> Option<Said> {
    words::find(list, label).map(word_sections)
}

fn of_attribute(label: &str) -> Option<Said> {
    programs::of_attribute(label).map(|text| Said::text(format!("**`{label}`**: {text}")))
}

/// An alias of the text or of a file that it uses, or a well-known format.
fn of_encoding(checked: &Checked, label: &str) -> Option<Said> {
    if label.starts_with('#') {
        let used = checked.used.iter().map(|used| &*used.file);
        let encoding = [checked].into_iter().chain(used).find_map(|file| file.encoding_named(label))?;
        return Some(storage::of_encoding(checked, label, &encoding));
    }
    let format = named::format_called(label).ok()?;
    let usual = vec![2; format.arguments.iter().filter(|name| !name.ends_with('?')).count()];
    let encoding = named::lookup(label, &usual, None).ok()?;
    Some(storage::of_encoding(checked, label, &encoding.into()))
}

/// A tensor of a session, or a value of a program: the nearest before the place.
fn of_value(checked: &Checked, label: &str, offset: usize) -> Option<Said> {
    let symbols = &checked.symbols;
    let end = symbols.definitions.partition_point(|definition| (definition.name.start as usize) < offset);
    let ids = symbols.definition_ids().take(end).collect::<Vec<_>>();
    let id = ids.into_iter().rev().find(|id| checked.source.slice(symbols.definition(*id).name) == label)?;
    let definition = symbols.definition(id);
    if let DefinitionKind::Tensor(ty) = &definition.kind {
        return Some(storage::of_tensor(label, ty.as_ref()?, checked.contents_of(id)));
    }
    operation::of_value(checked, checked.tree.token_at(definition.name.start as usize)?)
}

/// A generator, a step of a schedule, a function of numbers, a function of a program.
fn of_function(checked: &Checked, label: &str) -> Option<Said> {
    if label.starts_with('@') {
        let used = checked.used.iter().map(|used| &*used.file);
        let mut all = [checked].into_iter().chain(used).filter_map(|file| Some((file, function(file, label)?)));
        let (file, whole) = all.next()?;
        return operation::signature(&file.tree, whole).map(Said::of);
    }
    if let Some(generator) = generate::lookup(label) {
        return Some(Said::of(hovers::generator_words(generator)));
    }
    let step = step_info(label).map(|info| hovers::titled(info.usage, info.summary));
    step.or_else(|| functions::describe(label).map(|(usage, summary)| hovers::titled(&usage, &summary)))
}

fn function(file: &Checked, label: &str) -> Option<nnz_base::source::Span> {
    crate::heads::function_named(file, label).map(|definition| definition.whole)
}

fn of_command(label: &str) -> Option<Said> {
    let command = Command::info(label)
        .map(|info| hovers::titled(format!(":{} {}", info.name, info.args).trim_end(), info.summary));
    let view = || View::ALL.iter().find(|view| view.name() == label);
    let view = || view().map(|view| hovers::titled(&format!(":show {label} NAME"), view.summary()));
    let setting = || Setting::ALL.iter().find(|(name, _)| *name == label);
    let setting = || setting().map(|(name, values)| hovers::titled(&format!(":set {name} VALUE"), values));
    let code = || Code::parse(label).map(|code| Said::of(vec![Section::Text(code.explanation().to_string())]));
    command.or_else(view).or_else(setting).or_else(code)
}
