//! Loops as C, compiled by the system's C compiler: one more back end to compare with.

use std::{
    ffi::c_void,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{Argument, Backend, BackendError, Executable, arguments, c},
    element::{Element, Scalar},
    loops::{Function, Type, Verified},
    with_values,
};

/// What a user would compile with; a warning is an error here. Functions of constants are left to the
/// library, as they are on the other back ends: the compiler itself would round them correctly.
const FLAGS: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fno-builtin", "-shared", "-fPIC"];

/// The back end.
#[derive(Clone, Debug)]
pub struct Cc {
    compiler: PathBuf,
}

impl Cc {
    /// `None` where there is no C compiler; `NNZ_CC` names another than `cc`.
    pub fn find() -> Option<Cc> {
        let compiler = PathBuf::from(std::env::var_os("NNZ_CC").unwrap_or("cc".into()));
        let answers = Command::new(&compiler).arg("--version").output().is_ok_and(|output| output.status.success());
        answers.then_some(Cc { compiler })
    }

    fn build(&self, text: &str) -> Result<libloading::Library, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("nnz-cc-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let library = self.build_in(&folder, text);
        // An opened library stays in memory without its file.
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        library
    }

    fn build_in(&self, folder: &Path, text: &str) -> Result<libloading::Library, String> {
        let (source, library) = (folder.join("kernel.c"), folder.join("kernel.so"));
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.compiler);
        command.args(FLAGS).arg("-o").arg(&library).arg(&source).arg("-lm");
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // SAFETY: the library has no code that runs when it is opened.
        unsafe { libloading::Library::new(&library) }.map_err(|error| error.to_string())
    }
}

// SAFETY: the C compiler is given the text of the function.
unsafe impl Backend for Cc {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        let text = c::text(function)? + &entry(function);
        let failed = |error: String| BackendError::Failed(format!("{error}\n{text}"));
        let library = self.build(&text).map_err(failed)?;
        Ok(Arc::new(Compiled { library, function: function.clone() }))
    }
}

/// `void nnz_entry(void **arrays, void **scalars)`, which calls the kernel.
fn entry(function: &Function) -> String {
    let scalars = function.vars.iter().take(function.scalar_params).enumerate();
    let scalars = scalars.map(|(at, var)| format!("*({} *)scalars[{at}]", scalar_type(var.ty)));
    let arrays = (0..function.array_params).map(|at| format!("arrays[{at}]"));
    let arguments: Vec<String> = scalars.chain(arrays).collect();
    format!(
        "\nvoid nnz_entry(void **arrays, void **scalars)\n{{\n    \
         (void)arrays, (void)scalars;\n    {}({});\n}}\n",
        c::name(function),
        arguments.join(", ")
    )
}

fn scalar_type(ty: Type) -> &'static str {
    let Type::Element(element) = ty else { return "int64_t" };
    match element {
        Element::F64 => "double",
        // Narrow floats are passed as what they are computed in.
        Element::F32 | Element::F16 | Element::BF16 => "float",
        Element::I1 | Element::U8 => "uint8_t",
        Element::I2 | Element::I4 | Element::I8 => "int8_t",
        Element::I16 => "int16_t",
        Element::I32 => "int32_t",
        Element::I64 => "int64_t",
        Element::U16 => "uint16_t",
        Element::U32 => "uint32_t",
        Element::U64 | Element::Index => "uint64_t",
        Element::C32 => "nnz_c32",
        Element::C64 => "nnz_c64",
    }
}

struct Compiled {
    library: libloading::Library,
    function: Verified<Function>,
}

type Entry = unsafe extern "C" fn(*mut *mut c_void, *mut *mut c_void);

impl Executable for Compiled {
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], _threads: usize) -> Result<(), BackendError> {
        arguments::check(&self.function, arrays, scalars)?;
        let mut boxes: Vec<Values> = self.function.vars.iter().zip(scalars).map(|(var, s)| boxed(var.ty, *s)).collect();
        let mut arrays: Vec<*mut c_void> = arrays.iter_mut().map(address).collect();
        let mut scalars: Vec<*mut c_void> = boxes.iter_mut().map(values_address).collect();
        // SAFETY: the arguments fit, and the text that was compiled has this function.
        unsafe {
            let entry: libloading::Symbol<'_, Entry> =
                self.library.get(b"nnz_entry").map_err(|error| BackendError::Failed(error.to_string()))?;
            entry(arrays.as_mut_ptr(), scalars.as_mut_ptr());
        }
        Ok(())
    }
}

/// One number where C finds it.
fn boxed(ty: Type, scalar: Scalar) -> Values {
    match ty {
        Type::Element(Element::F16 | Element::BF16) => {
            let Type::Element(narrow) = ty else { return Values::F32(Vec::new()) };
            let rounded = Values::from_scalars(narrow, [scalar]).get(0).unwrap_or(scalar);
            Values::from_scalars(Element::F32, [rounded])
        }
        Type::Element(element) => Values::from_scalars(element, [scalar]),
        Type::Index | Type::Bool => Values::from_scalars(Element::I64, [scalar]),
    }
}

fn values_address(values: &mut Values) -> *mut c_void {
    with_values!(values, v => v.as_mut_ptr().cast())
}

fn address(argument: &mut Argument<'_>) -> *mut c_void {
    match argument {
        Argument::Values(values) => with_values!(values, v => v.as_ptr().cast_mut().cast()),
        Argument::ValuesMut(values) => values_address(values),
        Argument::Indices(indices) => match indices {
            IndexArray::U2 { bytes: v, .. } | IndexArray::U8(v) => v.as_ptr().cast_mut().cast(),
            IndexArray::U16(v) => v.as_ptr().cast_mut().cast(),
            IndexArray::U32(v) => v.as_ptr().cast_mut().cast(),
            IndexArray::U64(v) => v.as_ptr().cast_mut().cast(),
        },
        Argument::IndicesMut(indices) => match indices {
            IndexArray::U2 { bytes: v, .. } | IndexArray::U8(v) => v.as_mut_ptr().cast(),
            IndexArray::U16(v) => v.as_mut_ptr().cast(),
            IndexArray::U32(v) => v.as_mut_ptr().cast(),
            IndexArray::U64(v) => v.as_mut_ptr().cast(),
        },
    }
}
