//! The left side of an assignment: its variables and the result's type. Also makes the kernel from both sides. `old`
//! handles the old value of an update, `refused` the rules for a kernel as a whole.

use std::collections::{HashMap, HashSet};

use super::{
    KernelStatement, LeftSide, Notation,
    access::swapped,
    bound::{Bound, Giver},
    example_indices, has_errors, indices_text,
    parts::{self, Parted},
};
use crate::{
    TensorPlace,
    schedule::Scheduled,
    scope::{Format, Meaning, PartialType, plural},
};
use nnz_base::{
    diagnostic::{Code, counted},
    element::Element,
    ids::{IndexVar, TensorId},
};
use nnz_encoding::MAX_RANK;
use nnz_kernel::{self as kernel, Access, Expr, Kernel, Tensor};
use nnz_syntax::{NodeKind, NodeRef};

mod doubts;
mod old;
mod open;
mod refused;
mod shadowed;

/// `access + value` for an update by `+`, and the value without an update.
fn updated(sign: Option<&str>, access: &str, value: &str) -> String {
    match sign {
        None => value.to_string(),
        Some(word @ ("min" | "max")) => format!("{word}({access}, {value})"),
        Some(sign @ ("*" | "/" | "-")) if value.contains(' ') => format!("{access} {sign} ({value})"),
        Some(sign) => format!("{access} {sign} {value}"),
    }
}

impl Notation<'_, '_> {
    /// The result's variables, each in the order of the text.
    pub(super) fn target_indices(&mut self, target: &LeftSide<'_>) -> Option<Vec<IndexVar>> {
        if !target.indices.is_empty() && target.indices.iter().all(|node| node.kind() == NodeKind::Number) {
            self.one_entry(target);
            return None;
        }
        if self.masked(target) {
            return None;
        }
        let indices: Vec<Option<IndexVar>> =
            target.indices.iter().map(|node| self.target_index(target, *node)).collect();
        let indices: Option<Vec<IndexVar>> = indices.into_iter().collect();
        let indices = indices?;
        self.check_repeated(target, &indices);
        Some(indices)
    }

    pub(super) fn too_many_dimensions(&mut self, target: &LeftSide<'_>) {
        let (Some(first), Some(last)) = (target.indices.get(MAX_RANK), target.indices.last()) else { return };
        let message = format!("{} dimensions: a tensor has at most {MAX_RANK}", target.indices.len());
        let error = self.error(Code::TooLarge, first.span().cover(last.span()), message);
        error.primary.message = "variables too many".to_string();
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
            let format = self.old_format(target);
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
        let format = self.old_format(target);
        let value = self.c.text(self.expr_span).lines().next().unwrap_or_default();
        let sign = self.sign(target);
        let value = value.to_string();
        let defined = self.scope.get(&target.name.text).is_some();
        // With variables of its own the value would be summed over for each entry.
        let variable = |name: &String| name.starts_with(|c: char| c.is_ascii_alphabetic());
        let (first, value) = match self.index_names.iter().any(variable) && defined {
            false => (String::new(), value),
            true => self.named_value(target),
        };
        let value = updated(sign.as_deref(), &access, &value);
        let whole = format!("{first}{access}{format} = select({}, {value}, {access})", at.join(" and "));
        let name = &target.name.text;
        let outside = self.outside(target);
        let error = self.error(Code::IndexForm, place, "one entry cannot be set alone".to_string());
        error.primary.message = "numbers, not variables".to_string();
        if let Some(outside) = outside {
            error.helps.push(outside);
            return;
        }
        if defined {
            error.helps.push(format!("give all entries: `{whole}`"));
            return;
        }
        let sizes = "4x".repeat(target.indices.len());
        error.helps.push(format!("a number alone has no indices: `{name} : f64 = {value}`"));
        error.helps.push(format!("a tensor is defined first, as in `{name} : tensor<{sizes}f64> = dense<0>`"));
    }

    /// Of a number that is no coordinate of the tensor, which there are.
    fn outside(&self, target: &LeftSide<'_>) -> Option<String> {
        let old = self.tensor_called(&target.name.text)?;
        let extents =
            target.indices.iter().enumerate().map(|(dim, at)| Some((dim, old.extent(dim)?, at.text().parse().ok()?)));
        let (dim, extent, _) = extents.flatten().find(|(_, extent, at): &(usize, u64, u64)| at >= extent)?;
        let last = extent.checked_sub(1)?;
        Some(format!("dimension {dim} of `{}` has the coordinates 0 to {last}", target.name.text))
    }

