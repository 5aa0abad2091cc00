use crate::SyntaxError;

fn errors(text: &str) -> Vec<SyntaxError> {
    crate::session::parse(text.to_string()).errors().to_vec()
}

/// The bytes of all that is said.
fn said(errors: &[SyntaxError]) -> usize {
    let fixes = |error: &SyntaxError| -> usize {
        let texts = error.fixes.iter().flat_map(|fix| &fix.edits).map(|(_, text)| text.len());
        texts.chain(error.fixes.iter().map(|fix| fix.title.len())).sum()
    };
    errors.iter().map(|error| error.message.len() + fixes(error)).sum()
}

const TOO_LONG: &str = "this expression is too long: more than 256 operations in a row";

/// What repeats what stands before it grows with the square of a chain, and each rank of operators began another chain.
#[test]
fn what_other_languages_write_may_be_as_long_as_what_this_one_does() {
    const OPERATORS: [&str; 19] =
        ["**", "^", ".^", "@", "&&", "||", "&", "|", "%", "~=", "<>", "≤", "≥", "≠", "===", "=>", "⋅", "×", "÷"];
    const SUFFIXES: [&str; 5] = ["'", ".'", "ᵀ", "²", "³"];
    let chains = OPERATORS.iter().map(|sign| (*sign, format!("y = 2{}\n", format!("{sign}2").repeat(20_000))));
    let spaced = OPERATORS.iter().map(|sign| (*sign, format!("y = (a{})\n", format!(" {sign} a").repeat(20_000))));
    let suffixes = SUFFIXES.iter().map(|sign| (*sign, format!("y = a{}\n", sign.repeat(20_000))));
    for (sign, text) in chains.chain(spaced).chain(suffixes) {
        let errors = errors(&text);
        assert!(errors.iter().any(|error| error.message == TOO_LONG), "{sign}: {:?}", errors.first());
        assert!(errors.len() < 1_000 && said(&errors) < 1 << 22, "{sign}: {} errors, {}", errors.len(), said(&errors));
    }
}

/// One in a row more than that is the first that is refused.
#[test]
fn as_many_powers_as_other_operations_are_told_of() {
    let refused = |count: usize| {
        let errors = errors(&format!("y = 2{}\n", "**2".repeat(count)));
        errors.iter().any(|error| error.message == TOO_LONG)
    };
    assert_eq!([refused(200), refused(256), refused(257)], [false, false, true]);
}

/// The statements behind it are read.
#[test]
fn a_long_chain_ends_with_its_line() {
    let errors = errors(&format!("y = 2{}\nz = 1 +\n", "≤2".repeat(1_000)));
    assert!(errors.last().is_some_and(|error| error.message.starts_with("expected an expression")), "{errors:?}");
}

/// Each pair of brackets was compared with all before it, and each part of a line looked through all the rest.
#[test]
fn long_lines_of_parts_end_somewhere() {
    for text in [format!("y = A{}\n", "(1)".repeat(20_000)), format!("y = a{}\n", " : a".repeat(20_000))] {
        let errors = errors(&text);
        assert!(!errors.is_empty() && said(&errors) < 1 << 24, "{}", said(&errors));
    }
}
