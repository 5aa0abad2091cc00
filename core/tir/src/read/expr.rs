//! Expressions. A literal has no type of its own: it takes that of the operand beside it.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    source::Span,
};
use ruff_python_ast::{
    self as py, BoolOp, CmpOp, ExprBinOp, ExprBoolOp, ExprCompare, ExprName, ExprNumberLiteral, ExprUnaryOp, Number,
    Operator, UnaryOp,
};

use super::{
    names::{Meaning, Thing},
    python::{items, span, text, what},
    reader::Reader,
};
use crate::model::{Binary, Expr, ExprKind, Place, Unary, WrongType, name_of};

/// An expression, and whether its type adapts to what it is used with.
pub(super) struct Loose {
    pub(super) expr: Expr,
    pub(super) adapts: bool,
}

/// Expressions nested deeper than this are not read.
const DEEPEST: usize = 150;

impl<'a> Reader<'a> {
    pub(super) fn expr(&mut self, expr: &'a py::Expr) -> Option<Expr> {
        Some(self.loose(expr)?.expr)
    }

    /// An integer: a coordinate, a length, a bound of a loop.
    pub(super) fn integer(&mut self, expr: &'a py::Expr) -> Option<Expr> {
        let read = self.expr(expr)?;
        self.typed(read.as_integer(), span(expr), expr)?;
        Some(read)
    }

    pub(super) fn condition(&mut self, expr: &'a py::Expr) -> Option<Expr> {
        let read = self.expr(expr)?;
        self.typed(read.as_condition(), span(expr), expr)?;
        Some(read)
    }

    /// A value for a place of a type.
    pub(super) fn value_of(&mut self, expr: &'a py::Expr, element: Element) -> Option<Expr> {
        let read = self.loose(expr)?;
        let stored = adapted(read, element).expr.stored_as(element);
        self.typed(stored, span(expr), expr)
    }

    pub(super) fn loose(&mut self, expr: &'a py::Expr) -> Option<Loose> {
        if self.depth > DEEPEST {
            return self.too_deep_for(expr);
        }
        self.depth += 1;
        let read = self.loose_at(expr);
        self.depth -= 1;
        read
    }

