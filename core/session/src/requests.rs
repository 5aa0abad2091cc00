//! What callers ask of a session without a statement: times, comparisons, code, converted files, calls. Values go in
//! and come back, and the caller turns them into text or JSON. Each word comes with its place in a text, for example in
//! the command line, and refusals point there.

use std::io::{BufRead, Write};

use super::{
    Called, Converted, Session, Timed, UsualFormats, evaluation::Evaluation, help, outcome::Sink, session::Tried,
};
use nnz_backend::c;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    memory,
    source::{Source, Span},
};
use nnz_check::{
    command::View,
    scope::Word,
    session::{Meant, Typed, typed_call, typed_spec},
    spec::Spec,
};
use nnz_view::Markup;

/// The answer to a request, or the reason for its refusal.
pub type Answer<T> = Result<Told<T>, Refused>;

/// A value, with the messages about it that were not reported earlier.
#[derive(Clone, Debug)]
pub struct Told<T> {
    pub value: T,
    pub notes: Vec<Diagnostic>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Refused {
    /// All messages, the error last.
    pub diagnostics: Vec<Diagnostic>,
    /// What a program has printed before it failed, unless that was reported at once.
    pub printed: Option<Markup>,
}

impl Refused {
    fn of(diagnostics: Vec<Diagnostic>) -> Refused {
        Refused { diagnostics, printed: None }
    }

    /// Whether the user cancelled it.
    pub fn is_cancelled(&self) -> bool {
        self.diagnostics.last().is_some_and(|diagnostic| diagnostic.code == Code::Cancelled)
    }
}

impl Session {
    /// The format of a tensor that a word of `line` names.
    ///
    /// # Errors
    /// The word names no format.
    pub fn format(&self, line: &Source, word: &Word) -> Answer<Spec> {
        let format = told(typed_spec((line, &self.names.scope), word))?;
        if format.value.scalar().is_some() {
            let error =
                Diagnostic::new(Code::CommandArguments, line.id, word.span, format!("`{}` is no format", word.text));
            let error = error.label("the type of a number").help("one format is named, as in `CSR` or `BSR(2, 2)`");
            return Err(Refused::of(vec![error]));
        }
        Ok(format)
    }

    /// Times the kernel that computed a name.
    ///
    /// # Errors
    /// A name that no kernel computed; a kernel that does not run.
    pub fn time(&mut self, line: &Source, name: &Word) -> Answer<Timed> {
        self.ask(line, &mut |_| (), |evaluation| evaluation.timed(name))
    }

    /// Times the kernel that computed a name, with one of its operands in another format.
    ///
    /// # Errors
    /// As [`Session::time`]; a name that is no operand of the kernel; data that the format does not hold.
    pub fn time_with(&self, line: &Source, (name, operand): (&Word, &Word), format: &Spec) -> Answer<Timed> {
        self.clone().ask(line, &mut |_| (), |evaluation| {
            let applied = evaluation.stored_as((name, operand), format)?;
            evaluation.timed_kernel(&applied, name)
        })
    }

    /// The operand and the formats over which the kernel that computed a name is compared by default; `operand` is the
    /// one whose format changes, if it is named.
    ///
    /// # Errors
    /// As [`Session::time`]; a kernel that reads no tensor.
    pub fn usual_formats(&self, line: &Source, (name, operand): (&Word, Option<&Word>)) -> Answer<UsualFormats> {
        self.clone().ask(line, &mut |_| (), |evaluation| evaluation.usual_formats(name, operand))
    }

    /// Times the kernel that computed a name at another program's command (see [`nnz_run::measure::serve`]).
    ///
    /// # Errors
    /// As [`Session::time`]; input or output that fails.
    pub fn serve(&mut self, line: &Source, name: &Word, input: impl BufRead, output: impl Write) -> Answer<()> {
        self.ask(line, &mut |_| (), |evaluation| evaluation.serve(name, input, output))
    }

    /// The code of the kernel that computed a name, after the parts of a file that are already `written`.
    ///
    /// # Errors
    /// A name that no kernel computed; a view that its kernel does not have.
    pub fn lower(&mut self, line: &Source, (view, name): (View, &Word), written: &mut c::Written) -> Answer<Markup> {
        self.ask(line, &mut |_| (), |evaluation| evaluation.code_part((view, name), written))
    }

    /// Reads a file of data, and writes it in a format.
    ///
    /// # Errors
    /// A file that cannot be read or written; data that the format does not hold.
    pub fn convert(&mut self, line: &Source, (from, to): (&Word, &Word), format: &Spec) -> Answer<Converted> {
        self.ask(line, &mut |_| (), |evaluation| evaluation.convert_file(from, format, to))
    }

    /// Calls a function that the session knows. What takes long, and what it prints, is reported to `sink`.
    ///
    /// # Errors
    /// No such function; arguments that it does not take; a program that fails.
    pub fn call(&mut self, line: &Source, function: &Word, given: &[Typed], sink: Sink<'_>) -> Answer<Called> {
        let call = told(typed_call((line, &self.names.scope), function, given))?;
        let mut answer = self.ask(line, sink, |evaluation| evaluation.called(&call.value))?;
        answer.notes.splice(0..0, call.notes);
        Ok(answer)
    }

