//! Writing Matrix Market and FROSTT files. Numbers are in the shortest form that reads back the same.

use std::io::{self, BufWriter, Write};

use flate2::{Compression, write::GzEncoder};
use half::{bf16, f16};
use num_complex::Complex;

use super::{
    ELEMENTS, FileKind, by,
    number::{Field, natural_element},
};
use crate::Triplets;
use nnz_base::{element::Element, with_values};

/// Whether the text is gzipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    #[default]
    Plain,
    Gzip,
}

impl Packing {
    /// By the file's name.
    pub fn of_path(path: &str) -> Packing {
        if path.to_ascii_lowercase().ends_with(".gz") { Packing::Gzip } else { Packing::Plain }
    }
}

/// Why a tensor is not written to a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error(
        "a Matrix Market file holds a matrix or a vector, not a tensor of shape {shape}; a .tns file holds any shape"
    )]
    NotAMatrix { shape: String },
    #[error("a .tns file needs a dimension at least")]
    NoDimensions,
    #[error("files of this kind are read, not written; .mtx and .tns are written")]
    Unsupported,
}

/// Whether files of `kind` are written.
///
/// # Errors
/// Why they are not.
pub fn check_written(kind: FileKind) -> Result<(), WriteError> {
    match kind {
        FileKind::MatrixMarket | FileKind::Frostt => Ok(()),
        FileKind::Dlmc | FileKind::Scipy => Err(WriteError::Unsupported),
    }
}

/// Whether files of `kind` hold tensors of `shape`.
///
/// # Errors
/// Why they do not.
pub fn check_writable(kind: FileKind, shape: &[u64]) -> Result<(), WriteError> {
    match kind {
        FileKind::MatrixMarket if !matches!(shape.len(), 1 | 2) => Err(WriteError::NotAMatrix { shape: by(shape) }),
        FileKind::Frostt if shape.is_empty() => Err(WriteError::NoDimensions),
        FileKind::MatrixMarket | FileKind::Frostt | FileKind::Dlmc | FileKind::Scipy => check_written(kind),
    }
}

/// Writes `triplets`, entries in their order.
///
/// `.mtx`: coordinate format, general, a vector as one column, the field by the element type. `.tns`: the extended FROSTT form, with the
/// sizes and the number of entries, so that a truncated file is recognized. A comment gives the element type if a
/// reader would assume another.
///
/// # Errors
/// A tensor that the format cannot hold, a format that is not written, or what `out` says.
pub fn write(kind: FileKind, triplets: &Triplets, packing: Packing, out: &mut dyn Write) -> io::Result<()> {
    check_writable(kind, triplets.shape()).map_err(io::Error::other)?;
    let text = if kind == FileKind::MatrixMarket { matrix_market } else { frostt };
    match packing {
        Packing::Plain => {
            let mut out = BufWriter::new(out);
            text(triplets, &mut out)?;
            out.flush()
        }
        Packing::Gzip => {
            let mut out = BufWriter::new(GzEncoder::new(out, Compression::default()));
            text(triplets, &mut out)?;
            out.into_inner().map_err(|error| error.into_error())?.finish()?.flush()
        }
    }
}

fn matrix_market(triplets: &Triplets, out: &mut dyn Write) -> io::Result<()> {
    let mut sizes: Vec<_> = triplets.shape().iter().map(u64::to_string).collect();
    // A vector is a matrix of one column, and read as a vector where one is asked for.
    let column = if sizes.len() == 1 { "1 " } else { "" };
    sizes.extend((!column.is_empty()).then(|| "1".to_string()));
    let element = triplets.element();
    let (name, field) = field(element);
    writeln!(out, "%%MatrixMarket matrix coordinate {name} general")?;
    if element != natural_element(field) {
        writeln!(out, "% {ELEMENTS}{element}")?;
    }
    writeln!(out, "{} {}", sizes.join(" "), triplets.len())?;
    entries(triplets, column, out)
}

