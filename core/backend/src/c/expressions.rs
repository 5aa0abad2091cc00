//! Prints expressions in C, with as few casts and parentheses as its rules and warnings allow.

use super::{
    Emitter,
    helpers::{Arithmetic, Comparison, Helper},
    literals,
    types::{float_type, index_type, int_type, wrapping_type},
};
use nnz_base::element::{Element, Repr, Scalar};
use nnz_loops::{
    ArrayId, ArrayType, Binary, Expr, ExprId, Type, Unary,
    machine::{Class, Float, Int, class},
};

/// How tightly an operator of C binds; larger is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prec {
    Conditional,
    Or,
    And,
    Compare,
    Sum,
    Product,
    /// Casts too.
    Sign,
    Leaf,
}

/// An expression as text.
pub(super) struct C {
    prec: Prec,
    pub(super) text: String,
}

impl C {
    fn new(prec: Prec, text: impl Into<String>) -> C {
        C { prec, text: text.into() }
    }
    fn leaf(text: impl Into<String>) -> C {
        C::new(Prec::Leaf, text)
    }
    /// Numbers may have a sign.
    fn number(text: String) -> C {
        C::new(if text.starts_with('-') { Prec::Sign } else { Prec::Leaf }, text)
    }
    fn cast(ty: &str, of: C) -> C {
        C::new(Prec::Sign, format!("({ty}){}", of.at(Prec::Sign)))
    }
    /// Where an operand that binds at least as tightly as `least` is needed.
    fn at(self, least: Prec) -> String {
        if self.prec < least { format!("({})", self.text) } else { self.text }
    }
    /// `self op right`, which associates to the left.
    fn infix(self, prec: Prec, op: &str, right: C) -> C {
        let tighter = if prec == Prec::Sum { Prec::Product } else { Prec::Sign };
        C::new(prec, format!("{} {op} {}", self.at(prec), right.at(tighter)))
    }
}

/// Arithmetic that a C operator does.
fn operator(op: Binary) -> Option<(Prec, &'static str)> {
    match op {
        Binary::Add => Some((Prec::Sum, "+")),
        Binary::Sub => Some((Prec::Sum, "-")),
        Binary::Mul => Some((Prec::Product, "*")),
        Binary::Div => Some((Prec::Product, "/")),
        Binary::Rem => Some((Prec::Product, "%")),
        Binary::Min | Binary::Max | Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or => None,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => None,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => None,
    }
}

