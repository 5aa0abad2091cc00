//! Why a step is not legal, and what works instead.

use nnz_kernel::{LoopName, schedule::AssembleMethod};

use super::independent::Conflict;

/// The reason for a refusal, with its message for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the loops have none over `{name}` alone")]
    NoLoop { name: LoopName, loops: Vec<LoopName> },
    #[error("an earlier step unrolled the loop over `{name}`")]
    Unrolled { name: LoopName },
    #[error("the loop over `{name}` merges the entries of {}, and has no range that could be cut or counted", list(.tensors))]
    Merges { name: LoopName, tensors: Vec<String> },
    #[error("the loop over `{name}` runs over what `{tensor}` stores, not over all of `{name}`")]
    Entries { name: LoopName, tensor: String },
    #[error("the loop over `{name}` runs over all of `{name}`, and not over what `{tensor}` stores")]
    NoEntries { name: LoopName, tensor: String },
    #[error("the loop over `{name}` runs over what `{tensor}` stores")]
    OtherEntries { name: LoopName, tensor: String },
    #[error("`{name}` stands for several loops, over {}, and a step takes all loops of its name", ran(.name, .over))]
    Several { name: LoopName, over: Vec<Ran>, together: Option<Together> },
    #[error("{times} copies of a loop's body are too many: {most} are the most")]
    ManyCopies { times: u32, most: u32 },

    // Threads and lanes.
    #[error("the loop over `{name}` is inside {}, and work is dealt to threads once only", around(.outside))]
    Inside {
        name: LoopName,
        outside: Vec<LoopName>,
        /// Why the outermost of these loops cannot be divided among threads either.
        neither: Option<Box<Refusal>>,
    },
    #[error("two iterations of `{name}` may meet at an entry of `{array}`, which one of them writes")]
    Race { name: LoopName, array: String, lanes: bool },
    #[error("each iteration of `{name}` goes on with `{variable}` from where the one before left it")]
    Carried { name: LoopName, variable: String, way: Way },
    #[error("the loop over `{inner}` is not inside that over `{outer}`, but around it")]
    Swapped { outer: LoopName, inner: LoopName },
    #[error("there is another loop inside that over `{name}`: lanes take the innermost")]
    NotInnermost { name: LoopName, inside: Option<String> },

    // Nests.
    #[error("there is more inside `{outer}` than the loop over `{inner}`")]
    NotAlone {
        outer: LoopName,
        inner: LoopName,
        between: Vec<LoopName>,
        /// The order of the kernel's loops, before other steps, in which nothing is between them.
        first: Vec<LoopName>,
    },
    #[error("the iterations of `{outer}` and `{inner}` are no one range: how far `{inner}` runs depends on `{outer}`")]
    NoCommonRange { outer: LoopName, inner: LoopName },
    #[error("how far `{inner}` runs depends on `{outer}`")]
    BoundsDepend { outer: LoopName, inner: LoopName },
    #[error("with `{inner}` outside of `{outer}`, entries of `{array}` would be written in another order")]
    Dependence { outer: LoopName, inner: LoopName, array: String },
    #[error("with `{inner}` outside of `{outer}`, `{variable}` would be added up in another order")]
    AddedUp { outer: LoopName, inner: LoopName, variable: String },

    // The plan.
    #[error("the loops of this step and those of an earlier one cannot both be in the order asked for")]
    Contradicts,
    #[error("a floating-point sum would be added up in another order, and have other last digits")]
    Reassociates,
    #[error("`{tensor}` is stored by {}: it would have to be converted to {encoding} first", order(.levels))]
    NeedsConversion {
        tensor: String,
        levels: Vec<String>,
        encoding: String,
        /// The encoding as a definition writes it.
        spelled: String,
    },
    #[error("the entries of `{result}` are made in the order of its levels: {}", order(.levels))]
    ResultOrder {
        result: String,
        levels: Vec<String>,
        /// In a workspace they could be added up in the order asked for.
        workspace: bool,
    },
    #[error("these loops nest in this order alone: {}", order(.loops))]
    FixedOrder { loops: Vec<String> },
    #[error("`{tensor}` is not what the kernel computes: that is `{result}`")]
    NotResult { tensor: String, result: String },
    #[error("every entry of `{result}` has its place already, and nothing is assembled")]
    NotAssembled { result: String },
    #[error("`{result}` cannot be assembled by {}", .method.name())]
    CannotAssemble { result: String, method: AssembleMethod },
    #[error(
        "no workspace along `{name}` would be of use: only the last level of a sparse result is added up in one, and `{result}` has no such level along `{name}`"
    )]
    NoWorkspace { name: LoopName, result: String },
    #[error("`{name}` is a loop that an earlier step made, and `bound` gives the size of an index of the kernel")]
    MadeByStep { name: LoopName, of: Vec<(LoopName, u64)> },
    #[error("`{name}` runs over {extent} values, not over {given}")]
    OtherExtent { name: LoopName, extent: u64, given: u64 },
}

