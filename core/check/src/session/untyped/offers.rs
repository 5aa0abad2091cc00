//! The statements that a definition without a type may mean, judging by its right side.

use super::{Offer, callee};
use crate::{
    kernel::{self, example_indices},
    scope::{Meaning, PartialType},
    session::{Notation, is_constant},
};
use nnz_base::{element::Element, source::Span};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef, power_of_matrix};
use std::collections::BTreeSet;

impl Notation<'_, '_> {
    /// `pow(A, 2)`, where a matrix is multiplied by itself.
    fn matrix_power(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let operands: Vec<NodeRef<'_>> = init.children().collect();
        let &[matrix, power] = operands.as_slice() else { return None };
        let found = init.kind() == NodeKind::Call && callee(init) == "pow" && matrix.kind() == NodeKind::Name;
        self.tensor_named(matrix).filter(|ty| found && ty.rank() == Some(2))?;
        let product = power_of_matrix(matrix.text(), power.text().parse().ok()?)?;
        let why = "the power of a matrix is a product".to_string();
        Some(Offer { head: format!("{name}(i, j)"), right: Some(product), why })
    }

    /// `x + 1`, `pow(A, 2)`, `x / sum(x)`: tensors of one rank without indices.
    fn by_entry(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let calls = || init.descendants().filter(|node| node.kind() == NodeKind::Call);
        if calls().any(|call| self.tensor_named(call).is_some()) {
            return None;
        }
        let sums: Vec<NodeRef<'_>> = calls().filter(|call| reduces(*call) && !self.takes_two(*call)).collect();
        let summed = |node: NodeRef<'_>| sums.iter().any(|call| call.span().cover(node.span()) == call.span());
        let bare: Vec<NodeRef<'_>> = init
            .descendants()
            .filter(|node| node.kind() == NodeKind::Name && self.tensor_named(*node).is_some() && !summed(*node))
            .collect();
        let rank = self.tensor_named(*bare.first()?)?.rank().filter(|rank| *rank > 0)?;
        if bare.iter().any(|node| self.tensor_named(*node).and_then(PartialType::rank) != Some(rank)) {
            return None;
        }
        let indices = example_indices(rank);
        let indexed = bare.iter().map(|node| (node.span(), format!("{}({indices})", node.text())));
        let whole = sums.iter().map(|call| Some((call.span(), self.sum_of_all(*call, &indices)?)));
        let mut edits: Vec<(Span, String)> = indexed.map(Some).chain(whole).collect::<Option<_>>()?;
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let (start, mut right) = (init.span().start, init.text().to_string());
        for (span, text) in edits {
            right.replace_range((span.start - start) as usize..(span.end - start) as usize, &text);
        }
        let why = "an operation on tensors names their indices".to_string();
        let format =
            self.scaled(init).or_else(|| self.kept(init)).map_or(String::new(), |format| format!(" : {format}"));
        Some(Offer { head: format!("{name}({indices}){format}"), right: Some(right), why })
    }

