//! Statements of the nnz notation: what each one means, given the names defined before it.
//!
//! A statement is checked on its own against a [`Scope`], so that a REPL cell sees the cells before it
//! and a file's diagnostics come all at once. Nothing here reads a file or runs a kernel; a size that
//! only the data tell is left open, and what depends on it is checked when the statement runs.

mod call;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{
    Alias, Checked, Checker, DefId, DefinitionKind, ScheduledKernel,
    command::Command,
    kernel::{self, KernelStatement, Target, Update},
    literal::{self, Wanted},
    schedule,
    scope::{Format, Meaning, PartialType, Scope, Word, suggest},
    spec::{self, Spec},
    value::value,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    encoding::Encoding,
    ids::FileId,
    kernel::BinaryOp,
    source::{Source, Span},
    storage::{Triplets, generate},
    syntax::{self, NodeKind, NodeRef, TokenKind, TokenRef},
};

/// A statement without errors.
#[derive(Clone, Debug)]
pub enum Statement {
    Encoding {
        name: Word,
        encoding: Arc<Encoding>,
    },
    Tensor(TensorDefinition),
    Constant {
        name: Word,
        element: Element,
        value: Scalar,
    },
    Kernel(KernelStatement),
    Call(ProgramCall),
    Show(Word),
    /// Shows the value of an expression of scalars, without a name.
    Compute(KernelStatement),
    Use(Word),
    Command(Command),
}

/// `A : tensor<3x4xf64, CSR> = ...`
#[derive(Clone, Debug)]
pub struct TensorDefinition {
    pub name: Word,
    pub spec: Spec,
    pub init: Init,
    /// The place of what stands behind the `=`.
    pub init_span: Span,
}

/// What a tensor is made from.
#[derive(Clone, Debug)]
pub enum Init {
    Literal(Triplets),
    /// A file by name, quotes removed.
    Read(Word),
    Generate {
        generator: Word,
        arguments: BTreeMap<String, Scalar>,
    },
    /// Another tensor, converted.
    Convert(Word),
}

/// `B, C = @f(A, 2.5)`
#[derive(Clone, Debug)]
pub struct ProgramCall {
    /// Without its `@`.
    pub function: Word,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// The names of the results: none, or one for each.
    pub targets: Vec<Word>,
    /// The declared type of the only result.
    pub spec: Option<Spec>,
}

/// What a program's function is given.
#[derive(Clone, Debug)]
pub struct Argument {
    pub given: Given,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Given {
    /// A tensor or a scalar of the session.
    Name(Word),
    Scalar(Scalar),
    Literal(Triplets),
    /// A tensor from a file.
    Read(Word),
    /// The name of a file.
    File(Word),
}

/// Checks a whole text, statement after statement; `scope` holds what earlier cells defined.
pub fn check_session(source: &Source, scope: &Scope) -> Checked {
    let tree = syntax::session::parse(source.text.clone());
    let mut file = File { c: Checker::within(source, scope), scope: scope.clone(), ids: HashMap::new() };
    for cut in syntax::session::statements(&tree) {
        file.statement(&cut);
    }
    let File { c, .. } = file;
    c.finish(tree)
}

/// A whole text while it is checked.
struct File<'s> {
    c: Checker<'s>,
    scope: Scope,
    /// The tensors and scalars defined in this text.
    ids: HashMap<String, DefId>,
}

