//! `callHierarchy`: which function calls which. The statements of a session call functions of files in use.

use std::collections::HashMap;

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind, Grammar};
use nnz_syntax::{NodeKind, TokenKind};

use super::heads::function_named;

/// A caller or what is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// With its `@`; a text that calls by itself has none.
    pub name: Option<String>,
    pub span: Span,
    pub selection: Span,
}

/// The calls of one function, or by one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    pub of: Callable,
    /// The names in the calls, in order.
    pub places: Vec<Span>,
}

impl Callable {
    fn function(checked: &Checked, definition: &Definition) -> Callable {
        let name = Some(checked.source.slice(definition.name).to_string());
        Callable { name, span: definition.whole, selection: definition.name }
    }
}

/// The function of this name that the text defines.
pub fn function(checked: &Checked, name: &str) -> Option<Callable> {
    function_named(checked, name).map(|definition| Callable::function(checked, definition))
}

/// The callers of the function in this text.
pub fn callers(checked: &Checked, name: &str) -> Vec<Calls> {
    let mut callers: Vec<Calls> = Vec::new();
    for place in places(checked).filter(|place| checked.source.slice(*place) == name) {
        let Some(caller) = around(checked, place) else { continue };
        match callers.last_mut().filter(|calls| calls.of == caller) {
            Some(calls) => calls.places.push(place),
            None => callers.push(Calls { of: caller, places: vec![place] }),
        }
    }
    callers
}

/// What the function of this name calls, or, without a name, the text itself: names with their places.
pub fn called(checked: &Checked, caller: Option<&str>) -> Vec<(String, Vec<Span>)> {
    let inside = match caller {
        None => Span::new(0, checked.source.text.len()),
        Some(name) => match function_named(checked, name) {
            Some(definition) => definition.whole,
            None => return Vec::new(),
        },
    };
    let mut called: Vec<(String, Vec<Span>)> = Vec::new();
    for place in places(checked).filter(|place| inside.start <= place.start && place.end <= inside.end) {
        let name = checked.source.slice(place);
        match called.iter_mut().find(|(known, _)| known == name) {
            Some((_, places)) => places.push(place),
            None => called.push((name.to_string(), vec![place])),
        }
    }
    called
}

/// What each function of a program calls.
pub(super) fn all_calls(checked: &Checked) -> HashMap<&str, Vec<&str>> {
    let functions: Vec<&Definition> =
        checked.symbols.definitions.iter().filter(|d| matches!(d.kind, DefinitionKind::Function)).collect();
    let mut calls: HashMap<&str, Vec<&str>> = HashMap::new();
    for place in places(checked) {
        let before = functions.partition_point(|function| function.whole.start <= place.start);
        let Some(caller) = before.checked_sub(1).and_then(|at| functions.get(at)) else { continue };
        calls.entry(checked.source.slice(caller.name)).or_default().push(checked.source.slice(place));
    }
    calls
}

/// Where functions are called.
fn places(checked: &Checked) -> Box<dyn Iterator<Item = Span> + '_> {
    match checked.grammar {
        Grammar::Notation => {
            let calls = checked.tree.root().descendants().filter(|node| node.kind() == NodeKind::ProgramCall);
            Box::new(calls.filter_map(|node| node.token(TokenKind::AtId)).map(|token| token.span()))
        }
        Grammar::Mlir => {
            let is_call = |id| matches!(checked.symbols.definition(id).kind, DefinitionKind::Function);
            let uses = checked.symbols.uses.iter().filter(move |used| used.definition.is_some_and(is_call));
            Box::new(uses.map(|used| used.span))
        }
    }
}

/// The statements of a session, which run one after another.
pub fn whole_text(checked: &Checked) -> Callable {
    Callable { name: None, span: Span::new(0, checked.source.text.len()), selection: Span::at(0) }
}

/// The function or the session that contains a call.
fn around(checked: &Checked, place: Span) -> Option<Callable> {
    match checked.grammar {
        Grammar::Notation => Some(whole_text(checked)),
        Grammar::Mlir => {
            let mut functions =
                checked.symbols.definitions.iter().filter(|d| matches!(d.kind, DefinitionKind::Function));
            let function = functions.rfind(|d| d.whole.start <= place.start && place.end <= d.whole.end)?;
            Some(Callable::function(checked, function))
        }
    }
}
