//! Renamed operations and old forms, with a fix where the text alone determines the new form.

use crate::Checker;
use nnz_base::{
    diagnostic::{Applicability, Code, Edit},
    source::Span,
};
use nnz_syntax::{TokenKind, TokenRef};

/// What became of an operation.
enum Now {
    /// The same operands under another name.
    Renamed(&'static str),
    /// Another form, which takes more than the text to write.
    Differs(&'static str),
    /// The same with these words for the name; nnz runs the old form, too.
    Reworded(&'static str),
}

const OF_TRANSPOSED_A: &str = "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, \
                               affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]";
const OF_TRANSPOSED_B: &str = "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, \
                               affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]";

fn find(name: &str) -> Option<Now> {
    Some(match name {
        "sparse_tensor.pointers" => Now::Renamed("sparse_tensor.positions"),
        "sparse_tensor.indices" => Now::Renamed("sparse_tensor.coordinates"),
        "sparse_tensor.indices_buffer" => Now::Renamed("sparse_tensor.coordinates_buffer"),
        "func" => Now::Renamed("func.func"),
        "constant" => Now::Renamed("arith.constant"),
        "std.return" => Now::Renamed("return"),
        "std.call" => Now::Renamed("call"),
        "std.constant" => Now::Renamed("arith.constant"),
        "std.addf" => Now::Renamed("arith.addf"),
        "std.addi" => Now::Renamed("arith.addi"),
        "std.subf" => Now::Renamed("arith.subf"),
        "std.subi" => Now::Renamed("arith.subi"),
        "std.mulf" => Now::Renamed("arith.mulf"),
        "std.muli" => Now::Renamed("arith.muli"),
        "std.divf" => Now::Renamed("arith.divf"),
        "std.cmpf" => Now::Renamed("arith.cmpf"),
        "std.cmpi" => Now::Renamed("arith.cmpi"),
        "std.select" => Now::Renamed("arith.select"),
        "std.br" => Now::Renamed("cf.br"),
        "std.cond_br" => Now::Renamed("cf.cond_br"),
        "sparse_tensor.release" => Now::Renamed("bufferization.dealloc_tensor"),
        "sparse_tensor.pack" => Now::Differs("sparse_tensor.assemble (%levels...), %values : (types), type to type"),
        "sparse_tensor.unpack" => {
            Now::Differs("sparse_tensor.disassemble %t : type out_lvls(...) out_vals(...) -> ...")
        }
        "linalg.init_tensor" => Now::Differs("tensor.empty(%d0, %d1) : type"),
        "sparse_tensor.init" => Now::Differs("tensor.empty(%d0, %d1) : type"),
        "sparse_tensor.tensor" => Now::Differs("sparse_tensor.load %t : type"),
        "sparse_tensor.lex_insert" | "sparse_tensor.insert" => Now::Differs("tensor.insert %v into %t[%i, %j] : type"),
        "sparse_tensor.sort_coo" => {
            Now::Differs("sparse_tensor.sort hybrid_quick_sort %n, %xy jointly %z { perm_map = ... }")
        }
        "sparse_tensor.to_slice_offset" => Now::Differs("sparse_tensor.slice.offset %t at 0 : type"),
        "sparse_tensor.to_slice_stride" => Now::Differs("sparse_tensor.slice.stride %t at 0 : type"),
        "linalg.matmul_transpose_a" => Now::Reworded(OF_TRANSPOSED_A),
        "linalg.matmul_transpose_b" => Now::Reworded(OF_TRANSPOSED_B),
        "bufferization.to_memref" => Now::Differs("bufferization.to_buffer %t : tensor type to memref type"),
        _ => return None,
    })
}

/// The present name of an operation with an old name, if nothing else about its syntax has changed.
pub fn renamed(name: &str) -> Option<&'static str> {
    match find(name)? {
        // Their levels are attributes now.
        Now::Renamed(_) if matches!(name, "sparse_tensor.pointers" | "sparse_tensor.indices") => None,
        Now::Renamed(new) => Some(new),
        Now::Differs(_) | Now::Reworded(_) => None,
    }
}

/// How an operation is written today whose form has changed with its name.
pub fn form_today(name: &str) -> Option<&'static str> {
    match find(name)? {
        Now::Renamed(_) => None,
        Now::Differs(form) | Now::Reworded(form) => Some(form),
    }
}

/// Whether an operation has an old name, for which the check warns.
pub fn is_historic(name: &str) -> bool {
    find(name).is_some()
}

/// `linalg.init_tensor [%n, 4]`: its place up to the bracket, and the sizes that are values.
fn sizes_in_brackets(token: TokenRef<'_>, line: &[TokenRef<'_>]) -> Option<(Span, String)> {
    line.first().filter(|first| first.kind() == TokenKind::LBracket)?;
    let end = line.iter().position(|token| token.kind() == TokenKind::RBracket)?;
    let values = line[..end].iter().filter(|token| token.kind() == TokenKind::PercentId);
    let operands = values.map(|token| token.text()).collect::<Vec<_>>().join(", ");
    Some((token.span().cover(line[end].span()), operands))
}

