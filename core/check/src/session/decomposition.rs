//! `A = decompose(A, [BSR(32, 32), BSR(8, 8), CSR])`: a tensor in several formats.

use super::{Decomposition, Notation, Statement, word};
use crate::{
    scope::{Format, FormatPart, Meaning, PartialType, Word, plural},
    spec::{self, Spec},
    value::value,
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    source::Span,
};
use nnz_encoding::{
    Encoding,
    groups::{self, Misfit},
};
use nnz_syntax::{NodeKind, NodeRef};

/// The share of a group that is stored where a part takes it, unless the text says another.
const FILLED: f64 = 0.5;

const FORM: &str = "as in `A = decompose(A, [BSR(32, 32), BSR(8, 8), CSR])`";

impl Notation<'_, '_> {
    pub(super) fn decomposition(&mut self, name: Word, node: NodeRef<'_>) -> Option<Statement> {
        let (source, ty) = self.decomposed(node)?;
        let list = node.child(NodeKind::FormatList).or_else(|| self.lacks_formats(node))?;
        let specs: Option<Vec<Spec>> = list.children().map(|part| spec::spec(self.c, part)).collect();
        let specs = specs?;
        let filled = self.filled(node)?;
        let rank = ty.rank().or_else(|| specs.iter().find_map(Spec::rank));
        let rank = rank.or_else(|| self.unknown_rank(&source))?;
        let parts: Option<Vec<FormatPart>> = specs.iter().map(|spec| self.part(spec, rank)).collect();
        let (parts, places): (_, Vec<Span>) = (parts?, specs.iter().map(|spec| spec.span).collect());
        self.check_parts(list, &parts, &places)?;
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let format_name = Some(names.join(" + "));
        let parts = std::sync::Arc::from(parts);
        let shape = ty.shape.or(Some(vec![None; rank]));
        let format = Some(Format::Parts(std::sync::Arc::clone(&parts)));
        let ty = PartialType { element: ty.element, shape, format, format_name };
        Some(Statement::Decompose(Decomposition { name, source, parts, places, filled, ty }))
    }

    /// The tensor whose entries the parts store.
    fn decomposed(&mut self, node: NodeRef<'_>) -> Option<(Word, PartialType)> {
        let first = node.children().next();
        let Some(operand) = first.filter(|first| !matches!(first.kind(), NodeKind::FormatList | NodeKind::NamedArg))
        else {
            self.fault_of_decomposition(node.span(), "`decompose` names the tensor that it stores", "of no tensor");
            return None;
        };
        if operand.kind() != NodeKind::Name {
            let message = format!("`{}` is no name of a tensor", operand.text().lines().next().unwrap_or_default());
            self.fault_of_decomposition(operand.span(), &message, "no name");
            return None;
        }
        let name = word(operand)?;
        match self.scope.get(&name.text) {
            Some(Meaning::Tensor(ty)) => Some((name, ty.clone())),
            Some(Meaning::Broken) => None,
            Some(Meaning::Scalar(_)) => {
                let message = format!("`{}` is a scalar, and has no entries to decompose", name.text);
                self.fault_of_decomposition(name.span, &message, "a scalar");
                None
            }
            Some(Meaning::Encoding(_)) | None => {
                self.unknown(&name);
                None
            }
        }
    }

    fn fault_of_decomposition(&mut self, place: Span, message: &str, label: &str) {
        let error = self.error(Code::Decomposition, place, message.to_string());
        *error = error.clone().label(label).help(FORM);
    }

