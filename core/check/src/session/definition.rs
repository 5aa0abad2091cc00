//! Definitions, `A : tensor<3x4xf64, CSR> = ...`, and the initializers of tensors and scalars.

use std::collections::BTreeMap;

use super::{Init, Notation, Statement, TensorDefinition, call, quoted, word};
use crate::{
    kernel::{LeftSide, functions},
    literal::{self, Wanted},
    scope::{Format, Meaning, Scope, Word, nearest, suggest},
    sizes,
    spec::{self, Spec},
    value::{is_signed, value},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_storage::generate;
use nnz_syntax::{NodeKind, NodeRef, habits};

/// So much of a kernel is repeated in a help.
const SHORT: usize = 60;

impl Notation<'_, '_> {
    pub(super) fn definition(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let name = word(node)?;
        let mut parts = node.children();
        let first = parts.next()?;
        let schedule = node.child(NodeKind::Schedule);
        if first.kind() == NodeKind::ListLiteral {
            let spec = Spec::plain(name.span);
            return match schedule {
                Some(schedule) => self.schedule_behind_data(schedule),
                None => self.tensor(name, spec, first),
            };
        }
        if first.kind() != NodeKind::TypeSpec {
            self.untyped(&name, first);
            return None;
        }
        let spec = spec::spec(self.c, first);
        let init = parts.next()?;
        let head = format!("{} : {}", name.text, self.c.text(first.span()));
        if let Some(told) = self.of_transposes((&name, &head), init).filter(|_| spec.is_some()) {
            self.c.report(told);
            return None;
        }
        if init.kind() == NodeKind::ProgramCall {
            return call::call(self.c, self.scope, init, (vec![name], Some(spec?))).map(Statement::Call);
        }
        match spec {
            Some(spec) if spec.scalar().is_some() => self.scalar(name, spec, init, schedule),
            Some(spec) => match schedule {
                Some(schedule) => self.schedule_behind_data(schedule),
                None => self.tensor(name, spec, init),
            },
            // The type is wrong; what stands behind it may still have errors of its own.
            None => None,
        }
    }

    fn schedule_behind_data(&mut self, schedule: NodeRef<'_>) -> Option<Statement> {
        let message = "a schedule is for a kernel, and this makes a tensor from data".to_string();
        self.error(Code::ScheduleStep, schedule.span(), message).primary.message = "behind data".to_string();
        None
    }

    fn scalar(
        &mut self,
        name: Word,
        spec: Spec,
        init: NodeRef<'_>,
        schedule: Option<NodeRef<'_>>,
    ) -> Option<Statement> {
        let element = spec.scalar()?;
        // `tensor<f64> = dense<2.0>`, as MLIR writes it.
        let number = || init.children().next().filter(|number| is_constant(*number, self.scope));
        let of_tensor = init.kind() == NodeKind::DenseLiteral && self.c.text(spec.span).starts_with("tensor");
        let init = if of_tensor { number().unwrap_or(init) } else { init };
        if matches!(
            init.kind(),
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral | NodeKind::Read
        ) {
            let message = format!("`{}` is a scalar, and this makes a tensor", name.text);
            let error = self.error(Code::LiteralShape, init.span(), message);
            *error = error.clone().secondary(spec.span, format!("for a tensor write `tensor<...x{element}>` here"));
            return None;
        }
        if is_constant(init, self.scope) && schedule.is_none() {
            return match value(self.file(), init, element) {
                Ok(value) => Some(Statement::Constant { name, element, value }),
                Err(error) => {
                    self.c.declared = Some(Meaning::Scalar(element));
                    self.c.diagnostics.push(*error);
                    None
                }
            };
        }
        let target = LeftSide { name, indices: Vec::new(), spec: Some(spec), update: None };
        self.kernel(target, init, schedule)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn tensor(&mut self, name: Word, spec: Spec, node: NodeRef<'_>) -> Option<Statement> {
        let init = match node.kind() {
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral => {
                let known = self.c.diagnostics.len();
                let literal = self.literal(&spec, node);
                if literal.is_none() && self.are_of_values(known) {
                    self.c.declared = spec.declared().map(Meaning::Tensor);
                }
                literal
            }
            NodeKind::Read => Some(Init::Read(quoted(node)?)),
            NodeKind::Call => self.generator((&name, &spec), node),
            NodeKind::Name => self.conversion(node),
            _ => {
                self.no_tensor(&name, &spec, node);
                None
            }
        };
        let definition = TensorDefinition { name, spec, init: init?, init_span: node.span() };
        match definition.refusal(self.file(), self.scope) {
            Some(refusal) => {
                self.c.diagnostics.push(refusal);
                None
            }
            None => Some(Statement::Tensor(definition)),
        }
    }

    /// Whether all errors from number `first` on say of single values that their type does not hold them: the type is
    /// what is meant.
    fn are_of_values(&self, first: usize) -> bool {
        let errors = self.c.diagnostics.get(first..).unwrap_or_default();
        !errors.is_empty() && errors.iter().all(|error| matches!(error.code, Code::LiteralType | Code::LiteralRange))
    }

    /// The ways to write `s : CSR = 3`, whose type has no sizes.
    fn number_or_tensor(&self, name: &Word, spec: &Spec, number: &str) -> String {
        let (name, format) = (&name.text, self.c.text(spec.span));
        let of_tensor = format!("`{name} : tensor<4x4xf64, {format}> = dense<{number}>`");
        format!("a number is written `{name} : f64 = {number}`, and a tensor of it has sizes: {of_tensor}")
    }

    /// `y : tensor<4xf64> = A(i, j) * x(j)`: a kernel, whose result has no indices.
    fn no_tensor(&mut self, name: &Word, spec: &Spec, node: NodeRef<'_>) {
        let message = format!("this makes no tensor that `{}` could be", name.text);
        let error = Diagnostic::new(Code::TensorInit, self.file(), node.span(), message).label("no tensor");
        if is_constant(node, self.scope) {
            let number = self.c.text(node.span());
            let filled = format!("dense<{number}>");
            let error = error.label("a number");
            if spec.shape.is_none() {
                return self.c.diagnostics.push(error.help(self.number_or_tensor(name, spec, number)));
            }
            let error = error.fix(format!("write `{filled}` for a tensor of it"), node.span(), &*filled);
            return self.c.diagnostics.push(error);
        }
        if let Some((head, right)) = self.typed_offer(name, spec, node) {
            let help = format!("a kernel names the indices of its result: `{head} = {right}`");
            let file = self.file();
            let edit = |span, replacement: &str| Edit { file, span, replacement: replacement.to_string() };
            let edits = vec![edit(name.span.cover(spec.span), &head), edit(node.span(), &right)];
            let whole = format!("write `{head} = {right}`");
            return self.c.report(error.help(help).fix_edits(whole, edits, Applicability::MaybeIncorrect));
        }
        let indices = self.kernel_indices(node, spec.rank());
        self.c.diagnostics.push(match indices {
            Some(indices) => {
                let head = format!("{}({indices})", name.text);
                let kernel = node.text().trim();
                let kernel = if kernel.len() <= SHORT && !kernel.contains('\n') { kernel } else { "..." };
                let spec = self.c.text(spec.span);
                let help = format!("a kernel names the indices of its result: `{head} : {spec} = {kernel}`");
                let edit = Edit { file: self.file(), span: name.span, replacement: head.clone() };
                error.help(help).fix_edits(format!("write `{head}`"), vec![edit], Applicability::MaybeIncorrect)
            }
            None => error.help(format!("a kernel names the indices of its result: `{}(i, j) = ...`", name.text)).help("a tensor is a literal, `read \"file\"`, a generator such as `random(density = 0.01)`, or another tensor's name"),
        });
    }

    fn literal(&mut self, spec: &Spec, node: NodeRef<'_>) -> Option<Init> {
        let rank = spec.rank().unwrap_or_else(|| nesting(node));
        let format = spec.format_of_rank(self.c, rank)?;
        let shape = spec.shape.clone().unwrap_or_else(|| vec![None; rank]);
        let element = spec.element.unwrap_or_else(|| default_element(node));
        let keep_zeros = format == Format::Plain;
        let wanted = Wanted { element, shape, type_span: spec.span, of_argument: None, keep_zeros };
        literal::literal(self.file(), node, &wanted, &mut self.c.diagnostics).map(Init::Literal)
    }

    fn generator(&mut self, (target, spec): (&Word, &Spec), node: NodeRef<'_>) -> Option<Init> {
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
                None => self.unknown_generator(&name),
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

    /// `B : CSC = A.tocsc()`: the type alone converts.
    fn converted_by_type(&mut self, (target, spec): (&Word, &Spec), name: &Word, node: NodeRef<'_>) -> bool {
        let Some((object, _)) = crate::kernel::converting(self.scope, &name.text) else { return false };
        let own = self.c.text(spec.span);
        let help = format!("a tensor is converted by its type: `{} : {own} = {object}`", target.text);
        let message = format!("there is no generator `{}`", name.text);
        let error = Diagnostic::new(Code::UnknownName, self.file(), name.span, message).label("no generator");
        self.c.report(error.help(help).fix(format!("write `{object}`"), node.span(), object));
        true
    }

    fn unknown_generator(&mut self, name: &Word) {
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
                        diagnostic.help("a tensor of one value is a literal").guess(whole, literal)
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
    fn unnamed_arguments(
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

    fn argument_value(&mut self, node: NodeRef<'_>) -> Option<Scalar> {
        let integer = value(self.file(), node, Element::I64).ok();
        let found = integer.map_or_else(|| value(self.file(), node, Element::F64), Ok);
        found.map_err(|error| self.c.diagnostics.push(*error)).ok()
    }

    fn conversion(&mut self, node: NodeRef<'_>) -> Option<Init> {
        let name = word(node)?;
        match self.scope.get(&name.text) {
            Some(Meaning::Tensor(_)) => Some(Init::Convert(name)),
            Some(Meaning::Broken) => None,
            Some(Meaning::Scalar(_)) => {
                self.error(Code::TensorInit, name.span, format!("`{}` is a scalar, not a tensor", name.text));
                None
            }
            None if name.text == "read" || generate::lookup(&name.text).is_some() => {
                self.without_arguments(&name);
                None
            }
            Some(Meaning::Encoding(_)) | None => {
                self.unknown(&name);
                None
            }
        }
    }

    /// `S : CSR = read`, `S : CSR = random`
    fn without_arguments(&mut self, name: &Word) {
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

/// A number with its signs, or a word for one that names nothing else.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
pub(super) fn is_constant(node: NodeRef<'_>, scope: &Scope) -> bool {
    match node.kind() {
        NodeKind::Number | NodeKind::ComplexNumber => true,
        NodeKind::Name => matches!(node.text(), "inf" | "nan" | "true" | "false") && scope.get(node.text()).is_none(),
        NodeKind::Unary if !is_signed(node) => false,
        NodeKind::Unary | NodeKind::Paren => node.children().next().is_some_and(|inner| is_constant(inner, scope)),
        _ => false,
    }
}

/// How deep the first lists are nested.
pub(super) fn nesting(node: NodeRef<'_>) -> usize {
    fn list(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
        node.child(NodeKind::ListLiteral)
    }
    if node.kind() == NodeKind::ListLiteral {
        return std::iter::successors(Some(node), |node| list(*node)).count();
    }
    if node.kind() == NodeKind::DenseLiteral {
        return list(node).map_or(0, nesting);
    }
    list(node).and_then(list).map_or(1, |tuple| tuple.children().count())
}

/// The element type of a literal whose type names none.
fn default_element(node: NodeRef<'_>) -> Element {
    let holds = |wanted: &dyn Fn(NodeRef<'_>) -> bool| node.descendants().any(wanted);
    if holds(&|node| node.kind() == NodeKind::ComplexNumber) {
        Element::C64
    } else if holds(&|node| node.kind() == NodeKind::Name && matches!(node.text(), "true" | "false"))
        && !holds(&|node| node.kind() == NodeKind::Number && !matches!(node.text(), "0" | "1"))
    {
        Element::I1
    } else {
        Element::F64
    }
}
