//! Reads a tensor's file for the checks and benchmarks that compare with other readers.
//!
//! `read_file dump FILE [ELEMENT]` prints the entries as JSON, `read_file write FILE OUT` writes them again.
//! `read_file time FILE` reads the file for each line of input and answers with the time, so that readers can
//! take turns:
//!
//! ```text
//! $ yes | head -1 | read_file time bcsstk17.mtx
//! {"ns": 21034567, "shape": [10974, 10974], "entries": 428650, "sum": 2.6e10}
//! ```

use std::{
    error::Error,
    io::{BufRead, Write},
    time::Instant,
};

use nnz_core::{
    element::{Element, Scalar},
    host::ByteSource,
    storage::{
        Triplets,
        files::{self, FileKind, Packing, ReadOptions},
    },
};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["time", path] => time(path),
        ["dump", path] => dump(path, None),
        ["dump", path, element] => dump(path, Some(Element::parse(element).ok_or("not an element type")?)),
        ["write", path, out] => write(path, out),
        _ => Err("usage: read_file time FILE | read_file dump FILE [ELEMENT] | read_file write FILE OUT".into()),
    }
}

fn read(path: &str, element: Option<Element>) -> Result<Triplets, Box<dyn Error>> {
    let kind = FileKind::of_path(path).ok_or("not a file of a known kind")?;
    let options = ReadOptions { element, ..ReadOptions::default() };
    let file = DiskFile::open(path)?;
    Ok(files::read_from(kind, &file, &options, &files::unwatched)?.triplets)
}

struct DiskFile {
    file: std::fs::File,
    length: u64,
}

impl DiskFile {
    fn open(path: &str) -> std::io::Result<DiskFile> {
        let file = std::fs::File::open(path)?;
        Ok(DiskFile { length: file.metadata()?.len(), file })
    }
}

impl ByteSource for DiskFile {
    fn len(&self) -> u64 {
        self.length
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }
}

fn time(path: &str) -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        line?;
        let start = Instant::now();
        let triplets = read(path, None)?;
        let ns = start.elapsed().as_nanos();
        let sum: f64 = triplets.values().iter().map(|value| value.as_f64()).sum();
        print!("{{\"ns\": {ns}, \"shape\": {:?}, ", triplets.shape());
        println!("\"entries\": {}, \"sum\": {sum:e}}}", triplets.len());
    }
    Ok(())
}

fn write(path: &str, out: &str) -> Result<(), Box<dyn Error>> {
    let kind = FileKind::of_path(out).ok_or("not a file of a known kind")?;
    let mut file = std::fs::File::create(out)?;
    Ok(files::write(kind, &read(path, None)?, Packing::of_path(out), &mut file)?)
}

fn dump(path: &str, element: Option<Element>) -> Result<(), Box<dyn Error>> {
    let triplets = read(path, element)?;
    let mut out = std::io::stdout().lock();
    let values: Vec<String> = triplets.values().iter().map(json).collect();
    write!(out, "{{\"shape\": {:?}, \"element\": \"{}\", ", triplets.shape(), triplets.element())?;
    writeln!(out, "\"coords\": {:?}, \"values\": [{}]}}", triplets.coords(), values.join(", "))?;
    Ok(())
}

/// As Python's `json` reads it back, infinities and NaN included.
fn json(value: Scalar) -> String {
    let float = |x: f64| match x {
        _ if x.is_nan() => "NaN".to_string(),
        _ if x.is_infinite() => if x > 0.0 { "Infinity" } else { "-Infinity" }.to_string(),
        _ => format!("{x:?}"),
    };
    match value {
        Scalar::Float(x) => float(x),
        Scalar::Int(x) => x.to_string(),
        Scalar::Complex(x) => format!("[{}, {}]", float(x.re), float(x.im)),
    }
}
