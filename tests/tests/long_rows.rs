//! Rows with too many coordinates for an array, whose workspaces are hash tables. The same kernel over short
//! rows, whose workspace is an array, gives the expected result.

use nnz_core::{
    arrays::Values,
    backend::{self, Target},
    element::Element,
    encoding::named,
    ids::{IndexVar, TensorId},
    kernel::{Access, BinaryOp, Expr, Kernel, Tensor},
    lower,
    run::{self, Compiled, Operand},
    storage::{self, Storage, Triplets},
};
use nnz_tests::kernels::{random::Random, targets};

/// The distance of neighbouring columns in the long rows.
const STRIDE: u64 = 1_048_576;
const COLUMNS: u64 = 40;

type Entries = Vec<([u64; 2], f64)>;

fn entries(random: &mut Random, shape: [u64; 2]) -> Entries {
    let all = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j]));
    let kept: Vec<[u64; 2]> = all.filter(|_| random.chance(30)).collect();
    kept.into_iter().map(|at| (at, random.pick(&[1.0, -2.0, 3.0]))).collect()
}

fn tensor(name: &str, format: &str, shape: [u64; 2]) -> Tensor {
    let encoding = named::lookup(format, &[], None).ok().map(std::sync::Arc::new);
    Tensor { name: name.into(), element: Element::F64, shape: shape.to_vec(), encoding }
}

fn stored(tensor: &Tensor, entries: &Entries, stride: u64) -> Storage {
    let column = |dim: usize, stride: u64| entries.iter().map(|(at, _)| at[dim] * stride).collect();
    let values = Values::F64(entries.iter().map(|(_, value)| *value).collect());
    let coords = vec![column(0, 1), column(1, stride)];
    let triplets = Triplets::new(tensor.shape.clone(), Element::F64, coords, values).expect("as drawn");
    storage::pack(&triplets, tensor.encoding.as_ref().expect("as drawn")).expect("as drawn")
}

/// `C(i, j) = A(i, k) * B(k, j) + D(i, j)`, whose columns j are so far apart; the entries of C, and the loops.
fn product(formats: [&str; 2], data: &[Entries; 3], stride: u64, target: Target) -> (Triplets, String) {
    let wide = COLUMNS * stride;
    let tensors = [
        tensor("A", "CSR", [8, 9]),
        tensor("B", formats[0], [9, wide]),
        tensor("D", formats[0], [8, wide]),
        tensor("C", formats[1], [8, wide]),
    ];
    let [i, j, k] = [0, 1, 2].map(IndexVar::new);
    let access = |tensor: usize, vars: [IndexVar; 2]| Access::of_vars(TensorId::new(tensor), &vars);
    let binary = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b));
    let times = binary(BinaryOp::Mul, Expr::Access(access(0, [i, k])), Expr::Access(access(1, [k, j])));
    let sum = binary(BinaryOp::Add, times, Expr::Access(access(2, [i, j])));
    let names = ["i", "j", "k"].map(String::from).to_vec();
    let kernel = Kernel::new(tensors.to_vec(), names, access(3, [i, j]), sum).expect("as drawn");
    let lowered = lower::lower(&kernel).expect("as drawn");
    let backend = backend::lookup(target).expect("as drawn");
    let compiled = Compiled::new(&lowered, &*backend).expect("as drawn");
    let strides = [1, stride, stride];
    let operands: Vec<Storage> = (0..3).map(|at| stored(&tensors[at], &data[at], strides[at])).collect();
    let operands: Vec<_> = operands.iter().map(|storage| Some(Operand::Stored(storage))).collect();
    let result = run::run(&lowered, &compiled, &operands, 2).expect("as drawn");
    (storage::unpack(&result).expect("as drawn"), lowered.text())
}

#[test]
fn a_hash_table_gives_what_an_array_gives() {
    let mut random = Random::new(11);
    for formats in [["CSR", "CSR"], ["DCSR", "DCSR"], ["CSR", "COO"]] {
        let data = [[8, 9], [9, COLUMNS], [8, COLUMNS]].map(|shape| entries(&mut random, shape));
        for target in targets() {
            let (short, _) = product(formats, &data, 1, target);
            let (long, loops) = product(formats, &data, STRIDE, target);
            assert!(loops.contains("C.keys") && loops.contains("C.slots"), "no hash table:\n{loops}");
            assert_eq!(long.coords()[0], short.coords()[0]);
            let columns: Vec<u64> = short.coords()[1].iter().map(|column| column * STRIDE).collect();
            assert_eq!(long.coords()[1], columns);
            assert_eq!(format!("{:?}", long.values()), format!("{:?}", short.values()));
            assert!(long.len() > 100);
        }
    }
}