/// Whether the sizes in brackets that are values are those that `tensor.empty` takes: one for each `?` of the type.
fn takes_sizes(name: &str, line: &[TokenRef<'_>], operands: &str) -> bool {
    let unknown: usize = line.iter().map(|token| token.text().matches('?').count()).sum();
    let given = operands.split(", ").filter(|operand| !operand.is_empty()).count();
    name == "linalg.init_tensor" || name == "sparse_tensor.init" && unknown == given
}

/// Warns if the operation named by `token` was renamed; `line` holds the tokens after it on its line.
pub(super) fn warn_operation(token: TokenRef<'_>, line: &[TokenRef<'_>], c: &mut Checker<'_>) {
    let Some(now) = find(token.text()) else { return };
    // `pointers %t, %c1`, of 2022: the level was an operand.
    let now = match (now, line.get(1).map(|token| token.kind())) {
        (Now::Renamed("sparse_tensor.positions"), Some(TokenKind::Comma)) => {
            Now::Differs("sparse_tensor.positions %t { level = 1 : index } : type to memref type")
        }
        (Now::Renamed("sparse_tensor.coordinates"), Some(TokenKind::Comma)) => {
            Now::Differs("sparse_tensor.coordinates %t { level = 1 : index } : type to memref type")
        }
        (now, _) => now,
    };
    let message = |new: &str| format!("`{}` is now `{new}`", token.text());
    let diagnostic = match now {
        Now::Renamed(new) => {
            let edit = |token: TokenRef<'_>, text: &str| Edit {
                file: c.source.id,
                span: token.span(),
                replacement: text.to_string(),
            };
            let key = line.windows(2).find(|pair| pair[0].text() == "dimension" && pair[1].kind() == TokenKind::Eq);
            let edits =
                [Some(edit(token, new)), key.map(|pair| edit(pair[0], "level"))].into_iter().flatten().collect();
            let diagnostic = c.diagnostic(Code::HistoricOperation, token.span(), message(new)).label("its old name");
            let told = diagnostic.fix_edits(format!("write `{new}`"), edits, Applicability::MachineApplicable);
            match renamed(token.text()) {
                Some(_) => told,
                None => told.note(format!("`nnz run` takes `{new}` alone")),
            }
        }
        Now::Differs(form) => {
            let name = form.split([' ', '(']).next().unwrap_or(form);
            let diagnostic = c.diagnostic(Code::HistoricOperation, token.span(), message(name)).label("its old name");
            match sizes_in_brackets(token, line).filter(|(_, of)| takes_sizes(token.text(), line, of)) {
                Some((place, operands)) => {
                    diagnostic.respelt("write it so", place, format!("tensor.empty({operands})"))
                }
                None => diagnostic.help(format!("its form today: `{form}`")),
            }
            .note(format!("`nnz run` takes `{name}` alone"))
        }
        Now::Reworded(words) => {
            let name = words.split(' ').next().unwrap_or(words);
            let diagnostic = c.diagnostic(Code::HistoricOperation, token.span(), message(name)).label("its old name");
            let diagnostic = match line.first().map(|next| next.text()) {
                Some("ins") => diagnostic.respelt("write its maps", token.span(), words),
                _ => diagnostic.help(format!("its form today: `{words} ins(...) outs(...)`")),
            };
            diagnostic.note(format!("MLIR 22 takes `{name}` alone"))
        }
    };
    c.report(diagnostic);
}

/// Warns of a `tensor.expand_shape` that does not write its sizes; `behind` holds the tokens after it.
pub(super) fn warn_expansion(token: TokenRef<'_>, behind: &[TokenRef<'_>], c: &mut Checker<'_>) {
    let Some(into) = behind.iter().position(|token| token.text() == "into") else { return };
    let (head, result) = behind.split_at(into);
    let Some(colon) = head.iter().rposition(|token| token.kind() == TokenKind::Colon) else { return };
    if head.iter().any(|token| matches!(token.text(), "output_shape" | "tensor.expand_shape")) {
        return;
    }
    let message = "`tensor.expand_shape` states its sizes now";
    let diagnostic = c.diagnostic(Code::HistoricOperation, token.span(), message).label("has no `output_shape`");
    let sizes = result
        .get(1)
        .and_then(|ty| known_sizes(c.source.slice(Span::new(ty.span().start as usize, c.source.text.len()))));
    let diagnostic = match (sizes, head.get(colon.saturating_sub(1))) {
        (Some(sizes), Some(last)) => {
            let place = Span::at(last.span().end as usize);
            diagnostic.respelt("write them", place, format!(" output_shape [{sizes}]"))
        }
        _ => diagnostic.help("its form today: `tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : type into type`"),
    };
    c.report(diagnostic.note("MLIR 22 takes no other form"));
}

/// `2, 3` of a type that begins `tensor<2x3xf64`, if it leaves no size open.
fn known_sizes(text: &str) -> Option<String> {
    let inside = text.strip_prefix("tensor")?.trim_start().strip_prefix('<')?;
    let parts: Vec<&str> = inside.split(['x', ',', '>']).map(str::trim).collect();
    let is_size = |part: &&&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let sizes: Vec<&str> = parts.iter().take_while(is_size).copied().collect();
    (!sizes.is_empty() && parts.get(sizes.len()) != Some(&"?")).then(|| sizes.join(", "))
}