impl File<'_> {
    fn statement(&mut self, cut: &syntax::session::Statement<'_>) {
        let Some(node) = cut.node else { return };
        self.record_uses(node);
        if node.kind() == NodeKind::Use {
            self.scope.open();
        }
        let checked = if cut.errors.is_empty() { statement(&mut self.c, &self.scope, node) } else { None };
        if let Some(Statement::Call(call)) = &checked {
            return call.targets.iter().for_each(|target| self.result(target, node));
        }
        let defined = checked.as_ref().and_then(|checked| checked.definition(&self.scope));
        self.c.scheduled.extend(checked.as_ref().and_then(scheduled));
        let (name, meaning) = match (defined, defined_name(node)) {
            (Some(defined), Some(token)) => (token, defined.1),
            (None, Some(token)) if checked.is_none() => (token, Meaning::Broken),
            _ => return,
        };
        self.scope.define(&name.text, meaning.clone());
        let kind = match meaning {
            Meaning::Encoding(_) => return,
            Meaning::Scalar(element) => DefinitionKind::Scalar(Some(element)),
            Meaning::Tensor(ty) => DefinitionKind::Tensor(Some(ty)),
            Meaning::Broken => DefinitionKind::Tensor(None),
        };
        let id = self.c.define(name.span, node.span(), kind);
        self.ids.insert(name.text, id);
    }

    /// A result of a program's function, of which nothing is known here.
    fn result(&mut self, target: &Word, node: NodeRef<'_>) {
        self.scope.define(&target.text, Meaning::Broken);
        let id = self.c.define(target.span, node.span(), DefinitionKind::Tensor(None));
        self.ids.insert(target.text.clone(), id);
    }

    /// Names of tensors and scalars, wherever they stand but where they are defined.
    fn record_uses(&mut self, node: NodeRef<'_>) {
        let own = defined_name(node).map(|name| name.span);
        let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Call);
        for token in node.descendants().filter(named).filter_map(|node| node.first_token()) {
            if let Some(id) = self.ids.get(token.text()).filter(|_| Some(token.span()) != own) {
                self.c.record_use(token.span(), Some(*id));
            }
        }
    }
}

/// The kernel, if its schedule is to be checked against its loops.
fn scheduled(statement: &Statement) -> Option<ScheduledKernel> {
    let Statement::Kernel(KernelStatement { kernel: Some(kernel), scheduled, .. }) = statement else { return None };
    let some = !scheduled.schedule.steps.is_empty();
    some.then(|| ScheduledKernel { kernel: kernel.clone(), scheduled: scheduled.clone() })
}

/// The name that a statement defines, whether or not it has errors. Aliases are left to MLIR's checks.
fn defined_name(node: NodeRef<'_>) -> Option<Word> {
    let assigns = matches!(node.kind(), NodeKind::Definition | NodeKind::Assignment);
    word(node).filter(|_| assigns)
}

/// Checks one statement; `None` if it has errors, which are then reported to `c`.
pub fn statement(c: &mut Checker<'_>, scope: &Scope, node: NodeRef<'_>) -> Option<Statement> {
    let mut checker = Notation { c, scope };
    match node.kind() {
        NodeKind::AttrAlias => checker.alias(node),
        NodeKind::Definition => checker.definition(node),
        NodeKind::Assignment => checker.assignment(node),
        NodeKind::Show => checker.show(node),
        NodeKind::Command => checker.command(node),
        NodeKind::Use => Some(Statement::Use(quoted(node)?)),
        NodeKind::Schedule => {
            let message = "a schedule stands behind a kernel, and none is in front of this one".to_string();
            checker.error(Code::ScheduleStep, node.span(), message);
            None
        }
        NodeKind::ProgramCall => call::call(c, scope, node, (Vec::new(), None)).map(Statement::Call),
        _ => None,
    }
}

/// The content of the node's string, at the string's place.
fn quoted(node: NodeRef<'_>) -> Option<Word> {
    let string = node.token(TokenKind::String)?;
    Some(Word { text: string.text().trim_matches('"').to_string(), span: string.span() })
}

fn word(node: NodeRef<'_>) -> Option<Word> {
    let token = node.first_token()?;
    Some(Word { text: token.text().to_string(), span: token.span() })
}

/// One statement's checker.
struct Notation<'a, 's> {
    c: &'a mut Checker<'s>,
    scope: &'a Scope,
}

