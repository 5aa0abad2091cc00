//! LLVM's shared library, opened when the first kernel is compiled.
//!
//! A linked library would be loaded and relocated at every start of the program, even if nothing is compiled. So
//! `core/backend/build.rs` defines each function of LLVM's C interface as a jump through [`ENTRIES`], and [`load`]
//! fills that table. [`Loaded`] proves that it is filled: contexts and machines can only be made with it.

use std::{
    error::Error,
    ffi::{CStr, OsStr, OsString, c_char},
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

use inkwell::context::Context;
use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use crate::{BackendError, fatal};
use nnz_base::memory;

include!(concat!(env!("OUT_DIR"), "/llvm_jumps.rs"));

/// Where each of [`NAMES`] is.
static ENTRIES: [AtomicPtr<()>; NAMES.len()] = [const { AtomicPtr::new(not_loaded as *mut ()) }; NAMES.len()];

/// Nobody comes here without a [`Loaded`]. If somebody did, the process would end: C's functions do not unwind.
extern "C" fn not_loaded() {
    panic!("LLVM was called before its library was loaded");
}

/// LLVM's library is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded(());

impl Loaded {
    /// Where all of LLVM's values live.
    #[expect(clippy::disallowed_methods, reason = "the library is loaded")]
    pub(super) fn context(self) -> Context {
        Context::create()
    }
}

/// Why there is no machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// This machine has no LLVM 22: the interpreter takes its place.
    Absent(String),
    /// `NNZ_LLVM_SO` names a library that cannot be used.
    Refused(String),
}

impl From<Missing> for BackendError {
    fn from((Missing::Absent(reason) | Missing::Refused(reason)): Missing) -> BackendError {
        BackendError::Unavailable { target: super::NAME, reason }
    }
}

/// Opens the library, once per process.
///
/// # Errors
/// `NNZ_LLVM_SO` does not name an LLVM 22. Without that variable: the library is neither where it was at build time nor
/// known to the system.
pub(crate) fn load() -> Result<Loaded, Missing> {
    static LOADED: OnceLock<Result<Loaded, Missing>> = OnceLock::new();
    LOADED.get_or_init(|| find().map(Loaded)).clone()
}

/// Whether the library is where it was at build time, and no other is named. Opening it takes some 20 milliseconds and
/// 40 MB, which runs without machine code save.
pub(crate) fn is_in_place() -> bool {
    named().is_none() && Path::new(PATH).exists()
}

fn named() -> Option<OsString> {
    std::env::var_os("NNZ_LLVM_SO").filter(|named| !named.is_empty())
}

fn find() -> Result<(), Missing> {
    room().map_err(|reason| Missing::Absent(format!("LLVM 22 cannot be loaded: {reason}")))?;
    if let Some(named) = named() {
        let refused = |reason| Missing::Refused(format!("NNZ_LLVM_SO names `{}`: {reason}", named.display()));
        return open(&named).and_then(fill).map_err(refused);
    }
    let known = [PATH, "libLLVM.so.22.1", "/usr/lib/llvm-22/lib/libLLVM.so.22.1"];
    let mut reasons = Vec::new();
    let mut opened = |path: &&str| open(OsStr::new(path)).map_err(|reason| reasons.push(reason)).ok();
    let library = known.iter().find_map(&mut opened);
    let absent = || Missing::Absent(not_opened(&reasons));
    fill(library.ok_or_else(absent)?).map_err(|reason| Missing::Absent(format!("{reason}; {WAY_OUT}")))
}

/// What to say where no library could be opened: the reason of one that is there, if any.
fn not_opened(reasons: &[String]) -> String {
    let is_there = |reason: &&String| !reason.contains("No such file");
    match reasons.iter().find(is_there) {
        Some(reason) => format!("LLVM 22 cannot be loaded: {reason}"),
        None => format!("there is no LLVM 22 here; {WAY_OUT}"),
    }
}

const WAY_OUT: &str =
    "install it (on Debian `apt-get install libllvm22`) or name one with NNZ_LLVM_SO=/path/to/libLLVM.so.22.1";

/// The addresses that compiling a kernel takes, the library aside.
const COMPILING: u64 = 48 << 20;

/// Opens the library, if there are enough addresses to compile one more kernel: LLVM ends the process if it runs out.
///
/// # Errors
/// As [`load`]; too few addresses.
pub(crate) fn ready() -> Result<Loaded, BackendError> {
    let loaded = load()?;
    memory::addresses(COMPILING).map_err(|refused| super::lacking(refused.to_string()))?;
    Ok(loaded)
}

/// The addresses that the library takes, or more.
const LIBRARY: u64 = 200 << 20;

/// What of the library is in memory once kernels have been compiled, or more.
const RESIDENT: u64 = 48 << 20;

/// Checks that there is room for the library. Under the user's limit the library takes at most a quarter of what is left:
/// the interpreter leaves it to the data.
///
/// # Errors
/// There is not.
fn room() -> Result<(), String> {
    memory::addresses(LIBRARY + COMPILING).map_err(|refused| refused.to_string())?;
    if memory::limit().is_none() {
        return Ok(());
    }
    let takes = memory::size_text(RESIDENT);
    memory::room_apart(4 * RESIDENT)
        .map_err(|refused| format!("its library takes {takes}, more than a quarter of the memory: {}", refused.left()))
}

fn open(path: &OsStr) -> Result<Library, String> {
    // SAFETY: LLVM's initialisers may run at any time, as they do where it is linked.
    let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) }.map_err(|error| reason(&error))?;
    match version(&library) {
        Some(22) => Ok(library),
        Some(other) => Err(format!("it is LLVM {other}, and nnz needs LLVM 22")),
        None => Err("it is no LLVM 22".to_string()),
    }
}

/// What the loader says.
fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// The major version of the LLVM that a library is.
fn version(library: &Library) -> Option<u32> {
    type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32);
    let [mut major, mut minor, mut patch] = [0; 3];
    // SAFETY: the declaration is that of LLVM's headers, in every version that has the function.
    unsafe { library.get::<GetVersion>(b"LLVMGetVersion\0").ok()?(&raw mut major, &raw mut minor, &raw mut patch) };
    Some(major)
}

/// LLVM calls it where it would end the process.
extern "C" fn ended(reason: *const c_char) {
    // SAFETY: LLVM gives a C string.
    fatal::end(&unsafe { CStr::from_ptr(reason) }.to_string_lossy())
}

fn fill(library: Library) -> Result<(), String> {
    for (name, entry) in NAMES.iter().zip(&ENTRIES) {
        // SAFETY: only the address is taken; the callers' declarations are those of LLVM's headers.
        let function = unsafe { library.get::<*mut ()>(name.to_bytes_with_nul()) };
        match function {
            Ok(function) => entry.store(*function, Ordering::Relaxed),
            Err(_) => return Err(format!("it lacks `{}`, which nnz was built to call", name.to_string_lossy())),
        }
    }
    memory::count(RESIDENT);
    // The functions are used until the process ends.
    std::mem::forget(library);
    // SAFETY: the table is filled, and the handler stays.
    unsafe { LLVMInstallFatalErrorHandler(Some(ended)) };
    Ok(())
}
