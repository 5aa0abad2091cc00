//! Calls of functions and casts within expressions.

use nnz_base::{
    diagnostic::{Code, did_you_mean},
    element::Element,
};
use ruff_python_ast::{self as py, ExprCall};

use super::{
    arguments::Given,
    expr::{Loose, adapted},
    python::{span, text},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Binary, Expr, MATH, Place, element_named},
};

impl<'a> Reader<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "members are many, and few are values")]
    pub(super) fn call(&mut self, whole: &'a py::Expr, call: &'a ExprCall) -> Option<Expr> {
        let given = self.given(call)?;
        let place = Place(given.span);
        let made = match given.row.member {
            Member::Element => self.of_element(whole, &given),
            Member::Cast => {
                let (value, dtype) = (given.get("value")?, given.get("dtype")?);
                let (value, element) = (self.expr(value), self.element(dtype));
                Some(value?.into_type(element?))
            }
            Member::LeastValue => Some(Expr::least(place, self.element(given.get("dtype")?)?)),
            Member::GreatestValue => Some(Expr::greatest(place, self.element(given.get("dtype")?)?)),
            Member::Minimum => self.of_two(whole, Binary::Least, &given),
            Member::Maximum => self.of_two(whole, Binary::Greatest, &given),
            Member::FloorDivide => self.of_two(whole, Binary::FloorDivide, &given),
            Member::FloorModulo => self.of_two(whole, Binary::FloorModulo, &given),
            Member::TruncateDivide => self.of_two(whole, Binary::TruncateDivide, &given),
            Member::TruncateModulo => self.of_two(whole, Binary::TruncateModulo, &given),
            Member::Power => self.of_two(whole, Binary::Power, &given),
            Member::IfThenElse => self.choice(whole, true, parts(&given)?),
            Member::Select => self.choice(whole, false, parts(&given)?),
            Member::Math => self.of_math(whole, &given),
            Member::Unread | Member::Intrinsic => self.unread(&given),
            _ => {
                let told = self.mistake(Code::ScriptStatement, given.head, format!("`T.{}` is no value", given.name));
                self.wrong(told.label("a statement, not a value"))
            }
        }?;
        self.promised(&given, made)
    }

    /// `dtype=` of a call says its type, which is known anyway.
    fn promised(&mut self, given: &Given<'a>, made: Expr) -> Option<Expr> {
        let says = given
            .get("dtype")
            .filter(|_| !matches!(given.row.member, Member::Cast | Member::LeastValue | Member::GreatestValue));
        let Some(dtype) = says else { return Some(made) };
        let element = self.element(dtype)?;
        if element != made.element() {
            let is = crate::model::name_of(made.element());
            let told = self.mistake(Code::ScriptType, span(dtype), format!("the result is of type `{is}`"));
            let told = told.label("another type").fix(format!("say `{is}`"), span(dtype), format!("\"{is}\""));
            self.tell(told);
        }
        Some(made)
    }

    fn of_two(&mut self, whole: &'a py::Expr, op: Binary, given: &Given<'a>) -> Option<Expr> {
        Some(self.joined(whole, op, [given.get("a")?, given.get("b")?])?.expr)
    }

    fn of_math(&mut self, whole: &'a py::Expr, given: &Given<'a>) -> Option<Expr> {
        let math = MATH.iter().find(|math| math.name == given.name)?;
        let operand = self.loose(given.get("x")?)?;
        let is_whole = operand.adapts && operand.expr.as_integer().is_ok() && !math.of_integers;
        let operand = if is_whole { adapted(operand, Element::F32) } else { operand };
        let made = Expr::math(Place(given.span), math, operand.expr);
        self.typed(made, given.span, whole)
    }

    /// `T.float32(x)`: a literal of this type, or a cast.
    fn of_element(&mut self, whole: &'a py::Expr, given: &Given<'a>) -> Option<Expr> {
        let (element, value) = (element_named(&given.name)?, given.get("value")?);
        if let Some(word) = text(value) {
            return self.special(whole, word, element);
        }
        let value: Loose = self.loose(value)?;
        Some(adapted(value, element).expr.into_type(element))
    }

    /// `T.float32("inf")`.
    fn special(&mut self, whole: &py::Expr, word: &str, element: Element) -> Option<Expr> {
        let value = match word {
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            "nan" => Some(f64::NAN),
            _ => None,
        };
        let Some(value) = value.filter(|_| element.is_float()) else {
            let told = self.mistake(Code::ScriptType, span(whole), format!("`{word}` is no number of this type"));
            return self.wrong(told.label("no number").help("floating-point types have `inf`, `-inf` and `nan`"));
        };
        Some(Expr::float(Place(span(whole)), value, element))
    }

    /// An element type in quotes.
    pub(super) fn element(&mut self, expr: &'a py::Expr) -> Option<Element> {
        let name = self.text_of(expr)?;
        if let Some(element) = element_named(name) {
            return Some(element);
        }
        let told = self.mistake(Code::ScriptType, span(expr), format!("`{name}` is no element type"));
        let told = told.label("no type of numbers");
        let known = crate::model::element_names();
        let told = match did_you_mean(name, known.iter().copied()) {
            Some(near) => told.guess(span(expr), format!("\"{near}\"")),
            None => told.help(format!("there are `{}`", known.join("`, `"))),
        };
        self.wrong(told)
    }

    pub(super) fn unread<T>(&mut self, given: &Given<'a>) -> Option<T> {
        let name = &given.name;
        let told = self.mistake(Code::ScriptUnread, given.head, format!("`T.{name}` is not read here"));
        let told = told.label("legal, and more than nnz reads");
        self.wrong(told.help("`docs/sparsetir.md` lists what is not read yet"))
    }
}

fn parts<'a>(given: &Given<'a>) -> Option<[&'a py::Expr; 3]> {
    Some([given.get("condition")?, given.get("true_value")?, given.get("false_value")?])
}
