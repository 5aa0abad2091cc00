//! The inherent attributes of operations. Each is declared with its operation and its kind; `checks/attributes.rs`
//! checks them, because generic syntax can omit an attribute or give it any value. An operation's `verify` checks what
//! depends on the operands.

use crate::{attribute::Attribute, types::Type};
use nnz_base::element::Element;
use nnz_check::list_of;

/// An inherent attribute of an operation.
pub struct Inherent {
    pub name: &'static str,
    pub kind: Kind,
    /// The generic syntax does not leave it out.
    pub needed: bool,
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number of a type, from one to another, both included.
    Number(Element, i128, i128),
    /// `array<i64: 1, 0>`, of this type
    Numbers(Element),
    /// `dense<[1, 2]> : tensor<2xi64>`
    Dense,
    /// `[[0, 1], [2]]`
    Groups,
    Truth,
    /// An `i64`.
    PowerOfTwo,
    /// `[true, false]`
    Truths,
    Map,
    /// `[affine_map<...>, affine_map<...>]`
    Maps,
    Text,
    /// `@name`
    Symbol,
    /// A name without a value.
    Flag,
    /// `#arith.fastmath<nnan, ninf>`: the name, and the words that it may contain.
    Flags(&'static str, &'static [&'static str]),
    /// `#dialect<kind word>`
    Word(&'static [&'static str]),
    Encoding,
    /// The number of operands in each of so many groups: `array<i32: 1, 0>`.
    Sizes(usize),
    /// `verify` looks at it.
    Any,
}

pub const fn needs(name: &'static str, kind: Kind) -> Inherent {
    Inherent { name, kind, needed: true }
}
pub(crate) const fn may_have(name: &'static str, kind: Kind) -> Inherent {
    Inherent { name, kind, needed: false }
}
/// `fastmath<fast>`
pub(crate) const FAST_MATH: Inherent = may_have(
    "fastmath",
    Kind::Flags("fastmath", &["none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"]),
);
/// `overflow<nsw>`
pub(crate) const OVERFLOW: Inherent = may_have("overflowFlags", Kind::Flags("overflow", &["none", "nsw", "nuw"]));
/// `exact`
pub(crate) const EXACT: Inherent = may_have("isExact", Kind::Flag);
/// `to_nearest_even`
pub(crate) const ROUNDING: Inherent = may_have("roundingmode", Kind::Number(Element::I32, 0, 4));
/// Of what is read or written.
pub(crate) const NONTEMPORAL: Inherent = may_have("nontemporal", Kind::Truth);
/// In bytes.
pub(crate) const ALIGNMENT: Inherent = may_have("alignment", Kind::PowerOfTwo);
/// The sizes of `count` groups of operands, several of which have any size.
pub const fn groups(count: usize) -> Inherent {
    needs(SIZES, Kind::Sizes(count))
}

/// The name of the attribute with the sizes of groups of operands.
pub(crate) const SIZES: &str = "operandSegmentSizes";

/// A list of numbers.
pub(crate) const NUMBERS: Kind = Kind::Numbers(Element::I64);
/// A number that counts from 0.
pub const COUNT: Kind = Kind::Number(Element::I64, 0, i64::MAX as i128);
/// The number of a level or of a dimension.
pub const INDEX: Kind = Kind::Number(Element::Index, 0, i64::MAX as i128);

impl Kind {
    pub(crate) fn holds(self, value: &Attribute) -> bool {
        let whole = |value: &Attribute| matches!(value, Attribute::Number(..)) && value.as_int().is_some();
        let all =
            |fits: &dyn Fn(&Attribute) -> bool| matches!(value, Attribute::Array(items) if items.iter().all(fits));
        match self {
            Kind::Number(element, low, high) => {
                if let Attribute::Number(_, ty) = value {
                    // Without a type a number is an `i64`.
                    let same = |ty: &Type| *ty == Type::Scalar(element);
                    ty.as_ref().map_or(element != Element::Index, same)
                        && value.as_int().is_some_and(|number| (low..=high).contains(&number))
                } else {
                    false
                }
            }
            Kind::Numbers(element) => {
                all(&|item| whole(item) && is_of(item, element))
                    || matches!(value, Attribute::Dense(_)) && value.as_ints().is_some()
            }
            Kind::Dense => matches!(value, Attribute::Dense(literal) if literal.ty.element() == Some(Element::I64)),
            Kind::Groups => all(&|group| matches!(group, Attribute::Array(dims) if dims.iter().all(whole))),
            Kind::Truth => matches!(value, Attribute::Bool(_)),
            Kind::PowerOfTwo => {
                let power = |number: i128| u64::try_from(number).is_ok_and(u64::is_power_of_two);
                Kind::Number(Element::I64, 1, i128::from(i64::MAX)).holds(value) && value.as_int().is_some_and(power)
            }
            Kind::Truths => all(&|item| matches!(item, Attribute::Bool(_))),
            _ if value.is_broken() => true,
            Kind::Map => value.as_map().is_some(),
            Kind::Maps => all(&|item| item.as_map().is_some()),
            Kind::Text => matches!(value, Attribute::Text(_)),
            Kind::Symbol => matches!(value, Attribute::Symbol(_)),
            Kind::Flag => matches!(value, Attribute::Unit),
            Kind::Flags(name, known) => {
                matches!(value, Attribute::Word(word) if words_of(word, name).is_some_and(|mut words| words.all(|word| known.contains(&word))))
            }
            Kind::Word(known) => value.as_text().is_some_and(|text| known.contains(&last_word(text))),
            Kind::Encoding => matches!(value, Attribute::Encoding(_)),
            Kind::Sizes(count) => {
                all(&|size| size.as_int().is_some_and(|size| size >= 0))
                    && value.as_ints().is_some_and(|sizes| sizes.len() == count)
            }
            Kind::Any => true,
        }
    }

