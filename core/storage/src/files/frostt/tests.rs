use num_complex::Complex;

use super::super::{FileKind, Note, ReadOptions, read, unwatched};
use crate::{Triplets, files::FileError};
use nnz_base::{arrays::Values, element::Element};

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
fn what_other_formats_have_is_told() {
    check("% a comment\n1 1 2.5\n", 1, 1, "comments begin with `#`");
    check("// a comment\n1 1 2.5\n", 1, 1, "comments begin with `#`");
    check("1 1 2.5\n1 2 2.5 # x\n", 2, 9, "the line goes on after its entry: `#`");
    check("# elements are f128\n1 1 2.5\n", 1, 16, "the comment names the element type `f128`, which there is not");
    check(&format!("65 1\n{}\n", "1 ".repeat(65)), 1, 1, "the tensor has 65 dimensions; 64 are the most");
    check(
        "1 1 1e308\n1 1 1e308\n",
        2,
        1,
        "the sum of the entries at these coordinates, up to this one, does not fit `f64`",
    );
    assert_eq!(loaded("\u{feff}1 1 2.5\n").shape(), [1, 1]);
    let utf16 = read(FileKind::Frostt, b"\xff\xfe1\0 \0", &ReadOptions::default(), &unwatched).unwrap_err();
    assert_eq!(utf16.message, "the file is in UTF-16, not in UTF-8");
}

#[test]
fn sizes_on_request() {
    let shape = |shape: &[Option<u64>]| ReadOptions { shape: Some(shape.to_vec()), ..ReadOptions::default() };
    let text = "1 2 1.5\n";
    assert_eq!(parse(text, &shape(&[Some(7), None])).unwrap().shape(), [7, 2]);
    assert_eq!(parse("# none\n", &shape(&[Some(7), Some(3)])).unwrap().shape(), [7, 3]);
    let error = |text, wanted: &[Option<u64>]| parse(text, &shape(wanted)).unwrap_err().to_string();
    assert_eq!(error(text, &[Some(1), Some(1)]), "line 1, column 3: the column is `2`, outside the size 1x1");
    assert_eq!(error(text, &[Some(1)]), "line 1, column 1: the entries have 2 coordinates, but the tensor 1 dimension");
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
    check("2 1\n4 5\n1 6 1.5\n", 3, 3, "the column is `6`, outside the size 4x5");
}

/// The shape, the number of entries, and the message.
fn head_of(text: &str) -> (Vec<u64>, usize, Vec<Note>) {
    let read = read(FileKind::Frostt, text.as_bytes(), &ReadOptions::default(), &unwatched).unwrap();
    (read.triplets.shape().to_vec(), read.triplets.len(), read.notes)
}

#[test]
fn a_line_of_sizes_and_a_count_is_told_from_an_entry() {
    let said = |line: &str| vec![Note::SizesAndCount { line: line.to_string() }];
    assert_eq!(head_of("7 7 7 3\n1 1 1 1.5\n2 2 2 1\n7 1 3 2\n"), (vec![7, 7, 7], 3, said("7 7 7 3")));
    assert_eq!(head_of("5 2\n1 1.5\n3 2\n"), (vec![5], 2, said("5 2")));
    // An entry lies outside of what would be sizes, or more follow than the count.
    assert_eq!(head_of("7 7 7 2\n1 1 1 1.5\n8 2 2 1\n"), (vec![8, 7, 7], 3, vec![]));
    assert_eq!(head_of("7 7 1\n1 1 1\n2 2 1\n"), (vec![7, 7], 3, vec![]));
    // Perhaps a file that was cut off.
    let perhaps = |entries, follow| vec![Note::PerhapsSizes { line: format!("7 7 {entries}"), entries, follow }];
    assert_eq!(head_of("7 7 3\n1 1 1\n"), (vec![7, 7], 2, perhaps(3, 1)));
    assert_eq!(head_of("7 7 3\n"), (vec![7, 7], 1, perhaps(3, 0)));
    assert_eq!(head_of("7 7 0\n"), (vec![7, 7], 1, perhaps(0, 0)));
    assert_eq!(head_of("7 7 0.5\n1 1 1\n"), (vec![7, 7], 2, vec![]));
}

#[test]
fn the_head_of_an_empty_tensor_is_doubted_where_it_may_be_entries() {
    assert_eq!(head_of("2 0\n3 4\n"), (vec![3], 2, vec![Note::PerhapsEmpty { rows: 3, columns: 4 }]));
    assert_eq!(head_of("2 0\n3 4\n5 6\n").2, []);
    assert_eq!(head_of("2 0.0\n3 4\n").2, []);
    // Lines of different lengths are no entries.
    assert_eq!(head_of("3 0\n4 5 6\n"), (vec![4, 5, 6], 0, vec![]));
}

