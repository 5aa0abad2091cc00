//! Calls with the parentheses or in the form of other languages.

use crate::{Checkpoint, Parser, SyntaxError, habits, words::is_function};
use nnz_base::{element::Element, source::Span};

/// `sum i, x(i)`: the rest of the line, which begins with a variable and a `,`.
pub(super) fn listed_behind<'t>(word: &str, rest: &'t str) -> Option<&'t str> {
    let line = rest.split(['\n', '\r', ';']).next()?.split("//").next()?.trim_end();
    let (variable, argument) = line.split_once(',')?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let whole = line.matches('(').count() == line.matches(')').count();
    let takes = matches!(word, "sum" | "prod" | "min" | "max" | "any" | "all" | "argmin" | "argmax" | "reduce");
    (takes && is_name(variable) && whole && !argument.trim().is_empty()).then_some(line)
}

/// `A.transpose().dot(v)`, `n(i).astype(f64)`: a method behind a call.
pub(super) fn method(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let name = p.rest().strip_prefix('.')?;
    let name = &name[..name.len() - name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()];
    if name.is_empty() || !p.text_since(start).ends_with(')') {
        return None;
    }
    let whole = Span::new(place.start as usize, place.start as usize + 1 + name.len());
    let error = SyntaxError::new(whole, format!("values have no methods, and `.{name}` is none")).label("not here");
    Some(match habits::function(name) {
        Some(habits::Function::Said(how)) => error.help(*how),
        Some(habits::Function::Named(own)) => error.help(format!("a function takes it in parentheses: `{own}(...)`")),
        None if matches!(name, "astype" | "to" | "cast") => {
            let own = type_in(&p.rest()[1 + name.len()..]).unwrap_or("f64");
            error.help(format!("a conversion is called like a function: `{own}(x(i))`"))
        }
        None => error.help("what is computed stands in functions and operators: `sqrt(x(i))`, `A(i, j) * x(j)`"),
    })
}

/// The type that `(f32)`, `(np.float32)` and `("float32")` name.
fn type_in(arguments: &str) -> Option<&'static str> {
    let (name, _) = arguments.strip_prefix('(')?.split_once(')')?;
    let name = name.trim().trim_matches(['"', '\'']).rsplit('.').next()?;
    Element::parse(name).map(Element::name).or_else(|| habits::type_name(name))
}

/// `sum_j A(i, j) * x(j)`, from the end of its `word` on.
pub(super) fn reduced(p: &Parser, word: &str, place: Span) -> Option<SyntaxError> {
    let (function, subscript) = word.split_once('_')?;
    let rest = p.rest().split(['\n', '\r', ';']).next()?.split("//").next()?.trim_end();
    let names: Vec<&str> = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let letters: Vec<&str> = subscript.split("").filter(|letter| !letter.is_empty()).collect();
    let vars = if names.contains(&subscript) { vec![subscript] } else { letters };
    let reduces = matches!(function, "sum" | "prod" | "min" | "max");
    if !reduces || vars.is_empty() || !vars.iter().all(|var| names.contains(var)) {
        return None;
    }
    let vars = vars.join(", ");
    let message = format!("what `{function}` takes stands in its parentheses: `{function}({vars}, ...)`");
    let error = SyntaxError::new(place, message).label("not in the parentheses");
    // How far a sum reaches that is followed by another is not known.
    if rest.contains(['+', '-', '=']) || rest.matches('(').count() != rest.matches(')').count() {
        return Some(error);
    }
    let begin = Span::new(p.consumed_end() - word.len(), place.start as usize);
    let end = Span::at(place.start as usize + rest.len());
    let edits = vec![(begin, format!("{function}({vars}, ")), (end, ")".to_string())];
    Some(error.guess(format!("write `{function}({vars}, {rest})`"), edits))
}

/// The `x(i)` of `sqrt x(i)`: a name with its indices, on one line.
pub(super) fn argument_behind<'t>(word: &str, rest: &'t str) -> Option<&'t str> {
    let line = rest.split(['\n', '\r', ';']).next()?;
    let name = line.len() - line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    let indices = match line[name..].strip_prefix('(') {
        Some(inside) => inside.find(')')? + 2,
        None => 0,
    };
    let argument = &line[..name + indices];
    let starts = argument.starts_with(|c: char| c.is_ascii_alphanumeric());
    let nested = argument.matches('(').count() > 1;
    (is_function(word) && starts && !nested).then_some(argument)
}
