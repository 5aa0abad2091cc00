//! The left side of an assignment: its variables, the old value of an update and the result's type. Also
//! makes the kernel from both sides.

use std::collections::{HashMap, HashSet};

use super::{
    AccessPlace, KernelStatement, LeftSide, Notation, Update, access::Bound, example_indices, has_errors, indices_text,
    update,
};
use crate::{
    schedule::Scheduled,
    scope::{Format, Meaning, PartialType, plural},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, counted},
    element::Element,
    ids::{IndexVar, TensorId},
    source::Span,
};
use nnz_kernel::{self as kernel, Access, BinaryOp, Expr, Kernel, KernelError, Tensor};
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    // The old value.

    /// The type of the tensor that is updated.
    pub(super) fn old_value(&mut self, target: &LeftSide<'_>) -> Option<PartialType> {
        let update = target.update?;
        match self.scope.get(&target.name.text) {
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

    /// `old op expr`, where the target is updated.
    pub(super) fn updated(
        &mut self,
        target: &LeftSide<'_>,
        old: Option<PartialType>,
        indices: &[IndexVar],
        expr: Expr,
    ) -> Option<Expr> {
        let Some(update) = target.update else { return Some(expr) };
        let ty = old?;
        let kept: HashSet<&IndexVar> = indices.iter().collect();
        let free: Vec<IndexVar> = expr.free_vars().into_iter().filter(|var| !kept.contains(var)).collect();
        let expr = match update.reduction() {
            _ if update.is_additive() || free.is_empty() => expr,
            Some(op) => update::reduced(op, free, expr),
            None => {
                let var = self.vars[free[0].index()].name.clone();
                let message =
                    format!("it is open whether `{var}` is summed before the update, or updates again and again");
                let error = self.error(Code::InvalidKernel, update.place, message);
                error.primary.message = format!("over `{var}`?");
                error.helps.push(format!("name the reduction: `sum({var}, ...)` or `prod({var}, ...)`"));
                return None;
            }
        };
        self.check_old_rank(target, &ty)?;
        self.check_old_element(target, &ty, &expr)?;
        for (dim, (var, node)) in indices.iter().zip(&target.indices).enumerate() {
            let reason = format!("dimension {dim} of `{}`", target.name.text);
            self.bind(*var, Bound { size: ty.extent(dim), place: node.span(), reason });
        }
        let tensor = self.tensor(&target.name.text, &ty, target.name.span);
        let access = Access::of_vars(tensor, indices);
        let places = target.indices.iter().map(|node| node.span()).collect();
        self.record(&access, target.name.span, places);
        let sparse = |tensor: TensorId| self.tensors.get(tensor.index()).is_some_and(|operand| operand.is_sparse());
        Some(update::updated(update.op, access, expr, &sparse))
    }

    fn check_old_rank(&mut self, target: &LeftSide<'_>, ty: &PartialType) -> Option<()> {
        let rank = ty.rank().filter(|rank| *rank != target.indices.len());
        let Some(rank) = rank else { return Some(()) };
        let name = &target.name.text;
        let message = format!("`{name}` has {}, but {}", plural(rank, "dimension"), indices_text(target.indices.len()));
        let help =
            if rank == 0 { format!("write `{name}`") } else { format!("write `{name}({})`", example_indices(rank)) };
        let error = self.arity(target.name.span, message, plural(rank, "dimension"));
        *error = match target.indices.is_empty() {
            true => error.clone().fix(help, target.name.span, format!("{name}({})", example_indices(rank))),
            false => error.clone().help(help),
        };
        None
    }

    fn check_old_element(&mut self, target: &LeftSide<'_>, ty: &PartialType, expr: &Expr) -> Option<()> {
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

    /// A sum of conditions would wrap at 1.
    pub(super) fn check_summed_condition(
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

    // The left side.

    /// The result's variables, each in the order of the text.
    pub(super) fn target_indices(&mut self, target: &LeftSide<'_>) -> Option<Vec<IndexVar>> {
        if !target.indices.is_empty() && target.indices.iter().all(|node| node.kind() == NodeKind::Number) {
            self.one_entry(target);
            return None;
        }
        let indices: Vec<Option<IndexVar>> = target.indices.iter().map(|node| self.target_index(*node)).collect();
        let indices: Option<Vec<IndexVar>> = indices.into_iter().collect();
        let indices = indices?;
        self.check_repeated(target, &indices);
        Some(indices)
    }

    /// `A(0, 0) = 5`
    fn one_entry(&mut self, target: &LeftSide<'_>) {
        let (Some(first), Some(last)) = (target.indices.first(), target.indices.last()) else { return };
        let place = first.span().cover(last.span());
        let known = match self.scope.get(&target.name.text) {
            Some(Meaning::Tensor(ty)) => ty.rank().filter(|rank| *rank != target.indices.len()),
            _ => None,
        };
        if let Some(rank) = known {
            let message = format!(
                "`{}` has {}, but {}",
                target.name.text,
                plural(rank, "dimension"),
                indices_text(target.indices.len())
            );
            let format = match self.scope.get(&target.name.text) {
                Some(Meaning::Tensor(ty)) => ty.format_name.as_ref().map_or(String::new(), |name| format!(" : {name}")),
                _ => String::new(),
            };
            let names = format!("{}({})", target.name.text, example_indices(rank));
            let error = self.arity(place, message, counted(target.indices.len(), "index"));
            error.helps.push(format!(
                "entries are set by a kernel: `{names}{format} = select(i == 1, 0, {names})` sets those of `i` = 1"
            ));
            return;
        }
        let names = example_indices(target.indices.len());
        let at: Vec<String> =
            names.split(", ").zip(&target.indices).map(|(name, at)| format!("{name} == {}", at.text())).collect();
        let access = format!("{}({names})", target.name.text);
        let format = match self.scope.get(&target.name.text) {
            Some(Meaning::Tensor(ty)) => ty.format_name.as_ref().map_or(String::new(), |name| format!(" : {name}")),
            _ => String::new(),
        };
        let value = self.c.text(self.expr_span).lines().next().unwrap_or_default();
        let whole = format!("{access}{format} = select({}, {value}, {access})", at.join(" and "));
        let error = self.error(Code::IndexForm, place, "one entry cannot be set alone".to_string());
        error.primary.message = "numbers, not variables".to_string();
        error.helps.push(format!("give all entries: `{whole}`"));
    }

    fn target_index(&mut self, node: NodeRef<'_>) -> Option<IndexVar> {
        if node.kind() == NodeKind::Name {
            return Some(self.var(node.text(), node.span()));
        }
        let message = format!("the result is indexed with `{}`, not with a variable", node.text());
        let error = self.error(Code::IndexForm, node.span(), message);
        error.primary.message = "no variable".to_string();
        error.helps.push("index it with a variable, and shift the accesses on the right".to_string());
        None
    }

    pub(super) fn finish(
        mut self,
        target: LeftSide<'_>,
        node: NodeRef<'_>,
        used: usize,
        indices: &[IndexVar],
        expr: Option<Expr>,
    ) -> Option<KernelStatement> {
        let sizes = target.spec.as_ref().and_then(|spec| spec.shape.clone());
        self.check_declared(&target, indices, sizes.as_deref());
        // An access that is wrong would have bound its variables.
        if let Some(expr) = &expr {
            // That a variable stands twice is told already, with how to write it.
            let twice = indices.iter().collect::<HashSet<_>>().len() < indices.len();
            if !twice {
                self.check_bound(&target, indices, used);
            }
            self.doubt_summed_names(expr, indices);
        }
        let fine = !has_errors(&self.c.diagnostics[self.before..]);
        let expr = expr.filter(|_| fine);
        let result = self.result_type(&target, indices, expr.as_ref())?;
        let place = target.name.span;
        let kernel = expr.and_then(|expr| self.kernel(&target, node, &result, indices, expr));
        let places = self.tensors.iter().map(|tensor| tensor.place).chain([place]).collect();
        let (expr_span, vars) = (self.expr_span, self.vars.into_iter().map(|var| var.name).collect());
        let scheduled = Scheduled::default();
        Some(KernelStatement { name: target.name, expr_span, result, kernel, places, vars, scheduled })
    }

    /// `A(i, p)`, where `p` is a tensor or a number: an index variable all the same, and summed over without a word.
    fn doubt_summed_names(&mut self, expr: &Expr, indices: &[IndexVar]) {
        for var in expr.free_vars() {
            let (name, place) = (self.vars[var.index()].name.clone(), self.vars[var.index()].place);
            let Some((kind, value)) = self.scope.get(&name).and_then(|meaning| value_of(meaning, &name)) else {
                continue;
            };
            let uses = self
                .accesses
                .iter()
                .filter(|(access, _)| access.indices.iter().any(|index| index.vars().any(|used| used == var)));
            // One that two tensors have joins them.
            if indices.contains(&var) || uses.count() > 1 {
                continue;
            }
            let message =
                format!("`{name}` is an index variable here, which is summed over, and not the {kind} `{name}`");
            let hint = Diagnostic::new(Code::IndexNamedAsTensor, self.c.source.id, place, message);
            let hint = hint.label(format!("the name of a {kind}"));
            let hint = hint.help(format!("another name for the variable ends this hint, as does `sum({name}, ...)`"));
            self.c.report(match value {
                Some(value) => hint.help(format!(
                    "what `{name}` holds is compared in a condition: `select(j == {value}, ...)`, summed over `j`"
                )),
                None => hint,
            });
        }
    }

    fn check_repeated(&mut self, target: &LeftSide<'_>, indices: &[IndexVar]) {
        let nodes = &target.indices;
        let mut firsts = HashMap::new();
        for (at, var) in indices.iter().enumerate() {
            let first = *firsts.entry(*var).or_insert(at);
            if first < at {
                let (span, first) = (nodes[at].span(), nodes[first].span());
                let name = nodes[at].text();
                let help = self.diagonal(target, *var).unwrap_or_else(|| {
                    format!("write `{name}2` for one of them, declare the result's type, and `select({name} == {name}2, ...)`")
                });
                let error = self.error(Code::NotYet, span, format!("`{name}` indexes the result twice"));
                error.primary.message = "the same variable again".to_string();
                let noted = error.clone().secondary(first, "first here").note("only the diagonal would be written");
                *error = noted.help(help);
            }
        }
    }

    /// The statement that writes the diagonal, where its size is known and one term is written.
    fn diagonal(&self, target: &LeftSide<'_>, var: IndexVar) -> Option<String> {
        let variable = &self.vars[var.index()];
        let size = variable.bound.as_ref()?.size?;
        let text = self.c.text(self.expr_span);
        if target.indices.len() != 2 || target.update.is_some() || text.contains(['+', '-']) {
            return None;
        }
        let declared = target.spec.as_ref();
        let element = declared.and_then(|spec| spec.element).or_else(|| self.tensors.first()?.ty.element)?;
        let format =
            declared.and_then(|spec| spec.format_name.as_deref()).map_or(String::new(), |name| format!(", {name}"));
        let (result, i) = (&target.name.text, &variable.name);
        let ty = format!("tensor<{size}x{size}x{element}{format}>");
        Some(format!("write the diagonal so: `{result}({i}, {i}2) : {ty} = select({i} == {i}2, {text})`"))
    }

    fn check_declared(&mut self, target: &LeftSide<'_>, indices: &[IndexVar], sizes: Option<&[Option<u64>]>) {
        let (Some(spec), Some(sizes)) = (&target.spec, sizes) else { return };
        if sizes.len() != indices.len() {
            let message = format!(
                "the type has {}, but `{}` has {}",
                plural(sizes.len(), "dimension"),
                target.name.text,
                counted(indices.len(), "index")
            );
            self.arity(spec.span, message, plural(sizes.len(), "dimension"));
            return;
        }
        for (dim, (var, size)) in indices.iter().zip(sizes).enumerate() {
            // `?` leaves the size to the right side.
            if size.is_some() || !self.vars[var.index()].computed {
                let reason = format!("dimension {dim} of the result's type");
                self.bind(*var, Bound { size: *size, place: spec.span, reason });
            }
        }
    }

    /// The result's type as far as it is known; that of an update is as it was.
    fn result_type(&mut self, target: &LeftSide<'_>, indices: &[IndexVar], expr: Option<&Expr>) -> Option<PartialType> {
        let declared = target.spec.as_ref().and_then(|spec| spec.element);
        let element = declared.or_else(|| expr.and_then(|expr| self.element_of(expr)));
        let shape = Some(self.result_sizes(indices, expr));
        let plain = PartialType { element, shape, format: Some(Format::Plain), format_name: None };
        match (&target.spec, target.update.and_then(|_| self.scope.get(&target.name.text))) {
            (Some(spec), _) => {
                let format = spec.format_of_rank(self.c, indices.len())?;
                Some(PartialType { format: Some(format), format_name: spec.format_name.clone(), ..plain })
            }
            (None, Some(Meaning::Tensor(old))) => {
                let (format, format_name) = (old.format.clone(), old.format_name.clone());
                Some(PartialType { format, format_name, ..plain })
            }
            (None, _) => Some(plain),
        }
    }

    /// The size of each dimension of the result; where only computed indices bound a variable, it follows
    /// from all operands together.
    fn result_sizes(&self, indices: &[IndexVar], expr: Option<&Expr>) -> Vec<Option<u64>> {
        let bounds = indices.iter().map(|var| self.vars[var.index()].bound.as_ref().and_then(|bound| bound.size));
        let known: Vec<Option<u64>> = bounds.collect();
        let open = indices.iter().any(|var| self.vars[var.index()].bound.is_none());
        let (Some(expr), true) = (expr, open) else { return known };
        let inferred = self.operands().and_then(|operands| {
            let access = Access::of_vars(TensorId::new(operands.len()), indices);
            kernel::result_shape(&operands, &self.variables(), &access, expr).ok()
        });
        inferred.map_or(known, |sizes| sizes.into_iter().map(Some).collect())
    }

    fn operands(&self) -> Option<Vec<Tensor>> {
        self.tensors.iter().map(|operand| tensor(&operand.name, &operand.ty)).collect()
    }

    fn variables(&self) -> Vec<kernel::VarDecl> {
        let declared = self.vars.iter().map(|var| kernel::VarDecl { name: var.name.clone(), extent: var.window });
        declared.collect()
    }

    /// `None` where sizes or element types are still missing, or where the whole breaks a rule.
    fn kernel(
        &mut self,
        target: &LeftSide<'_>,
        node: NodeRef<'_>,
        result: &PartialType,
        indices: &[IndexVar],
        expr: Expr,
    ) -> Option<Kernel> {
        let mut tensors = self.operands()?;
        let mut result = result.clone();
        if result.sizes().is_none() {
            // An index that leaves a variable open is reported for a result of any size.
            let operands_alone = kernel::result_shape(
                &tensors,
                &self.variables(),
                &Access::of_vars(TensorId::new(tensors.len()), indices),
                &expr,
            );
            match operands_alone {
                Ok(sizes) => result.shape = Some(sizes.into_iter().map(Some).collect()),
                Err(errors) => {
                    errors.iter().for_each(|error| self.kernel_error(target, node, &expr, error));
                    return None;
                }
            }
        }
        tensors.push(tensor(&target.name.text, &result)?);
        let access = Access::of_vars(TensorId::new(self.tensors.len()), indices);
        match Kernel::declared(tensors, self.variables(), access, expr.clone()) {
            Ok(kernel) => Some(kernel),
            Err(errors) => {
                errors.iter().for_each(|error| self.kernel_error(target, node, &expr, error));
                None
            }
        }
    }

    fn kernel_error(&mut self, target: &LeftSide<'_>, node: NodeRef<'_>, expr: &Expr, error: &KernelError) {
        let span = self.place_of(target, expr, error).unwrap_or(node.span());
        let help = match (error, target.update) {
            (KernelError::OpenPresence { .. }, Some(update)) => {
                let sign = self.c.text(update.place);
                Some(format!("name the right side, in a sparse encoding, and update with the name: `{sign} t(...)`"))
            }
            _ => outside(error, self.c.text(span)).or_else(|| error.help()),
        };
        let within = self.within(target, expr, error);
        // The operands of a semiring stand more than once in the expression, and once in the text.
        let known = |found: &Diagnostic| found.primary.span == span && found.message == error.to_string();
        if self.c.diagnostics[self.before..].iter().any(known) {
            return;
        }
        let told = self.error(code(error), span, error.to_string());
        told.primary.message = error.label().unwrap_or_default();
        told.helps.extend(help);
        match within {
            Some(Within::Fix(title, edits)) => {
                *told = told.clone().help(&title).fix_edits(title, edits, Applicability::MaybeIncorrect);
            }
            Some(Within::Words(help)) => told.helps.push(help),
            None => {}
        }
    }

    /// The text at `whole` after these edits of it, in order.
    fn replaced<'e>(&self, whole: Span, edits: impl Iterator<Item = &'e Edit>) -> String {
        let text = &self.c.source.text;
        let (mut shown, mut at) = (String::new(), whole.start as usize);
        for edit in edits {
            shown.push_str(text.get(at..edit.span.start as usize).unwrap_or_default());
            shown.push_str(&edit.replacement);
            at = edit.span.end as usize;
        }
        shown + text.get(at..whole.end as usize).unwrap_or_default()
    }

    /// How to keep an index that leaves its dimension at the high end within it: by a window of each dimension that says
    /// how far the variable runs, or by the result's type where only that does.
    fn within(&self, target: &LeftSide<'_>, expr: &Expr, error: &KernelError) -> Option<Within> {
        let KernelError::OutOfBounds { size, reaches, place, .. } = error else { return None };
        let access = *expr.accesses().get(place.access.checked_sub(1)?)?;
        let index = access.indices.get(place.index?)?;
        let [(factor, var)] = *index.terms() else { return None };
        let last = i128::from(size.checked_sub(1)?) - i128::from(index.offset());
        if *reaches < i128::from(*size) || factor <= 0 || last < 0 {
            return None;
        }
        let (count, name) = (last / i128::from(factor) + 1, &self.vars[var.index()].name);
        let whole = self.accesses.iter().flat_map(|(known, place)| known.indices.iter().zip(&place.indices));
        let bounding = whole.filter(|(index, _)| index.as_var() == Some(var)).map(|(_, span)| *span);
        let window = format!("{name} = 0:{count}");
        let edit = |span| Edit { file: self.c.source.id, span, replacement: window.clone() };
        let mut edits: Vec<Edit> = bounding.map(edit).collect();
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
        let declared = target.spec.as_ref().is_some_and(|spec| spec.shape.is_some());
        let of_result = declared && target.indices.iter().any(|node| node.text() == name);
        match (edits.is_empty(), of_result) {
            (false, false) => {
                let whole = self.accesses.iter().find(|(known, _)| known == access).map(|(_, place)| place.whole)?;
                let inside = edits.iter().filter(|edit| whole.cover(edit.span) == whole);
                let shown = match inside.clone().next() {
                    Some(_) => self.replaced(whole, inside),
                    None => window,
                };
                Some(Within::Fix(format!("take a window: `{shown}`"), edits))
            }
            (false, true) => Some(Within::Words(format!("take a window, `{window}`, and declare that size"))),
            (true, true) => Some(Within::Words(format!("declare the size {count} for `{name}`, or less"))),
            (true, false) => Some(Within::Words(format!("let `{name}` take {count} values or fewer"))),
        }
    }

    /// The index, the access or the variable that an error is about.
    fn place_of(&self, target: &LeftSide<'_>, expr: &Expr, error: &KernelError) -> Option<Span> {
        if let KernelError::NarrowIndex { var, .. } | KernelError::NarrowPlace { var, .. } = error {
            return self.vars.iter().find(|known| known.name == *var).map(|var| var.place);
        }
        let place = error.place()?;
        if place.access == 0 {
            return place
                .index
                .and_then(|at| target.indices.get(at))
                .map(|node| node.span())
                .or(Some(target.name.span));
        }
        let access = *expr.accesses().get(place.access - 1)?;
        let (_, AccessPlace { whole, indices }) = self.accesses.iter().find(|(known, _)| known == access)?;
        place.index.and_then(|at| indices.get(at)).copied().or(Some(*whole))
    }
}

/// A way to keep an index within its dimension.
enum Within {
    Fix(String, Vec<Edit>),
    Words(String),
}

/// `x(i - 1)` reaches -1, whatever the size of the result.
fn outside(error: &KernelError, index: &str) -> Option<String> {
    let KernelError::OutOfBounds { .. } = error else { return None };
    let below = index.contains(" - ") || index.contains('-');
    let shown = index.lines().next().filter(|line| below && line.parse::<i64>().is_err())?;
    Some(format!(
        "where the result has a type, a sum leaves out what lies outside: `sum(k, select(k == {shown}, x(k)))`"
    ))
}

/// The code that a broken rule is reported under; rules that were checked before come up as a whole.
fn code(error: &KernelError) -> Code {
    match error {
        KernelError::OutOfBounds { .. } => Code::OutOfBounds,
        KernelError::OpenExtent { .. } | KernelError::Unbounded { .. } => Code::UnboundIndex,
        KernelError::Mixed { .. } | KernelError::ResultElement { .. } | KernelError::NoCast { .. } => {
            Code::ElementMismatch
        }
        KernelError::NarrowIndex { .. } | KernelError::NarrowPlace { .. } | KernelError::LiteralType { .. } => {
            Code::LiteralRange
        }
        KernelError::NoOperation { .. } | KernelError::NotCombined { .. } => Code::NoOperation,
        KernelError::NoCondition { .. } => Code::NoCondition,
        KernelError::ExtentMismatch { .. } | KernelError::WindowMismatch { .. } => Code::ExtentMismatch,
        KernelError::TooDeep { .. }
        | KernelError::NoTensor { .. }
        | KernelError::NoVariable { .. }
        | KernelError::Arity { .. }
        | KernelError::EncodingRank { .. }
        | KernelError::RepeatedInResult { .. }
        | KernelError::ResultIsOperand { .. }
        | KernelError::ResultIndex { .. }
        | KernelError::OnePlace { .. }
        | KernelError::OpenPresence { .. }
        | KernelError::Shadowed { .. }
        | KernelError::EmptyReduction
        | KernelError::AmbiguousSum { .. }
        | KernelError::ReducedTwice { .. } => Code::InvalidKernel,
    }
}

fn tensor(name: &str, ty: &PartialType) -> Option<Tensor> {
    let encoding = ty.format.as_ref()?.encoding().cloned();
    Some(Tensor { name: name.to_string(), element: ty.element?, shape: ty.sizes()?, encoding })
}

/// What a name is, and how its values are written, if they could be meant as an index.
fn value_of(meaning: &Meaning, name: &str) -> Option<(&'static str, Option<String>)> {
    match meaning {
        Meaning::Tensor(ty) => Some(("tensor", (ty.rank() == Some(1)).then(|| format!("{name}(k)")))),
        Meaning::Scalar(element) => Some(("number", element.is_integer().then(|| name.to_string()))),
        Meaning::Encoding(_) | Meaning::Broken => None,
    }
}