    fn lacks_formats<'t>(&mut self, node: NodeRef<'t>) -> Option<NodeRef<'t>> {
        self.fault_of_decomposition(node.span(), "`decompose` takes a list of formats", "no formats in brackets");
        None
    }

    fn unknown_rank<T>(&mut self, source: &Word) -> Option<T> {
        let message = format!("how many dimensions `{}` has is not known here", source.text);
        let error = self.error(Code::Decomposition, source.span, message);
        let told = "its type tells, as in `A : CSR = read \"file.mtx\"`";
        *error = error.clone().label("of unknown rank").help(told);
        None
    }

    fn part(&mut self, spec: &Spec, rank: usize) -> Option<FormatPart> {
        let text = self.c.text(spec.span).to_string();
        if spec.shape.is_some() || spec.element.is_some() {
            let error =
                self.error(Code::Decomposition, spec.span, format!("`{text}` is a type, and a part has a format"));
            *error =
                error.clone().label("a type").help("the parts have the type of the tensor; name their formats alone");
            return None;
        }
        match spec.format_of_rank(self.c, rank)? {
            Format::Encoded(encoding) => {
                let name = spec.format_name.clone().unwrap_or_else(|| encoding.to_string());
                Some(FormatPart { name, encoding })
            }
            Format::Plain | Format::Parts(_) => {
                self.misfit(spec.span, &format!("`{text}` stores every place of the tensor"), "is no part", WHOLE);
                None
            }
        }
    }

    fn check_parts(&mut self, list: NodeRef<'_>, parts: &[FormatPart], places: &[Span]) -> Option<()> {
        if parts.is_empty() {
            self.fault_of_decomposition(list.span(), "there is no format in this list", "no parts");
            return None;
        }
        let encodings: Vec<&Encoding> = parts.iter().map(|part| &*part.encoding).collect();
        let Some(misfit) = groups::misfit(&encodings) else { return Some(()) };
        let (name, text) = (|at: usize| parts[at].name.as_str(), misfit);
        match text {
            Misfit::TakesAll { at } => {
                let (message, behind) = (format!("`{}` takes every entry", name(at)), parts.len() - at - 1);
                let label = format!("nothing is left for {} behind it", plural(behind, "part"));
                self.misfit(places[at], &message, &label, "put it last: a part takes what those before it leave");
            }
            Misfit::Whole { at } => {
                let message = format!("`{}` stores every place of the tensor", name(at));
                self.misfit(places[at], &message, "is no part", WHOLE);
            }
            Misfit::Pads { at } => {
                let message = format!("`{}` fills gaps with zeros, which would be at places of other parts", name(at));
                self.misfit(places[at], &message, "pads", "`CSR` or `COO` stores entries alone");
            }
            Misfit::Overlaps { at, before } => {
                let message = format!("groups of `{}` may lie across those of `{}`", name(at), name(before));
                let help = "larger blocks stand first, and each size divides that of the blocks before; formats of single entries stand last";
                self.misfit(places[at], &message, "would store places of another part", help);
            }
        }
        None
    }

    fn misfit(&mut self, place: Span, message: &str, label: &str, help: &str) {
        let error = self.error(Code::Decomposition, place, message.to_string());
        *error = error.clone().label(label).help(help);
    }

    /// `filled = 0.25`
    fn filled(&mut self, node: NodeRef<'_>) -> Option<f64> {
        let mut filled = FILLED;
        let formats = node.children().position(|part| part.kind() == NodeKind::FormatList).unwrap_or(0);
        for argument in node.children().skip(formats + 1) {
            let named = argument.kind() == NodeKind::NamedArg && argument.first_token()?.text() == "filled";
            let number = argument.children().next().filter(|_| named);
            let Some(number) = number else {
                let message = format!("`decompose` takes no `{}`", argument.text().lines().next().unwrap_or_default());
                let error = self.error(Code::Decomposition, argument.span(), message);
                *error = error.clone().label("not taken").help("behind the list only `filled = 0.5` may stand");
                return None;
            };
            filled = self.share(number)?;
        }
        Some(filled)
    }

    fn share(&mut self, number: NodeRef<'_>) -> Option<f64> {
        match value(self.file(), number, Element::F64) {
            Ok(Scalar::Float(share)) if share > 0.0 && share <= 1.0 => Some(share),
            Ok(_) => {
                let message = format!("`{}` is no share of a block's places", number.text());
                self.misfit(number.span(), &message, "not above 0 and at most 1", "as in `filled = 0.25`, a quarter");
                None
            }
            Err(error) => {
                self.c.diagnostics.push(*error);
                None
            }
        }
    }

    /// `A : CSR = decompose(B, [...])`: the list has the formats.
    pub(super) fn typed_decomposition(&mut self, (name, spec): (&Word, NodeRef<'_>), node: NodeRef<'_>) {
        let message = "a decomposed tensor has the formats of its list, and the type of what is decomposed".to_string();
        let error = Diagnostic::new(Code::Decomposition, self.file(), spec.span(), message).label("not here");
        let head = Span { start: name.span.end, end: spec.span().end };
        let written = node.child(NodeKind::FormatList).is_some();
        self.c.report(if written { error.fix("remove the type", head, "") } else { error.help(FORM) });
    }
}

const WHOLE: &str = "a part stores some entries; a tensor is stored densely by its type: `B : dense = A`";
