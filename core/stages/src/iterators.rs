//! Encodings as iterators: a format description whose buffer has an iterator for each level, the reverse of
//! [`encoding`](super::encoding).
//!
//! A level without a parent that stores coordinates hangs off an iterator of length 1. Where levels are no dimensions in
//! their order, index maps go from coordinates of the tensor to those of the levels, and back.

use nnz_base::{
    arrays::Width,
    element::Element,
    format::LevelFormat,
    ids::{Dim, Lvl},
};
use nnz_encoding::{Affine, Encoding, Level};
use nnz_tir::model::name_of;

/// A format description as a script, or why iterators cannot say what the encoding says: one line, and a way out.
///
/// # Errors
/// A level format, an order of levels or a field of the encoding that SparseTIR lacks.
pub fn description(encoding: &Encoding, element: Option<Element>, name: &str) -> Result<String, Unsaid> {
    let width = width(encoding)?;
    let mut made = Made { width, ..Made::default() };
    made.names.extend(["A", "T"].map(String::from));
    for (at, level) in encoding.levels().iter().enumerate() {
        made.level(encoding, Lvl::new(at), level)?;
    }
    let maps = made.maps(encoding)?;
    Ok(made.text(&function_name(name), element.unwrap_or(Element::F32), maps))
}

/// The first line of each description.
pub const IMPORT: &str = "from tvm.script import tir as T\n";

/// What iterators cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    pub why: String,
    pub help: String,
}

fn unsaid<T>(why: impl Into<String>, help: &str) -> Result<T, Unsaid> {
    Err(Unsaid { why: why.into(), help: help.to_string() })
}

const ONE_WIDTH: &str =
    "an iterator has one type for both, `int32` or `int64`: write `posWidth = 32, crdWidth = 32`, or leave both out";

fn width(encoding: &Encoding) -> Result<&'static str, Unsaid> {
    if encoding.explicit_val().is_some() || encoding.implicit_val().is_some() {
        return unsaid(
            "the encoding promises values, and iterators say nothing of values",
            "leave `explicitVal` and `implicitVal` out",
        );
    }
    if encoding.is_slice() {
        return unsaid("the encoding is a slice, and iterators have none", "name the encoding of the whole tensor");
    }
    match (encoding.pos_width(), encoding.crd_width()) {
        (Width::W32, Width::W32) => Ok("int32"),
        (Width::W64 | Width::Index, Width::W64 | Width::Index) => Ok("int64"),
        (positions, coordinates) if positions == coordinates => {
            unsaid(format!("positions and coordinates have {} bits", positions.bits()), ONE_WIDTH)
        }
        _ => unsaid("positions and coordinates have different widths", ONE_WIDTH),
    }
}

fn function_name(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    let name: String = letters
        .collect::<String>()
        .trim_matches('_')
        .split('_')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { "described".to_string() }
}

/// What the levels so far have become.
#[derive(Default)]
struct Made {
    width: &'static str,
    names: Vec<String>,
    arrays: Vec<String>,
    numbers: Vec<String>,
    declarations: Vec<String>,
    buffer: Vec<String>,
    /// What each iterator of the buffer runs over, in coordinates of the tensor; `None` for a root of length 1.
    coordinates: Vec<Option<Affine<Dim>>>,
    /// The last of the iterators below which all positions so far are; `None` before the first level, and where the
    /// positions are those of several iterators together.
    parent: Option<String>,
    /// The level that counts rows' entries, which the next `singleton` has.
    counted: bool,
}

impl Made {
    fn level(&mut self, encoding: &Encoding, lvl: Lvl, level: &Level) -> Result<(), Unsaid> {
        if level.counts().is_some() {
            return self.counter(level);
        }
        match level.format {
            LevelFormat::Dense => self.dense(encoding, lvl, level),
            LevelFormat::Compressed(props) if !props.nonunique => self.compressed(encoding, level, !props.nonordered),
            LevelFormat::Singleton { .. } if std::mem::take(&mut self.counted) => self.padded(encoding, level),
            LevelFormat::Compressed(_) | LevelFormat::Singleton { .. } => unsaid(
                "coordinates that repeat, as in COO, are no iterator",
                "`DCSR` and `CSF` store the same entries with each coordinate once",
            ),
            LevelFormat::Structured(_) => unsaid(
                format!("`{}` is no iterator", level.format),
                "rows of a fixed length are `#i : dense` and `singleton(soa)`, as in ELL",
            ),
            LevelFormat::Batch
            | LevelFormat::LooseCompressed(_)
            | LevelFormat::Range
            | LevelFormat::Delta(_)
            | LevelFormat::Bitmap
            | LevelFormat::Hashed
            | LevelFormat::RunLength => unsaid(
                format!("no iterator stores what `{}` stores", level.format),
                "iterators are dense, or store coordinates as `compressed` does; convert the tensor first",
            ),
        }
    }

