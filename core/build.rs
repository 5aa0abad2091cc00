//! Finds one LLVM 22 shared library and links it: `$NNZ_LLVM_SO`, else the one inside the Rust
//! toolchain, else Debian's package `libllvm22`. No LLVM headers and no `llvm-config` are needed.

use std::path::{Path, PathBuf};

const WAYS_OUT: &str = "install it (on Debian: `apt-get update && apt-get install libllvm22`), \
    name one with NNZ_LLVM_SO=/path/to/libLLVM.so.22.1, \
    or build without machine code: `--no-default-features`";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=NNZ_LLVM_SO");
    if std::env::var_os("CARGO_FEATURE_LLVM").is_some() {
        link(&find_llvm());
    }
}

fn find_llvm() -> PathBuf {
    match std::env::var_os("NNZ_LLVM_SO").map(PathBuf::from) {
        Some(named) if named.is_file() => named,
        Some(named) => fail(&format!("NNZ_LLVM_SO names `{}`, which is no file", named.display())),
        None => toolchain_llvm()
            .or_else(system_llvm)
            .unwrap_or_else(|| fail(&format!("no LLVM 22 found, nor does this Rust toolchain carry one: {WAYS_OUT}"))),
    }
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1)
}

fn toolchain_llvm() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC")?;
    let out = std::process::Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let lib = Path::new(String::from_utf8(out.stdout).ok()?.trim()).join("lib");
    let is_llvm_22 =
        |p: &PathBuf| p.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libLLVM.so.22."));
    std::fs::read_dir(lib).ok()?.filter_map(|entry| Some(entry.ok()?.path())).find(is_llvm_22)
}

fn system_llvm() -> Option<PathBuf> {
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
        .iter()
        .map(|dir| Path::new(dir).join("libLLVM.so.22.1"))
        .find(|path| path.exists())
}

fn link(library: &Path) {
    let (Some(dir), Some(name)) = (library.parent(), library.file_name()) else {
        fail(&format!("`{}` is not a file path", library.display()))
    };
    println!("cargo:rustc-link-search=native={}", dir.display());
    println!("cargo:rustc-link-lib=dylib:+verbatim={}", name.to_string_lossy());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", dir.display());
    println!("cargo:libdir={}", dir.display());
}
