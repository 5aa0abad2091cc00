//! Unknown names, and what was probably meant.

use std::{collections::HashMap, sync::LazyLock};

use super::Notation;
use crate::{
    Checker,
    kernel::{example_indices, functions, is_function, semiring},
    scope::{Meaning, Scope, nearest, plural, suggest},
    sizes,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    element::Element,
    source::Span,
};
use nnz_encoding::named;
use nnz_syntax::habits;

impl Notation<'_, '_> {
    /// Reports an unknown name used as a value.
    pub(in crate::kernel) fn unknown(&mut self, span: Span, name: &str) {
        let message = format!("`{name}` is not defined");
        let diagnostic = Diagnostic::new(Code::UnknownName, self.c.source.id, span, message).label("not defined");
        if let Some(told) = member(&diagnostic, name).or_else(|| misread(self.c, &diagnostic, span)) {
            return self.c.report(told);
        }
        let scope = self.scope;
        let mut known: Vec<&str> = self.c.guesses(scope, |meaning| matches!(meaning, Meaning::Scalar(_)));
        known.extend(functions::CONSTANTS.iter().map(|(name, _)| *name).filter(|name| name.len() > 1));
        let example = match name {
            "i" | "j" => format!(
                "`{name}` is an index variable where it indexes a tensor, as in `x({name})`; a complex number is written `(3, 2)`"
            ),
            _ => format!("define it first, as in `{name} : f64 = 2`; an index variable indexes a tensor"),
        };
        self.c.report(suggest(diagnostic, name, known, example));
    }

    /// Reports an unknown name that is called.
    pub(in crate::kernel) fn unknown_function(&mut self, span: Span, name: &str, arguments: usize) {
        let told = unknown_function(self.c, self.scope, (span, name), arguments);
        self.c.report(told);
    }
}

/// A name that belongs to no expression: it begins a comment, `x(i) -- as before`, or the next statement, behind a line
/// that ends with an operator.
fn misread(c: &Checker<'_>, error: &Diagnostic, span: Span) -> Option<Diagnostic> {
    let text = c.source.text.get(..span.start as usize)?;
    let before = text.trim_end();
    let gap = &text[before.len()..];
    let edit = |len: usize, replacement: &str| Edit {
        file: c.source.id,
        span: Span::new(before.len() - len, before.len()),
        replacement: replacement.to_string(),
    };
    let fixed =
        |error: Diagnostic, title: String, edit| error.fix_edits(title, vec![edit], Applicability::MaybeIncorrect);
    if before.ends_with(" --") && !gap.is_empty() && !gap.contains('\n') {
        let error = error.clone().help("a comment begins with `//`");
        return Some(fixed(error, "write `//`".to_string(), edit(2, "//")));
    }
    let sign = before.chars().next_back().filter(|sign| matches!(sign, '+' | '-' | '*' | '/'))?;
    let next = gap.ends_with('\n') && !before.ends_with("//");
    let error = error.clone().help(format!("the line before ends with `{sign}`, so it goes on here"));
    next.then(|| fixed(error, format!("remove `{sign}`"), edit(1, "")))
}

/// `A.T`, `A.nnz`, `np.pi`
fn member(diagnostic: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let (object, member) = name.rsplit_once('.')?;
    let help = match habits::member(member) {
        _ if matches!(member, "T" | "H") => {
            format!("a transpose is written with indices: `{object}(j, i)` for `{object}(i, j)`")
        }
        Some(how) => how.to_string(),
        None => "names have no members".to_string(),
    };
    Some(diagnostic.clone().help(help))
}

