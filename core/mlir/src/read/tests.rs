use super::{Purpose, Reader};
use crate::dialects::DIALECTS;
use nnz_base::{ids::FileId, source::Source};

/// Texts that open a region inside the last one and close none.
const OPENING: &[&str] = &[
    "scf.if %c {",
    "scf.for %i = %n to %n step %n {",
    "scf.while : () -> () {",
    "scf.execute_region {",
    "%t = tensor.generate %n {\n^bb0(%i: index):",
    "scf.execute_region {\nscf.execute_region {\n}\n^bb1(%:\n",
    "scf.if %c {\nx }\nscf.if %c {",
    "\"scf.if\"(%c) ({",
];

/// How many mistakes are met: one each time that a region without an end is read.
fn met(opening: &str, levels: usize) -> usize {
    let text = format!("func.func @f(%c: i1, %n: index) {{\n{}", format!("{opening}\n").repeat(levels));
    met_in(text)
}

fn met_in(text: String) -> usize {
    let checked = nnz_check::mlir::check_mlir(&Source::new(FileId(0), "a.mlir", text));
    let mut reader = Reader::new(&checked, &DIALECTS, Purpose::Run);
    reader.sections();
    reader.mistakes()
}

#[test]
fn regions_that_do_not_end_are_read_once() {
    for opening in OPENING {
        let (few, twice) = (met(opening, 5), met(opening, 10));
        assert!(few > 0, "{opening}");
        assert!(twice <= 2 * few + 2, "{opening}: {few} mistakes of 5 levels, {twice} of 10");
    }
}

#[test]
fn aliases_share_what_they_name_and_end_somewhere() {
    let of = |levels: usize, value: &dyn Fn(usize) -> String| {
        let lines = (1..=levels).map(|at| format!("#t{at} = {}\n", value(at - 1)));
        met_in(format!("#t0 = 1 : i32\n{}", lines.collect::<String>()))
    };
    // Written out, these are 2^100 numbers.
    assert_eq!(of(100, &|at| format!("[#t{at}, #t{at}]")), 0);
    assert_eq!(of(100, &|at| format!("{{a = #t{at}, b = [#t{at}]}}")), 0);
    assert!(of(10_000, &|at| format!("[#t{at}]")) > 0);
}
