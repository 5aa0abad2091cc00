//! From a kernel to loops: its plan ([`iterate`]), the loops of the plan ([`lower`]), and what a schedule changes of
//! either ([`schedule`]). A module uses only modules declared above it.

pub mod iterate;
pub mod lower;
pub mod schedule;
