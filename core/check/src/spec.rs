//! The part after the `:` of a definition: a type, an encoding, or the name of a format.

use std::sync::Arc;

use super::{
    Checker,
    encoding::{encoding_of, format_arguments, formats_of, name_error},
    functions,
    scope::{Format, PartialType, nearest, plural, suggest},
    types::tensor_type_of,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::Element,
    source::Span,
};
use nnz_encoding::{
    format,
    named::{self, NameError},
};
use nnz_syntax::{NodeKind, NodeRef, habits};

/// A declared type; what it leaves open follows from the data.
#[derive(Clone, Debug)]
pub struct Spec {
    pub span: Span,
    pub element: Option<Element>,
    /// `None`: not declared; within, `None` for `?`.
    pub shape: Option<Vec<Option<u64>>>,
    format: SpecFormat,
    /// The encoding as the user wrote it.
    pub format_name: Option<String>,
}

#[derive(Clone, Debug)]
enum SpecFormat {
    Known(Format),
    /// A format by its name, which exists for several ranks.
    Named {
        name: String,
        args: Vec<u64>,
    },
}

impl Spec {
    /// For a tensor that is declared without a type: dense, and the rest follows from the data.
    pub fn plain(span: Span) -> Spec {
        Spec { span, element: None, shape: None, format: SpecFormat::Known(Format::Plain), format_name: None }
    }

    /// For a tensor of any type, stored in the format called `name`.
    pub fn stored(span: Span, format: Format, name: &str) -> Spec {
        Spec { format: SpecFormat::Known(format), format_name: Some(name.to_string()), ..Spec::plain(span) }
    }

    /// The type of a scalar.
    pub fn scalar(&self) -> Option<Element> {
        let scalar = self.shape.as_ref().is_some_and(Vec::is_empty);
        self.element.filter(|_| scalar)
    }

    /// Every size, if all are declared.
    pub fn sizes(&self) -> Option<Vec<u64>> {
        self.shape.as_ref()?.iter().copied().collect()
    }

    /// The type as a whole, if it leaves nothing open.
    pub(crate) fn declared(&self) -> Option<PartialType> {
        let shape = self.sizes()?;
        let (element, format) = (Some(self.element?), self.known_format(shape.len()));
        let shape = Some(shape.into_iter().map(Some).collect());
        Some(PartialType { element, shape, format, format_name: self.format_name.clone() })
    }

    /// The rank, if the type alone determines it.
    pub fn rank(&self) -> Option<usize> {
        let of_format = match &self.format {
            SpecFormat::Known(Format::Encoded(encoding)) => Some(encoding.dim_rank()),
            SpecFormat::Known(Format::Plain | Format::Parts(_)) => None,
            SpecFormat::Named { name, args } => only_rank(name, args),
        };
        self.shape.as_ref().map(Vec::len).or(of_format)
    }

    /// The encoding of a tensor of `rank`; `None` if this is not a format of that rank.
    pub fn known_format(&self, rank: usize) -> Option<Format> {
        match &self.format {
            SpecFormat::Known(Format::Plain) => Some(Format::Plain),
            // No type says it: `decompose` makes parts.
            SpecFormat::Known(Format::Parts(_)) => None,
            SpecFormat::Known(Format::Encoded(encoding)) => {
                (encoding.dim_rank() == rank).then(|| Format::Encoded(encoding.clone()))
            }
            SpecFormat::Named { name, args } => format_named(name, args, rank),
        }
    }

    /// As [`Spec::known_format`], reporting the mismatch.
    pub(crate) fn format_of_rank(&self, c: &mut Checker<'_>, rank: usize) -> Option<Format> {
        let found = self.known_format(rank);
        if found.is_none() {
            let name = self.format_name.as_ref().map_or("the encoding".to_string(), |name| format!("`{name}`"));
            let (message, label) = match self.rank() {
                Some(own) if own != rank => {
                    let own = plural(own, "dimension");
                    (format!("{name} is for {own}, the tensor has {rank}"), format!("for {own}"))
                }
                _ => {
                    let wanted = plural(rank, "dimension");
                    (format!("{name} does not exist for {wanted}"), format!("not for {wanted}"))
                }
            };
            let error = c.diagnostic(Code::WrongArity, self.span, message).label(label);
            c.report(match formats_of(rank).as_slice() {
                [] => error,
                all => error.help(format!("formats of rank {rank}: {}", crate::list_of(all))),
            });
        }
        found
    }
}

