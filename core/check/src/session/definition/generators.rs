//! Calls of generators, `random(...)`: their names and their arguments.

use std::collections::BTreeMap;

use super::{Init, Notation, word};
use crate::{
    kernel::functions,
    scope::{Meaning, Word, nearest, suggest},
    sizes,
    spec::Spec,
    value::value,
};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_storage::generate;
use nnz_syntax::{NodeKind, NodeRef, habits};

impl Notation<'_, '_> {
    pub(super) fn generator(&mut self, (target, spec): (&Word, &Spec), node: NodeRef<'_>) -> Option<Init> {
        let name = word(node)?;
        if let Some(Meaning::Tensor(_)) = self.scope.get(&name.text) {
            let message = format!("`{}` is a tensor here, and takes no indices", name.text);
            let own = self.c.text(spec.span).to_string();
            let given: Vec<&str> = node.children().map(|index| index.text()).collect();
            let indices = self.kernel_indices(node, spec.rank()).filter(|indices| *indices != given.join(", "));
            let error = self.error(Code::TensorInit, node.span(), message);
            error.primary.message = "a kernel's operand".to_string();
            match indices {
                Some(indices) => error.helps.push(format!(
                    "a kernel names the indices of its result: `{}({indices}) : {own} = {}`",
                    target.text,
                    node.text()
                )),
                None => {
                    error.helps.push(format!("to convert it, write its name alone: `{}`", name.text));
                    error.helps.push("a kernel names the indices of its result, as in `y(i) = ...`".to_string());
                }
            }
            return None;
        }
        let Some(info) = generate::lookup(&name.text) else {
            match functions::describe(&name.text) {
                Some(_) => self.no_tensor(target, spec, node),
                None if self.converted_by_type((target, spec), &name, node) => {}
                None => self.unknown_generator(&name, (target, spec)),
            }
            return None;
        };
        let mut arguments = BTreeMap::new();
        if let Some(first) = node.children().find(|argument| argument.kind() != NodeKind::NamedArg) {
            self.unnamed_arguments((target, spec), info, node, first);
            return None;
        }
        let mut fine = true;
        if self.sizes_as_arguments((target, spec), node) {
            return None;
        }
        for argument in node.children() {
            fine &= self.argument(info.parameters.iter().map(|p| p.name), argument, &mut arguments).is_some();
        }
        let place = |argument: NodeRef<'_>| Some((word(argument)?.text, argument.span()));
        let places = node.children().filter_map(place).collect();
        fine.then_some(Init::Generate { generator: name, arguments, places })
    }

    fn unknown_generator(&mut self, name: &Word, (target, spec): (&Word, &Spec)) {
        let names = || generate::registry().iter().map(|info| info.name);
        let message = format!("there is no generator `{}`", name.text);
        let diagnostic = Diagnostic::new(Code::UnknownName, self.file(), name.span, message).label("no generator");
        let near = did_you_mean(&name.text, names());
        let begun = names().find(|known| name.text.len() > 2 && known.starts_with(&name.text));
        let diagnostic = match habits::function(&name.text) {
            _ if matches!(name.text.as_str(), "randn" | "rand" | "normal" | "uniform") => {
                let call = self.c.source.text.get(name.span.start as usize..).map_or("", sizes::call_at);
                let whole = Span::new(name.span.start as usize, name.span.start as usize + call.len());
                let meant = "random(density = 1.0)";
                diagnostic.help("values between 0 and 1, as many as the type has").guess(whole, meant)
            }
            _ if name.text == "dense" => diagnostic.help("a tensor of one value is `dense<1>`, in angle brackets"),
            _ if near.or(begun).is_some_and(|near| near != name.text) => {
                suggest(diagnostic, near.or(begun).unwrap_or_default(), names(), "")
            }
            Some(habits::Function::Said(how)) => {
                let call = self.c.source.text.get(name.span.start as usize..).map_or("", sizes::call_at);
                match constant(&name.text) {
                    Some(literal) => {
                        let whole = Span::new(name.span.start as usize, name.span.start as usize + call.len());
                        let told = diagnostic.help("a tensor of one value is a literal");
                        let sizes = sizes_in(call);
                        if sizes.is_empty() || spec.sizes().is_some() {
                            told.guess(whole, literal)
                        } else {
                            let meant = format!("{} = {literal}", sized((target, spec), &sizes));
                            told.guess(target.span.cover(whole), meant)
                        }
                    }
                    None => diagnostic.help(self.scope.said(how, call)),
                }
            }
            _ => {
                suggest(diagnostic, &name.text, names(), format!("the generators are {}", nearest(&name.text, names())))
            }
        };
        self.c.diagnostics.push(diagnostic);
    }