/// The diagnostic for an unknown name that is called with so many arguments.
pub(crate) fn unknown_function(
    c: &mut Checker<'_>,
    scope: &Scope,
    (span, name): (Span, &str),
    arguments: usize,
) -> Diagnostic {
    let message = format!("there is no tensor and no function `{name}`");
    let diagnostic = Diagnostic::new(Code::UnknownName, c.source.id, span, message).label("not defined");
    let written = |own: &str| {
        let edit = Edit { file: c.source.id, span, replacement: own.to_string() };
        let told = diagnostic.clone().help(format!("`{name}` is written `{own}`"));
        told.fix_edits(format!("write `{own}`"), vec![edit], Applicability::MaybeIncorrect)
    };
    if name == "not" {
        let end = Span::at(span.start as usize + call_from(c, span).len());
        let edit = |span: Span, sign: &str| Edit { file: c.source.id, span, replacement: sign.to_string() };
        let edits = vec![edit(Span::at(span.start as usize), "("), edit(end, ")")];
        let message = "`not` binds less than the sign in front of it";
        let told = Diagnostic::new(Code::NoCondition, c.source.id, span, message);
        return told.label("needs brackets").fix_edits("put it in brackets", edits, Applicability::MaybeIncorrect);
    }
    if scope.function(name).is_some() {
        let how = format!("a function of a program is called by a statement of its own: `t = @{name}(...)`");
        return diagnostic.help(scope.with_free_names(&how));
    }
    if named::FORMATS.iter().any(|format| format.name == name) {
        return diagnostic.help(format!("`{name}` is a format: a tensor is converted by its type, `B : {name} = A`"));
    }
    if let Some((object, format)) = converting(scope, name) {
        return diagnostic
            .help(format!("a tensor is converted by its type: `{} : {format} = {object}`", free_name(scope)));
    }
    match (habits::function(name), name.rsplit_once('.')) {
        (_, Some((_, "T" | "H"))) => member(&diagnostic, name).unwrap_or(diagnostic),
        (Some(habits::Function::Said(how)), _) => {
            let product = product_of(scope, name, call_from(c, span));
            diagnostic.help(product.unwrap_or_else(|| scope.said(how, call_from(c, span))))
        }
        (Some(habits::Function::Named(own)), Some((object, _))) if scope.get(object).is_some() => {
            diagnostic.help(of_entries(own, object, arguments))
        }
        (_, Some((object, own))) if scope.get(object).is_some() && functions::find(own).is_some() => {
            diagnostic.help(of_entries(own, object, arguments))
        }
        (Some(habits::Function::Named(own)), _) => written(own),
        (None, Some((object, own))) if scope.get(object).is_none() && is_function(own) => written(own),
        (None, Some((object, own))) if scope.get(object).is_some() => {
            let how = habits::member(own).map(|how| scope.said(&of_object(how, object), call_from(c, span)));
            diagnostic.help(how.unwrap_or("names have no members".to_string()))
        }
        _ => near_function(c, scope, diagnostic, (name, call_from(c, span)), arguments),
    }
}

/// The product that `dot(x, y)` or `A.dot(x)` means, by the dimensions of the two.
fn product_of(scope: &Scope, name: &str, call: &str) -> Option<String> {
    let (object, function) = name.rsplit_once('.').unwrap_or(("", name));
    if !matches!(function, "dot" | "inner" | "vdot" | "matmul") {
        return None;
    }
    let inside = call.split_once('(')?.1.strip_suffix(')')?;
    let operands: Vec<&str> =
        [object].into_iter().chain(inside.split(',')).map(str::trim).filter(|one| !one.is_empty()).collect();
    let rank = |name: &str| if let Some(Meaning::Tensor(ty)) = scope.get(name) { ty.rank() } else { None };
    let &[first, second] = operands.as_slice() else { return None };
    let product = match (rank(first)?, rank(second)?) {
        (1, 1) => format!("a product of vectors is a kernel: `s : f64 = sum(i, {first}(i) * {second}(i))`"),
        (2, 1) => format!("a product is a kernel: `y(i) = {first}(i, j) * {second}(j)`"),
        (1, 2) => format!("a product is a kernel: `y(j) = {first}(i) * {second}(i, j)`"),
        (2, 2) => format!("a product is a kernel: `C(i, j) = {first}(i, k) * {second}(k, j)`"),
        _ => return None,
    };
    Some(scope.with_free_names(&product))
}

/// What is said of `A`, said of `object`.
pub(crate) fn of_object(how: &str, object: &str) -> String {
    let how = how.replace("`A`", &format!("`{object}`")).replace("A(", &format!("{object}("));
    how.replace(":type A", &format!(":type {object}")).replace(":show levels A", &format!(":show levels {object}"))
}

/// The tensor and the format of `A.tocsc`.
pub(crate) fn converting<'n>(scope: &Scope, name: &'n str) -> Option<(&'n str, &'static str)> {
    let (object, method) = name.rsplit_once('.')?;
    matches!(scope.get(object), Some(Meaning::Tensor(_))).then_some(())?;
    Some((object, habits::format_of_method(method)?))
}

/// A name that nothing has.
fn free_name(scope: &Scope) -> &'static str {
    ["B", "C", "D", "E", "T"].into_iter().find(|name| scope.get(name).is_none()).unwrap_or("NAME")
}

