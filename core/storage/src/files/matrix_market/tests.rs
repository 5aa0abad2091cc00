use num_complex::Complex;

use super::super::{Cause, FileKind, Note, Progress, ReadOptions, Triangles, read, read_from, unwatched};
use super::{FileError, Read, Symmetry};
use nnz_base::{arrays::Values, element::Element, host::ByteSource};

fn parse(text: &str, options: &ReadOptions) -> Result<Read, FileError> {
    parse_bytes(text.as_bytes(), options)
}

/// What one thread reads, which is what many do.
fn parse_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Read, FileError> {
    let read = || read(FileKind::MatrixMarket, bytes, options, &unwatched);
    let alone = one_thread().install(read);
    assert_eq!(alone, read());
    alone
}

fn one_thread() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap()
}

/// Coordinates and values of a file that is right.
fn loaded(text: &str) -> (Vec<u64>, Vec<Vec<u64>>, Values) {
    let (shape, _, coords, values) = parse(text, &ReadOptions::default()).unwrap().triplets.into_parts();
    (shape, coords, values)
}

/// Line, column, message and help of a file that is wrong.
fn refused(text: &str) -> (u64, u64, String, String) {
    refused_bytes(text.as_bytes(), &ReadOptions::default())
}

fn refused_bytes(bytes: &[u8], options: &ReadOptions) -> (u64, u64, String, String) {
    let error = parse_bytes(bytes, options).unwrap_err();
    (error.line().unwrap(), error.column().unwrap(), error.message, error.help.unwrap_or_default())
}

#[track_caller]
fn check(text: &str, line: u64, column: u64, message: &str) {
    let got = refused(text);
    assert_eq!((got.0, got.1, got.2.as_str()), (line, column, message));
}

fn general(body: &str) -> String {
    format!("%%MatrixMarket matrix coordinate real general\n{body}")
}

#[test]
fn blanks_comments_and_line_ends_of_every_kind() {
    let text = "\u{feff}%%matrixmarket  MATRIX coordinate\tReal General \r\n% naïve\r\n\r\n  3 4  3 \r\n\
                1 1 1e5\r\n\r\n  % within\n\t3 4\t-2.5D-1 \r\n2 2 inf";
    assert_eq!(
        loaded(text),
        (vec![3, 4], vec![vec![0, 2, 1], vec![0, 3, 1]], Values::F64(vec![1e5, -0.25, f64::INFINITY]))
    );
}

#[test]
fn repeats_and_explicit_zeros_are_kept() {
    let (_, coords, values) = loaded(&general("2 2 3\n1 1 1\n1 1 2\n2 1 0\n"));
    assert_eq!((coords, values), (vec![vec![0, 0, 1], vec![0, 0, 0]], Values::F64(vec![1.0, 2.0, 0.0])));
}

/// A sum that its type cannot hold is reported where it overflows, whatever the symmetry.
#[test]
fn sums_of_repeats_that_do_not_fit_are_refused() {
    let at = |line, element: &str, text: &str| {
        check(
            text,
            line,
            1,
            &format!("the sum of the entries at these coordinates, up to this one, does not fit `{element}`"),
        );
    };
    let head = "%%MatrixMarket matrix coordinate";
    at(4, "i64", &format!("{head} integer general\n2 2 2\n1 1 9223372036854775807\n1 1 1\n"));
    at(5, "i64", &format!("{head} integer symmetric\n2 2 3\n2 1 -9223372036854775807\n1 1 5\n2 1 -2\n"));
    at(4, "f64", &format!("{head} real general\n2 2 2\n1 1 1e308\n1 1 1e308\n"));
    at(4, "complex<f64>", &format!("{head} complex general\n2 2 2\n1 1 1e308 0\n1 1 1e308 0\n"));
    for fine in ["1 1 9223372036854775807\n1 1 -1\n", "1 1 9223372036854775807\n1 2 1\n"] {
        assert_eq!(loaded(&format!("{head} integer general\n2 2 2\n{fine}")).2.len(), 2);
    }
    // Infinities that are written are what was meant.
    assert_eq!(loaded(&format!("{head} real general\n2 2 2\n1 1 inf\n1 1 1e308\n")).2.len(), 2);
}

#[test]
fn what_follows_the_entries_is_told() {
    let text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n\0\0";
    check(text, 4, 1, "byte 0x00 is no text");
}

