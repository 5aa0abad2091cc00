use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn try_made(
    name: &str,
    args: &[(&str, f64)],
    shape: Option<&[u64]>,
    element: Element,
) -> Result<Triplets, GenerateError> {
    let scalar = |number: f64| if number.fract() == 0.0 { Scalar::Int(number as i128) } else { Scalar::Float(number) };
    let args: BTreeMap<String, Scalar> = args.iter().map(|&(name, value)| (name.to_string(), scalar(value))).collect();
    make(name, &args, shape, element, &unwatched)
}

fn made(name: &str, args: &[(&str, f64)], shape: Option<&[u64]>) -> Triplets {
    try_made(name, args, shape, Element::F64).unwrap()
}

/// The places of the entries, which are distinct and in order.
fn places(triplets: &Triplets) -> Vec<Vec<u64>> {
    let places: Vec<_> = (0..triplets.len()).map(|at| triplets.entry(at).unwrap().0).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "places are distinct and in order");
    places
}

fn dense(triplets: &Triplets) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; triplets.shape()[1] as usize]; triplets.shape()[0] as usize];
    for at in 0..triplets.len() {
        let (place, value) = triplets.entry(at).unwrap();
        rows[place[0] as usize][place[1] as usize] = value.as_f64();
    }
    rows
}

#[test]
fn random_has_the_count_that_its_density_says() {
    for (shape, density) in
        [(vec![10, 10], 0.25), (vec![7], 1.0), (vec![4, 5, 6], 0.9), (vec![3, 3], 0.0), (vec![], 1.0)]
    {
        let size: u64 = shape.iter().product();
        let random = made("random", &[("density", density)], Some(&shape));
        assert_eq!(places(&random).len() as f64, (density * size as f64).round());
        assert!(random.values().iter().all(|value| value.as_f64() > 0.0 && value.as_f64() <= 1.0));
    }
}

#[test]
fn random_takes_shapes_of_any_size() {
    let huge = made("random", &[("density", 1e-33)], Some(&[1 << 60, 1 << 58]));
    assert_eq!(places(&huge).len(), 332);
}

#[test]
fn a_seed_is_one_tensor_everywhere() {
    let random = |seed: f64| made("random", &[("density", 0.3), ("seed", seed)], Some(&[3, 4]));
    assert_eq!(random(7.0), random(7.0));
    assert_ne!(random(7.0), random(8.0));
    assert_eq!(places(&random(7.0)), PLACES_OF_SEED_7);
}

const PLACES_OF_SEED_7: [[u64; 2]; 4] = [[0, 1], [0, 3], [2, 2], [2, 3]];

#[test]
fn values_suit_every_element() {
    for &element in Element::ALL {
        let random = try_made("random", &[("density", 1.0)], Some(&[50]), element).unwrap();
        assert!(random.values().iter().all(|value| !value.is_zero()), "{element} has a zero");
        assert!(random.len() == 50);
    }
}

#[test]
fn poisson_is_the_finite_difference_matrix() {
    let p = made("poisson2d", &[("n", 2.0), ("m", 3.0)], None);
    let row = |row: usize| dense(&p)[row].clone();
    assert_eq!(row(0), [4.0, -1.0, 0.0, -1.0, 0.0, 0.0]);
    assert_eq!(row(1), [-1.0, 4.0, -1.0, 0.0, -1.0, 0.0]);
    assert_eq!(row(5), [0.0, 0.0, -1.0, 0.0, -1.0, 4.0]);
    assert_eq!(places(&p).len(), 20);
    let cube = made("poisson3d", &[], Some(&[27, 27]));
    assert_eq!(places(&cube).len(), 27 * 7 - 6 * 9);
    assert_eq!(dense(&cube)[13].iter().filter(|&&x| x == -1.0).count(), 6);
    assert!((0..27).all(|i| (0..27).all(|j| dense(&cube)[i][j] == dense(&cube)[j][i])));
}

#[test]
fn regular_patterns() {
    let t = made("tridiagonal", &[("n", 3.0), ("lower", 5.0)], None);
    assert_eq!(dense(&t), [[2.0, -1.0, 0.0], [5.0, 2.0, -1.0], [0.0, 5.0, 2.0]]);
    let b = made("banded", &[("n", 4.0), ("lower", 0.0), ("upper", 2.0)], None);
    assert_eq!(places(&b).len(), 3 + 3 + 2 + 1);
    assert!(places(&b).iter().all(|place| (place[0]..=place[0] + 2).contains(&place[1])));
    let d = made("block_diagonal", &[("size", 2.0)], Some(&[6, 6]));
    assert_eq!(places(&d).len(), 12);
    assert!(places(&d).iter().all(|place| place[0] / 2 == place[1] / 2));
}

#[test]
fn two_of_every_four() {
    let w = made("pruned_2_4", &[("seed", 3.0)], Some(&[20, 14]));
    for row in 0..20 {
        for (group, kept) in [(0, 2), (1, 2), (2, 2), (3, 2)] {
            let here = |place: &&Vec<u64>| place[0] == row && place[1] / 4 == group;
            assert_eq!(places(&w).iter().filter(here).count(), kept);
        }
    }
    let kinds: BTreeSet<_> = places(&w).chunks(2).map(|two| (two[0][1] % 4, two[1][1] % 4)).collect();
    assert_eq!(kinds.len(), 6, "every pair of places is chosen");
}

#[test]
fn rmat_is_skewed() {
    let g = made("rmat", &[("scale", 10.0), ("edge_factor", 8.0)], None);
    assert_eq!(g.shape(), [1024, 1024]);
    let upper_left = places(&g).iter().filter(|place| place[0] < 512 && place[1] < 512).count();
    let share = upper_left as f64 / g.len() as f64;
    assert!((0.45..0.6).contains(&share), "{share}");
}

