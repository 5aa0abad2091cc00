//! Calls: accesses of tensors, functions and conversions.

use std::collections::HashMap;

use super::{
    Notation,
    convert::{as_number, converted},
    elements::{Kind, Wanted},
    functions::{self, Means, Reducing},
    meant::meant_reduction,
    semiring::{Semiring, is_logic},
};
use crate::scope::{Meaning, plural};
use nnz_base::{
    diagnostic::{Applicability, Code, Edit, did_you_mean},
    element::Element,
};
use nnz_kernel::{Expr, MOST_QUESTIONS, UnaryOp};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// The callee: `A`, `f32`, `complex<f32>`.
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
                self.arity(node.span(), message, "a scalar with indices");
                self.tell_shadowed(name.text(), "scalar");
                return None;
            }
            Some(Meaning::Broken) => {
                self.check_windows(node)?;
                self.indices(&arguments);
                return None;
            }
            Some(Meaning::Encoding(_)) | None => {}
        }
        if self.misnamed_argument(node) {
            return None;
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
            Some(info) => {
                self.doubt_reduction(&callee, &arguments);
                self.doubt_order(&callee, &arguments);
                self.function(node, info, &arguments, wanted)
            }
            None if functions::reduction(&callee).is_some() => self.wrong_reduction(node, &callee),
            None => {
                match meant_reduction(self.scope, node) {
                    _ if self.means_over(node, &callee, &arguments) => {}
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
        let constant = |name: &str| functions::CONSTANTS.iter().any(|(known, _)| *known == name);
        let undefined = |node: NodeRef<'_>| {
            let known = self.scope.get(node.text()).is_some() || self.slot(node.text()).is_some();
            node.kind() == NodeKind::Name && !known && !constant(node.text())
        };
        let open = undefined(var);
        if functions::reduction(callee).is_none() || !open || self.index_names.contains(name) {
            return false;
        }
        if let Some(Meaning::Tensor(ty)) = self.scope.get(body.text()).filter(|_| body.kind() == NodeKind::Name) {
            let ty = ty.clone();
            self.missing_indices(body, &ty);
            return true;
        }
        if undefined(body) {
            self.reduces_index(callee, (var, body));
            return true;
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

    /// `max(A(i, j), j)`: of two values, and read as a reduction over `j` by who writes it last.
    fn doubt_order(&mut self, callee: &str, arguments: &[NodeRef<'_>]) {
        let &[body, var] = arguments else { return };
        let name = var.text();
        let indexes = |part: NodeRef<'_>| {
            part.kind() == NodeKind::Call && self.is_tensor(part) && part.children().any(|index| index.text() == name)
        };
        let reduces = functions::reduction(callee).is_some() && var.kind() == NodeKind::Name;
        // A reduction around it may be over the index.
        let around = var.ancestors().filter(|call| call.kind() == NodeKind::Call).skip(1);
        let mut named = around.flat_map(|call| call.children()).filter(|part| part.text() == name);
        let is_bound = self.left_names.contains(name) || named.next().is_some();
        if !reduces || is_bound || !std::iter::once(body).chain(body.descendants()).any(indexes) {
            return;
        }
        let message = format!("`{callee}` is of two values here, `{}` and the coordinate `{name}`", body.text());
        let hint = self.c.diagnostic(Code::NoReduction, var.span(), message).label("a number, and no index to reduce");
        let hint = hint.help(format!("a reduction names its indices first: `{callee}({name}, {})`", body.text()));
        self.c.report(hint);
    }

    /// `max(l, x(i) * (i < l))`, where another term indexes with `l`: of two values, and read as a reduction by many.
    fn doubt_reduction(&mut self, callee: &str, arguments: &[NodeRef<'_>]) {
        let &[var, body] = arguments else { return };
        let name = var.text();
        let is_index = var.kind() == NodeKind::Name && self.index_names.contains(name);
        let is_mentioned = body.kind() != NodeKind::Name && body.descendants().any(|part| part.text() == name);
        if functions::reduction(callee).is_none() || !is_index || !is_mentioned {
            return;
        }
        let (message, turned) = (
            format!("`{callee}` is of two values here, the coordinate `{name}` and `{}`", body.text()),
            format!("{}, {name}", body.text()),
        );
        let hint = self.c.diagnostic(Code::NoReduction, var.span(), message).label("a number, and no index to reduce");
        let hint = hint.help(format!("a reduction is over an index of a tensor that follows: none there has `{name}`"));
        let place = var.span().cover(body.span());
        self.c.report(hint.fix("write the coordinate last, if that is meant", place, turned));
    }

    /// `max(l, j)`, where neither is a number nor indexed by the other.
    fn reduces_index(&mut self, callee: &str, (var, body): (NodeRef<'_>, NodeRef<'_>)) {
        let (name, other) = (var.text(), body.text());
        let error = self.error(Code::UnknownName, var.span(), format!("`{name}` indexes nothing in `{other}`"));
        error.primary.message = "no index, and no number".to_string();
        let over = format!("a reduction is over an index of what follows, as in `{callee}({name}, x({name}))`");
        let of_two = format!("of two numbers each has a value: define `{name}` first, as in `{name} : f64 = 2`");
        error.helps.extend([over, of_two]);
    }

    /// `max(max(x(i), 1), 2)` for `max(x(i), 1, 2)`.
    fn nest(&mut self, node: NodeRef<'_>, name: &str, found: &[NodeRef<'_>]) {
        let Some((first, rest)) = found.split_first().filter(|(_, rest)| rest.len() > 1) else { return };
        let is_index = |part: &NodeRef<'_>| part.kind() == NodeKind::Name && self.scope.get(part.text()).is_none();
        let named = |part: &NodeRef<'_>| matches!(part.kind(), NodeKind::NamedArg | NodeKind::Range);
        let plain = !found.iter().any(|part| named(part) || is_index(part));
        if !matches!(name, "min" | "max") || !plain {
            return;
        }
        let nested =
            rest.iter().fold(first.text().to_string(), |inner, part| format!("{name}({inner}, {})", part.text()));
        if let Some(error) = self.c.diagnostics.last_mut() {
            *error = error.clone().fix(format!("write `{nested}`"), node.span(), nested);
        }
    }

    /// As many arguments as wanted.
    pub(super) fn exactly<'t, const N: usize>(
        &mut self,
        node: NodeRef<'_>,
        name: &str,
        found: &[NodeRef<'t>],
    ) -> Option<[NodeRef<'t>; N]> {
        let arguments = <[NodeRef<'t>; N]>::try_from(found.to_vec()).ok();
        if arguments.is_none() {
            let message = format!("`{name}` takes {}, not {}", plural(N, "argument"), found.len());
            self.arity(node.span(), message, plural(found.len(), "argument"));
            self.nest(node, name, found);
        }
        arguments
    }

    /// Reports a name that is given twice in a call.
    pub(super) fn refuse_twice(&mut self, given: &[NodeRef<'_>], help: &str) -> Option<()> {
        let mut known = HashMap::new();
        for name in given.iter().filter_map(|node| node.first_token()) {
            let Some(first) = known.insert(name.text(), name) else { continue };
            let message = format!("`{}` is given twice", name.text());
            let error = self.error(Code::WrongArity, name.span(), message);
            *error = error.clone().label("the second time").secondary(first.span(), "first here").help(help);
            return None;
        }
        Some(())
    }

    /// Reports arguments with other names than `known`, and those whose name is given twice.
    pub(super) fn refuse_named(&mut self, node: NodeRef<'_>, known: &[&str]) -> Option<()> {
        let unknown = named(node).find(|argument| !argument.first_token().is_some_and(|t| known.contains(&t.text())));
        let Some(argument) = unknown else {
            return self.refuse_twice(&named(node).collect::<Vec<_>>(), "an argument has one value");
        };
        let name = argument.first_token()?;
        let message = format!("`{}` has no argument `{}`", callee(node), name.text());
        let help = match known {
            [] => "its arguments have no names".to_string(),
            [one] => format!("its named argument is {one}"),
            _ => format!("its named arguments are {}", known.join(", ")),
        };
        let near = match name.text() {
            "both" if known.contains(&"overlap") => Some("overlap"),
            written => did_you_mean(written, known.iter().copied()),
        };
        let error = self.arity(name.span(), message, "no such argument");
        match near {
            Some(near) => *error = error.clone().guess(name.span(), near),
            None => error.helps.push(help),
        }
        None
    }

    /// `max(j, A(i, j), over = stored, 3)`: `over` makes it a reduction, which has one term.
    fn refuse_over(&mut self, node: NodeRef<'_>, name: &str, arguments: &[NodeRef<'_>]) -> Option<()> {
        let over = named(node).any(|argument| argument.first_token().is_some_and(|word| word.text() == "over"));
        let &[_, _, more] = arguments else { return Some(()) };
        if !over || functions::reduction(name).is_none() {
            return Some(());
        }
        let message = format!("a reduction by `{name}` has one term, and this is another");
        let error = self.arity(more.span(), message, "one too many");
        error.helps.push("remove it; a term of several numbers is an expression".to_string());
        None
    }

    pub(super) fn named_argument<'t>(&self, node: NodeRef<'t>, name: &str) -> Option<NodeRef<'t>> {
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
            Means::Unary(_) | Means::Binary(_) | Means::Composed(_) | Means::Select => {
                self.refuse_over(node, info.name, arguments)?;
                self.refuse_named(node, &[])?;
            }
        }
        match info.means {
            Means::Binary(op) => {
                let operands = self.exactly(node, info.name, arguments)?;
                let of_conditions = operands.iter().all(|operand| self.kind(*operand) == Kind::Condition);
                match is_logic(op) && of_conditions {
                    true => Some(as_number(self.binary(op, info.name, operands, None)?, wanted)),
                    false => self.binary(op, info.name, operands, wanted),
                }
            }
            Means::Select => self.select(node, arguments, wanted),
            Means::Unregions => self.unary_regions(node, arguments, wanted),
            Means::Biregions => self.binary_regions(node, arguments, wanted),
            Means::Unary(op) => {
                let operand = self.exactly(node, info.name, arguments)?;
                let (_, x) = self.unary(info.name, op, operand, wanted)?;
                Some(Expr::Unary(op, Box::new(x)))
            }
            Means::Composed(composed) => {
                let operand = self.exactly(node, info.name, arguments)?;
                let (element, x) = self.unary(info.name, composed.like(), operand, wanted)?;
                Some(composed.of(element, x))
            }
        }
    }

    /// The operand of the function `name`, which takes the types that `like` does, and its type.
    fn unary(
        &mut self,
        name: &str,
        like: UnaryOp,
        [node]: [NodeRef<'_>; 1],
        wanted: Option<Wanted>,
    ) -> Option<(Element, Expr)> {
        let settled = self.kind(node).settled(wanted);
        let x = self.expr(node, settled)?;
        let found = self.element_of(&x);
        self.check_applies(name, like.takes(), found.is_none_or(|element| like.applies(element)), found, node)?;
        Some((found.unwrap_or(Element::F64), x))
    }

    fn select(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        match arguments {
            [value, cond] if self.swapped_select([*value, *cond]) => None,
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
                let message = format!(
                    "`select` takes a condition and 1 or 2 values, not {}",
                    plural(arguments.len(), "argument")
                );
                let error = self.arity(node.span(), message, plural(arguments.len(), "argument"));
                error
                    .helps
                    .push("as in `select(x(i) > 1, x(i), 0)`; without the last value nothing is stored".to_string());
                None
            }
        }
    }

    /// `select(x(i), x(i) > 1)`: the condition stands behind the value; whether it is that.
    fn swapped_select(&mut self, [value, cond]: [NodeRef<'_>; 2]) -> bool {
        let condition = |kind: Kind| matches!(kind, Kind::Condition | Kind::Known(Element::I1, _) | Kind::Later);
        if condition(self.kind(value)) || self.kind(cond) != Kind::Condition {
            return false;
        }
        let (file, title) = (self.c.source.id, format!("write `select({}, {})`", cond.text(), value.text()));
        let message = "`select` takes the condition first, and then the value".to_string();
        let error = self.error(Code::NoCondition, value.span(), message);
        let edit = |span, node: NodeRef<'_>| Edit { file, span, replacement: node.text().to_string() };
        let edits = vec![edit(value.span(), cond), edit(cond.span(), value)];
        let told = error.clone().label("a value where the condition stands");
        *error = told.fix_edits(title, edits, Applicability::MaybeIncorrect);
        true
    }

    fn unary_regions(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        let names = ["present", "absent"];
        let [of] = self.exactly(node, "unary", arguments)?;
        let [then, other] = self.regions(node, names, wanted)?;
        let of = Box::new(self.expr(of, None)?);
        self.few_questions(node, Expr::Present { of, then: then.map(Box::new), other: other.map(Box::new) })
    }

    /// `asking`, unless it is nested so deep that its plan would take long.
    pub(super) fn few_questions(&mut self, node: NodeRef<'_>, asking: Expr) -> Option<Expr> {
        if asking.questions() <= MOST_QUESTIONS {
            return Some(asking);
        }
        let name = callee(node);
        let error = self.error(Code::InvalidKernel, node.span(), format!("operands of `{name}` are nested too deep"));
        let told = error.clone().label("asks too often whether an operand is present");
        *error = told.help("compute the innermost ones in a statement of their own");
        None
    }

    fn binary_regions(&mut self, node: NodeRef<'_>, arguments: &[NodeRef<'_>], wanted: Option<Wanted>) -> Option<Expr> {
        let [left, right] = self.exactly(node, "binary", arguments)?;
        let [both, left_alone, right_alone] = self.regions(node, ["overlap", "left", "right"], wanted)?;
        let (left, right) = (self.expr(left, None), self.expr(right, None));
        self.few_questions(node, Expr::regions([left?, right?], both, left_alone, right_alone))
    }

    /// The regions by name, all of one type; at least one must be there.
    fn regions<const N: usize>(
        &mut self,
        node: NodeRef<'_>,
        names: [&str; N],
        wanted: Option<Wanted>,
    ) -> Option<[Option<Expr>; N]> {
        self.refuse_named(node, &names)?;
        self.refuse_slots(node)?;
        let settled = self.kind_of_regions(node).settled(wanted);
        let nodes = names.map(|name| self.named_argument(node, name));
        if nodes.iter().all(Option::is_none) {
            let message = format!("`{}` gives no value anywhere", callee(node));
            let help = format!("name a region: {}", names.map(|name| format!("`{name} = ...`")).join(", "));
            self.arity(node.span(), message, "no region").helps.push(help);
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

    /// `overlap = left + right`: the names of two terms belong to `reduce`.
    fn refuse_slots(&mut self, node: NodeRef<'_>) -> Option<()> {
        let regions = named(node).filter_map(|region| region.children().next());
        let mut names = regions.flat_map(|region| region.descendants()).filter(|part| part.kind() == NodeKind::Name);
        let reduces = |part: &NodeRef<'_>| part.kind() == NodeKind::Call && callee(*part) == "reduce";
        let within = |name: &NodeRef<'_>| {
            name.ancestors().take_while(|part| part.span() != node.span()).any(|part| reduces(&part))
        };
        let slot = |name: &NodeRef<'_>| matches!(name.text(), "left" | "right");
        let undefined = |name: &NodeRef<'_>| self.scope.get(name.text()).is_none() && self.slot(name.text()).is_none();
        let Some(found) = names.find(|name| slot(name) && undefined(name) && !within(name)) else { return Some(()) };
        let operands: Vec<&str> = positional(node).map(|operand| operand.text()).collect();
        let message = format!("`{}` has a meaning in `reduce` alone: here operands are written out", found.text());
        let error = self.error(Code::UnknownName, found.span(), message);
        error.primary.message = "not defined".to_string();
        error.helps.push(format!("the operands are `{}`", operands.join("` and `")));
        None
    }

    fn conversion(&mut self, node: NodeRef<'_>, to: Element) -> Option<Expr> {
        let target = Some(Wanted { element: to, because: None });
        match self.kind(node) {
            Kind::Known(..) | Kind::Later | Kind::Complex => {}
            // Whether it is not zero.
            Kind::Number if to == Element::I1 => {}
            Kind::Number if to.is_integer() => return self.number_to_integer(node, to),
            Kind::Number | Kind::Condition | Kind::Place => return self.expr(node, target),
        }
        let x = self.expr(node, None)?;
        match self.element_of(&x) {
            Some(from) if from.is_complex() && !to.is_complex() => {
                let message = format!("`{}` is `{from}`, of which `{to}` would lose a part", node.text());
                let error = self.error(Code::ElementMismatch, node.span(), message);
                error.primary.message = format!("this is `{from}`");
                error.helps.push(format!("take what is real: `real({0})`, `imag({0})`, `abs({0})`", node.text()));
                None
            }
            Some(from) if from == to => Some(x),
            _ => Some(Expr::Cast(to, Box::new(x))),
        }
    }

    /// `i32(i / 2.0)` is computed in `f64` and then converted; a whole number is one of the type.
    fn number_to_integer(&mut self, node: NodeRef<'_>, to: Element) -> Option<Expr> {
        let is_fraction = |text: &str| text.contains(['.', 'e', 'E']) && !text.starts_with("0x");
        let is_word = |text: &str| matches!(text, "pi" | "e" | "inf" | "nan") && !self.index_names.contains(text);
        let fractional = node.descendants().any(|part| {
            part.kind() == NodeKind::Number && is_fraction(part.text())
                || part.kind() == NodeKind::Name && is_word(part.text())
        });
        let wanted = |element| Some(Wanted { element, because: None });
        if !fractional {
            return self.expr(node, wanted(to));
        }
        Some(converted(self.expr(node, wanted(Element::F64))?, Element::F64, wanted(to)))
    }
}
