//! A link argument of nnz-core does not reach the programs that depend on it, so each such package
//! repeats the run-time search path of the LLVM library that core/build.rs found.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(libdir) = std::env::var_os("DEP_NNZ_LLVM_LIBDIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libdir.display());
    }
}