    /// The format of `A` in `2 * A`, `A / s` and `-A`, which store what `A` does.
    fn scaled(&self, init: NodeRef<'_>) -> Option<String> {
        let operands: Vec<NodeRef<'_>> = init.children().collect();
        let sign = init.own_tokens().find(|token| !token.kind().is_trivia()).map(|token| token.kind())?;
        let number = |node: &NodeRef<'_>| {
            is_constant(*node, self.scope) || matches!(self.scope.get(node.text()), Some(Meaning::Scalar(_)))
        };
        let scaled = match (operands.as_slice(), sign) {
            ([operand], TokenKind::Minus) => operand,
            ([operand, factor], TokenKind::Star | TokenKind::Slash) if number(factor) => operand,
            ([factor, operand], TokenKind::Star) if number(factor) => operand,
            _ => return None,
        };
        let tensor = self.tensor_named(*scaled).filter(|_| scaled.kind() == NodeKind::Name)?;
        tensor.declared_format().map(str::to_string)
    }

    /// The format of `A + B`, `A - B` and of a product of sparse matrices in one format.
    fn kept(&self, init: NodeRef<'_>) -> Option<String> {
        let operands: Vec<NodeRef<'_>> = init.children().collect();
        let &[left, right] = operands.as_slice() else { return None };
        let sign = init.own_tokens().find(|token| !token.kind().is_trivia()).map(|token| token.kind())?;
        let named = |node: NodeRef<'_>| {
            let tensor = self.tensor_named(node).filter(|_| node.kind() == NodeKind::Name)?;
            tensor.declared_format().zip(tensor.rank())
        };
        let (format, same) = (named(left)?, named(left) == named(right));
        let sparse = matches!(format.0, "CSR" | "CSC" | "DCSR" | "DCSC" | "COO" | "CSF" | "SparseVector");
        let known = matches!(sign, TokenKind::Plus | TokenKind::Minus | TokenKind::Star);
        // A product of matrices adds up, which not every format is assembled from.
        let summed = sign == TokenKind::Star && format.1 == 2;
        let fits = !summed || matches!(format.0, "CSR" | "CSC");
        (same && sparse && known && fits && init.kind() == NodeKind::Binary).then(|| format.0.to_string())
    }

    /// `max(A, B)`, `max(x, 0)`: the greater of two entries. The number behind a matrix may be an axis.
    fn takes_two(&self, call: NodeRef<'_>) -> bool {
        let operands: Vec<NodeRef<'_>> = call.children().collect();
        let &[left, right] = operands.as_slice() else { return false };
        let is_matrix = self.tensor_named(left).is_some_and(|ty| ty.rank() != Some(1));
        let is_axis = is_matrix && right.text().bytes().all(|byte| byte.is_ascii_digit());
        matches!(callee(call), "min" | "max") && right.kind() != NodeKind::NamedArg && !is_axis
    }

    /// `sum(j, x(j))` for `sum(x)` beside entries with `indices`.
    fn sum_of_all(&self, call: NodeRef<'_>, indices: &str) -> Option<String> {
        let operands: Vec<NodeRef<'_>> = call.children().collect();
        let &[operand] = operands.as_slice() else { return None };
        let rank = self.tensor_named(operand).filter(|_| operand.kind() == NodeKind::Name)?.rank()?;
        let free = ["i", "j", "k", "l", "m", "n", "o", "p"].into_iter().filter(|name| !indices.contains(name));
        let vars: Vec<&str> = free.take(rank).collect();
        let vars = vars.join(", ");
        (rank > 0).then(|| format!("{}({vars}, {}({vars}))", callee(call), operand.text()))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn offers(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        match init.kind() {
            // How many dimensions a `.tns` file has it says itself.
            NodeKind::Read => {
                let format = if init.text().contains(".tns") { "COO" } else { "CSR" };
                vec![Offer::typed(name, format, "a tensor from a file names its format")]
            }
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral => of_entries(name, init),
            NodeKind::Name => self.of_name(name, init),
            _ if is_constant(init, self.scope) => {
                let number = Offer::typed(name, constant_type(init), "a number names its type");
                std::iter::once(number).chain(of_tuple(name, init)).collect()
            }
            NodeKind::Call if self.is_generator(init) => {
                let meant = self.meant_call(name, init);
                vec![meant.unwrap_or_else(|| Offer::typed(name, "CSR", "a generated tensor names its format"))]
            }
            _ => self.of_expression(name, init),
        }
    }

    fn of_name(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        match self.scope.get(init.text()) {
            Some(Meaning::Tensor(ty)) => {
                let ty = ty.declared_format().map_or_else(|| ty.to_string(), str::to_string);
                vec![Offer::typed(name, ty, "a copy names its format")]
            }
            Some(Meaning::Scalar(element)) => vec![Offer::typed(name, *element, "a copy names its type")],
            Some(Meaning::Encoding(_) | Meaning::Broken) => Vec::new(),
            None if matches!(init.text(), "true" | "false") => {
                vec![Offer::typed(name, Element::I1, "a truth value names its type")]
            }
            None => vec![Offer::typed(name, "f64", "a scalar names its type")],
        }
    }

    fn of_expression(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        let indexed = self.product(name, init).or_else(|| self.algebra(name, init));
        if let Some(offer) = indexed.or_else(|| self.by_entry(name, init)) {
            return std::iter::once(offer).chain(self.matrix_power(name, init)).collect();
        }
        if let Some(offer) = self.reduction(name, init) {
            return vec![offer];
        }
        let element = self.result_element(init);
        let scalar = Offer::typed(name, element, "a scalar names its type");
        let Some(indices) = self.kernel_indices(init, None) else { return vec![scalar] };
        let kernel = Offer {
            head: format!("{name}({indices})"),
            right: None,
            why: "a result with dimensions names their indices".to_string(),
        };
        vec![kernel, scalar]
    }

    /// `max(A)`, `sum(A, axis = 1)`
    pub(super) fn reduction(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let meant = kernel::meant_reduction(self.scope, init)?;
        let element = match callee(init).rsplit('.').next().unwrap_or_default() {
            "argmin" | "argmax" => Element::Index,
            "any" | "all" => Element::I1,
            _ => self.element_of_operand(init).unwrap_or(Element::F64),
        };
        let head =
            if meant.left.is_empty() { format!("{name} : {element}") } else { format!("{name}({})", meant.left) };
        let why = "a reduction names the indices that it is over".to_string();
        Some(Offer { head, right: Some(meant.text), why })
    }

    /// `x(1:3)`, `x(1:2) - x(0:1)`: windows without variables, as here, or counted from 1 with their ends.
    pub(super) fn windows(&self, name: &str, init: NodeRef<'_>, from_one: bool) -> Option<Offer> {
        let calls = init.descendants().filter(|node| node.kind() == NodeKind::Call);
        let calls: Vec<NodeRef<'_>> = calls.filter(|call| self.tensor_named(*call).is_some()).collect();
        let ranges = |call: &NodeRef<'_>| call.children().filter(|part| part.kind() == NodeKind::Range).count();
        let rank = calls.first().map(ranges).filter(|rank| *rank > 0)?;
        let indices = example_indices(rank);
        let named = |call: &NodeRef<'_>| call.descendants().any(|part| part.kind() == NodeKind::Name);
        if calls.iter().any(|call| ranges(call) != rank || named(call)) {
            return None;
        }
        let names = indices.split(", ").cycle();
        let all = calls.iter().flat_map(|call| call.children().filter(|part| part.kind() == NodeKind::Range));
        let places: Vec<(usize, &str)> =
            all.map(|range| (range.span().start - init.span().start) as usize).zip(names).collect();
        let mut right = init.text().replace('[', "(").replace(']', ")");
        for (at, name) in places.iter().rev() {
            let digits = right[*at..].chars().take_while(char::is_ascii_digit).count();
            if from_one {
                let first = right[*at..*at + digits].parse::<u64>().ok()?.checked_sub(1)?;
                right.replace_range(*at..*at + digits, &first.to_string());
            }
            right.insert_str(*at, &format!("{name} = "));
        }
        let why = match from_one {
            false => "counted from 0, the end left out",
            true => "counted from 1 with the end, as in MATLAB, Julia and Fortran",
        };
        let why = why.to_string();
        Some(Offer { head: format!("{name}({indices})"), right: Some(right), why })
    }

    /// The element type of a scalar result.
    pub(in crate::session) fn result_element(&self, init: NodeRef<'_>) -> Element {
        match callee(init) {
            "argmin" | "argmax" if init.kind() == NodeKind::Call => Element::Index,
            "any" | "all" if init.kind() == NodeKind::Call => Element::I1,
            _ => self.element_in(init).unwrap_or(Element::F64),
        }
    }

    fn element_of_operand(&self, call: NodeRef<'_>) -> Option<Element> {
        self.tensor_named(call.children().next()?)?.element
    }

    fn element_in(&self, init: NodeRef<'_>) -> Option<Element> {
        init.descendants()
            .filter(|node| node.kind() == NodeKind::Call)
            .find_map(|call| self.tensor_named(call)?.element)
    }

    /// `A * B` over tensors without indices.
    fn product(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let operands: Vec<NodeRef<'_>> = init.children().collect();
        let &[left, right] = operands.as_slice() else { return None };
        if init.kind() != NodeKind::Binary || [left, right].iter().any(|operand| operand.kind() != NodeKind::Name) {
            return None;
        }
        let operator = init.own_tokens().find(|token| !token.kind().is_trivia())?;
        let rank = |node| self.tensor_named(node).and_then(PartialType::rank);
        let (ranks, star) = ((rank(left)?, rank(right)?), operator.kind() == TokenKind::Star);
        let [indices, of_left, of_right] = match kernel::product_indices(ranks.0, ranks.1).filter(|_| star) {
            Some(product) => product.map(str::to_string),
            None if ranks.0 == ranks.1 => [(); 3].map(|()| example_indices(ranks.0)),
            None => return None,
        };
        let right = format!("{}({of_left}) {} {}({of_right})", left.text(), operator.text(), right.text());
        let why = "an operation on tensors names their indices".to_string();
        let format = self.kept(init).map_or(String::new(), |format| format!(" : {format}"));
        Some(Offer { head: format!("{name}({indices}){format}"), right: Some(right), why })
    }

    /// The indices that a result of `rank` probably has, in the order of the alphabet: those that a term has once, as in
    /// a product of matrices, or all of a term that has none.
    pub(in crate::session) fn kernel_indices(&self, init: NodeRef<'_>, rank: Option<usize>) -> Option<String> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let reduced = reduced_over(init);
        for term in terms(init) {
            let mut used = self.indices_of(term);
            used.retain(|name| !reduced.contains(name));
            let once = |name: &&&str| used.iter().filter(|other| other == name).count() == 1;
            let single: Vec<&str> = used.iter().filter(once).copied().collect();
            names.extend(if single.is_empty() { used } else { single });
        }
        let count = rank.unwrap_or(names.len());
        let names: Vec<&str> = names.into_iter().take(count).collect();
        (!names.is_empty() && names.len() == count).then(|| names.join(", "))
    }

    /// Index variables of the tensors in a term, as often as they occur.
    fn indices_of<'t>(&self, term: NodeRef<'t>) -> Vec<&'t str> {
        let calls =
            term.descendants().filter(|node| node.kind() == NodeKind::Call && self.tensor_named(*node).is_some());
        let indexes = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::NamedArg);
        let names = calls.flat_map(|call| call.descendants().filter(indexes)).filter_map(|node| node.first_token());
        names.map(|name| name.text()).filter(|name| !matches!(self.scope.get(name), Some(Meaning::Scalar(_)))).collect()
    }
}

