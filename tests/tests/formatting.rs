//! Formatting: pairs of texts in `suite/formatting`, and what holds for every text of the suite: only blanks and line breaks change,
//! a second time changes nothing, and the check finds the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use nnz_core::{
    diagnostic::Edit,
    ide::formatting::{Formatted, Part, Style},
    ids::FileId,
    languages::{Answers, Known, LANGUAGES},
    source::Source,
};
use nnz_tests::parallel;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn checked(name: &str, text: &str) -> Arc<dyn Answers> {
    LANGUAGES.of_path(name).unwrap().check_alone(&Source::new(FileId(0), name, text))
}

fn format(name: &str, text: &str, part: &Part) -> Formatted {
    checked(name, text).formatting(Style::default(), part, &|| false)
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_string();
    assert!(edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{edits:?}");
    edits.iter().rev().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
    text
}

fn formatted(name: &str, text: &str) -> String {
    applied(text, &format(name, text, &Part::Whole).edits)
}

/// What formatting may not change.
fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\n' | '\r')).collect()
}

fn found(name: &str, text: &str) -> Vec<String> {
    let found = checked(name, text).diagnostics(&mut Known::default(), &|| false);
    found.iter().map(|told| format!("{:?} {}", told.code, without_blanks(&told.message))).collect()
}

/// The check of a text says the same of another.
fn same_is_found(name: &str, text: &str, now: &str) {
    let (before, behind) = (found(name, text), found(name, now));
    let other = before.iter().zip(&behind).find(|(one, other)| one != other);
    assert!(other.is_none() && before.len() == behind.len(), "{name}: {other:?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts below a folder, with their paths.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.to_str().unwrap().to_string();
        if entry.is_dir() {
            found.extend(texts(&entry));
        } else if LANGUAGES.of_path(&name).is_some() {
            found.extend(fs::read_to_string(&entry).map(|text| (name, text)));
        }
    }
    found.sort();
    found
}

fn all_texts() -> Vec<(String, String)> {
    let folders = ["examples", "tests/suite", "tests/programs"];
    folders.iter().flat_map(|folder| texts(&root().join(folder))).collect()
}

#[test]
fn texts_become_what_stands_beside_them() {
    let pairs = texts(&root().join("tests/suite/formatting"));
    let before: Vec<_> = pairs.iter().filter(|(name, _)| !name.contains(".after.")).collect();
    assert!(before.len() >= 8, "{}", before.len());
    for (name, text) in before {
        let (stem, ending) = name.rsplit_once('.').unwrap();
        let (after, now) = (format!("{stem}.after.{ending}"), formatted(name, text));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&after, &now).unwrap();
        }
        assert_eq!(fs::read_to_string(&after).unwrap_or_default(), now, "{name}");
    }
}

#[test]
fn only_blanks_change_and_the_check_finds_the_same() {
    parallel::each(all_texts(), |(name, text)| {
        let now = formatted(&name, &text);
        assert_eq!(without_blanks(&now), without_blanks(&text), "{name}");
        assert_eq!(formatted(&name, &now), now, "{name}: a second time");
        same_is_found(&name, &text, &now);
    });
}

#[test]
fn examples_are_formatted() {
    for (name, text) in texts(&root().join("examples")) {
        let now = formatted(&name, &text);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&name, &now).unwrap();
            continue;
        }
        assert_eq!(now, text, "`nnz fmt` formats {name}");
    }
}

/// More blanks where there are some.
fn with_other_blanks(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut other = String::new();
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default();
        let quoted = code.contains('"');
        for (at, c) in line.char_indices() {
            other.push(c);
            let inside = line.len() - line.trim_start().len()..code.len();
            if c == ' ' && inside.contains(&at) && !quoted && rng.random_bool(0.3) {
                other.push_str(&" ".repeat(rng.random_range(1..4)));
            }
        }
    }
    other
}

#[test]
fn other_blanks_become_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let texts = all_texts().into_iter().filter(|(name, text)| format(name, text, &Part::Whole).left.is_empty());
    let notation: Vec<_> = texts.filter(|(name, _)| name.ends_with(".nnz")).collect();
    assert!(notation.len() > 20);
    for (name, text) in notation {
        let other = with_other_blanks(&text, &mut rng);
        assert_eq!(formatted(&name, &other), formatted(&name, &text), "{name}");
    }
}

