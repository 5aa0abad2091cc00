//! Random legal schedules of random kernels give, on every back end, the results of the kernels without
//! schedules.
//!
//! Values are not exact in binary, so a sum in another order would differ in its last bits. Entries must have
//! equal bits, except the sign of a zero.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::collections::BTreeMap;

use nnz_core::{
    backend::{self, Backend},
    element::Element,
    kernel::{
        LoopName, Schedule, Step,
        schedule::{AssembleMethod, Count, Unit},
    },
    lower::LowerError,
    schedule::{self, ScheduleError},
};
use nnz_tests::{
    cc::Cc,
    kernels::{
        CANNOT_HOLD, Case, Data, difference,
        family::{Family, KERNELS, MANY, Maker, REAL_KERNELS, Spread, names},
        random::Random,
        targets,
    },
    parallel,
};

/// Kernels with several sums that loops could add up in many orders.
const SUMS: &[&str] = &[
    "s = D(i, j) * x(j)",
    "s = F(i, k) * G(k, j) * D(i, j)",
    "y(i) = F(i, k) * G(k, j)",
    "y(i) = D(i, j) * x(j) + F(i, k) * z(k) - u(i)",
    "y(i) = A(i, j) * F(i, k)",
    "y(i) = A(i, j) * G(k, j) + D(i, j)",
    "x2(j) = D(i, j) * F(i, k) * z(k)",
    "C(i, k) = D(i, j) * G(k, j) + F(i, k)",
];

/// How often each step was drawn, and how often it was legal.
#[derive(Default)]
struct Tally(BTreeMap<String, (u64, u64)>);

impl Tally {
    fn count(&mut self, step: &Step, legal: bool) {
        let name = step.to_string().split('(').next().unwrap_or_default().to_string();
        let entry = self.0.entry(name).or_default();
        entry.0 += 1;
        entry.1 += u64::from(legal);
    }

    fn add(&mut self, other: Tally) {
        for (name, (drawn, legal)) in other.0 {
            let entry = self.0.entry(name).or_default();
            *entry = (entry.0 + drawn, entry.1 + legal);
        }
    }
}

/// The loops of a schedule in the making.
struct Drawer<'r> {
    random: &'r mut Random,
    there: Vec<LoopName>,
    made: usize,
}

