//! Calls: accesses of tensors, functions, conversions, reductions and products over semirings.

use std::sync::Arc;

use super::{
    Notation,
    convert::{as_number, converted},
    elements::{Kind, Wanted, is_truth_value},
    functions::{self, Means, Reducing},
    meant::meant_reduction,
    semiring::{Multiply, Semiring},
};
use crate::{
    check::scope::{Format, Meaning},
    diagnostic::{Applicability, Code, Edit, did_you_mean},
    element::{Element, Scalar},
    ids::IndexVar,
    kernel::{self, Access, BinaryOp, CompareOp, Expr, Fold, Literal, Over, ReduceOp, Slot, UnaryOp},
    syntax::{NodeKind, NodeRef, TokenKind},
};

/// What is called: `A`, `f32`, `complex<f32>`.
pub(super) fn callee(node: NodeRef<'_>) -> String {
    let tokens = node.own_tokens().take_while(|token| token.kind() != TokenKind::LParen);
    tokens.filter(|token| !token.kind().is_trivia()).map(|token| token.text()).collect()
}

/// The arguments but those with a name; `k = 0:3` gives a variable its range, and counts.
pub(super) fn positional(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    node.children().filter(|argument| argument.kind() != NodeKind::NamedArg || range_of(*argument).is_some())
}

fn named(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    node.children().filter(|argument| argument.kind() == NodeKind::NamedArg && range_of(*argument).is_none())
}

