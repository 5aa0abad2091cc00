use super::super::{FileKind, Note, ReadOptions, read, unwatched};
use crate::files::FileError;
use nnz_base::{arrays::Values, element::Element};

fn parse(text: &str, options: &ReadOptions) -> Result<super::Read, FileError> {
    read(FileKind::Dlmc, text.as_bytes(), options, &unwatched)
}

#[track_caller]
fn check(text: &str, line: u64, column: u64, message: &str) {
    let error = parse(text, &ReadOptions::default()).unwrap_err();
    assert_eq!((error.line(), error.column(), error.message.as_str()), (Some(line), Some(column), message));
}

#[test]
fn rows_are_compressed_and_values_are_one() {
    let tensor = parse("3, 4, 3\n0 2 2 3\n1 3 0\n", &ReadOptions::default()).unwrap().triplets;
    assert_eq!(tensor.shape(), [3, 4]);
    assert_eq!(tensor.coords(), [[0, 0, 2], [1, 3, 0]]);
    assert_eq!(tensor.values(), &Values::F64(vec![1.0; 3]));
    let options = ReadOptions { element: Some(Element::F32), ..ReadOptions::default() };
    assert_eq!(parse("1, 1, 1\n0 1\n0\n", &options).unwrap().triplets.values(), &Values::F32(vec![1.0]));
    assert_eq!(parse("0, 5, 0\n0\n\n", &options).unwrap().triplets.shape(), [0, 5]);
}

#[test]
fn files_that_are_wrong() {
    check("", 1, 1, "the file ends before a number of rows");
    check("3, x, 3\n", 1, 4, "`x,` is not a number of columns");
    check("1, 4, 2\n1 2\n0 1\n", 2, 1, "the first row offset 1 is larger than 0");
    check("2, 4, 2\n0 2 1\n0 1\n", 2, 5, "the row offset 1 is smaller than 2 before it");
    check("2, 4, 2\n0 3 2\n0 1\n", 2, 3, "the row offset 3 is larger than 2");
    check("2, 4, 2\n0 1 1\n0 1\n", 2, 5, "the last row offset is 1, but the first line promises 2 entries");
    check("1, 4, 2\n0 2\n0 4\n", 3, 3, "column 4 lies outside the 4 columns, which count from 0");
    check("1, 4, 2\n0 2\n0\n", 4, 1, "the file ends before a column");
    check("1, 4, 2\n0 2\n0 1 2\n", 3, 5, "the file goes on after its last column: `2`");
    check("1, 4, 2.5\n0 2\n0 1\n", 1, 7, "`2.5` is not a number of entries");
    check(
        "1, 4, 9000000000000000\n0 2\n",
        1,
        23,
        "the first line promises 9000000000000000 entries, more than the file can hold",
    );
    check("4,, 5, 6\n", 1, 2, "`,,` is not a number of columns");
    check("4, 5,\n6\n", 1, 5, "`,` is not a number of entries");
    check(", 4, 5, 6\n", 1, 1, "`,` is not a number of rows");
    check("1, 4, 2\n0 2,\n0 1\n", 2, 4, "`,` is not a column");
    check("1, 4, 2\n0,2\n0,,1\n", 3, 2, "`,,1` is not a column");
    check("1, 4, 2\n0,2\n0,1,\n", 3, 4, "the file goes on after its last column: `,`");
    check("9000000000000000, 4, 2\n0 2 2\n\n0 1\n\n0\n", 4, 1, "the row offset 0 is smaller than 2 before it");
}

#[test]
fn offsets_that_are_too_few_or_too_many_are_counted() {
    check("3, 3, 3\n0 2 3\n0 1 2\n", 2, 6, "the second line holds 3 row offsets, and 3 rows need 4");
    check("3, 9, 3\n0 2 3\n3 1 2\n", 2, 6, "the second line holds 3 row offsets, and 3 rows need 4");
    check("2, 4, 2\n0 1 2 2\n0 1\n", 2, 8, "the second line holds 4 row offsets, and 2 rows need 3");
    check("1, 4, 2\n0\n0 1\n", 2, 2, "the second line holds 1 row offset, and 1 row needs 2");
}

#[test]
fn a_sum_of_ones_that_the_element_type_cannot_hold() {
    let options = ReadOptions { element: Some(Element::I1), ..ReadOptions::default() };
    let error = parse("2, 3, 4\n0 2 4\n0 1 2 2\n", &options).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(3), Some(7)));
    assert_eq!(error.message, "the sum of the entries at these coordinates, up to this one, does not fit `i1`");
    assert!(parse("2, 3, 3\n0 1 3\n2 1 2\n", &options).is_ok());
}

#[test]
fn a_last_number_that_may_be_cut_off_is_doubted() {
    let notes = |text| parse(text, &ReadOptions::default()).unwrap().notes;
    let text = "3, 40, 4\n0 1 3 4\n0 1 3 25\n";
    assert_eq!(notes(text), [Note::PatternAsOnes]);
    assert_eq!(notes(text.trim_end()), [Note::PatternAsOnes, Note::NoLineEnd]);
    assert_eq!(notes(text.strip_suffix("5\n").unwrap()), [Note::PatternAsOnes, Note::NoLineEnd]);
    assert_eq!(notes("1, 4, 1\n0 1\n3 "), [Note::PatternAsOnes]);
}

#[test]
fn several_wrong_columns_are_told_at_once() {
    let error = parse("2, 3, 5\n0 2 5\n0 7 x 3 1\n", &ReadOptions::default()).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(3), Some(3)));
    let notes = [
        "line 3, column 5: `x` is not a column",
        "line 3, column 7: column 3 lies outside the 3 columns, which count from 0",
    ];
    assert_eq!(error.notes(), notes);
}
