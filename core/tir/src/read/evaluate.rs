//! Values of Python expressions, as far as numbers, texts, lists and functions that are written out give them. Nothing
//! else of Python is run, and no more than a budget.

use std::rc::Rc;

use ruff_python_ast::{
    Arguments, Comprehension, Expr, ExprCall, InterpolatedStringElement, Operator, Parameters, Stmt,
};

use super::{
    python::{dotted, int, items, one_or_more, span, text},
    values::{Body, Closure, Frame, Known, Scope},
};
use crate::model::Description;

/// So many expressions are computed for a file.
const BUDGET: usize = 50_000;

/// So many items a list has at most, so many letters a text, and so many lists or calls stand within each other.
const MOST_ITEMS: usize = 1024;
const MOST_LETTERS: usize = 1024;
const MOST_LEVELS: usize = 4;
const MOST_CALLS: usize = 32;

/// What computes values.
pub(super) struct Python<'a> {
    left: usize,
    calls: usize,
    /// Functions and the names around them hold each other: at the end the names let go.
    frames: Vec<Scope<'a>>,
}

impl Drop for Python<'_> {
    fn drop(&mut self) {
        self.frames.iter().for_each(|frame| frame.forget());
    }
}

impl<'a> Python<'a> {
    pub(super) fn new() -> Python<'a> {
        Python { left: BUDGET, calls: 0, frames: Vec::new() }
    }

    /// Whether nothing more is computed.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// New names, within others.
    pub(super) fn frame(&mut self, outer: Option<&Scope<'a>>) -> Scope<'a> {
        let frame = Frame::within(outer);
        self.frames.push(frame.clone());
        frame
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many expressions")]
    pub(super) fn value(&mut self, expr: &'a Expr, scope: &Scope<'a>) -> Option<Known<'a>> {
        self.left = self.left.checked_sub(1)?;
        match expr {
            Expr::Name(name) => scope.find(&name.id),
            Expr::NoneLiteral(_) => Some(Known::Nothing),
            Expr::BooleanLiteral(literal) => Some(Known::Truth(literal.value)),
            Expr::NumberLiteral(_) => int(expr).map(Known::Int),
            Expr::StringLiteral(_) => text(expr).map(|text| Known::Text(text.to_string())),
            Expr::FString(written) => self.interpolated(written.value.elements(), scope),
            Expr::List(_) | Expr::Tuple(_) => {
                let items = self.values(items(expr)?, scope)?;
                self.all_flat(&items, MOST_LEVELS)?;
                Some(Known::list(items))
            }
            Expr::ListComp(written) => self.comprehension(&written.elt, &written.generators, scope),
            Expr::Dict(dict) => {
                let entry = |item: &'a ruff_python_ast::DictItem| {
                    let key = self.value(item.key.as_ref()?, scope)?.shown()?;
                    Some((key, self.value(&item.value, scope)?))
                };
                let entries = dict.items.iter().map(entry).collect::<Option<Vec<_>>>()?;
                entries.iter().try_for_each(|(_, value)| self.flat(value, MOST_LEVELS))?;
                Some(Known::Entries(entries))
            }
            Expr::Lambda(lambda) => {
                let body = Body::Value(&lambda.body);
                let closure = Closure { parameters: lambda.parameters.as_deref(), body, scope: scope.clone() };
                Some(Known::Function(Rc::new(closure)))
            }
            Expr::UnaryOp(unary) if unary.op.as_str() == "-" => {
                self.value(&unary.operand, scope)?.as_int()?.checked_neg().map(Known::Int)
            }
            Expr::BinOp(written) => {
                let (left, right) = (self.value(&written.left, scope)?, self.value(&written.right, scope)?);
                combined(written.op, &left, &right)
            }
            Expr::Subscript(written) => {
                let (whole, at) = (self.value(&written.value, scope)?, self.value(&written.slice, scope)?);
                part(&whole, &at)
            }
            Expr::Call(call) => self.called(call, scope),
            _ => None,
        }
    }

    pub(super) fn values(&mut self, exprs: &'a [Expr], scope: &Scope<'a>) -> Option<Vec<Known<'a>>> {
        exprs.iter().map(|expr| self.value(expr, scope)).collect()
    }

    /// Whether few lists stand within each other.
    fn flat(&mut self, value: &Known<'a>, levels: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let inner = match value {
            Known::List(items) => items.borrow().clone(),
            Known::Entries(entries) => entries.iter().map(|(_, value)| value.clone()).collect(),
            Known::Nothing
            | Known::Int(_)
            | Known::Truth(_)
            | Known::Text(_)
            | Known::Function(_)
            | Known::Description(_)
            | Known::Rule(_) => return Some(()),
        };
        self.all_flat(&inner, levels.checked_sub(1)?)
    }

    fn all_flat(&mut self, values: &[Known<'a>], levels: usize) -> Option<()> {
        values.iter().try_for_each(|value| self.flat(value, levels))
    }

    fn interpolated(
        &mut self,
        elements: impl Iterator<Item = &'a InterpolatedStringElement>,
        scope: &Scope<'a>,
    ) -> Option<Known<'a>> {
        let part = |element: &'a InterpolatedStringElement| match element {
            InterpolatedStringElement::Literal(literal) => Some(literal.value.to_string()),
            InterpolatedStringElement::Interpolation(one) if one.format_spec.is_none() => {
                self.value(&one.expression, scope)?.shown()
            }
            InterpolatedStringElement::Interpolation(_) => None,
        };
        let text = elements.map(part).collect::<Option<String>>()?;
        (text.len() <= MOST_LETTERS).then_some(Known::Text(text))
    }

    fn comprehension(
        &mut self,
        item: &'a Expr,
        generators: &'a [Comprehension],
        scope: &Scope<'a>,
    ) -> Option<Known<'a>> {
        let [generator] = generators else { return None };
        let over = self.value(&generator.iter, scope)?.items()?;
        let inner = self.frame(Some(scope));
        let found = over.into_iter().map(|one| {
            bind(&generator.target, Some(&one), &inner);
            self.value(item, &inner)
        });
        let found = found.collect::<Option<Vec<_>>>().filter(|_| generator.ifs.is_empty());
        found.map(Known::list)
    }

    fn called(&mut self, call: &'a ExprCall, scope: &Scope<'a>) -> Option<Known<'a>> {
        let name = dotted(&call.func);
        if name.as_deref().is_some_and(super::rules::is_rule) {
            return Some(self.rule(call, scope));
        }
        if let Some(Known::Function(closure)) = name.as_deref().and_then(|name| scope.find(name)) {
            return self.result(&closure, &call.arguments, scope);
        }
        if let Some(method) = call.func.as_attribute_expr() {
            let (whole, given) = (self.value(&method.value, scope)?, self.values(&call.arguments.args, scope)?);
            return formatted(whole.as_text()?, &given).filter(|_| method.attr.as_str() == "format");
        }
        let given = self.values(&call.arguments.args, scope)?;
        match (name?.as_str(), given.as_slice()) {
            ("str", [one]) => one.shown().map(Known::Text),
            ("int", [one]) => one.as_int().map(Known::Int),
            ("len", [one]) => i64::try_from(one.items()?.len()).ok().map(Known::Int),
            ("list" | "tuple", [one]) => one.items().map(Known::list),
            ("range", bounds) => range(bounds),
            ("enumerate", [one]) => {
                let pairs = (0..).zip(one.items()?).map(|(at, one)| Known::list(vec![Known::Int(at), one]));
                Some(Known::list(pairs.collect()))
            }
            ("zip", lists) => {
                let lists = lists.iter().map(Known::items).collect::<Option<Vec<_>>>()?;
                let count = lists.iter().map(Vec::len).min()?;
                let row = |at: usize| Known::list(lists.iter().filter_map(|list| list.get(at).cloned()).collect());
                Some(Known::list((0..count).map(row).collect()))
            }
            _ => None,
        }
    }

    /// What a function gives.
    fn result(&mut self, closure: &Closure<'a>, arguments: &'a Arguments, scope: &Scope<'a>) -> Option<Known<'a>> {
        let plain = self.values(&arguments.args, scope)?;
        let mut given: Vec<(Option<&str>, Known<'a>)> = plain.into_iter().map(|value| (None, value)).collect();
        for keyword in &arguments.keywords {
            given.push((Some(keyword.arg.as_ref()?.as_str()), self.value(&keyword.value, scope)?));
        }
        let inner = self.frame(Some(&closure.scope));
        self.give(closure.parameters, &given, &inner)?;
        self.calls += 1;
        let result = match closure.body {
            _ if self.calls > MOST_CALLS => None,
            Body::Value(value) => self.value(value, &inner),
            Body::Suite(body) => self.suite(body, &inner).flatten(),
        };
        self.calls -= 1;
        result
    }

    /// Binds the parameters of a function to what is given, or to what they are else.
    fn give(
        &mut self,
        parameters: Option<&'a Parameters>,
        given: &[(Option<&str>, Known<'a>)],
        scope: &Scope<'a>,
    ) -> Option<()> {
        for (at, parameter) in parameters.into_iter().flat_map(|all| &all.args).enumerate() {
            let name = parameter.parameter.name.as_str();
            let plain = given.get(at).filter(|(of, _)| of.is_none());
            let value = plain.or_else(|| given.iter().find(|(of, _)| *of == Some(name)));
            let value = match (value, parameter.default.as_deref()) {
                (Some((_, value)), _) => value.clone(),
                (None, Some(default)) => self.value(default, scope)?,
                (None, None) => return None,
            };
            scope.bind(name, Some(value));
        }
        Some(())
    }

    /// What a body returns, nothing if it has no such statement; `None` if that is not known.
    fn suite(&mut self, body: &'a [Stmt], scope: &Scope<'a>) -> Option<Option<Known<'a>>> {
        for statement in body {
            if let Stmt::Return(back) = statement {
                return Some(self.value(back.value.as_ref()?, scope));
            }
            if let Stmt::For(one) = statement {
                for item in self.value(&one.iter, scope)?.items()? {
                    bind(&one.target, Some(&item), scope);
                    if let Some(found) = self.suite(&one.body, scope)? {
                        return Some(Some(found));
                    }
                }
                continue;
            }
            self.simple(statement, scope)?;
        }
        Some(None)
    }

    /// A statement that is no loop and no branch; `None` if it does what is not known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements")]
    pub(super) fn simple(&mut self, statement: &'a Stmt, scope: &Scope<'a>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match statement {
            Stmt::Assign(assign) => {
                let value = self.value(&assign.value, scope);
                assign.targets.iter().for_each(|target| bind(target, value.as_ref(), scope));
            }
            Stmt::AnnAssign(assign) => {
                let value = assign.value.as_ref().and_then(|value| self.value(value, scope));
                bind(&assign.target, value.as_ref(), scope);
            }
            Stmt::AugAssign(assign) => {
                let (left, right) = (self.value(&assign.target, scope), self.value(&assign.value, scope));
                let value = left.zip(right).and_then(|(left, right)| combined(assign.op, &left, &right));
                bind(&assign.target, value.as_ref(), scope);
            }
            Stmt::Expr(one) => self.grown(&one.value, scope),
            Stmt::FunctionDef(definition) => scope.bind(&definition.name, Some(self.function(definition, scope))),
            Stmt::Pass(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => {}
            _ => return None,
        }
        Some(())
    }

    fn function(&self, definition: &'a ruff_python_ast::StmtFunctionDef, scope: &Scope<'a>) -> Known<'a> {
        let is_ours = definition.decorator_list.iter().any(|decorator| {
            let callee = decorator.expression.as_call_expr().map_or(&decorator.expression, |call| &call.func);
            dotted(callee).is_some_and(|name| name.ends_with(".prim_func"))
        });
        if is_ours {
            return Known::Description(Description { start: span(definition).start, constants: scope.numbers() });
        }
        let (parameters, body) = (Some(&*definition.parameters), Body::Suite(&definition.body));
        Known::Function(Rc::new(Closure { parameters, body, scope: scope.clone() }))
    }

    /// `rules.append(rule)` and `rules.extend(rules)`.
    fn grown(&mut self, expr: &'a Expr, scope: &Scope<'a>) {
        let Some(call) = expr.as_call_expr() else { return };
        let Some(method) = call.func.as_attribute_expr() else { return };
        let (Some(Known::List(list)), [one]) = (self.value(&method.value, scope), &*call.arguments.args) else {
            return;
        };
        let more = self.value(one, scope);
        let is_short = list.borrow().len() < MOST_ITEMS;
        match (method.attr.as_str(), more) {
            ("append", Some(one)) if is_short && one.items().is_none() => list.borrow_mut().push(one),
            // A list in a list is another one: so none is within itself.
            ("append", Some(one)) if is_short && self.flat(&one, 2).is_some() => {
                let copy = Known::list(one.items().unwrap_or_default());
                list.borrow_mut().push(copy);
            }
            ("extend", Some(more)) if is_short && self.flat(&more, 2).is_some() => {
                let more = more.items().unwrap_or_default();
                list.borrow_mut().extend(more);
            }
            // What is in the list is not known any more.
            ("append" | "extend" | "insert" | "pop", _) => bind(&method.value, None, scope),
            _ => {}
        }
    }
}

/// Names stand for a value, or for its parts.
pub(super) fn bind<'a>(target: &'a Expr, value: Option<&Known<'a>>, scope: &Scope<'a>) {
    if let Some(name) = target.as_name_expr() {
        return scope.bind(&name.id, value.cloned());
    }
    let parts = value.and_then(Known::items).unwrap_or_default();
    if items(target).is_some() {
        for (at, part) in one_or_more(target).iter().enumerate() {
            bind(part, parts.get(at), scope);
        }
    }
}

fn combined<'a>(op: Operator, left: &Known<'a>, right: &Known<'a>) -> Option<Known<'a>> {
    match (op, left, right) {
        (Operator::Add, Known::Text(left), Known::Text(right)) => {
            Some(Known::Text(format!("{left}{right}"))).filter(|_| left.len() + right.len() <= MOST_LETTERS)
        }
        (Operator::Add, Known::List(left), Known::List(right)) => {
            let items = [left.borrow().as_slice(), right.borrow().as_slice()].concat();
            (items.len() <= MOST_ITEMS).then(|| Known::list(items))
        }
        _ => integer(op, left.as_int()?, right.as_int()?).map(Known::Int),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "Python has many operators")]
fn integer(op: Operator, left: i64, right: i64) -> Option<i64> {
    match op {
        Operator::Add => left.checked_add(right),
        Operator::Sub => left.checked_sub(right),
        Operator::Mult => left.checked_mul(right),
        Operator::FloorDiv if right > 0 => left.checked_div_euclid(right),
        Operator::Mod if right > 0 => left.checked_rem_euclid(right),
        Operator::Pow => left.checked_pow(u32::try_from(right).ok()?),
        Operator::LShift if left >= 0 && (0..62).contains(&right) => left.checked_mul(1 << right),
        _ => None,
    }
}

fn part<'a>(whole: &Known<'a>, at: &Known<'a>) -> Option<Known<'a>> {
    if let Known::Entries(entries) = whole {
        let key = at.shown()?;
        return entries.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| value.clone());
    }
    let (items, at) = (whole.items()?, at.as_int()?);
    let at = if at < 0 { at + i64::try_from(items.len()).ok()? } else { at };
    items.get(usize::try_from(at).ok()?).cloned()
}

fn range<'a>(bounds: &[Known<'a>]) -> Option<Known<'a>> {
    let numbers = bounds.iter().map(Known::as_int).collect::<Option<Vec<i64>>>()?;
    let (start, end, step) = match numbers.as_slice() {
        [end] => (0, *end, 1),
        [start, end] => (*start, *end, 1),
        [start, end, step] if *step > 0 => (*start, *end, *step),
        _ => return None,
    };
    let is_short = usize::try_from((end.checked_sub(start)? / step).max(0)).ok()? <= MOST_ITEMS;
    let numbers = (start..end).step_by(usize::try_from(step).ok()?).map(Known::Int);
    is_short.then(|| Known::list(numbers.collect()))
}

/// `"bsr_{}".format(4)`.
fn formatted<'a>(text: &str, given: &[Known<'a>]) -> Option<Known<'a>> {
    let mut parts = text.split("{}");
    let mut out = parts.next()?.to_string();
    let mut given = given.iter();
    for part in parts {
        out += &given.next()?.shown()?;
        out += part;
    }
    (out.len() <= MOST_LETTERS && !out.contains(['{', '}'])).then_some(Known::Text(out))
}