/// The range of `k = 0:3`.
pub(super) fn range_of(argument: NodeRef<'_>) -> Option<NodeRef<'_>> {
    argument.children().next().filter(|inner| argument.kind() == NodeKind::NamedArg && inner.kind() == NodeKind::Range)
}

impl Notation<'_, '_> {
    pub(super) fn call(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let name = node.first_token()?;
        let arguments: Vec<NodeRef<'_>> = node.children().collect();
        match self.scope.get(name.text()) {
            Some(Meaning::Tensor(ty)) => return self.access(node, name.span(), &ty.clone(), &arguments),
            Some(Meaning::Scalar(_)) => {
                let message = format!("`{}` is a scalar and takes no indices", name.text());
                self.error(Code::WrongArity, node.span(), message);
                return None;
            }
            Some(Meaning::Broken) => {
                self.indices(&arguments);
                return None;
            }
            Some(Meaning::Encoding(_)) | None => {}
        }
        let (callee, arguments) = (callee(node), positional(node).collect::<Vec<_>>());
        if self.is_reduction(&callee, &arguments)
            && let Some(reducing) = functions::reduction(&callee)
        {
            return match reducing {
                Reducing::Known(op) => self.reduction(node, op, &arguments, wanted),
                Reducing::Written => self.written_reduction(node, &arguments, wanted),
            };
        }
        if let Some(semiring) = Semiring::parse(&callee) {
            return self.semiring(node, semiring, &arguments, wanted);
        }
        if let Some(element) = functions::conversion(&callee) {
            self.refuse_named(node, &[])?;
            let [argument] = self.exactly(node, &callee, &arguments)?;
            return self.conversion(argument, element);
        }
        match functions::find(&callee) {
            Some(info) if arguments.len() == 1 && functions::reduction(&callee).is_some() => {
                self.wrong_reduction(node, info.name)
            }
            Some(_) if self.reduces_over_nothing(&callee, &arguments) => None,
            Some(info) => self.function(node, info, &arguments, wanted),
            None if functions::reduction(&callee).is_some() => self.wrong_reduction(node, &callee),
            None => {
                match meant_reduction(self.scope, node) {
                    Some(meant) => self.foreign_reduction(node, meant.text),
                    None => self.unknown_function(name.span(), name.text(), arguments.len()),
                }
                None
            }
        }
    }

    /// `np.sum(A)`, `A.sum()`
    fn foreign_reduction(&mut self, node: NodeRef<'_>, meant: String) {
        let name = callee(node);
        let place = node.first_token().map_or(node.span(), |name| name.span());
        let error = self.error(Code::UnknownName, place, format!("there is no tensor and no function `{name}`"));
        let told = error.clone().label("not defined");
        let told = told.help(format!("a reduction names the indices that it is over: `{meant}`"));
        *error = told.fix(format!("write `{meant}`"), node.span(), meant);
    }

    /// `max(k, A(i, j))`: reported, as `k` is no index there and no number.
    fn reduces_over_nothing(&mut self, callee: &str, arguments: &[NodeRef<'_>]) -> bool {
        let &[var, body] = arguments else { return false };
        let name = var.text();
        let constant = functions::CONSTANTS.iter().any(|(known, _)| *known == name);
        let open = var.kind() == NodeKind::Name && self.scope.get(name).is_none() && !constant;
        if functions::reduction(callee).is_none() || !open || self.index_names.contains(name) {
            return false;
        }
        let calls = body.descendants().find(|call| call.kind() == NodeKind::Call && self.is_tensor(*call));
        let index = calls.and_then(|call| call.children().last()).filter(|index| index.kind() == NodeKind::Name);
        let Some(index) = index else { return false };
        let message = format!("`{name}` indexes nothing in `{}`", body.text());
        let error = self.error(Code::UnknownName, var.span(), message);
        error.primary.message = "no index, and no number".to_string();
        let help = format!(
            "a reduction is over an index of what follows, as in `{callee}({}, {})`",
            index.text(),
            body.text()
        );
        error.helps.push(help);
        true
    }

    /// As many arguments as wanted.
    fn exactly<'t, const N: usize>(
        &mut self,
        node: NodeRef<'_>,
        name: &str,
        found: &[NodeRef<'t>],
    ) -> Option<[NodeRef<'t>; N]> {
        let arguments = <[NodeRef<'t>; N]>::try_from(found.to_vec()).ok();
        if arguments.is_none() {
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {N} argument{plural}, not {}", found.len());
            self.error(Code::WrongArity, node.span(), message);
        }
        arguments
    }

    /// Reports arguments with other names than `known`.
    fn refuse_named(&mut self, node: NodeRef<'_>, known: &[&str]) -> Option<()> {
        let unknown = named(node).find(|argument| !argument.first_token().is_some_and(|t| known.contains(&t.text())));
        let Some(argument) = unknown else { return Some(()) };
        let name = argument.first_token()?;
        let message = format!("`{}` has no argument `{}`", callee(node), name.text());
        let help = match known {
            [] => "its arguments have no names".to_string(),
            _ => format!("its named arguments are {}", known.join(", ")),
        };
        self.error(Code::WrongArity, name.span(), message).helps.push(help);
        None
    }

    fn named_argument<'t>(&self, node: NodeRef<'t>, name: &str) -> Option<NodeRef<'t>> {
        let argument = named(node).find(|argument| argument.first_token().is_some_and(|token| token.text() == name));
        argument?.children().next()
    }

    // Functions.

    fn function(
        &mut self,
        node: NodeRef<'_>,
        info: &functions::FunctionInfo,
        arguments: &[NodeRef<'_>],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        match info.means {
            Means::Unregions | Means::Biregions => {}
            _ => self.refuse_named(node, &[])?,
        }
        match info.means {
            Means::Binary(op) => {
                let operands = self.exactly(node, info.name, arguments)?;
                self.binary(op, info.name, operands, wanted)
            }
            Means::Select => self.select(node, arguments, wanted),
            Means::Unregions => self.unary_regions(node, arguments, wanted),
            Means::Biregions => self.binary_regions(node, arguments, wanted),
            Means::Unary(_) | Means::Relu | Means::Rsqrt | Means::Sigmoid => {
                let [argument] = self.exactly(node, info.name, arguments)?;
                self.unary(info, argument, wanted)
            }
        }
    }

    fn unary(&mut self, info: &functions::FunctionInfo, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let settled = self.kind(node).settled(wanted);
        let x = self.expr(node, settled)?;
        let found = self.element_of(&x);
        let like = match info.means {
            Means::Unary(op) => op,
            Means::Relu => UnaryOp::Abs,
            _ => UnaryOp::Sqrt,
        };
        self.check_applies(info.name, like.takes(), found.is_none_or(|element| like.applies(element)), found, node)?;
        let element = found.unwrap_or(Element::F64);
        let apply = |op: UnaryOp, x: Expr| Expr::Unary(op, Box::new(x));
        let inverse =
            |x: Expr| Expr::Binary(BinaryOp::Div, Box::new(Expr::literal(element, Scalar::Int(1))), Box::new(x));
        Some(match info.means {
            Means::Relu => Expr::Binary(BinaryOp::Max, Box::new(x), Box::new(Expr::zero(element))),
            Means::Rsqrt => inverse(apply(UnaryOp::Sqrt, x)),
            Means::Sigmoid => {
                let one = Expr::literal(element, Scalar::Int(1));
                let exp = apply(UnaryOp::Exp, apply(UnaryOp::Neg, x));
                inverse(Expr::Binary(BinaryOp::Add, Box::new(one), Box::new(exp)))
            }
            _ => apply(like, x),
        })
    }

    fn select(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        match arguments {
            [cond, then] => {
                let settled = self.kind(*then).settled(wanted);
                let (cond, then) = (self.condition(*cond), self.expr(*then, settled));
                Some(Expr::Select { cond: Box::new(cond?), then: Box::new(then?), other: None })
            }
            [cond, then, other] => {
                let (cond, arms) = (self.condition(*cond), self.alike([*then, *other], wanted));
                let (cond, [then, other]) = (cond?, arms?);
                Some(Expr::Select { cond: Box::new(cond), then: Box::new(then), other: Some(Box::new(other)) })
            }
            _ => {
                let message =
                    format!("`select` takes a condition and 1 or 2 values, not {} arguments", arguments.len());
                self.error(Code::WrongArity, node.span(), message);
                None
            }
        }
    }

    fn unary_regions(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        let names = ["present", "absent"];
        let [of] = self.exactly(node, "unary", arguments)?;
        let [then, other] = self.regions(node, names, wanted)?;
        let of = Box::new(self.expr(of, None)?);
        Some(Expr::Present { of, then: then.map(Box::new), other: other.map(Box::new) })
    }

    fn binary_regions(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        let [left, right] = self.exactly(node, "binary", arguments)?;
        let [both, left_alone, right_alone] = self.regions(node, ["overlap", "left", "right"], wanted)?;
        let (left, right) = (self.expr(left, None), self.expr(right, None));
        Some(Expr::regions([left?, right?], both, left_alone, right_alone))
    }

    /// The regions by name, all of one type; at least one must be there.
    fn regions<const N: usize>(
        &mut self,
        node: NodeRef<'_>,
        names: [&str; N],
        wanted: Option<Wanted>,
    ) -> Option<[Option<Expr>; N]> {
        self.refuse_named(node, &names)?;
        let settled = self.kind_of_regions(node).settled(wanted);
        let nodes = names.map(|name| self.named_argument(node, name));
        if nodes.iter().all(Option::is_none) {
            let message = format!("`{}` gives no value anywhere", callee(node));
            let help = format!("name a region: {}", names.map(|name| format!("`{name} = ...`")).join(", "));
            self.error(Code::WrongArity, node.span(), message).helps.push(help);
            return None;
        }
        let mut fine = true;
        let regions = nodes.map(|region| {
            let expr = self.expr(region?, settled);
            fine &= expr.is_some();
            expr
        });
        fine.then_some(regions)
    }

    fn conversion(&mut self, node: NodeRef<'_>, to: Element) -> Option<Expr> {
        let target = Some(Wanted { element: to, because: None });
        match self.kind(node) {
            Kind::Known(..) | Kind::Later | Kind::Complex => {}
            Kind::Number if to.is_integer() => return self.number_to_integer(node, to),
            _ => return self.expr(node, target),
        }
        let x = self.expr(node, None)?;
        match self.element_of(&x) {
            Some(from) if from.is_complex() && !to.is_complex() => {
                let message = format!("`{}` is `{from}`, of which `{to}` would lose a part", node.text());
                let error = self.error(Code::ElementMismatch, node.span(), message);
                error.helps.push(format!("take what is real: `real({0})`, `imag({0})`, `abs({0})`", node.text()));
                None
            }
            Some(from) if from == to => Some(x),
            _ => Some(Expr::Cast(to, Box::new(x))),
        }
    }

    /// `i32(i / 2.0)` is computed in `f64` and then converted; a whole number is one of the type.
    fn number_to_integer(&mut self, node: NodeRef<'_>, to: Element) -> Option<Expr> {
        let fractional = node.descendants().any(|part| match part.kind() {
            NodeKind::Number => part.text().contains(['.', 'e', 'E']) && !part.text().starts_with("0x"),
            NodeKind::Name => {
                matches!(part.text(), "pi" | "e" | "inf" | "nan") && !self.index_names.contains(part.text())
            }
            _ => false,
        });
        let wanted = |element| Some(Wanted { element, because: None });
        if !fractional {
            return self.expr(node, wanted(to));
        }
        Some(converted(self.expr(node, wanted(Element::F64))?, Element::F64, wanted(to)))
    }

    // Reductions.

    /// Whether the arguments are those of a reduction: index variables, and then an expression. What is
    /// also a function, as `max(alpha, A(i))`, is one only if the expression indexes tensors with them.
    pub(super) fn is_reduction(&self, callee: &str, arguments: &[NodeRef<'_>]) -> bool {
        let Some((body, vars)) = arguments.split_last() else { return false };
        let strict = functions::find(callee).is_some();
        let is_index = |name: &str| {
            let calls = body.descendants().filter(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
            let names = |part: NodeRef<'_>| match part.kind() {
                NodeKind::Name => part.text() == name,
                // `l = 0:3`
                NodeKind::NamedArg => part.first_token().is_some_and(|token| token.text() == name),
                _ => false,
            };
            calls.flat_map(|call| call.descendants().skip(1)).any(names)
        };
        let is_var = |var: &NodeRef<'_>| match var.kind() {
            NodeKind::NamedArg => true,
            NodeKind::Name => (!strict && !self.is_value(var.text())) || is_index(var.text()),
            _ => false,
        };
        functions::reduction(callee).is_some() && !vars.is_empty() && vars.iter().all(is_var)
    }

    fn is_value(&self, name: &str) -> bool {
        matches!(self.scope.get(name), Some(Meaning::Scalar(_) | Meaning::Tensor(_)))
    }

    /// A name that can be indexed, or that could if its definition had no error.
    pub(super) fn is_tensor(&self, call: NodeRef<'_>) -> bool {
        let name = call.first_token().map_or("", |token| token.text());
        let known = functions::find(name).is_some() || functions::reduction(name).is_some();
        match self.scope.get(name) {
            Some(Meaning::Tensor(_) | Meaning::Broken) => true,
            Some(_) => false,
            None => !known && Semiring::parse(name).is_none() && functions::conversion(name).is_none(),
        }
    }

    fn wrong_reduction(&mut self, node: NodeRef<'_>, name: &str) -> Option<Expr> {
        let message = format!("`{name}` needs the index variable to reduce over");
        let meant = meant_reduction(self.scope, node).map(|meant| meant.text);
        let error = self.error(Code::WrongArity, node.span(), message);
        error.primary.message = "over which variable?".to_string();
        match meant {
            Some(text) => {
                let edit = Edit { file: error.primary.file, span: node.span(), replacement: text.clone() };
                let told = error.clone().help(format!("name it first: `{text}`"));
                *error = told.fix_edits(format!("write `{text}`"), vec![edit], Applicability::MaybeIncorrect);
            }
            None => error.helps.push(format!("name it first, as in `{name}(j, A(i, j))`")),
        }
        None
    }

    fn reduction(
        &mut self,
        node: NodeRef<'_>,
        op: &ReduceOp,
        arguments: &[NodeRef<'_>],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        let (body, vars) = arguments.split_last()?;
        let vars = self.reduction_vars(vars);
        self.refuse_named(node, &["over"])?;
        let over = self.over(node)?;
        let body_node = *body;
        let body = match op {
            ReduceOp::Or | ReduceOp::And => self.condition(body_node)?,
            ReduceOp::ArgMin | ReduceOp::ArgMax => self.expr(body_node, None)?,
            _ => {
                if *op == ReduceOp::Sum && is_truth_value(wanted) && self.kind(body_node) == Kind::Condition {
                    self.counts_conditions(body_node.span(), body_node);
                }
                let settled = self.kind(body_node).settled(wanted);
                self.expr(body_node, settled)?
            }
        };
        let element = self.element_of(&body);
        let applies = element.is_none_or(|element| op.applies(element));
        self.check_applies(op.name(), op.takes(), applies, element, body_node)?;
        let body = Box::new(self.terms_of(over, body));
        let reduced = Expr::Reduce { op: op.clone(), over, vars: vars?, body };
        Some(match op {
            ReduceOp::Or | ReduceOp::And => as_number(reduced, wanted),
            ReduceOp::ArgMin | ReduceOp::ArgMax => converted(reduced, Element::Index, wanted),
            _ => reduced,
        })
    }

    /// `reduce(j, A(i, j), combine = left + right * right, identity = 0)`
    fn written_reduction(
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
            error.helps.push("as in `reduce(j, A(i, j), combine = left + right * right, identity = 0)`".to_string());
            return None;
        };
        let settled = self.kind(*body).settled(wanted);
        let body = self.expr(*body, settled)?;
        let fold = self.fold(self.element_of(&body)?, combine, identity)?;
        let body = Box::new(self.terms_of(over, body));
        Some(Expr::Reduce { op: ReduceOp::Custom(Arc::new(fold)), over, vars: vars?, body })
    }

    /// The terms that a reduction takes in.
    fn terms_of(&self, over: Over, body: Expr) -> Expr {
        let sparse = |access: &Access| {
            let format = self.tensors.get(access.tensor.index()).and_then(|operand| operand.ty.format.as_ref());
            let encoding = format.and_then(Format::encoding);
            encoding.is_some_and(|encoding| !encoding.stores_all())
        };
        if over == Over::Stored { kernel::of_stored(body, &sparse) } else { body }
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
                self.error(Code::WrongArity, identity.span(), message);
                None
            }
        }
    }

    /// What `left` and `right` mean where terms are combined.
    pub(super) fn slot(&self, name: &str) -> Option<(Slot, Element)> {
        let slot = [Slot::Left, Slot::Right].into_iter().find(|slot| slot.name() == name)?;
        Some((slot, self.combines?))
    }

    fn reduction_vars(&mut self, nodes: &[NodeRef<'_>]) -> Option<Vec<IndexVar>> {
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
            error.helps.push(format!("use it shifted: `{0} + {1}` for `{0}`", name.text(), window.from));
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

    fn semiring(
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
                let error = self.error(Code::WrongArity, node.span(), message);
                error.helps.push(format!("as in `{name}(j, A(i, j), x(j))`"));
                return None;
            }
        };
        let vars = self.reduction_vars(vars);
        let (operands, term) = self.semiring_term(semiring, [left, right], wanted)?;
        let element = self.element_of(&term);
        let applies = element.is_none_or(|element| semiring.add.applies(element));
        self.check_applies(&callee(node), semiring.add.takes(), applies, element, left)?;
        let body = Box::new(Expr::regions(operands, Some(term), None, None));
        let reduced = Expr::Reduce { op: semiring.add.clone(), over: Over::Stored, vars: vars?, body };
        Some(if semiring.is_logical() { as_number(reduced, wanted) } else { reduced })
    }

    /// The operands, and what is combined where both are present.
    fn semiring_term(
        &mut self,
        semiring: Semiring,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
    ) -> Option<([Expr; 2], Expr)> {
        let [left, right] = nodes;
        // Numbers are compared as they are: `or_lt` is GraphBLAS's LOR_LT.
        let compares = matches!(semiring.multiply, Multiply::Compare(_));
        if semiring.is_logical() && !compares {
            let (a, b) = (self.not_zero(left), self.not_zero(right));
            let (a, b) = (a?, b?);
            let term = term_of(semiring.multiply, Element::I1, &a, &b);
            return Some(([a, b], term));
        }
        if matches!(semiring.multiply, Multiply::First | Multiply::Second) {
            let kinds = [self.kind(left).settled(wanted), self.kind(right).settled(wanted)];
            let (a, b) = (self.expr(left, kinds[0]), self.expr(right, kinds[1]));
            let (a, b) = (a?, b?);
            let term = if semiring.multiply == Multiply::First { a.clone() } else { b.clone() };
            return Some(([a, b], term));
        }
        let [a, b] = self.alike(nodes, wanted)?;
        let element = self.element_of(&a);
        if let Multiply::Binary(op) | Multiply::Reversed(op) = semiring.multiply
            && !is_logic(op)
        {
            let applies = element.is_none_or(|element| op.applies(element));
            self.check_applies(op.name(), op.takes(), applies, element, left)?;
        }
        let element = if semiring.is_logical() { Element::I1 } else { element.unwrap_or(Element::F64) };
        let term = term_of(semiring.multiply, element, &a, &b);
        Some(([a, b], term))
    }
}

