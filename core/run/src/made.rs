//! What is made from operands before the loops run: windows, dense copies with their masks, copies without padding.

use nnz_base::{
    diagnostic::{Code, counted},
    memory,
};
use nnz_plan::iterate::{PlanRow, steps_text};

/// A tensor that is made from an operand before the loops run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// As the loops name it: `A.dense`.
    pub name: String,
    /// The operand.
    pub of: String,
    pub what: What,
    pub steps: u64,
    /// The bytes of its arrays; `None` if they are known only from data.
    pub bytes: Option<u64>,
}

/// What such a tensor holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The entries that an access can meet: how many of how many, if there are data.
    Window { access: String, met: Option<[usize; 2]> },
    /// Every coordinate.
    Dense(WhyDense),
    /// Where a dense copy has entries.
    Mask,
    /// The entries alone, of so many slots.
    Unpadded { slots: Option<usize> },
}

/// Why an operand is copied into a dense array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyDense {
    Computed,
    Levels,
    TooLong,
}

impl std::fmt::Display for WhyDense {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WhyDense::Computed => "the loops read it at computed places",
            WhyDense::Levels => "its levels are no dimensions",
            WhyDense::TooLong => "loops over so many sparse operands would be too long",
        })
    }
}

impl Made {
    /// Whether loops read it everywhere, though the operand is sparse.
    pub(super) fn is_copy(&self) -> bool {
        match self.what {
            What::Dense(_) | What::Mask => true,
            What::Window { .. } | What::Unpadded { .. } => false,
        }
    }

    /// The cost for a hint; `None` for a mask, which comes with its copy.
    pub fn hint(&self) -> Option<String> {
        let of = &self.of;
        Some(match &self.what {
            What::Window { access, met: None } => format!("`{access}` is cut out of `{of}` first"),
            What::Window { access, met: Some([met, all]) } => {
                format!("`{access}` is cut out of `{of}` first: {}", share(*met, *all))
            }
            What::Dense(why) => {
                let why = match why {
                    WhyDense::Computed => String::new(),
                    WhyDense::Levels | WhyDense::TooLong => format!(", as {why}"),
                };
                format!("`{of}` is copied into a dense array of {} first{why}", self.size())
            }
            What::Mask => return None,
            What::Unpadded { slots } => {
                let slots = slots.map_or(String::new(), |slots| format!(": {}", counted(slots, "slot")));
                format!("`{of}` is copied without its padding first{slots}")
            }
        })
    }

    /// The code of the hint.
    pub(super) fn code(&self) -> Code {
        match self.what {
            What::Dense(_) | What::Mask => Code::DenseCopy,
            What::Window { .. } | What::Unpadded { .. } => Code::HiddenCost,
        }
    }

    /// The label of the hint, in a few words.
    pub(super) fn label(&self) -> &'static str {
        match &self.what {
            What::Window { .. } => "searched for these entries",
            What::Dense(_) => "copied, zeros and all",
            What::Mask => "marked, entry by entry",
            What::Unpadded { .. } => "copied",
        }
    }

    /// The line of a plan.
    pub(super) fn row(&self) -> PlanRow {
        let head = match self.what {
            What::Window { .. } => "window",
            What::Dense(_) => "dense copy",
            What::Mask => "mask",
            What::Unpadded { .. } => "copy",
        };
        let bytes = self.bytes.map_or(String::new(), |bytes| format!(", {}", memory::size_text(bytes)));
        let cost = format!("before the loops, about {}{bytes}", steps_text(self.steps as f64));
        let why = self.why().map_or(String::new(), |why| format!(": {why}"));
        (format!("{head} {}", self.name), format!("{}, {cost}{why}", self.holds()))
    }

    /// Its description, for comments in code.
    pub fn comment(&self) -> String {
        let bytes = self.bytes.map_or(String::new(), |bytes| format!(", {}", memory::size_text(bytes)));
        format!("{}, made before{bytes}", self.holds())
    }

    fn holds(&self) -> String {
        let of = &self.of;
        match &self.what {
            What::Window { access, .. } => format!("{access} cut out of {of}"),
            What::Dense(_) => format!("{of} as a dense array"),
            What::Mask => format!("where {of} has entries, a byte each"),
            What::Unpadded { .. } => format!("{of} without its padding"),
        }
    }

    fn why(&self) -> Option<String> {
        match &self.what {
            What::Window { met: Some([met, all]), .. } => Some(share(*met, *all)),
            What::Window { met: None, .. } | What::Unpadded { slots: None } => None,
            What::Dense(why) => Some(why.to_string()),
            What::Mask => Some("what is absent is no term".to_string()),
            What::Unpadded { slots: Some(slots) } => Some(counted(*slots, "slot")),
        }
    }

    fn size(&self) -> String {
        memory::size_text(self.bytes.unwrap_or(0))
    }
}

/// `3 of 6 entries`
fn share(met: usize, all: usize) -> String {
    format!("{met} of {all} {}", if all == 1 { "entry" } else { "entries" })
}
