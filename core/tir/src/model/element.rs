//! Element types, by the names that scripts have for them.

use nnz_base::element::Element;

const NAMES: &[(&str, Element)] = &[
    ("float16", Element::F16),
    ("bfloat16", Element::BF16),
    ("float32", Element::F32),
    ("float64", Element::F64),
    ("bool", Element::I1),
    ("int8", Element::I8),
    ("int16", Element::I16),
    ("int32", Element::I32),
    ("int64", Element::I64),
    ("uint8", Element::U8),
    ("uint16", Element::U16),
    ("uint32", Element::U32),
    ("uint64", Element::U64),
];

/// The element type that scripts call `name`.
pub fn element_named(name: &str) -> Option<Element> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, element)| *element)
}

/// What scripts call an element type; the others, which no script has, by their own names.
pub fn name_of(element: Element) -> &'static str {
    NAMES.iter().find(|(_, known)| *known == element).map_or(element.name(), |(name, _)| name)
}

/// All names, for messages.
pub(crate) fn names() -> Vec<&'static str> {
    NAMES.iter().map(|(name, _)| *name).collect()
}

/// The type of positions and coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    I32,
    I64,
}

impl Width {
    pub fn of(element: Element) -> Option<Width> {
        [Width::I32, Width::I64].into_iter().find(|width| width.element() == element)
    }
    pub fn element(self) -> Element {
        match self {
            Width::I32 => Element::I32,
            Width::I64 => Element::I64,
        }
    }
    pub fn bytes(self) -> u64 {
        match self {
            Width::I32 => 4,
            Width::I64 => 8,
        }
    }
}
