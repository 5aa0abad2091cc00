use std::io::Write;

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{
    super::{Cause, FileKind, Note, ReadOptions, read, unwatched},
    unfold,
};
use crate::{Triplets, files::FileError};
use nnz_base::{arrays::Values, element::Element};

/// An array as `numpy.save` writes it.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    npy_headed(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"), data)
}

fn npy_headed(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

fn ints(numbers: &[i32]) -> Vec<u8> {
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    npy("<i4", &format!("({},)", numbers.len()), &data)
}

fn floats(shape: &str, numbers: &[f64]) -> Vec<u8> {
    npy("<f8", shape, &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>())
}

fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    archive_with(SimpleFileOptions::default(), members)
}

fn archive_with(options: SimpleFileOptions, members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(format!("{name}.npy"), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// `archive`, whose members say that they are packed by another method.
fn said_to_be_packed_by(method: u8, mut archive: Vec<u8>) -> Vec<u8> {
    for (header, field) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let places: Vec<usize> = memchr::memmem::find_iter(&archive, header).collect();
        places.iter().for_each(|at| archive[at + field..at + field + 2].copy_from_slice(&[method, 0]));
    }
    archive
}

fn csr() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("format", npy("|S3", "()", b"csr")),
        ("shape", ints(&[2, 3])),
        ("indptr", ints(&[0, 1, 3])),
        ("indices", ints(&[2, 0, 1])),
        ("data", floats("(3,)", &[1.0, 2.0, 0.0])),
    ]
}

/// `csr` with one member in place of another.
fn csr_with(name: &'static str, bytes: Vec<u8>) -> Vec<u8> {
    archive(
        &csr()
            .into_iter()
            .map(|member| if member.0 == name { (name, bytes.clone()) } else { member })
            .collect::<Vec<_>>(),
    )
}

fn parse(bytes: &[u8]) -> Result<Triplets, FileError> {
    read(FileKind::Scipy, bytes, &ReadOptions::default(), &unwatched).map(|read| read.triplets)
}

#[track_caller]
fn check(bytes: &[u8], message: &str) {
    assert_eq!(parse(bytes).unwrap_err().to_string(), message);
}

#[test]
fn compressed_rows() {
    let matrix = parse(&archive(&csr())).unwrap();
    assert_eq!((matrix.shape(), matrix.element()), (&[2, 3][..], Element::F64));
    assert_eq!(matrix.coords(), [[0, 1, 1], [2, 0, 1]]);
    assert_eq!(matrix.values(), &Values::F64(vec![1.0, 2.0, 0.0]));
}

#[test]
fn big_endian_integers_and_room_to_grow() {
    let data = npy(">i2", "(4,)", &[0, 1, 255, 254, 0, 3, 0, 9]);
    let mut arrays = csr();
    arrays[3] = ("indices", ints(&[2, 0, 1, 1]));
    arrays[4] = ("data", data);
    let found = read(FileKind::Scipy, &archive(&arrays), &ReadOptions::default(), &unwatched).unwrap();
    assert_eq!(found.triplets.values(), &Values::I16(vec![1, -2, 3]));
    assert_eq!(found.notes, [Note::RoomBehind { entries: 1 }]);
}

#[test]
fn diagonals_leave_their_padding_out() {
    let dia = archive(&[
        ("format", npy("|S3", "()", b"dia")),
        ("shape", ints(&[3, 2])),
        ("offsets", ints(&[0, -2])),
        ("data", floats("(2, 3)", &[1.0, 2.0, 9.0, 5.0, 6.0, 7.0])),
    ]);
    let matrix = parse(&dia).unwrap();
    assert_eq!(matrix.coords(), [[0, 1, 2], [0, 1, 0]]);
    assert_eq!(matrix.values(), &Values::F64(vec![1.0, 2.0, 5.0]));
}

/// Two blocks of 2x3 in a matrix of 4x6.
fn bsr(data: Vec<u8>) -> Vec<u8> {
    archive(&[
        ("format", npy("<U3", "()", b"b\0\0\0s\0\0\0r\0\0\0")),
        ("shape", ints(&[4, 6])),
        ("indptr", ints(&[0, 0, 2])),
        ("indices", ints(&[1, 0])),
        ("data", data),
    ])
}