#[test]
fn an_unknown_element_in_a_comment_is_refused() {
    let text = "%%MatrixMarket matrix coordinate real general\n% elements are f128\n2 2 1\n1 1 1\n";
    check(text, 2, 16, "the comment names the element type `f128`, which there is not");
}

#[test]
fn every_field_has_its_element() {
    let body =
        |field: &str, entry: &str| format!("%%MatrixMarket matrix coordinate {field} general\n1 1 1\n1 1 {entry}");
    let values = |field, entry| loaded(&body(field, entry)).2;
    assert_eq!(values("double", "0.1"), Values::F64(vec![0.1]));
    assert_eq!(values("integer", "-7"), Values::I64(vec![-7]));
    assert_eq!(values("unsigned-integer", "18446744073709551615"), Values::U64(vec![u64::MAX]));
    assert_eq!(values("complex", "1 -2"), Values::C64(vec![Complex::new(1.0, -2.0)]));
    assert_eq!(values("pattern", ""), Values::F64(vec![1.0]));
}

#[test]
fn symmetric_files_load_in_full() {
    let body = |banner: &str, entries: &str| format!("%%MatrixMarket matrix coordinate {banner}\n{entries}");
    let values = |banner, entries| loaded(&body(banner, entries)).2;
    let coords = |banner, entries| loaded(&body(banner, entries)).1;
    let three = "3 3 3\n1 1 5\n3 1 6\n3 2 7\n";
    assert_eq!(coords("real symmetric", three), vec![vec![0, 2, 2, 0, 1], vec![0, 0, 1, 2, 2]]);
    assert_eq!(values("real symmetric", three), Values::F64(vec![5.0, 6.0, 7.0, 6.0, 7.0]));
    assert_eq!(values("integer skew-symmetric", "2 2 2\n1 1 0\n2 1 3\n"), Values::I64(vec![0, 3, -3]));
    let (a, b) = (Complex::new(2.0, 0.0), Complex::new(1.0, 5.0));
    assert_eq!(values("complex hermitian", "2 2 2\n1 1 2 0\n2 1 1 5\n"), Values::C64(vec![a, b, b.conj()]));
    assert_eq!(values("complex symmetric", "2 2 2\n1 1 2 0\n2 1 1 5\n"), Values::C64(vec![a, b, b]));
    assert_eq!(values("pattern symmetric", "2 2 1\n2 1\n"), Values::F64(vec![1.0, 1.0]));
    // As SciPy writes and reads them.
    assert_eq!(values("real hermitian", three), Values::F64(vec![5.0, 6.0, 7.0, 6.0, 7.0]));
    assert_eq!(values("integer hermitian", "2 2 1\n2 1 3\n"), Values::I64(vec![3, 3]));
    assert_eq!(values("pattern hermitian", "2 2 2\n1 1\n2 1\n"), Values::F64(vec![1.0, 1.0, 1.0]));
    assert_eq!(values("pattern skew-symmetric", "2 2 1\n2 1\n"), Values::F64(vec![1.0, -1.0]));
}

#[test]
fn the_stored_triangle_alone_on_request() {
    let options = ReadOptions { triangles: Triangles::Stored, ..ReadOptions::default() };
    let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 6\n";
    let got = parse(text, &options).unwrap();
    assert_eq!(got.triplets.len(), 2);
    assert_eq!(got.notes, [Note::TriangleOnly { symmetry: Symmetry::Symmetric }]);
    let both = parse(text, &ReadOptions::default()).unwrap();
    assert_eq!(both.notes[0].to_string(), "the file is symmetric: 3 entries loaded from 2 stored");
}

