use std::sync::Arc;

use super::*;
use nnz_base::{arrays::Values, element::Element};
use nnz_encoding::named;
use nnz_storage::{Triplets, pack};

fn stored(name: &str, arguments: &[u64], shape: &[u64], coords: Vec<Vec<u64>>) -> Storage {
    let values = Values::F64((0..coords[0].len()).map(|at| at as f64 + 1.5).collect());
    let triplets = Triplets::new(shape.to_vec(), Element::F64, coords, values).unwrap();
    pack(&triplets, &Arc::new(named::lookup(name, arguments, Some(shape.len())).unwrap())).unwrap()
}

fn matrix(name: &str, arguments: &[u64]) -> Storage {
    stored(name, arguments, &[4, 4], vec![vec![0, 0, 2, 3], vec![0, 2, 1, 3]])
}

/// Whether every tag is closed in its turn, every attribute is quoted, and no text has a bare sign of XML.
fn is_well_formed(xml: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|end| start + end) else { return false };
        let (text, tag) = (&rest[..start], &rest[start + 1..end]);
        let bare =
            text.contains('>') || text.replace("&lt;", "").replace("&gt;", "").replace("&amp;", "").contains('&');
        if bare || tag.matches('"').count() % 2 != 0 {
            return false;
        }
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) if open.pop() != Some(name) => return false,
            (false, false) => open.push(name),
            _ => {}
        }
        rest = &rest[end + 1..];
    }
    open.is_empty() && rest.trim().is_empty()
}

#[test]
fn the_check_of_xml_finds_faults() {
    assert!(is_well_formed("<a><b c=\"1\"/>x &lt; y</a>"));
    for wrong in ["<a>", "<a><b></a></b>", "<a b=\"1></a>", "<a>&</a>", "<a>x > y</a>", "<a></a>x"] {
        assert!(!is_well_formed(wrong), "{wrong}");
    }
}

#[test]
fn every_format_is_drawn_small_and_well_formed() {
    for (name, arguments) in [
        ("CSR", &[][..]),
        ("CSC", &[]),
        ("COO", &[]),
        ("DCSR", &[]),
        ("BSR", &[2, 2]),
        ("ELL", &[]),
        ("DIA", &[]),
        ("dense", &[]),
    ] {
        for theme in [Theme::Any, Theme::Light, Theme::Dark] {
            let picture = svg(&matrix(name, arguments), theme).unwrap_or_default();
            assert!(picture.len() > 1000 && picture.len() < 50_000, "{name}: {} bytes", picture.len());
            assert!(is_well_formed(&picture), "{name}:\n{picture}");
            let height = picture.split("height=\"").nth(1).and_then(|text| text.split('"').next()).unwrap();
            assert!(picture.contains("width=\"320\"") && height.parse::<u32>().unwrap() <= 220, "{name}: {height}");
        }
    }
}

#[test]
fn a_tensor_of_three_dimensions_has_a_tree_and_its_arrays() {
    let tensor = stored("CSF", &[], &[2, 3, 4], vec![vec![0, 0, 1], vec![0, 0, 2], vec![1, 3, 0]]);
    let picture = svg(&tensor, Theme::Any).unwrap_or_default();
    let has = |text: &str| picture.contains(&format!(">{text}</text>"));
    assert!(["pos[0]", "crd[2]", "values", "1.5"].into_iter().all(has), "{picture}");
    assert!(is_well_formed(&picture));
}

#[test]
fn what_is_stored_is_filled() {
    let filled = |name, arguments: &[u64]| {
        let picture = svg(&matrix(name, arguments), Theme::Any).unwrap_or_default();
        picture.lines().filter(|line| line.starts_with("<rect") && !line.contains("fill=\"none\"")).count()
    };
    assert_eq!((filled("CSR", &[]), filled("BSR", &[2, 2]), filled("dense", &[])), (4, 16, 16));
}

#[test]
fn a_large_tensor_is_not_drawn() {
    let many = stored("COO", &[], &[100, 100], vec![(0..100).collect(), (0..100).collect()]);
    assert_eq!(svg(&many, Theme::Any), None);
}
