//! The scopes of values.

use std::collections::HashSet;

use rustc_hash::FxHashMap;

use super::{Reader, body::conversion};
use crate::{
    ir::{Op, Operand, ValueId},
    mistake::{Mistake, Read},
    types::{Difference, Type, named},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic, Label, counted},
    element::{Element, Scalar},
    source::Span,
};

/// How an encoding begins that is written out.
const WRITTEN: &str = "#sparse_tensor.encoding<";

/// The values of the function that is being read.
#[derive(Default)]
pub(super) struct Scope<'c> {
    /// The innermost region last.
    regions: Vec<FxHashMap<&'c str, Named>>,
    /// Where values of regions that have ended were defined.
    ended: FxHashMap<&'c str, Span>,
    /// Names of results that lack their `%`; each has been reported.
    pub(super) without_sign: HashSet<&'c str>,
    /// So many operations lack the names of their results; each has been reported.
    pub(super) nameless: usize,
    pub(super) types: Vec<Type>,
    /// What constants of whole numbers are.
    numbers: FxHashMap<ValueId, i128>,
}

impl Scope<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.regions.iter().any(|region| region.contains_key(name))
    }
    /// The whole number that a value always is.
    pub(super) fn number(&self, value: ValueId) -> Option<i128> {
        self.numbers.get(&value).copied()
    }
    /// Keeps the number that a constant is.
    pub(super) fn remember(&mut self, op: &Op, constant: Option<Scalar>) {
        if let (Some(Scalar::Int(number)), Some(value)) = (constant, op.results.first()) {
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

fn without_digits(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

impl<'c> Reader<'c> {
    pub(super) fn open_scope(&mut self) {
        self.scope.regions.push(FxHashMap::default());
    }
    pub(super) fn close_scope(&mut self) {
        let ended = self.scope.regions.pop().unwrap_or_default();
        self.scope.ended.extend(ended.into_iter().map(|(name, named)| (name, named.span)));
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
        self.check_name(name);
        let values: Vec<ValueId> = types.into_iter().map(|ty| self.unnamed(ty)).collect();
        if let Some(first) = self.scope.regions.iter().find_map(|region| region.get(name.name)) {
            let mistake = Mistake::new(Code::RedefinedValue, name.span, format!("`{}` is defined twice", name.name));
            let first = first.span;
            self.report(mistake.label("the second definition").secondary(first, "first defined here"));
        }
        if let Some(region) = self.scope.regions.last_mut() {
            region.insert(name.name, Named { values: values.clone(), span: name.span });
        }
        values
    }
    /// Whether a name has a value here.
    pub(super) fn is_defined(&self, name: Use<'c>) -> bool {
        let base = name.name.split('#').next().unwrap_or_default();
        self.scope.has(base)
    }
    /// For MLIR `%1_` is `%1` and then `_`.
    fn check_name(&mut self, name: Use<'c>) {
        let digit = |c: char| c.is_ascii_digit();
        let text = name.name.trim_start_matches('%');
        if text.starts_with(digit) && !text.chars().all(digit) {
            let message = format!("`{}` begins with a digit and is not digits alone", name.name);
            let help = format!("begin it with a letter, as in `%v{text}`");
            self.report(Mistake::syntax(name.span, message).label("not a value's name").help(help));
        }
    }
    pub(super) fn unnamed(&mut self, ty: Type) -> ValueId {
        self.scope.types.push(ty);
        ValueId::new(self.scope.types.len() - 1)
    }

    /// The value of a name, whatever its type.
    ///
    /// # Errors
    /// A name that is not defined before.
    pub fn lookup(&mut self, name: Use<'c>) -> Read<Operand> {
        self.lookup_of(name, None)
    }

    /// As [`Reader::lookup`]; only a value of the `wanted` type may be meant instead.
    fn lookup_of(&mut self, name: Use<'c>, wanted: Option<&Type>) -> Read<Operand> {
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
            None if named.is_none() && self.scope.nameless > 0 => {
                // The result whose name is missing.
                self.scope.nameless -= 1;
                self.scope.without_sign.insert(base.trim_start_matches('%'));
                Err(Mistake::told())
            }
            None => self.argument_meant(name).ok_or_else(|| self.undefined(name, base, wanted)),
        }
    }

    fn undefined(&self, name: Use<'c>, base: &'c str, wanted: Option<&Type>) -> Mistake {
        if self.scope.without_sign.contains(base.trim_start_matches('%')) {
            return Mistake::told();
        }
        let new = |message: String| Mistake::new(Code::UndefinedValue, name.span, message);
        if let Some(named) = self.scope.regions.iter().find_map(|region| region.get(base)) {
            let count = counted(named.values.len(), "value");
            let mistake = new(format!("`{base}` is {count}, so that there is no `{}`", name.name));
            return mistake.label("no such value").secondary(named.span, format!("`{base}` is {count}"));
        }
        let mistake = new(format!("`{}` is not defined before this", name.name)).label("not defined");
        if let Some(ended) = self.scope.ended.get(base) {
            return mistake
                .secondary(*ended, "defined in a region, which has ended")
                .help("a region hands values on by its last operation, such as `scf.yield`");
        }
        // To look through more for each of many undefined names would take quadratic time.
        const MOST: usize = 1024;
        if self.scope.regions.iter().map(|region| region.len()).sum::<usize>() > MOST {
            return mistake;
        }
        let mut known: Vec<&str> = self.scope.regions.iter().flat_map(|region| region.keys().copied()).collect();
        // `%c4` is not meant to be `%c0`.
        known.retain(|other| without_digits(other) != without_digits(base));
        known.retain(|other| self.fits(other, wanted));
        known.sort_unstable();
        match nnz_base::diagnostic::did_you_mean(base, known) {
            Some(near) => mistake.guess(name.span, near),
            None => self.with_values(mistake, wanted),
        }
    }

    /// Whether a value may be one of the `wanted` type.
    fn fits(&self, name: &'c str, wanted: Option<&Type>) -> bool {
        let fits = |ty: &Type| wanted.is_none_or(|wanted| wanted.is_broken() || ty.is_broken() || ty == wanted);
        self.type_of(Use { name, span: Span::at(0) }).is_none_or(fits)
    }

    /// With the values of the innermost region that fit, if they are few.
    fn with_values(&self, mistake: Mistake, wanted: Option<&Type>) -> Mistake {
        const MOST: usize = 8;
        let mut here: Vec<(Span, &str)> =
            self.scope.regions.last().into_iter().flatten().map(|(name, named)| (named.span, *name)).collect();
        here.retain(|(_, name)| self.fits(name, wanted));
        here.sort_unstable_by_key(|(span, _)| span.start);
        let names: Vec<String> = here.iter().map(|(_, name)| format!("`{name}`")).collect();
        match names.len() {
            1..=MOST => mistake.help(format!("defined here: {}", names.join(", "))),
            _ => mistake,
        }
    }

    /// The value of a name, which must have the type in the text.
    ///
    /// # Errors
    /// A name that is not defined before, or of another type.
    pub fn resolve(&mut self, name: Use<'c>, ty: &Type) -> Read<Operand> {
        let mut operand = self.lookup_of(name, Some(ty))?;
        if operand.ty.is_broken() {
            operand.ty = ty.clone();
        } else if !ty.is_broken() && operand.ty != *ty {
            return Err(self.differs(name, &operand.ty, ty));
        }
        Ok(operand)
    }

    /// As [`Reader::resolve`], in front of a region, which is read whatever the value's type is: another is reported.
    ///
    /// # Errors
    /// A name that is not defined before.
    pub(crate) fn resolve_on(&mut self, name: Use<'c>, ty: &Type) -> Read<Operand> {
        match self.resolve(name, ty) {
            Err(mistake) if mistake.undefined_value().is_none() => {
                self.report(mistake);
                Ok(Operand { ty: Type::Broken, ..self.lookup(name)? })
            }
            read => read,
        }
    }

    /// As [`Reader::resolve_all`] and [`Reader::resolve_on`].
    ///
    /// # Errors
    /// Numbers that differ; as [`Reader::resolve_on`].
    pub(crate) fn resolve_all_on(&mut self, names: &[Use<'c>], types: &[Type]) -> Read<Vec<Operand>> {
        if names.len() != types.len() {
            return self.resolve_all(names, types);
        }
        names.iter().zip(types).map(|(name, ty)| self.resolve_on(*name, ty)).collect()
    }

    /// As [`Reader::resolve`], with the type that was read last, which is marked if the value's type differs.
    ///
    /// # Errors
    /// As [`Reader::resolve`].
    pub(crate) fn resolve_typed(&mut self, name: Use<'c>, ty: &Type, place: Span) -> Read<Operand> {
        let mistake = match self.resolve(name, ty) {
            Err(mistake) if mistake.undefined_value().is_none() => mistake,
            other => return other,
        };
        let mistake = mistake.secondary(place, format!("this says `{ty}`"));
        let shape = "values of one shape are combined; `linalg.generic` takes others, by its maps";
        let is_shape = matches!(self.type_of(name).map(|own| own.difference(ty)), Some(Difference::Shape(..)));
        Err(match self.way_out(name, ty) {
            Some(conversion) => mistake.help(conversion),
            None if is_shape => mistake.help(shape),
            None => mistake,
        })
    }

    /// As [`Reader::resolve`], of an `index`.
    ///
    /// # Errors
    /// As [`Reader::resolve`].
    pub(crate) fn resolve_index(&mut self, name: Use<'c>) -> Read<Operand> {
        self.resolve(name, &Type::INDEX).map_err(|mistake| {
            let known = mistake.undefined_value().is_none();
            match self.way_out(name, &Type::INDEX).filter(|_| known) {
                Some(conversion) => mistake.help(conversion),
                None => mistake,
            }
        })
    }

    /// How a number of another type becomes one of the type `said`, in one operation.
    fn way_out(&self, name: Use<'c>, said: &Type) -> Option<String> {
        let (from, to) = (self.type_of(name)?.scalar()?, said.scalar()?);
        let pair = |one: Element, other: fn(Element) -> bool| from == one && other(to) || to == one && other(from);
        // Between `index` and floats there is no operation; a bit may be 1 or -1.
        if from == to || pair(Element::Index, Element::is_float) || pair(Element::I1, |_| true) {
            return None;
        }
        let operation = conversion(from, to, false)?;
        Some(format!("`{operation} {} : {from} to {to}` converts it", name.name))
    }

    /// Whether a value is known, and of another type than `said`.
    pub(crate) fn is_misnamed(&self, name: Use<'c>, said: &Type) -> bool {
        self.type_of(name).is_some_and(|own| own != said && !own.is_broken() && !said.is_broken())
    }
    pub(super) fn type_of(&self, name: Use<'c>) -> Option<&Type> {
        let (base, number) = name.name.split_once('#').unwrap_or((name.name, "0"));
        let named = self.scope.regions.iter().rev().find_map(|region| region.get(base))?;
        self.scope.types.get(named.values.get(number.parse::<usize>().ok()?)?.index())
    }

    /// Reports a wrong type of a value behind an operation.
    pub(crate) fn wrong_type(&self, name: Use<'c>, said: &Type, place: Span) -> Mistake {
        let Some(own) = self.type_of(name) else { return self.undefined(name, name.name, Some(said)) };
        let differs = self.differs(name, own, said).moved_to(place);
        let own = own.to_string();
        let mistake = differs.label(format!("not what `{}` is", name.name));
        let defined = self.scope.regions.iter().rev().find_map(|region| region.get(name.name));
        let mistake = match defined {
            Some(defined) => mistake.secondary(defined.span, format!("`{}` is `{own}`", name.name)),
            None => mistake,
        };
        mistake.fix(format!("write `{own}`"), place, own)
    }

    fn aliases(&self) -> Vec<(String, &str)> {
        let aliases = self.checked.symbols.definitions.iter();
        let named = aliases.filter_map(|alias| {
            Some((alias.kind.encoding()?.canonical().to_string(), self.checked.source.slice(alias.name)))
        });
        named.collect()
    }

    /// A value of another type than the text says.
    fn differs(&self, name: Use<'c>, own: &Type, said: &Type) -> Mistake {
        let (name, span) = (name.name, name.span);
        let message = match own.difference(said) {
            Difference::Elements(own, said) => format!("`{name}` holds `{own}`, not `{said}`"),
            Difference::Shape(own, said) => format!("`{name}` has the shape {own}, not {said}"),
            Difference::Encoding if own.sparse().is_none_or(|own| own.encoding.is_none()) => {
                format!("`{name}` is `{own}`, not `{said}`")
            }
            Difference::Encoding if said.sparse().is_none_or(|said| said.encoding.is_none()) => {
                format!("`{name}` is `{own}`, not `{said}`")
            }
            Difference::Encoding => {
                let encoding = |ty: &Type| match ty.sparse() {
                    Some(tensor) => match tensor.encoding.as_ref().and_then(|own| named(self.checked, own)) {
                        Some(alias) => format!("`{alias}`"),
                        None => "another encoding".to_string(),
                    },
                    None => "no encoding".to_string(),
                };
                format!("`{name}` has {}, not {}", encoding(own), encoding(said)).replace(", not another encoding", "")
            }
            Difference::Kind => format!("`{name}` is `{own}`, not `{said}`"),
        };
        Mistake::types(span, message)
    }

    /// Adds to an error about a value's type the value's own type, and the place of its definition.
    pub(super) fn point_to_definition(&self, diagnostic: &mut Diagnostic) {
        let span = diagnostic.primary.span;
        let name = self.checked.tree.text().get(span.range()).unwrap_or_default();
        let base = name.split_once('#').map_or(name, |(base, _)| base);
        let known = self.scope.regions.iter().rev().find_map(|region| region.get(base));
        let Some(known) = known.filter(|known| known.span != span) else { return };
        if !matches!(diagnostic.code, Code::ValueType | Code::OperationForm) {
            return;
        }
        let value = known.values.first().filter(|_| known.values.len() == 1);
        if let Some(ty) = value.and_then(|value| self.scope.types.get(value.index()))
            && !ty.is_broken()
            && diagnostic.primary.message.is_empty()
        {
            diagnostic.primary.message = format!("this is `{ty}`");
        }
        let is_said = diagnostic.secondary.iter().any(|label| label.span == known.span);
        if !is_said {
            let (file, message) = (diagnostic.primary.file, format!("`{base}` is defined here"));
            diagnostic.secondary.push(Label { file, span: known.span, message });
        }
    }

    /// Names encodings as the file does, instead of writing them out.
    pub(super) fn name_encodings(&self, diagnostic: &mut Diagnostic) {
        let texts = diagnostic.texts_mut().filter(|text| text.contains(WRITTEN)).collect::<Vec<_>>();
        if texts.is_empty() {
            return;
        }
        let aliases = self.aliases();
        for text in texts {
            for (canonical, name) in &aliases {
                if text.contains(WRITTEN) {
                    *text = text.replace(canonical, name);
                }
            }
        }
    }

    /// Values and their types, in equal numbers.
    ///
    /// # Errors
    /// Numbers that differ; as [`Reader::resolve`].
    pub(crate) fn resolve_all(&mut self, names: &[Use<'c>], types: &[Type]) -> Read<Vec<Operand>> {
        if names.len() != types.len() {
            let span = names.first().map_or(self.last_span(), |name| name.span);
            let message = format!("{} and {}", counted(names.len(), "value"), counted(types.len(), "type"));
            return Err(Mistake::types(span, message).label("a type is written for each value"));
        }
        names.iter().zip(types).map(|(name, ty)| self.resolve(*name, ty)).collect()
    }
}
