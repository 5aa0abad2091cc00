//! Level types. Historic and UST spellings are accepted, historic ones with a warning.

use super::{Checker, Notation, legacy};
use crate::{Grammar, list_of};
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    ids::Dim,
    source::Span,
};
use nnz_encoding::{
    Affine, DeltaBits, Layout, LevelFormat, NOutOfM, Props,
    format::{self, Mlir, PROPERTIES, Written},
};
use nnz_syntax::{NodeKind, NodeRef};

/// The level type at a `LvlType` node. Errors are reported.
pub(crate) fn read_format(
    ty: NodeRef<'_>,
    expr: Option<&Affine<Dim>>,
    notation: Notation,
    c: &mut Checker<'_>,
) -> Option<LevelFormat> {
    let name = ty.child(NodeKind::LvlFormat)?;
    let plain = plain_name(name.text(), notation);
    let props: Vec<NodeRef<'_>> =
        ty.child(NodeKind::LvlProps).into_iter().flat_map(|list| list.children_of(NodeKind::LvlProp)).collect();
    if let Some(format) = legacy::level_format(&plain, &props, ty) {
        let format = with_properties(ty, format, &props, notation, c)?;
        return legacy::accept_level(ty, format, c);
    }
    let Some(row) = row_of(name.span(), &plain, c) else {
        let known = |prop: &NodeRef<'_>| PROPERTIES.contains(&prop.text());
        let words = props.iter().filter(|prop| notation == Notation::Mlir && !known(prop));
        for prop in words {
            report_unknown_prop(*prop, prop.text(), c);
        }
        return None;
    };
    let format = match row.written {
        Written::WithBlock(format) => return read_block((ty, row.name), &props, expr, notation, c).map(format),
        Written::WithBits(format) => return read_bits((ty, row.name), &props, notation, c).map(format),
        Written::Word(format) => format,
    };
    if let Some(sizes) = ty.child(NodeKind::LvlSizes) {
        return report_brackets(ty, sizes, row.name, c);
    }
    let flags = read_props(&props, row.name, notation, c)?;
    let format = format(flags.props, flags.layout());
    check_shape(ty, name, &format, notation, c);
    Some(format)
}

