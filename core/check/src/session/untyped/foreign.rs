//! Calls of functions of other languages, `np.dot(A, x)`, `A.tocsc()`, `eye(3)`, and the equivalent statements.

use super::{Notation, Offer, callee, transpose};
use crate::{
    kernel::{self, example_indices},
    scope::{Meaning, PartialType, Word},
    sizes::triangle_of,
};
use nnz_base::element::Element;
use nnz_syntax::{NodeKind, NodeRef, habits};

impl Notation<'_, '_> {
    /// `np.dot(A, x)`, `A.dot(x)`: a product of tensors.
    pub(super) fn foreign_product(&self, name: &Word, init: NodeRef<'_>) -> Option<Offer> {
        let (object, function) = callee(init).rsplit_once('.').unwrap_or(("", callee(init)));
        let entrywise = function == "multiply";
        let products = ["dot", "matmul", "mm", "mul", "spmv", "spmm", "inner", "outer"];
        let known = entrywise || products.contains(&function);
        let of_object = matches!(self.scope.get(object), Some(Meaning::Tensor(_)));
        let operands: Vec<&str> = init.children().map(|operand| operand.text()).collect();
        let operands = if of_object { [vec![object], operands].concat() } else { operands };
        let &[left, right] = operands.as_slice() else { return None };
        let rank = |name: &str| match self.scope.get(name) {
            Some(Meaning::Tensor(ty)) => ty.rank(),
            _ => None,
        };
        let ranks = (rank(left).filter(|_| known)?, rank(right)?);
        if entrywise {
            return self.entrywise(name, [left, right]).filter(|_| ranks.0 == ranks.1);
        }
        let (head, of_left, of_right) = match kernel::product_indices(ranks.0, ranks.1) {
            None if ranks == (1, 1) && function == "outer" => (format!("{}(i, j)", name.text), "i", "j"),
            Some([result, of_left, of_right]) => (format!("{}({result})", name.text), of_left, of_right),
            None if ranks == (1, 1) => (format!("{} : {}", name.text, Element::F64), "i", "i"),
            None => return None,
        };
        let right = format!("{left}({of_left}) * {right}({of_right})");
        Some(Offer { head, right: Some(right), why: "a product names its indices".to_string() })
    }

    /// `A.multiply(B)`, of tensors of one rank.
    fn entrywise(&self, name: &Word, [left, right]: [&str; 2]) -> Option<Offer> {
        let ty = self.tensor_called(left)?;
        let indices = example_indices(ty.rank().filter(|rank| *rank > 0)?);
        let format = ty.declared_format().map_or(String::new(), |format| format!(" : {format}"));
        let right = format!("{left}({indices}) * {right}({indices})");
        let head = format!("{}({indices}){format}", name.text);
        Some(Offer { head, right: Some(right), why: "a product names its indices".to_string() })
    }

    /// `A.tocsc()`, `A.toarray()`
    pub(super) fn converted_by_method(&self, name: &Word, init: NodeRef<'_>) -> Option<Offer> {
        let function = Some(callee(init)).filter(|_| init.kind() == NodeKind::Call)?;
        let operands: Vec<&str> = init.children().map(NodeRef::text).collect();
        let (object, method) = match (function.rsplit_once('.'), operands.as_slice()) {
            (_, &[operand]) if self.scope.get(operand).is_some() => (operand, converter(function)?),
            (method, _) => method?,
        };
        let Some(Meaning::Tensor(ty)) = self.scope.get(object) else { return None };
        let format = match method {
            "copy" | "clone" => ty.declared_format().unwrap_or("dense").to_string(),
            _ => habits::format_of_method(method)?.to_string(),
        };
        let (head, right) = (format!("{} : {format}", name.text), Some(object.to_string()));
        Some(Offer { head, right, why: "a tensor is converted by its type".to_string() })
    }

