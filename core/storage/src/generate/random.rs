//! `random`: entries anywhere, with all places equally likely.

use super::{
    Entries, GenerateError, GeneratorInfo, Plan, Work,
    args::{Args, Default, Parameter},
    check_entries,
    sample::Sampler,
};
use nnz_base::{arrays::Values, memory};

pub(super) const SEED: Parameter =
    Parameter { name: "seed", default: Default::Is(0.0), doc: "another seed, another tensor" };

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "random",
    summary: "a tensor of any shape with round(density * size) entries at random places; the density is 0.01 unless it is given",
    parameters: &[
        Parameter {
            name: "density",
            default: Default::Is(0.01),
            doc: "the share of places with an entry, from 0 to 1",
        },
        SEED,
    ],
    example: "R : tensor<1000x1000xf64, CSR> = random(density = 0.01, seed = 7)",
    plan,
};

fn plan<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let shape = args.shape.ok_or(GenerateError::Missing { generator: "random", name: "shape" })?;
    let density = args.fraction("density")?;
    let size = shape.iter().try_fold(1u128, |size, &n| size.checked_mul(u128::from(n)));
    let size = size.ok_or_else(|| args.misfit("tensors of less than 2^128 places".to_string()))?;
    let count =
        check_entries((density * size as f64).round() as u128)?.min(usize::try_from(size).unwrap_or(usize::MAX));
    let mut sampler = Sampler::new(args.needed("seed")?);
    let plan = Plan::new(shape.to_vec(), count, move |work| {
        let places = sampler.distinct(size, count, work)?;
        let coords = unravel(&places, shape, work)?;
        let mut values = Values::with_room(args.element, count)?;
        for at in 0..count {
            if at.is_multiple_of(Work::STEP) {
                work.at(at)?;
            }
            values.push(sampler.value(args.element));
        }
        Ok(Entries { coords, values })
    });
    Ok(plan.exactly(count as u128))
}

/// The coordinates of row-major places, one vector per dimension.
fn unravel(places: &[u128], shape: &[u64], work: Work<'_>) -> Result<Vec<Vec<u64>>, GenerateError> {
    let mut stride = 1u128;
    let mut coords: Vec<Vec<u64>> = Vec::with_capacity(shape.len());
    for &size in shape.iter().rev() {
        let within = |place: &u128| (place / stride % u128::from(size.max(1))) as u64;
        let (mut column, mut rest) = (memory::array(places.len())?, places.iter());
        work.each(&mut column, places.len(), || rest.next().map_or(0, within))?;
        coords.push(column);
        stride *= u128::from(size.max(1));
    }
    coords.reverse();
    Ok(coords)
}