impl Notation<'_, '_> {
    fn file(&self) -> FileId {
        self.c.source.id
    }
    fn error(&mut self, code: Code, span: Span, message: String) -> &mut Diagnostic {
        self.c.diagnostics.push(Diagnostic::new(code, self.file(), span, message));
        let last = self.c.diagnostics.len() - 1;
        &mut self.c.diagnostics[last]
    }

    fn alias(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        self.c.attr_alias(node);
        let name = word(node)?;
        let encoding = match self.c.aliases.get(&name.text)? {
            Alias::Imported(encoding) => encoding.clone(),
            Alias::Local(id) => match &self.c.symbols.definition(*id).kind {
                DefinitionKind::Encoding(encoding) => encoding.clone()?,
                _ => return None,
            },
        };
        Some(Statement::Encoding { name, encoding })
    }

    // Definitions.

    fn definition(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let name = word(node)?;
        let mut parts = node.children();
        let first = parts.next()?;
        if first.kind() != NodeKind::TypeSpec {
            let spec = Spec::plain(name.span);
            return self.tensor(name, spec, first);
        }
        let spec = spec::spec(self.c, first);
        let init = parts.next()?;
        let schedule = node.child(NodeKind::Schedule);
        if init.kind() == NodeKind::ProgramCall {
            return call::call(self.c, self.scope, init, (vec![name], Some(spec?))).map(Statement::Call);
        }
        match spec {
            Some(spec) if spec.scalar().is_some() => self.scalar(name, spec, init, schedule),
            Some(spec) if schedule.is_none() => self.tensor(name, spec, init),
            Some(_) => {
                let message = "a schedule is for a kernel, and this makes a tensor from data".to_string();
                self.error(Code::ScheduleStep, schedule?.span(), message);
                None
            }
            // The type is wrong; what stands behind it may still have errors of its own.
            None => None,
        }
    }

    fn scalar(
        &mut self,
        name: Word,
        spec: Spec,
        init: NodeRef<'_>,
        schedule: Option<NodeRef<'_>>,
    ) -> Option<Statement> {
        let element = spec.scalar()?;
        if matches!(
            init.kind(),
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral | NodeKind::Read
        ) {
            let message = format!("`{}` is a scalar, and this makes a tensor", name.text);
            let error = self.error(Code::LiteralShape, init.span(), message);
            *error = error.clone().secondary(spec.span, format!("for a tensor write `tensor<...x{element}>` here"));
            return None;
        }
        if is_constant(init) && schedule.is_none() {
            return match value(self.file(), init, element) {
                Ok(value) => Some(Statement::Constant { name, element, value }),
                Err(error) => {
                    self.c.diagnostics.push(*error);
                    None
                }
            };
        }
        let target = Target { name, indices: Vec::new(), spec: Some(spec), update: None };
        self.kernel(target, init, schedule)
    }

    fn kernel(&mut self, target: Target<'_>, expr: NodeRef<'_>, schedule: Option<NodeRef<'_>>) -> Option<Statement> {
        let mut statement = kernel::assignment(self.c, self.scope, target, expr)?;
        if let Some(node) = schedule {
            statement.scheduled = schedule::schedule(self.c, (&statement.vars, expr), node)?;
        }
        Some(Statement::Kernel(statement))
    }

    fn tensor(&mut self, name: Word, spec: Spec, node: NodeRef<'_>) -> Option<Statement> {
        let init = match node.kind() {
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral => self.literal(&spec, node),
            NodeKind::Read => Some(Init::Read(quoted(node)?)),
            NodeKind::Call => self.generator(node),
            NodeKind::Name => self.conversion(node),
            _ => {
                let error = self.error(
                    Code::TensorInit,
                    node.span(),
                    format!("this makes no tensor that `{}` could be", name.text),
                );
                error.helps.push(format!("a kernel names its indices: `{}(i, j) = ...`", name.text));
                error.helps.push("a tensor is a literal, `read \"file\"`, a generator such as `random(density = 0.01)`, or another tensor's name".to_string());
                None
            }
        };
        Some(Statement::Tensor(TensorDefinition { name, spec, init: init?, init_span: node.span() }))
    }

