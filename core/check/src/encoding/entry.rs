//! The keys besides the map: widths, and explicit and implicit values.

use num_complex::Complex;

use super::{Checker, Notation, Places, legacy, map};
use crate::list_of;
use nnz_base::{
    arrays::Width,
    diagnostic::{Code, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_encoding::{Constant, EncodingParts};
use nnz_syntax::{NodeKind, NodeRef, encoding::ENTRY_KEYS};

/// The entries that need more than a value read.
#[derive(Default)]
pub(crate) struct Entries<'t> {
    pub map: Option<NodeRef<'t>>,
    /// Entries of historic forms.
    pub historic: Vec<NodeRef<'t>>,
}

/// Reads every entry of an encoding into `parts`.
pub(super) fn read<'t>(
    node: NodeRef<'t>,
    parts: &mut EncodingParts,
    places: &mut Places,
    c: &mut Checker<'_>,
) -> Entries<'t> {
    let mut entries = Entries::default();
    let mut seen: Vec<NodeRef<'t>> = Vec::new();
    let mut renamed = Vec::new();
    for entry in node.children_of(NodeKind::Entry) {
        let Some(key) = entry.first_token() else { continue };
        let earlier = seen.iter().find(|other| other.first_token().map(|token| token.text()) == Some(key.text()));
        if let Some(earlier) = earlier {
            report_repeated(*earlier, entry, key.text(), c);
            if key.text() == "map" {
                continue;
            }
        }
        seen.push(entry);
        let value = entry.children().find(|child| child.kind() != NodeKind::Error);
        match key.text() {
            "map" => {
                entries.map = value.filter(|value| value.kind() == NodeKind::Map);
                if let Some(value) = entries.map {
                    map::read(value, Notation::Mlir, parts, places, c);
                }
            }
            "posWidth" => parts.pos_width = read_width(value, &mut places.pos_width, "posWidth", c),
            "crdWidth" => parts.crd_width = read_width(value, &mut places.crd_width, "crdWidth", c),
            "explicitVal" => parts.explicit_val = read_constant(value, &mut places.explicit_val, "explicitVal", c),
            "implicitVal" => parts.implicit_val = read_constant(value, &mut places.implicit_val, "implicitVal", c),
            "pointerBitWidth" => {
                renamed.push((entry, "posWidth"));
                parts.pos_width = read_width(value, &mut places.pos_width, "posWidth", c);
            }
            "indexBitWidth" => {
                renamed.push((entry, "crdWidth"));
                parts.crd_width = read_width(value, &mut places.crd_width, "crdWidth", c);
            }
            name if legacy::LEVEL_KEYS.contains(&name) => entries.historic.push(entry),
            name => report_unknown_key(node, key.span(), name, c),
        }
    }
    // Beside other historic keys, the fix for those rewrites the whole encoding.
    if entries.historic.is_empty() {
        renamed.into_iter().for_each(|(entry, new)| legacy::warn_key(entry, new, c));
    }
    entries
}

fn report_repeated(first: NodeRef<'_>, second: NodeRef<'_>, key: &str, c: &mut Checker<'_>) {
    let span = second.first_token().map_or(second.span(), |token| token.span());
    let diagnostic = if key == "map" {
        c.diagnostic(Code::RepeatedMap, span, "an encoding has one map").label("a second one")
    } else {
        c.diagnostic(Code::RepeatedKey, span, format!("`{key}` is written twice; the last one counts"))
            .label("this one counts")
    };
    c.report(diagnostic.secondary(first.span(), "first written here"));
}