#[test]
fn a_part_is_formatted_without_harm() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (name, text) in all_texts() {
        let checked = checked(&name, &text);
        let ends: Vec<usize> = text.match_indices(['\n', '}']).map(|(at, _)| at + 1).collect();
        let Some(&at) = ends.get(rng.random_range(0..ends.len().max(1))) else { continue };
        for part in [Part::Typed(at), Part::Range(at.saturating_sub(30)..at)] {
            let edits = checked.formatting(Style::default(), &part, &|| false).edits;
            let now = applied(&text, &edits);
            assert_eq!(without_blanks(&now), without_blanks(&text), "{name} {part:?}");
            if now != text {
                same_is_found(&name, &text, &now);
            }
            let typed = matches!(part, Part::Typed(_));
            let moved = |edit: &&Edit| typed && (edit.span.start as usize) < at && at < edit.span.end as usize;
            assert_eq!(edits.iter().find(moved), None, "{name} {part:?}");
        }
    }
}

#[test]
fn line_ends_stay_and_tabs_are_heeded() {
    let text = "A : CSR = [\n[1,2],\n[3,4]\n]\ny(i)=A(i,j)*x(j)\n  schedule unroll(i,2),\nunroll(j,2)\n";
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        let now = formatted("a.nnz", &text);
        let wanted =
            "A : CSR = [\n  [1, 2],\n  [3, 4]\n]\ny(i) = A(i, j) * x(j)\n  schedule unroll(i, 2),\n    unroll(j, 2)\n";
        assert_eq!(now, wanted.replace('\n', end));
    }
    let tabs = checked("a.nnz", text).formatting(Style { step: 4, tabs: true }, &Part::Whole, &|| false);
    let wanted =
        "A : CSR = [\n\t[1, 2],\n\t[3, 4]\n]\ny(i) = A(i, j) * x(j)\n\tschedule unroll(i, 2),\n\t\tunroll(j, 2)\n";
    assert_eq!(applied(text, &tabs.edits), wanted);
    let mixed = "// a\r\nx=1\r\n\r\n\r\n\r\ny=2  ";
    assert_eq!(formatted("a.nnz", mixed), "// a\r\nx = 1\r\n\r\ny = 2\r\n");
    assert_eq!(formatted("a.nnz", "\u{feff}\n x=1"), "\u{feff}x = 1\n");
    assert_eq!(formatted("a.nnz", " \n\n"), "");
}

#[test]
fn what_is_broken_stays_as_it_is() {
    let text = "x=1\ny(i) =  A(i,j) * )\nz=2\n";
    let Formatted { edits, left } = format("a.nnz", text, &Part::Whole);
    assert_eq!(applied(text, &edits), "x = 1\ny(i) =  A(i,j) * )\nz = 2\n");
    assert_eq!(left.iter().map(|left| &text[left.span.range()]).collect::<Vec<_>>(), ["y(i) =  A(i,j) * )"]);
    let text = "#A=#sparse_tensor.encoding<{map=(i,j->(i:dense)}>\n#B=#sparse_tensor.encoding<{map=(i)->(i:dense)}>\n";
    let Formatted { edits, left } = format("a.mlir", text, &Part::Whole);
    let wanted = text.replace(
        "#B=#sparse_tensor.encoding<{map=(i)->(i:dense)}>",
        "#B = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>",
    );
    assert_eq!((applied(text, &edits), left.len()), (wanted, 1));
}

#[test]
fn edits_are_small() {
    let text = "x = 1\ny =  2\nz = 3\n";
    let edits = format("a.nnz", text, &Part::Whole).edits;
    let edits: Vec<_> = edits.iter().map(|edit| (edit.span.range(), edit.replacement.as_str())).collect();
    assert_eq!(edits, [(10..11, "")]);
}

