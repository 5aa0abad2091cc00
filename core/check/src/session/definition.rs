//! Definitions, `A : tensor<3x4xf64, CSR> = ...`, and the initializers of tensors and scalars.

use super::{Init, Notation, Statement, TensorDefinition, call, quoted, word};
use crate::{
    kernel::LeftSide,
    literal::{self, Wanted},
    scope::{Format, Meaning, Scope, Word, plural},
    spec::{self, Spec},
    value::{is_signed, value},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::Element,
};
use nnz_encoding::MAX_RANK;
use nnz_storage::generate;
use nnz_syntax::{NodeKind, NodeRef};

mod generators;

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
        if first.kind() == NodeKind::Decomposition {
            return match schedule {
                Some(schedule) => self.schedule_behind_data(schedule),
                None => self.decomposition(name, first),
            };
        }
        if first.kind() != NodeKind::TypeSpec {
            self.untyped(&name, first);
            return None;
        }
        let spec = spec::spec(self.c, first);
        let init = parts.next()?;
        let head = format!("{} : {}", name.text, self.c.text(first.span()));
        if init.kind() == NodeKind::Decomposition {
            self.typed_decomposition((&name, first), init);
            return None;
        }
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
            None if let Some(indices) = self.kernel_indices(node, None) => {
                let (spec, own) = (self.c.text(spec.span), indices.split(", ").count());
                let dimensions = plural(own, "dimension");
                let kernel = format!("`{}({indices}) = {}`", name.text, node.text().trim());
                error.help(format!("the result of this kernel has {dimensions}, and `{spec}` has others: {kernel}"))
            }
            None => error.help(format!("a kernel names the indices of its result: `{}(i, j) = ...`", name.text)).help("a tensor is a literal, `read \"file\"`, a generator such as `random(density = 0.01)`, or another tensor's name"),
        });
    }

    fn literal(&mut self, spec: &Spec, node: NodeRef<'_>) -> Option<Init> {
        let rank = spec.rank().unwrap_or_else(|| nesting(node));
        if rank > MAX_RANK {
            let message = format!("{rank} dimensions: a tensor has at most {MAX_RANK}");
            let error = Diagnostic::new(Code::TooLarge, self.file(), node.span(), message);
            self.c.report(error.label("a dimension for each pair of brackets"));
            return None;
        }
        let format = spec.format_of_rank(self.c, rank)?;
        let shape = spec.shape.clone().unwrap_or_else(|| vec![None; rank]);
        let element = spec.element.unwrap_or_else(|| default_element(node));
        let keep_zeros = format == Format::Plain;
        let wanted = Wanted { element, shape, type_span: spec.span, of_argument: None, keep_zeros };
        literal::literal(self.file(), node, &wanted, &mut self.c.diagnostics).map(Init::Literal)
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
