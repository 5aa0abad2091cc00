//! Operations that only the body of a kernel may hold, in other places.

use crate::{
    ir::{Op, Region},
    mistake::Mistake,
    operation::{BodyOp, Role},
};
use nnz_base::diagnostic::Code;

/// Those outside of any kernel, or in a region within a kernel's body that is run as a whole.
pub(super) fn outside_of_kernels(region: &Region) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for op in region.blocks().flatten() {
        let inner = op.regions.iter().flatten();
        match op.def.role {
            Role::Body(body) => mistakes.push(outside(op, body)),
            _ if op.def.name.starts_with("linalg.") => mistakes.extend(inner.flat_map(within_body)),
            Role::Scalar | Role::Host | Role::Terminator | Role::Branch => {
                mistakes.extend(inner.flat_map(outside_of_kernels));
            }
        }
    }
    mistakes
}

/// The body of a kernel may hold them, and so may the regions of those; other regions may not.
fn within_body(body: &Region) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for op in body.blocks().flatten() {
        let inner = op.regions.iter().flatten();
        match op.def.role {
            Role::Body(_) => mistakes.extend(inner.flat_map(within_body)),
            Role::Scalar | Role::Host | Role::Terminator | Role::Branch => mistakes.extend(inner.flat_map(nested)),
        }
    }
    mistakes
}

fn nested(region: &Region) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for op in region.blocks().flatten() {
        match op.def.role {
            // The kernel's own check tells of it.
            Role::Body(BodyOp::Index) => {}
            Role::Body(_) => {
                let name = op.def.name;
                let message = format!("nnz runs `{name}` in the body of a kernel itself, not in a region within it");
                mistakes.push(
                    Mistake::unsupported(op.span, message)
                        .label("in a region of the body")
                        .help(format!("`{name}` before the region gives the value to it")),
                );
            }
            Role::Scalar | Role::Host | Role::Terminator | Role::Branch => {
                mistakes.extend(op.regions.iter().flatten().flat_map(nested));
            }
        }
    }
    mistakes
}

fn outside(op: &Op, body: BodyOp) -> Mistake {
    if body == BodyOp::Index {
        let message = "`linalg.index` stands in the body of a kernel, and nowhere else";
        let mistake = Mistake::new(Code::OperationForm, op.span, message).label("outside of a kernel");
        return mistake.help("`linalg.generic` makes a kernel; `scf.for` names its coordinate itself");
    }
    let message = format!("`{}` has a meaning in the body of a kernel only", op.def.name);
    Mistake::unsupported(op.span, message).label("outside of a kernel").help("`linalg.generic` makes a kernel")
}
