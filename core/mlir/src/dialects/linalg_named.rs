//! `linalg`: named kernels. The reader gives each the maps and the body of its general form, in which it runs.

use crate::{
    attribute::{Attribute, Attributes},
    dialects::{
        linalg::{KERNEL, MEMOIZED_MAPS, generic_form, ins_and_outs, loop_name, results},
        linalg_kernels::NAMED,
    },
    draft::Draft,
    inherent::{Inherent, Kind, groups, may_have, needs},
    mistake::{Mistake, Read},
    operation::Regions,
    read::{BodyBuilder, Entry, Reader},
};
use nnz_base::{diagnostic::counted, element::Element, ids::Dim};
use nnz_encoding::{Affine, AffineMap};
use nnz_syntax::TokenKind;

/// A kernel: its loops, and how it accesses its operands, the result last. A dimension is a sum of loops,
/// each with a factor: `w*s0+k*d0` has the first stride and the first dilation.
pub(super) struct Named {
    name: &'static str,
    /// Loops in order; those behind the first bar, and up to the next, are reduced, and so on.
    loops: &'static str,
    accesses: &'static [&'static str],
    body: Body,
    /// `cast` says whether integers keep their sign where they are converted; without it they do.
    takes_cast: bool,
}

/// What a kernel does at a point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// `x + a * b`
    MulAdd,
    /// `x + (a - za) * (b - zb)`, in the type of the result.
    Quantized,
    /// `x + a`, of windows whose shape is the second operand's.
    Sum,
    Max,
    Min,
    MaxUnsigned,
    MinUnsigned,
}

pub(super) const fn named(
    name: &'static str,
    loops: &'static str,
    accesses: &'static [&'static str],
    body: Body,
) -> Named {
    Named { name, loops, accesses, body, takes_cast: false }
}

/// What a named kernel computes, in the notation of sessions: `C(m, n) += A(m, k) * B(k, n)`.
pub(crate) fn formula(name: &str) -> Option<String> {
    let named = NAMED.iter().find(|named| named.name == name)?;
    let access = |tensor: &str, at: usize| {
        let indices: Vec<String> = named.accesses.get(at)?.split(' ').map(spaced).collect();
        let indices = indices.join(", ");
        Some(if indices.is_empty() { tensor.to_string() } else { format!("{tensor}({indices})") })
    };
    let last = named.accesses.len() - 1;
    let (a, b, c) = (access("A", 0)?, access("B", 1)?, access("C", last)?);
    Some(match named.body {
        Body::MulAdd => format!("{c} += {a} * {b}"),
        Body::Quantized => format!("{c} += ({a} - za) * ({b} - zb)"),
        Body::Sum => format!("{c} += {a}`, over windows of the shape of `{b}"),
        Body::Max => format!("{c} max= {a}`, over windows of the shape of `{b}"),
        Body::Min => format!("{c} min= {a}`, over windows of the shape of `{b}"),
        Body::MaxUnsigned => format!("{c} max= {a}`, of numbers without a sign, over windows of the shape of `{b}"),
        Body::MinUnsigned => format!("{c} min= {a}`, of numbers without a sign, over windows of the shape of `{b}"),
    })
}

/// `w*s0+kw*d0` with spaces.
fn spaced(index: &str) -> String {
    index.replace('*', " * ").replace('+', " + ")
}

/// What a named kernel may say; strides and dilations are 1 where it does not.
const OWN: &[Inherent] = &[
    groups(2),
    may_have("indexing_maps", Kind::Any),
    may_have("strides", Kind::Dense),
    may_have("dilations", Kind::Dense),
];

/// What a matrix product may say.
const OF_PRODUCT: &[Inherent] = &[groups(2), may_have("indexing_maps", Kind::Any), CAST];

/// `cast = #linalg.type_fn<cast_unsigned>`: how a kernel converts integers.
pub(super) const CAST: Inherent = may_have("cast", Kind::Word(&["cast_signed", CAST_UNSIGNED]));

const CAST_UNSIGNED: &str = "cast_unsigned";

/// Whether a kernel that takes `cast` converts integers as numbers without a sign.
pub(super) fn casts_unsigned(draft: &Draft) -> bool {
    let word = draft.attribute("cast").and_then(Attribute::as_text);
    word.and_then(|word| word.strip_prefix("#linalg.type_fn<")?.strip_suffix('>')).map(str::trim) == Some(CAST_UNSIGNED)
}