    /// What is wanted, behind "is".
    pub(crate) fn words(self) -> String {
        match self {
            Kind::Number(Element::Index, 0, _) => "a number of type `index`, from 0 on".to_string(),
            Kind::Number(_, low, high) if high == i128::from(i64::MAX) => format!("a whole number from {low} on"),
            Kind::Number(_, low, high) => format!("a whole number from {low} to {high}"),
            Kind::Numbers(element) => format!("a list of numbers, as in `array<{element}: 1, 0>`"),
            Kind::Dense => "a list of numbers, as in `dense<[1, 2]> : tensor<2xi64>`".to_string(),
            Kind::Groups => "a list of lists of numbers, as in `[[0, 1], [2]]`".to_string(),
            Kind::Truth => "`true` or `false`".to_string(),
            Kind::PowerOfTwo => "a power of two, as in `16 : i64`".to_string(),
            Kind::Truths => "a list of `true` and `false`".to_string(),
            Kind::Map => "an affine map".to_string(),
            Kind::Maps => "a list of affine maps".to_string(),
            Kind::Text => "a text in quotes".to_string(),
            Kind::Symbol => "a name, as in `@main`".to_string(),
            Kind::Flag => "a name without a value".to_string(),
            Kind::Flags(name, known) => format!("`#arith.{name}<...>` of {}", list_of(known)),
            Kind::Word(known) => format!("one of {}", list_of(known)),
            Kind::Encoding => "an encoding".to_string(),
            Kind::Sizes(count) => {
                let sizes = vec!["1"; count].join(", ");
                format!("the sizes of {count} groups of operands, as in `array<i32: {sizes}>`")
            }
            Kind::Any => "an attribute".to_string(),
        }
    }
}

/// The `nnan` and `ninf` of `#arith.fastmath<nnan, ninf>`.
fn words_of<'t>(text: &'t str, name: &str) -> Option<impl Iterator<Item = &'t str>> {
    let inner = text.strip_prefix("#arith.")?.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')?;
    Some(inner.split(',').map(str::trim))
}

/// The `quick_sort` of `#sparse_tensor<SparseTensorSortAlgorithm quick_sort>`, the `add` of `#vector.kind<add>`.
fn last_word(text: &str) -> &str {
    let inner = text.strip_suffix('>').unwrap_or(text);
    inner.rsplit(['<', ' ']).next().unwrap_or(inner)
}

/// Whether a number says this type, or none.
fn is_of(number: &Attribute, element: Element) -> bool {
    matches!(number, Attribute::Number(_, ty) if ty.as_ref().is_none_or(|ty| *ty == Type::Scalar(element)))
}
