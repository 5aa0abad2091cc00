//! The text that the back end shows. The suite checks that it computes what the other back ends compute.

mod fatal;
mod ptx;
mod text;
