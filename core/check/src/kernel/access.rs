//! Accesses: tensors, their indices, and the ranges of index variables.

mod windows;

pub(in crate::kernel) use windows::Window;
pub(crate) use windows::no_end;

use super::{
    LeftSide, Notation, Operand, Variable,
    bound::{Bound, Giver, are_of_same},
    example_indices, indices_text, is_function,
};
use crate::{
    scope::{Meaning, PartialType, plural},
    value::value,
};
use nnz_base::{
    diagnostic::{Code, counted, did_you_mean},
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
    source::Span,
};
use nnz_kernel::{Access, AccessRef, Expr, IndexExpr, KernelError};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// A variable that the access around `end` has not.
fn free_in_access(end: NodeRef<'_>) -> &'static str {
    let access = end.ancestors().find(|node| node.kind() == NodeKind::Call).unwrap_or(end);
    let used = |name: &str| access.tokens().any(|token| token.text() == name);
    ["i", "j", "k", "l", "m", "n"].into_iter().find(|name| !used(name)).unwrap_or("i")
}

/// The first `:` of `i : 0:2`.
fn colon_behind_variable(window: NodeRef<'_>) -> Option<Span> {
    let parts: Vec<NodeRef<'_>> = window.children().collect();
    let &[var, from, _] = parts.as_slice() else { return None };
    let named = var.kind() == NodeKind::Name && from.kind() == NodeKind::Number;
    let colon = window.own_tokens().find(|token| token.kind() == TokenKind::Colon)?;
    named.then_some(colon.span())
}

impl Notation<'_, '_> {
    pub(super) fn access(
        &mut self,
        node: NodeRef<'_>,
        name: Span,
        ty: &PartialType,
        arguments: &[NodeRef<'_>],
    ) -> Option<Expr> {
        let text = node.first_token()?.text();
        self.check_ends(ty, arguments)?;
        self.check_windows(node)?;
        let told = self.c.diagnostics.len();
        let Some(indices) = self.indices(arguments) else {
            // What a function takes is no index: one mistake.
            if is_function(text) {
                self.c.diagnostics.truncate(told + 1);
            }
            self.tell_shadowed(text, "tensor");
            return None;
        };
        if let Some(rank) = ty.rank().filter(|rank| *rank != indices.len()) {
            self.wrong_rank(node, text, rank, indices.len());
            self.tell_shadowed(text, "tensor");
            return None;
        }
        let (before, told) = (self.sizes_of(&indices), self.c.diagnostics.len());
        for (dim, (index, argument)) in indices.iter().zip(arguments).enumerate() {
            match index.as_var() {
                Some(var) => {
                    let giver = Giver::Dimension { dim, of: text.to_string() };
                    self.bind(var, Bound { size: ty.extent(dim), place: argument.span(), giver });
                }
                _ => index.vars().for_each(|var| self.vars[var.index()].computed = true),
            }
        }
        let places = arguments.iter().map(|argument| argument.span());
        let mut indexed = indices.iter().zip(places).enumerate();
        let backwards = indexed.find(|(dim, (index, _))| goes_below_zero(index, ty.extent(*dim)));
        if let Some((dim, (index, place))) = backwards {
            self.backwards(index, place, ty.extent(dim));
            return None;
        }
        if self.c.diagnostics.len() > told {
            self.tell_swapped(node, arguments, (&before, ty));
        }
        let tensor = self.tensor(text, ty, name);
        let access = Access { tensor, indices };
        self.record(&access, node.span(), arguments.iter().map(|argument| argument.span()).collect());
        Some(Expr::Access(access))
    }

    /// `x(-i)`, which is in the dimension for `i` = 0 alone.
    fn backwards(&mut self, index: &IndexExpr, place: Span, size: Option<u64>) {
        let written = self.c.text(place).to_string();
        let multiple: Vec<String> = index.terms().iter().map(|(factor, var)| self.multiple(-factor, *var)).collect();
        let where_to = if index.offset() < 0 { "everywhere" } else { "where it is not 0" };
        let error = self.error(Code::OutOfBounds, place, format!("`{written}` is below 0 {where_to}"));
        error.primary.message = "coordinates begin at 0".to_string();
        match size.and_then(|size| size.checked_sub(1)) {
            Some(last) => {
                let meant = format!("{last} - {}", multiple.concat());
                let title = format!("from the last coordinate down: `{meant}`");
                *error = error.clone().fix(title, place, meant);
            }
            None => error.helps.push("from the last coordinate down, of 4, is `3 - i`".to_string()),
        }
    }

    fn multiple(&self, factor: i64, var: IndexVar) -> String {
        let name = &self.vars[var.index()].name;
        if factor == 1 { name.clone() } else { format!("{factor} * {name}") }
    }

    /// `x(end)`: the last entry, where no variable has that name.
    fn check_ends(&mut self, ty: &PartialType, arguments: &[NodeRef<'_>]) -> Option<()> {
        if self.left_names.contains("end") || self.numbers.contains_key("end") {
            return Some(());
        }
        let is_end = |node: &NodeRef<'_>| node.kind() == NodeKind::Name && node.text() == "end";
        let found = arguments.iter().enumerate();
        let ends: Vec<_> =
            found.filter_map(|(dim, argument)| Some((argument.descendants().find(is_end)?, ty.extent(dim)))).collect();
        let file = self.c.source.id;
        for (end, size) in &ends {
            self.c.report(no_end(file, *end, *size));
        }
        ends.is_empty().then_some(())
    }

    /// The sizes of indices that are variables, as far as other accesses tell them.
    fn sizes_of(&self, indices: &[IndexExpr]) -> Vec<Option<u64>> {
        let size = |var: IndexVar| self.vars[var.index()].bound.as_ref()?.size;
        indices.iter().map(|index| size(index.as_var()?)).collect()
    }

    /// `A(j, i)`, whose sizes would be right as `A(i, j)`.
    fn tell_swapped(
        &mut self,
        access: NodeRef<'_>,
        arguments: &[NodeRef<'_>],
        (known, ty): (&[Option<u64>], &PartialType),
    ) {
        let Some((first, second)) = swapped(known, |dim| ty.extent(dim)) else { return };
        let mut names: Vec<&str> = arguments.iter().map(|argument| argument.text()).collect();
        names.swap(first, second);
        let name = access.first_token().map_or("", |name| name.text());
        let meant = format!("{name}({})", names.join(", "));
        let is_there = |(_, place): &(Access, super::AccessPlace)| same_words(self.c.text(place.whole), &meant);
        let transposes = self.accesses.iter().any(is_there);
        let Some(last) = self.c.diagnostics.last_mut() else { return };
        match transposes {
            true => last.helps = vec![format!("`{name}` and its transpose have other sizes: it is not square")],
            false => {
                last.helps.clear();
                *last = last.clone().guess(access.span(), meant);
            }
        }
    }

    /// `sum(i, x(i))` where `sum` is a tensor.
    pub(super) fn tell_shadowed(&mut self, name: &str, kind: &str) {
        if let Some(last) = self.c.diagnostics.last_mut().filter(|_| is_function(name)) {
            last.helps =
                vec![format!("`{name}` is a {kind} here, which hides the function: give the {kind} another name")];
        }
    }

    /// Records the place of an access.
    pub(super) fn record(&mut self, access: &Access, whole: Span, indices: Vec<Span>) {
        self.accesses.push((access.clone(), super::AccessPlace { whole, indices }));
    }

    fn wrong_rank(&mut self, node: NodeRef<'_>, name: &str, rank: usize, found: usize) {
        let message = format!("`{name}` has {}, but {}", plural(rank, "dimension"), indices_text(found));
        let joined = joined_letters(node, rank);
        let error = self.arity(node.span(), message, counted(found, "index"));
        match joined {
            Some((place, indices)) => *error = error.clone().guess(place, indices),
            None => error.helps.push(format!("write `{name}({})`", example_indices(rank))),
        }
    }

    pub(super) fn indices(&mut self, arguments: &[NodeRef<'_>]) -> Option<Vec<IndexExpr>> {
        let indices: Vec<Option<IndexExpr>> = arguments.iter().map(|argument| self.index(*argument)).collect();
        indices.into_iter().collect()
    }

    /// A sum of multiples of variables, or a window.
    fn index(&mut self, node: NodeRef<'_>) -> Option<IndexExpr> {
        let index = if node.kind() == NodeKind::NamedArg { return self.windowed(node) } else { self.affine(node) };
        if index.is_none() {
            let message = format!("`{}` is no sum of multiples of index variables", node.text());
            let held = self.at_held_place(node);
            let large = node.descendants().find(|part| part.kind() == NodeKind::Number && part.text().len() > 18);
            if let Some(large) = large {
                let message = format!("`{}` is too large for an index", large.text());
                self.error(Code::IndexForm, large.span(), message).primary.message = "too large".to_string();
                return None;
            }
            let error = self.error(Code::IndexForm, node.span(), message);
            error.primary.message = "neither variables nor whole numbers, added up".to_string();
            error.helps.extend(held);
            error.helps.push("an index is built of variables and whole numbers by `+`, `-` and `*`".to_string());
        }
        index
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn affine(&mut self, node: NodeRef<'_>) -> Option<IndexExpr> {
        match node.kind() {
            NodeKind::Name => Some(self.var(node.text(), node.span()).into()),
            NodeKind::Number => Some(IndexExpr::constant(self.whole_number(node)?)),
            NodeKind::Paren => self.affine(node.children().next()?),
            NodeKind::Unary => {
                let inner = self.affine(node.children().next()?)?;
                match node.first_token()?.kind() {
                    TokenKind::Minus => inner.times(-1),
                    TokenKind::Plus => Some(inner),
                    _ => None,
                }
            }
            NodeKind::Binary => {
                let mut operands = node.children();
                let (left, right) = (self.affine(operands.next()?)?, self.affine(operands.next()?)?);
                match super::operator(node)?.kind() {
                    TokenKind::Plus => left.plus(&right),
                    TokenKind::Minus => left.plus(&right.times(-1)?),
                    TokenKind::Star if left.terms().is_empty() => right.times(left.offset()),
                    TokenKind::Star if right.terms().is_empty() => left.times(right.offset()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn whole_number(&self, node: NodeRef<'_>) -> Option<i64> {
        match value(self.c.source.id, node, Element::I64) {
            Ok(Scalar::Int(number)) => i64::try_from(number).ok(),
            _ => None,
        }
    }

    pub(super) fn var(&mut self, name: &str, place: Span) -> IndexVar {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        self.check_var_name(name, place);
        self.vars.push(Variable { name: name.to_string(), place, bound: None, window: None, computed: false });
        let var = IndexVar::new(self.vars.len() - 1);
        self.numbers.insert(name.to_string(), var);
        var
    }

    /// `A(i, j..)`: a `.` belongs to the name before it, and would make another variable of it.
    fn check_var_name(&mut self, name: &str, place: Span) {
        let Some(sign) = name.chars().find(|c| matches!(c, '.' | '$')) else { return };
        let error = self.error(Code::IndexForm, place, format!("an index variable has no `{sign}` in its name"));
        error.primary.message = "one name, with the sign".to_string();
        let stem: String = name.chars().take_while(|c| !matches!(c, '.' | '$')).collect();
        match sign {
            '.' if !stem.is_empty() => error.helps.push(format!("a part of a dimension is a window: `{stem} = 0:2`")),
            _ => error.helps.push("letters, digits and `_` make a name".to_string()),
        }
    }

    /// Records that `var` has the extent of `bound`.
    pub(super) fn bind(&mut self, var: IndexVar, bound: Bound) {
        let variable = &mut self.vars[var.index()];
        let Some(first) = &variable.bound else {
            variable.bound = Some(bound);
            return;
        };
        match (first.size, bound.size) {
            (None, Some(_)) => variable.bound = Some(bound),
            (Some(known), Some(found)) if known != found => {
                let pair = [first.giver.clone(), bound.giver.clone()];
                // Of two tensors that do not fit, one dimension is told.
                if self.unlike.iter().any(|told| are_of_same(told, &pair)) {
                    return;
                }
                let (name, first) = (variable.name.clone(), first.clone());
                self.unlike.push(pair);
                let message = format!("`{name}` runs over {known} and over {found} coordinates");
                let error = self.error(Code::ExtentMismatch, bound.place, message);
                error.primary.message = format!("{} has size {found}", bound.giver);
                *error = error.clone().secondary(first.place, format!("{} has size {known}", first.giver));
                let fits = |var: &&Variable| var.bound.as_ref().is_some_and(|bound| bound.size == Some(found));
                let other = self.vars.iter().find(fits).map(|var| var.name.clone());
                let of_access = self.accesses.iter().any(|(_, place)| place.whole.cover(first.place) == place.whole);
                let help = match first.giver == Giver::Window && !of_access {
                    true => Some(format!(
                        "a part of a dimension is a window where the tensor is indexed: `{name} = {}`",
                        self.c.text(first.place)
                    )),
                    false => {
                        other.map(|other| format!("`{other}` runs over {}", counted(found as usize, "coordinate")))
                    }
                };
                let longer = if found > known { bound.place } else { first.place };
                let diagonal = self.in_one_access(&name, first.place, bound.place);
                if let Some(last) = self.c.diagnostics.last_mut() {
                    last.helps.extend(help);
                    if diagonal {
                        let window = format!("{name} = 0:{}", known.min(found));
                        let title = format!("take a window: `{window}`");
                        *last = last.clone().help(&title).fix(title, longer, window);
                    }
                }
            }
            _ => {}
        }
    }

    /// `A(i, i)`: the variable alone in two dimensions of one access.
    fn in_one_access(&self, name: &str, first: Span, second: Span) -> bool {
        let between = self.c.source.text.get(first.end as usize..second.start as usize);
        let is_name = |span| self.c.text(span) == name;
        is_name(first) && is_name(second) && between.is_some_and(|text| !text.contains(['(', ')']))
    }

    pub(super) fn tensor(&mut self, name: &str, ty: &PartialType, place: Span) -> TensorId {
        if let Some(at) = self.tensors.iter().position(|tensor| tensor.name == name) {
            return TensorId::new(at);
        }
        self.tensors.push(Operand { name: name.to_string(), ty: ty.clone(), place });
        TensorId::new(self.tensors.len() - 1)
    }

    /// Every variable must have an extent from somewhere: a dimension, a window, the result's type; or an
    /// index that it is a part of.
    pub(super) fn check_bound(
        &mut self,
        target: &LeftSide<'_>,
        indices: &[IndexVar],
        (used, free): (usize, &[IndexVar]),
    ) {
        if self.turned_update(target) {
            return;
        }
        let is_open = |var: &Variable| var.bound.is_none() && !var.computed;
        let open = self.vars.iter().enumerate().filter(|(_, var)| is_open(var));
        let open: Vec<_> = open.map(|(at, var)| (at, var.name.clone(), var.place)).collect();
        if !open.is_empty() && self.constant_outside() {
            return;
        }
        let on_the_left = |at: usize| at >= used && indices.contains(&IndexVar::new(at));
        let alone: Vec<String> =
            open.iter().filter(|(at, ..)| on_the_left(*at)).map(|(_, name, _)| name.clone()).collect();
        let mut told = false;
        for (at, name, place) in open {
            let left = at >= used;
            let message = match left {
                true if on_the_left(at) && alone.len() > 1 => {
                    let (last, others) = (alone[alone.len() - 1].as_str(), alone[..alone.len() - 1].join("`, `"));
                    format!("nothing on the right tells what `{others}` and `{last}` run over")
                }
                true => format!("nothing on the right tells what `{name}` runs over"),
                false => format!("nothing tells what `{name}` runs over: it indexes no tensor"),
            };
            let of_result = indices.contains(&IndexVar::new(at));
            let near = left.then(|| self.alone_on_the_right(indices, free, &name)).flatten();
            if let Some((near, place_of_near)) = near.filter(|_| of_result) {
                let message = format!("`{name}` stands on the left alone, and `{near}` on the right");
                let is_value = self.is_value(&near);
                let error = self.error(Code::UnboundIndex, place, message);
                let told = error.clone().label("on the left alone").secondary(place_of_near, "on the right alone");
                // What a tensor holds is no variable that was misspelt.
                *error = if is_value { told } else { told.guess(place_of_near, &name) };
                continue;
            }
            if on_the_left(at) && std::mem::replace(&mut told, true) {
                continue;
            }
            let near =
                left.then(|| did_you_mean(&name, self.vars[..used].iter().map(|var| var.name.as_str()))).flatten();
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if of_result => {
                    let whole = self.with_type(target, indices, "?");
                    let name = if on_the_left(at) { alone.join("` and `") } else { name.clone() };
                    format!("use `{name}` in an access, or declare the result's type, with a size for `?`: `{whole}`")
                }
                None => format!("use `{name}` in an access, or say how far it runs, as in `sum({name} = 0:4, ...)`"),
            };
            let error = self.error(Code::UnboundIndex, place, message);
            error.primary.message = if left { "on the left alone" } else { "in no access" }.to_string();
            error.helps.push(help);
        }
    }

    /// `y(i) =+ 1`, whose variables nothing on the right has: reported as the update that is meant.
    fn turned_update(&mut self, target: &LeftSide<'_>) -> bool {
        let before = self.c.source.text.get(..self.expr_span.start as usize).unwrap_or_default();
        let sign = self.c.text(self.expr_span).chars().next().filter(|sign| matches!(sign, '+' | '-'));
        let spaced = self.c.text(self.expr_span).get(1..).is_some_and(|rest| rest.starts_with(' '));
        let open = self.vars.iter().any(|var| var.bound.is_none() && !var.computed);
        let (Some(sign), true) = (sign, open && spaced && before.ends_with('=') && target.update.is_none()) else {
            return false;
        };
        let Some(Meaning::Tensor(_)) = self.scope.get(&target.name.text) else { return false };
        let start = self.expr_span.start as usize;
        let place = Span::new(start - 1, start + 1);
        // The hint about the sign says the same.
        let known = self.c.diagnostics.len();
        self.c.diagnostics.retain(|told| told.code != Code::TurnedUpdate || told.primary.span != place);
        self.before -= (known - self.c.diagnostics.len()).min(self.before);
        let error = self.error(Code::UnboundIndex, place, format!("an update is written `{sign}=`, not `={sign}`"));
        *error =
            error.clone().label(format!("write `{sign}=`")).fix(format!("write `{sign}=`"), place, format!("{sign}="));
        true
    }

    /// `x(-1)`, `x(4)` of four entries: reported, as no variable helps there.
    fn constant_outside(&mut self) -> bool {
        let found = self.accesses.iter().find_map(|(access, place)| {
            let Operand { name, ty, .. } = self.tensors.get(access.tensor.index())?;
            let indices = access.indices.iter().zip(&place.indices).enumerate();
            let mut constants = indices.filter(|(_, (index, _))| index.terms().is_empty());
            constants
                .find_map(|(dim, (index, span))| Some((outside((name, dim), ty.extent(dim)?, index.offset())?, *span)))
        });
        let Some((error, span)) = found else { return false };
        let told = self.error(Code::OutOfBounds, span, error.to_string());
        told.primary.message = error.label().unwrap_or_default();
        told.helps.extend(error.help());
        true
    }

    /// The variable that occurs once on the right and not on the left: the only one, or one with a name near `name`.
    fn alone_on_the_right(&self, indices: &[IndexVar], free: &[IndexVar], name: &str) -> Option<(String, Span)> {
        let uses = |wanted: IndexVar| {
            let of_access = |access: &Access| access.indices.iter().any(|index| index.vars().any(|var| var == wanted));
            self.accesses.iter().filter(|(access, _)| of_access(access)).count()
        };
        let alone = free.iter().filter(|var| !indices.contains(var) && uses(**var) == 1);
        let alone: Vec<&Variable> = alone.map(|var| &self.vars[var.index()]).collect();
        let near = alone.iter().find(|var| var.name.starts_with(name) || name.starts_with(&var.name));
        let only = || if let [only] = alone.as_slice() { Some(only) } else { None };
        near.or_else(only).map(|var| (var.name.clone(), var.place))
    }

    /// The statement with its result's type, of such sizes as are known, and `open` for each other.
    pub(super) fn with_type(&self, target: &LeftSide<'_>, indices: &[IndexVar], open: &str) -> String {
        let size = |var: &IndexVar| self.vars[var.index()].bound.as_ref().and_then(|bound| bound.size);
        let text = |var: &IndexVar| size(var).map_or(open.to_string(), |size| size.to_string());
        let sizes: String = indices.iter().map(|var| text(var) + "x").collect();
        let names: Vec<&str> = indices.iter().map(|var| self.vars[var.index()].name.as_str()).collect();
        let declared = target.spec.as_ref();
        let own = || self.tensors.first().and_then(|operand| operand.ty.element);
        let element = declared.and_then(|spec| spec.element).or_else(own).unwrap_or(Element::F64);
        let format = declared.and_then(|spec| spec.format_name.as_deref());
        let format = format.map_or(String::new(), |name| format!(", {name}"));
        let text = self.c.text(self.expr_span).lines().next().unwrap_or_default();
        format!("{}({}) : tensor<{sizes}{element}{format}> = {text}", target.name.text, names.join(", "))
    }
}

/// The error of a coordinate beyond dimension `dim` of a tensor.
fn outside((tensor, dim): (&str, usize), size: u64, at: i64) -> Option<KernelError> {
    let reaches = i128::from(at);
    let place = AccessRef { access: 0, index: Some(dim) };
    let error = KernelError::OutOfBounds { tensor: tensor.to_string(), size, index: at.to_string(), reaches, place };
    (!(0..i128::from(size)).contains(&reaches)).then_some(error)
}

/// The two dimensions whose indices, changed over, have the sizes of the dimensions, as far as they are known.
pub(super) fn swapped(known: &[Option<u64>], size: impl Fn(usize) -> Option<u64>) -> Option<(usize, usize)> {
    let pairs = (0..known.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let fits = |(first, second): &(usize, usize)| {
        let mut meant = known.to_vec();
        meant.swap(*first, *second);
        let told = meant.iter().any(Option::is_some);
        told && meant.iter().enumerate().all(|(dim, known)| known.is_none_or(|known| size(dim) == Some(known)))
    };
    pairs.into_iter().find(fits)
}

/// Whether two texts are the same but for their spaces.
fn same_words(one: &str, other: &str) -> bool {
    let signs = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    signs(one) == signs(other)
}

/// Whether an index is a multiple of a variable that is nowhere above 0. In a dimension of size 1 it stays at 0.
fn goes_below_zero(index: &IndexExpr, size: Option<u64>) -> bool {
    let stays = index.offset() == 0 && size == Some(1);
    matches!(index.terms(), [(factor, _)] if *factor < 0) && index.offset() <= 0 && !stays
}

/// The place of `ij` in `A(ij)`, and `i, j`.
fn joined_letters(access: NodeRef<'_>, rank: usize) -> Option<(Span, String)> {
    let arguments: Vec<NodeRef<'_>> = access.children().collect();
    let &[name] = arguments.as_slice() else { return None };
    let letters: Vec<String> = name.text().chars().map(String::from).collect();
    let fine = name.kind() == NodeKind::Name && letters.len() == rank && name.text().chars().all(char::is_alphabetic);
    fine.then(|| (name.span(), letters.join(", ")))
}
