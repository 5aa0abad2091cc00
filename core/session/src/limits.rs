//! Statements that ran out of memory.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    memory,
    source::Span,
};

/// # Errors
/// The memory ran out during the statement at `span`.
pub(super) fn went_well(file: FileId, span: Span) -> Result<(), Box<Diagnostic>> {
    match memory::shortage() {
        Some(short) => Err(Box::new(ran_out(short, file, span))),
        None => Ok(()),
    }
}

/// The error that stopped the statement at `span`: the shortage if memory ran out, because then other errors
/// follow from it.
pub(super) fn cause(said: Box<Diagnostic>, file: FileId, span: Span) -> Box<Diagnostic> {
    match memory::shortage() {
        Some(short) if said.code != Code::TooLarge => Box::new(ran_out(short, file, span)),
        _ => said,
    }
}

fn ran_out(short: memory::NoRoom, file: FileId, span: Span) -> Diagnostic {
    let message = short.to_string();
    Diagnostic::new(Code::TooLarge, file, span, message).help("its results are taken back; smaller ones may fit")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Event, Options, Session};
    use nnz_base::{host::Host, ids::FileId, source::Source};

    /// A machine with a thousand bytes left.
    struct Small;

    struct Plenty;

    impl Host for Plenty {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("no files here".to_string())
        }
    }

    impl Host for Small {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("no files here".to_string())
        }
        fn memory_free(&self) -> Option<u64> {
            Some(1000)
        }
    }

    fn messages(text: &str) -> Vec<String> {
        let source = Source::new(FileId(0), "test.nnz", text.to_string());
        let mut found = Vec::new();
        let mut session = Session::new(Arc::new(Small), Options::default());
        session.run(&source, true, &mut |outcome| found.extend(outcome.diagnostics.into_iter().map(|d| d.message)));
        found
    }

    #[test]
    fn a_result_beyond_memory_is_refused_and_one_within_is_not() {
        let text = "x : tensor<20xf64> = random(density = 1.0)\nC(i, j) = x(i) * x(j)\ny(i) = 2 * x(i)\n";
        assert_eq!(messages(text), ["`C` would take 3200 bytes of memory, and 1000 bytes are free"]);
    }

    /// What takes long is told before it starts, and what does not is not told.
    #[test]
    fn long_kernels_tell_their_costs_ahead() {
        let text = "A : tensor<1000x1001xf64, CSR> = random(density = 0.0001)\n\
                    B : tensor<10x10xf64, CSR> = random(density = 0.1)\n\
                    s : f64 = sum(i, j, exp(A(i, j)))\nt : f64 = sum(i, j, exp(B(i, j)))\n";
        let source = Source::new(FileId(0), "test.nnz", text.to_string());
        let mut session = Session::new(Arc::new(Plenty), Options::default());
        let mut said = Vec::new();
        session.run_telling(&source, true, &mut |event| match event {
            Event::Ahead(hint) => said.push(hint.message.clone()),
            Event::Printed(text) => said.push(text.to_string()),
            Event::Ended(outcome) => said.push(format!("{} of {}", outcome.told, outcome.diagnostics.len())),
        });
        let hint =
            "`exp(A(i, j))` visits every coordinate, 1.0e6 of them: it need not be zero where its operands are absent";
        assert_eq!(said, ["0 of 0", "0 of 0", hint, "1 of 1", "0 of 0"]);
    }

    /// A copy of more than a million entries is reported before it is made.
    #[test]
    fn long_copies_are_told_ahead() {
        let text = "A : tensor<1001x1000xf64, CSR> = random(density = 0.0001)\n\
                    x : tensor<2xf64> = [1, 2]\ny(i) = A(i + k, j) * x(k)\n";
        let source = Source::new(FileId(0), "test.nnz", text.to_string());
        let mut session = Session::new(Arc::new(Plenty), Options::default());
        let mut said = Vec::new();
        session.run_telling(&source, true, &mut |event| {
            if let Event::Ahead(hint) = event {
                said.push(hint.message.clone());
            }
        });
        let visits = "`A(i + k, j) * x(k)` visits every coordinate, 2.0e6 of them: a dense copy is read everywhere";
        assert_eq!(said, ["`A` is copied into a dense array of 7.6 MiB first", visits]);
    }

    /// Counted first, and refused before it is made.
    #[test]
    fn a_sparse_result_beyond_memory_is_refused_too() {
        let text = "x : tensor<20xf64> = random(density = 1.0)\nC(i, j) : CSR = x(i) * x(j)\n";
        let refused = messages(text).into_iter().find(|message| message.contains("would take"));
        assert!(refused.is_some_and(|message| message.ends_with("of memory, and 1000 bytes are free")));
    }
}