/// The type of a `TypeSpec` node; `None` if it is broken, which is then reported.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
pub fn spec(c: &mut Checker<'_>, node: NodeRef<'_>) -> Option<Spec> {
    let child = node.children().next()?;
    if let Some(value) = [child].into_iter().chain(child.children()).find(is_other_value) {
        no_encoding(c, value);
        return None;
    }
    match child.kind() {
        NodeKind::TensorType | NodeKind::RfcType | NodeKind::Shape => of_type(c, child),
        NodeKind::FormatName => of_name(c, child),
        _ => {
            let encoding = encoding_of(child, c)?;
            let format_name = (child.kind() == NodeKind::AliasRef).then(|| child.text().to_string());
            Some(bare(child, SpecFormat::Known(Format::Encoded(encoding)), format_name))
        }
    }
}

/// What MLIR accepts in place of an encoding, but a session does not.
fn is_other_value(node: &NodeRef<'_>) -> bool {
    use NodeKind::{AffineMap, Array, Slice, Tuple, Value};
    matches!(node.kind(), Value | Array | Tuple | AffineMap | Slice)
}

fn no_encoding(c: &mut Checker<'_>, node: NodeRef<'_>) {
    if c.misspells_encoding(node) {
        return;
    }
    let message = format!("`{}` is no encoding", node.text().lines().next().unwrap_or_default());
    if let Some(own) = of_taco(node.text()) {
        let error = c.diagnostic(Code::OtherNotation, node.span(), message).label(format!("written `{own}`"));
        let told = error.help(format!("TACO's `{}` is `{own}`", node.text()));
        return c.report(told.fix(format!("write `{own}`"), node.span(), own));
    }
    let error = c.diagnostic(Code::NoMap, node.span(), message).label("no encoding");
    c.report(error.help("an encoding is the name of a format, such as `CSR`, or a `#name` that is defined"));
}

/// The format that TACO calls `{Dense, Sparse}`, or `ds`.
fn of_taco(text: &str) -> Option<&'static str> {
    let levels = match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        Some(inside) => inside.split(',').map(|level| level.trim().chars().next()).collect(),
        None => text.chars().map(Some).collect::<Vec<_>>(),
    };
    let letters: Option<String> = levels.into_iter().map(|first| Some(first?.to_ascii_lowercase())).collect();
    match letters?.as_str() {
        "d" | "dd" | "ddd" => Some("dense"),
        "s" => Some("SparseVector"),
        "ds" => Some("CSR"),
        "ss" => Some("DCSR"),
        "sss" => Some("CSF"),
        _ => None,
    }
}

fn bare(node: NodeRef<'_>, format: SpecFormat, format_name: Option<String>) -> Spec {
    Spec { span: node.span(), element: None, shape: None, format, format_name }
}

fn of_type(c: &mut Checker<'_>, node: NodeRef<'_>) -> Option<Spec> {
    let ty = tensor_type_of(node, c)?;
    let slot = node.children().find(|child| !matches!(child.kind(), NodeKind::Shape | NodeKind::Error));
    let named = slot.filter(|slot| matches!(slot.kind(), NodeKind::FormatName | NodeKind::AliasRef));
    let format = match (ty.encoding, slot) {
        (Some(encoding), _) => SpecFormat::Known(Format::Encoded(encoding)),
        (None, None) => SpecFormat::Known(Format::Plain),
        (None, Some(slot)) if slot.kind() == NodeKind::FormatName => format_name(c, slot)?,
        // It is broken, which has been reported.
        (None, Some(_)) => return None,
    };
    Some(Spec {
        span: node.span(),
        element: Some(ty.element),
        shape: Some(ty.shape),
        format,
        format_name: named.map(as_written),
    })
}