/// The same names, as operations.
pub static OPS: &[Entry] = &{
    const CONTRACT: Entry = Entry::host("linalg.contract", KERNEL, contract_syntax)
        .with(Regions::Exactly(1))
        .having(&[groups(2), needs("indexing_maps", Kind::Any), CAST])
        .verified(generic_form);
    let mut ops = [CONTRACT; NAMED.len() + 1];
    let mut at = 0;
    while at < NAMED.len() {
        let own = if NAMED[at].takes_cast { OF_PRODUCT } else { OWN };
        ops[at] = Entry::host(NAMED[at].name, KERNEL, syntax)
            .with(Regions::Exactly(1))
            .having(own)
            .implying(named_loops)
            .verified(named_form);
        at += 1;
    }
    ops
};

/// `{strides = ..., dilations = ...} ins(...) outs(...) -> T`
fn syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    let own = own_maps(r)?;
    operands(r, draft)?;
    results(r, draft)?;
    let Some(named) = NAMED.iter().find(|named| named.name == draft.name()) else { return Ok(()) };
    if draft.operands.iter().any(|operand| operand.ty.is_broken()) {
        return Err(Mistake::told());
    }
    if draft.operands.len() != named.accesses.len() {
        return Err(draft.mistake(format!("`{}` takes {}", draft.name(), counted(named.accesses.len(), "operand"))));
    }
    super::linalg_structured::computes_numbers(draft)?;
    draft.attributes.append(own.unwrap_or_default());
    named_loops(draft);
    named.body.build(r, draft, named.takes_cast && casts_unsigned(draft))
}

/// `{...} ins(...) outs(...) {...}`: attributes stand on either side.
pub(super) fn operands(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes.append(r.optional_dictionary()?);
    ins_and_outs(r, draft)?;
    draft.attributes.append(r.optional_dictionary()?);
    Ok(())
}

/// Sets the maps of a named kernel, unless it has its own, and the kinds of its loops.
fn named_loops(draft: &mut Draft) {
    let Some(named) = NAMED.iter().find(|named| named.name == draft.name()) else { return };
    if draft.attribute("indexing_maps").is_none() {
        // In generic syntax the maps that MLIR has remembered count.
        let own = || Attribute::Array(named.maps(draft).into_iter().map(|map| Attribute::Map(map.into())).collect());
        let maps = draft.attribute(MEMOIZED_MAPS).cloned().unwrap_or_else(own);
        draft.attributes.set("indexing_maps", maps);
    }
    draft.attributes.set("iterator_types", Attribute::Array(named.iterators().into()));
}

/// `indexing_maps = [...]`, before the operands.
pub(super) fn own_maps(r: &mut Reader<'_>) -> Read<Option<Attributes>> {
    let span = r.span();
    if !r.eat_word("indexing_maps") {
        return Ok(None);
    }
    r.expect(TokenKind::Eq)?;
    let mut own = Attributes::default();
    let maps = r.attribute()?;
    own.set_at("indexing_maps", maps, span.cover(r.last_span()));
    Ok(Some(own))
}

/// The maps of a kernel are those of its name, or such as turn its operands or leave out what is not summed.
fn named_form(draft: &Draft) -> Result<(), Mistake> {
    let Some(named) = NAMED.iter().find(|named| named.name == draft.name()) else { return generic_form(draft) };
    ["strides", "dilations"].into_iter().try_for_each(|list| named.fits_window(draft, list))?;
    generic_form(draft)?;
    let given = match draft.attribute("indexing_maps") {
        Some(Attribute::Array(maps)) => maps,
        _ => return Ok(()),
    };
    let usual = named.maps(draft);
    for (at, (map, usual)) in given.iter().filter_map(Attribute::as_map).zip(&usual).enumerate() {
        named.goes_over(draft, at, map, usual)?;
    }
    Ok(())
}

/// `linalg.contract indexing_maps = [...] ins(...) outs(...) -> T`: a product, summed over the loops that the
/// result has not.
fn contract_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    let own = own_maps(r)?.ok_or_else(|| r.expected("`indexing_maps`"))?;
    draft.attributes.append(own);
    operands(r, draft)?;
    results(r, draft)?;
    if draft.operands.iter().any(|operand| operand.ty.is_broken()) {
        return Err(Mistake::told());
    }
    if draft.operands.len() != 3 {
        return Err(draft.mistake("`linalg.contract` takes 3 operands"));
    }
    let maps = match draft.attribute("indexing_maps") {
        Some(Attribute::Array(maps)) => maps,
        _ => return Err(draft.wrong("indexing_maps", "`indexing_maps` is a list of affine maps")),
    };
    let Some(of_result) = maps.last().and_then(Attribute::as_map) else {
        return Err(draft.wrong("indexing_maps", "`indexing_maps` is a list of affine maps"));
    };
    contracts(draft, maps)?;
    let kept =
        |dim: usize| of_result.results.iter().any(|result| result.as_var().is_some_and(|var| var.index() == dim));
    let word = |dim| Attribute::Text(if kept(dim) { "parallel" } else { "reduction" }.to_string());
    let iterators = (0..of_result.dims).map(word).collect();
    draft.attributes.set("iterator_types", Attribute::Array(iterators));
    Body::MulAdd.build(r, draft, casts_unsigned(draft))
}

