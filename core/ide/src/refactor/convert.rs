//! The conversion that a kernel hides, as a separate statement before it.

use nnz_base::source::Span;
use nnz_check::{Checked, DefinitionKind, Grammar, TensorType};
use nnz_encoding::{Encoding, named};
use nnz_machine::{Becomes, becomes_loops, sites_at};
use nnz_mlir::function_at;
use nnz_run::{Origin, Outline, Request, outlined};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

use super::{Refactoring, indentation, line_start, rewrite};

pub(super) fn refactorings(checked: &Checked, token: TokenRef<'_>) -> Vec<Refactoring> {
    match checked.grammar {
        Grammar::Notation => in_session(checked, token),
        Grammar::Mlir => in_program(checked, token),
    }
}

/// The operands that are converted whole, by their names, each with the encoding that the loops read.
fn converted(outline: &Outline) -> Vec<(String, Encoding)> {
    let plan = &outline.lowered().plan;
    let whole = plan.derived.iter().filter(|derived| derived.dims.iter().all(|dims| dims.len() == 1));
    let named = whole.filter_map(|derived| {
        let encoding = plan.kernel.tensor(derived.tensor).encoding.as_deref()?;
        Some((plan.kernel.tensor(derived.from).name.clone(), encoding.clone()))
    });
    named.collect()
}

/// `A_CSC`, or the same with a number where it is taken.
fn free_name(checked: &Checked, of: &str, encoding: &Encoding) -> String {
    let known = named::names_of(encoding).nnz.unwrap_or_default();
    let word: String = known.chars().take_while(char::is_ascii_alphanumeric).collect();
    let name = format!("{of}_{}", if word.is_empty() { "converted" } else { &word });
    let taken = |name: &String| checked.tree.tokens().any(|token| token.text() == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    [name.clone()].into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn title(name: &str, encoding: &Encoding) -> String {
    let format = named::names_of(encoding).nnz.unwrap_or_else(|| encoding.map_text());
    format!("convert {name} to {format} in a statement of its own")
}

fn in_session(checked: &Checked, token: TokenRef<'_>) -> Vec<Refactoring> {
    let statement = token.node().ancestors().find(|node| node.kind() == NodeKind::Assignment);
    let known = statement.and_then(|statement| Some((statement, checked.kernel_in(statement.span())?)));
    let Some((statement, known)) = known else { return Vec::new() };
    let text = Some(checked.source.slice(known.span));
    let schedule = &known.scheduled.schedule;
    let request = Request { kernel: &known.kernel, schedule, text, origin: Origin::Session };
    let Ok((outline, _)) = outlined(request) else { return Vec::new() };
    let found = converted(&outline).into_iter();
    found.filter_map(|(name, encoding)| statement_before(checked, statement, (&name, &encoding))).collect()
}

/// `A_CSC : CSC = A` on the line before the kernel, which reads it.
fn statement_before(
    checked: &Checked,
    kernel: NodeRef<'_>,
    (name, encoding): (&str, &Encoding),
) -> Option<Refactoring> {
    let format = named::names_of(encoding).nnz.or_else(|| alias_of(checked, encoding))?;
    let new = free_name(checked, name, encoding);
    let start = line_start(checked, kernel.span().start);
    let blanks = indentation(checked, start);
    let definition = (Span::at(kernel.span().start as usize), format!("{new} : {format} = {name}\n{blanks}"));
    // What is assigned to keeps its name.
    let operands = kernel.tokens().skip(1).filter(|token| token.kind() == TokenKind::Ident && token.text() == name);
    let edits: Vec<_> = operands.map(|token| (token.span(), new.clone())).chain([definition]).collect();
    (edits.len() > 1).then(|| rewrite(checked, title(name, encoding), edits))
}

/// The name that the text gives an encoding.
fn alias_of(checked: &Checked, encoding: &Encoding) -> Option<String> {
    let mut definitions = checked.symbols.definitions.iter();
    let found = definitions
        .find(|definition| matches!(&definition.kind, DefinitionKind::Encoding(Some(known)) if **known == *encoding));
    found.map(|definition| checked.source.slice(definition.name).to_string())
}

fn in_program(checked: &Checked, token: TokenRef<'_>) -> Vec<Refactoring> {
    if !becomes_loops(token.text()) {
        return Vec::new();
    }
    let Some((function, _)) = function_at(checked, token.span().start as usize) else { return Vec::new() };
    let sites = sites_at(&checked.source, &function, token.span());
    let outlines = sites.iter().filter_map(|site| match &site.becomes {
        Becomes::Loops(outline, _) => Some(outline),
        Becomes::Evaluated(_) | Becomes::Broken(_) => None,
    });
    let found: Vec<(String, Encoding)> = outlines.flat_map(|outline| converted(outline)).collect();
    found.iter().filter_map(|(name, encoding)| operation_before(checked, token, (name, encoding))).collect()
}

/// `%A_CSC = sparse_tensor.convert %A : ... to ...` on the line before the kernel, which then has it among its `ins`.
fn operation_before(
    checked: &Checked,
    kernel: TokenRef<'_>,
    (name, encoding): (&str, &Encoding),
) -> Option<Refactoring> {
    let name = format!("%{}", name.trim_start_matches('%'));
    let (operand, ty) = input(checked, kernel, &name)?;
    let TensorType { shape, element, .. } = checked.type_starting_at(ty.start)?.tensor.as_deref()?;
    let shape: String = shape.iter().map(|size| size.map_or("?x".to_string(), |size| format!("{size}x"))).collect();
    let format = alias_of(checked, encoding).unwrap_or_else(|| encoding.to_string());
    let (old, new) = (checked.source.slice(ty), format!("tensor<{shape}{element}, {format}>"));
    let fresh = free_name(checked, &name, encoding);
    let start = line_start(checked, kernel.span().start);
    let blanks = indentation(checked, start);
    let operation = format!("{blanks}{fresh} = sparse_tensor.convert {name} : {old} to {new}\n");
    let edits = vec![(Span::at(start), operation), (operand, fresh), (ty, new)];
    Some(rewrite(checked, title(&name, encoding), edits))
}

/// The operand in `ins(...)` behind the kernel's name, and its type.
fn input(checked: &Checked, kernel: TokenRef<'_>, name: &str) -> Option<(Span, Span)> {
    const MOST: usize = 400;
    let following = std::iter::successors(Some(kernel), |token| token.following()).take(MOST);
    let mut inside = following.skip_while(|token| token.text() != "ins").skip(2);
    let names: Vec<TokenRef<'_>> = inside.by_ref().take_while(|token| token.kind() != TokenKind::Colon).collect();
    let names: Vec<TokenRef<'_>> = names.into_iter().filter(|token| token.kind() == TokenKind::PercentId).collect();
    let place = names.iter().position(|operand| operand.text() == name)?;
    let first = inside.next()?.span().start;
    let sites = &checked.symbols.types;
    let from = sites.partition_point(|site| site.span.start < first);
    let types: Vec<Span> = sites.get(from..)?.iter().map(|site| site.span).take(names.len()).collect();
    // Every operand has a type that is a tensor's.
    let ty = types.get(place).copied()?;
    let end = types.last()?.end as usize;
    let closes = checked.source.text.get(end..)?.trim_start().starts_with(')');
    (closes && types.len() == names.len()).then(|| (names[place].span(), ty))
}
