//! Expressions, each with its type.

use nnz_base::element::Element;

use super::{BufferId, Place, VariableId};

/// A typed expression; its constructors are the only way to make one.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    kind: ExprKind,
    element: Element,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i64),
    Float(Real),
    Bool(bool),
    Variable(VariableId),
    Load(Access),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    Math(&'static Math, Box<Expr>),
    /// One of two values; of `lazy` ones only the chosen one is computed.
    Choice {
        lazy: bool,
        parts: Box<[Expr; 3]>,
    },
    Least,
    Greatest,
    /// Where the buffer begins in its array.
    Offset(BufferId),
    Stride(BufferId, u32),
}

/// An element of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub place: Place,
    pub buffer: BufferId,
    pub indices: Vec<Expr>,
}

/// A floating-point number; equal if it is the same bits.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Negate,
    Not,
    Invert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    FloorModulo,
    TruncateDivide,
    TruncateModulo,
    Power,
    Least,
    Greatest,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// A function of one number.
#[derive(Debug, PartialEq)]
pub struct Math {
    pub name: &'static str,
    /// Whether integers have it, too.
    pub of_integers: bool,
}

const fn of_floats(name: &'static str) -> Math {
    Math { name, of_integers: false }
}

pub static MATH: [Math; 17] = [
    Math { name: "abs", of_integers: true },
    of_floats("exp"),
    of_floats("exp2"),
    of_floats("log"),
    of_floats("log2"),
    of_floats("log10"),
    of_floats("sqrt"),
    of_floats("rsqrt"),
    of_floats("tanh"),
    of_floats("sigmoid"),
    of_floats("sin"),
    of_floats("cos"),
    of_floats("tan"),
    of_floats("erf"),
    of_floats("floor"),
    of_floats("ceil"),
    of_floats("round"),
];

/// Why an expression has no type, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongType {
    /// A condition is wanted, and this is a number of another type.
    NoCondition(Element),
    /// Numbers are wanted, and this is a condition.
    NoNumber,
    /// Integers are wanted.
    NoInteger(Element),
    /// Floating-point numbers are wanted.
    NoFloat(Element),
    /// `/` of integers.
    IntegerDivision,
    /// A value that its place cannot hold without a cast.
    Narrower { from: Element, to: Element },
}

impl Binary {
    pub fn is_comparison(self) -> bool {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual].contains(&self)
    }
    pub fn is_logical(self) -> bool {
        matches!(self, Binary::And | Binary::Or)
    }
}

impl Expr {
    fn new(place: Place, element: Element, kind: ExprKind) -> Expr {
        Expr { kind, element, place }
    }
    pub fn int(place: Place, value: i64, element: Element) -> Expr {
        match element.is_float() {
            true => Expr::float(place, value as f64, element),
            false => Expr::new(place, element, ExprKind::Int(value)),
        }
    }
    pub fn float(place: Place, value: f64, element: Element) -> Expr {
        Expr::new(place, element, ExprKind::Float(Real(value)))
    }
    pub fn bool(place: Place, value: bool) -> Expr {
        Expr::new(place, Element::I1, ExprKind::Bool(value))
    }
    pub fn variable(place: Place, variable: VariableId, element: Element) -> Expr {
        Expr::new(place, element, ExprKind::Variable(variable))
    }
    pub fn load(access: Access, element: Element) -> Expr {
        Expr::new(access.place, element, ExprKind::Load(access))
    }
    pub fn offset(place: Place, buffer: BufferId) -> Expr {
        Expr::new(place, Element::I32, ExprKind::Offset(buffer))
    }
    pub fn stride(place: Place, buffer: BufferId, dimension: u32) -> Expr {
        Expr::new(place, Element::I32, ExprKind::Stride(buffer, dimension))
    }
    pub fn least(place: Place, element: Element) -> Expr {
        Expr::new(place, element, ExprKind::Least)
    }
    pub fn greatest(place: Place, element: Element) -> Expr {
        Expr::new(place, element, ExprKind::Greatest)
    }

    /// # Errors
    /// An operand without this operation.
    pub fn unary(place: Place, unary: Unary, operand: Expr) -> Result<Expr, WrongType> {
        match unary {
            Unary::Not => operand.as_condition()?,
            Unary::Negate => operand.as_number()?,
            Unary::Invert if operand.is_condition() => {}
            Unary::Invert => operand.as_integer()?,
        }
        let element = operand.element;
        let kind = match (unary, &operand.kind) {
            (Unary::Negate, ExprKind::Int(value)) => ExprKind::Int(value.wrapping_neg()),
            (Unary::Negate, ExprKind::Float(Real(value))) => ExprKind::Float(Real(-value)),
            _ => ExprKind::Unary(unary, Box::new(operand)),
        };
        Ok(Expr::new(place, element, kind))
    }

    /// Operands of two types are first brought to one.
    ///
    /// # Errors
    /// Operands without this operation.
    pub fn binary(place: Place, op: Binary, left: Expr, right: Expr) -> Result<Expr, WrongType> {
        if op.is_logical() {
            left.as_condition()?;
            right.as_condition()?;
            return Ok(Expr::new(place, Element::I1, ExprKind::Binary(op, Box::new(left), Box::new(right))));
        }
        let (left, right) = Expr::unified(left, right)?;
        left.has(op)?;
        let element = if op.is_comparison() { Element::I1 } else { left.element };
        Ok(Expr::new(place, element, ExprKind::Binary(op, Box::new(left), Box::new(right))))
    }

