//! Makes a GPU kernel of a function that is one parallel loop: a thread for each iteration. Threads beyond the last
//! iteration do nothing.
//!
//! [`super::run`] does not run this pass: its result is not a function for the CPU but a module, with the kernel and a
//! host function that launches it.

use super::Broken;
use crate::{
    Axis, Binary, Builder, ExprId, ForKind, Function, Module, Space, Stmt, Type, VarId, Verified, sizes, verify_module,
    visit,
};

/// Threads of a block.
const THREADS: i64 = 256;

/// Why a function cannot become a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGrid {
    #[error("it has no parallel loop")]
    Serial,
    #[error("it has a loop over `{0}` that is not parallel")]
    SerialLoop(String),
    #[error("it has a second parallel loop, over `{0}`")]
    SecondLoop(String),
    #[error("it has a loop over `{0}` whose bounds are more than constants and scalar parameters")]
    Bounds(String),
    #[error("it has {0} outside of its parallel loop")]
    Outside(&'static str),
    #[error("it has {0} in its parallel loop")]
    Inside(&'static str),
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// The module of `function`.
///
/// # Errors
/// What keeps it from being a kernel.
pub fn on_a_grid(function: &Verified<Function>) -> Result<Verified<Module>, NoGrid> {
    let mut of = [the_loop(function)?];
    let (mut b, body) = Builder::reopen(function, of.iter_mut());
    for stmt in body {
        if let Stmt::For { var, lo, hi, body, .. } = stmt {
            spread(&mut b, var, [lo, hi], body);
            // What stands behind it has no effect.
            break;
        }
        b.push(stmt);
    }
    let mut kernel = b.finish();
    kernel.arrays.iter_mut().for_each(|array| array.space = Space::Device);
    launched(kernel)
}

/// The variable of the loop that the function consists of.
fn the_loop(function: &Function) -> Result<VarId, NoGrid> {
    let mut found = None;
    for stmt in &function.body {
        if let Stmt::Let { .. } | Stmt::Comment(_) = stmt {
            continue;
        }
        let Stmt::For { var, lo, hi, kind, body } = stmt else { return Err(NoGrid::Outside(stmt.construct())) };
        let name = || function.var(*var).name.clone();
        if !kind.is_parallel() {
            return Err(NoGrid::SerialLoop(name()));
        }
        if found.replace(*var).is_some() {
            return Err(NoGrid::SecondLoop(name()));
        }
        if ![*lo, *hi].into_iter().all(|bound| sizes::is_size_of_params(function, bound)) {
            return Err(NoGrid::Bounds(name()));
        }
        check_body(body)?;
    }
    found.ok_or(NoGrid::Serial)
}

fn check_body(body: &[Stmt]) -> Result<(), NoGrid> {
    let mut refused = None;
    visit::each(body, &mut |stmt| {
        if let Stmt::Sort { .. } | Stmt::Alloc { .. } = stmt {
            refused = refused.or(Some(stmt.construct()));
        }
    });
    refused.map_or(Ok(()), |construct| Err(NoGrid::Inside(construct)))
}

/// Appends the loops over blocks and threads for one over `var`.
fn spread(b: &mut Builder, var: VarId, [lo, hi]: [ExprId; 2], body: Vec<Stmt>) {
    let (block, thread) = (b.local("block", Type::Index), b.local("thread", Type::Index));
    let (zero, threads, surplus) = (b.index(0), b.index(THREADS), b.index(THREADS - 1));
    let length = b.sub(hi, lo);
    let padded = b.add(length, surplus);
    let blocks = b.binary(Binary::Div, padded, threads);
    let (block_at, thread_at) = (b.var(block), b.var(thread));
    let first = b.mul(block_at, threads);
    let offset = b.add(first, thread_at);
    let at = b.add(lo, offset);
    b.for_range(block, [zero, blocks], ForKind::Block(Axis::X), |b| {
        b.for_range(thread, [zero, threads], ForKind::Thread(Axis::X), |b| {
            b.push(Stmt::Let { var, value: at });
            let here = b.var(var);
            let inside = b.binary(Binary::Lt, here, hi);
            b.when(inside, |b| body.into_iter().for_each(|stmt| b.push(stmt)));
        });
    });
}

fn launched(kernel: Function) -> Result<Verified<Module>, NoGrid> {
    let loops = kernel.to_string();
    let broken = |problems| NoGrid::Broken(Broken { pass: "Grid".to_string(), problems, loops });
    let module = match Module::launching(kernel) {
        Ok(module) => module,
        Err(error) => return Err(broken(vec![error.into()])),
    };
    verify_module(module).map_err(|problems| broken(problems.into_iter().map(|problem| problem.error).collect()))
}
