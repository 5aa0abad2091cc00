//! `run_length`: every coordinate, at the position of the run that it lies in. The run is kept from one iteration to
//! the next, and the next run begins where it ends.

use super::{Code, Level, Parent, Step, Walk, dense};
use nnz_loops::{Binary, Builder, ExprId, Stmt};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    if let Some(run) = level.state {
        let value = level.position(b, parent.position);
        b.push(Stmt::Mut { var: run, value });
    }
    (dense::CODE.walk)(level, b, parent)
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let Some(run) = level.state else { return (dense::CODE.step)(level, b, parent, at) };
    let (before, one) = (b.var(run), b.index(1));
    let end = level.coordinate(b, before);
    let is_over = b.binary(Binary::Le, end, at);
    let next = b.add(before, one);
    b.when(is_over, |b| b.push(Stmt::Assign { var: run, value: next }));
    let position = b.var(run);
    Step { coordinate: at, place: Parent { position, ..parent }, present: None }
}