    /// `random(100, 100, 0.1)`: sizes, which other languages give as arguments, belong in the type.
    pub(super) fn unnamed_arguments(
        &mut self,
        (target, spec): (&Word, &Spec),
        info: &generate::GeneratorInfo,
        node: NodeRef<'_>,
        first: NodeRef<'_>,
    ) {
        let arguments: Vec<NodeRef<'_>> = node.children().collect();
        let unnamed: Vec<&str> =
            arguments.iter().filter(|node| node.kind() != NodeKind::NamedArg).map(|node| node.text()).collect();
        let names: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
        let is_size = |text: &&&str| text.parse::<u64>().is_ok();
        let sizes: Vec<&str> = unnamed.iter().copied().take_while(|text| is_size(&text)).collect();
        let named = |value: &&str| value.trim_start_matches("density").trim_start_matches([' ', ':']).to_string();
        let last = unnamed.iter().skip_while(is_size).map(named).next();
        let share = last.filter(|value| names.first() == Some(&"density") && value.parse::<f64>().is_ok());
        let unnamed_nodes = arguments.iter().filter(|node| node.kind() != NodeKind::NamedArg);
        let whole = unnamed_nodes.map(|node| node.span()).fold(first.span(), Span::cover);
        let meant = named_otherwise(&arguments, &names);
        let error = self.error(Code::GeneratorArgument, whole, "arguments of a generator are named".to_string());
        error.primary.message = "of which parameters?".to_string();
        if let Some(meant) = meant {
            return *error = error.clone().guess(whole, meant);
        }
        let all_sizes = unnamed.iter().all(|text| is_size(&text)) && unnamed.len() == arguments.len();
        if all_sizes && unnamed.len() <= names.len() && !names.contains(&"density") {
            let named = names.iter().zip(&unnamed).map(|(name, value)| format!("{name} = {value}"));
            return *error = error.clone().guess(whole, named.collect::<Vec<_>>().join(", "));
        }
        error.helps.push(format!("its parameters are {}: write `name = value`", names.join(", ")));
        if !sizes.is_empty() && names.contains(&"density") {
            let mut given: Vec<String> = arguments
                .iter()
                .filter(|node| node.kind() == NodeKind::NamedArg)
                .map(|node| node.text().to_string())
                .collect();
            if !given.iter().any(|argument| argument.starts_with("density")) {
                given.insert(0, format!("density = {}", share.unwrap_or("0.01".to_string())));
            }
            let call = format!("{}({})", info.name, given.join(", "));
            error.helps.push(format!("sizes stand in the type: `{} = {call}`", sized((target, spec), &sizes)));
        }
    }

    /// `random(rows = 4, cols = 4)`; whether it is that.
    fn sizes_as_arguments(&mut self, definition: (&Word, &Spec), node: NodeRef<'_>) -> bool {
        let sizes = sizes_given(node);
        let &[_, _] = sizes.as_slice() else { return false };
        let is_size = |argument: &NodeRef<'_>| argument.children().next().is_some_and(|n| sizes.contains(&n.text()));
        let Some(place) = node.children().find(is_size).and_then(word) else { return false };
        let message = format!("there is no parameter `{}`", place.text);
        let help = format!("sizes stand in the type: `{} = ...`", sized(definition, &sizes));
        let error = self.error(Code::GeneratorArgument, place.span, message);
        *error = error.clone().label("no parameter").help(help);
        true
    }

