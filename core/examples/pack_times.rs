//! Times packing and conversion of a random matrix: `cargo run --release --example pack_times [ROWS [NNZ]]`.
use std::{sync::Arc, time::Instant};

use nnz_core::{
    arrays::Values,
    element::Element,
    encoding::named,
    storage::{Triplets, convert, pack, unpack},
};
use rand::{Rng, SeedableRng};

fn timed<T>(what: &str, f: impl Fn() -> T) -> T {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..5 {
        let start = Instant::now();
        result = Some(f());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{what:30} {:9.2} ms", best * 1e3);
    result.expect("five runs")
}

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let (rows, nnz) = (args.next().unwrap_or(100_000), args.next().unwrap_or(3_000_000));
    let rng = &mut rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut column = || (0..nnz).map(|_| rng.random_range(0..rows)).collect::<Vec<u64>>();
    let coords = vec![column(), column()];
    let values = Values::F64(vec![1.5; nnz as usize]);
    let triplets = Triplets::new(vec![rows, rows], Element::F64, coords, values).expect("in range");
    let [csr, csc, coo, dcsr] =
        [named::csr(), named::csc(), named::coo(2), named::dcsr()].map(|e| Arc::new(e.expect("legal")));
    timed("copy of the triplets", || triplets.clone());
    let a = timed("unsorted triplets -> CSR", || pack(&triplets, &csr).expect("packs"));
    let b = timed("unsorted triplets -> COO", || pack(&triplets, &coo).expect("packs"));
    timed("CSR -> triplets", || unpack(&a).expect("unpacks"));
    timed("COO -> CSR", || convert(&b, &csr).expect("converts"));
    timed("CSR -> CSC", || convert(&a, &csc).expect("converts"));
    timed("CSR -> DCSR", || convert(&a, &dcsr).expect("converts"));
}
