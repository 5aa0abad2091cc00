//! Whether the turns of a loop touch different elements, as the loops of the function prove it.

use nnz_base::source::Span;
use nnz_tir::model::{Stage, VariableId};

use super::{State, illegal};
use crate::{compile::independent_loops, fault::Done, lower::flattened};

impl State {
    pub(super) fn is_independent(&self, variable: VariableId, place: Span) -> Done<bool> {
        let third = match self.function.stage() {
            Some(Stage::II) => flattened(&self.function)?,
            _ => self.function.clone(),
        };
        match independent_loops(&third, &self.function) {
            Ok(loops) => Ok(loops.contains(&variable)),
            Err(why) => {
                Err(Box::new(illegal(place, format!("what the turns of this loop touch is not known: {}", why.why))))
            }
        }
    }
}
