//! A module of the core uses only modules declared above it in `core/src/lib.rs`, and the core keeps
//! away from what belongs to the edges.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
};

fn core_source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src")
}

/// The modules of `lib.rs` in order.
fn layers(lib: &str) -> Vec<&str> {
    lib.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')).collect()
}

/// Every file below a path, with its text without comments.
fn files(path: &Path) -> Vec<(String, String)> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.flat_map(|entry| files(&entry)).collect();
    }
    let text = fs::read_to_string(path).map(|text| (path.display().to_string(), without_comments(&text)));
    text.into_iter().collect()
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn module_files(layer: &str) -> Vec<(String, String)> {
    let source = core_source();
    files(&source.join(layer)).into_iter().chain(files(&source.join(format!("{layer}.rs")))).collect()
}

/// The first path segments that follow each `crate::`, through nested braces.
fn used_modules(text: &str) -> Vec<String> {
    text.split("crate::").skip(1).flat_map(heads).collect()
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
    let lib = fs::read_to_string(core_source().join("lib.rs")).unwrap();
    let layers = layers(&lib);
    assert!(layers.len() > 8, "lib.rs was not understood: {layers:?}");
    let mut errors = Vec::new();
    for (depth, layer) in layers.iter().enumerate() {
        let below = &layers[depth + 1..];
        for (path, text) in module_files(layer) {
            let wrong = used_modules(&text).into_iter().filter(|used| below.contains(&used.as_str()));
            errors.extend(wrong.map(|used| format!("{path}: `{layer}` uses `{used}`, which lies below it")));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn nested_use_groups_are_understood() {
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
    for (path, text) in files(&core_source()) {
        let shipped = without_tests(&text);
        errors.extend(forbidden.iter().filter(|word| shipped.contains(**word)).map(|word| format!("{path}: {word}")));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