/// The variables of all reductions.
fn reduced_over(init: NodeRef<'_>) -> Vec<&str> {
    let reduces = |call: &NodeRef<'_>| {
        call.kind() == NodeKind::Call && kernel::functions::REDUCTIONS.iter().any(|(known, ..)| *known == callee(*call))
    };
    let arguments = init.descendants().filter(reduces).flat_map(|call| {
        let all: Vec<NodeRef<'_>> = call.children().collect();
        let last = all.iter().rposition(|argument| argument.kind() != NodeKind::NamedArg).unwrap_or(0);
        all.into_iter().take(last).collect::<Vec<_>>()
    });
    arguments.filter_map(|argument| argument.first_token()).map(|token| token.text()).collect()
}

/// What a sum is made of.
fn terms(node: NodeRef<'_>) -> Vec<NodeRef<'_>> {
    let adds = |token: TokenRef<'_>| matches!(token.kind(), TokenKind::Plus | TokenKind::Minus);
    let parts = node.children();
    let is_sum = node.kind() == NodeKind::Binary && node.own_tokens().any(adds);
    if is_sum || node.kind() == NodeKind::Paren { parts.flat_map(terms).collect() } else { vec![node] }
}

/// Whether a call of one argument reduces it.
fn reduces(call: NodeRef<'_>) -> bool {
    matches!(callee(call), "sum" | "prod" | "min" | "max" | "any" | "all" | "argmin" | "argmax")
}

fn constant_type(init: NodeRef<'_>) -> Element {
    match init.text() {
        "true" | "false" => Element::I1,
        _ if init.descendants().any(|node| node.kind() == NodeKind::ComplexNumber) => Element::C64,
        _ => Element::F64,
    }
}

/// `sparse<[[0, 1], [2, 3]], [1.0, 2.0]>`: its coordinates tell the least sizes. No other literal tells any.
fn of_entries(name: &str, literal: NodeRef<'_>) -> Vec<Offer> {
    let coordinates = literal.text().strip_prefix("sparse<[[").and_then(|rest| rest.split_once("]]"));
    let tuple =
        |text: &str| text.split(',').map(|number| number.trim().parse::<u64>().ok()).collect::<Option<Vec<_>>>();
    let tuples: Option<Vec<Vec<u64>>> = coordinates
        .and_then(|(text, _)| text.split("],").map(|part| tuple(part.trim().trim_start_matches('['))).collect());
    let Some(tuples) = tuples.filter(|tuples| tuples.windows(2).all(|pair| pair[0].len() == pair[1].len())) else {
        return Vec::new();
    };
    let size = |dim: usize| {
        tuples.iter().filter_map(|tuple| tuple.get(dim)).max().map(|most| format!("{}x", most.saturating_add(1)))
    };
    let sizes: String = (0..).map_while(size).collect();
    let format = if sizes.matches('x').count() == 2 { "CSR" } else { "COO" };
    vec![Offer::typed(
        name,
        format!("tensor<{sizes}f64, {format}>"),
        "its type tells its sizes, at least those of its coordinates",
    )]
}

/// `x = [1, 2]` for `x = (1, 2)`, a complex number.
fn of_tuple(name: &str, init: NodeRef<'_>) -> Option<Offer> {
    let inside = init.text().strip_prefix('(')?.strip_suffix(')')?;
    let listed = inside.contains(',') && !inside.contains(['(', ')']);
    let (head, right) = (name.to_string(), Some(format!("[{inside}]")));
    listed.then(|| Offer { head, right, why: "a list stands in brackets".to_string() })
}