fn report_unknown_key(node: NodeRef<'_>, span: Span, name: &str, c: &mut Checker<'_>) {
    let written: Vec<&str> =
        node.children_of(NodeKind::Entry).filter_map(|entry| Some(entry.first_token()?.text())).collect();
    let mut diagnostic = c.diagnostic(Code::UnknownKey, span, format!("an encoding has no key `{name}`"));
    diagnostic = diagnostic.label("no such key");
    // The names of 2021, and of other libraries.
    let elsewhere =
        ["pointerBitWidth", "indexBitWidth", "ptrWidth", "indptrWidth", "pointerWidth", "idxWidth", "indexWidth"];
    let meant = did_you_mean(name, ENTRY_KEYS.iter().copied().chain(elsewhere)).map(|key| match key {
        "pointerBitWidth" | "ptrWidth" | "indptrWidth" | "pointerWidth" => "posWidth",
        "indexBitWidth" | "idxWidth" | "indexWidth" => "crdWidth",
        key => key,
    });
    if let Some(nearest) = meant.filter(|key| !written.contains(key)) {
        diagnostic = diagnostic.guess(span, nearest);
    }
    c.report_mended(diagnostic.help(format!("keys: {}", list_of(ENTRY_KEYS))));
}

/// `12`, `0x1F`
pub(crate) fn parse_integer(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits.trim_start()));
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some(sign * number)
}

/// Number and type of `8 : i8`.
fn split_type(text: &str) -> (&str, Option<&str>) {
    text.rsplit_once(':').map_or((text.trim(), None), |(value, ty)| (value.trim(), Some(ty.trim())))
}

/// `i64`, `index`: any width will do, as the number counts.
fn is_integer_type(ty: &str) -> bool {
    let digits = ty.trim_start_matches(['s', 'u']).strip_prefix('i');
    ty == "index" || digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn read_width(value: Option<NodeRef<'_>>, place: &mut Option<Span>, key: &str, c: &mut Checker<'_>) -> Width {
    let Some(value) = value else { return Width::Index };
    *place = Some(value.span());
    let (number, ty) = split_type(value.text());
    let parsed = parse_integer(number).filter(|_| ty.is_none_or(is_integer_type) && !value.text().contains('\u{a0}'));
    match parsed {
        Some(0) => return Width::Index,
        Some(2) => return Width::W2,
        Some(8) => return Width::W8,
        Some(16) => return Width::W16,
        Some(32) => return Width::W32,
        Some(64) => return Width::W64,
        _ => {}
    }
    let message = match parsed {
        Some(_) => format!("{key} cannot be {number}"),
        None => format!("{key} is a number of bits, not `{}`", value.text()),
    };
    let label = if parsed.is_some() { "no width" } else { "no number" };
    let mut diagnostic = c.diagnostic(Code::BadWidth, value.span(), message).label(label);
    // `i32` names a type of that many bits.
    let parsed = parsed
        .or_else(|| parse_integer(value.text().trim_start_matches(['u', 's']).strip_prefix('i')?))
        .or_else(|| parse_integer(value.text().strip_prefix('"')?.strip_suffix('"')?));
    let wider = [8, 16, 32, 64].into_iter().find(|&width| parsed.is_some_and(|n| 0 < n && n <= width));
    if let Some(wider) = wider {
        diagnostic = diagnostic.fix(format!("use {wider} bits"), value.span(), wider.to_string());
    }
    c.report_mended(diagnostic.help("widths: `8`, `16`, `32`, `64`, or `0` for `index`"));
    Width::Index
}

fn read_constant(
    value: Option<NodeRef<'_>>,
    place: &mut Option<Span>,
    key: &str,
    c: &mut Checker<'_>,
) -> Option<Constant> {
    let value = value?;
    *place = Some(value.span());
    if let Some(message) = of_other_type(value.text()) {
        c.report_mended(c.diagnostic(Code::BadConstant, value.span(), message).label("not of its type"));
        return None;
    }
    let constant = parse_constant(value.text());
    if let Some((number, meant)) = without_point(value.text()).filter(|_| constant.is_none()) {
        let message = format!("a number of a float type has a decimal point: `{meant}`");
        let diagnostic = c.diagnostic(Code::BadConstant, value.span(), message).label("no decimal point");
        let place = Span::at(value.span().start as usize + number.len());
        c.report_mended(diagnostic.fix(format!("write `{meant}`"), place, ".0"));
        return None;
    }
    if constant.is_none() {
        let message = format!("{key} is a number, not `{}`", value.text());
        let diagnostic = c.diagnostic(Code::BadConstant, value.span(), message).label("no number");
        c.report_mended(
            diagnostic
                .help("for example `1.0 : f32`, `1 : i32`, `true` or `#complex.number<:f32 1.0, 0.0> : complex<f32>`"),
        );
    }
    constant
}

/// `2` and `2.0 : f64` of `2 : f64`.
fn without_point(text: &str) -> Option<(&str, String)> {
    let (number, ty) = split_type(text);
    let ty = ty.filter(|ty| Element::parse(ty).is_some_and(Element::is_float))?;
    let digits = number.trim_start_matches('-');
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| (number, format!("{number}.0 : {ty}")))
}

