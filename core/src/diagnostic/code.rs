//! The register of codes. A code is stable once published: it is never given another meaning.
//! E0001-E0099 syntax, E0100-E0199 encodings, E0200-E0299 types and literals, E0300-E0399 kernels,
//! E0400-E0499 storage and files, E0500-E0599 sessions, E0900 compiler bugs;
//! `W` warnings and `H` hints use the same hundreds.

use super::Severity;

/// One row per code: its variant, its text, what it means at length. In `explanation`, a wrong
/// example stands in a fence opened by "```wrong", a right one in "```right".
macro_rules! codes {
    ($($variant:ident $text:literal $title:literal $explanation:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($variant),* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            pub fn text(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }
            /// In a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),* }
            }
            /// At length, with a wrong and a right example.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation),* }
            }
        }
    };
}

codes! {
    SyntaxError "E0001" "unexpected text"
        "The text does not follow the grammar at the underlined place; the message says what would be legal there.\n\n```wrong\n#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense j : compressed) }>\n```\n\n```right\n#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n```"
    UnknownCommand "E0501" "unknown command"
        "A line that starts with a colon is a command, and there is none of that name. `:help` lists them all.\n\n```wrong\n:shwo tree A\n```\n\n```right\n:show tree A\n```"
    CommandArguments "E0502" "arguments that a command cannot take"
        "The command exists, but it needs other arguments; the message says which, and the help line shows the form.\n\n```wrong\n:show A\n```\n\n```right\n:show levels A\n```"
    CompilerBug "E0900" "a bug in nnz"
        "nnz produced loops that its own verifier refuses. The input is not to blame; please report it together with the loops shown."
}

impl Code {
    pub fn severity(self) -> Severity {
        match self.text().as_bytes().first() {
            Some(b'W') => Severity::Warning,
            Some(b'H') => Severity::Hint,
            _ => Severity::Error,
        }
    }

    /// The code written as `text`, in any case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.text().eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_distinct_and_explained() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert!(!code.explanation().is_empty() && !code.title().is_empty());
            assert!(Code::ALL[..at].iter().all(|other| other.text() != code.text()), "{} twice", code.text());
            assert_eq!(Code::parse(code.text()), Some(*code));
        }
    }
}
