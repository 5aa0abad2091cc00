//! `delta[b]`: the positions `pos[parent] .. pos[parent + 1]`, each of which skips `crd` coordinates. The next
//! coordinate is kept from one iteration to the next.

use super::{Code, Level, Parent, Step, Walk, compressed};
use nnz_loops::{Builder, ExprId, Stmt};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    if let Some(next) = level.state {
        let value = b.index(0);
        b.push(Stmt::Mut { var: next, value });
    }
    (compressed::CODE.walk)(level, b, parent)
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let step = (compressed::CODE.step)(level, b, parent, at);
    let Some(next) = level.state else { return step };
    let (before, one) = (b.var(next), b.index(1));
    let coordinate = b.add(before, step.coordinate);
    let coordinate = b.define("coordinate", nnz_loops::Type::Index, coordinate);
    let coordinate = b.var(coordinate);
    let value = b.add(coordinate, one);
    b.push(Stmt::Assign { var: next, value });
    Step { coordinate, ..step }
}
