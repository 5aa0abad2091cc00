//! Writing Matrix Market and FROSTT files. Numbers are in the shortest form that reads back the same.

use std::io::{self, BufWriter, Write};

use flate2::{Compression, write::GzEncoder};
use half::{bf16, f16};
use num_complex::Complex;

use super::{FileKind, by};
use crate::{element::Element, storage::Triplets, with_values};

/// Whether the text is gzipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    #[default]
    Plain,
    Gzip,
}

impl Packing {
    /// As the file's name tells.
    pub fn of_path(path: &str) -> Packing {
        if path.to_ascii_lowercase().ends_with(".gz") { Packing::Gzip } else { Packing::Plain }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("a Matrix Market file holds a matrix, not a tensor of shape {shape}; a .tns file holds any shape")]
    NotAMatrix { shape: String },
    #[error("a .tns file needs a dimension at least")]
    NoDimensions,
    #[error("files of this kind are read, not written; .mtx and .tns are written")]
    Unsupported,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes `triplets`, entries in their order.
///
/// `.mtx`: coordinate format, general, the field by the element type. `.tns`: plain FROSTT; the
/// extended form, which says the sizes, where the largest coordinates do not tell the shape.
///
/// # Errors
/// A tensor that the format cannot hold, a format that is not written, or what `out` says.
pub fn write(kind: FileKind, triplets: &Triplets, packing: Packing, out: &mut dyn Write) -> Result<(), WriteError> {
    let text = match kind {
        FileKind::MatrixMarket => matrix_market,
        FileKind::Frostt => frostt,
        FileKind::Dlmc | FileKind::Scipy => return Err(WriteError::Unsupported),
    };
    match packing {
        Packing::Plain => {
            let mut out = BufWriter::new(out);
            text(triplets, &mut out)?;
            out.flush()?;
        }
        Packing::Gzip => {
            let mut out = BufWriter::new(GzEncoder::new(out, Compression::default()));
            text(triplets, &mut out)?;
            out.into_inner().map_err(|error| error.into_error())?.finish()?;
        }
    }
    Ok(())
}

fn matrix_market(triplets: &Triplets, out: &mut dyn Write) -> Result<(), WriteError> {
    let &[rows, columns] = triplets.shape() else {
        return Err(WriteError::NotAMatrix { shape: by(triplets.shape()) });
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {} general", field(triplets.element()))?;
    writeln!(out, "{rows} {columns} {}", triplets.len())?;
    Ok(entries(triplets, out)?)
}

fn field(element: Element) -> &'static str {
    match element {
        _ if element.is_complex() => "complex",
        _ if element.is_float() => "real",
        Element::U8 | Element::U16 | Element::U32 | Element::U64 | Element::Index => "unsigned-integer",
        _ => "integer",
    }
}

fn frostt(triplets: &Triplets, out: &mut dyn Write) -> Result<(), WriteError> {
    let shape = triplets.shape();
    if shape.is_empty() {
        return Err(WriteError::NoDimensions);
    }
    let told = |(column, &size): (&Vec<u64>, &u64)| column.iter().max().is_some_and(|largest| largest + 1 == size);
    if !triplets.coords().iter().zip(shape).all(told) {
        let sizes: Vec<_> = shape.iter().map(u64::to_string).collect();
        writeln!(out, "# extended FROSTT format\n{} {}\n{}", shape.len(), triplets.len(), sizes.join(" "))?;
    }
    Ok(entries(triplets, out)?)
}

/// A line for each entry: coordinates from 1, then the value.
fn entries(triplets: &Triplets, out: &mut dyn Write) -> io::Result<()> {
    with_values!(triplets.values(), values => for (entry, value) in values.iter().enumerate() {
        for coordinate in triplets.coords().iter().filter_map(|column| column.get(entry)) {
            write!(out, "{} ", coordinate + 1)?;
        }
        value.write(out)?;
        out.write_all(b"\n")?;
    });
    Ok(())
}

/// A value as the shortest text that reads back the same.
trait Written {
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! written {
    ($($ty:ty, $value:ident => $text:expr);* $(;)?) => { $(
        impl Written for $ty {
            fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                let $value = self;
                out.write_all($text.as_bytes())
            }
        }
    )* };
}
// `{:?}` of a float turns to an exponent where `{}` would write hundreds of zeros.
written!(
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
    use crate::{
        arrays::Values,
        element::Scalar,
        storage::files::{ReadOptions, read, unwatched},
    };

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
        assert_eq!(written(FileKind::Frostt, &reals), "1 9 0.1\n2 9 -1e300\n");
        let empty = Triplets::empty(vec![2, 3, 4], Element::I8).unwrap();
        assert_eq!(written(FileKind::Frostt, &empty), "# extended FROSTT format\n3 0\n2 3 4\n");
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
            prop::collection::vec((place, value(element)), 0..40).prop_map(move |entries| {
                let coords =
                    (0..shape.len()).map(|dim| entries.iter().map(|(place, _)| place[dim]).collect()).collect();
                let values = Values::from_scalars(element, entries.iter().map(|(_, value)| *value));
                Triplets::new(shape.clone(), element, coords, values).unwrap()
            })
        })
    }

    fn round_trip(kind: FileKind, triplets: &Triplets, packing: Packing) -> Triplets {
        let mut out = Vec::new();
        write(kind, triplets, packing, &mut out).unwrap();
        let options = ReadOptions { element: Some(triplets.element()), ..ReadOptions::default() };
        read(kind, &out, &options, &unwatched).unwrap().triplets
    }

    proptest! {
        #[test]
        fn matrices_read_back_the_same(triplets in tensor(2)) {
            prop_assert_eq!(round_trip(FileKind::MatrixMarket, &triplets, Packing::Plain), triplets.clone());
            prop_assert_eq!(round_trip(FileKind::MatrixMarket, &triplets, Packing::Gzip), triplets);
        }

        #[test]
        fn tensors_read_back_the_same(triplets in (1usize..5).prop_flat_map(tensor)) {
            prop_assert_eq!(round_trip(FileKind::Frostt, &triplets, Packing::Plain), triplets);
        }
    }
}
