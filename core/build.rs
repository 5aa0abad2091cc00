//! Finds one LLVM 22 shared library and links it: `$NNZ_LLVM_SO`, else the one inside the Rust
//! toolchain, else Debian's package `libllvm22`. No LLVM headers and no `llvm-config` are needed.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=NNZ_LLVM_SO");
    if std::env::var_os("CARGO_FEATURE_LLVM").is_some() {
        link(&find_llvm());
    }
}

fn find_llvm() -> std::path::PathBuf {
    let named = std::env::var_os("NNZ_LLVM_SO").map(std::path::PathBuf::from);
    named.or_else(toolchain_llvm).or_else(system_llvm).unwrap_or_else(|| {
        println!(
            "cargo::error=no LLVM 22 found: this Rust toolchain carries no libLLVM.so.22. \
             Install it (on Debian: `apt-get update && apt-get install libllvm22`), name one with NNZ_LLVM_SO=/path/to/libLLVM.so.22.1, \
             or build without machine code: `--no-default-features`"
        );
        std::process::exit(1)
    })
}

fn toolchain_llvm() -> Option<std::path::PathBuf> {
    let rustc = std::env::var_os("RUSTC")?;
    let out = std::process::Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let lib = std::path::Path::new(String::from_utf8(out.stdout).ok()?.trim()).join("lib");
    let is_llvm_22 =
        |p: &std::path::PathBuf| p.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libLLVM.so.22."));
    std::fs::read_dir(lib).ok()?.filter_map(|entry| Some(entry.ok()?.path())).find(is_llvm_22)
}

fn system_llvm() -> Option<std::path::PathBuf> {
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
        .iter()
        .map(|dir| std::path::Path::new(dir).join("libLLVM.so.22.1"))
        .find(|path| path.exists())
}

fn link(library: &std::path::Path) {
    let (Some(dir), Some(name)) = (library.parent(), library.file_name()) else {
        println!("cargo::error=`{}` is not a file path", library.display());
        std::process::exit(1)
    };
    println!("cargo:rustc-link-search=native={}", dir.display());
    println!("cargo:rustc-link-lib=dylib:+verbatim={}", name.to_string_lossy());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", dir.display());
    println!("cargo:libdir={}", dir.display());
}
