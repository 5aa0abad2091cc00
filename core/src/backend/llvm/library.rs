//! LLVM's shared library, opened when the first kernel is compiled.
//!
//! Linked, it would be loaded and relocated at every start of the program, also where nothing is
//! compiled. So `core/build.rs` defines each function of LLVM's C interface as a jump through
//! [`ENTRIES`], and [`load`] fills that table. Whatever calls LLVM must have called [`load`] before.

use std::{
    ffi::CStr,
    sync::{
        OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};

use crate::backend::BackendError;

include!(concat!(env!("OUT_DIR"), "/llvm_jumps.rs"));

/// Where each of [`NAMES`] is; a jump through an entry that is not filled ends the program.
static ENTRIES: [AtomicPtr<()>; NAMES.len()] = [const { AtomicPtr::new(not_loaded as *mut ()) }; NAMES.len()];

extern "C" fn not_loaded() {
    panic!("LLVM was called before its library was loaded");
}

/// Opens the library, once per process.
///
/// # Errors
/// No library where it was at build time, nor one that `NNZ_LLVM_SO` names or the system knows; one
/// that lacks a function.
pub(super) fn load() -> Result<(), BackendError> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| fill(open()?));
    loaded.clone().map_err(|reason| BackendError::Unavailable { target: super::NAME, reason })
}

fn open() -> Result<Library, String> {
    let named = std::env::var("NNZ_LLVM_SO").ok();
    let paths: Vec<&str> = named.as_deref().into_iter().chain([PATH, "libLLVM.so.22.1"]).collect();
    let mut reasons = Vec::new();
    for path in paths {
        // SAFETY: LLVM's initialisers may run at any time, as they do where it is linked.
        match unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) } {
            Ok(library) => return Ok(library),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(format!("its library cannot be opened: {}", reasons.join("; ")))
}

fn fill(library: Library) -> Result<(), String> {
    for (name, entry) in NAMES.iter().zip(&ENTRIES) {
        // SAFETY: only the address is taken; the callers' declarations are those of LLVM's headers.
        let function = unsafe { library.get::<*mut ()>(name.to_bytes_with_nul()) };
        match function {
            Ok(function) => entry.store(*function, Ordering::Relaxed),
            Err(error) => return Err(format!("another LLVM than nnz was built for: {error}")),
        }
    }
    // The functions are used until the process ends.
    std::mem::forget(library);
    Ok(())
}
