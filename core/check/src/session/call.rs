//! Calls of functions of MLIR programs, `B = @f(A, 2.5, [1, 2])`, checked against the function's type.

use super::{Argument, Given, ProgramCall, is_constant, nesting, quoted, word};
use crate::{
    Checker,
    kernel::functions::named_constant,
    literal::{self, Wanted},
    scope::{Meaning, Parameter, PartialType, Scope, Signature, Word, plural, suggest},
    spec::Spec,
    types::TensorType,
    used,
    value::{unsigned, value},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef};

/// The call; `None` if it has errors, which are then reported.
pub(super) fn call(
    c: &mut Checker<'_>,
    scope: &Scope,
    node: NodeRef<'_>,
    (targets, spec): (Vec<Word>, Option<Spec>),
) -> Option<ProgramCall> {
    let name = word(node)?;
    let function = Word { text: name.text.trim_start_matches('@').to_string(), span: name.span };
    let given: Vec<Handed<'_>> = node.children().map(Handed::Node).collect();
    called(c, scope, function, &given, (targets, spec))
}

/// An argument as it is passed.
#[derive(Clone, Copy)]
pub(super) enum Handed<'t> {
    Node(NodeRef<'t>),
    /// A file, by its name.
    File(&'t Word),
}

impl Handed<'_> {
    fn span(self) -> Span {
        match self {
            Handed::Node(node) => node.span(),
            Handed::File(path) => path.span,
        }
    }
}

