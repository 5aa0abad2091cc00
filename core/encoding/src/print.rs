//! Encodings as text: in MLIR's canonical form with the user's names, or with MLIR's own.

use std::fmt::{self, Display};

use super::{Affine, COUNT, Constant, Dimension, Encoding, Slice, mlir, symbol_name};
use nnz_base::{
    arrays::Width,
    element::Scalar,
    ids::{Dim, Lvl, Sym},
};

impl Display for Encoding {
    /// `#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>`, with the user's names. The
    /// inverse is written out only where the text could not be read back without it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names { dims: self.dims().iter().map(|dim| dim.name.clone()).collect(), symbols: self.symbols() };
        self.write(f, &names)
    }
}

/// An encoding as MLIR itself would print it; see [`Encoding::canonical`].
pub struct Canonical<'e>(&'e Encoding);

impl Display for Canonical<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.0;
        let dims = (0..encoding.dim_rank()).map(|at| Dim::new(at).to_string()).collect();
        let name = |(at, symbol): (usize, &String)| match symbol.as_str() {
            COUNT => symbol.clone(),
            _ => Sym::new(at).to_string(),
        };
        let symbols: Vec<String> = encoding.symbols().iter().enumerate().map(name).collect();
        encoding.write(f, &Names { dims, symbols: &symbols })
    }
}

struct Names<'a> {
    dims: Vec<String>,
    symbols: &'a [String],
}

impl Names<'_> {
    fn expr(&self, expr: &Affine<Dim>) -> String {
        let dim = |dim: Dim| self.dims.get(dim.index()).cloned().unwrap_or_else(|| dim.to_string());
        expr.print(&dim, &|sym| symbol_name(self.symbols, sym))
    }
}

impl Encoding {
    /// The text that MLIR prints for it: variables are d0, d1, ... and s0, s1, ...
    pub fn canonical(&self) -> Canonical<'_> {
        Canonical(self)
    }

    /// The map alone, with the user's names: `(i, j) -> (i : dense, j : compressed)`.
    pub fn map_text(&self) -> String {
        let dims = self.dims().iter().map(|dim| dim.name.clone()).collect();
        self.map_with(&Names { dims, symbols: self.symbols() })
    }

    /// The same with its inverse written out; `None` where a symbol keeps it open, or a level is called like a dimension.
    pub fn map_text_with_inverse(&self) -> Option<String> {
        let dims: Vec<String> = self.dims().iter().map(|dim| dim.name.clone()).collect();
        let clashes = self.level_names().iter().any(|name| dims.contains(name));
        let inverse = self.inverse().filter(|_| !clashes)?;
        Some(self.map_written(&Names { dims, symbols: self.symbols() }, Some(inverse)))
    }

    /// A level's expression with the user's names: `i floordiv 2`.
    pub fn level_text(&self, lvl: Lvl) -> String {
        let dims = self.dims().iter().map(|dim| dim.name.clone()).collect();
        let names = Names { dims, symbols: self.symbols() };
        self.levels().get(lvl.index()).map_or(String::new(), |level| names.expr(&level.expr))
    }

    /// A level's own name, or its number: `ib`, `l0`.
    pub fn level_name(&self, lvl: Lvl) -> String {
        self.levels().get(lvl.index()).and_then(|level| level.name.clone()).unwrap_or_else(|| lvl.to_string())
    }

    /// How each dimension follows from the levels: `i = l0 * 2 + l2`.
    pub fn inverse_text(&self) -> Option<Vec<String>> {
        let name = |lvl: Lvl| self.level_name(lvl);
        let text = |(dim, expr): (&Dimension, &Affine<Lvl>)| {
            format!("{} = {}", dim.name, expr.print(&name, &|sym| symbol_name(self.symbols(), sym)))
        };
        Some(self.dims().iter().zip(self.inverse()?).map(text).collect())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, names: &Names<'_>) -> fmt::Result {
        write!(f, "#sparse_tensor.encoding<{{ map = {}", self.map_with(names))?;
        for (key, width) in [("posWidth", self.pos_width()), ("crdWidth", self.crd_width())] {
            if width != Width::Index {
                write!(f, ", {key} = {}", width.bits())?;
            }
        }
        for (key, value) in [("explicitVal", self.explicit_val()), ("implicitVal", self.implicit_val())] {
            if let Some(constant) = value {
                write!(f, ", {key} = {constant}")?;
            }
        }
        f.write_str(" }>")
    }

    fn map_with(&self, names: &Names<'_>) -> String {
        self.map_written(names, self.inverse().filter(|_| mlir::needs_inverse(&self.parts)))
    }

    fn map_written(&self, names: &Names<'_>, inverse: Option<&[Affine<Lvl>]>) -> String {
        let declared: Vec<&str> = names.symbols.iter().map(String::as_str).filter(|name| *name != COUNT).collect();
        let symbols = if declared.is_empty() { String::new() } else { format!("[{}]", declared.join(", ")) };
        let decls = inverse.map_or(String::new(), |_| format!("{{{}}}", self.level_names().join(", ")));
        let dim = |(at, dim): (usize, &Dimension)| {
            let inverse = inverse.and_then(|all| all.get(at)).map(|expr| self.print_inverse(expr));
            let slice = dim.slice.map(|slice| format!(" : {slice}"));
            let inverse = inverse.map_or(String::new(), |text| format!(" = {text}"));
            format!("{}{inverse}{}", names.dims[at], slice.unwrap_or_default())
        };
        let dims: Vec<String> = self.dims().iter().enumerate().map(dim).collect();
        let levels: Vec<String> = self
            .levels()
            .iter()
            .enumerate()
            .map(|(at, level)| {
                let binding = inverse.map_or(String::new(), |_| format!("{} = ", self.level_name(Lvl::new(at))));
                format!("{binding}{} : {}", names.expr(&level.expr), level.format)
            })
            .collect();
        format!("{symbols}{decls}({}) -> ({})", dims.join(", "), levels.join(", "))
    }

    fn level_names(&self) -> Vec<String> {
        (0..self.lvl_rank()).map(|at| self.level_name(Lvl::new(at))).collect()
    }
    fn print_inverse(&self, expr: &Affine<Lvl>) -> String {
        expr.print(&|lvl| self.level_name(lvl), &|sym| symbol_name(self.symbols(), sym))
    }
}

impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |part: Option<u64>| part.map_or("?".to_string(), |n| n.to_string());
        write!(f, "#sparse_tensor<slice({}, {}, {})>", text(self.offset), text(self.size), text(self.stride))
    }
}

impl Display for Constant {
    /// As MLIR prints it: `1.000000e+00 : f64`, `1 : i32`, `true`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = &self.type_text;
        match self.value {
            Scalar::Int(x) if ty == "i1" => write!(f, "{}", x != 0),
            Scalar::Int(x) => write!(f, "{x} : {ty}"),
            Scalar::Float(x) => write!(f, "{} : {ty}", mlir_float(x)),
            Scalar::Complex(x) => {
                let part = ty.trim_start_matches("complex<").trim_end_matches('>');
                write!(f, "#complex.number<:{part} {}, {}> : {ty}", mlir_float(x.re), mlir_float(x.im))
            }
        }
    }
}

/// Six digits where they are exact, else the shortest that are; bits where there is no decimal form.
fn mlir_float(x: f64) -> String {
    if !x.is_finite() {
        return format!("0x{:016X}", x.to_bits());
    }
    let text = format!("{x:.6e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    if text.parse() == Ok(x) {
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.unsigned_abs());
    }
    format!("{x}")
}
