//! The type of the RFC of November 2020: `sparse_tensor<32x16xf32, DxS, (i,j)->(j,i), i32, index>`: one letter
//! per level (`D` dense, `S` compressed), the order of the levels, the types of positions and coordinates.

use std::sync::Arc;

use super::{TensorType, TypeSite, read_shape};
use crate::{
    Checker,
    encoding::legacy::{OldMap, width_of_type},
};
use nnz_base::{
    arrays::Width,
    diagnostic::{Code, counted},
    element::Element,
};
use nnz_encoding::{Dimension, Encoding, EncodingParts, Level, LevelFormat, Props};
use nnz_syntax::{NodeKind, NodeRef};

/// The tensor type that a `RfcType` node means, with a warning and the fix.
pub(super) fn rfc_type(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<TensorType> {
    let shape_node = node.child(NodeKind::Shape)?;
    let shape = read_shape(shape_node.text())?;
    let mut values = node.children_of(NodeKind::Value);
    let letters = values.next();
    let formats = match letters {
        Some(letters) => read_letters(letters, c)?,
        None => vec![LevelFormat::Dense; shape.dims.len()],
    };
    let widths: Vec<Width> = values.map(|value| read_width(value, c)).collect::<Option<_>>()?;
    let order = node.child(NodeKind::AffineMap);
    let map = order.map_or_else(|| OldMap::identity(formats.len()), |map| OldMap::read(map, c));
    let encoding = Arc::new(build(node, map, &formats, &widths, c)?);
    if encoding.dim_rank() != shape.dims.len() {
        let (levels, dims) = (counted(formats.len(), "level"), counted(shape.dims.len(), "dimension"));
        let message = format!("{levels} described for {dims}");
        let error = c.diagnostic(Code::RankMismatch, letters.map_or(node.span(), |letters| letters.span()), message);
        c.report(error.label(levels));
        return None;
    }
    let element = Element::parse(&shape.element)?;
    let message = "this is the sparse tensor type of the RFC of 2020";
    let text = format!("tensor<{}, {encoding}>", shape_node.text());
    let diagnostic =
        c.diagnostic(Code::HistoricEncoding, node.span(), message).label("today a tensor type with an encoding");
    c.report(diagnostic.respelt("write it as a tensor type with an encoding", node.span(), text));
    let tensor = TensorType { shape: shape.dims, element, encoding: Some(encoding) };
    c.record_type(TypeSite { span: node.span(), shape: shape_node.span(), tensor: Some(tensor.clone().into()) });
    Some(tensor)
}

/// `DxS`
fn read_letters(letters: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Vec<LevelFormat>> {
    let format = |letter: &str| match letter.trim() {
        "D" => Some(LevelFormat::Dense),
        "S" => Some(LevelFormat::Compressed(Props::default())),
        _ => None,
    };
    let formats: Option<Vec<LevelFormat>> = letters.text().split('x').map(format).collect();
    if formats.is_none() {
        let message = format!("`{}` does not say how the levels are stored", letters.text());
        let diagnostic = c.diagnostic(Code::UnknownLevelFormat, letters.span(), message);
        c.report(
            diagnostic
                .label("other letters than `D` and `S`")
                .help("one letter per level: `D` for dense, `S` for sparse, as in `DxS`"),
        );
    }
    formats
}

fn read_width(value: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Width> {
    let width = width_of_type(value.text());
    if width.is_none() {
        let message = format!("`{}` is not a type of positions or coordinates", value.text());
        let diagnostic = c.diagnostic(Code::BadWidth, value.span(), message).label("no such type");
        c.report(diagnostic.help("`i8`, `i16`, `i32`, `i64` or `index`"));
    }
    width
}

fn build(
    node: NodeRef<'_>,
    map: OldMap,
    formats: &[LevelFormat],
    widths: &[Width],
    c: &mut Checker<'_>,
) -> Option<Encoding> {
    let same = map.levels.len() == formats.len();
    let levels = map.levels.into_iter().zip(formats).map(|(expr, &format)| Level { name: None, expr, format });
    let width = |at: usize| widths.get(at).copied().unwrap_or_default();
    let parts = EncodingParts {
        dims: map.dims.into_iter().map(|name| Dimension { name, slice: None }).collect(),
        levels: levels.collect(),
        pos_width: width(0),
        crd_width: width(1),
        ..Default::default()
    };
    let encoding = Encoding::new(parts).ok().filter(|_| same);
    if encoding.is_none() {
        let message = "the levels and their order do not make an encoding";
        c.report(c.diagnostic(Code::LevelVariables, node.span(), message));
    }
    encoding
}
