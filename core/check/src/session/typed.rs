//! Words of a command line that are in nnz notation: a type, and the arguments of a call. Mistakes are reported at
//! their places in the line.

use super::{
    ProgramCall,
    call::{Handed, called},
};
use crate::{
    Checker,
    scope::{Scope, Word},
    spec::{self, Spec},
};
use nnz_base::{diagnostic::Diagnostic, source::Source};
use nnz_syntax::{NodeRef, Tree, session};

/// An argument that a command line gives to a function.
#[derive(Clone, Debug)]
pub enum Typed {
    /// A file that holds a tensor, or whose name is wanted.
    File(Word),
    /// As the notation writes it: a number, a literal.
    Written(Word),
}

/// The meaning of words, with warnings about them; or their errors.
pub type Meant<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// The type that a word of `line` denotes.
///
/// # Errors
/// It is not a type.
pub fn typed_spec((line, scope): (&Source, &Scope), word: &Word) -> Meant<Spec> {
    let mut c = Checker::within(line, scope);
    let tree = session::parse_type(placed(word));
    let spec = sound(&mut c, &tree).and_then(|node| spec::spec(&mut c, node));
    meant(c, spec)
}

/// The call of a function with words of `line`.
///
/// # Errors
/// There is no such function, or it does not take them.
pub fn typed_call((line, scope): (&Source, &Scope), function: &Word, typed: &[Typed]) -> Meant<ProgramCall> {
    let mut c = Checker::within(line, scope);
    let tree = |typed: &Typed| match typed {
        Typed::File(_) => None,
        Typed::Written(word) => Some(session::parse_argument(placed(word))),
    };
    let trees: Vec<Option<Tree>> = typed.iter().map(tree).collect();
    let mut handed = Vec::new();
    for pair in typed.iter().zip(&trees) {
        match pair {
            (Typed::File(path) | Typed::Written(path), None) => handed.push(Handed::File(path)),
            (_, Some(tree)) => handed.extend(sound(&mut c, tree).map(Handed::Node)),
        }
    }
    let whole = handed.len() == typed.len();
    let call = whole.then(|| called(&mut c, scope, function.clone(), &handed, (Vec::new(), None)));
    meant(c, call.flatten())
}

/// The only node of a tree without errors, which are reported.
fn sound<'t>(c: &mut Checker<'_>, tree: &'t Tree) -> Option<NodeRef<'t>> {
    for error in tree.errors() {
        let error = c.syntax_diagnostic(error);
        c.report(error);
    }
    tree.root().children().next().filter(|_| tree.errors().is_empty())
}

fn meant<T>(mut c: Checker<'_>, found: Option<T>) -> Meant<T> {
    let diagnostics = c.take_diagnostics();
    match found.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) {
        Some(found) => Ok((found, diagnostics)),
        None => Err(diagnostics),
    }
}

/// The text of a word, as far from the start as in its line.
fn placed(word: &Word) -> String {
    " ".repeat(word.span.start as usize) + &word.text
}
