//! From a kernel to loops: its plan ([`iterate`]), the loops of the plan ([`lower`]), and the changes of a schedule
//! to either ([`schedule`]). A module uses only modules declared above it.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod iterate;
pub mod lower;
pub mod schedule;