#[test]
fn arrays_stand_by_column() {
    let array = |banner: &str, body: &str| loaded(&format!("%%MatrixMarket matrix array {banner}\n{body}"));
    let (_, coords, values) = array("real general", "2 3\n1\n0\n0\n4\n5\n-0\n");
    assert_eq!((coords, values), (vec![vec![0, 1, 0], vec![0, 1, 2]], Values::F64(vec![1.0, 4.0, 5.0])));
    let (_, coords, values) = array("integer symmetric", "3 3\n1\n2\n0\n4\n5\n6\n");
    assert_eq!(coords, vec![vec![0, 1, 1, 2, 2, 0, 1], vec![0, 0, 1, 1, 2, 1, 2]]);
    assert_eq!(values, Values::I64(vec![1, 2, 4, 5, 6, 2, 5]));
    let (_, coords, values) = array("real skew-symmetric", "3 3\n1\n2\n3\n");
    assert_eq!(coords, vec![vec![1, 2, 2, 0, 0, 1], vec![0, 0, 1, 1, 2, 2]]);
    assert_eq!(values, Values::F64(vec![1.0, 2.0, 3.0, -1.0, -2.0, -3.0]));
    let (_, _, values) = array("real hermitian", "2 2\n1\n2\n3\n");
    assert_eq!(values, Values::F64(vec![1.0, 2.0, 3.0, 2.0]));
    assert_eq!(array("real general", "0 5\n").1, vec![Vec::<u64>::new(), Vec::new()]);
}

#[test]
fn banners_that_are_wrong() {
    check("", 1, 1, "the file is empty");
    check("1 1 1\n", 1, 1, "a Matrix Market file starts with `%%MatrixMarket`, not with `1`");
    check("%%MatrixMarket\n", 1, 15, "the banner ends before its object");
    check("%%MatrixMarket vector coordinate real general\n", 1, 16, "unknown object `vector`");
    check("%%MatrixMarket matrix coordinat real general\n", 1, 23, "unknown format `coordinat`");
    check("%%MatrixMarket matrix array reel general\n", 1, 29, "unknown field `reel`");
    check("%%MatrixMarket matrix array real\n", 1, 33, "the banner ends before its symmetry");
    check("%%MatrixMarket matrix array real symetric\n", 1, 34, "unknown symmetry `symetric`");
    check("%%MatrixMarket matrix array real general x\n", 1, 42, "the banner goes on after its symmetry: `x`");
    check("%%MatrixMarket matrix array pattern general\n", 1, 37, "an array has values, so its field is not `pattern`");
    check(
        "%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric\n",
        1,
        51,
        "a `skew-symmetric` matrix has values of both signs, which this field does not",
    );
    assert_eq!(refused("%%MatrixMarket matrix array real symetric\n").3, "did you mean `symmetric`?");
    assert_eq!(
        refused("%%MatrixMarket matrix array banana general\n").3,
        "the field is one of: real, double, integer, unsigned-integer, complex, pattern"
    );
}

#[test]
fn sizes_that_are_wrong() {
    check(&general(""), 2, 1, "the file ends before its size line");
    check(&general("% only this"), 2, 12, "the file ends before its size line");
    check(&general("3 3\n"), 2, 4, "the size line ends before the number of entries");
    check(&general("3 3 1 1\n"), 2, 7, "the size line goes on after 3 numbers: `1`");
    check(&general("3 -3 1\n"), 2, 3, "`-3` is not a number of columns");
    check(&general("3 3 1.5\n"), 2, 5, "`1.5` is not a number of entries");
    check(&general("99999999999999999999 3 1\n"), 2, 1, "`99999999999999999999` rows do not fit 63 bits");
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n";
    check(symmetric, 2, 1, "a symmetric matrix is square, but the size line says 3x4");
    let array = "%%MatrixMarket matrix array real general\n9223372036854775807 3\n";
    check(array, 2, 1, "an array of this size does not fit any file");
}

#[test]
fn counts_that_are_wrong() {
    check(&general("3 3 2\n1 1 1\n# comment\n2 2 2\n"), 4, 1, "a comment begins with `%`");
    check(&general("3 3 3\n1 1 1\n2 2 2\n"), 5, 1, "the size line promises 3 entries, but the file ends after 2");
    check(&general("3 3 2\n1 1 1\n\n"), 5, 1, "the size line promises 2 entries, but the file ends after 1");
    check(&general("3 3 1\n1 1 1\n%\n 2 2 2\n"), 5, 2, "the size line promises 1 entry, but the file has 2");
    check(
        &general("3 3 9000000000000000000\n1 1 1\n"),
        4,
        1,
        "the size line promises 9000000000000000000 entries, but the file ends after 1",
    );
    let array = "%%MatrixMarket matrix array real general\n3000000000 3000000000\n1\n";
    check(array, 4, 1, "the sizes promise 9000000000000000000 values, but the file ends after 1");
    let more = "%%MatrixMarket matrix array real general\n1 2\n1\n2\n3\n";
    check(more, 5, 1, "the sizes promise 2 values, but the file has 3");
}