    /// `eye(3)`, `trace(A)`, `A.mean()`: what the call gives, by a statement.
    pub(super) fn meant_call(&self, name: impl std::fmt::Display, call: NodeRef<'_>) -> Option<Offer> {
        let (object, function) = callee(call).rsplit_once('.').unwrap_or(("", callee(call)));
        let tensor = |name: &str| match self.scope.get(name) {
            Some(Meaning::Tensor(ty)) => Some(ty.clone()),
            _ => None,
        };
        let (own, first) = (name.to_string(), call.children().next().map_or("", |operand| operand.text()));
        let of_object = tensor(object).is_some();
        let operand = if of_object { object } else { first };
        // Another argument says something else: an order of a norm, a diagonal beside the main one.
        let alone = call.children().count() == usize::from(!of_object);
        if let Some(ty) = tensor(operand).filter(|ty| ty.rank() == Some(2))
            && let Some(condition) = triangle_of(function, call.text())
        {
            let format = ty.declared_format().unwrap_or("CSR").to_string();
            let (head, right) = (format!("{own}(i, j) : {format}"), format!("select({condition}, {operand}(i, j))"));
            return Some(Offer { head, right: Some(right), why: "a triangle is a kernel".to_string() });
        }
        match tensor(operand).filter(|_| alone) {
            Some(ty) => of_tensor(&own, function, (operand, &ty)),
            None => of_sizes(&own, function, &numbers(call)?),
        }
    }
}

/// The method that a function of this name stands for: `full(A)`, `sp.csr_matrix(A)`.
fn converter(function: &str) -> Option<&'static str> {
    match function.rsplit('.').next()? {
        "full" | "todense" | "toarray" | "Array" | "array" | "asarray" | "collect" => Some("todense"),
        "sparse" | "csr_matrix" | "csr_array" | "tocsr" => Some("tocsr"),
        "csc_matrix" | "csc_array" | "tocsc" => Some("tocsc"),
        "coo_matrix" | "coo_array" | "tocoo" => Some("tocoo"),
        "copy" | "clone" | "deepcopy" => Some("copy"),
        _ => None,
    }
}

/// `trace(A)`, `mean(x)`
fn of_tensor(own: &str, function: &str, (name, ty): (&str, &PartialType)) -> Option<Offer> {
    let rank = ty.rank()?;
    let indices = example_indices(rank);
    let (head, right, why) = match (function, rank) {
        ("trace", 2) => (format!("{own} : f64"), format!("sum(i, {name}(i, i))"), "a trace is a sum"),
        ("diag" | "diagonal", 2) => (format!("{own}(i)"), format!("{name}(i, i)"), "a diagonal is a kernel"),
        ("diag", 1) => {
            let size = ty.extent(0)?;
            let head = format!("{own}(i, j) : tensor<{size}x{size}xf64, CSR>");
            (head, format!("select(i == j, {name}(i))"), "a diagonal is a kernel")
        }
        ("transpose", 2) => {
            let (head, right) = transpose(own, (name, Some(ty)));
            (head, right, "a transpose names its indices")
        }
        ("norm", 1) => (format!("{own} : f64"), format!("sqrt(sum(i, {name}(i) * {name}(i)))"), "a norm is a sum"),
        ("norm", 2) => {
            let right = format!("sqrt(sum({indices}, {name}({indices}) * {name}({indices})))");
            (format!("{own} : f64"), right, "a norm is a sum")
        }
        ("mean" | "average" | "avg", 1) => {
            let size = ty.extent(0).filter(|size| *size > 0)?;
            (format!("{own} : f64"), format!("sum(i, {name}(i)) / {size}"), "a mean is a sum, divided by the size")
        }
        ("mean" | "average" | "avg", 2) => {
            let count = ty.extent(0)?.checked_mul(ty.extent(1)?).filter(|count| *count > 0)?;
            let right = format!("sum(i, j, {name}(i, j)) / {count}");
            (format!("{own} : f64"), right, "a mean is a sum, divided by how many there are")
        }
        ("nnz" | "count_nonzero" | "nvals", _) if rank > 0 => {
            let right = format!("sum({indices}, unary({name}({indices}), present = 1))");
            (format!("{own} : i64"), right, "entries are counted by a sum")
        }
        _ => return None,
    };
    Some(Offer { head, right: Some(right), why: why.to_string() })
}

