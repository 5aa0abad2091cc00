use super::*;
use nnz_plan::iterate::{AccessText, LoopId};

fn edge(from: usize, to: usize, reason: &str) -> EdgeText {
    EdgeText { from: LoopId::new(from), to: LoopId::new(to), reason: reason.to_string() }
}

fn looped(name: &str, role: Role) -> LoopText {
    LoopText { name: name.to_string(), over: format!("all of {name}"), role, parallel: role == Role::Result }
}

fn graph() -> GraphText {
    GraphText {
        term: "sum(j, A(i, j) < x(j))".to_string(),
        loops: vec![looped("i", Role::Result), looped("j", Role::Reduction), looped("k", Role::Result)],
        edges: vec![edge(0, 1, "A stores level 1 below level 0"), edge(0, 2, "B & C")],
        accesses: vec![AccessText { access: "x(j)".to_string(), how: AccessKind::Scattered }],
        notes: vec!["a \"note\"\u{1b}".to_string()],
    }
}

#[test]
fn loops_edges_and_accesses_are_drawn() {
    let picture = svg(&[graph()]);
    let count = |part: &str| picture.matches(part).count();
    assert_eq!((count("class=\"result\""), count("class=\"reduction\""), count("class=\"costly\"")), (2, 1, 1));
    // One arrow between neighbours, one past a loop; `j` and `k` are only nested.
    assert_eq!((count("class=\"arrow\""), count("class=\"nesting\"")), (2, 1));
    assert!(picture.contains("A(i, j) &lt; x(j)") && picture.contains("i before k: B &amp; C"), "{picture}");
    assert!(picture.contains("a &quot;note&quot;<"), "{picture}");
}

#[test]
fn every_tag_is_closed() {
    let picture = svg(&[graph(), graph()]);
    for tag in ["svg", "style", "defs", "marker", "text"] {
        let opened = picture.matches(&format!("<{tag} ")).count() + picture.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, picture.matches(&format!("</{tag}>")).count(), "{tag}");
        assert!(opened > 0, "{tag}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
}

#[test]
fn a_picture_of_nothing_is_one() {
    assert!(svg(&[]).starts_with("<svg "));
}
