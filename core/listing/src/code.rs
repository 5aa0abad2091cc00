//! Loops as code: after the passes of a target, or as what a back end makes of them.

use nnz_backend::{BackendError, FloatOrder, Form, Gpu, Target, c, mlir, passed, resolved};
use nnz_check::command::View;
use nnz_loops::{Function, Module, Verified, passes::on_a_grid};

/// The views of code that loops have, whatever they come from.
pub const VIEWS: &[View] = &[View::Loops, View::C, View::Mlir, View::Llvm, View::Asm, View::Grid, View::Ptx];

/// Functions to be shown as code.
pub struct Code<'a> {
    pub functions: Vec<&'a Verified<Function>>,
    pub target: Target,
    pub order: FloatOrder,
    /// For PTX.
    pub gpu: Gpu,
}

impl Code<'_> {
    /// One view, after the earlier parts of a file; `None` for a view that is none of code.
    ///
    /// # Errors
    /// As the back end's, for views of machine code.
    pub fn text(&self, view: View, written: &mut c::Written) -> Result<Option<String>, BackendError> {
        let functions = self.functions.iter().copied();
        Ok(Some(match view {
            View::Loops => self.loops_that_run()?,
            View::C => c::part(functions, written)?,
            View::Mlir => mlir::module(functions)?,
            View::Llvm | View::Asm => self.machine_code(view)?,
            View::Grid => self.module()?.to_string(),
            View::Ptx => self.ptx()?,
            View::Graph | View::Svg | View::Lattice | View::Plan | View::Lowered => return Ok(None),
            View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => return Ok(None),
        }))
    }

    /// The loops after the passes for the target.
    fn loops_that_run(&self) -> Result<String, BackendError> {
        let form = Form::Run(resolved(self.target), self.order);
        let texts = self.functions.iter().map(|function| Ok(passed(form, function)?.to_string()));
        Ok(texts.collect::<Result<Vec<_>, BackendError>>()?.join("\n"))
    }

    #[cfg(feature = "llvm")]
    fn machine_code(&self, view: View) -> Result<String, BackendError> {
        use nnz_backend::llvm::{self, Stage};
        let options = llvm::Options { float_order: self.order };
        let texts = self.functions.iter().map(|function| {
            if view == View::Asm {
                llvm::asm_text(function, options)
            } else {
                llvm::llvm_text(function, Stage::Optimised, options)
            }
        });
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }

    /// The only function, on a GPU's grid.
    fn module(&self) -> Result<Verified<Module>, BackendError> {
        match self.functions.as_slice() {
            [function] => Ok(on_a_grid(function)?),
            several => {
                let reason = format!("it takes {} functions", several.len());
                Err(BackendError::Unsupported { target: "PTX", reason })
            }
        }
    }

    /// As PTX: a text with one header and one kernel.
    #[cfg(feature = "llvm")]
    fn ptx(&self) -> Result<String, BackendError> {
        use nnz_backend::llvm;
        llvm::ptx_of_kernel(&self.module()?, self.gpu, llvm::Options { float_order: self.order })
    }

    #[cfg(not(feature = "llvm"))]
    fn machine_code(&self, _: View) -> Result<String, BackendError> {
        Err(without_llvm())
    }

    #[cfg(not(feature = "llvm"))]
    fn ptx(&self) -> Result<String, BackendError> {
        Err(without_llvm())
    }
}

#[cfg(not(feature = "llvm"))]
fn without_llvm() -> BackendError {
    let reason = "this nnz was built without it (cargo feature `llvm`)".to_string();
    BackendError::Unavailable { target: "LLVM", reason }
}
