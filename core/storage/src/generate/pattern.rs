//! Matrices with random values in a regular pattern.

use super::{
    GenerateError, GeneratorInfo, Plan, UNWATCHED,
    args::{Args, Default, Parameter},
    check_entries,
    random::SEED,
    sample::Sampler,
};

pub(super) const BANDED: GeneratorInfo = GeneratorInfo {
    name: "banded",
    summary: "an n x n matrix with every entry of a band around the diagonal, values random",
    parameters: &[
        Parameter { name: "n", default: Default::FromShape, doc: "rows and columns" },
        Parameter { name: "lower", default: Default::Is(2.0), doc: "diagonals below the main one" },
        Parameter { name: "upper", default: Default::Is(2.0), doc: "diagonals above the main one" },
        SEED,
    ],
    example: "B : DIA = banded(n = 1000, lower = 3, upper = 1)",
    plan: banded,
};

pub(super) const BLOCK_DIAGONAL: GeneratorInfo = GeneratorInfo {
    name: "block_diagonal",
    summary: "full square blocks along the diagonal, values random",
    parameters: &[
        Parameter { name: "blocks", default: Default::FromShape, doc: "how many blocks" },
        Parameter { name: "size", default: Default::Is(4.0), doc: "rows and columns of a block" },
        SEED,
    ],
    example: "D : BSR(4, 4) = block_diagonal(blocks = 100, size = 4)",
    plan: block_diagonal,
};

pub(super) const PRUNED_2_4: GeneratorInfo = GeneratorInfo {
    name: "pruned_2_4",
    summary: "a matrix pruned 2:4: two entries in every four neighbours of a row, values random",
    parameters: &[
        Parameter { name: "rows", default: Default::FromShape, doc: "rows" },
        Parameter {
            name: "columns",
            default: Default::FromShape,
            doc: "columns; a last group of fewer keeps two at most",
        },
        SEED,
    ],
    example: "W : tensor<64x128xf32, NM(2, 4)> = pruned_2_4(seed = 1)",
    plan: pruned,
};

fn banded<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let n = args.order()?;
    let (lower, upper) = (args.needed("lower")?, args.needed("upper")?);
    args.fits(&[n, n])?;
    let width = u128::from(lower) + u128::from(upper) + 1;
    let most = check_entries(u128::from(n) * width.min(u128::from(n)))?;
    // The corners are cut off.
    let [below, above] = [lower, upper].map(|diagonals| u128::from(diagonals.min(n.saturating_sub(1))));
    let cut = |diagonals: u128| diagonals * (diagonals + 1) / 2;
    let count = (u128::from(n) * (below + above + 1)).saturating_sub(cut(below) + cut(above));
    let band = move |row: u64| row.saturating_sub(lower)..row.saturating_add(upper).saturating_add(1).min(n);
    Ok(fill(args, [n, n], most, move |_, row| band(row).collect())?.exactly(count))
}

fn block_diagonal<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let size = args.needed("size")?;
    let blocks = match (args.count("blocks")?, args.shape) {
        (Some(blocks), _) => blocks,
        (None, Some([n, ..])) if n.checked_rem(size) == Some(0) => n / size,
        (None, Some(_)) => return Err(args.misfit(format!("matrices of whole {size}x{size} blocks"))),
        (None, None) => args.needed("blocks")?,
    };
    let most = check_entries(u128::from(blocks).saturating_mul(u128::from(size)).saturating_mul(u128::from(size)))?;
    let n = blocks.saturating_mul(size);
    args.fits(&[n, n])?;
    let plan = fill(args, [n, n], most, move |_, row| (row / size * size..(row / size + 1) * size).collect())?;
    Ok(plan.exactly(most as u128))
}

fn pruned<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let from_shape = |at: usize| args.shape.and_then(|shape| shape.get(at).copied());
    let rows = args.count("rows")?.or(from_shape(0)).map_or_else(|| args.needed("rows"), Ok)?;
    let columns = args.count("columns")?.or(from_shape(1)).map_or_else(|| args.needed("columns"), Ok)?;
    args.fits(&[rows, columns])?;
    let most = check_entries(u128::from(rows) * u128::from(columns.div_ceil(4).max(1)) * 2)?;
    let plan = fill(args, [rows, columns], most, move |sampler, _| {
        (0..columns).step_by(4).flat_map(|group| two_of(sampler, group, columns)).collect()
    })?;
    Ok(plan.exactly(u128::from(rows) * u128::from(columns / 4 * 2 + (columns % 4).min(2))))
}

/// Two of the columns `group..group + 4` that exist, in order.
fn two_of(sampler: &mut Sampler, group: u64, columns: u64) -> Vec<u64> {
    let size = (columns - group).min(4);
    // So few are refused only where memory has run out, which ends the statement.
    let kept = sampler.distinct(u128::from(size), size.min(2) as usize, UNWATCHED).unwrap_or_default();
    kept.into_iter().map(|within| group + within as u64).collect()
}

/// A matrix with the columns that `pattern` gives for each row, values random.
fn fill<'a>(
    args: &'a Args<'a>,
    shape: [u64; 2],
    most: usize,
    pattern: impl Fn(&mut Sampler, u64) -> Vec<u64> + 'a,
) -> Result<Plan<'a>, GenerateError> {
    let mut sampler = Sampler::new(args.needed("seed")?);
    Ok(Plan::of_matrix(args, shape, most, move |matrix| {
        for row in 0..shape[0] {
            for column in pattern(&mut sampler, row) {
                matrix.push(row, column, sampler.value(args.element))?;
            }
        }
        Ok(())
    }))
}
