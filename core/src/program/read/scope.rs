//! Which values are known where.

use std::collections::HashMap;

use super::{Mistake, Read, Reader};
use crate::{
    diagnostic::Code,
    element::Scalar,
    program::{
        ir::{Op, Operand, ValueId},
        types::Type,
    },
    source::Span,
    syntax::TokenKind,
};

/// The values of the function that is being read.
#[derive(Default)]
pub(super) struct Scope<'c> {
    /// The innermost region last.
    regions: Vec<HashMap<&'c str, Named>>,
    pub(super) types: Vec<Type>,
    /// What constants of whole numbers are.
    numbers: HashMap<ValueId, i128>,
}

impl Scope<'_> {
    /// The whole number that a value always is.
    pub(super) fn number(&self, value: ValueId) -> Option<i128> {
        self.numbers.get(&value).copied()
    }
    /// Keeps the number that a constant is.
    pub(super) fn remember(&mut self, op: &Op) {
        if let (Some(Scalar::Int(number)), Some(value)) =
            (crate::program::dialects::constant_of(op), op.results.first())
        {
            self.numbers.insert(*value, number);
        }
    }
}

/// One name for one value or, as `%r:2`, for several.
#[derive(Clone)]
struct Named {
    values: Vec<ValueId>,
    span: Span,
}

/// A value's name in the text: `%r`, `%r#1`.
#[derive(Clone, Copy, Debug)]
pub struct Use<'c> {
    pub name: &'c str,
    pub span: Span,
}

impl<'c> Reader<'c> {
    pub(super) fn open_scope(&mut self) {
        self.scope.regions.push(HashMap::new());
    }
    pub(super) fn close_scope(&mut self) {
        self.scope.regions.pop();
    }

    pub(super) fn scope_depth(&self) -> usize {
        self.scope.regions.len()
    }
    /// Leaves the regions of a broken operation.
    pub(super) fn truncate_scopes(&mut self, depth: usize) {
        self.scope.regions.truncate(depth);
    }

    /// Gives values of the `types` the one name `name`.
    pub(super) fn define(&mut self, name: Use<'c>, types: Vec<Type>) -> Vec<ValueId> {
        self.note(name.span, &types);
        let values: Vec<ValueId> = types.into_iter().map(|ty| self.unnamed(ty)).collect();
        if let Some(first) = self.scope.regions.iter().find_map(|region| region.get(name.name)) {
            let mistake = Mistake::new(Code::RedefinedValue, name.span, format!("`{}` is defined twice", name.name));
            let first = first.span;
            self.report(mistake.secondary(first, "first defined here"));
        }
        if let Some(region) = self.scope.regions.last_mut() {
            region.insert(name.name, Named { values: values.clone(), span: name.span });
        }
        values
    }
    pub(super) fn unnamed(&mut self, ty: Type) -> ValueId {
        self.scope.types.push(ty);
        ValueId::new(self.scope.types.len() - 1)
    }

    /// `%name`
    ///
    /// # Errors
    /// Another token.
    pub fn value_use(&mut self) -> Read<Use<'c>> {
        let span = self.span();
        let name = self.word_of(TokenKind::PercentId, "a value, `%name`")?;
        Ok(Use { name, span })
    }
    /// `%a, %b`
    ///
    /// # Errors
    /// Another token.
    pub fn value_uses(&mut self) -> Read<Vec<Use<'c>>> {
        self.separated(Self::value_use)
    }

    /// `%a, %b`, two of them.
    ///
    /// # Errors
    /// Another number; other tokens.
    pub fn two_uses(&mut self) -> Read<[Use<'c>; 2]> {
        let first = self.value_use()?;
        self.expect(TokenKind::Comma)?;
        Ok([first, self.value_use()?])
    }

    /// The value of a name, whatever its type.
    ///
    /// # Errors
    /// A name that is not defined before.
    pub fn lookup(&mut self, name: Use<'c>) -> Read<Operand> {
        let (base, number) = match name.name.split_once('#') {
            Some((base, number)) => (base, number.parse::<usize>().ok()),
            None => (name.name, Some(0)),
        };
        let named = self.scope.regions.iter().rev().find_map(|region| region.get(base));
        let value = named.and_then(|named| named.values.get(number?).copied());
        match value {
            Some(value) => {
                let ty = self.scope.types[value.index()].clone();
                self.note(name.span, std::slice::from_ref(&ty));
                Ok(Operand::new(value, ty, name.span))
            }
            None => Err(self.undefined(name, base)),
        }
    }

    fn undefined(&self, name: Use<'c>, base: &str) -> Mistake {
        let mut known: Vec<&str> = self.scope.regions.iter().flat_map(|region| region.keys().copied()).collect();
        known.sort_unstable();
        let message = match self.scope.regions.iter().find_map(|region| region.get(base)) {
            Some(named) => format!("`{base}` is {} values, so that there is no `{}`", named.values.len(), name.name),
            None => format!("`{}` is not defined before this", name.name),
        };
        let mistake = Mistake::new(Code::UndefinedValue, name.span, message);
        match crate::diagnostic::did_you_mean(base, known).filter(|near| *near != base) {
            Some(near) => mistake.help(format!("did you mean `{near}`?")),
            None => mistake,
        }
    }

    /// The value of a name, which must be of the type that the text says.
    ///
    /// # Errors
    /// A name that is not defined before, or of another type.
    pub fn resolve(&mut self, name: Use<'c>, ty: &Type) -> Read<Operand> {
        let mut operand = self.lookup(name)?;
        if operand.ty.is_broken() {
            operand.ty = ty.clone();
        } else if !ty.is_broken() && operand.ty != *ty {
            return Err(Mistake::types(name.span, format!("`{}` is `{}`, not `{ty}`", name.name, operand.ty)));
        }
        Ok(operand)
    }

    /// Values and their types, as many of the ones as of the others.
    ///
    /// # Errors
    /// Numbers that differ; as [`Reader::resolve`].
    pub fn resolve_all(&mut self, names: &[Use<'c>], types: &[Type]) -> Read<Vec<Operand>> {
        if names.len() != types.len() {
            let span = names.first().map_or(self.last_span(), |name| name.span);
            return Err(Mistake::types(span, format!("{} values and {} types", names.len(), types.len())));
        }
        names.iter().zip(types).map(|(name, ty)| self.resolve(*name, ty)).collect()
    }
}