impl Emitter<'_> {
    fn class(&self, id: ExprId) -> Class {
        class(self.types.get(id.index()).copied().unwrap_or(Type::Bool))
    }

    fn call(&self, helper: Helper, args: &[ExprId]) -> C {
        let args = args.iter().map(|&arg| self.value(arg)).collect();
        self.call_text(helper, args)
    }
    fn call_text(&self, helper: Helper, args: Vec<String>) -> C {
        self.used(helper);
        C::leaf(format!("{}({})", helper.name(), args.join(", ")))
    }

    /// Where C converts to the type that it needs: an initial value, an argument, a stored value.
    pub(super) fn value(&self, id: ExprId) -> String {
        match *self.function.expr(id) {
            Expr::Load { array, index } if matches!(self.class(id), Class::Int(_)) => self.entry(array, index).text,
            _ => self.expr(id).text,
        }
    }

    /// What is stored into an index array of a machine type: the low bits.
    pub(super) fn index_entry(&self, repr: Repr, id: ExprId) -> String {
        match repr {
            Repr::U64 => self.subscript(id),
            narrow => C::cast(index_type(narrow), self.expr(id)).text,
        }
    }

    /// The place of an entry. Any integer type will do, so a wrapping value needs no cast back.
    pub(super) fn subscript(&self, id: ExprId) -> String {
        match self.function.expr(id) {
            Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) if !self.ranges.cannot_overflow(id) => {
                self.wrapping(Int::INDEX, id).text
            }
            _ => self.value(id),
        }
    }

    fn entry(&self, array: ArrayId, index: ExprId) -> C {
        C::leaf(format!("{}[{}]", self.names.array(array), self.subscript(index)))
    }

    /// The expression, of the C type of its loop type.
    pub(super) fn expr(&self, id: ExprId) -> C {
        match *self.function.expr(id) {
            Expr::Index(number) => index_literal(number),
            Expr::Bool(truth) => self.truth(truth),
            Expr::Value(element, scalar) => self.literal(element, scalar),
            Expr::Var(var) => C::leaf(self.names.var(var)),
            Expr::Load { array, index } => self.load(array, index),
            Expr::Unary(op, a) => self.unary(op, id, a),
            Expr::Binary(op, a, b) => self.binary(op, id, [a, b]),
            Expr::Select { cond, then, other } => {
                let (cond, then, other) = (self.expr(cond).at(Prec::Or), self.arm(then), self.arm(other));
                C::new(Prec::Conditional, format!("{cond} ? {then} : {other}"))
            }
            Expr::Cast { to, from } => self.cast(to, from),
        }
    }

    fn truth(&self, truth: bool) -> C {
        self.header("stdbool.h");
        C::leaf(truth.to_string())
    }

    /// Two bare numbers would make a narrower type of both.
    fn arm(&self, id: ExprId) -> String {
        match *self.function.expr(id) {
            Expr::Index(number) => literals::int(Int::INDEX, number.into()),
            _ => self.expr(id).at(Prec::Or),
        }
    }

    fn literal(&self, element: Element, scalar: Scalar) -> C {
        match (class(Type::Element(element)), scalar) {
            (Class::Int(int), Scalar::Int(number)) => C::number(literals::int(int, number)),
            (Class::Float(float), scalar) => self.float_literal(float, scalar.as_f64()),
            (Class::Complex(part), scalar) => {
                self.used(Helper::Complex(part));
                self.header("math.h");
                C::leaf(literals::complex(part, scalar))
            }
            (Class::Int(int), scalar) => C::number(literals::int(int, scalar.as_f64() as i128)),
        }
    }

    fn float_literal(&self, float: Float, number: f64) -> C {
        let text = literals::float(float, number);
        if text.ends_with(|c: char| c.is_ascii_uppercase()) {
            self.header("math.h");
        }
        C::number(text)
    }

    fn load(&self, array: ArrayId, index: ExprId) -> C {
        let entry = self.entry(array, index);
        match self.function.array(array).ty {
            ArrayType::Indices(_) => C::cast(&int_type(Int::INDEX), entry),
            ArrayType::Values(element) => match class(Type::Element(element)) {
                Class::Float(narrow @ (Float::F16 | Float::BF16)) => {
                    self.call_text(Helper::Widen(narrow), vec![entry.text])
                }
                _ => entry,
            },
        }
    }

    // Operations.

    fn unary(&self, op: Unary, id: ExprId, a: ExprId) -> C {
        match self.class(a) {
            Class::Int(int) => self.int_unary(op, id, int, a),
            Class::Float(float) => self.float_unary(op, float, a),
            Class::Complex(part) => self.complex_unary(op, part, a),
        }
    }

    fn complex_unary(&self, op: Unary, part: Float, a: ExprId) -> C {
        match op {
            Unary::Neg => self.call(Helper::ComplexNeg(part), &[a]),
            Unary::Abs | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => {
                self.call(Helper::ComplexFunction(op, part), &[a])
            }
            // Not complex numbers' operations.
            Unary::Not | Unary::BitNot => self.expr(a),
        }
    }

    fn int_unary(&self, op: Unary, id: ExprId, int: Int, a: ExprId) -> C {
        match op {
            Unary::Not => C::new(Prec::Sign, format!("!{}", self.expr(a).at(Prec::Leaf))),
            Unary::Abs if int.is_signed() => self.call(Helper::Abs(int), &[a]),
            Unary::Neg if int == Int::INDEX && self.ranges.cannot_overflow(id) => self.negated(a),
            Unary::Neg | Unary::BitNot => self.wrapped(int, id),
            // Unsigned numbers are their own size.
            Unary::Abs => self.expr(a),
            // Not integers' operations.
            Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => self.expr(a),
        }
    }

    fn negated(&self, a: ExprId) -> C {
        C::new(Prec::Sign, format!("-{}", self.expr(a).at(Prec::Leaf)))
    }

    fn float_unary(&self, op: Unary, float: Float, a: ExprId) -> C {
        match op {
            Unary::Neg => self.negated(a),
            Unary::Abs => self.math("fabs", float, &[a]),
            // Not floats' operations.
            Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => self.expr(a),
            Unary::Function(function) if function.is_double() => {
                self.rounded(float, C::cast(float_type(float), self.math(function.name(), Float::F64, &[a])))
            }
            Unary::Function(function) => self.rounded(float, self.math(function.name(), float, &[a])),
        }
    }

    /// A function of <math.h>.
    fn math(&self, name: &str, float: Float, args: &[ExprId]) -> C {
        self.header("math.h");
        let suffix = if float == Float::F64 { "" } else { "f" };
        let args: Vec<String> = args.iter().map(|&arg| self.value(arg)).collect();
        C::leaf(format!("{name}{suffix}({})", args.join(", ")))
    }

    fn rounded(&self, float: Float, value: C) -> C {
        match float {
            Float::F64 | Float::F32 => value,
            Float::F16 | Float::BF16 => self.call_text(Helper::Round(float), vec![value.text]),
        }
    }

    fn binary(&self, op: Binary, id: ExprId, [a, b]: [ExprId; 2]) -> C {
        match (op, self.class(a)) {
            (Binary::And, _) => {
                C::new(Prec::And, format!("{} && {}", self.truth_at(Prec::And, a), self.truth_at(Prec::Compare, b)))
            }
            // Parentheses around `&&` in `||` are not needed, but gcc wants them.
            (Binary::Or, _) => {
                C::new(Prec::Or, format!("{} || {}", self.or_operand(a), self.truth_at(Prec::Compare, b)))
            }
            (_, Class::Int(int)) => match Comparison::of(op) {
                Some(comparison) => self.int_comparison(comparison, int, [a, b]),
                None => self.int_binary(op, id, int, [a, b]),
            },
            (_, Class::Float(float)) => self.float_binary(op, float, [a, b]),
            (_, Class::Complex(part)) => self.complex_binary(op, part, [a, b]),
        }
    }

    fn truth_at(&self, least: Prec, id: ExprId) -> String {
        self.expr(id).at(least)
    }
    fn or_operand(&self, id: ExprId) -> String {
        let operand = self.expr(id);
        let least = if operand.prec == Prec::And { Prec::Compare } else { Prec::Or };
        operand.at(least)
    }

    fn compared(&self, op: Comparison, [a, b]: [ExprId; 2]) -> C {
        // A `!` before a comparison is taken for a mistake.
        let least = if self.class(a) == Class::Int(Int::BOOL) { Prec::Leaf } else { Prec::Sum };
        let (a, b) = (self.expr(a).at(least), self.expr(b).at(least));
        C::new(Prec::Compare, format!("{a} {} {b}", op.sign()))
    }

    fn int_comparison(&self, op: Comparison, int: Int, operands: [ExprId; 2]) -> C {
        if self.looks_mistaken(int, operands) {
            self.header("stdbool.h");
            return self.call(Helper::Compare(op, int), &operands);
        }
        self.compared(op, operands)
    }

    /// A comparison whose outcome the types alone decide, or of a thing with itself, is warned of.
    fn looks_mistaken(&self, int: Int, [a, b]: [ExprId; 2]) -> bool {
        let far = |id: ExprId| match self.function.expr(id) {
            Expr::Index(number) => i32::try_from(*number).is_err(),
            _ => true,
        };
        let odd = |a: ExprId, b: ExprId| self.is_constant(a) && (far(a) || self.may_be_narrow(int, b));
        a == b || odd(a, b) || odd(b, a)
    }

    fn is_constant(&self, id: ExprId) -> bool {
        self.constants.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether C could see that the expression does not take all values of 64 bits.
    fn may_be_narrow(&self, int: Int, id: ExprId) -> bool {
        match self.function.expr(id) {
            _ if int != Int::INDEX => true,
            Expr::Load { array, .. } => self.function.array(*array).ty != ArrayType::Indices(Repr::U64),
            Expr::Var(_) | Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Rem, ..) => false,
            _ => true,
        }
    }

    fn int_binary(&self, op: Binary, id: ExprId, int: Int, [a, b]: [ExprId; 2]) -> C {
        match op {
            Binary::Add | Binary::Sub | Binary::Mul => self.int_arithmetic(id, int, op, [a, b]),
            Binary::Div | Binary::Rem => self.int_division(op, int, [a, b]),
            Binary::Min => self.call(Helper::Min(int), &[a, b]),
            Binary::Max => self.call(Helper::Max(int), &[a, b]),
            Binary::Pow => self.call(Helper::Pow(int), &[a, b]),
            Binary::BitAnd => self.bits("&", a, b),
            Binary::BitOr => self.bits("|", a, b),
            Binary::BitXor => self.bits("^", a, b),
            Binary::Shl => self.call(Helper::ShiftLeft(int), &[a, b]),
            Binary::Shr => self.call(Helper::ShiftRight(int), &[a, b]),
            // Not integers' operations.
            Binary::Function(_) | Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => {
                self.expr(a)
            }
        }
    }

    /// Of numbers that are extended to their machine types' width, so that the result is too. Always in
    /// parentheses: few know how tightly these bind.
    fn bits(&self, sign: &str, a: ExprId, b: ExprId) -> C {
        C::new(Prec::Conditional, format!("{} {sign} {}", self.expr(a).at(Prec::Sign), self.expr(b).at(Prec::Sign)))
    }

    fn int_arithmetic(&self, id: ExprId, int: Int, op: Binary, [a, b]: [ExprId; 2]) -> C {
        if int == Int::INDEX && self.ranges.cannot_overflow(id) {
            let range = self.ranges.of(id);
            return match (i64::try_from(range.lo), operator(op)) {
                (Ok(number), _) if range.lo == range.hi => index_literal(number),
                (_, Some((prec, sign))) => self.expr(a).infix(prec, sign, self.expr(b)),
                (_, None) => self.expr(a),
            };
        }
        self.wrapped(int, id)
    }

    fn int_division(&self, op: Binary, int: Int, [a, b]: [ExprId; 2]) -> C {
        let by_positive = int == Int::INDEX && self.ranges.of(b).lo > 0;
        match operator(op) {
            Some((prec, sign)) if by_positive => self.expr(a).infix(prec, sign, self.expr(b)),
            _ if op == Binary::Div => self.call(Helper::Div(int), &[a, b]),
            _ => self.call(Helper::Rem(int), &[a, b]),
        }
    }

    /// Arithmetic done without a sign, which wraps, and brought back to the type.
    fn wrapped(&self, int: Int, id: ExprId) -> C {
        let value = self.wrapping(int, id);
        if int.width < int.bits {
            return self.call_text(Helper::Wrap(int), vec![value.text]);
        }
        if !int.is_signed() && int.bits >= 32 {
            return value;
        }
        C::cast(&int_type(int), value)
    }

    /// The expression in the type that wraps, whose low bits are right. Of two operands C converts the
    /// second to the type of the first.
    fn wrapping(&self, int: Int, id: ExprId) -> C {
        let operation = match *self.function.expr(id) {
            Expr::Unary(Unary::BitNot, a) => {
                let a = C::cast(wrapping_type(int), self.expr(a));
                return C::new(Prec::Sign, format!("~{}", a.text));
            }
            Expr::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                operator(op).map(|(prec, sign)| (self.wrapping(int, a), prec, sign, b))
            }
            Expr::Unary(Unary::Neg, a) => Some((C::cast(wrapping_type(int), C::leaf("0")), Prec::Sum, "-", a)),
            _ => None,
        };
        let exact = int == Int::INDEX && self.ranges.cannot_overflow(id);
        match operation {
            Some((left, prec, sign, b)) if !exact => left.infix(prec, sign, self.second(int, b)),
            _ => C::cast(wrapping_type(int), self.expr(id)),
        }
    }

    fn second(&self, int: Int, id: ExprId) -> C {
        let exact = int == Int::INDEX && self.ranges.cannot_overflow(id);
        match self.function.expr(id) {
            Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) | Expr::Unary(Unary::Neg, _) if !exact => {
                self.wrapping(int, id)
            }
            _ => self.expr(id),
        }
    }

    fn float_binary(&self, op: Binary, float: Float, [a, b]: [ExprId; 2]) -> C {
        // The narrow types are held in `float`.
        let held = if float == Float::F64 { Float::F64 } else { Float::F32 };
        match (operator(op), Comparison::of(op)) {
            (Some(_), _) if op == Binary::Rem => self.math("fmod", float, &[a, b]),
            (Some((prec, sign)), _) => self.rounded(float, self.expr(a).infix(prec, sign, self.expr(b))),
            (None, Some(comparison)) => self.compared(comparison, [a, b]),
            (None, None) => match op {
                Binary::Min => self.call(Helper::FloatMin(held), &[a, b]),
                Binary::Max => self.call(Helper::FloatMax(held), &[a, b]),
                Binary::Pow | Binary::Function(_) => self.rounded(float, self.math(op.name(), float, &[a, b])),
                // Written above, or not floats' operations.
                Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::And | Binary::Or => {
                    self.expr(a)
                }
                Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => self.expr(a),
                Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => self.expr(a),
            },
        }
    }

    fn complex_binary(&self, op: Binary, part: Float, operands: [ExprId; 2]) -> C {
        match Arithmetic::of(op) {
            Some(arithmetic) => self.call(Helper::ComplexArithmetic(arithmetic, part), &operands),
            None if op == Binary::Pow => self.call(Helper::ComplexPow(part), &operands),
            None => {
                let equal = self.call(Helper::ComplexEq(part), &operands);
                if op == Binary::Ne { C::new(Prec::Sign, format!("!{}", equal.text)) } else { equal }
            }
        }
    }

    // Casts.

    fn cast(&self, to: Type, from: ExprId) -> C {
        match (self.class(from), class(to)) {
            (Class::Complex(source), Class::Complex(target)) if source == target => self.expr(from),
            (Class::Complex(_), Class::Complex(target)) => self.call(Helper::ComplexCast(target), &[from]),
            (_, Class::Complex(part)) => {
                let re = self.to_float(part, from);
                self.call_text(Helper::ComplexOf(part), vec![re.text])
            }
            (_, Class::Float(float)) => self.to_float(float, from),
            (Class::Int(source), Class::Int(target)) => self.int_to_int(source, target, from),
            (_, Class::Int(target)) => self.call(Helper::Saturate(target), &[from]),
        }
    }

    fn int_to_int(&self, source: Int, target: Int, from: ExprId) -> C {
        match target {
            _ if source == target => self.expr(from),
            Int { bits, width, .. } if width < bits => {
                let from = C::cast(wrapping_type(target), self.expr(from));
                self.call_text(Helper::Wrap(target), vec![from.text])
            }
            _ => C::cast(&int_type(target), self.expr(from)),
        }
    }

    /// Rounds once: to the narrow types by way of `double`, which holds whatever `float` does.
    fn to_float(&self, float: Float, from: ExprId) -> C {
        match (self.class(from), float) {
            (Class::Float(source), _) if source == float => self.expr(from),
            (Class::Float(Float::F16 | Float::BF16), Float::F32) => self.expr(from),
            (_, Float::F16 | Float::BF16) => self.rounded(float, self.expr(from)),
            _ => C::cast(float_type(float), self.expr(from)),
        }
    }
}

fn index_literal(number: i64) -> C {
    C::number(match i32::try_from(number) {
        Ok(small) => small.to_string(),
        Err(_) => literals::int(Int::INDEX, number.into()),
    })
}