#[test]
fn arguments_that_are_wrong() {
    let error = |name: &str, args: &[(&str, f64)], shape: Option<&[u64]>, element| {
        let error = try_made(name, args, shape, element).unwrap_err();
        (error.to_string(), error.help().unwrap_or_default())
    };
    let f64_error = |name: &str, args: &[(&str, f64)], shape| error(name, args, shape, Element::F64);
    let says = |message: &str, help: &str| (message.to_string(), help.to_string());
    assert_eq!(f64_error("poison2d", &[], None), says("unknown generator `poison2d`", "did you mean `poisson2d`?"));
    let random = |args, shape| f64_error("random", args, shape);
    assert_eq!(random(&[("densty", 0.1)], None), says("`random` has no parameter `densty`", "did you mean `density`?"));
    assert_eq!(random(&[("density", 1.5)], Some(&[2])).0, "`density = 1.5` is not a number from 0 to 1");
    assert_eq!(random(&[("seed", -1.0)], Some(&[2])).0, "`seed = -1` is not a whole number from 0 on");
    assert_eq!(
        random(&[("density", 1.0)], Some(&[1 << 40])).0.split(',').next(),
        Some("this would make 1099511627776 entries")
    );
    assert_eq!(f64_error("poisson2d", &[], None).0, "`poisson2d` needs `n`, or a tensor type with sizes");
    assert_eq!(
        f64_error("poisson2d", &[], Some(&[5, 5])).0,
        "`poisson2d` makes n^2 x n^2 matrices, not a tensor of shape 5x5"
    );
    assert_eq!(
        f64_error("poisson2d", &[("n", 2.0)], Some(&[5, 5])).0,
        "`poisson2d` makes 4x4, not a tensor of shape 5x5"
    );
    assert_eq!(
        f64_error("block_diagonal", &[("size", 0.0)], Some(&[4, 4])).0.split(',').next(),
        Some("`block_diagonal` makes matrices of whole 0x0 blocks")
    );
    assert_eq!(error("poisson2d", &[("n", 2.0)], None, Element::U8).0, "`ui8` cannot hold the value -1 of `poisson2d`");
    assert_eq!(f64_error("rmat", &[("scale", 40.0)], None).0, "`scale = 40` is not a whole number from 0 to 31");
}

#[test]
fn every_example_names_its_generator_and_parameters() {
    for generator in registry() {
        assert!(generator.example.contains(generator.name));
        assert!(
            !generator.summary.is_empty() && generator.parameters.iter().all(|parameter| !parameter.doc.is_empty())
        );
    }
}

/// At the start, and in the midst of the entries, which come in steps.
#[test]
fn every_generator_stops_when_asked() {
    let sizes = |name| match name {
        "poisson3d" => vec![("n", 50.0)],
        "rmat" => vec![("scale", 14.0)],
        "block_diagonal" => vec![("blocks", 20_000.0)],
        "pruned_2_4" => vec![("rows", 1000.0), ("columns", 400.0)],
        "poisson2d" => vec![("n", 300.0)],
        _ => vec![("n", 90_000.0)],
    };
    for info in REGISTRY {
        let (args, shape) = match info.name {
            "random" => (vec![("density", 0.2)], Some([1000, 1000])),
            name => (sizes(name), None),
        };
        let args: BTreeMap<String, Scalar> =
            args.into_iter().map(|(name, number): (_, f64)| (name.to_string(), Scalar::Float(number))).collect();
        for calls in [0, 2] {
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let watch = |progress: Progress| {
                assert!(progress.done <= progress.total, "{}: {progress:?}", info.name);
                let enough = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == calls;
                if enough { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
            };
            let made = make(info.name, &args, shape.as_ref().map(|shape| &shape[..]), Element::F64, &watch);
            assert_eq!(made.map(|made| made.len()), Err(GenerateError::Stopped), "{} after {calls}", info.name);
        }
    }
}

#[test]
fn counts_are_known_without_making_anything() {
    for (name, args, shape) in [
        ("random", vec![("density", 0.3)], Some(&[7, 9][..])),
        ("poisson2d", vec![("n", 5.0), ("m", 3.0)], None),
        ("poisson2d", vec![("n", 1.0)], None),
        ("poisson3d", vec![("n", 3.0), ("m", 1.0), ("k", 4.0)], None),
        ("tridiagonal", vec![("n", 1.0)], None),
        ("tridiagonal", vec![("n", 9.0)], None),
        ("banded", vec![("n", 9.0), ("lower", 3.0), ("upper", 1.0)], None),
        ("banded", vec![("n", 3.0), ("lower", 7.0), ("upper", 9.0)], None),
        ("block_diagonal", vec![("blocks", 3.0), ("size", 4.0)], None),
        ("pruned_2_4", vec![("rows", 5.0), ("columns", 9.0)], None),
        ("rmat", vec![("scale", 5.0)], None),
    ] {
        let scalars = args.iter().map(|&(name, value)| (name.to_string(), Scalar::Float(value))).collect();
        let (sizes, count) = size(name, &scalars, shape, Element::F64).unwrap();
        let made = made(name, &args, shape);
        assert_eq!(sizes, made.shape(), "{name}");
        match count {
            Count::Exactly(count) => assert_eq!(count, made.len() as u64, "{name} {args:?}"),
            Count::AtMost(count) => assert!(count >= made.len() as u64 && name == "rmat"),
        }
    }
}
