//! The old value of an update: finds the tensor that is updated, and combines the right side with it.

use crate::{
    kernel::{
        LeftSide, Notation, Update,
        bound::{Bound, Giver},
        example_indices, indices_text, update,
    },
    scope::{Format, Meaning, PartialType, plural},
};
use nnz_base::{
    diagnostic::Code,
    element::Element,
    ids::{IndexVar, TensorId},
    source::Span,
};
use nnz_kernel::{Access, BinaryOp, Expr, Over};
use nnz_syntax::NodeRef;
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

impl Notation<'_, '_> {
    /// The type of the tensor that is updated.
    pub(in crate::kernel) fn old_value(&mut self, target: &LeftSide<'_>) -> Option<PartialType> {
        let update = target.update?;
        match self.scope.get(&target.name.text) {
            Some(Meaning::Tensor(ty)) if ty.parts().is_some() => {
                self.updates_parts(target, update);
                None
            }
            Some(Meaning::Tensor(ty)) => Some(ty.clone()),
            Some(Meaning::Scalar(element)) => Some(PartialType {
                element: Some(*element),
                shape: Some(Vec::new()),
                format: Some(Format::Plain),
                format_name: None,
            }),
            Some(Meaning::Broken) => None,
            Some(Meaning::Encoding(_)) | None => {
                let message = format!("`{}` has no value that could be updated", target.name.text);
                let start = self.first_value(target, update);
                let error = self.error(Code::NothingToUpdate, target.name.span, message);
                *error =
                    error.clone().label("no value yet").secondary(update.place, "this takes the old value").help(start);
                None
            }
        }
    }

    /// A decomposed tensor, whose parts no kernel writes.
    fn updates_parts(&mut self, target: &LeftSide<'_>, update: Update) {
        let name = &target.name.text;
        let message = format!("`{name}` is decomposed, and no kernel writes its parts");
        let free = self.scope.free_name("B");
        let error = self.error(Code::NothingToUpdate, target.name.span, message);
        let told = error.clone().label("in several formats").secondary(update.place, "this would write it");
        *error = told.help(format!("store it in one format first, `{free} : CSR = {name}`, and update `{free}`"));
    }

    /// How to make what an update finds nothing of.
    fn first_value(&self, target: &LeftSide<'_>, update: Update) -> String {
        let text = self.c.text(self.expr_span);
        let indices: Vec<&str> = target.indices.iter().map(|node| node.text()).collect();
        let head = match indices.is_empty() {
            true => format!("{} : f64", target.name.text),
            false => format!("{}({})", target.name.text, indices.join(", ")),
        };
        let plain = !text.contains('\n');
        if update.op == BinaryOp::Add && plain {
            return format!("write `=` to make it, as from zeros: `{head} = {text}`");
        }
        if update.op == BinaryOp::Sub && plain && !text.contains(['+', '-']) {
            return format!("write `= -` to make it, as from zeros: `{head} = -{text}`");
        }
        "make it above: an update begins with the old value".to_string()
    }