    /// ` : CSR`, as the tensor was defined.
    fn old_format(&self, target: &LeftSide<'_>) -> String {
        let format = self.tensor_called(&target.name.text).and_then(PartialType::declared_format);
        format.map_or(String::new(), |name| format!(" : {name}"))
    }

    /// `+` of an update by `+=`.
    fn sign(&self, target: &LeftSide<'_>) -> Option<String> {
        target.update.map(|update| self.c.text(update.place).trim_end_matches('=').trim().to_string())
    }

    /// A statement that gives the right side a name, and the name.
    fn named_value(&self, target: &LeftSide<'_>) -> (String, String) {
        let element = self.tensor_called(&target.name.text).and_then(|ty| ty.element).unwrap_or(Element::F64);
        let name = self.scope.free_name("t");
        let text = self.c.text(self.expr_span).lines().next().unwrap_or_default();
        (format!("{name} : {element} = {text}; "), name)
    }

    fn target_index(&mut self, target: &LeftSide<'_>, node: NodeRef<'_>) -> Option<IndexVar> {
        if node.kind() == NodeKind::Name && node.text() == "end" {
            self.last_entry(target, node);
            return None;
        }
        if node.kind() == NodeKind::Name {
            return Some(self.var(node.text(), node.span()));
        }
        let message = format!("the result is indexed with `{}`, not with a variable", node.text());
        let help = match node.text().contains('*') || node.descendants().any(|part| part.kind() == NodeKind::Call) {
            true => self.placed(target, node),
            false => "index it with a variable, and shift the accesses on the right".to_string(),
        };
        let error = self.error(Code::IndexForm, node.span(), message);
        error.primary.message = "no variable".to_string();
        error.helps.push(help);
        None
    }

    /// `y(end) = 1`
    fn last_entry(&mut self, target: &LeftSide<'_>, end: NodeRef<'_>) {
        let dim = target.indices.iter().position(|node| node.span() == end.span());
        let size = self.tensor_called(&target.name.text).zip(dim).and_then(|(ty, dim)| ty.extent(dim));
        let last = size.and_then(|size| size.checked_sub(1)).map_or("3".to_string(), |last| last.to_string());
        let name = &target.name.text;
        let error = self.error(Code::IndexForm, end.span(), "`end` is no index".to_string());
        error.primary.message = "one entry cannot be set alone".to_string();
        error.helps.push(format!("give all entries: `{name}(i) = select(i == {last}, ..., {name}(i))`"));
    }