fn field(element: Element) -> (&'static str, Field) {
    match element {
        Element::C32 | Element::C64 => ("complex", Field::Complex),
        Element::F64 | Element::F32 | Element::F16 | Element::BF16 => ("real", Field::Real),
        Element::U8 | Element::U16 | Element::U32 | Element::U64 | Element::Index => {
            ("unsigned-integer", Field::Unsigned)
        }
        Element::I1 | Element::I2 | Element::I4 | Element::I8 | Element::I16 | Element::I32 | Element::I64 => {
            ("integer", Field::Integer)
        }
    }
}

fn frostt(triplets: &Triplets, out: &mut dyn Write) -> io::Result<()> {
    let (shape, element) = (triplets.shape(), triplets.element());
    let sizes: Vec<_> = shape.iter().map(u64::to_string).collect();
    writeln!(out, "# extended FROSTT format")?;
    if element != Element::F64 {
        writeln!(out, "# {ELEMENTS}{element}")?;
    }
    writeln!(out, "{} {}\n{}", shape.len(), triplets.len(), sizes.join(" "))?;
    entries(triplets, "", out)
}

/// A line for each entry: coordinates from 1, with `last` behind them, then the value.
fn entries(triplets: &Triplets, last: &str, out: &mut dyn Write) -> io::Result<()> {
    with_values!(triplets.values(), values => for (entry, value) in values.iter().enumerate() {
        for coordinate in triplets.coords().iter().filter_map(|column| column.get(entry)) {
            write!(out, "{} ", coordinate + 1)?;
        }
        out.write_all(last.as_bytes())?;
        value.write(out)?;
        out.write_all(b"\n")?;
    });
    Ok(())
}