#[test]
fn a_wrong_count_hides_no_other_fault() {
    let notes = |body: &str| parse(&general(body), &ReadOptions::default()).unwrap_err().notes();
    let few = notes("3 3 9\n1 1 1\n2 2 abc\n9 1 2\n");
    let [value, row] =
        ["line 4, column 5: `abc` is not a number", "line 5, column 1: the row is `9`, outside the size 3x3"];
    assert_eq!(few, [value, row]);
    assert_eq!(notes("3 3 1\n1 1 1\n2 2 abc\n9 1 2\n"), [value, row]);
    assert_eq!(notes("3 3 9\n1 1 1\n2 2 2\n"), [""; 0]);
}

#[test]
fn entries_that_are_wrong() {
    let one = |entry: &str, column, message: &str| check(&general(&format!("3 3 1\n{entry}\n")), 3, column, message);
    one("9 9 1", 1, "the row is `9`, outside the size 3x3");
    one("1 9 1", 3, "the column is `9`, outside the size 3x3");
    one("0 1 1", 1, "the row is 0, which does not exist");
    one("1 -1 1", 3, "the column is `-1`, which is negative");
    one("1 x 1", 3, "`x` is not a column");
    one("1.5 1 1", 1, "`1.5` is not a row");
    one("1", 2, "the line ends before its column");
    one("1 1", 4, "the line ends before its value");
    one("1 1 1,5", 5, "`1,5` is not a number");
    one("1 1 one", 5, "`one` is not a number");
    one("1 1 1 2", 7, "the line goes on after its entry: `2`");
    one("99999999999999999999999 1 1", 1, "the row is `99999999999999999999999`, outside the size 3x3");
    assert_eq!(refused(&general("3 3 1\n0 1 1\n")).3, "coordinates in this file count from 1");
}

#[test]
fn values_and_places_that_contradict_the_banner() {
    let one = |banner: &str, entry: &str, column, message: &str| {
        check(&format!("%%MatrixMarket matrix coordinate {banner}\n3 3 1\n{entry}\n"), 3, column, message);
    };
    one("pattern general", "1 1 5", 5, "a pattern has no values, but here is `5`");
    one("integer general", "1 1 2.5", 5, "`2.5` is not a whole number, which the banner promises");
    one("integer general", "1 1 9223372036854775808", 5, "`9223372036854775808` does not fit `i64`");
    one("unsigned-integer general", "1 1 -1", 5, "`-1` does not fit `ui64`");
    one("complex general", "1 1 2", 6, "the line ends before its value");
    let upper = "a symmetric file stores no entries above the diagonal, and here the column is larger than the row";
    one("real symmetric", " 1 2 5", 2, upper);
    one("real skew-symmetric", "2 2 5", 1, "a skew-symmetric matrix has zeros on its diagonal");
    one("complex hermitian", "2 2 5 1", 1, "a Hermitian matrix has real numbers on its diagonal");
    one(
        "integer skew-symmetric",
        "2 1 -9223372036854775808",
        1,
        "the negative of this entry's value does not fit `i64`",
    );
    let array = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n\n1 1\n1 2\n";
    check(array, 6, 1, "a Hermitian matrix has real numbers on its diagonal");
}

#[test]
fn the_first_fault_is_the_one_named() {
    let lines: String = (1..=60_000).map(|n| if n % 20_000 == 0 { "x\n" } else { "1 1 1\n" }).collect();
    check(&general(&format!("3 3 60000\n{lines}")), 20_002, 1, "`x` is not a row");
}

