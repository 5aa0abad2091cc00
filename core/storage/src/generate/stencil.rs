//! Matrices with a fixed pattern around the diagonal: Poisson problems by finite differences.

use super::{
    GenerateError, GeneratorInfo, Plan,
    args::{Args, Default, Parameter},
    check_entries,
};

pub(super) const POISSON_2D: GeneratorInfo = GeneratorInfo {
    name: "poisson2d",
    summary: "the 5-point Laplacian on an n x m grid: 4 on the diagonal, -1 for each neighbour",
    parameters: &[
        Parameter { name: "n", default: Default::FromShape, doc: "grid points in the first direction" },
        Parameter { name: "m", default: Default::As("n"), doc: "grid points in the second direction" },
    ],
    example: "P : CSR = poisson2d(n = 100)",
    plan: |args| poisson(args, &["n", "m"]),
};

pub(super) const POISSON_3D: GeneratorInfo = GeneratorInfo {
    name: "poisson3d",
    summary: "the 7-point Laplacian on an n x m x k grid: 6 on the diagonal, -1 for each neighbour",
    parameters: &[
        Parameter { name: "n", default: Default::FromShape, doc: "grid points in the first direction" },
        Parameter { name: "m", default: Default::As("n"), doc: "grid points in the second direction" },
        Parameter { name: "k", default: Default::As("n"), doc: "grid points in the third direction" },
    ],
    example: "P : CSR = poisson3d(n = 20)",
    plan: |args| poisson(args, &["n", "m", "k"]),
};

pub(super) const TRIDIAGONAL: GeneratorInfo = GeneratorInfo {
    name: "tridiagonal",
    summary: "an n x n matrix with constant diagonals",
    parameters: &[
        Parameter { name: "n", default: Default::FromShape, doc: "rows and columns" },
        Parameter { name: "lower", default: Default::Is(-1.0), doc: "the values below the diagonal" },
        Parameter { name: "diagonal", default: Default::Is(2.0), doc: "the values on the diagonal" },
        Parameter { name: "upper", default: Default::Is(-1.0), doc: "the values above the diagonal" },
    ],
    example: "T : DIA = tridiagonal(n = 1000)",
    plan: tridiagonal,
};

/// The grid's sizes: those given, the first for those left out, or equal ones that the shape implies.
fn grid(args: &Args<'_>, names: &[&'static str]) -> Result<Vec<u64>, GenerateError> {
    let given = names.iter().map(|name| args.count(name)).collect::<Result<Vec<_>, _>>()?;
    let first = match (given.first().copied().flatten(), args.shape) {
        (Some(first), _) => first,
        (None, Some([points, ..])) => root(*points, names.len() as u32)
            .ok_or_else(|| args.misfit(format!("n^{0} x n^{0} matrices", names.len())))?,
        (None, _) => args.needed("n")?,
    };
    Ok(given.into_iter().map(|size| size.unwrap_or(first)).collect())
}

/// The whole `n` with `n^degree == power`.
fn root(power: u64, degree: u32) -> Option<u64> {
    let near = (power as f64).powf(1.0 / f64::from(degree)).round() as u64;
    (near.checked_pow(degree) == Some(power)).then_some(near)
}

/// The Laplacian of a grid of any rank with Dirichlet boundaries, points in row-major order.
fn poisson<'a>(args: &'a Args<'a>, names: &[&'static str]) -> Result<Plan<'a>, GenerateError> {
    let grid = grid(args, names)?;
    let points = grid.iter().fold(1u128, |points, &n| points.saturating_mul(u128::from(n)));
    let most = check_entries(points.saturating_mul(2 * grid.len() as u128 + 1))?;
    let points = points as u64;
    args.fits(&[points, points])?;
    // In each direction every point but those at one end has a neighbour.
    let pairs = |n: u64| u128::from(points) - u128::from(points / n.max(1));
    let count = grid.iter().fold(u128::from(points), |count, &n| count + 2 * pairs(n));
    let (centre, neighbour) = (args.value(2.0 * grid.len() as f64)?, args.value(-1.0)?);
    let plan = Plan::of_matrix(args, [points, points], most, move |matrix| {
        let directions = directions(&grid);
        for point in 0..points {
            for &(stride, n) in &directions {
                if point / stride % n > 0 {
                    matrix.push(point, point - stride, neighbour)?;
                }
            }
            matrix.push(point, point, centre)?;
            // The nearest neighbour is along the last direction.
            for &(stride, n) in directions.iter().rev() {
                if point / stride % n + 1 < n {
                    matrix.push(point, point + stride, neighbour)?;
                }
            }
        }
        Ok(())
    });
    Ok(plan.exactly(count))
}

/// The distance between neighbours in each direction, in points, and the direction's size.
fn directions(grid: &[u64]) -> Vec<(u64, u64)> {
    grid.iter().enumerate().map(|(at, &n)| (grid.iter().skip(at + 1).product(), n)).collect()
}

fn tridiagonal<'a>(args: &'a Args<'a>) -> Result<Plan<'a>, GenerateError> {
    let n = args.order()?;
    let most = check_entries(u128::from(n) * 3)?;
    args.fits(&[n, n])?;
    let value = |name| args.value(args.number(name)?);
    let (lower, diagonal, upper) = (value("lower")?, value("diagonal")?, value("upper")?);
    let plan = Plan::of_matrix(args, [n, n], most, move |matrix| {
        for row in 0..n {
            if row > 0 {
                matrix.push(row, row - 1, lower)?;
            }
            matrix.push(row, row, diagonal)?;
            if row + 1 < n {
                matrix.push(row, row + 1, upper)?;
            }
        }
        Ok(())
    });
    Ok(plan.exactly((u128::from(n) * 3).saturating_sub(2)))
}
