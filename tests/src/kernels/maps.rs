//! Encodings from short texts: a name as `BSR(2, 2)`, or a map of dimensions, their blocks and places
//! in blocks: `(i, j) -> (i floordiv 2 : dense, j : compressed(nonunique), i mod 2 : dense)`.

use nnz_core::{
    encoding::{
        Affine, COUNT, DeltaBits, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, NOutOfM, Props,
        format, format::Written, named,
    },
    ids::{Dim, Sym},
};

/// # Errors
/// What is not understood, or why the encoding is refused.
pub fn parse(text: &str) -> Result<Encoding, String> {
    let Some((dims, levels)) = text.split_once("->") else { return by_name(text) };
    let dims: Vec<String> = inside(dims)?.split(',').map(|name| name.trim().to_string()).collect();
    let levels = items(inside(levels)?).into_iter().map(|text| level(text, &dims)).collect::<Result<_, _>>()?;
    let dims = dims.into_iter().map(|name| Dimension { name, slice: None }).collect();
    let symbols = if text.contains('#') { vec![COUNT.to_string()] } else { Vec::new() };
    Encoding::new(EncodingParts { symbols, dims, levels, ..Default::default() }).map_err(|errors| format!("{errors:?}"))
}

fn by_name(text: &str) -> Result<Encoding, String> {
    let (name, arguments) = text.split_once('(').unwrap_or((text, ")"));
    let arguments = arguments.trim_end_matches(')').split(',').filter_map(|number| number.trim().parse().ok());
    named::lookup(name.trim(), &arguments.collect::<Vec<u64>>(), None).map_err(|error| error.to_string())
}

/// What the outermost parentheses hold.
fn inside(text: &str) -> Result<&str, String> {
    let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.ok_or_else(|| format!("no parentheses around `{text}`"))
}

/// The parts between commas outside of all brackets.
fn items(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    })
    .map(str::trim)
    .collect()
}

fn level(text: &str, dims: &[String]) -> Result<Level, String> {
    let (expr, format) = text.split_once(':').ok_or_else(|| format!("no format in `{text}`"))?;
    Ok(Level { name: None, expr: affine(expr, dims)?, format: level_format(format.trim())? })
}

fn affine(text: &str, dims: &[String]) -> Result<Affine<Dim>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let dim = |name: &str| dims.iter().position(|dim| dim == name).map(|at| Box::new(Affine::Var(Dim::new(at))));
    let unknown = || format!("`{text}` is not understood");
    match words.as_slice() {
        [name] if name.starts_with('#') => {
            let counted = dim(name.trim_start_matches('#')).ok_or_else(unknown)?;
            Ok(Affine::Mul(counted, Box::new(Affine::Sym(Sym(0)))))
        }
        [name] => dim(name).map(|var| *var).ok_or_else(unknown),
        [name, op, size] => {
            let var = dim(name).ok_or_else(unknown)?;
            let size = Box::new(Affine::Const(size.parse().map_err(|_| unknown())?));
            match *op {
                "floordiv" => Ok(Affine::FloorDiv(var, size)),
                "mod" => Ok(Affine::Mod(var, size)),
                _ => Err(unknown()),
            }
        }
        _ => Err(unknown()),
    }
}

fn level_format(text: &str) -> Result<LevelFormat, String> {
    let name = text.split(['(', '[']).next().unwrap_or(text);
    let props = Props { nonunique: text.contains("nonunique"), nonordered: text.contains("nonordered") };
    let layout = if text.contains("soa") { Layout::Soa } else { Layout::Aos };
    let row = format::named(name).ok_or_else(|| format!("no level format `{name}`"))?;
    let numbers = text.trim_end_matches(']').split(['[', ',']).filter_map(|number| number.trim().parse().ok());
    let format = match (row.written, numbers.collect::<Vec<u64>>().as_slice()) {
        (Written::Word(format), []) => Some(format(props, layout)),
        (Written::WithBits(format), [bits]) => DeltaBits::new(*bits).map(format),
        (Written::WithBlock(format), [n, m]) => NOutOfM::new(*n, *m).map(format),
        (Written::Word(_) | Written::WithBits(_) | Written::WithBlock(_), _) => None,
    };
    format.ok_or_else(|| format!("`{text}` has other numbers"))
}
