//! A kernel: the order of its loops and why, how each operand is accessed, and the first of the loops.

use super::{
    Said, Section,
    layout::{LINES, block, wrap},
    storage,
};
use nnz_check::{Checked, CheckedKernel, Definition, DefinitionKind};
use nnz_kernel::{Kernel, Tensor};
use nnz_machine::{Becomes, Site};
use nnz_run::{self as run, Origin, Outline, Plans, Request};
use nnz_storage::model;
use nnz_syntax::{NodeKind, NodeRef, TokenRef};

/// The left side of a kernel of the notation, or the operator after it.
pub(super) fn of_result(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let statement = statement_of(token)?;
    let head = statement.first_token().is_some_and(|first| first.span() == token.span());
    if !head && token.node().id() != statement.id() {
        return None;
    }
    let kernel = checked.kernel_in(statement.span());
    kernel.map(|kernel| planned(checked, statement, kernel)).or_else(|| unplanned(checked, statement))
}

/// A kernel of the notation whose part says nothing by itself.
pub(super) fn around(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let statement = statement_of(token)?;
    let kernel = checked.kernel_in(statement.span());
    kernel.map(|kernel| planned(checked, statement, kernel)).or_else(|| unplanned(checked, statement))
}

fn statement_of(token: TokenRef<'_>) -> Option<NodeRef<'_>> {
    token.node().ancestors().find(|node| matches!(node.kind(), NodeKind::Assignment | NodeKind::Definition))
}

/// The result that a statement defines.
fn definition_of<'c>(checked: &'c Checked, statement: NodeRef<'_>) -> Option<&'c Definition> {
    let id = checked.definition_at(statement.first_token()?.span().start as usize)?;
    Some(checked.symbols.definition(id))
}

/// A kernel whose sizes are not all known.
fn unplanned(checked: &Checked, statement: NodeRef<'_>) -> Option<Said> {
    let definition = definition_of(checked, statement).filter(|_| statement.kind() == NodeKind::Assignment)?;
    let DefinitionKind::Tensor(Some(ty)) = &definition.kind else { return None };
    let mut said = storage::of_tensor(checked.source.slice(definition.name), ty, None);
    said.sections.push(Section::Text("Its loops are planned once all sizes are known.".to_string()));
    Some(said)
}

fn planned(checked: &Checked, statement: NodeRef<'_>, known: &CheckedKernel) -> Said {
    let CheckedKernel { kernel, span, scheduled, .. } = known;
    let text = Some(checked.source.slice(*span));
    let request = Request { kernel, schedule: &scheduled.schedule, text, origin: Origin::Session };
    let operands = kernel.tensors().iter().skip(1).map(|_| None);
    let name = &kernel.tensor(kernel.result().tensor).name;
    let title = Section::Text(format!("**`{name}`**: `{}`", type_text(checked, statement, kernel)));
    match run::prepare(request, operands, &mut Plans::default(), &mut |_| {}) {
        Ok(prepared) => {
            let told = sections(prepared.outline(), &format!(":show loops {name}"));
            Said::of([title].into_iter().chain(told).collect())
        }
        Err(refusal) => Said::of(vec![title, Section::Text(format!("It does not run: {refusal}."))]),
    }
}

/// The type of a result, with its encoding by its name where the text defines it.
fn type_text(checked: &Checked, statement: NodeRef<'_>, kernel: &Kernel) -> String {
    if let Some(DefinitionKind::Tensor(Some(ty))) = definition_of(checked, statement).map(|known| &known.kind) {
        return ty.to_string();
    }
    let result = kernel.tensor(kernel.result().tensor);
    let shape: String = result.shape.iter().map(|size| format!("{size}x")).collect();
    if shape.is_empty() { result.element.to_string() } else { format!("tensor<{shape}{}>", result.element) }
}

/// A kernel of a program.
pub(super) fn of_site(site: &Site) -> Vec<Section> {
    let mut told = match &site.becomes {
        Becomes::Loops(outline, _) => sections(outline, "nnz lower FILE --to loops"),
        Becomes::Evaluated(how) => vec![Section::Text(format!("It is {how}."))],
        Becomes::Broken(refusal) => vec![Section::Text(format!("It does not run: {refusal}."))],
    };
    if !site.notes.is_empty() {
        told.push(Section::Text(format!("As planned here: {}.", site.notes.join("; "))));
    }
    told
}

/// The plan, and the first of the loops; `whole` shows all of them.
fn sections(outline: &Outline, whole: &str) -> Vec<Section> {
    let lines = loop_lines(outline);
    let rest = (lines.len() > LINES).then(|| Section::Text(format!("`{whole}` shows all of them.")));
    [plan_section(outline), block(&lines)].into_iter().chain(rest).collect()
}

/// The rows of the plan, the bytes of each operand, and the reasons of the order.
fn plan_section(outline: &Outline) -> Section {
    let plan = outline.plan_text();
    let column = plan.lines().next().and_then(column_of).unwrap_or(0);
    let rows = plan.lines().map(|row| (head_of(row, column), row.get(column..).unwrap_or_default().to_string()));
    let reasons = reasons(outline).into_iter().enumerate();
    let reasons = reasons.map(|(at, reason)| (if at == 0 { "order" } else { "" }.to_string(), reason));
    let bytes = ("bytes".to_string(), bytes_of(outline.kernel()));
    laid_out(&rows.chain([bytes]).chain(reasons).collect::<Vec<_>>())
}

/// Rows in two columns; a head that is wider than the first of them is followed by its text.
fn laid_out(rows: &[(String, String)]) -> Section {
    const WIDEST: usize = 14;
    let heads = rows.iter().map(|(head, _)| head.chars().count());
    let width = heads.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let lines = rows.iter().flat_map(|(head, tail)| wrap(&format!("{head:width$}  {tail}"), width + 2));
    block(&lines.collect::<Vec<_>>())
}

fn head_of(row: &str, column: usize) -> String {
    row.get(..column).unwrap_or(row).trim_end().to_string()
}

/// Where the second column of a row begins.
fn column_of(row: &str) -> Option<usize> {
    let gap = row.find("  ")?;
    Some(row.len() - row[gap..].trim_start().len())
}

/// `i before j: A stores level 1 below level 0`, each once.
fn reasons(outline: &Outline) -> Vec<String> {
    let mut reasons = Vec::new();
    for graph in outline.graphs() {
        let name = |at: usize| graph.loops.get(at).map_or("", |found| found.name.as_str());
        for edge in &graph.edges {
            let reason = format!("{} before {}: {}", name(edge.from.index()), name(edge.to.index()), edge.reason);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    reasons
}

/// `A 16 * nnz + 32, x 32, y 24`: what each tensor takes.
fn bytes_of(kernel: &Kernel) -> String {
    let of_tensor = |tensor: &Tensor| {
        let sizes: Vec<Option<u64>> = tensor.shape.iter().copied().map(Some).collect();
        let encoded = tensor.encoding.as_ref().map(|it| model::of_encoding(it, Some(tensor.element), &sizes));
        let formula = encoded.and_then(|model| model.bytes()).map(|formula| formula.to_string());
        format!("{} {}", tensor.name, formula.unwrap_or_else(|| plain_bytes(tensor).to_string()))
    };
    kernel.tensors().iter().filter(|tensor| !tensor.shape.is_empty()).map(of_tensor).collect::<Vec<_>>().join(", ")
}

fn plain_bytes(tensor: &Tensor) -> u64 {
    tensor.shape.iter().fold(tensor.element.bytes() as u64, |bytes, size| bytes.saturating_mul(*size))
}

/// The loops of the function that fills the result, without its head.
fn loop_lines(outline: &Outline) -> Vec<String> {
    let text = outline.lowered().fill.function.to_string();
    let body = text.lines().skip_while(|line| !line.starts_with(')')).skip(1).filter(|line| *line != "}");
    body.filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.strip_prefix("  ").unwrap_or(line).to_string())
        .collect()
}