    fn argument(
        &mut self,
        parameters: impl Iterator<Item = &'static str> + Clone,
        node: NodeRef<'_>,
        arguments: &mut BTreeMap<String, Scalar>,
    ) -> Option<()> {
        let name = word(node)?;
        if !parameters.clone().any(|parameter| parameter == name.text) {
            let all = parameters.clone().collect::<Vec<_>>().join(", ");
            let message = format!("there is no parameter `{}`", name.text);
            let diagnostic = Diagnostic::new(Code::GeneratorArgument, self.file(), name.span, message);
            let diagnostic = diagnostic.label("no parameter");
            if matches!(name.text.as_str(), "size" | "rows" | "N") && parameters.clone().any(|own| own == "n") {
                self.c.diagnostics.push(diagnostic.guess(name.span, "n"));
                return None;
            }
            if matches!(
                name.text.as_str(),
                "shape" | "size" | "sizes" | "rows" | "cols" | "columns" | "dtype" | "format"
            ) {
                let help = "sizes, element type and format stand in the type: `A : tensor<?x?xf64, CSR> = ...`";
                self.c.diagnostics.push(diagnostic.help(help));
                return None;
            }
            self.c.diagnostics.push(suggest(diagnostic, &name.text, parameters, format!("the parameters are {all}")));
            return None;
        }
        let scalar = self.argument_value(node.children().next()?)?;
        if arguments.insert(name.text.clone(), scalar).is_some() {
            let error = self.error(Code::GeneratorArgument, name.span, format!("`{}` is given twice", name.text));
            *error = error.clone().label("the second time").help("an argument has one value");
            return None;
        }
        Some(())
    }

    pub(super) fn argument_value(&mut self, node: NodeRef<'_>) -> Option<Scalar> {
        let integer = value(self.file(), node, Element::I64).ok();
        let found = integer.map_or_else(|| value(self.file(), node, Element::F64), Ok);
        found.map_err(|error| self.c.diagnostics.push(*error)).ok()
    }

    /// `S : CSR = read`, `S : CSR = random`
    pub(super) fn without_arguments(&mut self, name: &Word) {
        let word = &name.text;
        let (message, help) = match word.as_str() {
            "read" => ("`read` needs the name of a file".to_string(), "as in `read \"file.mtx\"`".to_string()),
            _ => (
                format!("the generator `{word}` is called with parentheses"),
                format!("`:help {word}` shows what it takes"),
            ),
        };
        let error = self.error(Code::TensorInit, name.span, message);
        *error = error.clone().label("nothing behind it").help(help);
    }
}

/// The numbers of `zeros(3, 4)` and `zeros((3, 4))`, where it has nothing else.
fn sizes_in(call: &str) -> Vec<&str> {
    let inside = call.split_once('(').map_or("", |(_, inside)| inside).trim_matches(['(', ')', ' ']);
    let sizes: Vec<&str> = inside.split(',').map(str::trim).collect();
    if sizes.iter().all(|size| size.parse::<u64>().is_ok()) { sizes } else { Vec::new() }
}

/// The literal that `ones(3, 4)` means behind a type.
fn constant(function: &str) -> Option<&'static str> {
    match function.rsplit('.').next()? {
        "ones" => Some("dense<1>"),
        "zeros" => Some("dense<0>"),
        _ => None,
    }
}

/// `R : tensor<4x4xf64, CSR>` for `R : CSR` and `4`, `4`; one size is that of each dimension of the format.
fn sized((target, spec): (&Word, &Spec), sizes: &[&str]) -> String {
    let all = match (sizes, spec.rank()) {
        (&[one], Some(rank)) => vec![one; rank],
        _ => sizes.to_vec(),
    };
    let format = spec.format_name.as_deref().filter(|_| !all.is_empty() && spec.known_format(all.len()).is_some());
    let element = spec.element.unwrap_or(Element::F64);
    let dims: String = all.iter().map(|size| format!("{size}x")).collect();
    let format = format.map_or(String::new(), |format| format!(", {format}"));
    format!("{} : tensor<{dims}{element}{format}>", target.text)
}

/// The numbers that `rows = 3, cols = 4` gives.
fn sizes_given<'t>(call: NodeRef<'t>) -> Vec<&'t str> {
    let size = |argument: NodeRef<'t>| {
        let known = matches!(argument.first_token()?.text(), "rows" | "cols" | "columns");
        let value = argument.children().next().filter(|_| known)?.text();
        value.parse::<u64>().is_ok().then_some(value)
    };
    call.children().filter_map(size).collect()
}

/// `density = 0.5` for `density: 0.5`, `density == 0.5` and `0.5`, where that is a density.
fn named_otherwise(arguments: &[NodeRef<'_>], names: &[&str]) -> Option<String> {
    let &[argument] = arguments else { return None };
    let parts: Vec<NodeRef<'_>> = argument.children().collect();
    match parts.as_slice() {
        [name, value] if names.contains(&name.text()) => Some(format!("{} = {}", name.text(), value.text())),
        _ => {
            let share = argument.text().parse::<f64>().is_ok_and(|share| (0.0..=1.0).contains(&share));
            (share && names.first() == Some(&"density")).then(|| format!("density = {}", argument.text()))
        }
    }
}
