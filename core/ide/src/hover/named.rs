//! Words of the notation: formats, generators, functions, commands, settings, steps of schedules.

use std::sync::Arc;

use super::{Said, Section, layout::block, operation, plain, storage};
use nnz_base::{diagnostic::Code, element::Element};
use nnz_check::{
    Checked,
    command::{Command, Setting, View},
    kernel::functions,
};
use nnz_encoding::{Encoding, named};
use nnz_kernel::schedule::step_info;
use nnz_storage::generate::{self, GeneratorInfo, ParameterDefault};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

pub(super) fn titled(usage: &str, summary: &str) -> Said {
    Said::text(format!("**`{usage}`**: {summary}"))
}

/// Whether the token begins its node.
fn is_first(token: TokenRef<'_>) -> bool {
    token.node().first_token().is_some_and(|first| first.span() == token.span())
}

/// The format of a type: `CSC`, `BSR(2, 2)`; or an element type.
pub(super) fn of_format(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let node = token.node().ancestors().find(|node| node.kind() == NodeKind::FormatName)?;
    let Some(encoding) = encoding_of(checked, node) else {
        return Element::parse(node.text()).map(|element| titled(element.name(), &plain::element_text(element)));
    };
    let mut said = storage::of_encoding(checked, node.text(), &encoding);
    let name = node.first_token()?.text();
    if let Ok(format) = named::format_called(name) {
        said.sections.insert(1, Section::Text(format.meaning.to_string()));
    }
    Some(said)
}

/// The encoding that a name with its numbers stands for.
fn encoding_of(checked: &Checked, node: NodeRef<'_>) -> Option<Arc<Encoding>> {
    let site = checked.encoding_at(node.span().start as usize).filter(|site| site.span == node.span());
    if let Some(encoding) = site.and_then(|site| site.encoding.clone()) {
        return Some(encoding);
    }
    let numbers = node.descendants().flat_map(NodeRef::own_tokens).filter(|token| token.kind() == TokenKind::Int);
    let arguments: Vec<u64> = numbers.filter_map(|number| number.text().parse().ok()).collect();
    named::lookup(node.first_token()?.text(), &arguments, None).ok().map(Arc::new)
}

/// A generator or one of its parameters.
pub(super) fn of_generator(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let node = token.node();
    let call = if node.kind() == NodeKind::NamedArg { node.parent()? } else { node };
    if call.kind() != NodeKind::Call || !is_first(token) {
        return None;
    }
    let generator = generate::lookup(call.first_token()?.text())?;
    if node.kind() == NodeKind::NamedArg {
        let parameter = generator.parameters.iter().find(|parameter| parameter.name == token.text())?;
        return Some(titled(parameter.name, parameter.doc));
    }
    Some(generator_sections(checked, generator, call))
}

fn generator_sections(checked: &Checked, generator: &GeneratorInfo, call: NodeRef<'_>) -> Said {
    let mut words = generator_words(generator);
    if let Some(made) = made_here(checked, call).filter(|made| !made.is_empty()) {
        words.truncate(2);
        words.extend(made);
    }
    Said::of(words)
}

/// What it makes, its parameters, and an example.
pub(super) fn generator_words(generator: &GeneratorInfo) -> Vec<Section> {
    let title = Section::Text(format!("**`{}`**: {}", generator.name, generator.summary));
    let row = |parameter: &generate::Parameter| {
        let default = match parameter.default {
            ParameterDefault::Is(number) => format!(" (default {number})"),
            ParameterDefault::As(other) => format!(" (default {other})"),
            ParameterDefault::FromShape => String::new(),
        };
        format!("{:<12}{}{default}", parameter.name, parameter.doc)
    };
    let rows: Vec<String> = generator.parameters.iter().map(row).collect();
    let example = Section::Text(format!("for example `{}`", generator.example));
    vec![title, block(&rows), example]
}

/// The tensor that a call makes: its type and its bytes.
fn made_here(checked: &Checked, call: NodeRef<'_>) -> Option<Vec<Section>> {
    let definition = call.ancestors().find(|node| node.kind() == NodeKind::Definition)?;
    let id = checked.definition_at(definition.first_token()?.span().start as usize)?;
    let contents = checked.contents_of(id)?;
    let known = checked.symbols.definition(id);
    let nnz_check::DefinitionKind::Tensor(Some(ty)) = &known.kind else { return None };
    Some(storage::of_tensor(checked.source.slice(known.name), ty, Some(contents)).sections)
}

/// What is called and is no tensor: a function, a reduction, a conversion, a semiring; or a function of a program.
pub(super) fn of_function(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let node = token.node();
    if let Some(call) = checked.calls.iter().find(|call| call.function.span.touches(token.span().end as usize)) {
        let of_name =
            |known: &&nnz_check::Definition| call.file.source.slice(known.name) == format!("@{}", call.function.text);
        let definition = call.file.symbols.definitions.iter().find(of_name)?;
        return operation::signature(&call.file.tree, definition.whole).map(Said::of);
    }
    let (usage, summary) =
        functions::describe(token.text()).filter(|_| node.kind() == NodeKind::Call && is_first(token))?;
    Some(titled(&usage, &summary))
}

/// A step of a schedule, or the word before the first.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
pub(super) fn of_step(token: TokenRef<'_>) -> Option<Said> {
    match token.node().kind() {
        NodeKind::Schedule if is_first(token) => {
            let text = "how the loops of the kernel are arranged, step by step; a schedule never changes the result";
            Some(titled("schedule", text))
        }
        NodeKind::Step if is_first(token) => {
            let info = step_info(token.text())?;
            Some(titled(info.usage, info.summary))
        }
        _ => None,
    }
}

/// A command, its view, its setting, or the code that it explains.
pub(super) fn of_command(token: TokenRef<'_>) -> Option<Said> {
    let node = token.node();
    if node.kind() == NodeKind::Command {
        let info = Command::info(node.tokens().find_map(|own| Command::info(own.text()).map(|info| info.name))?)?;
        return Some(titled(format!(":{} {}", info.name, info.args).trim_end(), info.summary));
    }
    let command = node.parent().filter(|parent| parent.kind() == NodeKind::Command)?;
    let argument = token.text();
    let is_first = command.children().next().is_some_and(|child| child.id() == node.id());
    let named = |name: &str| is_first && command.own_tokens().any(|own| own.text() == name);
    if named("show") {
        let view = View::ALL.iter().find(|view| view.name() == argument)?;
        return Some(titled(&format!(":show {argument} NAME"), view.summary()));
    }
    if named("set") {
        let (name, values) = Setting::ALL.iter().find(|(name, _)| *name == argument)?;
        return Some(titled(&format!(":set {name} VALUE"), values));
    }
    let code = Code::parse(argument).filter(|_| named("explain"))?;
    Some(titled(argument, code.title()))
}