/// What a loop runs over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// All values of its index.
    All,
    /// What these tensors store.
    Stored(Vec<String>),
}

/// The conversion after which one loop is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    pub tensor: String,
    /// The encoding as a definition writes it.
    pub spelled: String,
}

/// What may help if iterations depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Threads may take this loop instead.
    Around(Option<LoopName>),
    /// Lanes may add up in any order, if the schedule says so.
    Reassociate,
    NoLanes,
}

impl Way {
    fn is_of_lanes(&self) -> bool {
        match self {
            Way::Reassociate | Way::NoLanes => true,
            Way::Around(_) => false,
        }
    }
}

impl Refusal {
    /// `loops` in any order, each perhaps more than once.
    pub(super) fn no_loop(name: &LoopName, mut loops: Vec<LoopName>) -> Refusal {
        loops.sort();
        loops.dedup();
        Refusal::NoLoop { name: name.clone(), loops }
    }

    /// The refusal for a loop whose iterations must be independent.
    pub(super) fn of_conflict(name: LoopName, conflict: Conflict, way: Way) -> Refusal {
        match conflict {
            Conflict::Array(array) => Refusal::Race { name, array, lanes: way.is_of_lanes() },
            Conflict::Carried(variable) => Refusal::Carried { name, variable, way },
        }
    }

    /// The refusal for two loops that cannot change places.
    pub(super) fn of_order(outer: LoopName, inner: LoopName, conflict: Conflict) -> Refusal {
        match conflict {
            Conflict::Array(array) => Refusal::Dependence { outer, inner, array },
            Conflict::Carried(variable) => Refusal::AddedUp { outer, inner, variable },
        }
    }

