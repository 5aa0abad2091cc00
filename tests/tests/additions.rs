//! The two additions that CONTRIBUTING.md walks through fit the present sources, and the guide names every file of
//! theirs. `tests/additions/run.sh` makes them in a copy of the tree, and runs its tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use nnz_tests::kernels::missing;

/// Each addition with the head of its section in the guide.
const ADDITIONS: [(&str, &str); 2] =
    [("format", "## A new level format, file by file"), ("function", "## A new function, file by file")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn patch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("additions").join(format!("{name}.patch"))
}

/// The files that a patch changes or makes.
fn changed(patch: &str) -> BTreeSet<&str> {
    patch.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect()
}

/// The files that the first column of a section's table names.
fn named<'g>(guide: &'g str, head: &str) -> BTreeSet<&'g str> {
    let section = guide.split_once(&format!("\n{head}\n")).unwrap().1.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn the_guide_names_the_files_of_each_addition() {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    for (name, head) in ADDITIONS {
        let patch = fs::read_to_string(patch(name)).unwrap();
        assert_eq!(named(&guide, head), changed(&patch), "the table under `{head}`, and {name}.patch");
    }
}

#[test]
fn the_additions_fit_the_sources() {
    let mut git = Command::new("git");
    let apply = git.current_dir(root()).args(["apply", "--check"]).args(ADDITIONS.map(|(name, _)| patch(name)));
    let Some(output) = apply.output().ok().or_else(|| missing("git")) else { return };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\ncorrect the patches in tests/additions, and run run.sh there");
}