#[test]
fn an_order_stands_above_the_sizes() {
    assert_eq!(head_of("3\n7 8 9\n1 1 1 1.5\n2 2 2 1\n"), (vec![7, 8, 9], 2, vec![]));
    assert_eq!(head_of("2\n7 8\n"), (vec![7, 8], 0, vec![]));
    check("3\n7 8 9\n1 1 10 1.5\n", 3, 5, "coordinate 3 is `10`, outside the size 7x8x9");
    check("3\n7 8\n1 1 1.5\n", 1, 1, "the line holds no coordinates");
}

#[test]
fn an_end_that_is_missing_is_said() {
    assert_eq!(head_of("1 2 1.5\n2 1 0.25").2, [Note::NoLineEnd]);
}

#[test]
fn a_comment_says_what_the_values_are() {
    let complex = loaded("# extended FROSTT format\n# elements are complex<f32>\n2 1\n3 3\n1 2 0.5 -1\n");
    assert_eq!(complex.values(), &Values::C32(vec![Complex::new(0.5, -1.0)]));
    assert_eq!(loaded("# elements are i8\n1 2 7\n").values(), &Values::I8(vec![7]));
    for others in [
        "elements are heavy",
        "elements are 5",
        "nonzero elements are i8",
        "elements are i8 wide",
        "elements are quad4",
    ] {
        assert_eq!(loaded(&format!("# {others}\n1 2 7\n")).values(), &Values::F64(vec![7.0]), "{others}");
    }
    let asked = ReadOptions { element: Some(Element::F32), ..ReadOptions::default() };
    assert_eq!(parse("# elements are i8\n1 2 7\n", &asked).unwrap().element(), Element::F32);
}

#[test]
fn a_finite_number_does_not_become_an_infinity() {
    check("1 2 1e400\n", 1, 5, "`1e400` does not fit `f64`");
    check("1 2 -1.5D+999\n", 1, 5, "`-1.5D+999` does not fit `f64`");
    assert_eq!(loaded("1 2 -inf\n").values(), &Values::F64(vec![f64::NEG_INFINITY]));
    for (element, text) in
        [(Element::F32, "1e39"), (Element::F16, "65520"), (Element::BF16, "3.4e38"), (Element::C32, "1 1e39")]
    {
        let asked = ReadOptions { element: Some(element), ..ReadOptions::default() };
        let error = parse(&format!("1 2 {text}\n"), &asked).unwrap_err();
        assert!(error.message.contains(&format!("does not fit `{element}`")), "{}", error.message);
    }
}

#[test]
fn a_number_that_does_not_fit_is_helped_by_a_type_that_holds_it() {
    let help = |element, text: &str| {
        let asked = ReadOptions { element: Some(element), ..ReadOptions::default() };
        parse(text, &asked).unwrap_err().help.unwrap()
    };
    assert_eq!(help(Element::F32, "1 2 1e39\n"), "read the file with a wider element type");
    assert_eq!(help(Element::I8, "1 2 200\n"), "read the file with a wider element type");
    assert_eq!(help(Element::I64, "1 2 99999999999999999999\n"), "read the file with a floating-point element type");
    let [none, sum] =
        ["no element type holds it: correct the number", "repeated entries sum; no element type holds it"];
    assert!(help(Element::F64, "1 2 1e400\n").starts_with(none));
    assert!(help(Element::C64, "1 2 1 1e400\n").starts_with(none));
    assert!(help(Element::F64, "1 2 1.7e308\n1 2 1.7e308\n").starts_with(sum));
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
    check("1 2 3 1.5\n1 2 1.5\n", 2, 5, "a coordinate is missing: `1.5` stands in the place of coordinate 3");
    check("1 2 3 1.5\n1 2\n", 2, 4, "the line ends before its coordinate 3");
    check("1 2 3 1.5\n1 2 3 4 5\n", 2, 9, "the line goes on after its entry: `5`");
    check("1 2 0 1.5\n", 1, 5, "coordinate 3 is 0, which does not exist");
    check("5\n", 1, 1, "the line holds no coordinates");
    check("# nothing\n", 2, 1, "the file has no entries to tell its sizes by");
    check(
        "1 9223372036854775808 1\n",
        1,
        3,
        "the column is `9223372036854775808`, outside the size 9223372036854775807x9223372036854775807",
    );
}

#[test]
fn a_long_first_line_does_not_cost_its_length_for_every_line() {
    let long: String = (0..64).map(|_| "1 ").collect::<String>() + "1\n";
    check(&(long + &"1\n".repeat(100_000)), 2, 2, "the line ends before its coordinate 2");
    let longer = "1 ".repeat(1000) + "1\n";
    check(&longer, 1, 1, "the tensor has 1000 dimensions; 64 are the most");
}