#[test]
fn blocks_keep_their_zeros() {
    let values = [1.0, 0.0, 3.0, 4.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let matrix = parse(&bsr(floats("(2, 2, 3)", &values))).unwrap();
    assert_eq!(matrix.coords()[0], [2, 2, 2, 3, 3, 3, 2, 2, 2, 3, 3, 3]);
    assert_eq!(matrix.coords()[1], [3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2]);
    assert_eq!(matrix.values(), &Values::F64(values.to_vec()));
    // By columns the number of the block varies fastest.
    let turned = [1.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 6.0, 0.0];
    let bytes = floats("(2, 2, 3)", &turned);
    let fortran = memchr::memmem::find(&bytes, b"False").unwrap();
    let bytes = [&bytes[..fortran], b"True ", &bytes[fortran + 5..]].concat();
    assert_eq!(parse(&bsr(bytes)).unwrap(), matrix);
}

#[test]
fn blocks_that_are_wrong() {
    check(&bsr(floats("(1, 2, 3)", &[0.0; 6])), "array `data`: 1 blocks for 2 places");
    check(&bsr(floats("(2, 3, 2)", &[0.0; 12])), "array `data`: blocks of 3x2 do not divide the matrix 4x6");
    check(
        &bsr(floats("(12,)", &[0.0; 12])),
        "array `data`: the shape [12] is not that of blocks: count, rows, columns",
    );
}

#[test]
fn members_are_packed_as_numpy_reads_them() {
    let methods = [CompressionMethod::Stored, CompressionMethod::Deflated, CompressionMethod::Bzip2];
    for method in methods {
        let packed = archive_with(SimpleFileOptions::default().compression_method(method), &csr());
        assert_eq!(parse(&packed).map(|matrix| matrix.len()), Ok(3), "{method}");
    }
    let stored = archive_with(SimpleFileOptions::default().compression_method(CompressionMethod::Stored), &csr());
    for (method, name) in [(14, "Lzma"), (93, "Zstd")] {
        let error = parse(&said_to_be_packed_by(method, stored.clone())).unwrap_err();
        let message = format!(
            "array `format`: the archive packs this array by {name}, which is not read; stored, deflate and bzip2 are"
        );
        assert_eq!((error.cause, error.to_string()), (Cause::Unsupported, message));
    }
}

#[test]
fn coordinates_of_any_rank() {
    let coo = archive(&[
        ("format", npy("|S3", "()", b"coo")),
        ("shape", ints(&[2, 3, 4])),
        ("coords", npy("<i4", "(3, 2)", &[0, 1, 2, 0, 3, 1].map(|x: i32| x.to_le_bytes()).concat())),
        ("data", floats("(2,)", &[1.0, 2.0])),
    ]);
    assert_eq!(parse(&coo).unwrap().coords(), [[0, 1], [2, 0], [3, 1]]);
}

#[test]
fn archives_that_are_wrong() {
    assert!(parse(b"hello").unwrap_err().message.starts_with("this is not an archive of `save_npz`"));
    let absent = archive(&csr()[..4]);
    assert!(parse(&absent).unwrap_err().to_string().starts_with("the archive has no array `data`, only `"));
    let mut damaged = archive(&csr());
    damaged[40] ^= 0xff;
    assert!(parse(&damaged).is_err());
    check(
        &csr_with("indptr", ints(&[0, 4, 3])),
        "array `indptr`: row or column 0 would have the entries 0 to 4, and `indices` holds 3",
    );
    check(
        &csr_with("indptr", ints(&[0, 2, 1])),
        "array `indptr`: row or column 1 would have the entries 2 to 1: the end lies before the beginning",
    );
    check(&csr_with("indptr", ints(&[1, 2, 3])), "array `indptr`: the first position is 1, not 0");
    check(
        &csr_with("indptr", ints(&[0, 3])),
        "array `indptr`: 2 positions for 2 rows or columns; one more than these is needed",
    );
    check(&csr_with("indices", ints(&[2, 0, 3])), "array `indices`: item 2 is 3, outside the size 3");
    check(&csr_with("indices", ints(&[2, -1, 1])), "array `indices`: item 1 is -1, outside the size 3");
    check(&csr_with("shape", ints(&[2, -3])), "array `shape`: the size -3 is negative");
    check(&csr_with("data", floats("(2,)", &[1.0, 2.0])), "array `data`: 2 values for 3 coordinates");
    check(
        &csr_with("data", floats("(9,)", &[1.0])),
        "array `data`: its header says shape [9] of 8-byte items, but 8 bytes follow",
    );
    check(&csr_with("data", npy("|O", "(3,)", b"")), "array `data`: its items are of the unknown type `|O`");
    check(
        &csr_with("data", npy("<f16", "(3,)", &[0; 48])),
        "array `data`: its items are of NumPy's `longdouble`, 16 bytes each, which nnz does not have",
    );
    check(&csr_with("format", npy("|S3", "()", b"lil")), "array `format`: unknown format `lil`");
    for (header, message) in [
        ("{'descr': '<f8', 'shape': (3,), }\n", "no fortran_order"),
        ("{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }\n", "fortran_order, neither True nor False"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'shape': (2,), }\n", "shape twice"),
    ] {
        let message = format!("array `data`: its header has {message}");
        check(&csr_with("data", npy_headed(header, &[0; 24])), &message);
    }
    let huge = npy("<f8", "(4611686018427387904, 8)", b"");
    check(
        &csr_with("data", huge),
        "array `data`: its header says shape [4611686018427387904, 8] of 8-byte items: no file has so many",
    );
    for size in ["18446744073709551616", "-2"] {
        let message = format!("`{size}`, which is no number from 0 to 18446744073709551615");
        let message = format!("array `data`: its header's shape has the size {message}");
        check(&csr_with("data", npy("<f8", &format!("({size},)"), b"")), &message);
    }
}

#[test]
fn no_more_is_unfolded_than_the_header_says() {
    let bomb = npy("<f8", "(3,)", &vec![0; 1 << 20]);
    let message = "array `data`: its header says shape [3] of 8-byte items, but more than 24 bytes follow";
    check(&csr_with("data", bomb.clone()), message);
    let unfolded = &mut Vec::new();
    unfold(&mut bomb.as_slice(), unfolded, 100).ok().unwrap();
    assert_eq!(unfolded.len(), 101);
}

#[test]
fn a_coordinate_list_has_as_many_of_each() {
    let coo = |row: &[i32], col: &[i32], values: &[f64]| {
        let shape = format!("({},)", values.len());
        archive(&[
            ("format", npy("|S3", "()", b"coo")),
            ("shape", ints(&[2, 3])),
            ("row", ints(row)),
            ("col", ints(col)),
            ("data", floats(&shape, values)),
        ])
    };
    assert_eq!(parse(&coo(&[0, 1], &[2, 0], &[1.0, 2.0])).unwrap().coords(), [[0, 1], [2, 0]]);
    check(&coo(&[0, 1], &[2, 0], &[1.0, 2.0, 3.0]), "array `data`: 3 values for 2 coordinates");
    check(&coo(&[0, 1], &[2, 0], &[1.0]), "array `data`: 1 value for 2 coordinates");
    check(&coo(&[0], &[2, 0], &[1.0]), "array `row`: the coordinates are of different number: 1, 2");
}

#[test]
fn a_finite_value_stays_finite() {
    let options = ReadOptions { element: Some(Element::F32), ..ReadOptions::default() };
    let large = csr_with("data", floats("(3,)", &[1.0, 1e300, f64::INFINITY]));
    let error = read(FileKind::Scipy, &large, &options, &unwatched).unwrap_err();
    assert_eq!(error.to_string(), "array `data`: the file's f64 value 1e300 does not fit `f32`");
}

#[test]
fn a_sum_that_the_element_type_cannot_hold() {
    let options = ReadOptions { element: Some(Element::I8), ..ReadOptions::default() };
    let coo = |col: &[i32]| {
        archive(&[
            ("format", npy("|S3", "()", b"coo")),
            ("shape", ints(&[2, 3])),
            ("row", ints(&[1, 0, 1])),
            ("col", ints(col)),
            ("data", floats("(3,)", &[100.0, 1.0, 100.0])),
        ])
    };
    let error = read(FileKind::Scipy, &coo(&[2, 0, 2]), &options, &unwatched).unwrap_err();
    assert_eq!(error.to_string(), "array `data`: the sum of the entries at (1, 2) does not fit `i8`");
    assert!(read(FileKind::Scipy, &coo(&[2, 0, 1]), &options, &unwatched).is_ok());
}

#[test]
fn another_element_on_request() {
    let options = ReadOptions { element: Some(Element::I8), ..ReadOptions::default() };
    let as_i8 =
        |bytes: &[u8]| read(FileKind::Scipy, bytes, &options, &unwatched).map(|read| read.triplets.into_parts().3);
    assert_eq!(as_i8(&archive(&csr())), Ok(Values::I8(vec![1, 2, 0])));
    let error = as_i8(&csr_with("data", floats("(3,)", &[1.0, 2.5, 0.0]))).unwrap_err();
    assert_eq!(error.to_string(), "array `data`: the file's f64 value 2.5 does not fit `i8`");
}

#[test]
fn several_wrong_coordinates_are_told_at_once() {
    let error = parse(&csr_with("indices", ints(&[5, -1, 3]))).unwrap_err();
    assert_eq!(error.message, "item 0 is 5, outside the size 3");
    let notes =
        ["array `indices`: item 1 is -1, outside the size 3", "array `indices`: item 2 is 3, outside the size 3"];
    assert_eq!(error.notes(), notes);
}
