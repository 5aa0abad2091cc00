//! `rmat`: the recursive matrix model of power-law graphs (Chakrabarti, Zhan and Faloutsos, SDM 2004),
//! with the parameters of Graph 500 unless others are given.

use super::{
    GenerateError, GeneratorInfo, Matrix, Plan, Work,
    args::{Args, Default, Parameter, bad_value},
    check_entries,
    random::SEED,
    sample::Sampler,
};
use nnz_base::{element::Scalar, memory};

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "rmat",
    summary: "the adjacency matrix of a power-law graph (R-MAT): ones, each edge once",
    parameters: &[
        Parameter { name: "scale", default: Default::FromShape, doc: "2^scale vertices" },
        Parameter { name: "edge_factor", default: Default::Is(16.0), doc: "edges drawn for each vertex" },
        Parameter { name: "a", default: Default::Is(0.57), doc: "chance of an edge in the upper left quarter" },
        Parameter { name: "b", default: Default::Is(0.19), doc: "chance of an edge in the upper right quarter" },
        Parameter { name: "c", default: Default::Is(0.19), doc: "chance of an edge in the lower left quarter" },
        SEED,
    ],
    example: "G : CSR = rmat(scale = 12, edge_factor = 8)",
    plan,
};

/// The most levels of quarters: both coordinates of an edge fit one `u64`.
const LARGEST_SCALE: u64 = 31;

fn plan<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let scale = scale(args)?;
    let size = 1u64 << scale;
    args.fits(&[size, size])?;
    let quarters = Quarters::new(args)?;
    let drawn = check_entries(u128::from(size) * u128::from(args.needed("edge_factor")?))?;
    let mut sampler = Sampler::new(args.needed("seed")?);
    Ok(Plan::new(vec![size, size], drawn, move |work| {
        let mut edges: Vec<u64> = memory::array(drawn)?;
        work.each(&mut edges, drawn, || quarters.edge(&mut sampler, scale))?;
        edges.sort_unstable();
        edges.dedup();
        let mut matrix = Matrix::of(args.element, Work { total: edges.len(), ..work })?;
        edges.iter().try_for_each(|edge| matrix.push(edge >> 32, edge & 0xffff_ffff, one(args)))?;
        Ok(matrix.entries)
    }))
}

fn one(args: &Args<'_>) -> Scalar {
    if args.element.is_integer() { Scalar::Int(1) } else { Scalar::Float(1.0) }
}

fn scale(args: &Args<'_>) -> Result<u32, GenerateError> {
    let scale = match (args.count("scale")?, args.shape) {
        (Some(scale), _) => scale,
        (None, Some([n, ..])) if n.is_power_of_two() => u64::from(n.trailing_zeros()),
        (None, Some(_)) => return Err(args.misfit("2^scale x 2^scale matrices".to_string())),
        (None, None) => args.needed("scale")?,
    };
    match scale <= LARGEST_SCALE {
        true => Ok(scale as u32),
        false => Err(bad_value("scale", Scalar::Int(scale.into()), "a whole number from 0 to 31")),
    }
}

/// The chances, each added to those before it.
struct Quarters {
    a: f64,
    ab: f64,
    abc: f64,
}

impl Quarters {
    fn new(args: &Args<'_>) -> Result<Quarters, GenerateError> {
        let (a, b, c) = (args.fraction("a")?, args.fraction("b")?, args.fraction("c")?);
        match a + b + c <= 1.0 {
            true => Ok(Quarters { a, ab: a + b, abc: a + b + c }),
            false => Err(bad_value("c", Scalar::Float(c), "small enough: a + b + c must not pass 1")),
        }
    }

    /// Row in the upper, column in the lower half of the bits.
    fn edge(&self, sampler: &mut Sampler, scale: u32) -> u64 {
        (0..scale).fold(0, |edge, _| {
            let chance = sampler.chance();
            let lower = u64::from(chance >= self.ab);
            let right = u64::from((self.a..self.ab).contains(&chance) || chance >= self.abc);
            edge << 1 | lower << 32 | right
        })
    }
}
