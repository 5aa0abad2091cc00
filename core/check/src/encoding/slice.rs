//! The slice of a dimension: `<offset, size, stride>`.

use super::Checker;
use nnz_base::diagnostic::Code;
use nnz_encoding::{Slice, format};
use nnz_syntax::{NodeKind, NodeRef};

/// `#sparse_tensor<slice(offset, size, stride)>`
pub(crate) fn read_slice(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Slice> {
    if node.kind() == NodeKind::AliasRef {
        return read_slice_alias(node, c);
    }
    let text = node.text();
    if format::named(text).is_some() {
        let message = format!("a dimension has no level format: `{text}` stands behind `->`");
        let error = c.diagnostic(Code::BadSlice, node.span(), message).label("a level format");
        c.report(error.help("as in `map = (i, j) -> (i : dense, j : compressed)`"));
        return None;
    }
    if node.kind() != NodeKind::Slice || text.starts_with("#sparse_tensor.slice") || !text.contains('<') {
        let diagnostic = c.diagnostic(
            Code::BadSlice,
            node.span(),
            "a slice is written `#sparse_tensor<slice(offset, size, stride)>`",
        );
        let diagnostic = diagnostic.label("not written so");
        let arguments = text.find('(').map(|at| &text[at..]).filter(|_| text.contains("slice"));
        c.report(match arguments {
            Some(arguments) => diagnostic.fix("write it so", node.span(), format!("#sparse_tensor<slice{arguments}>")),
            None => diagnostic,
        });
        return None;
    }
    let arguments: Vec<NodeRef<'_>> = node.children_of(NodeKind::SliceArg).collect();
    let [offset, size, stride] = &arguments[..] else {
        let message = format!("a slice has an offset, a size and a stride; {} given", arguments.len());
        let diagnostic = c.diagnostic(Code::BadSlice, node.span(), message).label("three are wanted");
        c.report(diagnostic.help("`?` stands for what is only known at run time"));
        return None;
    };
    let offset = read_slice_part(*offset, ("offset", 0), c);
    let (size, stride) = (read_slice_part(*size, ("size", 1), c), read_slice_part(*stride, ("stride", 1), c));
    Some(Slice { offset: offset?, size: size?, stride: stride? })
}

/// A part of a slice, which is `least` or more.
fn read_slice_part(node: NodeRef<'_>, (what, least): (&str, u64), c: &mut Checker<'_>) -> Option<Option<u64>> {
    if node.text() == "?" {
        return Some(None);
    }
    let number = super::entry::parse_integer(node.text()).and_then(|n| u64::try_from(n).ok());
    if number.is_none_or(|n| !(least..=i64::MAX as u64).contains(&n)) {
        let message = format!("the {what} of a slice is a number from {least} up, or `?`; not `{}`", node.text());
        let diagnostic = c.diagnostic(Code::BadSlice, node.span(), message).label("no such number");
        c.report(diagnostic.help("`slice(0, 4, 1)` are four coordinates from 0 on, one beside the other"));
        return None;
    }
    Some(number)
}

fn read_slice_alias(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Slice> {
    if let Some(slice) = c.slices.get(node.text()).copied() {
        super::reference_to(node, c);
        return Some(slice);
    }
    if c.alias(node.text()).is_some() {
        let message = format!("`{}` is not a slice", node.text());
        c.report(c.diagnostic(Code::BadSlice, node.span(), message).label("names something else"));
    }
    super::reference_to(node, c);
    None
}