    /// `old op expr`, where the target is updated; `node` is the right side.
    pub(in crate::kernel) fn updated(
        &mut self,
        target: &LeftSide<'_>,
        old: Option<PartialType>,
        indices: &[IndexVar],
        (expr, node): (Expr, NodeRef<'_>),
    ) -> Option<Expr> {
        let replaces = target.update.is_some_and(|update| !update.is_additive());
        let expr = update::without_zeros(&update::held(&expr), replaces);
        let Some(update) = target.update else { return Some(expr) };
        let ty = old?;
        let kept: HashSet<&IndexVar> = indices.iter().collect();
        let free: Vec<IndexVar> = expr.free_vars().into_iter().filter(|var| !kept.contains(var)).collect();
        let names: Vec<String> = free.iter().map(|var| self.vars[var.index()].name.clone()).collect();
        let expr = match update.reduction() {
            _ if update.is_additive() => {
                update::summed(free, expr, &|part| self.element_of(part).unwrap_or(Element::F64))
            }
            _ if free.is_empty() => expr,
            Some(op) => {
                free.iter().for_each(|var| self.doubt_reduced_name(*var, (op.name(), "reduced")));
                let terms = self.terms_of(&op, Over::Stored, expr);
                update::reduced(op, free, terms)
            }
            None => {
                let (quoted, vars) = (names.join("` and `"), names.join(", "));
                let (summed, updates) =
                    if free.len() == 1 { ("is summed", "updates") } else { ("are summed", "update") };
                let message =
                    format!("it is open whether `{quoted}` {summed} before the update, or {updates} again and again");
                let error = self.error(Code::InvalidKernel, update.place, message);
                error.primary.message = format!("over `{quoted}`?");
                error.helps.push(format!("name the reduction: `sum({vars}, ...)` or `prod({vars}, ...)`"));
                return None;
            }
        };
        self.check_old_rank(target, &ty)?;
        self.check_old_element(target, &ty, &expr)?;
        for (dim, (var, node)) in indices.iter().zip(&target.indices).enumerate() {
            let giver = Giver::Dimension { dim, of: target.name.text.clone() };
            self.bind(*var, Bound { size: ty.extent(dim), place: node.span(), giver });
        }
        let tensor = self.tensor(&target.name.text, &ty, target.name.span);
        let access = Access::of_vars(tensor, indices);
        let places = target.indices.iter().map(|node| node.span()).collect();
        self.record(&access, target.name.span, places);
        let expr = if update.is_additive() { expr } else { self.set_apart(&expr, &mut HashMap::new()) };
        let sparse = |tensor: TensorId| self.tensors.get(tensor.index()).is_some_and(|operand| operand.is_sparse());
        let element = |part: &Expr| self.element_of(part).unwrap_or(Element::F64);
        if !update.is_additive() && update::is_open(&expr) {
            self.open_update((target, update), &ty, node, &names);
            return None;
        }
        let known = update::Known { sparse: &sparse, element: &element };
        Some(update::updated(update.op, access, expr, known))
    }

    /// `expr` with other variables in the reductions on the right of a product than on its left, so that factors can move into
    /// sums; `others` are those that stand for each variable.
    fn set_apart(&mut self, expr: &Expr, others: &mut HashMap<IndexVar, Vec<IndexVar>>) -> Expr {
        if let Expr::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) = expr {
            let [a, b] = [a, b].map(|side| self.set_apart(side, others));
            let (left, right) = (a.bound_vars(), b.bound_vars());
            let both = right.iter().filter(|var| left.contains(var)).copied();
            let b = both.fold(b, |b, var| {
                let others = others.entry(var).or_default();
                let to = self.another_of(var, others, &|var| left.contains(var) || right.contains(var));
                b.bound_renamed(var, to)
            });
            return Expr::Binary(*op, Box::new(a), Box::new(b));
        }
        if matches!(expr, Expr::Reduce { .. }) {
            return expr.clone();
        }
        let state = RefCell::new((self, others));
        expr.with_parts(&|part| {
            let (this, others) = &mut *state.borrow_mut();
            this.set_apart(part, others)
        })
    }

    /// A variable that runs like `var` and is not `taken`: one of those that stand for it, or a new one.
    fn another_of(&mut self, var: IndexVar, others: &mut Vec<IndexVar>, taken: &dyn Fn(&IndexVar) -> bool) -> IndexVar {
        others.iter().find(|other| !taken(other)).copied().unwrap_or_else(|| {
            self.vars.push(self.vars[var.index()].clone());
            let new = IndexVar::new(self.vars.len() - 1);
            others.push(new);
            new
        })
    }