fn is_var(node: &NodeRef<'_>) -> bool {
    matches!(node.kind(), NodeKind::Name | NodeKind::NamedArg)
}

/// An operation on conditions; of numbers it asks whether they are zero, and gives 1 or 0 of their type.
fn is_logic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

fn term_of(multiply: Multiply, element: Element, a: &Expr, b: &Expr) -> Expr {
    let both = |op, a: &Expr, b: &Expr| Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    match multiply {
        Multiply::First => a.clone(),
        Multiply::Second => b.clone(),
        Multiply::Pair => Expr::literal(element, Scalar::Int(1)),
        Multiply::Binary(op) if is_logic(op) && element != Element::I1 => {
            let is_set = |x: &Expr| Expr::Compare(CompareOp::Ne, Box::new(x.clone()), Box::new(Expr::zero(element)));
            Expr::Cast(element, Box::new(both(op, &is_set(a), &is_set(b))))
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
    match expr {
        Expr::Literal(literal) => Some(literal),
        Expr::Unary(UnaryOp::Neg, a) => {
            let Literal { element, value } = number(*a)?;
            let value = match value {
                Scalar::Int(n) => Scalar::Int(n.checked_neg()?),
                Scalar::Float(x) => Scalar::Float(-x),
                Scalar::Complex(z) => Scalar::Complex(-z),
            };
            Some(Literal { element, value })
        }
        _ => None,
    }
}
