//! The text that the back end shows. The suite checks that it computes the same as the other back ends.

mod fatal;
mod ptx;
mod text;
