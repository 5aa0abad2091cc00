//! What the back end shows of itself; that it computes what the others do is asked in the suite.

mod text;