    /// `y(k) : tensor<4xf64> = sum(i, select(k == 2 * i, x(i)))` for `y(2 * i) = x(i)`.
    fn placed(&self, target: &LeftSide<'_>, index: NodeRef<'_>) -> String {
        let reads = |node: &NodeRef<'_>| node.kind() == NodeKind::Name && self.numbers.contains_key(node.text());
        let var = index.descendants().find(reads).map_or("i", |node| node.text());
        let count = self.numbers.get(var).and_then(|var| self.vars[var.index()].bound.as_ref()?.size);
        let factor = index.children().find_map(|part| part.text().parse::<u64>().ok());
        let size = count.zip(factor).and_then(|(count, factor)| count.checked_mul(factor));
        let old = self.tensor_called(&target.name.text).filter(|ty| ty.rank() == Some(1));
        let element = old.and_then(|ty| ty.element).unwrap_or(Element::F64);
        let size = old.and_then(|ty| ty.extent(0)).or(size.filter(|_| index.text().contains('*')));
        if target.indices.len() > 1 || target.update.is_some() || size.is_none() && index.text().contains('(') {
            let text = index.text();
            return format!(
                "index it with a variable, and say where entries go by a condition: `select(k == {text}, ...)`"
            );
        }
        let size = size.map_or("?".to_string(), |size| size.to_string());
        let (name, text) = (&target.name.text, self.c.text(self.expr_span).lines().next().unwrap_or_default());
        format!(
            "say it in a condition, with the type of the result: `{name}(k) : tensor<{size}x{element}> = sum({var}, select(k == {}, {text}))`",
            index.text()
        )
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
                self.check_bound(&target, indices, (used, &expr.free_vars()));
            }
            self.doubt_summed_names(expr, indices);
            self.doubt_updated_names(&target, indices);
        }
        let fine = !has_errors(&self.c.diagnostics[self.before..]);
        let expr = expr.filter(|_| fine);
        let result = self.result_type(&target, indices, expr.as_ref())?;
        if expr.is_some() {
            self.doubt_dense(&target, &result);
        }
        let place = target.name.span;
        let parted = parts::parted(&self.tensors);
        let over_parts = parted.as_ref().zip(expr.as_ref()).map(|(parted, expr)| parted.over_parts(expr));
        let kernel = expr.and_then(|expr| self.kernel(&target, node, &result, indices, expr));
        let kernel = match (kernel, &parted, over_parts) {
            (Some(kernel), Some(parted), Some(expr)) => self.over_parts(&target, (&kernel, parted), (indices, expr)),
            (kernel, ..) => kernel,
        };
        let result_place = TensorPlace { first: place, accesses: Vec::new() };
        let was = parted.as_ref().map_or_else(|| (0..self.tensors.len()).collect(), |parted| parted.was.clone());
        let places = was.into_iter().map(|at| self.tensor_place(at)).chain([result_place]).collect();
        let parts = parted.map_or_else(Vec::new, |parted| parted.of);
        let (expr_span, vars) = (self.expr_span, self.vars.into_iter().map(|var| var.name).collect());
        let scheduled = Scheduled::default();
        Some(KernelStatement { name: target.name, expr_span, result, kernel, places, parts, vars, scheduled })
    }

    /// The kernel over the parts of its decomposed tensors.
    fn over_parts(
        &mut self,
        target: &LeftSide<'_>,
        (kernel, parted): (&Kernel, &Parted),
        (indices, expr): (&[IndexVar], Expr),
    ) -> Option<Kernel> {
        let operands = parted.operands.iter().map(|operand| tensor(&operand.name, &operand.ty));
        let result = kernel.tensor(kernel.result().tensor).clone();
        let tensors: Vec<Tensor> = operands.chain([Some(result)]).collect::<Option<_>>()?;
        let access = Access::of_vars(TensorId::new(parted.operands.len()), indices);
        match Kernel::declared(tensors, self.variables(), access, expr) {
            Ok(kernel) => Some(kernel),
            Err(errors) => {
                let message = errors.first().map_or(String::new(), |error| format!(" over its parts: {error}"));
                let name = &target.name.text;
                let error = self.error(Code::NotYet, self.expr_span, format!("`{name}` cannot be computed{message}"));
                error.helps.push("store the decomposed tensor in one format first: `B : CSR = A`".to_string());
                None
            }
        }
    }

    fn tensor_place(&self, at: usize) -> TensorPlace {
        let id = TensorId::new(at);
        let name = |var: IndexVar| self.vars[var.index()].name.clone();
        let vars = |access: &Access| Some(access.as_vars()?.into_iter().map(name).collect());
        let accesses = self.accesses.iter().filter(|(access, _)| access.tensor == id);
        let accesses = accesses.filter_map(|(access, place)| Some((vars(access)?, place.whole)));
        TensorPlace { first: self.tensors[at].place, accesses: accesses.collect() }
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
                    let other = format!("{name}2");
                    match self.scope.get(&target.name.text) {
                        Some(_) => format!("with `{other}` for one of them and the right side named `t`, `select({name} == {other}, t, ...)` keeps the other entries"),
                        None => format!("write `{other}` for one of them, declare the result's type, and `select({name} == {other}, ...)`"),
                    }
                });
                let error = self.error(Code::NotYet, span, format!("`{name}` indexes the result twice"));
                error.primary.message = "the same variable again".to_string();
                let noted = error.clone().secondary(first, "first here").note("only the diagonal would be written");
                *error = noted.help(help);
            }
        }
    }

    /// The statement that writes the diagonal, if its size is known and there is one term.
    fn diagonal(&self, target: &LeftSide<'_>, var: IndexVar) -> Option<String> {
        let variable = &self.vars[var.index()];
        if self.tensor_called(&target.name.text).is_some() && target.spec.is_none() {
            return self.diagonal_kept(target, &variable.name);
        }
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

    /// The statement that writes the diagonal of a tensor that has entries beside it.
    fn diagonal_kept(&self, target: &LeftSide<'_>, i: &str) -> Option<String> {
        let (name, text) = (&target.name.text, self.c.text(self.expr_span));
        let summed = self.index_names.iter().any(|name| name != i);
        if target.indices.len() != 2 || summed || text.contains('\n') {
            return None;
        }
        let (access, format) = (format!("{name}({i}, {i}2)"), self.old_format(target));
        let value = updated(self.sign(target).as_deref(), &access, text);
        Some(format!("write the diagonal so: `{access}{format} = select({i} == {i}2, {value}, {access})`"))
    }

    fn check_declared(&mut self, target: &LeftSide<'_>, indices: &[IndexVar], sizes: Option<&[Option<u64>]>) {
        let (Some(spec), Some(sizes)) = (&target.spec, sizes) else { return };
        if let (Some(element), false) = (spec.scalar(), indices.is_empty()) {
            let (name, count) = (&target.name.text, counted(indices.len(), "index"));
            let message = format!("`{element}` is the type of a number, and `{name}` has {count}");
            let names: Vec<&str> = target.indices.iter().map(|node| node.text()).collect();
            let value = self.c.text(self.expr_span).lines().next().unwrap_or_default();
            let converts = value.strip_prefix(element.to_string().as_str()).is_some_and(|rest| rest.starts_with('('));
            let converts = converts && is_one_call(value);
            let value = if converts { value.to_string() } else { format!("{element}({value})") };
            let own = format!("{name}({}) = {value}", names.join(", "));
            let error = self.arity(spec.span, message, "a number alone");
            error.helps.push(format!("the right side tells the elements: `{own}`"));
            return;
        }
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
        let told = self.c.diagnostics.len();
        for (dim, (var, size)) in indices.iter().zip(sizes).enumerate() {
            // `?` leaves the size to the right side.
            if size.is_some() || !self.vars[var.index()].computed {
                self.bind(*var, Bound { size: *size, place: spec.span, giver: Giver::ResultType { dim } });
            }
        }
        if self.c.diagnostics.len() > told {
            self.tell_swapped_operand(indices, sizes);
        }
    }

    /// `T(i, j) : tensor<3x2xf64> = A(i, j)`, which fits as `A(j, i)`.
    fn tell_swapped_operand(&mut self, indices: &[IndexVar], sizes: &[Option<u64>]) {
        let known: Vec<Option<u64>> = indices.iter().map(|var| self.vars[var.index()].bound.as_ref()?.size).collect();
        let [(access, place)] = self.accesses.as_slice() else { return };
        let Some((first, second)) = swapped(&known, |dim| sizes[dim]) else { return };
        let (Some(mut vars), Some(operand)) = (access.as_vars(), self.tensors.get(access.tensor.index())) else {
            return;
        };
        let exchange = |var: &mut IndexVar| match *var {
            own if own == indices[first] => *var = indices[second],
            own if own == indices[second] => *var = indices[first],
            _ => {}
        };
        vars.iter_mut().for_each(exchange);
        let names: Vec<&str> = vars.iter().map(|var| self.vars[var.index()].name.as_str()).collect();
        let (meant, whole) = (format!("{}({})", operand.name, names.join(", ")), place.whole);
        if let Some(last) = self.c.diagnostics.last_mut() {
            last.helps.clear();
            *last = last.clone().guess(whole, meant);
        }
    }

    /// The known part of the result's type; an update keeps its type.
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
            Ok(kernel) => (!self.refuse_shadowed(target, node, indices, &expr)).then_some(kernel),
            Err(errors) => {
                errors.iter().for_each(|error| self.kernel_error(target, node, &expr, error));
                None
            }
        }
    }
}

fn tensor(name: &str, ty: &PartialType) -> Option<Tensor> {
    let encoding = match ty.format.as_ref()? {
        Format::Plain => None,
        Format::Encoded(encoding) => Some(encoding.clone()),
        // What holds of the first part's format holds of all: entries may be absent.
        Format::Parts(parts) => parts.first().map(|part| part.encoding.clone()),
    };
    Some(Tensor { name: name.to_string(), element: ty.element?, shape: ty.sizes()?, encoding })
}

/// Whether the first `(` of a text is closed by its last character.
fn is_one_call(text: &str) -> bool {
    let mut depth = 0;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    };
    text.trim_end().find(closes).is_some_and(|at| at + 1 == text.trim_end().len())
}
