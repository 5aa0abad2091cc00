//! The errors of kernels.

use nnz_base::element::Element;

/// An access by its number in the text (the result is 0), and one of its indices if the error is about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessRef {
    pub access: usize,
    pub index: Option<usize>,
}

/// A broken rule. Dimensions are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    #[error("the expression is nested deeper than {limit} operations")]
    TooDeep { limit: usize },
    #[error("an access names tensor {tensor}, of which there are {count}")]
    NoTensor { tensor: usize, count: usize, place: AccessRef },
    #[error("an index names variable {var}, of which there are {count}")]
    NoVariable { var: usize, count: usize },
    #[error("`{tensor}` has {rank} dimensions and {given} indices")]
    Arity { tensor: String, rank: usize, given: usize, place: AccessRef },
    #[error("`{tensor}` has {shape_rank} dimensions, and its encoding is for {encoding_rank}")]
    EncodingRank { tensor: String, shape_rank: usize, encoding_rank: usize },
    #[error(
        "`{var}` runs to {first} in dimension {} of `{first_tensor}` and to {second} in dimension {} of `{second_tensor}`",
        .first_place.index.unwrap_or(0), .second_place.index.unwrap_or(0)
    )]
    ExtentMismatch {
        var: Box<str>,
        first: u64,
        first_tensor: Box<str>,
        first_place: AccessRef,
        second: u64,
        second_tensor: Box<str>,
        second_place: AccessRef,
    },
    #[error(
        "`{var}` takes {window} values and indexes dimension {} of `{tensor}`, which has size {size}",
        .place.index.unwrap_or(0)
    )]
    WindowMismatch { var: String, window: u64, size: u64, tensor: String, place: AccessRef },
    #[error("no access says how far `{var}` runs")]
    Unbounded { var: String },
    #[error("the result uses `{var}` twice")]
    RepeatedInResult { var: String, place: AccessRef },
    #[error("the result `{tensor}` is also an operand")]
    ResultIsOperand { tensor: String, place: AccessRef },
    #[error("`{operation}` of `{left}`, which is {left_element}, and of `{right}`, which is {right_element}")]
    Mixed { operation: &'static str, left: String, left_element: Element, right: String, right_element: Element },
    #[error("`{tensor}` holds {element}, and `{expr}` is {found}")]
    ResultElement { tensor: String, element: Element, expr: String, found: Element, converted: String },
    #[error("`{expr}` is {found} where a condition, {}, is needed", Element::I1)]
    NoCondition { expr: String, found: Element },
    #[error("`{from}` cannot be converted to `{to}`")]
    NoCast { from: Element, to: Element },
    #[error("`{var}` runs up to {last}, which {element} cannot hold")]
    NarrowIndex { var: String, last: u64, element: Element },
    #[error("`{operation}` over `{var}` gives up to {most}, which {element} cannot hold")]
    NarrowPlace { operation: &'static str, var: String, most: u64, element: Element },
    #[error("`{operation}` finds the place along one variable, and {count} are given")]
    OnePlace { operation: &'static str, count: usize },
    #[error("whether `{expr}` is present depends on values")]
    OpenPresence { expr: String },
    #[error("dimension {} of `{tensor}` has size {size}, and `{index}` {}", .place.index.unwrap_or(0), leaves(index, *reaches))]
    OutOfBounds { tensor: String, size: u64, index: String, reaches: i128, place: AccessRef },
    #[error("`{index}` leaves it open how far `{var}` runs")]
    OpenExtent { var: String, index: String, place: AccessRef },
    #[error("the result is indexed with `{index}`, not with a variable")]
    ResultIndex { index: String, place: AccessRef },
    #[error("the number {literal} is not a value of type {element}")]
    LiteralType { literal: String, element: Element },
    #[error("`{operation}` does not apply to values of type {element}")]
    NoOperation { operation: &'static str, element: Element },
    #[error("terms are combined from `left`, `right` and numbers, each of the terms' type, not from `{part}`")]
    NotCombined { part: String },
    #[error("the reduction over `{var}` is inside another use of `{var}`")]
    Shadowed { var: String },
    #[error("the reduction over `{var}` names it twice")]
    ReducedTwice { var: String },
    #[error("a reduction without variables")]
    EmptyReduction,
    #[error("it is open whether {} summed inside or outside of `{inside}`", are(vars))]
    AmbiguousSum { vars: Vec<String>, inside: String },
}

/// `k` is, `k` and `l` are
fn are(vars: &[String]) -> String {
    let named: Vec<String> = vars.iter().map(|var| format!("`{var}`")).collect();
    let verb = if named.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", named.join(" and "))
}

/// A number is where it is, a sum with a variable goes somewhere.
fn leaves(index: &str, reaches: i128) -> String {
    match index.parse::<i128>() {
        Ok(_) => "is outside".to_string(),
        Err(_) => format!("reaches {reaches}"),
    }
}

impl KernelError {
    /// The access at fault; if two disagree, the later one.
    pub fn place(&self) -> Option<AccessRef> {
        match self {
            KernelError::NoTensor { place, .. }
            | KernelError::Arity { place, .. }
            | KernelError::RepeatedInResult { place, .. }
            | KernelError::ResultIsOperand { place, .. }
            | KernelError::OutOfBounds { place, .. }
            | KernelError::WindowMismatch { place, .. }
            | KernelError::OpenExtent { place, .. }
            | KernelError::ResultIndex { place, .. }
            | KernelError::ExtentMismatch { second_place: place, .. } => Some(*place),
            KernelError::TooDeep { .. }
            | KernelError::NoVariable { .. }
            | KernelError::EncodingRank { .. }
            | KernelError::Unbounded { .. }
            | KernelError::LiteralType { .. }
            | KernelError::NoOperation { .. }
            | KernelError::NotCombined { .. }
            | KernelError::Mixed { .. }
            | KernelError::ResultElement { .. }
            | KernelError::NoCondition { .. }
            | KernelError::NoCast { .. }
            | KernelError::NarrowIndex { .. }
            | KernelError::NarrowPlace { .. }
            | KernelError::OnePlace { .. }
            | KernelError::OpenPresence { .. }
            | KernelError::Shadowed { .. }
            | KernelError::ReducedTwice { .. }
            | KernelError::EmptyReduction
            | KernelError::AmbiguousSum { .. } => None,
        }
    }

    /// The label at the error's place, in a few words.
    pub fn label(&self) -> Option<String> {
        self.advice().label
    }

    /// A way to fix it, if there is one.
    pub fn help(&self) -> Option<String> {
        self.advice().help
    }

    fn advice(&self) -> Advice {
        match self {
            KernelError::OutOfBounds { size, index, reaches, .. } => out_of_bounds(*size, index, *reaches),
            KernelError::OpenExtent { var, .. } => Advice::of(
                format!("how far does `{var}` run?"),
                format!("say how far: by the result's type, or where it is reduced, as in `sum({var} = 0:4, ...)`"),
            ),
            KernelError::Unbounded { var } => {
                Advice::of("in no access", format!("use `{var}` as an index of a tensor"))
            }
            KernelError::RepeatedInResult { .. } => {
                Advice::of("the second time", "use another variable for the second dimension")
            }
            KernelError::ResultIsOperand { .. } => Advice::of("read and written", "give the result another name"),
            KernelError::Mixed { left, left_element, right, right_element, .. } => Advice::of(
                format!("{left_element} and {right_element}"),
                format!("convert one of them: `{right_element}({left})` or `{left_element}({right})`"),
            ),
            KernelError::ResultElement { element, found, expr, .. } if found.is_complex() && !element.is_complex() => {
                let parts = ["abs", "real", "imag"].map(|part| format!("`{part}({expr})`"));
                let help = format!("take what is real: {}", parts.join(", "));
                Advice::of(format!("{found}, to be stored as {element}"), help)
            }
            KernelError::ResultElement { element, found, converted, .. } => {
                Advice::of(format!("{found}, to be stored as {element}"), format!("convert it: `{converted}`"))
            }
            KernelError::NoCast { from, .. } => Advice::label(format!("this is `{from}`")),
            KernelError::NoCondition { found, expr } => {
                Advice::of(format!("this is `{found}`"), format!("compare it: `{expr} != 0`"))
            }
            KernelError::WindowMismatch { window, var, .. } => {
                Advice::of(format!("takes {window} values"), format!("take a window here too, as in `{var} = 0:4`"))
            }
            KernelError::NarrowIndex { last, var, .. } => {
                Advice::of(format!("runs up to {last}"), format!("convert to a wider type, as in `i64({var})`"))
            }
            KernelError::NarrowPlace { most, .. } => {
                Advice::of(format!("up to {most}"), "compute in a wider type, such as `index`")
            }
            KernelError::NoOperation { element, .. } => Advice::label(format!("not for `{element}`")),
            KernelError::ResultIndex { .. } => {
                Advice::of("no variable", "index it with a variable, and move the offset to the right side")
            }
            KernelError::AmbiguousSum { vars, .. } => {
                let sums: Vec<String> = vars.iter().map(|var| format!("`sum({var}, ...)`")).collect();
                let label = if vars.len() == 1 { "where is it summed?" } else { "where are they summed?" };
                Advice::of(label, format!("write each sum where it belongs: {}", sums.join(" and ")))
            }
            KernelError::OnePlace { count, .. } => {
                let help = "reduce over one variable, and over the others by `min` or `max`";
                Advice::of(format!("{count} variables"), help)
            }
            KernelError::OpenPresence { .. } => {
                let help = "give it a name first, in a sparse encoding, and use the name: what a sparse tensor stores is known";
                Advice::of("present by its value", help)
            }
            KernelError::NotCombined { part } => Advice::of(
                "neither `left` nor `right`",
                format!("what belongs to each term stands within the term: `reduce(..., ... * {part}, combine = ...)`"),
            ),
            KernelError::TooDeep { .. }
            | KernelError::NoTensor { .. }
            | KernelError::NoVariable { .. }
            | KernelError::Arity { .. }
            | KernelError::EncodingRank { .. }
            | KernelError::ExtentMismatch { .. }
            | KernelError::LiteralType { .. }
            | KernelError::ReducedTwice { .. }
            | KernelError::EmptyReduction => Advice::default(),
            KernelError::Shadowed { var } => Advice::of(
                format!("`{var}` has a value here already"),
                "reduce over a variable that nothing else runs over; one that is reduced over is none of the result's",
            ),
        }
    }
}

/// The texts besides the message of an error.
#[derive(Default)]
struct Advice {
    label: Option<String>,
    help: Option<String>,
}

impl Advice {
    fn of(label: impl Into<String>, help: impl Into<String>) -> Advice {
        Advice { label: Some(label.into()), help: Some(help.into()) }
    }
    fn label(label: String) -> Advice {
        Advice { label: Some(label), help: None }
    }
}

/// The last coordinate. This helps with a number, but not with a sum with a variable.
fn out_of_bounds(size: u64, index: &str, reaches: i128) -> Advice {
    let (label, help) = match size.checked_sub(1) {
        Some(last) if reaches < 0 => {
            ("the first coordinate is 0".to_string(), format!("its coordinates go from 0 to {last}"))
        }
        None => ("there is no coordinate at all".to_string(), "it has no coordinates at all".to_string()),
        Some(last) => (format!("the last coordinate is {last}"), format!("its coordinates go from 0 to {last}")),
    };
    let is_number = index.parse::<i128>().is_ok();
    Advice { label: Some(label), help: is_number.then_some(help) }
}