#[test]
fn texts_that_are_not_utf8() {
    let refused = |bytes: &[u8]| refused_bytes(bytes, &ReadOptions::default());
    let commented = b"%%MatrixMarket matrix coordinate real general\n% M\xfcller\n1 1 1\n% \xe9\n1 1 3\n";
    let read = read(FileKind::MatrixMarket, commented, &ReadOptions::default(), &unwatched).unwrap();
    assert_eq!(read.triplets.len(), 1);
    let got = refused(b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 \xff\n");
    assert_eq!((got.0, got.1, got.2.as_str()), (3, 5, "`\u{fffd}` is not text of numbers in UTF-8"));
    assert_eq!(refused(b"\xff\xfe%\0%\0").2, "the file is in UTF-16, not in UTF-8");
}

#[test]
fn another_element_on_request() {
    let read_as = |element, field: &str, entry: &str| {
        let options = ReadOptions { element: Some(element), ..ReadOptions::default() };
        let text = format!("%%MatrixMarket matrix coordinate {field} general\n1 1 1\n1 1 {entry}\n");
        parse(&text, &options).map(|read| read.triplets.into_parts().3).map_err(|error| error.to_string())
    };
    assert_eq!(read_as(Element::F32, "real", "0.1"), Ok(Values::F32(vec![0.1])));
    assert_eq!(read_as(Element::I8, "real", "-2.0"), Ok(Values::I8(vec![-2])));
    assert_eq!(read_as(Element::C32, "integer", "3"), Ok(Values::C32(vec![Complex::new(3.0, 0.0)])));
    assert_eq!(read_as(Element::I1, "pattern", ""), Ok(Values::I8(vec![1])));
    let error = |element, field, entry| read_as(element, field, entry).unwrap_err();
    assert_eq!(error(Element::I8, "integer", "300"), "line 3, column 5: `300` does not fit `i8`");
    assert_eq!(error(Element::I32, "real", "0.5"), "line 3, column 5: `0.5` is not a whole number, as `i32` needs");
    let complex = "line 1, column 34: the file holds complex numbers, which `f64` cannot";
    assert_eq!(error(Element::F64, "complex", "1 2"), complex);
    assert_eq!(error(Element::I4, "integer", "8"), "line 3, column 5: `8` does not fit `i4`");
}

#[test]
fn another_shape_on_request() {
    let read_as = |shape| {
        let options = ReadOptions { shape: Some(shape), ..ReadOptions::default() };
        parse(&general("5 5 0\n"), &options).map(|read| read.triplets.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read_as(vec![None, Some(5)]), Ok(0));
    assert_eq!(read_as(vec![Some(3), None]), Err("line 2, column 1: the file is 5x5, but 3x? is wanted".to_string()));
    assert_eq!(read_as(vec![Some(5)]), Err("line 2, column 1: the file is 5x5, but 5 is wanted".to_string()));
}

#[test]
fn gzipped_text_and_its_faults() {
    use std::io::Write;
    let lines: String = (0..2000).map(|n| format!("1 {} {}.5\n", n % 7 + 1, n)).collect();
    let text = general(&format!("1 7 2000\n{lines}"));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    let whole = read(FileKind::MatrixMarket, &bytes, &ReadOptions::default(), &unwatched).unwrap();
    assert_eq!(whole.triplets.len(), 2000);
    let cut = read(FileKind::MatrixMarket, &bytes[..bytes.len() / 2], &ReadOptions::default(), &unwatched).unwrap_err();
    assert_eq!(cut.message, "the gzip file ends here, before its own end");
    assert!(cut.line().unwrap() > 1);
    let small = ReadOptions { limit: 1000, ..ReadOptions::default() };
    let error = read(FileKind::MatrixMarket, &bytes, &small, &unwatched).unwrap_err();
    assert_eq!(error.message, "the gzip file unfolds to more than the limit of 1000 bytes");
}

#[test]
fn one_column_or_row_is_a_vector_where_one_is_asked_for() {
    let asked = |length| ReadOptions { shape: Some(vec![length]), ..ReadOptions::default() };
    for (text, length) in [("3 1 2\n1 1 5\n3 1 6\n", Some(3)), ("1 3 2\n1 1 5\n1 3 6\n", None)] {
        let read = parse_bytes(general(text).as_bytes(), &asked(length)).unwrap().triplets;
        assert_eq!((read.shape(), read.coords()), ([3].as_slice(), [vec![0, 2]].as_slice()));
    }
    let error = parse_bytes(general("3 1 1\n1 1 5\n").as_bytes(), &asked(Some(4))).unwrap_err();
    assert_eq!(error.message, "the file is 3x1, but 4 is wanted");
    let error = parse_bytes(general("3 2 1\n1 1 5\n").as_bytes(), &asked(Some(3))).unwrap_err();
    assert_eq!(error.message, "the file is 3x2, but 3 is wanted");
    let error = parse_bytes(general("3 2 1\n1 1 5\n").as_bytes(), &asked(None)).unwrap_err();
    assert_eq!(error.message, "the file is 3x2, but a vector is wanted");
}

#[test]
fn what_stands_behind_the_end_of_a_gzip_file() {
    use std::io::Write;
    let packed = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let (first, second) = (packed("%%MatrixMarket matrix coordinate real general\n2 2 1\n"), packed("1 1 1\n"));
    let padded = [&first[..], &[0; 512], &second, &[0; 1024]].concat();
    assert_eq!(parse_bytes(&padded, &ReadOptions::default()).unwrap().triplets.len(), 1);
    let error = parse_bytes(&[&first[..], &second, b"junk"].concat(), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.message, "the gzip file has ended here, and 4 bytes that are no gzip follow its end");
    let error = parse_bytes(b"BZh91AY", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.message, "bzip2 is not read: decompress the file first");
}

#[test]
fn a_watch_is_told_and_may_stop() {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};
    let text = general(&format!("3 3 100000\n{}", "1 1 1\n".repeat(100_000)));
    let most = AtomicU64::new(0);
    let watch = |progress: Progress| {
        most.fetch_max(progress.done, Ordering::Relaxed);
        assert_eq!(progress.total, text.len() as u64);
        ControlFlow::Continue(())
    };
    read(FileKind::MatrixMarket, text.as_bytes(), &ReadOptions::default(), &watch).unwrap();
    assert_eq!(most.into_inner(), text.len() as u64);
    let stop = |_| ControlFlow::Break(());
    let error = read(FileKind::MatrixMarket, text.as_bytes(), &ReadOptions::default(), &stop).unwrap_err();
    assert_eq!(error.cause, Cause::Stopped);
}

/// A file that is read a little at a time.
struct Slow(Vec<u8>);

impl ByteSource for Slow {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let few = buffer.len().min(1 + offset as usize % 5000);
        self.0.read_at(offset, &mut buffer[..few])
    }
}