/// The mistake in a number and the type after it: `0.0 : index`, `true : f64`.
fn of_other_type(text: &str) -> Option<String> {
    let (number, ty) = split_type(text);
    let ty = ty?;
    if ty.is_empty() {
        return Some("no type stands behind `:`".to_string());
    }
    if let "true" | "false" = number {
        return Some(format!("`{number}` is of type `i1`, and no type stands behind it"));
    }
    let float = parse_float(number).is_some();
    let whole = Element::parse(ty).is_some_and(|ty| !ty.is_float()) || !crate::is_mlir_type(ty);
    (float && whole).then(|| format!("`{number}` is no number of type `{ty}`"))
}

/// `1.0`, `- 2.5e-3`: a sign and one token.
fn parse_float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').map_or(text, str::trim_start);
    let number: f64 =
        Some(digits).filter(|d| d.starts_with(|c: char| c.is_ascii_digit()) && d.contains('.'))?.parse().ok()?;
    Some(if text.len() > digits.len() { -number } else { number })
}

/// `1.0`, `1 : i32`, `true`, `#complex.number<:f32 1.0, 0.0> : complex<f32>`
fn parse_constant(text: &str) -> Option<Constant> {
    if let Some(rest) = text.strip_prefix("#complex.number<:") {
        return parse_complex(rest);
    }
    let (number, ty) = split_type(text);
    if let "true" | "false" = number {
        return Some(Constant { value: Scalar::Int(i128::from(number == "true")), type_text: "i1".into() });
    }
    let float_type = ty.and_then(Element::parse).is_some_and(Element::is_float);
    match parse_integer(number) {
        Some(bits) if float_type && number.starts_with("0x") => {
            let value = Scalar::Float(float_of_bits(bits, ty?)?);
            Some(Constant { value, type_text: ty?.into() })
        }
        Some(_) if float_type => None,
        Some(x) => Some(Constant { value: Scalar::Int(x), type_text: ty.unwrap_or("i64").into() }),
        None => {
            let x = parse_float(number)?;
            let type_text = ty.unwrap_or("f64");
            let rounded = if type_text == "f32" { f64::from(x as f32) } else { x };
            Some(Constant { value: Scalar::Float(rounded), type_text: type_text.into() })
        }
    }
}

/// `f32 1.0, 0.0> : complex<f32>`
fn parse_complex(text: &str) -> Option<Constant> {
    let (inside, ty) = text.split_once('>')?;
    let (part, numbers) = inside.trim().split_once(char::is_whitespace)?;
    let (re, im) = numbers.split_once(',')?;
    let value = Scalar::Complex(Complex::new(parse_float(re.trim())?, parse_float(im.trim())?));
    let ty = ty.trim().trim_start_matches(':').trim();
    let type_text = if ty.is_empty() { format!("complex<{part}>") } else { ty.to_string() };
    Some(Constant { value, type_text })
}

fn float_of_bits(bits: i128, ty: &str) -> Option<f64> {
    Element::parse(ty)?.float_of_bits(u64::try_from(bits).ok()?)
}