/// A value as the shortest text that reads back the same.
trait Spelt {
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! spelt {
    ($($ty:ty, $value:ident => $text:expr);* $(;)?) => { $(
        impl Spelt for $ty {
            fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                let $value = self;
                out.write_all($text.as_bytes())
            }
        }
    )* };
}
// `{:?}` of a float turns to an exponent where `{}` would write hundreds of zeros.
spelt!(
    f64, x => format!("{x:?}"); f32, x => format!("{x:?}");
    f16, x => format!("{:?}", x.to_f32()); bf16, x => format!("{:?}", x.to_f32());
    i8, x => x.to_string(); i16, x => x.to_string(); i32, x => x.to_string(); i64, x => x.to_string();
    u8, x => x.to_string(); u16, x => x.to_string(); u32, x => x.to_string(); u64, x => x.to_string();
    Complex<f32>, x => format!("{:?} {:?}", x.re, x.im); Complex<f64>, x => format!("{:?} {:?}", x.re, x.im);
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::files::{Note, ReadOptions, read, unwatched};
    use nnz_base::{arrays::Values, element::Scalar};

    fn written(kind: FileKind, triplets: &Triplets) -> String {
        let mut out = Vec::new();
        write(kind, triplets, Packing::Plain, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn matrix(element: Element, values: Values) -> Triplets {
        let places = (0..values.len() as u64).collect::<Vec<_>>();
        let shape = vec![values.len() as u64, 9];
        Triplets::new(shape, element, vec![places, vec![8; values.len()]], values).unwrap()
    }

    #[test]
    fn the_text_of_both_formats() {
        let reals = matrix(Element::F64, Values::F64(vec![0.1, -1e300]));
        let text = "%%MatrixMarket matrix coordinate real general\n2 9 2\n1 9 0.1\n2 9 -1e300\n";
        assert_eq!(written(FileKind::MatrixMarket, &reals), text);
        let text = "# extended FROSTT format\n2 2\n2 9\n1 9 0.1\n2 9 -1e300\n";
        assert_eq!(written(FileKind::Frostt, &reals), text);
        let empty = Triplets::empty(vec![2, 3, 4], Element::I8).unwrap();
        assert_eq!(written(FileKind::Frostt, &empty), "# extended FROSTT format\n# elements are i8\n3 0\n2 3 4\n");
        let complex = matrix(Element::C32, Values::C32(vec![Complex::new(0.1, f32::INFINITY)]));
        assert!(written(FileKind::MatrixMarket, &complex).ends_with("1 9 0.1 inf\n"));
        let error = write(FileKind::MatrixMarket, &empty, Packing::Plain, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("not a tensor of shape 2x3x4"));
    }

    /// Any value of `element` but NaN, which is not equal to itself.
    fn value(element: Element) -> BoxedStrategy<Scalar> {
        let float = prop_oneof![any::<f64>(), Just(f64::INFINITY), -1e3..1e3].prop_filter("NaN", |x| !x.is_nan());
        match element.int_range() {
            Some((low, high)) => (low..=high).prop_map(Scalar::Int).boxed(),
            None if element.is_complex() => {
                (float.clone(), float).prop_map(|(re, im)| Scalar::Complex(Complex::new(re, im))).boxed()
            }
            None => float.prop_map(Scalar::Float).boxed(),
        }
    }

    fn tensor(rank: usize) -> impl Strategy<Value = Triplets> {
        let element = prop::sample::select(Element::ALL);
        let shape = prop::collection::vec(1u64..50, rank);
        (element, shape).prop_flat_map(|(element, shape)| {
            let place: Vec<_> = shape.iter().map(|&size| 0..size).collect();
            // Sums of repeats may be numbers that no file holds.
            prop::collection::btree_map(place, value(element), 0..40).prop_map(move |entries| {
                let coords = (0..shape.len()).map(|dim| entries.keys().map(|place| place[dim]).collect()).collect();
                let values = Values::from_scalars(element, entries.values().copied());
                Triplets::new(shape.clone(), element, coords, values).unwrap()
            })
        })
    }

    fn round_trip(kind: FileKind, triplets: &Triplets, packing: Packing) -> Triplets {
        let mut out = Vec::new();
        write(kind, triplets, packing, &mut out).unwrap();
        let asked = ReadOptions { element: Some(triplets.element()), ..ReadOptions::default() };
        let given = read(kind, &out, &asked, &unwatched).unwrap();
        assert_eq!(given.notes, []);
        // The file itself says what it holds.
        assert_eq!(read(kind, &out, &ReadOptions::default(), &unwatched).unwrap(), given);
        given.triplets
    }

    proptest! {
        #[test]
        fn matrices_read_back_the_same(triplets in tensor(2)) {
            prop_assert_eq!(round_trip(FileKind::MatrixMarket, &triplets, Packing::Plain), triplets.clone());
            prop_assert_eq!(round_trip(FileKind::MatrixMarket, &triplets, Packing::Gzip), triplets);
        }

        #[test]
        fn tensors_read_back_the_same(triplets in (1usize..5).prop_flat_map(tensor)) {
            prop_assert_eq!(round_trip(FileKind::Frostt, &triplets, Packing::Plain), triplets.clone());
            prop_assert_eq!(round_trip(FileKind::Frostt, &triplets, Packing::Gzip), triplets);
        }

        /// Wherever a file is cut off, it is refused, or the loss is of its last line end alone.
        #[test]
        fn a_file_that_was_cut_off_is_not_read(
            triplets in tensor(2), kind in prop::sample::select(&[FileKind::MatrixMarket, FileKind::Frostt][..]),
            gzip in any::<bool>(), part in 0.0..1.0,
        ) {
            let mut out = Vec::new();
            write(kind, &triplets, if gzip { Packing::Gzip } else { Packing::Plain }, &mut out).unwrap();
            let cut = (out.len() as f64 * part) as usize;
            match read(kind, &out[..cut], &ReadOptions::default(), &unwatched) {
                Err(_) => {}
                Ok(read) => prop_assert_eq!(read.notes, [Note::NoLineEnd], "{:?}", String::from_utf8_lossy(&out[..cut])),
            }
        }
    }
}