#[test]
fn a_file_read_in_pieces_is_the_same_file() {
    let line = |n: u64| {
        format!("{} {} {}.5\n{}", n % 900 + 1, n % 77 + 1, n * n, if n.is_multiple_of(5000) { "\n" } else { "" })
    };
    let lines: String = (0..90_000).map(line).collect();
    let sources = ["90000", "89999"].map(|entries| general(&format!("% a comment\n900 77 {entries}\n{lines}")));
    let broken = sources[0].replace(" 4900000000.5", " x");
    for text in sources.into_iter().chain([broken]) {
        assert!(text.len() > 1 << 20);
        let options = ReadOptions::default();
        let whole = parse(&text, &options);
        let slow = Slow(text.into_bytes());
        let pieces = || read_from(FileKind::MatrixMarket, &slow, &options, &unwatched);
        assert_eq!(pieces(), whole);
        assert_eq!(one_thread().install(pieces), whole);
    }
}

#[test]
fn a_file_read_in_pieces_may_be_stopped() {
    let text = general(&format!("3 3 300000\n{}", "1 1 1\n".repeat(300_000)));
    let stop = |_| std::ops::ControlFlow::Break(());
    let error = read_from(FileKind::MatrixMarket, &Slow(text.into_bytes()), &ReadOptions::default(), &stop);
    assert_eq!(error.unwrap_err().cause, Cause::Stopped);
}

/// The first mistake is the error; some others are reported with it, the rest are counted.
#[test]
fn several_wrong_lines_are_told_at_once() {
    let error = parse(
        &general("3 4 8\n1 1 1.5\n4 1 2\n1 x 3\n2 2 1e\n2 2 1 7\n0 1 2\n3 9 9\n-1 2 2\n"),
        &ReadOptions::default(),
    );
    let error = error.unwrap_err();
    assert_eq!((error.line(), error.message.as_str()), (Some(4), "the row is `4`, outside the size 3x4"));
    assert_eq!(
        error.notes(),
        [
            "line 5, column 3: `x` is not a column",
            "line 6, column 5: `1e` is not a number",
            "line 7, column 7: the line goes on after its entry: `7`",
            "line 8, column 1: the row is 0, which does not exist",
            "and 2 more mistakes like these",
        ]
    );
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 2 1\n1 1 1\n2 3 1\n";
    let error = parse(symmetric, &ReadOptions::default()).unwrap_err();
    assert_eq!((error.line(), error.others.told.len(), error.others.more), (Some(3), 1, 0));
}
