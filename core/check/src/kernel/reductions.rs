//! Reductions, and products over semirings.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Notation,
    access::Window,
    calls::{callee, positional, range_of},
    convert::{as_number, converted},
    elements::Wanted,
    functions,
    meant::meant_reduction,
    semiring::{Multiply, Semiring, is_logic},
    update,
};
use crate::{
    scope::{Format, Meaning},
    value::value,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    element::{Element, Scalar},
    ids::IndexVar,
    source::Span,
};
use nnz_encoding::MAX_RANK;
use nnz_kernel::{self as kernel, Access, CompareOp, Expr, Fold, KernelError, Literal, Over, ReduceOp, Slot, UnaryOp};
use nnz_syntax::{NodeKind, NodeRef};

const REDUCE_EXAMPLE: &str = "as in `reduce(j, A(i, j), combine = left + right * right, identity = 0)`";

impl Notation<'_, '_> {
    /// Whether the arguments are those of a reduction: index variables, and then an expression. What is
    /// also a function, as `max(alpha, A(i))`, is one only if the expression indexes tensors with them.
    pub(super) fn is_reduction(&self, callee: &str, arguments: &[NodeRef<'_>]) -> bool {
        let Some((body, vars)) = arguments.split_last() else { return false };
        let is_index = |name: &str| {
            let calls = body.descendants().filter(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
            // `l`, or `l = 0:3`
            let names = |part: NodeRef<'_>| {
                matches!(part.kind(), NodeKind::Name | NodeKind::NamedArg)
                    && part.first_token().is_some_and(|token| token.text() == name)
            };
            calls.flat_map(|call| call.descendants().skip(1)).any(names)
        };
        let first = |var: &NodeRef<'_>| var.first_token().is_some_and(|token| is_index(token.text()));
        // No function of two values takes more.
        let strict = functions::find(callee).is_some() && !(vars.len() > 1 && vars.iter().any(first));
        let is_free = |name: &str| (!strict && !self.is_value(name)) || is_index(name);
        let is_var =
            |var: &NodeRef<'_>| var.kind() == NodeKind::NamedArg || var.kind() == NodeKind::Name && is_free(var.text());
        functions::reduction(callee).is_some() && !vars.is_empty() && vars.iter().all(is_var)
    }

    pub(super) fn is_value(&self, name: &str) -> bool {
        matches!(self.scope.get(name), Some(Meaning::Scalar(_) | Meaning::Tensor(_)))
    }

    /// A name that can be indexed, or that could if its definition had no error.
    pub(super) fn is_tensor(&self, call: NodeRef<'_>) -> bool {
        let name = call.first_token().map_or("", |token| token.text());
        let known = functions::find(name).is_some() || functions::reduction(name).is_some();
        match self.scope.get(name) {
            Some(Meaning::Tensor(_) | Meaning::Broken) => true,
            Some(_) => false,
            None => !known && Semiring::parse(name).is_none() && functions::conversion(&callee(call)).is_none(),
        }
    }

    pub(super) fn wrong_reduction(&mut self, node: NodeRef<'_>, name: &str) -> Option<Expr> {
        if name == "reduce" && self.unnamed_parts(node) || self.reduces_behind_colon(node, name) {
            return None;
        }
        let message = format!("`{name}` needs the index variable to reduce over");
        let meant = self.meant_terms(node, name).or_else(|| Some(meant_reduction(self.scope, node)?.text));
        let alone = node.span() == self.expr_span && !self.left_names.is_empty();
        let of_all = alone && node.children().all(|argument| argument.kind() == NodeKind::Name);
        let error = self.error(Code::WrongArity, node.span(), message);
        error.primary.message = "over which variable?".to_string();
        match meant {
            Some(text) if of_all => {
                error
                    .helps
                    .push(format!("the reduction of all entries is a number, without indices: `y : f64 = {text}`"));
            }
            Some(text) => {
                let edit = Edit { file: error.primary.file, span: node.span(), replacement: text.clone() };
                let told = error.clone().help(format!("name it first: `{text}`"));
                *error = told.fix_edits(format!("write `{text}`"), vec![edit], Applicability::MaybeIncorrect);
            }
            None if name == "reduce" => error.helps.push(format!("name it first, {REDUCE_EXAMPLE}")),
            None => error.helps.push(format!("name it first, as in `{name}(j, A(i, j))`")),
        }
        None
    }

    /// `sum(j, A(i, j) * x(j))` for `sum(A(i, j) * x(j))`, where the left side tells which variables stay.
    fn meant_terms(&self, node: NodeRef<'_>, name: &str) -> Option<String> {
        let arguments: Vec<NodeRef<'_>> = node.children().collect();
        let &[body] = arguments.as_slice() else { return None };
        let calls = || body.descendants().chain([body]).filter(|part| part.kind() == NodeKind::Call);
        let accesses = || calls().filter(|call| self.is_tensor(*call));
        let indices: Vec<NodeRef<'_>> = accesses().flat_map(|access| access.children()).collect();
        let fine = accesses().all(|access| self.tensor_called(&callee(access)).is_some())
            && indices.iter().all(|index| index.kind() == NodeKind::Name);
        let mut vars: Vec<&str> = indices.iter().map(|index| index.text()).collect();
        let mut seen = BTreeSet::new();
        vars.retain(|var| !self.left_names.contains(*var) && seen.insert(*var));
        let known = fine && !vars.is_empty() && functions::reduction(name).is_some();
        known.then(|| format!("{name}({}, {})", vars.join(", "), body.text()))
    }

    /// `reduce(j, A(i, j), left + right, 0)`: the operation and the identity must be named arguments. Whether it is
    /// that slip.
    fn unnamed_parts(&mut self, node: NodeRef<'_>) -> bool {
        let unnamed: Vec<NodeRef<'_>> = positional(node).collect();
        let vars = unnamed.iter().take_while(|part| is_var(part) && !self.is_value(part.text())).count();
        let parts = unnamed.get(vars + 1..).unwrap_or_default();
        let Some(first) = parts.first().filter(|_| vars > 0) else { return false };
        let error = Diagnostic::new(
            Code::WrongArity,
            self.c.source.id,
            first.span(),
            "what `reduce` combines by, and from what on, is named",
        );
        let names: Vec<Option<&str>> = parts.iter().map(|part| self.name_of_part(node, *part)).collect();
        let twice = names.len() > 1 && names[0] == names[1];
        let edits = parts.iter().zip(&names).map(|(part, name)| {
            let at = Span::at(part.span().start as usize);
            Some(Edit { file: self.c.source.id, span: at, replacement: format!("{} = ", (*name)?) })
        });
        let edits: Option<Vec<Edit>> = edits.collect::<Option<_>>().filter(|_| parts.len() <= 2 && !twice);
        let error = error.label("without a name");
        self.c.report(match edits {
            Some(edits) => {
                let names: Vec<String> = names.iter().flatten().map(|name| format!("`{name} =`")).collect();
                error.fix_edits(format!("insert {}", names.join(" and ")), edits, Applicability::MaybeIncorrect)
            }
            None => error.help(REDUCE_EXAMPLE),
        });
        true
    }

    /// The part that an argument without a name may be: a number is the identity, an expression the operation.
    fn name_of_part(&self, reduce: NodeRef<'_>, part: NodeRef<'_>) -> Option<&'static str> {
        let of_terms = |part: NodeRef<'_>| part.kind() == NodeKind::Name && matches!(part.text(), "left" | "right");
        let number = value(self.c.source.id, part, Element::F64).is_ok();
        let name = match part.descendants().any(of_terms) {
            true => "combine",
            false if number => "identity",
            false => return None,
        };
        self.named_argument(reduce, name).is_none().then_some(name)
    }