    fn dense(&mut self, encoding: &Encoding, lvl: Lvl, level: &Level) -> Result<(), Unsaid> {
        let name = self.named(encoding, level)?;
        let size = self.size(encoding, level);
        self.declare(&name, &format!("dense_fixed({size}{})", self.idtype()), &level.expr);
        self.parent = (lvl == Lvl::new(0)).then_some(name);
        Ok(())
    }

    fn compressed(&mut self, encoding: &Encoding, level: &Level, sorted: bool) -> Result<(), Unsaid> {
        let parent = self.parent_of(encoding, level)?;
        let name = self.named(encoding, level)?;
        let (length, count) = (self.size(encoding, level), self.number(&name, "count"));
        let (indptr, indices) = (self.array(&name, "indptr"), self.array(&name, "indices"));
        let sorted = if sorted { "" } else { ", sorted=False" };
        let kind =
            format!("compressed_varied({parent}, ({length}, {count}), ({indptr}, {indices}){}{sorted})", self.idtype());
        self.declare(&name, &kind, &level.expr);
        self.parent = Some(name);
        Ok(())
    }

    /// The counter of padded rows: below one dense dimension, which it counts.
    fn counter(&mut self, level: &Level) -> Result<(), Unsaid> {
        let below = self.coordinates.as_slice();
        let own = level.counts().map(Affine::Var);
        if level.format != LevelFormat::Dense || below.len() != 1 || below.first() != Some(&own) {
            return unsaid(
                "a count in front of the rows that it counts is no iterator",
                "the same rows one by one: `(i, j) -> (i : dense, #i : dense, j : singleton(soa))`",
            );
        }
        self.counted = true;
        Ok(())
    }

    fn padded(&mut self, encoding: &Encoding, level: &Level) -> Result<(), Unsaid> {
        let parent = self.parent_of(encoding, level)?;
        let name = self.named(encoding, level)?;
        let (length, columns) = (self.size(encoding, level), self.number(&name, "columns"));
        let indices = self.array(&name, "indices");
        let kind = format!("compressed_fixed({parent}, ({length}, {columns}), {indices}{})", self.idtype());
        self.declare(&name, &kind, &level.expr);
        self.parent = None;
        Ok(())
    }

    /// The iterator of the level above; a root for the first level.
    fn parent_of(&mut self, encoding: &Encoding, level: &Level) -> Result<String, Unsaid> {
        if let Some(parent) = &self.parent {
            return Ok(parent.clone());
        }
        if self.buffer.is_empty() {
            let name = self.free("O");
            self.declarations.push(format!("{name} = T.sp.dense_fixed(1{})", self.idtype()));
            self.buffer.push(name.clone());
            self.coordinates.push(None);
            return Ok(name);
        }
        let own = text(encoding, &level.expr);
        unsaid(
            format!(
                "`{own} : {}` has rows for all coordinates of several levels above, and an iterator has one parent",
                level.format
            ),
            "levels that store coordinates stand below one dense level, or below others that store them",
        )
    }

    fn declare(&mut self, name: &str, kind: &str, expr: &Affine<Dim>) {
        self.declarations.push(format!("{name} = T.sp.{kind}"));
        self.buffer.push(name.to_string());
        self.coordinates.push(Some(expr.clone()));
    }

    fn idtype(&self) -> String {
        if self.width == "int32" { String::new() } else { format!(", idtype=\"{}\"", self.width) }
    }

    /// `I`, `IO` of blocks, `II` of the places in them.
    fn named(&mut self, encoding: &Encoding, level: &Level) -> Result<String, Unsaid> {
        let of = |dim: Dim| encoding.dims()[dim.index()].name.to_uppercase();
        let block =
            |(e, c): (&Affine<Dim>, i64), behind: &str| e.as_var().filter(|_| c > 0).map(|dim| of(dim) + behind);
        let expr = &level.expr;
        let name = expr.as_var().map(of).or_else(|| expr.as_floordiv().and_then(|parts| block(parts, "O")));
        match name.or_else(|| expr.as_mod().and_then(|parts| block(parts, "I"))) {
            Some(name) => Ok(self.free(&name)),
            None => unsaid(
                format!("a level of `{}` is no dimension and no block of one", text(encoding, expr)),
                "iterators run over dimensions, `floordiv` and `mod` a number",
            ),
        }
    }