    fn literal(&mut self, spec: &Spec, node: NodeRef<'_>) -> Option<Init> {
        let rank = spec.rank().unwrap_or_else(|| nesting(node));
        let format = spec.format_of_rank(self.c, rank)?;
        let shape = spec.shape.clone().unwrap_or_else(|| vec![None; rank]);
        let element = spec.element.unwrap_or_else(|| default_element(node));
        let wanted = Wanted { element, shape, type_span: spec.span, keep_zeros: format == Format::Plain };
        literal::literal(self.file(), node, &wanted, &mut self.c.diagnostics).map(Init::Literal)
    }

    fn generator(&mut self, node: NodeRef<'_>) -> Option<Init> {
        let name = word(node)?;
        if let Some(Meaning::Tensor(_)) = self.scope.get(&name.text) {
            let error = self.error(
                Code::TensorInit,
                node.span(),
                format!("`{}` is a tensor here, and takes no indices", name.text),
            );
            error.helps.push(format!("to convert it, write its name alone: `{}`", name.text));
            return None;
        }
        let Some(info) = generate::lookup(&name.text) else {
            self.unknown_generator(&name);
            return None;
        };
        let mut arguments = BTreeMap::new();
        let mut fine = true;
        for argument in node.children() {
            fine &= self.argument(info.parameters.iter().map(|p| p.name), argument, &mut arguments).is_some();
        }
        fine.then_some(Init::Generate { generator: name, arguments })
    }

    fn unknown_generator(&mut self, name: &Word) {
        let names = || generate::registry().iter().map(|info| info.name);
        let message = format!("there is no generator `{}`", name.text);
        let all = names().collect::<Vec<_>>().join(", ");
        let diagnostic = Diagnostic::new(Code::UnknownName, self.file(), name.span, message);
        self.c.diagnostics.push(suggest(diagnostic, &name.text, names(), format!("the generators are {all}")));
    }

    fn argument(
        &mut self,
        parameters: impl Iterator<Item = &'static str> + Clone,
        node: NodeRef<'_>,
        arguments: &mut BTreeMap<String, Scalar>,
    ) -> Option<()> {
        if node.kind() != NodeKind::NamedArg {
            let all = parameters.collect::<Vec<_>>().join(", ");
            let error =
                self.error(Code::GeneratorArgument, node.span(), "arguments of a generator are named".to_string());
            error.helps.push(format!("its parameters are {all}: write `name = value`"));
            return None;
        }
        let name = word(node)?;
        if !parameters.clone().any(|parameter| parameter == name.text) {
            let all = parameters.clone().collect::<Vec<_>>().join(", ");
            let message = format!("there is no parameter `{}`", name.text);
            let diagnostic = Diagnostic::new(Code::GeneratorArgument, self.file(), name.span, message);
            self.c.diagnostics.push(suggest(diagnostic, &name.text, parameters, format!("the parameters are {all}")));
            return None;
        }
        let scalar = self.argument_value(node.children().next()?)?;
        if arguments.insert(name.text.clone(), scalar).is_some() {
            self.error(Code::GeneratorArgument, name.span, format!("`{}` is given twice", name.text));
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
            Some(Meaning::Encoding(_)) | None => {
                self.unknown(&name);
                None
            }
        }
    }

    fn unknown(&mut self, name: &Word) {
        let message = format!("`{}` is not defined", name.text);
        let diagnostic = Diagnostic::new(Code::UnknownName, self.file(), name.span, message);
        let other = "`:vars` lists what is defined, `:help` shows how to define more";
        self.c.diagnostics.push(suggest(diagnostic, &name.text, self.scope.values(), other));
    }

    // Kernels.