/// A loop of a contraction goes over the result and an operand, or over both operands alone; one does the latter.
fn contracts(draft: &Draft, maps: &[Attribute]) -> Result<(), Mistake> {
    let maps: Vec<_> = maps.iter().filter_map(Attribute::as_map).collect();
    let [a, b, to] = &maps[..] else { return Ok(()) };
    let names = |map: &AffineMap, dim: usize| {
        map.results.iter().any(|result| result.as_var().is_some_and(|var| var.index() == dim))
    };
    let contracted = |dim: usize| names(a, dim) && names(b, dim) && !names(to, dim);
    let kept = |dim: usize| (names(a, dim) || names(b, dim)) && names(to, dim);
    if let Some(dim) = (0..to.dims).find(|dim| !contracted(*dim) && !kept(*dim)) {
        let message = format!(
            "loop {dim} of `linalg.contract` is neither of the result and an operand nor of both operands alone"
        );
        return Err(draft.wrong("indexing_maps", message));
    }
    if !(0..to.dims).any(contracted) {
        let message = "no loop of `linalg.contract` is of both operands and not of the result: nothing is contracted";
        return Err(draft.wrong("indexing_maps", message));
    }
    Ok(())
}

impl Named {
    /// The kernel takes `cast`.
    pub(super) const fn casting(mut self) -> Named {
        self.takes_cast = true;
        self
    }

    /// The loops by name, in their order, each with whether it is reduced.
    fn loops(&self) -> Vec<(&'static str, bool)> {
        let parts = self.loops.split('|').enumerate();
        parts.flat_map(|(part, names)| names.split_whitespace().map(move |name| (name, part % 2 == 1))).collect()
    }

    fn loop_names(&self) -> Vec<&'static str> {
        self.loops().into_iter().map(|(name, _)| name).collect()
    }

    /// A list of factors has one for each dimension of the window.
    fn fits_window(&self, draft: &Draft, list: &'static str) -> Result<(), Mistake> {
        let Some(Attribute::Dense(given)) = draft.attribute(list) else { return Ok(()) };
        let factor = |at: usize| format!("*{}{at}", &list[..1]);
        let has = |at: &usize| self.accesses.iter().any(|access| access.contains(&factor(*at)));
        let dims = (0..).take_while(has).count() as u64;
        if dims == 0 || given.shape == [dims] {
            return Ok(());
        }
        let message = format!("`{list}` of `{}` are {dims}, one for each dimension of the window", self.name);
        Err(draft
            .wrong(list, message)
            .label(format!("a `{}`", given.ty))
            .help(format!("`{list} = dense<1> : tensor<{dims}xi64>` is of this form")))
    }

    /// A map of an operand names some of the loops that the operand usually has, each once, and all that are summed.
    fn goes_over(&self, draft: &Draft, at: usize, map: &AffineMap, usual: &AffineMap) -> Result<(), Mistake> {
        let loops = self.loops();
        let listed = |loops: &mut dyn Iterator<Item = usize>| -> String {
            loops.map(|dim| format!("`{}`", loop_name(draft, dim))).collect::<Vec<_>>().join(", ")
        };
        let is_one = |loops: &AffineMap, dim: usize| loops.results.contains(&Affine::Var(Dim::new(dim)));
        let of_usual = |result: &Affine<Dim>| usual.results.contains(result);
        let twice = |(at, result): (usize, &Affine<Dim>)| map.results[..at].contains(result);
        let wrong = |message: String| Err(draft.wrong_item("indexing_maps", at, message));
        if !map.results.iter().all(of_usual) || map.results.iter().enumerate().any(twice) {
            let own = listed(&mut (0..loops.len()).filter(|dim| is_one(usual, *dim)));
            return wrong(format!("operand {at} of `{}` goes over the loops {own}, each once", self.name));
        }
        let is_summed = |dim: &usize| loops.get(*dim).is_some_and(|(_, reduced)| *reduced);
        let left_out = (0..loops.len()).filter(is_summed).find(|dim| is_one(usual, *dim) && !is_one(map, *dim));
        left_out.map_or(Ok(()), |dim| {
            let summed = loop_name(draft, dim);
            wrong(format!("operand {at} of `{}` goes over the loop `{summed}`, which is summed", self.name))
        })
    }

    fn iterators(&self) -> Vec<Attribute> {
        let word = |(_, reduced)| if reduced { "reduction" } else { "parallel" };
        self.loops().into_iter().map(|of| Attribute::Text(word(of).to_string())).collect()
    }

    fn maps(&self, draft: &Draft) -> Vec<AffineMap> {
        let loops = self.loop_names();
        let factors = Factors::of(draft);
        let map = |access: &&str| AffineMap {
            dims: loops.len(),
            symbols: 0,
            results: access.split_whitespace().map(|dim| factors.sum(dim, &loops)).collect(),
        };
        self.accesses.iter().map(map).collect()
    }
}