    fn check_old_rank(&mut self, target: &LeftSide<'_>, ty: &PartialType) -> Option<()> {
        let rank = ty.rank().filter(|rank| *rank != target.indices.len());
        let Some(rank) = rank else { return Some(()) };
        let name = &target.name.text;
        let message = format!("`{name}` has {}, but {}", plural(rank, "dimension"), indices_text(target.indices.len()));
        let help =
            if rank == 0 { format!("write `{name}`") } else { format!("write `{name}({})`", example_indices(rank)) };
        let whole = self.with_empty_indices(target.name.span);
        let error = self.arity(target.name.span, message, plural(rank, "dimension"));
        *error = match target.indices.is_empty() {
            true => error.clone().fix(help, whole, format!("{name}({})", example_indices(rank))),
            false => error.clone().help(help),
        };
        None
    }

    /// A name with the `()` behind it, if there is one.
    fn with_empty_indices(&self, name: Span) -> Span {
        let behind = self.c.source.text.get(name.end as usize..).unwrap_or_default();
        let inside = behind.trim_start_matches(' ').strip_prefix('(').map(str::trim_start);
        match inside.and_then(|inside| inside.strip_prefix(')')) {
            Some(rest) => Span::new(name.start as usize, name.end as usize + behind.len() - rest.len()),
            None => name,
        }
    }

    fn check_old_element(&mut self, target: &LeftSide<'_>, ty: &PartialType, expr: &Expr) -> Option<()> {
        self.check_kept(target, ty.element)?;
        let found = self.element_of(expr);
        let (Some(old), Some(found)) = (ty.element, found) else { return Some(()) };
        if old == found {
            return Some(());
        }
        let message = format!("`{}` holds `{old}`, and is updated with `{found}`", target.name.text);
        let span = self.expr_span;
        let error = self.error(Code::ElementMismatch, span, message);
        error.primary.message = format!("this is `{found}`");
        error.helps.push(format!("convert the right side: `{old}(...)`"));
        *error = error.clone().secondary(target.name.span, format!("this is `{old}`"));
        None
    }

    /// `y(i) : tensor<3xf32> += x(i)`, where `y` holds another type.
    fn check_kept(&mut self, target: &LeftSide<'_>, old: Option<Element>) -> Option<()> {
        let Some((spec, old)) = target.spec.as_ref().zip(old) else { return Some(()) };
        let Some(declared) = spec.element.filter(|declared| *declared != old) else { return Some(()) };
        let name = &target.name.text;
        let message = format!("an update keeps the type of `{name}`, which holds `{old}`, not `{declared}`");
        let last = target.indices.last().map_or(target.name.span.end, |index| index.span().end);
        let gap = self.c.text(Span { start: last, end: spec.span.start });
        let colon = last + u32::try_from(gap.find(':')?).ok()?;
        let start = last + u32::try_from(gap[..gap.find(':')?].trim_end().len()).ok()?;
        let written = self.c.text(Span { start: colon, end: spec.span.end }).to_string();
        let error = self.error(Code::ElementMismatch, spec.span, message);
        let told = error.clone().label("another type").secondary(target.name.span, format!("this holds `{old}`"));
        *error = told.fix(format!("remove `{written}`"), Span { start, end: spec.span.end }, "");
        None
    }

    /// A sum of conditions would wrap at 1.
    pub(in crate::kernel) fn check_summed_condition(
        &mut self,
        node: NodeRef<'_>,
        expr: &Expr,
        (target, indices): (&LeftSide<'_>, &[IndexVar]),
    ) {
        if self.element_of(expr) != Some(Element::I1) {
            return;
        }
        match target.update {
            Some(update) if update.is_additive() => return self.counts_conditions(update.place, node),
            Some(_) => return,
            None => {}
        }
        let kept: HashSet<&IndexVar> = indices.iter().collect();
        let open = expr.free_vars().into_iter().find(|var| !kept.contains(var));
        let Some(var) = open.map(|var| self.vars[var.index()].name.clone()) else { return };
        let message = format!("this condition would be summed over `{var}`, in `i1`");
        let error = self.error(Code::NoCondition, node.span(), message);
        error.primary.message = "a condition where a number is wanted".to_string();
        error.helps.push(format!("say what is meant: `any({var}, ...)`, `all({var}, ...)` or `sum({var}, i64(...))`"));
    }
}