    /// A diagnostic at length.
    pub fn explain(&self, code: Code) -> Markup {
        help::explain(code, self.options.screen.width)
    }

    pub(super) fn ask<T>(
        &mut self,
        line: &Source,
        sink: Sink<'_>,
        act: impl FnOnce(&mut Evaluation<'_>) -> Result<T, Box<Diagnostic>>,
    ) -> Answer<T> {
        memory::begin();
        let whole = Span::new(0, line.text.len());
        let Tried { result, hints: mut notes, told, printed } = self.attempt((line, whole), (Vec::new(), sink), act);
        notes.drain(..told);
        match result {
            Ok(value) => Ok(Told { value, notes }),
            Err(error) => {
                notes.push(*error);
                Err(Refused { diagnostics: notes, printed })
            }
        }
    }
}

fn told<T>(meant: Meant<T>) -> Answer<T> {
    meant.map(|(value, notes)| Told { value, notes }).map_err(Refused::of)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Options, Verdict};
    use nnz_base::{host::Host, ids::FileId};
    use nnz_check::session::Typed;

    struct Nowhere;

    impl Host for Nowhere {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("no files here".to_string())
        }
    }

    fn session(text: &str) -> Session {
        let mut session = Session::new(Arc::new(Nowhere), Options::default());
        let source = Source::new(FileId(0), "test.nnz", text);
        assert_eq!(session.run(&source, false, &mut |_| ()), Verdict::Fine);
        session
    }

    /// A line of words, and each of them.
    fn line<const N: usize>(words: [&str; N]) -> (Source, [Word; N]) {
        let text = words.join(" ");
        let ends = words.iter().scan(0, |end, word| {
            *end += word.len() + 1;
            Some(*end)
        });
        let places: Vec<usize> = ends.zip(words).map(|(end, word)| end - 1 - word.len()).collect();
        let word =
            |at: usize| Word { text: words[at].to_string(), span: Span::new(places[at], places[at] + words[at].len()) };
        (Source::new(FileId(1), "<line>", text), std::array::from_fn(word))
    }

    fn refusal<T>(answer: Answer<T>, line: &Source) -> String {
        let refused = answer.err().unwrap();
        let error = refused.diagnostics.last().unwrap();
        assert_eq!(error.primary.file, line.id);
        format!("{}: {}", line.slice(error.primary.span), error.message)
    }

    const KERNEL: &str = "A : CSR = [[1, 0], [0, 2]]; x = [1, 2]; t : f64 = 2; B : CSC = A; y(i) = t * A(i, j) * x(j)";

    #[test]
    fn a_kernel_is_timed_over_another_encoding() {
        let mut session = session(KERNEL);
        let (line, [y, a, dcsr, dense]) = line(["y", "A", "DCSR", "dense"]);
        let own = session.time(&line, &y).unwrap().value;
        assert!(own.loops.runs > 0 && own.before.made.is_empty());
        for (word, name) in [(dcsr, "DCSR"), (dense, "dense")] {
            let format = session.format(&line, &word).unwrap().value;
            let other = session.time_with(&line, (&y, &a), &format).unwrap().value;
            let encoding = |timed: &Timed| timed.encodings.iter().find(|(name, _)| name == "A").unwrap().1.clone();
            assert_eq!((encoding(&own).as_str(), encoding(&other).as_str()), ("CSR", name));
            assert_eq!(own.kernel, other.kernel);
        }
        assert_eq!(session.time(&line, &y).unwrap().value.encodings, own.encodings);
    }

    #[test]
    fn what_cannot_be_done_is_told_at_its_word() {
        let mut session = session(KERNEL);
        let (line, [y, z, a, b, t, csr, crs, bsv, f64, f32]) =
            line(["y", "z", "A", "B", "t", "CSR", "CRS", "SparseVector", "f64", "tensor<2x2xf32,CSR>"]);
        let formats = |word: &Word| session.format(&line, word);
        assert_eq!(refusal(formats(&crs), &line), "CRS: there is no format called `CRS`");
        assert_eq!(refusal(formats(&f64), &line), "f64: `f64` is no format");
        let [csr, bsv, f32] = [csr, bsv, f32].map(|word| formats(&word).unwrap().value);
        let with = |name: &Word, operand: &Word, format| session.time_with(&line, (name, operand), format);
        assert_eq!(refusal(with(&y, &b, &csr), &line), "B: `y` does not read `B`");
        assert_eq!(refusal(with(&y, &z, &csr), &line), "z: there is no tensor `z`");
        assert_eq!(refusal(with(&y, &t, &csr), &line), "t: `t` is a scalar and stores no levels");
        assert_eq!(refusal(with(&a, &a, &csr), &line), "A: no kernel computed `A`");
        assert_eq!(refusal(with(&y, &a, &bsv), &line), "A: `SparseVector` is no format for 2 dimensions");
        let keeps = "tensor<2x2xf32,CSR>: `A` holds `f64`, and keeps it when formats are compared";
        assert_eq!(refusal(with(&y, &a, &f32), &line), keeps);
        assert_eq!(refusal(with(&z, &a, &csr), &line), "z: `z` is not defined");
        let call = session.call(&line, &y, &[Typed::Written(a)], &mut |_| ());
        assert_eq!(refusal(call, &line), "y: there is no function `@y`");
    }
}
