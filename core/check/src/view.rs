//! The views of `:show`.

/// What `:show` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Levels,
    Tree,
    Storage,
    Dump,
    Spy,
    Graph,
    Svg,
    Lattice,
    Plan,
    Loops,
    Lowered,
    Grid,
    C,
    Mlir,
    Llvm,
    Asm,
    Ptx,
}

impl View {
    pub const ALL: &'static [View] = &[
        View::Levels,
        View::Tree,
        View::Storage,
        View::Dump,
        View::Spy,
        View::Graph,
        View::Svg,
        View::Lattice,
        View::Plan,
        View::Loops,
        View::Lowered,
        View::Grid,
        View::C,
        View::Mlir,
        View::Llvm,
        View::Asm,
        View::Ptx,
    ];

    pub fn name(self) -> &'static str {
        match self {
            View::Levels => "levels",
            View::Tree => "tree",
            View::Storage => "storage",
            View::Dump => "dump",
            View::Spy => "spy",
            View::Graph => "graph",
            View::Svg => "svg",
            View::Lattice => "lattice",
            View::Plan => "plan",
            View::Loops => "loops",
            View::Lowered => "lowered",
            View::Grid => "grid",
            View::C => "c",
            View::Mlir => "mlir",
            View::Llvm => "llvm",
            View::Asm => "asm",
            View::Ptx => "ptx",
        }
    }
    /// Whether it shows a stage of compiling a kernel, not a tensor.
    pub fn is_of_kernel(self) -> bool {
        match self {
            View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => false,
            View::Graph
            | View::Svg
            | View::Lattice
            | View::Plan
            | View::Loops
            | View::Lowered
            | View::Grid
            | View::C
            | View::Mlir
            | View::Llvm
            | View::Asm
            | View::Ptx => true,
        }
    }
    pub fn summary(self) -> &'static str {
        match self {
            View::Levels => "the levels of a tensor's storage, with their arrays and sizes",
            View::Tree => "the coordinate tree that a tensor stores",
            View::Storage => "the arrays of a tensor, and for each entry its coordinates and positions, level by level",
            View::Dump => "every array of a tensor, whole, as MLIR's `sparse_tensor.print` shows them",
            View::Spy => "a plot of where a matrix has entries",
            View::Graph => "the iteration graph of a kernel, with each operand's access",
            View::Svg => "the iteration graph of a kernel as a picture, in SVG",
            View::Lattice => "where each loop goes: what operands must be present, and what is computed there",
            View::Plan => "the order of loops, every access, conversions and workspaces, with estimated costs",
            View::Loops => "the loops of a kernel as they run, after the passes for this machine",
            View::Lowered => "the loops of a kernel before these passes, as a schedule arranges them",
            View::Grid => "the loops of a kernel on a GPU's grid, and the host function that launches them",
            View::C => "a kernel as a C function that needs nothing else",
            View::Mlir => "a kernel as MLIR: scf, memref, arith and math",
            View::Llvm => "a kernel's LLVM IR",
            View::Asm => "a kernel's machine code",
            View::Ptx => "a kernel as PTX for NVIDIA's GPUs, with a thread for each iteration of its parallel loop",
        }
    }
}