    fn free(&mut self, wanted: &str) -> String {
        let letters: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut others = (2..).map(|number| format!("{letters}{number}"));
        let taken = |name: &String| self.names.contains(name);
        let name = Some(letters.clone()).filter(|name| !taken(name)).or_else(|| others.find(|name| !taken(name)));
        let name = name.unwrap_or(letters);
        self.names.push(name.clone());
        name
    }

    /// The length of a level: a block's is a number.
    fn size(&mut self, encoding: &Encoding, level: &Level) -> String {
        if let Some((_, c)) = level.expr.as_mod() {
            return c.to_string();
        }
        let dim = level.expr.vars().first().map_or("d", |dim| encoding.dims()[dim.index()].name.as_str()).to_string();
        let blocks = level.expr.as_floordiv().map_or(dim.clone(), |_| format!("{dim}_blocks"));
        self.number(&blocks, "size")
    }

    fn number(&mut self, of: &str, what: &str) -> String {
        let name = format!("{}_{what}", of.to_lowercase());
        if !self.numbers.contains(&name) {
            self.numbers.push(name.clone());
        }
        name
    }

    fn array(&mut self, of: &str, what: &str) -> String {
        let name = format!("{}_{what}", of.to_lowercase());
        self.arrays.push(name.clone());
        name
    }

    /// The attributes with the index maps, unless the iterators are the dimensions in their order.
    fn maps(&self, encoding: &Encoding) -> Result<Option<String>, Unsaid> {
        let plain =
            |(at, expr): (usize, &Option<Affine<Dim>>)| expr.as_ref().and_then(Affine::as_var) == Some(Dim::new(at));
        if self.coordinates.iter().enumerate().all(plain) {
            return Ok(None);
        }
        let Some(inverse) = encoding.inverse() else {
            return unsaid("the levels do not determine the dimensions", "write the inverse into the map");
        };
        let dims: Vec<String> = encoding.dims().iter().map(|dim| dim.name.clone()).collect();
        let there = self
            .coordinates
            .iter()
            .map(|expr| expr.as_ref().map_or("0".to_string(), |expr| python(&text(encoding, expr))));
        // The iterator of each level of the encoding; a counter has none.
        let own: Vec<String> = self
            .coordinates
            .iter()
            .zip(&self.buffer)
            .filter(|(expr, _)| expr.is_some())
            .map(|(_, name)| name.to_lowercase())
            .collect();
        let of_level = |lvl: Lvl| {
            let counters = encoding.levels()[..lvl.index()].iter().filter(|level| level.counts().is_some()).count();
            own.get(lvl.index() - counters).cloned().unwrap_or_default()
        };
        let back = inverse.iter().map(|expr| python(&expr.print(&of_level, &|sym| sym.to_string())));
        let levels: Vec<String> = self.buffer.iter().map(|name| name.to_lowercase()).collect();
        Ok(Some(format!(
            "    T.func_attr({{\n        \"idx_map\": lambda {}: {},\n        \"inv_idx_map\": lambda {}: {},\n    }})\n",
            dims.join(", "),
            tuple(there),
            levels.join(", "),
            tuple(back)
        )))
    }

    fn text(&self, name: &str, element: Element, maps: Option<String>) -> String {
        let width = self.width;
        let handles = std::iter::once("a".to_string()).chain(self.arrays.iter().cloned());
        let handles = handles.map(|array| format!("{array}: T.handle"));
        let numbers = self.numbers.iter().map(|number| format!("{number}: T.{width}"));
        let params: Vec<String> = handles.chain(numbers).collect();
        let declarations: String = self.declarations.iter().map(|line| format!("    {line}\n")).collect();
        let buffer = format!("    A = T.sp.match_buffer(a, [{}], \"{}\")\n", self.buffer.join(", "), name_of(element));
        let head = format!("@T.prim_func\ndef {name}({}):\n", params.join(", "));
        let maps = maps.unwrap_or_default();
        format!("{IMPORT}\n\n{head}{maps}{declarations}{buffer}    pass\n")
    }
}

fn tuple(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [only] => format!("({only},)"),
        all => format!("({})", all.join(", ")),
    }
}

fn text(encoding: &Encoding, expr: &Affine<Dim>) -> String {
    expr.print(&|dim| encoding.dims()[dim.index()].name.clone(), &|sym| sym.to_string())
}

fn python(affine: &str) -> String {
    affine.replace(" floordiv ", " // ").replace(" mod ", " % ")
}
