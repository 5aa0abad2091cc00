//! Why a step is not legal, and what works instead.

use crate::kernel::LoopName;

/// A reason, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the loops have none over `{name}` alone")]
    NoLoop { name: LoopName, loops: Vec<LoopName> },
    #[error("the loop over `{name}` merges what {} store, and has no range that could be cut or counted", list(.tensors))]
    Merges { name: LoopName, tensors: Vec<String> },
    #[error("the loop over `{name}` runs over what `{tensor}` stores, not over all of `{name}`")]
    Entries { name: LoopName, tensor: String },
    #[error("{times} copies of a loop's body are too many: {most} are the most")]
    ManyCopies { times: u32, most: u32 },
}

impl Refusal {
    /// `loops` in any order, each perhaps more than once.
    pub(super) fn no_loop(name: &LoopName, mut loops: Vec<LoopName>) -> Refusal {
        loops.sort();
        loops.dedup();
        Refusal::NoLoop { name: name.clone(), loops }
    }

    /// The way out.
    pub fn help(&self) -> Option<String> {
        match self {
            Refusal::NoLoop { loops, .. } if loops.is_empty() => None,
            Refusal::NoLoop { loops, .. } => Some(format!("its loops are {}", list(loops))),
            Refusal::Merges { tensors, .. } => tensors.first().map(|first| {
                format!("store one of them densely, or compute with a dense copy: `dense_{first} = {first}`")
            }),
            Refusal::ManyCopies { .. } => Some("split the loop, and unroll a part of it".to_string()),
            Refusal::Entries { name, tensor } => Some(format!(
                "name the positions of its entries first, and go on with them: `pos({name}, {name}_pos, {tensor})`"
            )),
        }
    }
}

/// `a, b and c`, each in backticks.
fn list(names: &[impl std::fmt::Display]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