    pub(super) fn reduction(
        &mut self,
        node: NodeRef<'_>,
        op: &ReduceOp,
        arguments: &[NodeRef<'_>],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        let (body, vars) = arguments.split_last()?;
        self.one_place(node, op, vars)?;
        let vars = self.reduction_vars(vars);
        self.refuse_named(node, &["over"])?;
        let over = self.over(node)?;
        let body_node = *body;
        let body = match op {
            ReduceOp::Or | ReduceOp::And => self.condition(body_node)?,
            ReduceOp::ArgMin | ReduceOp::ArgMax => self.expr(body_node, None)?,
            ReduceOp::Sum
            | ReduceOp::Prod
            | ReduceOp::Min
            | ReduceOp::Max
            | ReduceOp::Xor
            | ReduceOp::Pick
            | ReduceOp::Custom(_) => {
                let settled = self.kind(body_node).settled(wanted);
                self.expr(body_node, settled)?
            }
        };
        let element = self.element_of(&body);
        let applies = element.is_none_or(|element| op.applies(element));
        self.check_applies(op.name(), op.takes(), applies, element, body_node)?;
        if *op == ReduceOp::Sum && element == Some(Element::I1) {
            self.counts_conditions(body_node.span(), body_node);
        }
        let body = Box::new(self.terms_of(op, over, body));
        let reduced = Expr::Reduce { op: op.clone(), over, vars: vars?, body };
        Some(match op {
            ReduceOp::Or | ReduceOp::And => as_number(reduced, wanted),
            ReduceOp::ArgMin | ReduceOp::ArgMax => converted(reduced, Element::Index, wanted),
            ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::Xor => reduced,
            ReduceOp::Pick | ReduceOp::Custom(_) => reduced,
        })
    }

    /// `argmax(i, j, A(i, j))`, which would be two places.
    fn one_place(&mut self, node: NodeRef<'_>, op: &ReduceOp, vars: &[NodeRef<'_>]) -> Option<()> {
        let of_place = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
        if !of_place || vars.len() < 2 {
            return Some(());
        }
        self.refuse_twice(vars, "each variable is reduced over once")?;
        let error = KernelError::OnePlace { operation: op.name(), count: vars.len() };
        let told = self.error(Code::InvalidKernel, node.span(), error.to_string());
        told.primary.message = error.label().unwrap_or_default();
        told.helps.extend(error.help());
        None
    }