impl Body {
    /// The region of a kernel.
    fn build(self, r: &mut Reader<'_>, draft: &mut Draft, unsigned: bool) -> Read<()> {
        let elements: Vec<Element> = draft.operands.iter().filter_map(|operand| operand.ty.element()).collect();
        let to = elements.last().copied().unwrap_or(Element::F64);
        let unsigned = unsigned || matches!(self, Body::MaxUnsigned | Body::MinUnsigned);
        let mut body = BodyBuilder::new(r, &elements).of(draft.span).unsigned(unsigned);
        let [first, last] = [0, elements.len() - 1];
        let term = match self {
            Body::MulAdd => {
                let (a, b) = (body.cast(first, to)?, body.cast(1, to)?);
                body.binary(multiply(to), a, b)?
            }
            Body::Quantized => {
                let [a, b, za, zb] = [body.cast(0, to)?, body.cast(1, to)?, body.cast(2, to)?, body.cast(3, to)?];
                let (a, b) = (body.binary(subtract(to), a, za)?, body.binary(subtract(to), b, zb)?);
                body.binary(multiply(to), a, b)?
            }
            Body::Sum | Body::Max | Body::Min | Body::MaxUnsigned | Body::MinUnsigned => body.cast(first, to)?,
        };
        let combine = match self {
            Body::Max if to.is_float() => "arith.maximumf",
            Body::Max => "arith.maxsi",
            Body::Min if to.is_float() => "arith.minimumf",
            Body::Min => "arith.minsi",
            Body::MaxUnsigned => "arith.maxui",
            Body::MinUnsigned => "arith.minui",
            Body::MulAdd | Body::Quantized | Body::Sum => add(to),
        };
        let result = body.binary(combine, last, term)?;
        draft.regions = vec![Some(body.finish(&[result])?)];
        Ok(())
    }
}

/// Strides and dilations; 1 where they are not given.
struct Factors {
    strides: Vec<i128>,
    dilations: Vec<i128>,
}

impl Factors {
    fn of(draft: &Draft) -> Factors {
        let ints = |name| draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
        Factors { strides: ints("strides"), dilations: ints("dilations") }
    }

    /// `w*s0+k*d0`
    fn sum(&self, text: &str, loops: &[&str]) -> Affine<Dim> {
        text.split('+').map(|term| self.term(term, loops)).fold(Affine::Const(0), Affine::add)
    }

    fn term(&self, text: &str, loops: &[&str]) -> Affine<Dim> {
        let (name, factor) = text.split_once('*').unwrap_or((text, ""));
        let at = loops.iter().position(|known| *known == name).unwrap_or(0);
        Affine::Var(Dim::new(at)).scaled(self.factor(factor))
    }

    fn factor(&self, name: &str) -> i64 {
        let list = if name.starts_with('s') { &self.strides } else { &self.dilations };
        let at = name.get(1..).and_then(|digits| digits.parse::<usize>().ok());
        let known = at.and_then(|at| list.get(at).or(list.first()));
        known.and_then(|&factor| i64::try_from(factor).ok()).unwrap_or(1)
    }
}

pub(super) fn multiply(element: Element) -> &'static str {
    of_kind(element, ["arith.mulf", "complex.mul", "arith.muli"])
}

pub(super) fn add(element: Element) -> &'static str {
    of_kind(element, ["arith.addf", "complex.add", "arith.addi"])
}

pub(super) fn subtract(element: Element) -> &'static str {
    of_kind(element, ["arith.subf", "complex.sub", "arith.subi"])
}

/// The operation for floats, complex numbers or integers; of conditions, MLIR's named kernels add by `or`.
pub(super) fn of_kind(element: Element, names: [&'static str; 3]) -> &'static str {
    match (element, names[2]) {
        (Element::I1, "arith.addi") => "arith.ori",
        (Element::I1, "arith.muli") => "arith.andi",
        _ if element.is_float() => names[0],
        _ if element.is_complex() => names[1],
        _ => names[2],
    }
}
