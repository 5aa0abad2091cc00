//! The outline of a script: functions, and in them iterators, buffers, iterations and blocks.

use nnz_base::source::Span;
use nnz_tir::{
    Script,
    arrays::format_name,
    model::{Buffer, Function, Iteration, Iterator, Statement, StatementKind, name_of},
    read::Read,
    sites::{Site, sites},
};

use crate::symbols::{Symbol, SymbolKind};

/// In the order of the text.
pub fn symbols(script: &Script) -> Vec<Symbol> {
    script.functions.iter().map(function).collect()
}

fn function(read: &Read) -> Symbol {
    let function = &read.function;
    let iterators = function.iterators.iter().map(|one| iterator(function, one));
    let buffers = function.buffers.iter().map(|one| buffer(function, one));
    let statements = sites(function).into_iter().filter_map(|site| statement(function, &site));
    let mut children: Vec<Symbol> = iterators.chain(buffers).chain(statements).collect();
    children.sort_by_key(|child| child.span.start);
    let stage = function.stage().map_or(String::new(), |stage| format!("stage {stage:?}"));
    Symbol { children, ..symbol((&function.name, stage), SymbolKind::Function, (read.span, function.place.0)) }
}

fn symbol((name, detail): (&str, String), kind: SymbolKind, (span, selection): (Span, Span)) -> Symbol {
    Symbol { name: name.to_string(), detail, kind, span, selection, children: Vec::new() }
}

fn iterator(function: &Function, iterator: &Iterator) -> Symbol {
    let parent = iterator.parent().map_or(String::new(), |parent| format!(" of {}", function.iterator(parent).name));
    let place = iterator.place.0;
    symbol((&iterator.name, iterator.word().to_string() + &parent), SymbolKind::Encoding, (place, place))
}

fn buffer(function: &Function, buffer: &Buffer) -> Symbol {
    let names: Vec<&str> = buffer.iterators().iter().map(|id| function.iterator(*id).name.as_str()).collect();
    let format = format_name(function, buffer.iterators()).filter(|_| !names.is_empty());
    let over = if names.is_empty() { String::new() } else { format!(" over {}", names.join(", ")) };
    let format = format.map_or(String::new(), |name| format!(" ({name})"));
    let place = buffer.place.0;
    symbol((&buffer.name, name_of(buffer.element).to_string() + &over + &format), SymbolKind::Tensor, (place, place))
}

/// Iterations and blocks.
fn statement(function: &Function, site: &Site<'_>) -> Option<Symbol> {
    let Statement { place, kind } = site.statement;
    let (name, detail) = match kind {
        StatementKind::Iteration(iteration) => (iteration.name.as_str(), kinds(function, iteration)),
        StatementKind::Block(block) => (block.name.as_str(), "block".to_string()),
        StatementKind::Loop(_)
        | StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Allocate(_)
        | StatementKind::Domain(..) => return None,
    };
    let name = if name.is_empty() { "without a name" } else { name };
    Some(symbol((name, detail), SymbolKind::Kernel, (place.0, place.0)))
}

/// `i: S, j: R`.
pub(super) fn kinds(function: &Function, iteration: &Iteration) -> String {
    let kinds = iteration.running().map(|running| {
        let name = &function.variable(running.variable).name;
        format!("{name}: {}", running.kind.letter())
    });
    kinds.collect::<Vec<_>>().join(", ")
}