    /// The label at the step, in a few words.
    pub fn label(&self) -> &'static str {
        match self {
            Refusal::NoLoop { .. } => "no loop of this name alone",
            Refusal::Unrolled { .. } => "unrolled already",
            Refusal::Merges { .. } => "a loop that merges",
            Refusal::Entries { .. } => "a loop over entries",
            Refusal::NoEntries { .. } => "no loop over entries",
            Refusal::OtherEntries { .. } => "the entries of another tensor",
            Refusal::Several { .. } => "more loops than one",
            Refusal::ManyCopies { .. } => "too many copies",
            Refusal::Inside { .. } => "not the outermost loop",
            Refusal::Swapped { .. } => "the loops the other way round",
            Refusal::Race { .. } => "iterations that meet",
            Refusal::Carried { .. } => "iterations that need each other",
            Refusal::NotInnermost { .. } => "not the innermost loop",
            Refusal::NotAlone { .. } => "loops that do not nest alone",
            Refusal::NoCommonRange { .. } => "no common range",
            Refusal::BoundsDepend { .. } => "a range that the outer loop decides",
            Refusal::Dependence { .. } | Refusal::ResultOrder { .. } => "another order of entries",
            Refusal::AddedUp { .. } | Refusal::Reassociates => "another order of a sum",
            Refusal::Contradicts => "against an earlier step",
            Refusal::NeedsConversion { .. } => "not in the order of its levels",
            Refusal::FixedOrder { .. } => "another order of loops",
            Refusal::NotResult { .. } => "not the result",
            Refusal::NotAssembled { .. } => "nothing to assemble",
            Refusal::CannotAssemble { .. } => "not by this method",
            Refusal::NoWorkspace { .. } => "no sum along this",
            Refusal::MadeByStep { .. } => "no index of the kernel",
            Refusal::OtherExtent { .. } => "another number of values",
        }
    }

    /// The way out.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Refusal::NoLoop { loops, .. } if loops.is_empty() => "the kernel has no loops".to_string(),
            Refusal::NoLoop { loops, .. } => format!("its loops are {}", list(loops)),
            Refusal::Unrolled { .. } => "leave one of the two steps out".to_string(),
            Refusal::Merges { tensors, .. } => {
                let copies = tensors.iter().map(|name| format!("`{name}_dense : dense = {name}`"));
                format!("compute with dense copies of all that it merges: {}", copies.collect::<Vec<_>>().join(" and "))
            }
            Refusal::Entries { name, tensor } => format!(
                "name the positions of its entries first, and go on with them: `pos({name}, {name}_pos, {tensor})`"
            ),
            Refusal::NoEntries { name, .. } => format!("go on with `{name}` itself: its positions are its values"),
            Refusal::OtherEntries { tensor, .. } => format!("write `{tensor}`"),
            Refusal::Several { name, together: Some(Together { tensor, spelled }), .. } => {
                format!(
                    "use a copy of `{tensor}`, and one loop over `{name}` does: `{tensor}_2 : {spelled} = {tensor}`"
                )
            }
            Refusal::Several { .. } => "compute each term in a statement of its own, or leave the step out".to_string(),
            Refusal::ManyCopies { .. } => "split the loop, and unroll a part of it".to_string(),
            Refusal::Inside { outside, neither: Some(why), .. } => {
                format!(
                    "{}: {why}; {OUTSIDE}",
                    outside
                        .first()
                        .map_or("the loop".to_string(), |first| format!("`{first}` cannot be dealt out either"))
                )
            }
            Refusal::Inside { outside, .. } => {
                outside.first().map_or("leave the step out".to_string(), |first| format!("parallelize `{first}`"))
            }
            Refusal::Swapped { outer, inner } => format!("name `{inner}` first, then `{outer}`"),
            Refusal::Race { lanes: true, .. } => "leave the step out: lanes write at the same time".to_string(),
            Refusal::Race { .. } => OUTSIDE.to_string(),
            Refusal::Carried { way: Way::Around(outside), .. } => match outside {
                Some(outside) => format!("threads take a loop around it: `parallelize({outside})`"),
                None => "leave the step out: there is no loop around it that threads could take".to_string(),
            },
            Refusal::Carried { way: Way::Reassociate, .. } => {
                "a sum has lanes where the schedule also says `reassociate()`".to_string()
            }
            Refusal::Carried { way: Way::NoLanes, .. } => "leave the step out: only sums have lanes".to_string(),
            Refusal::NotInnermost { inside, .. } => {
                inside.as_ref().map_or("leave the step out".to_string(), |inside| format!("write `{inside}`"))
            }
            Refusal::NotAlone { first, .. } if !first.is_empty() => {
                let names: Vec<String> = first.iter().map(LoopName::to_string).collect();
                format!("nest them so before the other steps: `reorder({})`", names.join(", "))
            }
            Refusal::NotAlone { outer, between, .. } if between.is_empty() => {
                format!("leave the step out: more is done inside `{outer}`")
            }
            Refusal::NotAlone { outer, inner, between, .. } => {
                let names: Vec<String> = [outer, inner].into_iter().chain(between).map(LoopName::to_string).collect();
                format!("nest them first: `reorder({})`", names.join(", "))
            }
            Refusal::NoCommonRange { outer, inner } => format!(
                "`{inner}` must run equally far for every `{outer}`, or over a segment for each, as in a row of a CSR matrix"
            ),
            Refusal::BoundsDepend { outer, .. }
            | Refusal::Dependence { outer, .. }
            | Refusal::AddedUp { outer, .. } => format!("leave `{outer}` outside"),
            Refusal::Contradicts => "leave one of them out".to_string(),
            Refusal::Reassociates => "if that is fine, say so in the same schedule: `reassociate()`".to_string(),
            Refusal::NeedsConversion { tensor, spelled, .. } => {
                format!("convert it yourself, and use that instead: `{tensor}_2 : {spelled} = {tensor}`")
            }
            Refusal::ResultOrder { result, workspace: true, .. } => {
                format!("add up in a workspace, and say so before this step: `assemble({result}, Workspace)`")
            }
            Refusal::ResultOrder { .. } => "reorder the other loops, or store the result in another order".to_string(),
            Refusal::FixedOrder { .. } => "leave the step out".to_string(),
            Refusal::NotResult { result, .. } => format!("write `{result}`"),
            Refusal::NotAssembled { result } => format!("give `{result}` a sparse encoding, or leave the step out"),
            Refusal::CannotAssemble { method, .. } => method_needs(*method).to_string(),
            Refusal::NoWorkspace { .. } => "leave the step out".to_string(),
            Refusal::MadeByStep { of, .. } if of.is_empty() => "leave the step out".to_string(),
            Refusal::MadeByStep { of, .. } => {
                let bounds = of.iter().map(|(name, extent)| format!("`bound({name}, {name}_all, {extent}, MaxExact)`"));
                format!("give it before the other steps: {}", bounds.collect::<Vec<_>>().join(" or "))
            }
            Refusal::OtherExtent { extent, .. } => format!("write {extent}"),
        })
    }
}

/// Which loops can be divided among threads.
const OUTSIDE: &str = "threads need a loop over an index of the result, outside of all others: store the operands in an order that allows it";

/// What a method of assembling a result requires.
fn method_needs(method: AssembleMethod) -> &'static str {
    match method {
        AssembleMethod::Append => "leave the method to nnz",
        AssembleMethod::Workspace => {
            "a workspace is for terms that are sums, not for a reduction along the result's last level"
        }
        AssembleMethod::Insert => {
            "insertion needs one term without a sum, with an operand that has at least the result's entries, and a \
             result whose last level alone is compressed, as in CSR"
        }
    }
}

/// What each of the loops over `name` runs over.
fn ran(name: &LoopName, over: &[Ran]) -> String {
    let text = |ran: &Ran| match ran {
        Ran::All => format!("all of `{name}`"),
        Ran::Stored(tensors) => {
            format!("what {} {}", list(tensors), if tensors.len() == 1 { "stores" } else { "store" })
        }
    };
    over.iter().map(text).collect::<Vec<_>>().join(" and over ")
}

/// What a loop is inside of, if not of other loops.
fn around(outside: &[LoopName]) -> String {
    if outside.is_empty() { "a condition".to_string() } else { format!("that over {}", list(outside)) }
}

/// `a, then b, then c`, each in backticks.
fn order(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", then ")
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