/// A text with a character more, less or another one.
fn mutated(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = rng.random_range(0..characters.len());
    match rng.random_range(0..3) {
        0 => drop(characters.remove(at)),
        1 => characters
            .insert(at, ['(', ']', '}', ',', '-', '\n', ' ', '/', '<', ';', ':', '='][rng.random_range(0..12)]),
        _ => characters.swap(at, rng.random_range(0..text.chars().count())),
    }
    characters.into_iter().collect()
}

#[test]
fn texts_with_slips_are_formatted_without_harm() {
    parallel::each(all_texts(), |(name, text)| {
        // A new text beside them changes no draw.
        let mut rng = ChaCha8Rng::seed_from_u64(text.bytes().map(u64::from).sum());
        for lines in text.lines().collect::<Vec<_>>().chunks(12) {
            let text = mutated(&(lines.join("\n") + "\n"), &mut rng);
            let now = formatted(&name, &text);
            assert_eq!(without_blanks(&now), without_blanks(&text), "{name}\n{text}");
            assert_eq!(formatted(&name, &now), now, "{name}: a second time\n{text}");
            if now != text {
                same_is_found(&name, &text, &now);
            }
        }
    });
}

#[test]
fn long_texts_take_their_length() {
    let encoding = |inside: &str| format!("#c=#sparse_tensor.encoding<{{map=(i)->(i:dense){inside}}}>\n");
    let line = "y(i)=A(i,j)*x(j) // c\nB:CSR=[[1,2],\n[3,4]]\n".to_string() + &encoding("");
    takes_its_length("a.nnz", &|copies| line.repeat(copies));
    takes_its_length("a.nnz", &|copies| "x=1;".repeat(4 * copies));
    takes_its_length("a.nnz", &|copies| encoding(&(",\n".to_string() + &"// c\n".repeat(4 * copies))));
    takes_its_length("a.mlir", &|copies| format!("#t={{{}a=1}}", "b=[{// c\nc=1}],".repeat(copies)));
}

/// Neither deep nesting nor a long line moves all other lines far to the right.
#[test]
fn long_lines_and_nesting_do_not_blow_a_text_up() {
    let many = 2000;
    let nested = format!("#t={{{}a=1{}}}\n", "b={\n".repeat(many), "}".repeat(many));
    let below = format!("x=[{}\n{}]\n", "1,".repeat(many), "1,\n".repeat(many));
    let within = format!("x=sparse<[[{}0]],[\n{}1]>\n", "1,".repeat(many), "1,\n".repeat(many));
    let comments = format!("x=[{}1] // a\n{}", "1,".repeat(many), "y=1 // b\n".repeat(many));
    let wide = format!("x=[[{}],\n{}[1]]\n", "1".repeat(many), "[1],\n".repeat(many));
    for (name, text) in [("a.mlir", nested), ("a.nnz", below), ("a.nnz", within), ("a.nnz", comments), ("a.nnz", wide)]
    {
        let now = formatted(name, &text);
        assert!(now.len() < 8 * text.len(), "{} bytes become {}", text.len(), now.len());
        assert_eq!(formatted(name, &now), now);
    }
}

/// The work for a text of eight times the length is not 64 times as much.
fn takes_its_length(name: &str, text: &dyn Fn(usize) -> String) {
    let least = |copies: usize| {
        let checked = checked(name, &text(copies));
        let time = |_| {
            let start = std::time::Instant::now();
            assert!(!checked.formatting(Style::default(), &Part::Whole, &|| false).edits.is_empty());
            start.elapsed()
        };
        (0..3).map(time).min().unwrap()
    };
    // Other work on the machine may fall on one of the two.
    let measured = [(); 3].map(|()| (least(500), least(4000)));
    let is_fine = measured.iter().any(|(short, long)| *long < *short * 40);
    assert!(is_fine, "for a text, and one of eight times the length: {measured:?}");
}

#[test]
fn formatting_that_nobody_waits_for_stops() {
    let text = "a=1\n".repeat(2_000);
    let checked = checked("a.nnz", &text);
    let asked = std::cell::Cell::new(0);
    let cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() > 4
    };
    assert!(checked.formatting(Style::default(), &Part::Whole, &cancelled).edits.is_empty());
    assert_eq!(asked.get(), 5);
    assert_eq!(checked.formatting(Style::default(), &Part::Whole, &|| false).edits.len(), 4_000);
}