    /// Told once: much of a long expression may be as deep.
    fn too_deep_for<T>(&mut self, expr: &py::Expr) -> Option<T> {
        if self.diagnostics.last().is_some_and(|last| last.code == Code::ScriptUnread) {
            return None;
        }
        let told = self.mistake(Code::ScriptUnread, span(expr), format!("an expression nests deeper than {DEEPEST}"));
        self.wrong(told.label("too deep to be read").help("give parts of it names of their own"))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many expressions")]
    fn loose_at(&mut self, expr: &'a py::Expr) -> Option<Loose> {
        let strict = |expr| Loose { expr, adapts: false };
        match expr {
            py::Expr::NumberLiteral(literal) => self.number(literal),
            py::Expr::BooleanLiteral(literal) => Some(strict(Expr::bool(Place(span(expr)), literal.value))),
            py::Expr::Name(name) => self.name(expr, name),
            py::Expr::UnaryOp(unary) => self.unary(expr, unary),
            py::Expr::BinOp(binary) => self.binary(expr, binary),
            py::Expr::BoolOp(logical) => self.logical(expr, logical).map(strict),
            py::Expr::Compare(compare) => self.comparison(expr, compare).map(strict),
            py::Expr::If(choice) => self.choice(expr, true, [&choice.test, &choice.body, &choice.orelse]).map(strict),
            py::Expr::Call(call) => self.call(expr, call).map(strict),
            py::Expr::Subscript(access) => self.load(expr, access).map(strict),
            py::Expr::Attribute(attribute) => self.field(expr, attribute).map(strict),
            _ => self.no_value(expr),
        }
    }

    fn no_value<T>(&mut self, expr: &py::Expr) -> Option<T> {
        let told = self.mistake(Code::ScriptStatement, span(expr), format!("{} is no value here", what(expr)));
        self.wrong(told.label("no number and no condition"))
    }

    fn number(&mut self, literal: &ExprNumberLiteral) -> Option<Loose> {
        let place = Place(span(literal));
        let expr = match &literal.value {
            Number::Float(value) => Some(Expr::float(place, *value, Element::F32)),
            Number::Int(value) => value.as_i64().map(|value| Expr::int(place, value, int_type(value))),
            Number::Complex { .. } => None,
        };
        let Some(expr) = expr else {
            let told = self.mistake(Code::ScriptType, place.0, format!("`{}` is out of range", self.text(place.0)));
            return self.wrong(told.label("neither an `int64` nor a `float64`"));
        };
        Some(Loose { expr, adapts: true })
    }

    fn name(&mut self, expr: &'a py::Expr, name: &'a ExprName) -> Option<Loose> {
        let meaning = self.meaning(name)?;
        match meaning {
            Meaning::Thing(Thing::Variable(id)) => {
                let expr = Expr::variable(Place(span(expr)), id, self.function.variable(id).element);
                Some(Loose { expr, adapts: false })
            }
            Meaning::Known(value) if items(value).is_none() && text(value).is_none() => {
                let Loose { expr: mut known, adapts } = self.loose(value)?;
                known.place = Place(span(expr));
                Some(Loose { expr: known, adapts })
            }
            Meaning::Broken => None,
            Meaning::Thing(thing) => self.no_number(expr, &name.id, thing),
            Meaning::Known(value) => self.no_number_named(expr, what(value)),
            Meaning::Function(_) => self.no_number_named(expr, "a Python function"),
        }
    }

    fn no_number_named<T>(&mut self, expr: &py::Expr, what: &str) -> Option<T> {
        let told = self.mistake(Code::ScriptType, span(expr), format!("`{}` is no number", self.text(span(expr))));
        self.wrong(told.label(what).help("give it a number outside of the function"))
    }

    fn no_number<T>(&mut self, expr: &py::Expr, name: &str, thing: Thing) -> Option<T> {
        let (is, help) = match thing {
            Thing::Iterator(_) => ("an iterator", "use the name that the iteration gives its coordinate"),
            Thing::Buffer(_) => ("a buffer", "write the indices of an element behind it"),
            Thing::Param(_) => ("a handle", "bind it to a buffer, and use an element of that"),
            Thing::Variable(_) => ("a number", "use it as one"),
        };
        let told = self.mistake(Code::ScriptType, span(expr), format!("`{name}` is {is}, not a number"));
        self.wrong(told.label(is).help(help))
    }

    fn unary(&mut self, expr: &'a py::Expr, unary: &'a ExprUnaryOp) -> Option<Loose> {
        let Loose { expr: operand, adapts } = self.loose(&unary.operand)?;
        let op = match unary.op {
            UnaryOp::Not => Unary::Not,
            UnaryOp::Invert => Unary::Invert,
            UnaryOp::USub => Unary::Negate,
            UnaryOp::UAdd => return Some(Loose { expr: operand, adapts }),
        };
        let made = Expr::unary(Place(span(expr)), op, operand);
        Some(Loose { expr: self.typed(made, span(expr), expr)?, adapts })
    }

    fn binary(&mut self, expr: &'a py::Expr, binary: &'a ExprBinOp) -> Option<Loose> {
        let op = match binary.op {
            Operator::Add => Binary::Add,
            Operator::Sub => Binary::Subtract,
            Operator::Mult => Binary::Multiply,
            Operator::Div => Binary::Divide,
            Operator::Mod => Binary::FloorModulo,
            Operator::FloorDiv => Binary::FloorDivide,
            Operator::LShift => Binary::ShiftLeft,
            Operator::RShift => Binary::ShiftRight,
            Operator::BitOr => Binary::BitOr,
            Operator::BitXor => Binary::BitXor,
            Operator::BitAnd => Binary::BitAnd,
            Operator::Pow => Binary::Power,
            Operator::MatMult => {
                let told = self.mistake(Code::ScriptStatement, span(expr), "`@` multiplies no elements");
                return self.wrong(told.label("no operation of numbers").help("write `*`, and let an iteration sum"));
            }
        };
        self.joined(expr, op, [&binary.left, &binary.right])
    }

    /// Two operands under an operation; a literal takes the type of the other.
    pub(super) fn joined(&mut self, whole: &py::Expr, op: Binary, parts: [&'a py::Expr; 2]) -> Option<Loose> {
        let [left, right] = parts.map(|part| self.loose(part));
        let (left, right) = adapted_to_each_other(left?, right?);
        let adapts = left.adapts && right.adapts;
        let made = Expr::binary(Place(span(whole)), op, left.expr, right.expr);
        Some(Loose { expr: self.typed(made, span(whole), whole)?, adapts })
    }

    fn logical(&mut self, expr: &'a py::Expr, logical: &'a ExprBoolOp) -> Option<Expr> {
        let op = if logical.op == BoolOp::And { Binary::And } else { Binary::Or };
        let parts: Vec<Option<Expr>> = logical.values.iter().map(|value| self.condition(value)).collect();
        let mut parts = parts.into_iter().collect::<Option<Vec<Expr>>>()?.into_iter();
        let first = parts.next()?;
        let made = parts.try_fold(first, |left, right| Expr::binary(Place(span(expr)), op, left, right));
        self.typed(made, span(expr), expr)
    }

    fn comparison(&mut self, expr: &'a py::Expr, compare: &'a ExprCompare) -> Option<Expr> {
        let ([op], [right]) = (&*compare.ops, &*compare.comparators) else {
            let told = self.mistake(Code::ScriptStatement, span(expr), "comparisons are not chained here");
            return self.wrong(told.label("more than one comparison").help("join two comparisons by `and`"));
        };
        let op = match op {
            CmpOp::Eq => Binary::Equal,
            CmpOp::NotEq => Binary::NotEqual,
            CmpOp::Lt => Binary::Less,
            CmpOp::LtE => Binary::LessEqual,
            CmpOp::Gt => Binary::Greater,
            CmpOp::GtE => Binary::GreaterEqual,
            CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => return self.no_value(expr),
        };
        Some(self.joined(expr, op, [&compare.left, right])?.expr)
    }

    pub(super) fn choice(&mut self, whole: &py::Expr, lazy: bool, parts: [&'a py::Expr; 3]) -> Option<Expr> {
        let condition = self.condition(parts[0]);
        let [one, other] = [parts[1], parts[2]].map(|part| self.loose(part));
        let (one, other) = adapted_to_each_other(one?, other?);
        let made = Expr::choice(Place(span(whole)), lazy, [condition?, one.expr, other.expr]);
        self.typed(made, span(whole), whole)
    }

    /// What was made, or the mistake in its types.
    pub(super) fn typed<T>(&mut self, made: Result<T, WrongType>, place: Span, expr: &py::Expr) -> Option<T> {
        made.map_err(|wrong| self.wrong_type(&wrong, place, expr)).map_err(|told| self.tell(told)).ok()
    }

    fn wrong_type(&self, wrong: &WrongType, place: Span, expr: &py::Expr) -> Diagnostic {
        let told = |message: String| self.mistake(Code::ScriptType, place, message);
        match wrong {
            WrongType::NoCondition(element) => told(format!("a condition is wanted here, not `{}`", name_of(*element)))
                .label("a number")
                .help("compare it: `… != 0`"),
            WrongType::NoNumber => told("a number is wanted here, not a condition".to_string())
                .label("a condition")
                .help("choose between two numbers: `T.if_then_else(…, 1, 0)`"),
            WrongType::NoInteger(element) => told(format!("an integer is wanted here, not `{}`", name_of(*element)))
                .label("floating-point numbers count nothing")
                .help("cast it: `T.cast(…, \"int32\")`"),
            WrongType::NoFloat(element) => {
                told(format!("a floating-point number is wanted here, not `{}`", name_of(*element)))
                    .label("an integer")
                    .help("cast it: `T.cast(…, \"float32\")`")
            }
            WrongType::IntegerDivision => self.integer_division(told("`/` does not divide integers".to_string()), expr),
            WrongType::Narrower { from, to } => {
                let (from, to) = (name_of(*from), name_of(*to));
                let told =
                    told(format!("`{from}` does not become `{to}` by itself")).label(format!("of type `{from}`"));
                let cast = format!("T.cast({}, \"{to}\")", self.text(place));
                told.fix(format!("cast it to `{to}`"), place, cast)
            }
        }
    }

    fn integer_division(&self, told: Diagnostic, expr: &py::Expr) -> Diagnostic {
        let told = told.label("both sides are integers");
        let Some(binary) = expr.as_bin_op_expr() else { return told };
        let between = Span { start: span(&*binary.left).end, end: span(&*binary.right).start };
        let at = self.text(between).find('/').map(|at| between.start as usize + at);
        match at {
            Some(at) => told.fix("divide and round down", Span::new(at, at + 1), "//"),
            None => told.help("write `//`"),
        }
    }
}

fn int_type(value: i64) -> Element {
    if i32::try_from(value).is_ok() { Element::I32 } else { Element::I64 }
}

/// A literal in the type of its place, if it can be of it.
pub(super) fn adapted(loose: Loose, element: Element) -> Loose {
    let Loose { expr, adapts } = loose;
    let number = element != Element::I1 && adapts;
    let fits =
        |value: i64| element.int_range().is_none_or(|(least, greatest)| (least..=greatest).contains(&value.into()));
    let expr = if let ExprKind::Int(value) = expr.kind()
        && number
        && fits(*value)
    {
        Expr::int(expr.place, *value, element)
    } else if let ExprKind::Float(value) = expr.kind()
        && number
        && element.is_float()
    {
        Expr::float(expr.place, value.0, element)
    } else {
        expr
    };
    Loose { expr, adapts }
}

fn adapted_to_each_other(left: Loose, right: Loose) -> (Loose, Loose) {
    let strict = |loose: Loose| Loose { adapts: false, ..loose };
    match (left.adapts, right.adapts) {
        (true, false) => (strict(adapted(left, right.expr.element())), right),
        (false, true) => {
            let element = left.expr.element();
            (left, strict(adapted(right, element)))
        }
        (true, true) | (false, false) => (left, right),
    }
}