/// `eye(3)`, `zeros(3, 4)`, `sprand(3, 4, 0.1)`
fn of_sizes(own: &str, function: &str, numbers: &[f64]) -> Option<Offer> {
    let whole = |numbers: &[f64]| -> Option<Vec<u64>> {
        let size = |number: &f64| (number.fract() == 0.0 && *number > 0.0 && *number < 1e15).then_some(*number as u64);
        numbers.iter().map(size).collect()
    };
    let shape = |sizes: &[u64]| sizes.iter().map(|size| format!("{size}x")).collect::<String>();
    let (head, right, why) = match (function, numbers) {
        ("ones" | "zeros", _) => {
            let value = if function == "ones" { 1 } else { 0 };
            let sizes = whole(numbers).filter(|sizes| !sizes.is_empty())?;
            let head = format!("{own} : tensor<{}f64>", shape(&sizes));
            (head, format!("dense<{value}>"), "a tensor of one value is a literal")
        }
        ("eye" | "identity" | "speye", &[rows]) | ("eye" | "speye", &[rows, _]) => {
            let columns = numbers.get(1).copied().unwrap_or(rows);
            let sizes = shape(&whole(&[rows, columns])?);
            let head = format!("{own}(i, j) : tensor<{sizes}f64, CSR>");
            (head, "select(i == j, 1.0)".to_string(), "an identity is a kernel")
        }
        ("arange" | "range", &[_]) => {
            let head = format!("{own}(i) : tensor<{}f64>", shape(&whole(numbers)?));
            (head, "i".to_string(), "an index variable is a number, too")
        }
        ("linspace", &[first, last, count]) if count > 1.0 => {
            let sizes = shape(&whole(&[count])?);
            let step = (last - first) / (count - 1.0);
            let right = if first == 0.0 { format!("i * {step:?}") } else { format!("{first:?} + i * {step:?}") };
            (format!("{own}(i) : tensor<{sizes}f64>"), right, "an index variable is a number, too")
        }
        ("spzeros", _) => {
            let sizes = whole(numbers).filter(|sizes| !sizes.is_empty())?;
            let format = if sizes.len() == 2 { "CSR" } else { "COO" };
            let head = format!("{own} : tensor<{}f64, {format}>", shape(&sizes));
            (head, "sparse<[], []>".to_string(), "a tensor without entries is a literal")
        }
        ("sprand" | "random", &[rows, columns, density]) if density <= 1.0 => {
            let head = format!("{own} : tensor<{}f64, CSR>", shape(&whole(&[rows, columns])?));
            (head, format!("random(density = {density:?})"), "the type tells the sizes")
        }
        ("rand" | "random", _) => {
            let sizes = whole(numbers).filter(|sizes| !sizes.is_empty())?;
            let head = format!("{own} : tensor<{}f64>", shape(&sizes));
            (head, "random(density = 1.0)".to_string(), "the type tells the sizes")
        }
        _ => return None,
    };
    Some(Offer { head, right: Some(right), why: why.to_string() })
}

/// The arguments of a call, where all of them are numbers: of `zeros((3, 4))` those in the tuple. A density may be named.
fn numbers(call: NodeRef<'_>) -> Option<Vec<f64>> {
    let parts = call.children().flat_map(|part| part.text().trim_matches(['(', ')']).split(','));
    parts.map(|part| part.trim().trim_start_matches("density").trim_start_matches([' ', '=']).parse().ok()).collect()
}

/// A function of another language that a kernel of its own says, and how.
pub(super) fn foreign_call(init: NodeRef<'_>) -> Option<(Word, &'static str)> {
    let name = super::super::word(init).filter(|_| init.kind() == NodeKind::Call)?;
    match habits::function(&name.text)? {
        habits::Function::Said(how) => Some((name, how)),
        habits::Function::Named(_) => None,
    }
}