    fn assignment(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let mut parts = node.children();
        let head = parts.next()?;
        let spec = match node.child(NodeKind::TypeSpec) {
            Some(spec) => Some(spec::spec(self.c, spec)?),
            None => None,
        };
        if let Some(call) = node.child(NodeKind::ProgramCall) {
            return self.call(node, call, spec);
        }
        let expr = parts.find(|part| part.kind() != NodeKind::TypeSpec)?;
        let update = update(node, head);
        match head.kind() {
            NodeKind::Name if update.is_some() => {
                let target = Target { name: word(head)?, indices: Vec::new(), spec, update };
                self.kernel(target, expr, node.child(NodeKind::Schedule))
            }
            NodeKind::Call => {
                let target = Target { name: word(head)?, indices: head.children().collect(), spec, update };
                self.kernel(target, expr, node.child(NodeKind::Schedule))
            }
            NodeKind::Name => {
                let error = self.error(
                    Code::AssignmentTarget,
                    head.span(),
                    format!("`{}` needs a type or indices", head.text()),
                );
                error
                    .helps
                    .push(format!("a scalar is written `{0} : f64 = ...`, a kernel `{0}(i, j) = ...`", head.text()));
                None
            }
            _ => {
                self.error(
                    Code::AssignmentTarget,
                    head.span(),
                    "the left side must be a name with indices, as in `y(i)`".to_string(),
                );
                None
            }
        }
    }

    fn call(&mut self, node: NodeRef<'_>, call: NodeRef<'_>, spec: Option<Spec>) -> Option<Statement> {
        let heads = node.children().filter(|part| !matches!(part.kind(), NodeKind::TypeSpec | NodeKind::ProgramCall));
        let mut targets = Vec::new();
        for head in heads {
            if head.kind() != NodeKind::Name {
                let message = "the results of a function are named without indices, as in `B = @f(A)`".to_string();
                self.error(Code::AssignmentTarget, head.span(), message);
                return None;
            }
            targets.push(word(head)?);
        }
        call::call(self.c, self.scope, call, (targets, spec)).map(Statement::Call)
    }

    // The rest.