fn of_name(c: &mut Checker<'_>, node: NodeRef<'_>) -> Option<Spec> {
    if let Some(element) = Element::parse(node.text()) {
        let plain = SpecFormat::Known(Format::Plain);
        return Some(Spec { element: Some(element), shape: Some(Vec::new()), ..bare(node, plain, None) });
    }
    let format = format_name(c, node)?;
    Some(bare(node, format, Some(as_written(node))))
}

/// The name of a format as `BSR(2, 2)`, whatever stands between its parts.
fn as_written(node: NodeRef<'_>) -> String {
    let words = node.tokens().filter(|token| !token.kind().is_trivia()).map(|token| token.text());
    words.collect::<Vec<_>>().concat().replace(',', ", ")
}

fn format_name(c: &mut Checker<'_>, node: NodeRef<'_>) -> Option<SpecFormat> {
    let name = node.first_token()?.text().to_string();
    let args = format_arguments(node, c)?;
    match named::lookup(&name, &args, None) {
        Ok(_) => Some(SpecFormat::Named { name, args }),
        Err(error) => {
            c.report(unknown_format(c, node, &name, &error));
            None
        }
    }
}

fn unknown_format(c: &Checker<'_>, node: NodeRef<'_>, name: &str, error: &NameError) -> Diagnostic {
    // Its numbers stay.
    let place = node.first_token().map_or(node.span(), |name| name.span());
    let diagnostic = c.diagnostic(Code::UnknownName, place, error.to_string());
    match error {
        NameError::Arguments(_) | NameError::Size(_) | NameError::Rank { .. } => name_error(c, node, name, error),
        NameError::Unknown(_) => {
            let formats = || named::FORMATS.iter().map(|format| format.name);
            let elements = Element::ALL.iter().map(|element| element.name());
            let diagnostic = diagnostic.label("neither a format nor a type");
            let element = functions::conversion(name).map(Element::name);
            match habits::type_name(name).or(element).or(of_taco(name)) {
                Some(own) => {
                    // Sizes of blocks that are written stay.
                    let has_sizes = node.child(NodeKind::FormatArgs).is_some();
                    let own = if has_sizes { own.split('(').next().unwrap_or(own) } else { own };
                    let edit = Edit { file: c.source.id, span: place, replacement: own.to_string() };
                    let told = diagnostic.help(format!("`{name}` is written `{own}`"));
                    told.fix_edits(format!("write `{own}`"), vec![edit], Applicability::MaybeIncorrect)
                }
                None if is_level_format(name) => {
                    let matrix = format!("each level has its own: `(i, j) -> (i : dense, j : {name})`");
                    let vector = format!("of a vector: `(i) -> (i : {name})`");
                    diagnostic.label("the format of one level").help(matrix).help(vector)
                }
                // Two letters are near to too many names.
                None if name.len() < 3 => diagnostic.help(format!("the formats are {}", nearest(name, formats()))),
                None => {
                    let all = format!("the formats are {}", nearest(name, formats()));
                    suggest(diagnostic, name, named::spellings().chain(elements), all)
                }
            }
        }
        _ => diagnostic,
    }
}

/// Whether a level has it, and no tensor as a whole.
fn is_level_format(name: &str) -> bool {
    format::named(name).is_some()
}

/// The rank of a format that has only one.
fn only_rank(name: &str, args: &[u64]) -> Option<usize> {
    let format = named::format_called(name).ok()?;
    let encoding = named::lookup(name, args, None).ok()?;
    let has_rank = format.arguments.first().is_some_and(|argument| *argument == "rank?");
    let of_rank = has_rank && args.is_empty() && named::lookup(name, args, Some(encoding.dim_rank() + 1)).is_ok();
    (!of_rank).then(|| encoding.dim_rank())
}

/// The format of a name for tensors of `rank`, if there is one.
pub fn format_named(name: &str, args: &[u64], rank: usize) -> Option<Format> {
    match name {
        "dense" => Some(Format::Plain),
        _ => named::lookup(name, args, Some(rank)).ok().map(|encoding| Format::Encoded(Arc::new(encoding))),
    }
}
