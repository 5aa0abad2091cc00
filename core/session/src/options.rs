//! How a session runs kernels and programs, and how it shows results.

use nnz_backend::{FloatOrder, Gpu};
use nnz_machine as machine;
use nnz_run::{Engine, LONG_FROM};
use nnz_view::Screen;

/// How kernels run and results look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which code runs kernels; those of MLIR programs too.
    pub engine: Engine,
    /// At most this many threads run a kernel; at least 1.
    pub threads: usize,
    pub float_order: FloatOrder,
    /// The GPU that PTX is shown for.
    pub gpu: Gpu,
    /// Zeros of files are not entries: they are neither read nor written.
    pub drop_zeros: bool,
    /// JSON output of tensors includes all their data.
    pub data: bool,
    /// What MLIR programs print is reported while they run ([`super::Event::Printed`]); else it is a part of the
    /// outcome.
    pub streams: bool,
    pub screen: Screen,
    /// Hidden costs of kernels are told from so many steps on.
    pub told_from: u64,
    /// The limits of MLIR programs; its threads and engine are those above.
    pub program: machine::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            threads: 1,
            float_order: FloatOrder::Strict,
            gpu: Gpu::default(),
            drop_zeros: false,
            data: true,
            streams: false,
            screen: Screen::default(),
            told_from: LONG_FROM,
            program: machine::Options::default(),
        }
    }
}
