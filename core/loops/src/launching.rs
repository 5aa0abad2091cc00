//! Launches a kernel from the host.

use super::{
    Array, Axis, Binary, Builder, ExprId, Function, KernelId, Launch, Map, Module, Stmt,
    nest::{Nest, NestError},
};

impl Module {
    /// A kernel, and a host function with the kernel's parameters that launches it once.
    ///
    /// # Errors
    /// What keeps the function from being a kernel.
    pub fn launching(kernel: Function) -> Result<Module, NestError> {
        let nest = Nest::of(&kernel)?;
        let mut b = Builder::new(&format!("{}.launch", kernel.name));
        let params = kernel.vars.iter().take(kernel.scalar_params);
        let scalars: Vec<ExprId> = params
            .map(|var| {
                let param = b.param(&var.name, var.ty);
                b.var(param)
            })
            .collect();
        let mut arrays = Vec::new();
        for array in kernel.array_parameters() {
            let len = array.len.map(|len| Copied { b: &mut b, from: &kernel }.expr(len));
            arrays.push(b.array_param(Array { len, ..array.clone() }));
        }
        let blocks = Axis::ALL.map(|axis| {
            let Some(layer) = nest.block(axis) else { return b.index(1) };
            let [lo, hi] = [layer.lo, layer.hi].map(|bound| Copied { b: &mut b, from: &kernel }.expr(bound));
            let (blocks, none) = (b.sub(hi, lo), b.index(0));
            if b.index_literal(blocks).is_some_and(|blocks| blocks >= 0) {
                blocks
            } else {
                b.binary(Binary::Max, blocks, none)
            }
        });
        let threads = nest.threads(&kernel).map(|threads| b.index(threads));
        b.push(Stmt::Launch(Launch { kernel: KernelId(0), scalars, arrays, blocks, threads }));
        let host = vec![b.finish()];
        Ok(Module { kernels: vec![kernel], host })
    }
}

/// Copies expressions over the scalar parameters of `from`, which `b` has too.
struct Copied<'b> {
    b: &'b mut Builder,
    from: &'b Function,
}

impl Map for Copied<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        let copied = self.from.expr(id).map(self);
        self.b.folded(copied)
    }
}
