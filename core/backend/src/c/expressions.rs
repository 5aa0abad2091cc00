//! Prints expressions in C, with as few casts and parentheses as its rules and warnings allow.

mod integers;
mod text;

use super::{
    Emitter,
    helpers::Helper,
    literals,
    types::{float_type, index_type, int_type, wrapping_type},
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::{
    ArrayId, ArrayType, Binary, Expr, ExprId, Type, Unary,
    machine::{Class, Float, Int, Width, class},
    operators::Comparison,
};
use text::{C, Prec, operator};

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
        if let Expr::Load { array, index } = *self.function.expr(id)
            && matches!(self.class(id), Class::Int(_))
        {
            return self.entry(array, index).text;
        }
        self.expr(id).text
    }

    /// What is stored into an index array of a machine type: the low bits.
    pub(super) fn index_entry(&self, width: Width, id: ExprId) -> String {
        if width == Width::W64 { self.subscript(id) } else { C::cast(index_type(width), self.expr(id)).text }
    }

    /// The place of an entry. Any integer type will do, so a wrapping value needs no cast back.
    pub(super) fn subscript(&self, id: ExprId) -> String {
        let wraps = matches!(self.function.expr(id), Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..));
        if wraps && !self.ranges.cannot_overflow(id) { self.wrapping(Int::INDEX, id).text } else { self.value(id) }
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
        if let Expr::Index(number) = *self.function.expr(id) {
            return literals::int(Int::INDEX, number.into());
        }
        self.expr(id).at(Prec::Or)
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
                Class::Int(_) | Class::Float(_) | Class::Complex(_) => entry,
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
            (_, Class::Int(int)) => match op.comparison() {
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

    fn float_binary(&self, op: Binary, float: Float, [a, b]: [ExprId; 2]) -> C {
        // The narrow types are held in `float`.
        let held = if float == Float::F64 { Float::F64 } else { Float::F32 };
        match (operator(op), op.comparison()) {
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
        match op.arithmetic() {
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
            (_, Float::F32 | Float::F64) => C::cast(float_type(float), self.expr(from)),
        }
    }
}

fn index_literal(number: i64) -> C {
    C::number(match i32::try_from(number) {
        Ok(small) => small.to_string(),
        Err(_) => literals::int(Int::INDEX, number.into()),
    })
}