/// `A.power(2)`
fn of_entries(function: &str, object: &str, arguments: usize) -> String {
    let more = if arguments > 0 { ", ..." } else { "" };
    format!("names have no members: a function takes entries, as in `{function}({object}(i, j){more})`")
}

fn near_function(
    c: &mut Checker<'_>,
    scope: &Scope,
    diagnostic: Diagnostic,
    (name, call): (&str, &str),
    arguments: usize,
) -> Diagnostic {
    if let Some(own) = semiring_without_signs(name) {
        return suggest(diagnostic, name, [own], format!("this product is called `{own}`"));
    }
    let semirings: Vec<String> = if name.contains('_') { semiring::names().collect() } else { Vec::new() };
    let fits =
        |meaning: &Meaning| matches!(meaning, Meaning::Tensor(ty) if ty.rank().is_none_or(|rank| rank == arguments));
    let mut known: Vec<&str> = c.guesses(scope, fits);
    functions::function_names().for_each(|name| known.push(name));
    if arguments == 1 {
        known.extend(Element::ALL.iter().map(|element| element.name()));
    }
    known.extend(semirings.iter().map(String::as_str));
    let example = match arguments {
        // Words are functions, letters are tensors.
        _ if name.len() > 2 && name.starts_with(|c: char| c.is_ascii_lowercase()) => such_functions(name),
        1 => format!("define it first, as in `{name}{}`", vector(c, scope, call)),
        2 => format!("define it first, as in `{name} : CSR = read \"file.mtx\"`"),
        _ => format!("define it first, as in `{name} : CSF = read \"file.tns\"`"),
    };
    match did_you_mean(name, known.iter().copied()) {
        None => diagnostic.help(of_other_rank(c, scope, name).unwrap_or(example)),
        Some(_) => suggest(diagnostic, name, known, example),
    }
}

/// A tensor with a name like that, and its indices: it has another number of them.
fn of_other_rank(c: &mut Checker<'_>, scope: &Scope, name: &str) -> Option<String> {
    let near = did_you_mean(name, c.guesses(scope, |meaning| matches!(meaning, Meaning::Tensor(_))))?;
    let Some(Meaning::Tensor(ty)) = scope.get(near) else { return None };
    let rank = ty.rank()?;
    Some(format!("did you mean `{near}`? it has {}: `{near}({})`", plural(rank, "dimension"), example_indices(rank)))
}

/// The text of the call whose name is there.
fn call_from<'s>(c: &Checker<'s>, name: Span) -> &'s str {
    sizes::call_at(c.source.text.get(name.start as usize..).unwrap_or_default())
}

/// ` = [1, 2, 3]` for `x(j)` in a line with a tensor in which `j` runs over 3 coordinates.
fn vector(c: &Checker<'_>, scope: &Scope, call: &str) -> String {
    let index = call.split_once('(').map_or("", |(_, index)| index.trim_end_matches(')').trim());
    let at = c.source.text.find(call).unwrap_or_default();
    let line = c.source.slice(c.source.lines.line_span(&c.source.text, c.source.line_col(at).line as usize));
    match scope.extent_in(line, index) {
        Some(size @ 1..=6) => {
            let values: Vec<String> = (1..=size).map(|value| value.to_string()).collect();
            format!(" = [{}]", values.join(", "))
        }
        Some(size) => format!(" : tensor<{size}xf64> = dense<1>"),
        None => " = [1, 2, 3]".to_string(),
    }
}

/// The semiring that a name is but for capitals and underscores.
fn semiring_without_signs(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<String, String>> =
        LazyLock::new(|| semiring::names().map(|own| (joined(&own), own)).collect());
    NAMES.get(&joined(name)).map(String::as_str)
}

/// `min.plus`, `plus_mul` and `MinPlus` are near to what they mean.
fn joined(name: &str) -> String {
    let name = name.replace(['_', '.'], "").to_lowercase();
    let name = name.strip_suffix("mul").map_or(name.clone(), |add| format!("{add}times"));
    name.strip_prefix("add").map_or(name.clone(), |rest| format!("plus{rest}"))
}

/// The functions that a word is near to: of a word that is far from all, where they are listed.
fn such_functions(word: &str) -> String {
    let near = |name: &&str| name.contains(word) || did_you_mean(word, [*name]).is_some();
    let such: Vec<&str> = functions::function_names().filter(near).collect();
    match such.is_empty() {
        true if word.contains('_') => "`:help semirings` lists the products over semirings".to_string(),
        true => "`:help functions` lists the functions".to_string(),
        false => format!("functions with such names: {}", nearest(word, such)),
    }
}
