//! Crates of the core use only crates before them, and modules only modules above them; ARCHITECTURE.md draws them
//! correctly and names files that exist; the core does nothing that belongs to the edges.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The crates of the core in the order of the workspace's `members`, without the façade.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    members.split('"').filter_map(|member| Some(member.strip_prefix("core/")?.to_string())).collect()
}

/// The crates of the core that a crate names in its manifest, for tests too.
fn used_crates(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("core").join(name).join("Cargo.toml")).unwrap();
    let named = manifest.lines().filter_map(|line| line.strip_prefix("nnz-")?.strip_suffix(".workspace = true"));
    named.map(ToString::to_string).collect()
}

/// How many crates stand on each other below a crate, itself counted.
fn depths(crates: &[String]) -> BTreeMap<String, usize> {
    let mut depths = BTreeMap::new();
    for name in crates {
        let below = used_crates(name).iter().map(|used| depths[used]).max().unwrap_or(0);
        depths.insert(name.clone(), below + 1);
    }
    depths
}

#[test]
fn a_crate_uses_only_crates_before_it() {
    let crates = crates();
    assert!(crates.len() > 8, "Cargo.toml was not understood: {crates:?}");
    for (at, name) in crates.iter().enumerate() {
        let wrong: Vec<_> = used_crates(name).into_iter().filter(|used| !crates[..at].contains(used)).collect();
        assert!(wrong.is_empty(), "`{name}` uses {wrong:?}, which the workspace names behind it");
    }
}

#[test]
fn every_layer_is_optimised_for_tests() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let line = |name: &str| format!("[profile.dev.package.nnz-{name}]\nopt-level = 1\n");
    let missing: Vec<String> = crates().iter().map(|name| line(name)).filter(|line| !manifest.contains(line)).collect();
    assert!(missing.is_empty(), "Cargo.toml lacks {missing:?}, without which tests take several times as long");
}

/// The figure in ARCHITECTURE.md: one line for each depth, the deepest last.
fn figure(crates: &[String]) -> String {
    let depths = depths(crates);
    let deepest = depths.values().max().unwrap();
    let line = |depth: usize| {
        let names = crates.iter().filter(|name| depths[*name] == depth);
        names.map(|name| format!("nnz-{name}")).collect::<Vec<_>>().join("   ")
    };
    (1..=*deepest).rev().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_figure_of_the_layers_is_true() {
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let figure = figure(&crates());
    assert!(architecture.contains(&figure), "ARCHITECTURE.md should have these lines:\n{figure}");
}

/// The files that a page names in backticks.
fn named_files(page: &str) -> Vec<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.ends_with(".rs") && word.contains('/') && !word.contains(' ')).collect()
}

#[test]
fn the_files_that_the_architecture_names_exist() {
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    // `plan/iterate.rs` is short for `core/plan/src/iterate.rs`.
    let in_core =
        |name: &str| name.split_once('/').map(|(of, file)| root().join("core").join(of).join("src").join(file));
    let exists = |name: &str| root().join(name).exists() || in_core(name).is_some_and(|path| path.exists());
    let names = named_files(&architecture);
    assert!(names.len() > 40, "ARCHITECTURE.md was not understood: {names:?}");
    let missing: Vec<_> = names.into_iter().filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:?}");
}

/// The modules of a crate's root in order.
fn layers(lib: &str) -> Vec<&str> {
    lib.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')).collect()
}

/// Every file below a path but those of tests, which may use what they test, each with what ships of its text.
fn files(path: &Path) -> Vec<(String, String)> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let shipped = entries.filter(|entry| entry.file_stem().is_none_or(|stem| stem != "tests"));
        return shipped.flat_map(|entry| files(&entry)).collect();
    }
    let text = fs::read_to_string(path);
    let text = text.map(|text| (path.display().to_string(), without_tests(&without_comments(&text))));
    text.into_iter().collect()
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The sources of a crate of the core or of an edge.
fn sources(name: &str) -> PathBuf {
    let of_core = root().join("core").join(name);
    let folder = if of_core.exists() { of_core } else { root().join(name) };
    folder.join("src")
}

/// The crates whose modules are in layers.
fn layered() -> Vec<String> {
    crates().into_iter().chain(["lsp", "repl"].map(String::from)).collect()
}

fn module_files(name: &str, layer: &str) -> Vec<(String, String)> {
    let source = sources(name);
    files(&source.join(layer)).into_iter().chain(files(&source.join(format!("{layer}.rs")))).collect()
}