    /// Whether values of its type have an operation.
    fn has(&self, op: Binary) -> Result<(), WrongType> {
        use Binary as B;
        match op {
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => Ok(()),
            B::And | B::Or => self.as_condition(),
            B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight if self.is_condition() => Ok(()),
            B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight => self.as_integer(),
            B::FloorDivide | B::FloorModulo | B::TruncateDivide | B::TruncateModulo => self.as_integer(),
            B::Divide if !self.is_condition() && !self.element.is_float() => Err(WrongType::IntegerDivision),
            B::Power => self.as_float(),
            B::Divide | B::Add | B::Subtract | B::Multiply | B::Least | B::Greatest => self.as_number(),
        }
    }

    /// Two operands of one type: integers widen, numbers become floating-point where one is.
    ///
    /// # Errors
    /// A condition beside a number.
    pub fn unified(left: Expr, right: Expr) -> Result<(Expr, Expr), WrongType> {
        if left.element == right.element {
            return Ok((left, right));
        }
        left.as_number()?;
        right.as_number()?;
        let wider = wider(left.element, right.element);
        Ok((left.into_type(wider), right.into_type(wider)))
    }

    /// # Errors
    /// A condition that is none.
    pub fn choice(place: Place, lazy: bool, parts: [Expr; 3]) -> Result<Expr, WrongType> {
        let [condition, one, other] = parts;
        condition.as_condition()?;
        let (one, other) = Expr::unified(one, other)?;
        let element = one.element;
        Ok(Expr::new(place, element, ExprKind::Choice { lazy, parts: Box::new([condition, one, other]) }))
    }

    /// # Errors
    /// An operand that the function does not take.
    pub fn math(place: Place, math: &'static Math, operand: Expr) -> Result<Expr, WrongType> {
        if math.of_integers {
            operand.as_number()?
        } else {
            operand.as_float()?
        }
        let element = operand.element;
        Ok(Expr::new(place, element, ExprKind::Math(math, Box::new(operand))))
    }

    /// The value in another type. A cast to its own type is none.
    #[must_use]
    pub fn into_type(self, element: Element) -> Expr {
        match self.element == element {
            true => self,
            false => Expr::new(self.place, element, ExprKind::Cast(Box::new(self))),
        }
    }

    /// The value for a place of a type: it may widen.
    ///
    /// # Errors
    /// It would lose digits or become an integer.
    pub fn stored_as(self, element: Element) -> Result<Expr, WrongType> {
        let from = self.element;
        match from == element || !self.is_condition() && wider(from, element) == element {
            true => Ok(self.into_type(element)),
            false => Err(WrongType::Narrower { from, to: element }),
        }
    }

    /// The product of two counts.
    pub(crate) fn times(&self, other: &Expr) -> Option<Expr> {
        Expr::binary(self.place, Binary::Multiply, self.clone(), other.clone()).ok()
    }

    pub fn kind(&self) -> &ExprKind {
        &self.kind
    }
    pub fn element(&self) -> Element {
        self.element
    }
    pub fn is_condition(&self) -> bool {
        self.element == Element::I1
    }
    /// Its value, if it is a whole number.
    pub fn as_constant(&self) -> Option<i64> {
        if let ExprKind::Int(value) = self.kind { Some(value) } else { None }
    }
    pub fn as_variable(&self) -> Option<VariableId> {
        if let ExprKind::Variable(variable) = self.kind { Some(variable) } else { None }
    }

    /// # Errors
    /// It is a number.
    pub fn as_condition(&self) -> Result<(), WrongType> {
        if self.is_condition() { Ok(()) } else { Err(WrongType::NoCondition(self.element)) }
    }
    fn as_number(&self) -> Result<(), WrongType> {
        if self.is_condition() { Err(WrongType::NoNumber) } else { Ok(()) }
    }
    /// # Errors
    /// It is a condition, or floating-point.
    pub fn as_integer(&self) -> Result<(), WrongType> {
        self.as_number()?;
        if self.element.is_float() { Err(WrongType::NoInteger(self.element)) } else { Ok(()) }
    }
    fn as_float(&self) -> Result<(), WrongType> {
        self.as_number()?;
        if self.element.is_float() { Ok(()) } else { Err(WrongType::NoFloat(self.element)) }
    }

    /// The parts of it, in order.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Load(access) => access.indices.iter().collect(),
            ExprKind::Unary(_, part) | ExprKind::Cast(part) | ExprKind::Math(_, part) => vec![part],
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Choice { parts, .. } => parts.iter().collect(),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Variable(_)
            | ExprKind::Least
            | ExprKind::Greatest
            | ExprKind::Offset(_)
            | ExprKind::Stride(..) => Vec::new(),
        }
    }
    /// The expression and all within it, outermost first.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.walk(visit));
    }
}

/// The type that holds values of both: floating-point before integers, then the larger.
fn wider(one: Element, other: Element) -> Element {
    let rank = |element: Element| (element.is_float(), element.repr().bytes());
    if rank(other) > rank(one) { other } else { one }
}
