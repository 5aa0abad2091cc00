//! Bodies of kernels that the text omits.

use super::Reader;
use crate::{
    attribute::{Attribute, Attributes},
    checks,
    draft::Draft,
    ir::{Op, Operand, Region, ValueId},
    mistake::{Mistake, Read},
    operation::{OpDef, Role},
    types::{Type, width},
};
use nnz_base::{
    element::{Element, Scalar},
    source::Span,
};

/// A region of scalar operations, made one by one. Values are numbered from the arguments on.
pub struct BodyBuilder<'r, 'c> {
    reader: &'r mut Reader<'c>,
    span: Span,
    /// The place for mistakes of its operations.
    guilty: Span,
    values: Vec<(ValueId, Element)>,
    region: Region,
    /// Conversions take integers as numbers without a sign.
    unsigned: bool,
}

impl<'r, 'c> BodyBuilder<'r, 'c> {
    /// A region that takes one value of each of `elements`.
    pub fn new(reader: &'r mut Reader<'c>, elements: &[Element]) -> Self {
        let span = reader.last_span();
        let (values, region) = (Vec::new(), Region::default());
        let mut builder = BodyBuilder { reader, span, guilty: span, values, region, unsigned: false };
        for element in elements {
            builder.value(*element);
            builder.region.arguments.extend(builder.operand(builder.values.len() - 1));
        }
        builder
    }

    /// The same, with mistakes reported at `guilty`.
    #[must_use]
    pub fn of(mut self, guilty: Span) -> Self {
        self.guilty = guilty;
        self
    }

    /// The same, with conversions that take integers as numbers without a sign, or keep their sign.
    #[must_use]
    pub fn unsigned(mut self, unsigned: bool) -> Self {
        self.unsigned = unsigned;
        self
    }

    fn value(&mut self, element: Element) -> ValueId {
        let id = self.reader.unnamed(Type::Scalar(element));
        self.values.push((id, element));
        id
    }

    fn operand(&self, at: usize) -> Option<Operand> {
        let (value, element) = *self.values.get(at)?;
        Some(Operand::new(value, Type::Scalar(element), self.guilty))
    }

    /// Appends an operation; gives its result.
    ///
    /// # Errors
    /// As `operation_having`.
    pub fn operation(&mut self, name: &str, operands: &[usize], to: Element) -> Read<usize> {
        self.operation_having(name, Attributes::default(), operands, to)
    }

    /// Appends an operation with attributes, checked like one in the text, and returns its result.
    ///
    /// # Errors
    /// An operation or an operand that does not exist, or has another type.
    pub(crate) fn operation_having(
        &mut self,
        name: &str,
        attributes: Attributes,
        operands: &[usize],
        to: Element,
    ) -> Read<usize> {
        let dialects = self.reader.dialects;
        let entry = dialects.lookup(name).ok_or_else(|| self.reader.unknown(name, self.guilty))?;
        let def = &entry.def;
        if def.role != Role::Scalar && name != "arith.constant" {
            let message = format!("`{name}` is no function of scalars");
            return Err(Mistake::types(self.guilty, message).label("computes no entry"));
        }
        let missing = || Mistake::unsupported(self.span, format!("an operand of `{name}` is not there"));
        let operands = operands.iter().map(|at| self.operand(*at)).collect::<Option<_>>().ok_or_else(missing)?;
        let draft = Draft {
            operands,
            results: vec![Type::Scalar(to)],
            attributes,
            text: self.reader.checked.source.text.clone(),
            ..Draft::new(def, self.guilty)
        };
        checks::attributes::check(&draft)?;
        checks::all(&draft, entry.verify)?;
        let result = self.value(to);
        let Draft { operands, results, attributes, .. } = draft;
        self.push(def, operands, vec![result], results);
        if let Some(op) = self.region.operations.last_mut() {
            op.attributes = attributes;
        }
        Ok(self.values.len() - 1)
    }

    /// Appends a constant; gives its value.
    ///
    /// # Errors
    /// As [`BodyBuilder::operation`].
    pub fn constant(&mut self, number: Scalar, element: Element) -> Read<usize> {
        let mut attributes = Attributes::default();
        attributes.set("value", Attribute::Number(number, Some(Type::Scalar(element))));
        self.operation_having("arith.constant", attributes, &[], element)
    }

    /// Two operands of the result's type.
    ///
    /// # Errors
    /// As [`BodyBuilder::operation`].
    pub fn binary(&mut self, name: &str, a: usize, b: usize) -> Read<usize> {
        let to = self.values.get(a).map_or(Element::F64, |(_, element)| *element);
        self.operation(name, &[a, b], to)
    }

    /// A value in another element type; integers keep their sign, unless they have none.
    ///
    /// # Errors
    /// Types without a conversion.
    pub fn cast(&mut self, at: usize, to: Element) -> Read<usize> {
        let from = self.values.get(at).map_or(to, |(_, element)| *element);
        if from == to {
            return Ok(at);
        }
        match conversion(from, to, self.unsigned) {
            Some(name) => self.operation(name, &[at], to),
            None => Err(Mistake::types(self.span, format!("`{from}` entries do not become `{to}`"))),
        }
    }

    /// Ends the region, which yields values.
    ///
    /// # Errors
    /// A value that does not exist.
    pub fn finish(mut self, yielded: &[usize]) -> Read<Region> {
        let missing = || Mistake::unsupported(self.span, "the body of this kernel cannot be made");
        let def = &self.reader.dialects.lookup("linalg.yield").ok_or_else(missing)?.def;
        let operands = yielded.iter().map(|at| self.operand(*at)).collect::<Option<_>>().ok_or_else(missing)?;
        self.push(def, operands, Vec::new(), Vec::new());
        Ok(self.region)
    }

    fn push(&mut self, def: &'static OpDef, operands: Vec<Operand>, results: Vec<ValueId>, result_types: Vec<Type>) {
        let (span, attributes) = (self.span, Attributes::default());
        let (segments, regions, successors) = (Vec::new(), Vec::new(), Vec::new());
        let idle = false;
        let op = Op { def, span, operands, segments, results, result_types, attributes, regions, successors, idle };
        self.region.operations.push(op);
    }
}

/// The operation that makes a number of another type.
pub(super) fn conversion(from: Element, to: Element, unsigned: bool) -> Option<&'static str> {
    let of_sign = |signed, without| if unsigned { without } else { signed };
    Some(match (from.is_float(), to.is_float()) {
        _ if from.is_complex() || to.is_complex() => return None,
        (true, true) if width(from) < width(to) => "arith.extf",
        (true, true) => "arith.truncf",
        (true, false) => of_sign("arith.fptosi", "arith.fptoui"),
        (false, true) => of_sign("arith.sitofp", "arith.uitofp"),
        (false, false) if from == Element::Index || to == Element::Index => {
            of_sign("arith.index_cast", "arith.index_castui")
        }
        (false, false) if width(from) < width(to) => of_sign("arith.extsi", "arith.extui"),
        (false, false) => "arith.trunci",
    })
}
