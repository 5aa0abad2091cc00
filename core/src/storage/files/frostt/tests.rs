use num_complex::Complex;

use super::super::{FileKind, ReadOptions, read, unwatched};
use crate::{
    arrays::Values,
    element::Element,
    storage::{Triplets, files::FileError},
};

fn parse(text: &str, options: &ReadOptions) -> Result<Triplets, FileError> {
    read(FileKind::Frostt, text.as_bytes(), options, &unwatched).map(|read| read.triplets)
}

fn loaded(text: &str) -> Triplets {
    parse(text, &ReadOptions::default()).unwrap()
}

#[track_caller]
fn check(text: &str, line: u64, column: u64, message: &str) {
    let error = parse(text, &ReadOptions::default()).unwrap_err();
    assert_eq!((error.line(), error.column(), error.message.as_str()), (Some(line), Some(column), message));
}

#[test]
fn sizes_are_the_largest_coordinates() {
    let tensor = loaded("# a comment\n1 2 3 1.5\n\n 4 1 1 -2\r\n");
    assert_eq!(tensor.shape(), [4, 2, 3]);
    assert_eq!(tensor.coords(), [[0, 3], [1, 0], [2, 0]]);
    assert_eq!(tensor.values(), &Values::F64(vec![1.5, -2.0]));
    assert_eq!(loaded("3 1\n2 5\n").shape(), [3]);
}

#[test]
fn sizes_on_request() {
    let shape = |shape: &[Option<u64>]| ReadOptions { shape: Some(shape.to_vec()), ..ReadOptions::default() };
    let text = "1 2 1.5\n";
    assert_eq!(parse(text, &shape(&[Some(7), None])).unwrap().shape(), [7, 2]);
    assert_eq!(parse("# none\n", &shape(&[Some(7), Some(3)])).unwrap().shape(), [7, 3]);
    let error = |text, wanted: &[Option<u64>]| parse(text, &shape(wanted)).unwrap_err().to_string();
    assert_eq!(error(text, &[Some(1), Some(1)]), "line 1, column 3: column `2` lies outside the size 1x1");
    assert_eq!(
        error(text, &[Some(1)]),
        "line 1, column 1: the entries have 2 coordinates, but 1 dimensions are wanted"
    );
}

#[test]
fn the_extended_form_says_its_sizes() {
    let tensor = loaded("# extended FROSTT format\n2 2\n4 5\n1 2 1.5\n3 4 2\n");
    assert_eq!((tensor.shape(), tensor.len()), (&[4, 5][..], 2));
    assert_eq!(loaded("3 1\n4 5 6\n1 2 3 1.5\n").shape(), [4, 5, 6]);
    assert_eq!(loaded("1 2\n9\n1 1.5\n3 2\n").shape(), [9]);
    assert_eq!(loaded("# extended FROSTT format\n2 0\n4 5\n").shape(), [4, 5]);
    // Lines of one length are entries.
    assert_eq!(loaded("2 4\n5 6\n1 7\n").shape(), [5]);
    check(
        "# extended FROSTT format\n2 2\n4\n1 2 1.5\n",
        3,
        1,
        "this line of an extended FROSTT file holds the sizes of as many dimensions as the rank",
    );
    check("# extended FROSTT format\nx\n", 2, 1, "this line of an extended FROSTT file holds rank entries");
    check("2 2\n4 5\n1 2 1.5\n", 4, 1, "the file's head promises 2 entries, but the file ends after 1");
    check("2 1\n4 5\n1 6 1.5\n", 3, 3, "column `6` lies outside the size 4x5");
}

#[test]
fn complex_values_on_request() {
    let options = ReadOptions { element: Some(Element::C64), ..ReadOptions::default() };
    let tensor = parse("2 1 1.5 -1\n", &options).unwrap();
    assert_eq!(tensor.shape(), [2, 1]);
    assert_eq!(tensor.values(), &Values::C64(vec![Complex::new(1.5, -1.0)]));
}

#[test]
fn entries_that_are_wrong() {
    check("1 2 3 1.5\n1 2 1.5\n", 2, 5, "`1.5` is not a coordinate 3");
    check("1 2 3 1.5\n1 2\n", 2, 4, "the line ends before its coordinate 3");
    check("1 2 3 1.5\n1 2 3 4 5\n", 2, 9, "the line goes on after its entry: `5`");
    check("1 2 0 1.5\n", 1, 5, "coordinate 3 0 does not exist");
    check("5\n", 1, 1, "the line holds no coordinates");
    check("# nothing\n", 2, 1, "the file has no entries to tell its shape by");
    check(
        "1 9223372036854775808 1\n",
        1,
        3,
        "column `9223372036854775808` lies outside the size 9223372036854775807x9223372036854775807",
    );
}

#[test]
fn a_long_first_line_does_not_cost_its_length_for_every_line() {
    let long: String = (0..64).map(|_| "1 ").collect::<String>() + "1\n";
    check(&(long + &"1\n".repeat(100_000)), 2, 2, "the line ends before its coordinate 2");
    let longer = "1 ".repeat(1000) + "1\n";
    check(&longer, 1, 1, "the line holds 1000 coordinates; 64 are the most");
}