/// The call of a function with arguments; `None` if it has errors, which are then reported.
pub(super) fn called(
    c: &mut Checker<'_>,
    scope: &Scope,
    function: Word,
    given: &[Handed<'_>],
    (targets, spec): (Vec<Word>, Option<Spec>),
) -> Option<ProgramCall> {
    let Some(signature) = scope.function(&function.text) else {
        // Its file may not have been read.
        return match scope.is_open() {
            true => Some(ProgramCall { function, arguments: Vec::new(), targets, spec }),
            false => unknown(c, scope, &function),
        };
    };
    if given.len() != signature.inputs.len() {
        let message =
            format!("`@{}` takes {}, not {}", function.text, plural(signature.inputs.len(), "value"), given.len());
        let place = given.get(signature.inputs.len()).map_or(function.span, |extra| extra.span());
        return refuse(c, Code::WrongArity, place, message, type_of(&function, signature));
    }
    check_targets(c, scope, (signature, (&function, given)), (&targets, spec.as_ref()))?;
    let mut arguments = Vec::new();
    for (handed, parameter) in given.iter().zip(&signature.inputs) {
        let given = match *handed {
            Handed::Node(node) => Given::of(c, scope, node, parameter),
            Handed::File(path) => Given::file(c, path, parameter),
        };
        arguments.push(given.map(|given| Argument { given, span: handed.span() }));
    }
    let arguments = arguments.into_iter().collect::<Option<Vec<_>>>()?;
    Some(ProgramCall { function, arguments, targets, spec })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of diagnostics are many")]
fn refuse<T>(c: &mut Checker<'_>, code: Code, span: Span, message: String, help: Option<String>) -> Option<T> {
    let label = match code {
        Code::WrongArity => "not as many as the function has",
        Code::ValueType => "not what the function has here",
        Code::ShapeMismatch => "of another size",
        _ => "",
    };
    let mut diagnostic = Diagnostic::new(code, c.source.id, span, message).label(label);
    diagnostic.helps.extend(help);
    c.diagnostics.push(diagnostic);
    None
}

fn type_of(function: &Word, signature: &Signature) -> Option<String> {
    Some(format!("`@{}` is {}", function.text, signature.text))
}

fn unknown(c: &mut Checker<'_>, scope: &Scope, function: &Word) -> Option<ProgramCall> {
    let message = format!("there is no function `@{}`", function.text);
    let diagnostic = Diagnostic::new(Code::UnknownFunction, c.source.id, function.span, message);
    let diagnostic = diagnostic.label("in no file that is used");
    let names: Vec<String> = scope.functions().map(|(name, _)| format!("@{name}")).collect();
    let other = match names.is_empty() {
        true => "`use \"program.mlir\"` makes the functions of a program known".to_string(),
        false => format!("the functions are {}", names.join(", ")),
    };
    let written = format!("@{}", function.text);
    c.diagnostics.push(suggest(diagnostic, &written, names.iter().map(String::as_str), other));
    None
}

/// The call as its text has it, `@f(A, 2.5)`; a long one in short, `@f(...)`.
fn written(c: &Checker<'_>, function: &Word, given: &[Handed<'_>]) -> String {
    const SHORT: usize = 60;
    let length = given.iter().map(|handed| handed.span().range().len()).sum::<usize>();
    let text = |handed: &Handed<'_>| c.text(handed.span()).split_whitespace().collect::<Vec<_>>().join(" ");
    let arguments = match length > SHORT {
        true => "...".to_string(),
        false => given.iter().map(text).collect::<Vec<_>>().join(", "),
    };
    format!("@{}({arguments})", function.text)
}

/// `b, n`: a name for each of `count` results; those that the text lacks are free.
fn names_for(scope: &Scope, targets: &[Word], count: usize) -> String {
    let mut names: Vec<String> = targets.iter().take(count).map(|target| target.text.clone()).collect();
    let base = targets.first().map_or("r", |first| first.text.as_str());
    for at in names.len()..count {
        let free = |name: &String| scope.get(name).is_none() && !names.contains(name);
        names.extend((at + 1..).map(|number| format!("{base}{number}")).find(free));
    }
    names.join(", ")
}

/// The right form of a call whose results are named or typed in the wrong number.
fn form(c: &Checker<'_>, scope: &Scope, (function, given): Called<'_, '_>, named: (&[Word], usize)) -> String {
    match (written(c, function, given), named) {
        (call, (_, 0)) => format!("write `{call}`"),
        (call, (targets, count)) => format!("write `{} = {call}`", names_for(scope, targets, count)),
    }
}

/// A function and what it is given.
type Called<'w, 't> = (&'w Word, &'w [Handed<'t>]);

/// As many names as results, or none; a declared type for one result.
fn check_targets(
    c: &mut Checker<'_>,
    scope: &Scope,
    (signature, called): (&Signature, Called<'_, '_>),
    (targets, spec): (&[Word], Option<&Spec>),
) -> Option<()> {
    let (count, function) = (signature.results.len(), &called.0.text);
    let wrong = targets
        .first()
        .filter(|_| targets.len() != count)
        .map(|first| (first.span, format!("`@{function}` gives {}, not {}", plural(count, "value"), targets.len())));
    let typed = spec.filter(|_| count != 1).map(|spec| (spec.span, "a type is for one result".to_string()));
    let Some((place, message)) = wrong.or(typed) else { return check_type(c, signature, called.0, spec) };
    let _: Option<()> = refuse(c, Code::WrongArity, place, message, type_of(called.0, signature));
    let form = form(c, scope, called, (targets, count));
    c.diagnostics.last_mut()?.helps.push(form);
    None
}

/// Whether the declared type is one of what the function's only result can be converted to.
fn check_type(c: &mut Checker<'_>, signature: &Signature, function: &Word, spec: Option<&Spec>) -> Option<()> {
    match (spec, signature.results.as_slice()) {
        (Some(spec), [Parameter::Scalar(element)]) if spec.scalar().is_none() => {
            let message = format!("`@{}` gives `{element}`", function.text);
            let _: Option<()> = refuse(c, Code::ValueType, spec.span, message, None);
            let last = c.diagnostics.pop()?;
            c.report(last.fix(format!("write `{element}`"), spec.span, element.to_string()));
            None
        }
        (Some(spec), [Parameter::Tensor(tensor)]) if spec.rank().is_some_and(|rank| rank != tensor.shape.len()) => {
            let message = format!("`@{}` gives {}", function.text, dimensions(tensor.shape.len()));
            refuse(c, Code::ValueType, spec.span, message, type_of(function, signature))
        }
        _ => Some(()),
    }
}

fn dimensions(rank: usize) -> String {
    plural(rank, "dimension")
}

impl Given {
    fn of(c: &mut Checker<'_>, scope: &Scope, node: NodeRef<'_>, parameter: &Parameter) -> Option<Given> {
        match parameter {
            Parameter::Scalar(element) => Given::scalar(c, scope, node, *element),
            Parameter::Tensor(tensor) => Given::tensor(c, scope, node, tensor),
            Parameter::File if node.kind() == NodeKind::StringArg => Some(Given::File(quoted(node)?)),
            Parameter::File => {
                refuse(c, Code::ValueType, node.span(), "the name of a file stands here, in quotes".to_string(), None)
            }
            Parameter::Foreign(ty) => foreign(c, node.span(), ty),
        }
    }

    fn file(c: &mut Checker<'_>, path: &Word, parameter: &Parameter) -> Option<Given> {
        match parameter {
            Parameter::Tensor(_) => read(c, path.clone()),
            Parameter::File => Some(Given::File(path.clone())),
            Parameter::Scalar(element) => {
                refuse(c, Code::ValueType, path.span, format!("the function takes `{element}` here"), None)
            }
            Parameter::Foreign(ty) => foreign(c, path.span, ty),
        }
    }

    fn scalar(c: &mut Checker<'_>, scope: &Scope, node: NodeRef<'_>, element: Element) -> Option<Given> {
        if is_constant(node, scope) {
            let found = value(c.source.id, node, element);
            return found.map_err(|error| c.diagnostics.push(*error)).ok().map(Given::Scalar);
        }
        let wants = || format!("the function takes `{element}` here");
        if let Some(number) = named_number(node, scope) {
            let message = || format!("{}, and `{}` is not an integer", wants(), node.text());
            return match element.is_integer() {
                true => refuse(c, Code::ValueType, node.span(), message(), None),
                false => Some(Given::Scalar(number)),
            };
        }
        let Some(name) = name_of(node) else {
            let help = match names_values(scope) {
                true => "a number, or the name of a scalar: `a : f64 = ...` names one".to_string(),
                false => "a number, as in `2`".to_string(),
            };
            return refuse(c, Code::ValueType, node.span(), wants(), Some(help));
        };
        match meaning(c, scope, &name)? {
            Meaning::Scalar(own) if *own == element => Some(Given::Name(name)),
            Meaning::Scalar(own) => {
                let message = format!("{}, and `{}` is `{own}`", wants(), name.text);
                let free = scope.free_name(&format!("{}_2", name.text));
                let help = format!("convert it by a kernel: `{free} : {element} = {element}({})`", name.text);
                refuse(c, Code::ValueType, node.span(), message, Some(help))
            }
            Meaning::Encoding(_) | Meaning::Tensor(_) | Meaning::Broken => {
                refuse(c, Code::ValueType, node.span(), format!("{}, and `{}` is no scalar", wants(), name.text), None)
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn tensor(c: &mut Checker<'_>, scope: &Scope, node: NodeRef<'_>, tensor: &TensorType) -> Option<Given> {
        match node.kind() {
            NodeKind::Read => return read(c, quoted(node)?),
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral => {
                return literal_of(c, node, tensor);
            }
            NodeKind::StringArg => {
                let text = node.text();
                let help = format!("`read {text}` reads a tensor from a file");
                let message = "the function takes a tensor here".to_string();
                return refuse(c, Code::ValueType, node.span(), message, Some(help));
            }
            _ => {}
        }
        let Some(name) = name_of(node) else {
            let message = format!("the function takes a tensor of {} here", dimensions(tensor.shape.len()));
            let named = if names_values(scope) { "by its name, " } else { "" };
            let list = example_list(tensor.shape.len());
            let help = format!("a tensor is given {named}as a literal, as in `{list}`, or by `read \"file\"`");
            return refuse(c, Code::ValueType, node.span(), message, Some(help));
        };
        if let Meaning::Tensor(own) = meaning(c, scope, &name)? {
            fits(c, scope, &name, own, tensor).then_some(Given::Name(name))
        } else {
            let message = format!(
                "the function takes a tensor of {} here, and `{}` is none",
                dimensions(tensor.shape.len()),
                name.text
            );
            refuse(c, Code::ValueType, node.span(), message, None)
        }
    }
}

/// The value of `pi`, `-e` and the like, where the name stands for nothing else.
fn named_number(node: NodeRef<'_>, scope: &Scope) -> Option<Scalar> {
    let (negative, name) = unsigned(node);
    let value = named_constant(name.text()).filter(|_| name.kind() == NodeKind::Name)?;
    let value = if negative { -value } else { value };
    scope.get(name.text()).is_none().then_some(Scalar::Float(value))
}

fn foreign<T>(c: &mut Checker<'_>, place: Span, ty: &str) -> Option<T> {
    refuse(c, Code::ValueType, place, format!("the function takes `{ty}` here, which no session has"), None)
}

fn read(c: &mut Checker<'_>, path: Word) -> Option<Given> {
    match used::unknown_kind(c.source.id, &path) {
        Some(error) => {
            c.diagnostics.push(error);
            None
        }
        None => Some(Given::Read(path)),
    }
}

fn name_of(node: NodeRef<'_>) -> Option<Word> {
    word(node).filter(|_| node.kind() == NodeKind::Name)
}

fn literal_of(c: &mut Checker<'_>, node: NodeRef<'_>, tensor: &TensorType) -> Option<Given> {
    let rank = nesting(node);
    if node.kind() != NodeKind::DenseLiteral && rank != tensor.shape.len() {
        let message = format!("the function takes {} here, not {}", dimensions(tensor.shape.len()), rank);
        return refuse(c, Code::ValueType, node.span(), message, None);
    }
    let sizes =
        node.kind() == NodeKind::ListLiteral || node.children().any(|part| part.kind() == NodeKind::ListLiteral);
    if tensor.shape.contains(&None) && (node.kind() == NodeKind::SparseLiteral || !sizes) {
        let message = "neither this nor the function tells the sizes of the tensor".to_string();
        let (rank, text) = (tensor.shape.len(), node.text());
        let help = format!("a list of all entries tells its sizes, as in `{}`", example_list(rank));
        let ty = format!("tensor<{}{}>", "4x".repeat(rank), tensor.element);
        let error = Diagnostic::new(Code::IncompleteType, c.source.id, node.span(), message).help(help);
        c.report(
            error.label("of unknown sizes").help(format!("in a session, name it with its type: `x : {ty} = {text}`")),
        );
        return None;
    }
    let (element, shape) = (tensor.element, tensor.shape.clone());
    let plain = TensorType { encoding: None, ..tensor.clone() };
    let of_argument = Some(Scope::default().type_of(&plain).to_string());
    let wanted = Wanted { element, shape, type_span: node.span(), of_argument, keep_zeros: tensor.encoding.is_none() };
    literal::literal(c.source.id, node, &wanted, &mut c.diagnostics).map(Given::Literal)
}

/// `[[1, 2], [1, 2]]` for rank 2.
fn example_list(rank: usize) -> String {
    (1..rank).fold("[1, 2]".to_string(), |inner, _| format!("[{inner}, {inner}]"))
}

/// Whether anything is defined that a function could take; on the command line nothing is.
fn names_values(scope: &Scope) -> bool {
    scope.iter().any(|(_, meaning)| matches!(meaning, Meaning::Tensor(_) | Meaning::Scalar(_)))
}

/// What a name means; `None` where it is not defined, which is reported, or its definition is broken.
fn meaning<'s>(c: &mut Checker<'_>, scope: &'s Scope, name: &Word) -> Option<&'s Meaning> {
    let found = scope.get(&name.text);
    if found.is_none() {
        let message = format!("`{}` is not defined", name.text);
        let diagnostic = Diagnostic::new(Code::UnknownName, c.source.id, name.span, message);
        let other = match names_values(scope) {
            true => "`:vars` lists what is defined",
            false => "no tensor and no number has a name here: write a number, a list or `read \"file\"`",
        };
        let known = c.guesses(scope, |meaning| matches!(meaning, Meaning::Tensor(_) | Meaning::Scalar(_)));
        c.diagnostics.push(suggest(diagnostic.label("not defined"), &name.text, known, other));
    }
    found.filter(|meaning| **meaning != Meaning::Broken)
}

/// Whether a tensor fits a parameter of a function; encodings are converted.
fn fits(c: &mut Checker<'_>, scope: &Scope, name: &Word, own: &PartialType, wanted: &TensorType) -> bool {
    let rank = wanted.shape.len();
    let (code, message, help) = if own.rank().is_some_and(|own| own != rank) {
        let message = format!("the function takes {} here, and `{}` is `{own}`", dimensions(rank), name.text);
        (Code::ValueType, message, None)
    } else if let Some(element) = own.element.filter(|element| *element != wanted.element) {
        let message = format!(
            "the function takes `{}` entries here, and those of `{}` are `{element}`",
            wanted.element, name.text
        );
        let converted = PartialType { element: Some(wanted.element), ..own.clone() };
        let copy = scope.free_name(&format!("{}_2", name.text));
        let help = format!("convert it first: `{copy} : {converted} = {}`", name.text);
        (Code::ValueType, message, Some(help))
    } else if let Some((dim, own_size, size)) = other_size(own, wanted) {
        let message = format!("dimension {dim} is {size} here, and {own_size} in `{}`", name.text);
        (Code::ShapeMismatch, message, None)
    } else {
        return true;
    };
    refuse::<()>(c, code, name.span, message, help).is_some()
}

fn other_size(own: &PartialType, wanted: &TensorType) -> Option<(usize, u64, u64)> {
    let sizes = wanted.shape.iter().enumerate().filter_map(|(dim, size)| Some((dim, own.extent(dim)?, (*size)?)));
    sizes.into_iter().find(|(_, own, size)| own != size)
}
