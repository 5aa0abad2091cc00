//! Expressions: from their trees to [`Expr`], each with one element type.

use std::{cell::Cell, collections::HashMap, sync::LazyLock};

use super::{
    Notation,
    elements::{Kind, Wanted, is_not, is_truth},
    example_indices, functions, is_function, product_indices, semiring,
};
use crate::{
    Checker,
    scope::{Format, Meaning, PartialType, Scope, nearest, suggest},
    value::value,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_encoding::named;
use nnz_kernel::{Access, BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, habits};

impl Notation<'_, '_> {
    /// The expression of `node`. Parts that take their type from their surroundings take `wanted`, else their
    /// own.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn expr(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        match node.kind() {
            NodeKind::Number | NodeKind::ComplexNumber => self.constant(node, wanted),
            NodeKind::Paren => self.expr(node.children().next()?, wanted),
            NodeKind::Unary if is_not(node) => self.not(node, wanted),
            NodeKind::Unary => self.signed(node, wanted),
            NodeKind::Binary if is_truth(node) => self.truth(node, wanted),
            NodeKind::Binary => self.arithmetic(node, wanted),
            NodeKind::Shift => self.shift(node, wanted),
            NodeKind::Name => self.name(node, wanted),
            NodeKind::Call => self.call(node, wanted),
            NodeKind::NamedArg | NodeKind::Range => {
                let message = format!("`{}` is no expression", node.text());
                self.arity(node.span(), message, "no expression");
                None
            }
            _ => None,
        }
    }

    /// The element type of an expression; `None` if it depends on data that are not read yet.
    pub(super) fn element_of(&self, expr: &Expr) -> Option<Element> {
        let known = Cell::new(true);
        let element = expr.element(&|tensor| {
            let element = self.tensors.get(tensor.index()).and_then(|operand| operand.ty.element);
            known.set(known.get() && element.is_some());
            element.unwrap_or(Element::F64)
        });
        known.get().then_some(element)
    }

    // Numbers.

    pub(super) fn constant(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let own = if node.kind() == NodeKind::ComplexNumber { Kind::Complex } else { Kind::Number };
        let wanted = wanted.or(own.settled(None))?;
        match value(self.c.source.id, node, wanted.element) {
            Ok(scalar) => Some(Expr::literal(wanted.element, scalar)),
            Err(diagnostic) => {
                let mut diagnostic = *diagnostic;
                if let Some(span) = wanted.because {
                    let reason = format!("computed in `{}` because of this", wanted.element);
                    diagnostic = diagnostic.secondary(span, reason);
                    self.converts_other(&mut diagnostic, span);
                }
                self.c.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// `n(i) + 1.5`, where `n` at `place` holds integers: it is converted, and no other type is given to it.
    fn converts_other(&self, diagnostic: &mut Diagnostic, place: Span) {
        let of_access = |(_, known): &&(Access, super::AccessPlace)| known.whole.start == place.start;
        let Some((_, known)) = self.accesses.iter().find(of_access) else { return };
        let whole = self.c.text(known.whole);
        if diagnostic.code == Code::LiteralType && diagnostic.primary.message == "has a fraction" {
            diagnostic.helps = vec![format!("convert what it is computed with: `f64({whole})`")];
        }
    }

    /// `-2.5` is one constant, so that the smallest integer of a type can be written.
    fn signed(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let inner = node.children().next()?;
        if inner.kind() == NodeKind::Number {
            return self.constant(node, wanted);
        }
        let operand = self.expr(inner, wanted)?;
        let minus = node.first_token()?.kind() == TokenKind::Minus;
        Some(if minus { Expr::Unary(UnaryOp::Neg, Box::new(operand)) } else { operand })
    }

    // Operations.

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn arithmetic(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let operator = super::operator(node)?;
        let op = match operator.kind() {
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Sub,
            TokenKind::Star => BinaryOp::Mul,
            TokenKind::Slash => BinaryOp::Div,
            _ => return None,
        };
        let mut operands = node.children();
        let operands = [operands.next()?, operands.next()?];
        if op == BinaryOp::Sub && self.hyphenated(operands) {
            return None;
        }
        let made = self.binary(op, operator.text(), operands, wanted)?;
        if op != BinaryOp::Mul && self.element_of(&made) == Some(Element::I1) {
            self.counts_conditions(operator.span(), operands[0]);
        }
        Some(made)
    }

    fn shift(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let (op, name) =
            if super::operator(node)?.kind() == TokenKind::Lt { (BinaryOp::Shl, "<<") } else { (BinaryOp::Shr, ">>") };
        let mut operands = node.children();
        self.binary(op, name, [operands.next()?, operands.next()?], wanted)
    }

    /// Arithmetic on conditions, or on a tensor of them, would wrap at 1.
    pub(super) fn counts_conditions(&mut self, place: Span, example: NodeRef<'_>) {
        let message = "conditions are counted in `i1`, which holds no 2".to_string();
        let error = self.error(Code::NoCondition, place, message);
        error.primary.message = "a condition where a number is wanted".to_string();
        error.helps.push(format!("say in which type to count: `i64({})`", example.text()));
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        name: &str,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        let [a, b] = self.alike_for(nodes, wanted, |element| op.applies(element))?;
        let element = self.element_of(&a);
        self.check_applies(name, op.takes(), element.is_none_or(|element| op.applies(element)), element, nodes[0])?;
        Some(Expr::Binary(op, Box::new(a), Box::new(b)))
    }

    /// Two operands of one type.
    pub(super) fn alike(&mut self, nodes: [NodeRef<'_>; 2], wanted: Option<Wanted>) -> Option<[Expr; 2]> {
        self.alike_for(nodes, wanted, |_| true)
    }

    /// Two operands of one type, of an operation that `applies` to some types.
    fn alike_for(
        &mut self,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
        applies: impl Fn(Element) -> bool,
    ) -> Option<[Expr; 2]> {
        let [left, right] = nodes;
        let settled = self.kind(left).join(self.kind(right)).settled(wanted);
        let (a, b) = (self.expr(left, settled), self.expr(right, settled));
        let (a, b) = (a?, b?);
        match (self.element_of(&a), self.element_of(&b)) {
            (Some(x), Some(y)) if x != y => {
                self.mixed([(left, x), (right, y)], applies);
                None
            }
            _ => Some([a, b]),
        }
    }

    fn mixed(&mut self, [(left, x), (right, y)]: [(NodeRef<'_>, Element); 2], applies: impl Fn(Element) -> bool) {
        let (narrow, to) = if width(x) < width(y) { (left, y) } else { (right, x) };
        let [left_text, right_text] = [left, right].map(one_line);
        let message = format!("`{left_text}` is `{x}` and `{right_text}` is `{y}`: one must be converted");
        let cast = format!("{to}({})", narrow.text());
        let error = Diagnostic::new(Code::ElementMismatch, self.c.source.id, right.span(), message)
            .label(format!("this is `{y}`"))
            .secondary(left.span(), format!("this is `{x}`"));
        if !applies(to) {
            return self.c.diagnostics.push(error.help(format!("to `{to}` the operation does not apply")));
        }
        let error = error.help(format!("write the conversion: `{}`", cast.lines().next().unwrap_or_default())).fix(
            format!("convert to `{to}`"),
            narrow.span(),
            cast,
        );
        self.c.diagnostics.push(error);
    }

    /// Reports an operation that does not exist for the type of its operands.
    pub(super) fn check_applies(
        &mut self,
        name: &str,
        takes: &str,
        applies: bool,
        element: Option<Element>,
        operand: NodeRef<'_>,
    ) -> Option<()> {
        let Some(element) = element.filter(|_| !applies) else { return Some(()) };
        let message = format!("`{name}` does not apply to `{}`, which is `{element}`", one_line(operand));
        let text = operand.text().to_string();
        // Beside another operand one conversion would not do.
        let parent = operand.ancestors().find(|node| node.span() != operand.span());
        let mut others = parent.into_iter().flat_map(NodeRef::children).filter(|node| node.span() != operand.span());
        let alone = others.all(|node| node.kind() == NodeKind::Number);
        let whole = alone && !matches!(operand.kind(), NodeKind::Number) && !text.contains('\n');
        let error = self.error(Code::NoOperation, operand.span(), message);
        error.primary.message = format!("this is `{element}`");
        error.helps.push(format!("`{name}` takes {takes}"));
        let to = match () {
            () if element.is_integer() && takes.contains("`f64`") => Some("f64"),
            () if element.is_float() && takes.starts_with("integer") => Some("i64"),
            () => None,
        };
        if let Some(to) = to.filter(|_| whole && element != Element::I1) {
            let (edit, span) = (format!("{to}({text})"), operand.span());
            let edits = vec![Edit { file: error.primary.file, span, replacement: edit.clone() }];
            let title = format!("convert it: `{edit}`");
            *error = error.clone().fix_edits(title, edits, Applicability::MaybeIncorrect);
        } else if element.is_complex() && whole {
            error.helps.push(format!("take what is real: `abs({text})`, `real({text})`, `imag({text})`"));
        }
        None
    }

    // Conditions.

    fn not(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let cond = self.condition(node.children().next()?)?;
        Some(as_number(Expr::Unary(UnaryOp::Not, Box::new(cond)), wanted))
    }

    /// A comparison, or `and`, or `or`.
    fn truth(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let mut operands = node.children();
        let nodes = [operands.next()?, operands.next()?];
        let operator = super::operator(node)?;
        let cond = match comparison(operator.kind()) {
            Some(op) => self.comparison(op, nodes)?,
            None => {
                let (a, b) = (self.condition(nodes[0]), self.condition(nodes[1]));
                let op = if operator.text() == "and" { BinaryOp::And } else { BinaryOp::Or };
                Expr::Binary(op, Box::new(a?), Box::new(b?))
            }
        };
        Some(as_number(cond, wanted))
    }

    fn comparison(&mut self, op: CompareOp, nodes: [NodeRef<'_>; 2]) -> Option<Expr> {
        let chained = |node: &NodeRef<'_>| {
            node.kind() == NodeKind::Binary && super::operator(*node).is_some_and(|o| comparison(o.kind()).is_some())
        };
        if chained(&nodes[0]) {
            self.chained(nodes);
            return None;
        }
        let [a, b] = self.alike(nodes, None)?;
        let element = self.element_of(&a);
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let applies = equality || element.is_none_or(|element| !element.is_complex());
        self.check_applies(
            op.name(),
            "types that have an order: all but the complex ones",
            applies,
            element,
            nodes[0],
        )?;
        Some(Expr::Compare(op, Box::new(a), Box::new(b)))
    }

    /// `a < b < c`
    fn chained(&mut self, [left, right]: [NodeRef<'_>; 2]) {
        let middle = left.children().nth(1).map_or("b", |node| node.text());
        let between = Span { start: left.span().end, end: right.span().start };
        let sign = self.c.text(between).trim().to_string();
        let whole = format!("{} and {middle} {sign} {}", left.text(), right.text());
        let span = left.span().cover(right.span());
        let error = self.error(Code::NoCondition, span, "comparisons do not chain".to_string());
        let told = error.clone().label("two comparisons in a row").help(format!("join two of them: `{whole}`"));
        *error = told.fix(format!("write `{whole}`"), span, whole);
    }

    /// An expression of type `i1`.
    pub(super) fn condition(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let cond = self.expr(node, None)?;
        match self.element_of(&cond) {
            Some(found) if found != Element::I1 => {
                let text = one_line(node);
                let message = format!("`{text}` is `{found}`, and a condition is wanted");
                let error = self.error(Code::NoCondition, node.span(), message);
                let fixed = format!("{} != 0", node.text());
                let told = error.clone().label("a number where a condition is wanted");
                *error = told.help(format!("compare it: `{text} != 0`")).fix("compare it", node.span(), fixed);
                None
            }
            _ => Some(cond),
        }
    }

    /// An expression as a condition: whether it is not zero.
    pub(super) fn not_zero(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let value = self.expr(node, None)?;
        Some(match self.element_of(&value) {
            Some(element) if element != Element::I1 => {
                Expr::Compare(CompareOp::Ne, Box::new(value), Box::new(Expr::zero(element)))
            }
            _ => value,
        })
    }

    // Names.

    fn name(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let name = node.text();
        let indexes = self.index_names.contains(name);
        if let Some((slot, element)) = self.slot(name) {
            return Some(Expr::Slot(slot, element));
        }
        match self.scope.get(name) {
            Some(Meaning::Scalar(_)) if indexes => {
                let message = format!("`{name}` is a scalar, and an index variable of this kernel");
                let error = self.error(Code::InvalidKernel, node.span(), message);
                error.primary.message = "a scalar here".to_string();
                error.helps.push("use another name for the index variable".to_string());
                None
            }
            Some(Meaning::Scalar(element)) => Some(self.scalar(node, *element)),
            Some(Meaning::Tensor(ty)) => {
                let ty = ty.clone();
                self.missing_indices(node, &ty);
                None
            }
            Some(Meaning::Broken) => None,
            Some(Meaning::Encoding(_)) | None if indexes => {
                let var = self.var(name, node.span());
                let element = wanted.map_or(Element::F64, |wanted| wanted.element);
                Some(Expr::Index(var, element))
            }
            Some(Meaning::Encoding(_)) | None => self.named_constant(node, wanted),
        }
    }

    fn scalar(&mut self, node: NodeRef<'_>, element: Element) -> Expr {
        let shape = Some(Vec::new());
        let ty = PartialType { element: Some(element), shape, format: Some(Format::Plain), format_name: None };
        let tensor = self.tensor(node.text(), &ty, node.span());
        let access = Access { tensor, indices: Vec::new() };
        self.record(&access, node.span(), Vec::new());
        Expr::Access(access)
    }

    fn named_constant(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let number = match node.text() {
            "inf" | "nan" => return self.constant(node, wanted),
            "true" | "false" => {
                let truth = Expr::literal(Element::I1, Scalar::Int((node.text() == "true").into()));
                return Some(as_number(truth, wanted));
            }
            "pi" => std::f64::consts::PI,
            "e" => std::f64::consts::E,
            _ => {
                self.unknown(node.span(), node.text());
                return None;
            }
        };
        let element = wanted.map_or(Element::F64, |wanted| wanted.element);
        if element.is_integer() {
            let message = format!("`{}` is not an integer, but computed in `{element}`", node.text());
            let error = self.error(Code::LiteralType, node.span(), message);
            error.primary.message = "has a fraction".to_string();
            error.helps.push(format!("convert what it is computed with: `f64(...) * {}`", node.text()));
            return None;
        }
        Some(Expr::literal(element, Scalar::Float(number)))
    }

    fn missing_indices(&mut self, node: NodeRef<'_>, ty: &PartialType) {
        let indices = self.indices_in_product(node).or_else(|| ty.rank().map(example_indices));
        let message = format!("the tensor `{}` is used without indices", node.text());
        let is_number = self.index_names.is_empty() && node.span() == self.expr_span;
        let updated = self.whole_update(node, ty).filter(|_| is_number);
        let error = self.error(Code::WrongArity, node.span(), message);
        error.primary.message = "without indices".to_string();
        if let Some(whole) = updated {
            error.helps.push(format!("an update names the indices of both sides: `{whole}`"));
            return;
        }
        if let (true, Some(rank)) = (is_number, ty.rank()) {
            let (name, all, first) = (node.text(), example_indices(rank), vec!["0"; rank].join(", "));
            error
                .helps
                .push(format!("a number is one entry, `{name}({first})`, or made of all: `sum({all}, {name}({all}))`"));
            return;
        }
        error.helps.extend(indices.map(|indices| format!("write `{}({indices})`", node.text())));
    }

    /// `x(i) += w(i)` for `x += w`, tensors of one rank.
    fn whole_update(&self, node: NodeRef<'_>, ty: &PartialType) -> Option<String> {
        let statement = node.ancestors().find(|parent| parent.kind() == NodeKind::Assignment)?;
        let target = statement.children().next().filter(|target| target.kind() == NodeKind::Name)?;
        let sign = self.c.text(Span { start: target.span().end, end: node.span().start }).trim();
        let rank = self.tensor_called(target.text())?.rank().filter(|rank| sign != "=" && ty.rank() == Some(*rank))?;
        let indices = example_indices(rank);
        Some(format!("{}({indices}) {sign} {}({indices})", target.text(), node.text()))
    }

    /// The indices of an operand of `A * x`, a product of linear algebra.
    fn indices_in_product(&self, node: NodeRef<'_>) -> Option<String> {
        let product = node.ancestors().find(|parent| parent.span() != node.span())?;
        let operands: Vec<NodeRef<'_>> = product.children().collect();
        let &[left, right] = operands.as_slice() else { return None };
        let star = super::operator(product)?.kind() == TokenKind::Star;
        let rank = |operand: NodeRef<'_>| match self.scope.get(operand.text()) {
            Some(Meaning::Tensor(ty)) if star && operand.kind() == NodeKind::Name => ty.rank(),
            _ => None,
        };
        let [_, of_left, of_right] = product_indices(rank(left)?, rank(right)?)?;
        Some(if node.span() == left.span() { of_left } else { of_right }.to_string())
    }

    /// Reports an unknown name used as a value.
    pub(super) fn unknown(&mut self, span: Span, name: &str) {
        let message = format!("`{name}` is not defined");
        let diagnostic = Diagnostic::new(Code::UnknownName, self.c.source.id, span, message).label("not defined");
        if let Some(told) = member(&diagnostic, name) {
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
    pub(super) fn unknown_function(&mut self, span: Span, name: &str, arguments: usize) {
        let told = unknown_function(self.c, self.scope, (span, name), arguments);
        self.c.report(told);
    }
}

/// `A.T`, `A.nnz`, `np.pi`
fn member(diagnostic: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let (object, member) = name.rsplit_once('.')?;
    let help = match habits::function(member) {
        _ if matches!(member, "T" | "H") => {
            format!("a transpose is written with indices: `{object}(j, i)` for `{object}(i, j)`")
        }
        Some(habits::Function::Said(how)) => how.to_string(),
        _ => "names have no members".to_string(),
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
    if scope.function(name).is_some() {
        return diagnostic
            .help(format!("a function of a program is called by a statement of its own: `t = @{name}(...)`"));
    }
    if named::FORMATS.iter().any(|format| format.name == name) {
        return diagnostic.help(format!("`{name}` is a format: a tensor is converted by its type, `B : {name} = A`"));
    }
    match (habits::function(name), name.rsplit_once('.')) {
        (_, Some((_, "T" | "H"))) => member(&diagnostic, name).unwrap_or(diagnostic),
        (Some(habits::Function::Said(how)), _) => diagnostic.help(scope.with_free_names(how)),
        (Some(habits::Function::Named(own)), Some((object, _))) if scope.get(object).is_some() => {
            diagnostic.help(of_entries(own, object, arguments))
        }
        (_, Some((object, own))) if scope.get(object).is_some() && functions::find(own).is_some() => {
            diagnostic.help(of_entries(own, object, arguments))
        }
        (Some(habits::Function::Named(own)), _) => written(own),
        (None, Some((object, own))) if scope.get(object).is_none() && is_function(own) => written(own),
        (None, Some((object, _))) if scope.get(object).is_some() => diagnostic.help("names have no members"),
        _ => near_function(c, scope, diagnostic, name, arguments),
    }
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
    name: &str,
    arguments: usize,
) -> Diagnostic {
    if let Some(own) = semiring_without_signs(name) {
        return suggest(diagnostic, name, [own], "");
    }
    let semirings: Vec<String> = if name.contains('_') { semiring::names().collect() } else { Vec::new() };
    let mut known: Vec<&str> = c.guesses(scope, |meaning| matches!(meaning, Meaning::Tensor(_)));
    functions::function_names().for_each(|name| known.push(name));
    known.extend(semirings.iter().map(String::as_str));
    let example = match arguments {
        // Words are functions, letters are tensors.
        _ if name.len() > 2 && name.starts_with(|c: char| c.is_ascii_lowercase()) => such_functions(name),
        1 => format!("define it first, as in `{name} : tensor<4xf64> = [1, 2, 3, 4]`"),
        2 => format!("define it first, as in `{name} : tensor<4x4xf64, CSR> = read \"file.mtx\"`"),
        _ => {
            let sizes = "4x".repeat(arguments.max(1));
            format!("define it first, as in `{name} : tensor<{sizes}f64, CSF> = read \"file.tns\"`")
        }
    };
    suggest(diagnostic, name, known, example)
}

/// The semiring that a name is but for capitals and underscores.
fn semiring_without_signs(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<String, String>> =
        LazyLock::new(|| semiring::names().map(|own| (joined(&own), own)).collect());
    NAMES.get(&joined(name)).map(String::as_str)
}

fn joined(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The functions that a word is near to: of a word that is far from all, where they are listed.
fn such_functions(word: &str) -> String {
    let near = |name: &&str| name.contains(word) || did_you_mean(word, [*name]).is_some();
    let such: Vec<&str> = functions::function_names().filter(near).collect();
    match such.is_empty() {
        true => "`:help functions` lists the functions".to_string(),
        false => format!("functions with such names: {}", nearest(word, such)),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn comparison(kind: TokenKind) -> Option<CompareOp> {
    Some(match kind {
        TokenKind::EqEq => CompareOp::Eq,
        TokenKind::Ne => CompareOp::Ne,
        TokenKind::Lt => CompareOp::Lt,
        TokenKind::Le => CompareOp::Le,
        TokenKind::Gt => CompareOp::Gt,
        TokenKind::Ge => CompareOp::Ge,
        _ => return None,
    })
}

/// A condition, or 1 and 0 of the type that is wanted.
pub(super) fn as_number(cond: Expr, wanted: Option<Wanted>) -> Expr {
    converted(cond, Element::I1, wanted)
}

/// `expr` of type `from`, converted to the type that is wanted.
pub(super) fn converted(expr: Expr, from: Element, wanted: Option<Wanted>) -> Expr {
    match wanted {
        Some(Wanted { element, .. }) if element != from => Expr::Cast(element, Box::new(expr)),
        _ => expr,
    }
}

/// How much a type can hold: of two that meet, the one to convert to.
fn width(element: Element) -> (bool, bool, usize) {
    (element.is_complex(), !element.is_integer(), element.bytes())
}

fn one_line(node: NodeRef<'_>) -> &str {
    node.text().lines().next().unwrap_or_default()
}