impl Drawer<'_> {
    fn known(&mut self) -> LoopName {
        self.random.pick(&self.there)
    }
    fn fresh(&mut self) -> LoopName {
        self.made += 1;
        LoopName::new(format!("n{}", self.made))
    }
    fn count(&mut self) -> Count {
        Count::new(self.random.pick(&[1, 2, 3, 4, 7])).unwrap()
    }

    fn step(&mut self, case: &Case) -> Step {
        let tensors = case.kernel.tensors();
        let stored: Vec<&String> =
            tensors[1..].iter().filter(|tensor| tensor.encoding.is_some()).map(|tensor| &tensor.name).collect();
        let tensor = |this: &mut Self| match stored.is_empty() {
            true => tensors[0].name.clone(),
            false => this.random.pick(&stored).clone(),
        };
        match self.random.below(12) {
            // It takes the point out of the comparison.
            0 if self.random.chance(10) => Step::Reassociate,
            0..=2 => self.order(),
            3 => Step::Split { of: self.known(), outer: self.fresh(), inner: self.fresh(), size: self.count() },
            4 => Step::Divide { of: self.known(), outer: self.fresh(), inner: self.fresh(), parts: self.count() },
            5 => self.fusion(),
            6 => Step::Pos { of: self.known(), into: self.fresh(), tensor: tensor(self) },
            7 => Step::Unroll { of: self.known(), times: self.count() },
            8 => Step::Vectorize { of: self.known() },
            9 => {
                let on = if self.random.chance(80) { Unit::CpuThreads } else { Unit::NotParallel };
                Step::Parallelize { of: self.known(), on }
            }
            10 => {
                let (of, into) = (self.known(), self.fresh());
                let extent = case.kernel.vars().iter().find(|var| var.name == of.as_str()).map_or(3, |var| var.extent);
                Step::Bound { of, into, extent }
            }
            _ if tensors[0].encoding.is_none() => self.order(),
            _ if self.random.chance(50) => {
                let last = case.kernel.result().indices.last().map(|var| &case.kernel.var(*var).name);
                let last = last.map(LoopName::new).filter(|name| self.there.contains(name));
                Step::Precompute { of: last.unwrap_or_else(|| self.known()), into: self.fresh() }
            }
            _ => {
                let method = self.random.pick(AssembleMethod::ALL);
                Step::Assemble { tensor: tensors[0].name.clone(), method }
            }
        }
    }

    /// Mostly of neighbours, as they were named.
    fn fusion(&mut self) -> Step {
        let at = self.random.below(self.there.len());
        let inner = self.there.get(at + 1).cloned().unwrap_or_else(|| self.there[0].clone());
        Step::Fuse { outer: self.there[at].clone(), inner, into: self.fresh() }
    }

    fn order(&mut self) -> Step {
        let mut loops = self.there.clone();
        for at in (1..loops.len()).rev() {
            let other = self.random.below(at + 1);
            loops.swap(at, other);
        }
        loops.truncate(2 + self.random.below(2));
        Step::Reorder { loops }
    }

    fn apply(&mut self, step: &Step) {
        let (gone, new) = match step {
            Step::Split { of, outer, inner, .. } | Step::Divide { of, outer, inner, .. } => {
                (vec![of], vec![outer, inner])
            }
            Step::Fuse { outer, inner, into } => (vec![outer, inner], vec![into]),
            Step::Pos { of, into, .. } | Step::Bound { of, into, .. } | Step::Precompute { of, into } => {
                (vec![of], vec![into])
            }
            _ => return,
        };
        self.there.retain(|name| !gone.contains(&name));
        self.there.extend(new.into_iter().cloned());
    }
}

/// Up to four steps that are legal one after another.
fn draw(case: &Case, random: &mut Random, tally: &mut Tally) -> Schedule {
    let there = case.kernel.vars().iter().map(|var| LoopName::new(var.name.clone())).collect();
    let mut drawer = Drawer { random, there, made: 0 };
    let mut schedule = Schedule::default();
    for _ in 0..10 {
        if drawer.there.is_empty() || schedule.steps.len() == 4 {
            break;
        }
        let step = drawer.step(case);
        let mut longer = schedule.clone();
        longer.steps.push(step.clone());
        let legal = match schedule::lower(&case.kernel, &longer) {
            Ok(_) => true,
            Err(ScheduleError::Step { refusal, .. }) => {
                assert!(!refusal.to_string().is_empty() && refusal.help().is_some_and(|help| !help.is_empty()));
                false
            }
            Err(ScheduleError::Lower(error @ LowerError::Bug { .. })) => panic!("{longer}: {error}\n{error:?}"),
            Err(ScheduleError::Lower(_)) => false,
        };
        tally.count(&step, legal);
        if legal {
            drawer.apply(&step);
            schedule = longer;
        }
    }
    schedule
}

/// Operands whose sums depend on their order.
fn inexact(data: Data) -> Data {
    let float = data.tensor.element.is_float() || data.tensor.element.is_complex();
    let factor = if float { 0.1 } else { 1.0 };
    let dense = data.dense.iter().enumerate().map(|(at, x)| x * factor * (1 + at % 3) as f64).collect();
    Data { dense, ..data }
}

/// The back ends of this build, and for one seed in sixteen the C compiler.
fn engines(seed: u64) -> Vec<(String, Box<dyn Backend>)> {
    let own = targets().into_iter().map(|target| (format!("{target:?}"), backend::lookup(target).unwrap()));
    let c =
        Cc::find().filter(|_| seed.is_multiple_of(16)).map(|cc| ("C".to_string(), Box::new(cc) as Box<dyn Backend>));
    own.chain(c).collect()
}