    fn show(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let expr = node.children().next()?;
        let calls = expr.descendants().find(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
        match (expr.kind(), calls) {
            (NodeKind::Name, _) => {
                let name = word(expr)?;
                match self.scope.get(&name.text) {
                    Some(Meaning::Broken) => None,
                    Some(_) => Some(Statement::Show(name)),
                    None => {
                        self.unknown(&name);
                        None
                    }
                }
            }
            (_, Some(call)) => {
                let error =
                    self.error(Code::AssignmentTarget, call.span(), "a result over tensors needs a name".to_string());
                error.helps.push("name it and its indices: `y(i) = ...`, or `s : f64 = ...` for a scalar".to_string());
                None
            }
            _ => {
                let name = Word { text: "it".to_string(), span: expr.span() };
                let target = Target { name, indices: Vec::new(), spec: None, update: None };
                kernel::assignment(self.c, self.scope, target, expr).map(Statement::Compute)
            }
        }
    }

    fn is_tensor(&self, call: NodeRef<'_>) -> bool {
        let name = call.first_token().map_or("", |token| token.text());
        matches!(self.scope.get(name), Some(Meaning::Tensor(_)))
    }

    fn command(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let command = match Command::parse(self.file(), node) {
            Ok(command) => command,
            Err(error) => {
                self.c.diagnostics.push(*error);
                return None;
            }
        };
        if let Some(name) = command.subject().filter(|name| self.scope.get(&name.text).is_none()) {
            self.unknown(&name.clone());
            return None;
        }
        Some(Statement::Command(command))
    }
}

/// The operator of an assignment that is an update.
fn update(node: NodeRef<'_>, head: NodeRef<'_>) -> Option<Update> {
    let behind = |token: &TokenRef<'_>| token.span().start >= head.span().end && !token.kind().is_trivia();
    let operator = node.own_tokens().filter(behind).find(|token| token.kind() != TokenKind::Colon)?;
    let op = match (operator.kind(), operator.text()) {
        (TokenKind::PlusEq, _) => BinaryOp::Add,
        (TokenKind::MinusEq, _) => BinaryOp::Sub,
        (TokenKind::StarEq, _) => BinaryOp::Mul,
        (TokenKind::SlashEq, _) => BinaryOp::Div,
        (TokenKind::Ident, "min") => BinaryOp::Min,
        (TokenKind::Ident, "max") => BinaryOp::Max,
        _ => return None,
    };
    Some(Update { op, place: operator.span() })
}

/// A number with its signs, or a word for one.
fn is_constant(node: NodeRef<'_>) -> bool {
    match node.kind() {
        NodeKind::Number | NodeKind::ComplexNumber => true,
        NodeKind::Name => matches!(node.text(), "inf" | "nan" | "true" | "false"),
        NodeKind::Unary | NodeKind::Paren => node.children().next().is_some_and(is_constant),
        _ => false,
    }
}

/// How deep the first lists are nested.
fn nesting(node: NodeRef<'_>) -> usize {
    fn list(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
        node.child(NodeKind::ListLiteral)
    }
    match node.kind() {
        NodeKind::ListLiteral => std::iter::successors(Some(node), |node| list(*node)).count(),
        NodeKind::DenseLiteral => list(node).map_or(0, nesting),
        _ => list(node).and_then(list).map_or(1, |tuple| tuple.children().count()),
    }
}

/// The element type of a literal whose type names none.
fn default_element(node: NodeRef<'_>) -> Element {
    let complex = node.descendants().any(|node| node.kind() == NodeKind::ComplexNumber);
    if complex { Element::C64 } else { Element::F64 }
}

impl Statement {
    /// What the statement defines, as far as its text tells.
    pub fn definition(&self, scope: &Scope) -> Option<(String, Meaning)> {
        match self {
            Statement::Encoding { name, encoding } => Some((name.text.clone(), Meaning::Encoding(encoding.clone()))),
            Statement::Tensor(tensor) => Some((tensor.name.text.clone(), Meaning::Tensor(tensor.static_type(scope)))),
            Statement::Constant { name, element, .. } => Some((name.text.clone(), Meaning::Scalar(*element))),
            Statement::Kernel(kernel) => Some((kernel.name.text.clone(), kernel.meaning())),
            Statement::Call(_)
            | Statement::Show(_)
            | Statement::Compute(_)
            | Statement::Use(_)
            | Statement::Command(_) => None,
        }
    }
}

impl KernelStatement {
    /// A scalar where the left side has no indices.
    pub fn meaning(&self) -> Meaning {
        match (&self.result.shape, self.result.element) {
            (Some(shape), Some(element)) if shape.is_empty() => Meaning::Scalar(element),
            _ => Meaning::Tensor(self.result.clone()),
        }
    }
}

impl TensorDefinition {
    fn static_type(&self, scope: &Scope) -> PartialType {
        let (element, shape) = match &self.init {
            Init::Literal(triplets) => {
                (Some(triplets.element()), Some(triplets.shape().iter().copied().map(Some).collect()))
            }
            Init::Convert(name) => match scope.get(&name.text) {
                Some(Meaning::Tensor(ty)) => (ty.element, ty.shape.clone()),
                _ => (None, None),
            },
            Init::Generate { .. } => (Some(Element::F64), None),
            Init::Read(_) => (None, None),
        };
        let rank = self.spec.rank();
        let shape = self.spec.shape.clone().filter(|sizes| sizes.iter().all(Option::is_some)).or(shape);
        let shape = shape.or(rank.map(|rank| vec![None; rank]));
        let format = shape.as_ref().and_then(|shape| self.spec.known_format(shape.len()));
        PartialType {
            element: self.spec.element.or(element),
            shape,
            format,
            format_name: self.spec.format_name.clone(),
        }
    }
}
