//! Checks files and prints one line for each diagnostic, and each encoding in MLIR's canonical form:
//! `cargo run --example check -- FILE...`. `--time N` checks the first file N times and prints the fastest run.

use std::{error::Error, time::Instant};

use nnz_core::{
    ids::FileId,
    languages::{FrontEnd, LANGUAGES},
    source::Source,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let runs = match arguments.iter().position(|argument| argument == "--time") {
        Some(at) => arguments.drain(at..=at + 1).nth(1).unwrap_or_default().parse()?,
        None => 0,
    };
    for (at, path) in arguments.iter().enumerate() {
        let text = std::fs::read_to_string(path)?;
        let source = Source::new(FileId::new(at), path, text);
        let language = LANGUAGES.of_path(path).ok_or_else(|| LANGUAGES.unknown())?;
        if runs > 0 { time(language, &source, runs) } else { report(language, &source) }
    }
    Ok(())
}

fn time(language: &FrontEnd, source: &Source, runs: usize) {
    let fastest = (0..runs).map(|_| {
        let start = Instant::now();
        std::hint::black_box(language.check_alone(source));
        start.elapsed()
    });
    println!("{}: {:?}", source.name, fastest.min().unwrap_or_default());
}

fn report(language: &FrontEnd, source: &Source) {
    let Some(checked) = language.check_alone(source).used().map(|used| used.checked) else { return };
    for diagnostic in &checked.diagnostics {
        let at = source.line_col(diagnostic.primary.span.start as usize);
        let (severity, code) = (diagnostic.severity().name(), diagnostic.code.text());
        println!("{}:{}:{}: {severity}[{code}]: {}", source.name, at.line + 1, at.column + 1, diagnostic.message);
        let texts = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.replacement);
        texts.for_each(|text| println!("    fix: {text:?}"));
    }
    for site in &checked.symbols.encodings {
        let canonical = site.encoding.as_ref().map(|encoding| encoding.canonical().to_string());
        println!("  {} = {}", source.slice(site.span), canonical.as_deref().unwrap_or("broken"));
    }
}