/// The first path segments that follow each `crate::`, and each `up`, which means the same, through nested braces.
fn used_modules(text: &str, up: &str) -> Vec<String> {
    let from_above = text.split(up).collect::<Vec<_>>();
    let pairs = from_above.windows(2).filter(|pair| !pair[0].ends_with("super::") && !pair[1].starts_with("super"));
    text.split("crate::").skip(1).chain(pairs.map(|pair| pair[1])).flat_map(heads).collect()
}

/// `super::`, as often as it takes from a file to the crate's root.
fn to_the_root(name: &str, path: &str) -> String {
    let folders = Path::new(path).strip_prefix(sources(name)).unwrap().components().count();
    "super::".repeat(folders)
}

/// The module from which a crate's root takes what it gives out as `used`, or `used` itself.
fn module_of(lib: &str, used: String) -> String {
    let taken = lib.split_inclusive(';').filter_map(|item| item.rsplit_once("pub use ")?.1.split_once("::"));
    let has = |names: &str| {
        !used.is_empty() && names.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|name| name == used)
    };
    { taken }.find(|(_, names)| has(names)).map_or(used.clone(), |(module, _)| module.to_string())
}

fn heads(rest: &str) -> Vec<String> {
    let ident = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = rest.strip_prefix('{') else { return vec![ident(rest)] };
    let mut depth = 0;
    let mut found = vec![ident(group.trim_start())];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => found.push(ident(group[at + 1..].trim_start())),
            _ => {}
        }
    }
    found
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let errors: Vec<_> = layered().iter().flat_map(|name| uses_below(name)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn crates_have_modules() {
    let several = layered().into_iter().filter(|name| layers(&lib(name)).len() > 2).count();
    assert!(several > 17, "the modules of {several} crates were understood");
}

/// The root of a crate, which names its modules.
fn lib(name: &str) -> String {
    let roots = ["lib.rs", "main.rs"].map(|root| sources(name).join(root));
    fs::read_to_string(roots.iter().find(|root| root.exists()).unwrap()).unwrap()
}

/// The order of the modules in a crate's root is that of its layers.
fn uses_below(name: &str) -> Vec<String> {
    let lib = lib(name);
    let layers = layers(&lib);
    let mut errors = Vec::new();
    for (depth, layer) in layers.iter().enumerate() {
        let below = &layers[depth + 1..];
        for (path, text) in module_files(name, layer) {
            let used = used_modules(&text, &to_the_root(name, &path)).into_iter().map(|used| module_of(&lib, used));
            let wrong = used.filter(|used| below.contains(&used.as_str()));
            errors.extend(wrong.map(|used| format!("{path}: `{layer}` uses `{used}`, which lies below it")));
        }
    }
    errors
}

#[test]
fn nested_use_groups_are_understood() {
    assert_eq!(used_modules("use crate::a::B; use super::super::{c, D}; super::e", "super::super::"), ["a", "c", "D"]);
    assert_eq!(module_of("pub use a::{B, C};\npub use d::E;", "C".to_string()), "a");
    assert_eq!(heads("{a::{b, c}, d, e::f}; rest"), ["a", "d", "e"]);
    assert_eq!(heads("source::Span;"), ["source"]);
}

/// What ships: each item behind a `#[cfg(test)]` is left out, and what follows it is not.
fn without_tests(text: &str) -> String {
    let mut parts = text.split("#[cfg(test)]");
    let first = parts.next().unwrap_or("");
    parts.fold(first.to_string(), |shipped, part| shipped + after_item(part))
}

/// What follows the item that a text begins with: up to its `;`, or to the brace that closes it.
fn after_item(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[at + 1..],
            '}' => depth -= 1,
            ';' if depth == 0 => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

#[test]
fn only_the_items_of_tests_are_left_out() {
    let text = "a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(test)]\nfn f() { if x { y; } }\nc";
    assert_eq!(without_tests(text).split_whitespace().collect::<String>(), "abc");
}

#[test]
fn the_core_keeps_away_from_the_edges() {
    let forbidden = ["std::fs", "println!", "tower_lsp", "ariadne", "rustyline", "\\x1b[", "std::process", "std::net"];
    let mut errors = Vec::new();
    for (path, text) in crates().iter().flat_map(|name| files(&sources(name))) {
        let shipped = without_tests(&text);
        errors.extend(forbidden.iter().filter(|word| shipped.contains(**word)).map(|word| format!("{path}: {word}")));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
