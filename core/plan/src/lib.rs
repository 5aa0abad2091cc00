//! From a kernel to loops: its plan ([`iterate`]), the loops of the plan ([`lower`]), and what a schedule changes of
//! either ([`schedule`]).

pub mod iterate;
pub mod lower;
pub mod schedule;
