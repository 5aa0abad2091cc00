//! Finds one LLVM 22 shared library: `$NNZ_LLVM_SO`, else the one inside the Rust toolchain, else
//! Debian's package `libllvm22`. No LLVM headers and no `llvm-config` are needed.
//!
//! The library is not linked but opened when the first kernel is compiled: linked, its two hundred megabytes would cost
//! every start of the program some 25 ms. So this script defines its functions, each as a jump through a table.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSymbol, SymbolKind};

const WAYS_OUT: &str = "install it (on Debian: `apt-get update && apt-get install libllvm22`), \
    name one with NNZ_LLVM_SO=/path/to/libLLVM.so.22.1, \
    or build without machine code: `--no-default-features`";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=NNZ_LLVM_SO");
    if std::env::var_os("CARGO_FEATURE_LLVM").is_some() {
        match std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
            Ok("x86_64") => write_jumps(&find_llvm()),
            _ => fail("machine code is made for x86-64 only: build with `--no-default-features` for other processors"),
        }
    }
}

fn find_llvm() -> PathBuf {
    match std::env::var_os("NNZ_LLVM_SO").filter(|named| !named.is_empty()).map(PathBuf::from) {
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

/// Writes, for the back end to include, the library's path, the names of the functions that it exports
/// and one jump for each of them through a table that the back end fills (`backend/llvm/library.rs`).
fn write_jumps(library: &Path) {
    let functions = exported_functions(library);
    let mut text = format!("const PATH: &str = {:?};\n", library.display().to_string());
    text += &format!("static NAMES: [&CStr; {}] = [\n", functions.len());
    functions.iter().for_each(|name| text += &format!("    c\"{name}\",\n"));
    text += "];\ncore::arch::global_asm!(\n    \".text\",\n";
    for (at, name) in functions.iter().enumerate() {
        text += &format!("    \".globl {name}\", \".hidden {name}\", \".type {name}, @function\",\n");
        text += &format!("    \"{name}: jmp qword ptr [rip + {{entries}} + {}]\",\n", 8 * at);
    }
    text += "    entries = sym ENTRIES,\n);\n";
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("llvm_jumps.rs");
    if let Err(error) = std::fs::write(&out, text) {
        fail(&format!("`{}` cannot be written: {error}", out.display()));
    }
}

/// The functions of LLVM's C interface, sorted. Those that set up code generators which nnz does not use are left out:
/// one build of LLVM has them and another has not.
fn exported_functions(library: &Path) -> Vec<String> {
    let bytes = std::fs::read(library).unwrap_or_else(|error| unreadable(library, &error));
    let file = object::File::parse(&*bytes).unwrap_or_else(|error| unreadable(library, &error));
    let is_c_name = |name: &&str| {
        name.strip_prefix("LLVM").is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_uppercase())
                && rest.chars().all(|c| c.is_ascii_alphanumeric())
                && (!rest.starts_with("Initialize") || ["X86", "NVPTX"].iter().any(|used| rest.contains(used)))
        })
    };
    let functions = file.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text);
    let mut names: Vec<String> =
        functions.filter_map(|symbol| symbol.name().ok().filter(is_c_name).map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    names
}

fn unreadable(library: &Path, error: &dyn std::fmt::Display) -> ! {
    fail(&format!("`{}` cannot be read as a shared library: {error}", library.display()))
}
