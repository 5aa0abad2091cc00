//! The index maps of a format description: each inverts the other.

use nnz_base::diagnostic::Code;

use super::Checker;
use crate::{
    maps::{counterexample, point},
    model::Value,
};

impl Checker<'_> {
    pub(super) fn maps(&mut self) {
        let map = |key: &str| match self.function.attributes.get(key) {
            Some(Value::Map(map)) => Some(map),
            _ => None,
        };
        let (Some(there), Some(back)) = (map("idx_map"), map("inv_idx_map")) else { return };
        if there.results.len() != back.variables.len() || back.results.len() != there.variables.len() {
            let message = format!(
                "`idx_map` gives {} coordinates, and `inv_idx_map` takes {}",
                there.results.len(),
                back.variables.len()
            );
            return self.disagree(message, "the numbers of coordinates differ");
        }
        if let Some((from, through, to)) = counterexample(there, back) {
            let message = format!("`inv_idx_map` does not invert `idx_map` at {}", point(&from));
            self.disagree(message, &format!("it goes to {}, and back to {}", point(&through), point(&to)));
        }
    }

    fn disagree(&mut self, message: String, label: &str) {
        let place = self.read.attributes.unwrap_or(self.function.place.0);
        let told = self.mistake(Code::IndexMapsDisagree, place, message).label(label);
        self.tell(told.help("the order of coordinates is that of the iterators in both structures"));
    }
}