/// Runs the kernel that `seed` makes with a schedule and without; whether there was a schedule.
fn check(seed: u64, family: &Family<'_>, tally: &mut Tally) -> bool {
    let mut maker = Maker::new(seed, family);
    let text = maker.random.pick(family.kernels);
    maker.square(text);
    let tensor = |(at, name)| inexact(maker.tensor(name, at == 0));
    let data: Vec<Data> = names(text).into_iter().enumerate().map(tensor).collect();
    if data.iter().skip(1).any(|data| data.storage().is_err()) {
        return false;
    }
    let mut case = Case::new(text, data).unwrap();
    let schedule = draw(&case, &mut maker.random, tally);
    let exact = !schedule.steps.contains(&Step::Reassociate);
    let engines = engines(seed);
    let run = |case: &Case, backend: &dyn Backend, threads| case.storage_on(backend, threads)?.dense();
    let expected: Vec<Result<Vec<f64>, String>> =
        engines.iter().map(|(_, backend)| run(&case, &**backend, 1)).collect();
    case.schedule = schedule;
    for ((engine, backend), expected) in engines.iter().zip(expected) {
        let describe = || {
            let tensor = |data: &Data| {
                let (t, encoding) = (&data.tensor, data.tensor.encoding.as_ref().map(ToString::to_string));
                format!("  {} : {:?} {} {encoding:?} = {:?}\n", t.name, t.shape, t.element, data.dense)
            };
            let loops = schedule::lower(&case.kernel, &case.schedule).map(|lowered| lowered.text());
            let tensors = case.data.iter().map(tensor).collect::<String>();
            format!("seed {seed}: {text} schedule {}\n{tensors}{}", case.schedule, loops.unwrap_or_default())
        };
        let threads = 1 + (seed % 3) as usize;
        let (found, expected) = match (run(&case, &**backend, threads), expected) {
            (Err(error), Err(_)) if error.starts_with(CANNOT_HOLD) => return false,
            (Ok(found), Ok(expected)) => (found, expected),
            (found, expected) => panic!("{engine}: {found:?}, without {expected:?}\n{}", describe()),
        };
        if let Some(difference) = difference(&found, &expected, if exact { 0.0 } else { 1e-4 }) {
            panic!("{engine}: {difference}\n{}", describe());
        }
    }
    !case.schedule.steps.is_empty()
}

#[test]
fn schedules_change_no_bit() {
    use Element::{C64, F32, F64, I32};
    let elements = [F64, F64, F32, I32];
    let one = Family { kernels: KERNELS, elements: &elements, tolerance: 0.0, spread: Spread::One };
    let many = Family { kernels: MANY, elements: &elements, tolerance: 0.0, spread: Spread::Many };
    let real = Family { kernels: REAL_KERNELS, elements: &[F64], tolerance: 0.0, spread: Spread::One };
    let ordered = |kernel: &&str| ["max", "min", "abs"].iter().any(|op| kernel.contains(op));
    let linear: Vec<&str> = KERNELS.iter().copied().filter(|kernel| !ordered(kernel)).collect();
    let complex = Family { kernels: &linear, elements: &[C64], tolerance: 0.0, spread: Spread::One };
    let sums = Family { kernels: SUMS, elements: &[F64, F32], tolerance: 0.0, spread: Spread::One };
    let patience: u64 = std::env::var("NNZ_DRAWS").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut tally = Tally::default();
    let mut ran = 0;
    for (at, (family, draws)) in
        [(one, 100), (many, 100), (sums, 80), (real, 20), (complex, 20)].into_iter().enumerate()
    {
        let first = (at as u64) << 32;
        let seeds = first..first + draws * patience;
        let checked = parallel::each(seeds, |seed| {
            let mut tally = Tally::default();
            (check(seed, &family, &mut tally), tally)
        });
        for (had_schedule, of_one) in checked {
            ran += usize::from(had_schedule);
            tally.add(of_one);
        }
    }
    for (step, (drawn, legal)) in &tally.0 {
        println!("{step}: {legal} of {drawn} legal");
        assert!(*legal * 100 >= *drawn, "{step} is hardly ever legal: {legal} of {drawn}");
    }
    println!("{ran} schedules ran");
    assert!(ran > 120, "only {ran} schedules ran");
}