/// A format under a historic name, with the parentheses after it.
fn with_properties(
    ty: NodeRef<'_>,
    format: LevelFormat,
    props: &[NodeRef<'_>],
    notation: Notation,
    c: &mut Checker<'_>,
) -> Option<LevelFormat> {
    if let Some(sizes) = ty.child(NodeKind::LvlSizes).filter(|_| format.block().is_none()) {
        return report_brackets(ty, sizes, format.name(), c);
    }
    let props: Vec<NodeRef<'_>> = props.iter().copied().filter(|prop| prop.text() != legacy::HIGH).collect();
    let flags = read_props(&props, format.name(), notation, c)?;
    let more = |own: Props| Props {
        nonunique: own.nonunique || flags.props.nonunique,
        nonordered: own.nonordered || flags.props.nonordered,
    };
    let format = format.with_props(more(format.props()));
    Some(if flags.soa { format.with_layout(Layout::Soa) } else { format })
}

/// The format of this name in the language of the file; if there is none, that is reported, and it is the one meant.
fn row_of(span: Span, format: &str, c: &mut Checker<'_>) -> Option<&'static format::Row> {
    let of_nnz = format::beyond_mlir().contains(&format);
    if of_nnz && c.grammar == Grammar::Mlir {
        report_beyond_mlir(span, format, c);
        return None;
    }
    format::named(format).or_else(|| format::named(report_unknown_format(span, format, c)?))
}

/// The level formats that the language of the file has.
fn level_formats(c: &Checker<'_>) -> Vec<&'static str> {
    let more = if c.grammar == Grammar::Mlir { &[] } else { format::beyond_mlir() };
    format::of_mlir().iter().chain(more).copied().collect()
}

pub(crate) fn is_level_format(name: &str) -> bool {
    format::named(name).is_some()
}

pub(super) fn report_beyond_mlir(span: Span, format: &str, c: &mut Checker<'_>) {
    let message = format!("`{format}` is a level format of nnz's notation; MLIR has none such");
    let diagnostic = c.diagnostic(Code::UnsupportedLevelFormat, span, message).label("not in MLIR 22");
    let diagnostic = match format::named(format).map(|row| row.mlir) {
        Some(Mlir::Lacks { instead }) => diagnostic.help(instead),
        Some(Mlir::Has) | None => diagnostic,
    };
    c.report(diagnostic.note("in an `.nnz` file and at the prompt it is legal"));
}

/// Without quotes; in the notation of UST also in capitals and after `LevelFormat.`.
fn plain_name(text: &str, notation: Notation) -> String {
    match notation {
        Notation::Mlir => text.trim_matches('"').to_string(),
        Notation::Ust => text.trim_matches(['<', '>', '"']).trim_start_matches("LevelFormat.").to_lowercase(),
    }
}

/// Properties after a format.
#[derive(Clone, Copy, Default)]
struct Flags {
    props: Props,
    soa: bool,
}

impl Flags {
    fn layout(self) -> Layout {
        if self.soa { Layout::Soa } else { Layout::Aos }
    }
    /// Whether there is such a property, which a level then has.
    fn take(&mut self, name: &str) -> bool {
        match name {
            "nonunique" => self.props.nonunique = true,
            "nonordered" => self.props.nonordered = true,
            "soa" => self.soa = true,
            _ => return matches!(name, "unique" | "ordered"),
        }
        true
    }
}

fn read_props(props: &[NodeRef<'_>], format: &str, notation: Notation, c: &mut Checker<'_>) -> Option<Flags> {
    let mut flags = Flags::default();
    let mut fine = true;
    for (at, prop) in props.iter().enumerate() {
        if props[..at].iter().any(|before| before.text() == prop.text()) {
            report_twice(*prop, c);
            continue;
        }
        let name = match notation {
            Notation::Mlir => prop.text().to_string(),
            Notation::Ust => prop.text().trim_start_matches("LevelProperty.").to_lowercase(),
        };
        match name.as_str() {
            "unique" | "ordered" if notation == Notation::Ust => {}
            "nonunique" => flags.props.nonunique = true,
            "nonordered" => flags.props.nonordered = true,
            "unordered" if notation == Notation::Ust => flags.props.nonordered = true,
            "soa" => flags.soa = true,
            _ => {
                fine &= report_unknown_prop(*prop, &name, c).is_some_and(|meant| flags.take(meant));
                continue;
            }
        }
        check_applicable(*prop, &name, format, c);
    }
    fine.then_some(flags)
}

fn report_twice(prop: NodeRef<'_>, c: &mut Checker<'_>) {
    let message = format!("`{}` is written twice", prop.text());
    let diagnostic = c.diagnostic(Code::RepeatedKey, prop.span(), message).label("once is enough");
    c.report(remove_prop(diagnostic, prop));
}

fn check_applicable(prop: NodeRef<'_>, name: &str, format: &str, c: &mut Checker<'_>) {
    let takes = format::named(format).map_or(&[][..], |row| row.properties);
    let default = matches!(name, "unique" | "ordered" | "unordered");
    if takes.contains(&name) || default && !takes.is_empty() {
        return;
    }
    let message = format!("`{name}` does not apply to `{format}` levels");
    let mut diagnostic = c.diagnostic(Code::PropertyNotApplicable, prop.span(), message);
    diagnostic = diagnostic.label(format!("of a {format} level"));
    diagnostic = match takes {
        [] => diagnostic.note(format!("`{format}` levels {}", format::named(format).map_or("", |row| row.order))),
        _ => diagnostic.help(format!("properties of `{format}`: {}", list_of(takes))),
    };
    if name == "soa" {
        diagnostic = diagnostic.help("`soa` belongs to the `singleton` levels below: `singleton(soa)`");
    }
    c.report_mended(remove_prop(diagnostic, prop));
}

/// The fix that takes one property out of its list.
fn remove_prop(diagnostic: nnz_base::diagnostic::Diagnostic, prop: NodeRef<'_>) -> nnz_base::diagnostic::Diagnostic {
    let Some(list) = prop.parent().filter(|list| list.text().starts_with('(')) else { return diagnostic };
    let rest: Vec<&str> =
        list.children_of(NodeKind::LvlProp).filter(|other| other.id() != prop.id()).map(|other| other.text()).collect();
    let text = if rest.is_empty() { String::new() } else { format!("({})", rest.join(", ")) };
    diagnostic.fix(format!("remove `{}`", prop.text()), list.span(), text)
}

/// Gives the property that is meant.
fn report_unknown_prop<'n>(prop: NodeRef<'_>, name: &'n str, c: &mut Checker<'_>) -> Option<&'n str> {
    let bare = name.trim_matches('"');
    let message = format!("unknown level property `{bare}`");
    let mut diagnostic = c.diagnostic(Code::UnknownLevelProperty, prop.span(), message);
    diagnostic = diagnostic.label("no level property");
    let nearest = did_you_mean(bare, PROPERTIES.iter().copied());
    if PROPERTIES.contains(&bare) {
        diagnostic = diagnostic.respelt("remove the quotes", prop.span(), bare);
    } else if matches!(bare, "ordered" | "unique") {
        diagnostic = remove_prop(diagnostic, prop).note(format!("levels are {bare} unless `non{bare}` says otherwise"));
    } else if let Some(nearest) = nearest {
        diagnostic = diagnostic.guess(prop.span(), nearest);
    }
    let meant = if matches!(bare, "ordered" | "unique") { Some(bare) } else { nearest };
    c.report_if_mended(meant.is_some(), diagnostic.help(format!("level properties: {}", list_of(&PROPERTIES))));
    meant
}

/// Gives the format that is meant.
pub(crate) fn report_unknown_format(span: Span, name: &str, c: &mut Checker<'_>) -> Option<&'static str> {
    let formats = level_formats(c);
    let mut diagnostic = c.diagnostic(Code::UnknownLevelFormat, span, format!("unknown level format `{name}`"));
    diagnostic = diagnostic.label("not a level format");
    let usual = match name.to_lowercase().as_str() {
        "sparse" => Some("compressed"),
        "hash" => Some("hashed"),
        "rle" | "runs" | "run" => Some("run_length"),
        "bytemap" | "mask" => Some("bitmap"),
        "single" => Some("singleton"),
        "coo" => None,
        other if let Some(whole) = joined_property(other, &formats) => {
            diagnostic = diagnostic.guess(span, &whole);
            None
        }
        other => {
            let begun = formats.iter().copied().filter(|format| other.len() > 2 && format.starts_with(other));
            did_you_mean(other, formats.iter().copied()).or_else(|| { begun }.next())
        }
    };
    let usual = usual.filter(|usual| formats.contains(usual));
    if let Some(nearest) = usual {
        diagnostic = diagnostic.guess(span, nearest);
    }
    if let Ok(whole) = nnz_encoding::named::lookup(&name.to_uppercase(), &[], Some(2)) {
        let name = name.to_uppercase();
        diagnostic = diagnostic.help(format!("{name} is a format of all levels together: `{}`", whole.map_text()));
    }
    c.report_if_mended(usual.is_some(), diagnostic.help(format!("level formats: {}", list_of(&formats))));
    usual
}

/// `compressed(nonunique)` for `compressed_nonunique`.
fn joined_property(name: &str, formats: &[&str]) -> Option<String> {
    let (format, property) = name.rsplit_once('_')?;
    let known = formats.contains(&format) && PROPERTIES.contains(&property);
    known.then(|| format!("{format}({property})"))
}

/// `compressed[nonunique]`: brackets only hold the sizes of `structured`.
fn report_brackets(ty: NodeRef<'_>, sizes: NodeRef<'_>, format: &str, c: &mut Checker<'_>) -> Option<LevelFormat> {
    let message = format!("`{format}` takes its properties in parentheses, not in brackets");
    let inside = sizes.text().trim_matches(['[', ']']);
    let diagnostic = c.diagnostic(Code::BadSizes, sizes.span(), message).label("in brackets");
    let known = inside.split(',').all(|word| PROPERTIES.contains(&word.trim()));
    c.report(match known && is_plain(ty, format) {
        true => diagnostic.fix("use parentheses", ty.span(), format!("{format}({inside})")),
        false => diagnostic,
    });
    None
}

/// Whether a level type is written under the name that its format has today.
fn is_plain(ty: NodeRef<'_>, format: &str) -> bool {
    ty.child(NodeKind::LvlFormat).is_some_and(|name| name.text() == format)
}

/// Properties without parentheses, or a whole level type in them, in a map of MLIR; quotes around a format.
fn check_shape(ty: NodeRef<'_>, name: NodeRef<'_>, format: &LevelFormat, notation: Notation, c: &mut Checker<'_>) {
    let bare = ty.child(NodeKind::LvlProps).filter(|props| !props.text().is_empty() && !props.text().starts_with('('));
    let wrapped = ty.text().starts_with('(');
    if name.text().starts_with('"') {
        legacy::warn_level(ty, *format, c);
    } else if notation == Notation::Mlir && wrapped {
        let message = "parentheses around a level type are the notation of the Universal Sparse Tensor";
        let diagnostic = c.diagnostic(Code::OtherNotation, ty.span(), message).label("in parentheses");
        c.report(diagnostic.respelt("write it as MLIR does", ty.span(), format.to_string()));
    } else if let Some(props) = bare.filter(|_| !wrapped) {
        let message = "level properties stand in parentheses";
        let diagnostic = c.diagnostic(Code::UnknownLevelProperty, props.span(), message).label("without parentheses");
        c.report(diagnostic.respelt("add the parentheses", ty.span(), format.to_string()));
    }
}

/// `structured[n, m]`; in the notation of UST `(structured, n)` with m from the expression.
fn read_block(
    (ty, name): (NodeRef<'_>, &str),
    props: &[NodeRef<'_>],
    expr: Option<&Affine<Dim>>,
    notation: Notation,
    c: &mut Checker<'_>,
) -> Option<NOutOfM> {
    let bracketed: Vec<NodeRef<'_>> =
        ty.child(NodeKind::LvlSizes).into_iter().flat_map(|list| list.children_of(NodeKind::LvlProp)).collect();
    if let (Notation::Ust, [n], []) = (notation, props, &bracketed[..]) {
        let m = expr.and_then(|expr| expr.as_mod()).map(|(_, m)| m);
        let sizes = n.text().parse().ok().zip(m.and_then(|m| u64::try_from(m).ok()));
        let block = sizes.and_then(|(n, m)| NOutOfM::new(n, m));
        if block.is_none() {
            report_sizes(
                (n.span(), "not such an `n`"),
                "a structured level stands on `d % m` and takes an `n` of at most `m`",
                ty,
                None,
                c,
            );
        }
        return block;
    }
    if bracketed.is_empty() && !props.is_empty() {
        let fix = format!("{name}[{}]", props.iter().map(|p| p.text()).collect::<Vec<_>>().join(", "));
        let message = format!("`{name}` takes its sizes in brackets: `{name}[n, m]`");
        report_sizes((ty.span(), "in parentheses"), &message, ty, Some(fix), c);
        return None;
    }
    let block = read_sizes((ty, name), &bracketed, expr, c)?;
    // Every property is reported, not only the first.
    props.iter().for_each(|prop| check_applicable(*prop, prop.text(), name, c));
    Some(block)
}

/// `delta[b]`; in the notation of UST `(delta, b)`.
fn read_bits(
    (ty, name): (NodeRef<'_>, &str),
    props: &[NodeRef<'_>],
    notation: Notation,
    c: &mut Checker<'_>,
) -> Option<DeltaBits> {
    let bracketed: Vec<NodeRef<'_>> =
        ty.child(NodeKind::LvlSizes).into_iter().flat_map(|list| list.children_of(NodeKind::LvlProp)).collect();
    let bits = match (&bracketed[..], props) {
        ([bits], []) => Some(*bits),
        ([bits], props) if notation == Notation::Mlir => {
            // No property applies to it, and each is told of.
            read_props(props, name, notation, c)?;
            Some(*bits)
        }
        ([], [bits]) if notation == Notation::Ust => Some(*bits),
        _ => None,
    };
    let number = bits.and_then(|bits| super::entry::parse_integer(bits.text())).and_then(|n| u64::try_from(n).ok());
    let read = number.and_then(DeltaBits::new);
    if read.is_none() {
        let message = format!("`{name}` takes the bits of a delta, 1 to {}: `{name}[b]`", DeltaBits::MOST);
        let message = match bits.or(bracketed.first().copied()) {
            Some(_) => message,
            None => format!("the bits of a delta are missing: `{name}[b]`"),
        };
        let diagnostic = c.diagnostic(Code::BadSizes, bits.map_or(ty.span(), |bits| bits.span()), message);
        let label = match (bits, &bracketed[..]) {
            (Some(_), _) => format!("no number from 1 to {}", DeltaBits::MOST),
            (None, []) => "of how many bits?".to_string(),
            (None, _) => "takes one number".to_string(),
        };
        let diagnostic = diagnostic
            .label(label)
            .help(format!("for example `{name}[4]`: up to 15 coordinates are skipped without a filler"));
        let in_parentheses = props.first().filter(|prop| bracketed.is_empty() && prop.text().parse::<u8>().is_ok());
        c.report(match in_parentheses {
            Some(bits) => diagnostic.guess(ty.span(), format!("{name}[{}]", bits.text())),
            None => diagnostic,
        });
    }
    read
}

fn read_sizes(
    (ty, name): (NodeRef<'_>, &str),
    sizes: &[NodeRef<'_>],
    expr: Option<&Affine<Dim>>,
    c: &mut Checker<'_>,
) -> Option<NOutOfM> {
    let [n, m] = sizes else {
        let message = format!("`{name}` takes exactly two sizes, `[n, m]`; {} given", sizes.len());
        report_sizes((ty.span(), "two are wanted"), &message, ty, None, c);
        return None;
    };
    let size = |node: &NodeRef<'_>| super::entry::parse_integer(node.text()).and_then(|n| u64::try_from(n).ok());
    for node in [n, m] {
        if size(node).is_none() {
            let message = format!("`{}` is not a size: a whole number is wanted", node.text());
            report_sizes((node.span(), "no whole number"), &message, ty, None, c);
            return None;
        }
    }
    let (least, most) = (size(n)?, size(m)?);
    match NOutOfM::new(least, most) {
        Some(block) if least >= 1 && most <= MAX_BLOCK => Some(block),
        Some(_) if least == 0 => {
            let message = "a structured level that keeps 0 entries of every block stores nothing";
            report_sizes((n.span(), "keeps nothing"), message, ty, None, c);
            None
        }
        Some(_) => {
            let message = format!("a block of {most} is too large: MLIR keeps n and m in 8 bits, up to {MAX_BLOCK}");
            report_sizes((m.span(), &format!("more than {MAX_BLOCK}")), &message, ty, None, c);
            None
        }
        None => {
            let message = format!("{least} of {most} is impossible: n is at most m");
            let fits = expr.and_then(Affine::as_mod).is_some_and(|(_, m)| u64::try_from(m) == Ok(least));
            let swapped = fits.then(|| format!("structured[{most}, {least}]"));
            let diagnostic = c.diagnostic(Code::BadSizes, n.span(), message).label("more than the block holds");
            let diagnostic = diagnostic.help("for example `structured[2, 4]`: two of every four");
            c.report(match swapped {
                Some(swapped) => diagnostic.guess(ty.span(), swapped),
                None => diagnostic,
            });
            None
        }
    }
}

/// MLIR 22 keeps n and m in 8 bits each and lets larger numbers wrap around in silence.
const MAX_BLOCK: u64 = 255;

fn report_sizes((span, label): (Span, &str), message: &str, ty: NodeRef<'_>, fix: Option<String>, c: &mut Checker<'_>) {
    let mut diagnostic = c.diagnostic(Code::BadSizes, span, message).label(label);
    if let Some(text) = fix {
        diagnostic = diagnostic.fix("use brackets", ty.span(), text);
    }
    c.report(diagnostic.help("for example `structured[2, 4]`: two of every four"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_is_one_of_a_format() {
        let takes = |property: &str| format::ROWS.iter().any(|row| row.properties.contains(&property));
        assert!(PROPERTIES.iter().all(|property| takes(property)));
    }
}
