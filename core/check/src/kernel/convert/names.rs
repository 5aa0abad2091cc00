//! Names in expressions: scalars, index variables, constants, and tensors that lack their indices.

use super::{Notation, as_number};
use crate::{
    kernel::{elements::Wanted, example_indices, functions, operator, product_indices},
    scope::{Format, Meaning, PartialType},
};
use nnz_base::{
    diagnostic::Code,
    element::{Element, Scalar},
    source::Span,
};
use nnz_kernel::{Access, Expr};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

impl Notation<'_, '_> {
    pub(super) fn name(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let name = node.text();
        let indexes = self.index_names.contains(name);
        if let Some((slot, element)) = self.slot(name) {
            return Some(Expr::Slot(slot, element));
        }
        match self.scope.get(name) {
            Some(Meaning::Scalar(_)) if indexes => self.also_index(node, "scalar"),
            Some(Meaning::Scalar(element)) => Some(self.scalar(node, *element)),
            Some(Meaning::Tensor(_)) if indexes => self.also_index(node, "tensor"),
            Some(Meaning::Tensor(ty)) => {
                let ty = ty.clone();
                self.missing_indices(node, &ty);
                None
            }
            Some(Meaning::Broken) => None,
            Some(Meaning::Encoding(_)) | None if indexes => {
                let var = self.var(name, node.span());
                let element = wanted.map_or(Element::F64, |wanted| wanted.element);
                Some(Expr::Index(var, element))
            }
            Some(Meaning::Encoding(_)) | None => self.named_constant(node, wanted),
        }
    }

    /// Refuses a name as a value that is of a `kind` of thing and of an index variable.
    fn also_index(&mut self, node: NodeRef<'_>, kind: &str) -> Option<Expr> {
        let message = format!("`{}` is a {kind}, and an index variable of this kernel", node.text());
        let error = self.error(Code::InvalidKernel, node.span(), message);
        error.primary.message = format!("a {kind} here");
        error.helps.push("use another name for the index variable".to_string());
        None
    }

    fn scalar(&mut self, node: NodeRef<'_>, element: Element) -> Expr {
        let shape = Some(Vec::new());
        let ty = PartialType { element: Some(element), shape, format: Some(Format::Plain), format_name: None };
        let tensor = self.tensor(node.text(), &ty, node.span());
        let access = Access { tensor, indices: Vec::new() };
        self.record(&access, node.span(), Vec::new());
        Expr::Access(access)
    }

    fn named_constant(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let number = match node.text() {
            "inf" | "nan" => return self.constant(node, wanted),
            "true" | "false" => {
                let truth = Expr::literal(Element::I1, Scalar::Int((node.text() == "true").into()));
                return Some(as_number(truth, wanted));
            }
            name => match functions::named_constant(name) {
                Some(number) => number,
                None => {
                    self.unknown(node.span(), node.text());
                    return None;
                }
            },
        };
        let element = wanted.map_or(Element::F64, |wanted| wanted.element);
        if element.is_integer() {
            let message = format!("`{}` is not an integer, but computed in `{element}`", node.text());
            let error = self.error(Code::LiteralType, node.span(), message);
            error.primary.message = "has a fraction".to_string();
            error.helps.push(format!("convert what it is computed with: `f64(...) * {}`", node.text()));
            return None;
        }
        Some(Expr::literal(element, Scalar::Float(number)))
    }

    pub(in crate::kernel) fn missing_indices(&mut self, node: NodeRef<'_>, ty: &PartialType) {
        let product = self.indices_in_product(node);
        let indices = product.or_else(|| self.fitting_indices(node, ty)).or_else(|| ty.rank().map(example_indices));
        let message = format!("the tensor `{}` is used without indices", node.text());
        let is_number = self.index_names.is_empty() && node.span() == self.expr_span;
        let updated = self.whole_update(node, ty).filter(|_| is_number);
        let error = self.error(Code::WrongArity, node.span(), message);
        error.primary.message = "without indices".to_string();
        if let Some(whole) = updated {
            error.helps.push(format!("an update names the indices of both sides: `{whole}`"));
            return;
        }
        if let (true, Some(rank)) = (is_number, ty.rank()) {
            let (name, all, first) = (node.text(), example_indices(rank), vec!["0"; rank].join(", "));
            error
                .helps
                .push(format!("a number is one entry, `{name}({first})`, or made of all: `sum({all}, {name}({all}))`"));
            return;
        }
        error.helps.extend(indices.map(|indices| format!("write `{}({indices})`", node.text())));
    }

    /// `x(i) += w(i)` for `x += w`, tensors of one rank.
    fn whole_update(&self, node: NodeRef<'_>, ty: &PartialType) -> Option<String> {
        let statement = node.ancestors().find(|parent| parent.kind() == NodeKind::Assignment)?;
        let target = statement.children().next().filter(|target| target.kind() == NodeKind::Name)?;
        let sign = self.c.text(Span { start: target.span().end, end: node.span().start }).trim();
        let rank = self.tensor_called(target.text())?.rank().filter(|rank| sign != "=" && ty.rank() == Some(*rank))?;
        let indices = example_indices(rank);
        Some(format!("{}({indices}) {sign} {}({indices})", target.text(), node.text()))
    }

    /// The indices of an operand of `A * x`, a product of linear algebra.
    fn indices_in_product(&self, node: NodeRef<'_>) -> Option<String> {
        let product = node.ancestors().find(|parent| parent.span() != node.span())?;
        let operands: Vec<NodeRef<'_>> = product.children().collect();
        let &[left, right] = operands.as_slice() else { return None };
        let star = operator(product)?.kind() == TokenKind::Star;
        let rank = |operand: NodeRef<'_>| match self.scope.get(operand.text()) {
            Some(Meaning::Tensor(ty)) if star && operand.kind() == NodeKind::Name => ty.rank(),
            _ => None,
        };
        let [_, of_left, of_right] = product_indices(rank(left)?, rank(right)?)?;
        Some(if node.span() == left.span() { of_left } else { of_right }.to_string())
    }
}