    /// `reduce(j, A(i, j), combine = left + right * right, identity = 0)`
    pub(super) fn written_reduction(
        &mut self,
        node: NodeRef<'_>,
        arguments: &[NodeRef<'_>],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        let (body, vars) = arguments.split_last()?;
        let vars = self.reduction_vars(vars);
        self.refuse_named(node, &["combine", "identity", "over"])?;
        let over = self.over(node)?;
        let parts = ["combine", "identity"].map(|name| self.named_argument(node, name));
        let [Some(combine), Some(identity)] = parts else {
            let lacks =
                if parts[0].is_none() { "how terms are combined" } else { "what a reduction without terms gives" };
            let name = if parts[0].is_none() { "combine" } else { "identity" };
            let error = self.error(Code::WrongArity, node.span(), format!("`reduce` does not say {lacks}"));
            error.primary.message = format!("no `{name} = ...`");
            error.helps.push(REDUCE_EXAMPLE.to_string());
            return None;
        };
        if self.combines_by_name(combine) || self.combines_others(combine) {
            return None;
        }
        let settled = self.kind(*body).settled(wanted);
        let body = self.expr(*body, settled)?;
        let fold = self.fold(self.element_of(&body)?, combine, identity)?;
        let op = ReduceOp::Custom(Arc::new(fold));
        let body = Box::new(self.terms_of(&op, over, body));
        Some(Expr::Reduce { op, over, vars: vars?, body })
    }

    /// The terms that a reduction takes in.
    pub(super) fn terms_of(&self, op: &ReduceOp, over: Over, body: Expr) -> Expr {
        let sparse = |access: &Access| {
            let format = self.tensors.get(access.tensor.index()).and_then(|operand| operand.ty.format.as_ref());
            match format {
                Some(Format::Encoded(encoding)) => !encoding.stores_all(),
                Some(Format::Parts(_)) => true,
                Some(Format::Plain) | None => false,
            }
        };
        let is_empty = |vars: &[IndexVar], body: &Expr| self.is_over_nothing(vars, body);
        let element = |part: &Expr| self.element_of(part).unwrap_or(Element::F64);
        let terms = kernel::Terms { sparse: &sparse, element: &element, is_empty: &is_empty };
        if over != Over::Stored {
            return body;
        }
        // A condition that does not hold is no term, nor is a zero that it chooses.
        kernel::of_stored(op, update::without_zeros(&update::held(&body), false), &terms)
    }

    /// Whether a dimension that `body` goes through along one of the variables is known to have no values.
    fn is_over_nothing(&self, vars: &[IndexVar], body: &Expr) -> bool {
        let through = |access: &Access| {
            let shape = self.tensors.get(access.tensor.index()).and_then(|operand| operand.ty.shape.as_deref());
            let mut dims = access.indices.iter().zip(shape.unwrap_or_default());
            dims.any(|(index, size)| *size == Some(0) && index.as_var().is_some_and(|var| vars.contains(&var)))
        };
        body.accesses().into_iter().any(through)
    }

    /// How terms of `element` are combined.
    fn fold(&mut self, element: Element, combine: NodeRef<'_>, identity: NodeRef<'_>) -> Option<Fold> {
        let wanted = Some(Wanted { element, because: None });
        let start = self.expr(identity, wanted);
        let outer = self.combines.replace(element);
        let combined = self.expr(combine, wanted);
        self.combines = outer;
        match number(start?) {
            Some(identity) => Some(Fold { identity, combine: combined? }),
            None => {
                let message = format!("`{}` is not a number", identity.text());
                self.arity(identity.span(), message, "not a number");
                None
            }
        }
    }

    /// The meaning of `left` and `right` in `combine`.
    pub(super) fn slot(&self, name: &str) -> Option<(Slot, Element)> {
        let slot = [Slot::Left, Slot::Right].into_iter().find(|slot| slot.name() == name)?;
        Some((slot, self.combines?))
    }

    fn reduction_vars(&mut self, nodes: &[NodeRef<'_>]) -> Option<Vec<IndexVar>> {
        if let (Some(first), Some(last)) = (nodes.get(MAX_RANK), nodes.last()) {
            let message = format!("{} index variables: a reduction is over at most {MAX_RANK}", nodes.len());
            let error = self.error(Code::TooLarge, first.span().cover(last.span()), message);
            error.primary.message = "variables too many".to_string();
            error.helps.push("reduce over some of them in a statement of its own".to_string());
            return None;
        }
        self.refuse_twice(nodes, "each variable is reduced over once")?;
        let vars: Vec<Option<IndexVar>> = nodes.iter().map(|node| self.reduction_var(*node)).collect();
        vars.into_iter().collect()
    }

    /// `k`, or `k = 0:3`.
    fn reduction_var(&mut self, node: NodeRef<'_>) -> Option<IndexVar> {
        let name = node.first_token()?;
        let var = self.var(name.text(), name.span());
        let Some(range) = range_of(node) else { return Some(var) };
        let window = self.window(range)?;
        if (window.from, window.step) != (0, 1) {
            let message = "the range of a variable starts at 0 and has no step".to_string();
            let error = self.error(Code::IndexForm, range.span(), message);
            error.primary.message = "not from 0, or with a step".to_string();
            error.helps.push(from_zero(name.text(), &window));
            return None;
        }
        self.bind_window(var, window.extent, range.span());
        Some(var)
    }

    /// `over = stored` or `over = all`.
    fn over(&mut self, node: NodeRef<'_>) -> Option<Over> {
        match self.named_argument(node, "over") {
            None => Some(Over::All),
            Some(word) if word.text() == "all" => Some(Over::All),
            Some(word) if word.text() == "stored" => Some(Over::Stored),
            Some(word) => {
                let message = format!("a reduction is over `all` or over `stored` terms, not `{}`", word.text());
                let error = self.error(Code::WrongArity, word.span(), message);
                let stored = ["nonzero", "nonzeros", "nz", "nnz", "present", "entries", "structure"];
                let near = did_you_mean(word.text(), ["all", "stored"]);
                let meant = if stored.contains(&word.text()) { Some("stored") } else { near };
                let told = error.clone().label("`all` or `stored`");
                *error = match meant {
                    Some(meant) => told.guess(word.span(), meant),
                    None => told.help("`over = stored` leaves out what is not stored, `over = all` takes it as zero"),
                };
                None
            }
        }
    }

    pub(super) fn semiring(
        &mut self,
        node: NodeRef<'_>,
        semiring: Semiring,
        arguments: &[NodeRef<'_>],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        self.refuse_named(node, &[])?;
        let (vars, [left, right]) = match arguments {
            [vars @ .., left, right] if !vars.is_empty() && vars.iter().all(is_var) => (vars, [*left, *right]),
            _ => {
                let name = callee(node);
                let message = format!("`{name}` takes index variables and two operands");
                let meant = self.semiring_over(node, arguments);
                let error = self.arity(node.span(), message, "not variables and two operands");
                error.helps.push(match meant {
                    Some(meant) => format!("name what is reduced over first: `{meant}`"),
                    None => format!("as in `{name}(j, A(i, j), x(j))`"),
                });
                return None;
            }
        };
        let vars = self.reduction_vars(vars);
        let (operands, term) = self.semiring_term(semiring, [left, right], wanted)?;
        let element = self.element_of(&term);
        let applies = element.is_none_or(|element| semiring.add.applies(element));
        self.check_applies(&callee(node), semiring.add.takes(), applies, element, left)?;
        if *semiring.add == ReduceOp::Sum && element == Some(Element::I1) {
            self.counts_conditions(left.span(), left);
        }
        let term = as_value(&term, &operands);
        let body = Box::new(self.few_questions(node, Expr::regions(operands, Some(term), None, None))?);
        let reduced = Expr::Reduce { op: semiring.add.clone(), over: Over::Stored, vars: vars?, body };
        Some(if semiring.is_logical() { as_number(reduced, wanted) } else { reduced })
    }

    /// `min_plus(i, j, A(i, j), x(j))` for `min_plus(A(i, j), x(j))`: over what indexes no result.
    fn semiring_over(&self, node: NodeRef<'_>, operands: &[NodeRef<'_>]) -> Option<String> {
        let &[left, right] = operands else { return None };
        // `min_plus(j, A(i, j))` lacks an operand.
        if [left, right].iter().any(|operand| operand.kind() == NodeKind::Name && !self.is_value(operand.text())) {
            return None;
        }
        let statement = node.ancestors().find(|parent| parent.kind() == NodeKind::Assignment);
        let head =
            statement.and_then(|statement| statement.children().next()).filter(|head| head.span() != node.span());
        let kept: Vec<&str> = head.into_iter().flat_map(|head| head.children()).map(|index| index.text()).collect();
        let mut vars: Vec<&str> = Vec::new();
        for index in [left, right].into_iter().filter(|call| self.is_tensor(*call)).flat_map(|call| call.children()) {
            let free = index.kind() == NodeKind::Name && !self.is_value(index.text());
            if free && !kept.contains(&index.text()) && !vars.contains(&index.text()) {
                vars.push(index.text());
            }
        }
        let call = format!("{}({}, {}, {})", callee(node), vars.join(", "), left.text(), right.text());
        (!vars.is_empty() && !call.contains('\n')).then_some(call)
    }

    /// The operands, and what is combined where both are present.
    fn semiring_term(
        &mut self,
        semiring: Semiring,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
    ) -> Option<([Expr; 2], Expr)> {
        let [left, right] = nodes;
        if semiring.is_logical() && !semiring.multiply.is_of_numbers() {
            let (a, b) = (self.expr(left, None), self.expr(right, None));
            let (a, b) = (a?, b?);
            let [x, y] = [&a, &b].map(|operand| self.not_zero(semiring.value_of(operand)));
            let term = term_of(semiring.multiply, Element::I1, &x, &y);
            return Some(([a, b], term));
        }
        if matches!(semiring.multiply, Multiply::First | Multiply::Second) {
            let kinds = [self.kind(left).settled(wanted), self.kind(right).settled(wanted)];
            let (a, b) = (self.expr(left, kinds[0]), self.expr(right, kinds[1]));
            let (a, b) = (a?, b?);
            let term = semiring.value_of(if semiring.multiply == Multiply::First { &a } else { &b });
            return Some(([a, b], term));
        }
        let [a, b] = self.alike(nodes, wanted.filter(|_| !semiring.is_logical()))?;
        let [x, y] = [&a, &b].map(|operand| semiring.value_of(operand));
        let element = self.element_of(&a);
        let multiply = semiring.multiply.of(element);
        let Some(op) = multiply.arithmetic() else {
            let element = if semiring.is_logical() { Element::I1 } else { element.unwrap_or(Element::F64) };
            let term = term_of(multiply, element, &x, &y);
            return Some(([a, b], term));
        };
        let applies = element.is_none_or(|element| op.applies(element));
        self.check_applies(op.name(), op.takes(), applies, element, left)?;
        let element = element.unwrap_or(Element::F64);
        let term = term_of(multiply, element, &x, &y);
        let term = if semiring.is_logical() { is_set(&term, element) } else { term };
        Some(([a, b], term))
    }
}

/// The term of a semiring as a value: whether numbers of index variables are not zero is no condition of the text, and
/// false where it does not hold, not absent.
fn as_value(term: &Expr, operands: &[Expr; 2]) -> Expr {
    let is_written = |part: &Expr| operands.iter().any(|operand| operand.nodes().into_iter().any(|node| node == part));
    let number = |part: &Expr| {
        let Expr::Index(_, element) = part else { return None };
        Some(Expr::given(*element, part.clone()))
    };
    term.replaced(&|part| match part.is_index_condition() {
        true if is_written(part) => Some(part.clone()),
        true => Some(part.replaced(&number)),
        false => None,
    })
}

/// Whether a number is not zero.
fn is_set(x: &Expr, element: Element) -> Expr {
    Expr::Compare(CompareOp::Ne, Box::new(x.clone()), Box::new(Expr::zero(element)))
}

fn is_var(node: &NodeRef<'_>) -> bool {
    matches!(node.kind(), NodeKind::Name | NodeKind::NamedArg)
}

fn term_of(multiply: Multiply, element: Element, a: &Expr, b: &Expr) -> Expr {
    let both = |op, a: &Expr, b: &Expr| Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    match multiply {
        Multiply::First => a.clone(),
        Multiply::Second => b.clone(),
        Multiply::Pair => Expr::literal(element, Scalar::Int(1)),
        Multiply::Binary(op) if is_logic(op) && element != Element::I1 => {
            Expr::Cast(element, Box::new(both(op, &is_set(a, element), &is_set(b, element))))
        }
        Multiply::Binary(op) => both(op, a, b),
        Multiply::Reversed(op) => both(op, b, a),
        Multiply::Compare(op) => {
            let holds = Expr::Compare(op, Box::new(a.clone()), Box::new(b.clone()));
            if element == Element::I1 { holds } else { Expr::Cast(element, Box::new(holds)) }
        }
    }
}

/// A number with its sign.
fn number(expr: Expr) -> Option<Literal> {
    if let Expr::Literal(literal) = expr {
        return Some(literal);
    }
    let Expr::Unary(UnaryOp::Neg, a) = expr else { return None };
    let Literal { element, value } = number(*a)?;
    let value = match value {
        Scalar::Int(n) => Scalar::Int(n.checked_neg()?),
        Scalar::Float(x) => Scalar::Float(-x),
        Scalar::Complex(z) => Scalar::Complex(-z),
    };
    Some(Literal { element, value })
}

/// The way to write a range that starts elsewhere than at 0, or has a step.
fn from_zero(name: &str, window: &Window) -> String {
    let Window { from, step, extent: count } = window;
    let value = match (from, step) {
        (_, 1) => format!("{name} + {from}"),
        (0, _) => format!("{step} * {name}"),
        _ => format!("{step} * {name} + {from}"),
    };
    format!("write `{name} = 0:{count}`, and `{value}` for `{name}`")
}
