//! Literals: a dense nested list, MLIR's `dense<...>` and `sparse<[coordinates], [values]>`.
//!
//! A literal sets the sizes that its tensor's type leaves open, and becomes the tensor's entries. Zeros of a
//! dense list are not entries of a tensor with an encoding; zeros of `sparse<...>` are, as in MLIR.

use std::{borrow::Cow, collections::HashMap};

use super::{scope::plural, value::value};
use nnz_base::{
    arrays::Values,
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::{Element, Scalar},
    ids::FileId,
    memory,
    source::Span,
};
use nnz_storage::{StorageError, Triplets};
use nnz_syntax::{NodeKind, NodeRef};

/// The expected type of a literal.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub element: Element,
    /// `None` for a size that the literal decides.
    pub shape: Vec<Option<u64>>,
    /// The place of the type, for a second label.
    pub type_span: Span,
    /// The type, if a function's argument has it, and it stands in another text.
    pub of_argument: Option<String>,
    /// Zeros of a dense list are entries too.
    pub keep_zeros: bool,
}

/// This many mistakes of a literal are reported one by one; the others are counted.
const MOST_ERRORS: usize = 8;
/// `dense<0.5>` is written out; the most entries for which it is.
const MOST_SPLAT: u64 = 1 << 28;

/// The contents of a literal.
#[derive(Clone, Debug)]
pub enum Literal {
    Entries(Triplets),
    /// `dense<0.5>`: the same everywhere, not written out before it is needed.
    Same {
        shape: Vec<u64>,
        element: Element,
        value: Scalar,
    },
}

impl Literal {
    pub fn shape(&self) -> &[u64] {
        match self {
            Literal::Entries(triplets) => triplets.shape(),
            Literal::Same { shape, .. } => shape,
        }
    }

    pub fn element(&self) -> Element {
        match self {
            Literal::Entries(triplets) => triplets.element(),
            Literal::Same { element, .. } => *element,
        }
    }

    /// Every entry.
    ///
    /// # Errors
    /// More than there is memory for.
    pub fn triplets(&self) -> Result<Cow<'_, Triplets>, StorageError> {
        let (shape, element, value) = match self {
            Literal::Entries(triplets) => return Ok(Cow::Borrowed(triplets)),
            Literal::Same { shape, element, value } => (shape, *element, *value),
        };
        let count: u64 = shape.iter().product();
        // Coordinates and values, and once more as they are packed.
        memory::room_for(count.into(), 2 * (8 * shape.len() + element.bytes()) as u64)?;
        let mut coords = vec![Vec::with_capacity(count as usize); shape.len()];
        let mut coordinates = vec![0; shape.len()];
        for _ in 0..count {
            coords.iter_mut().zip(&coordinates).for_each(|(column, &c)| column.push(c));
            advance(&mut coordinates, shape);
        }
        Ok(Cow::Owned(Triplets::new(shape.clone(), element, coords, same(element, value, count as usize))?))
    }
}

/// `count` times the same.
pub fn same(element: Element, value: Scalar, count: usize) -> Values {
    let mut values = Values::with_capacity(element, count);
    (0..count).for_each(|_| values.push(value));
    values
}

/// The entries of a literal; `None` if it has errors, which are then among `diagnostics`.
pub fn literal(file: FileId, node: NodeRef<'_>, wanted: &Wanted, diagnostics: &mut Vec<Diagnostic>) -> Option<Literal> {
    let rank = wanted.shape.len();
    let sizes = wanted.shape.iter().map(|size| size.map(|size| (size, wanted.type_span))).collect();
    let coords = vec![Vec::new(); rank];
    let values = Values::with_capacity(wanted.element, 0);
    let mut reader = Reader {
        file,
        wanted,
        sizes,
        coords,
        values,
        told_depth: false,
        told_size: None,
        told_rows: None,
        same: None,
        diagnostics,
        errors: 0,
    };
    if node.kind() == NodeKind::ListLiteral {
        reader.list(node, &mut Vec::new());
    } else if node.kind() == NodeKind::DenseLiteral {
        reader.dense(node);
    } else {
        reader.sparse(node);
    }
    reader.finish(node)
}

struct Reader<'a> {
    file: FileId,
    wanted: &'a Wanted,
    /// The size of each dimension once known, and what decided it.
    sizes: Vec<Option<(u64, Span)>>,
    coords: Vec<Vec<u64>>,
    values: Values,
    /// A value or a list at the wrong depth was reported; the reports on others would be the same.
    told_depth: bool,
    /// The depth at which a list has another length than the type says: those inside tell no more.
    told_size: Option<usize>,
    /// The depth at which all lists have one other length than the type says, which is told once.
    told_rows: Option<usize>,
    /// The value of every entry.
    same: Option<Scalar>,
    diagnostics: &'a mut Vec<Diagnostic>,
    errors: usize,
}

impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        if self.errors <= MOST_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }
    fn error(&mut self, code: Code, (span, label): (Span, &str), message: String) {
        self.report(Diagnostic::new(code, self.file, span, message).label(label));
    }
    fn rank(&self) -> usize {
        self.wanted.shape.len()
    }
    fn push(&mut self, coordinates: &[u64], scalar: Scalar) {
        self.coords.iter_mut().zip(coordinates).for_each(|(column, &c)| column.push(c));
        self.values.push(scalar);
    }
    fn value(&mut self, node: NodeRef<'_>) -> Option<Scalar> {
        match value(self.file, node, self.wanted.element) {
            Ok(scalar) => Some(scalar),
            Err(diagnostic) => {
                self.report(*diagnostic);
                None
            }
        }
    }

    fn finish(self, node: NodeRef<'_>) -> Option<Literal> {
        if self.errors > 0 {
            let more = self.errors.saturating_sub(MOST_ERRORS);
            if let Some(last) = self.diagnostics.last_mut().filter(|_| more > 0) {
                last.notes.push(format!("this literal has {} more", plural(more, "error")));
            }
            return None;
        }
        let Some(shape) = self.sizes.iter().map(|size| size.map(|(size, _)| size)).collect() else {
            let message = "the shape of the tensor is known neither from its type nor from the literal";
            let type_with_sizes = format!("tensor<{}{}, ...>", self.least_sizes(), self.wanted.element);
            self.diagnostics.push(
                Diagnostic::new(Code::LiteralShape, self.file, node.span(), message)
                    .label("tells no sizes")
                    .secondary(self.wanted.type_span, format!("give the sizes here, as in `{type_with_sizes}`")),
            );
            return None;
        };
        if let Some(value) = self.same {
            return Some(Literal::Same { shape, element: self.wanted.element, value });
        }
        let error = match Triplets::new(shape, self.wanted.element, self.coords, self.values) {
            Ok(triplets) => return Some(Literal::Entries(triplets)),
            Err(error) => error,
        };
        let error = Diagnostic::new(Code::LiteralShape, self.file, node.span(), error.to_string());
        self.diagnostics.push(error.label("not such entries"));
        None
    }

    /// The sizes that are given, and else the least that hold all entries: `4x3x`.
    fn least_sizes(&self) -> String {
        let least = |column: &Vec<u64>| column.iter().max().map_or(1, |last| last.saturating_add(1));
        let sizes = self.sizes.iter().zip(&self.coords);
        sizes.map(|(size, column)| format!("{}x", size.map_or_else(|| least(column), |(size, _)| size))).collect()
    }

    fn dense(&mut self, node: NodeRef<'_>) {
        let mut children = node.children();
        match (children.next(), children.next()) {
            (None, _) => self.check_size(node, 0, 0, &[]),
            (Some(list), None) if list.kind() == NodeKind::ListLiteral => self.list(list, &mut Vec::new()),
            (Some(splat), None) => self.splat(splat),
            (_, Some(extra)) => {
                self.error(
                    Code::LiteralShape,
                    (extra.span(), "a second one"),
                    "`dense<...>` holds one list or one value".to_string(),
                );
            }
        }
    }

    fn splat(&mut self, node: NodeRef<'_>) {
        let Some(scalar) = self.value(node) else { return };
        let sizes: Option<Vec<u64>> = self.wanted.shape.iter().copied().collect();
        let Some(sizes) = sizes else { return };
        let count = sizes.iter().try_fold(1u64, |count, &size| count.checked_mul(size));
        if count.is_none_or(|count| count > MOST_SPLAT) {
            let message =
                format!("one value for more than {MOST_SPLAT} entries, which is the limit: sparse tensors list theirs");
            return self.error(Code::LiteralShape, (node.span(), "too often"), message);
        }
        if scalar.is_zero() && !self.wanted.keep_zeros {
            return;
        }
        self.same = Some(scalar);
    }

    /// The list below the coordinates in `path`.
    fn list(&mut self, node: NodeRef<'_>, path: &mut Vec<u64>) {
        let depth = path.len();
        if depth == self.rank() {
            let message =
                format!("a list where a value is wanted: the tensor has {}", plural(self.rank(), "dimension"));
            return self.wrong_depth((node, "a list"), message);
        }
        let last = depth + 1 == self.rank();
        let deeper = last && node.children().any(|child| child.kind() == NodeKind::ListLiteral);
        let flat = !last
            && node.children().next().is_some()
            && node.children().all(|child| child.kind() != NodeKind::ListLiteral);
        // That the list is of another depth tells more than its length.
        if !deeper && !flat {
            self.check_size(node, node.children().count() as u64, depth, path);
        }
        self.check_rows(node, depth + 1);
        for (at, child) in node.children().enumerate() {
            path.push(at as u64);
            if child.kind() == NodeKind::ListLiteral {
                self.list(child, path)
            } else {
                self.entry(child, path)
            }
            path.pop();
        }
    }

    fn entry(&mut self, node: NodeRef<'_>, path: &[u64]) {
        if path.len() < self.rank() {
            let message =
                format!("a value where a list is wanted: the tensor has {}", plural(self.rank(), "dimension"));
            return self.wrong_depth((node, "a value"), message);
        }
        let kept = |scalar: &Scalar| self.wanted.keep_zeros || !scalar.is_zero();
        if let Some(scalar) = self.value(node).filter(kept) {
            self.push(path, scalar);
        }
    }

    fn wrong_depth(&mut self, (node, label): (NodeRef<'_>, &str), message: String) {
        if !std::mem::replace(&mut self.told_depth, true) {
            // Of 64 dimensions the first brackets tell enough.
            let example = (0..self.rank().min(4)).fold("1, 2".to_string(), |inside, _| format!("[{inside}]"));
            let example = if self.rank() > 4 { format!("...{example}...") } else { example };
            let error = Diagnostic::new(Code::LiteralShape, self.file, node.span(), message).label(label);
            self.report(error.help(format!("each dimension has brackets of its own, as in `{example}`")));
        }
    }

    /// Lists that all have one other length than the type says: one mistake.
    fn check_rows(&mut self, node: NodeRef<'_>, depth: usize) {
        let wanted = self.wanted.shape.get(depth).copied().flatten();
        let (Some(wanted), Some(first)) = (wanted, node.children().next()) else { return };
        let lists = node.children().all(|row| row.kind() == NodeKind::ListLiteral);
        let found = first.children().count() as u64;
        let alike = lists && node.children().all(|row| row.children().count() as u64 == found);
        let of_lists = first.children().next().is_some_and(|entry| entry.kind() == NodeKind::ListLiteral);
        let fits = of_lists == (depth + 1 < self.rank());
        if !alike || !fits || found == wanted || node.children().count() < 2 || self.told_rows.is_some() {
            return;
        }
        self.told_rows = Some(depth);
        if self.told_size.is_some() {
            return;
        }
        let thing = if depth + 1 == self.rank() { "value" } else { "row" };
        let message = format!("each row has {}, expected {wanted}", plural(found as usize, thing));
        let diagnostic = Diagnostic::new(Code::LiteralShape, self.file, first.span(), message);
        let diagnostic = diagnostic.label(format!("expected {wanted}"));
        let told = self.by_type(diagnostic);
        self.report(told);
    }

    /// What the type decides, with what says it.
    fn by_type(&self, diagnostic: Diagnostic) -> Diagnostic {
        match &self.wanted.of_argument {
            Some(ty) => diagnostic.help(format!("the function takes `{ty}` here")),
            None => diagnostic.secondary(self.wanted.type_span, "as the type says here"),
        }
    }

    fn check_size(&mut self, node: NodeRef<'_>, found: u64, depth: usize, path: &[u64]) {
        let Some(size) = self.sizes.get_mut(depth) else { return };
        let (wanted, decided) = *size.get_or_insert((found, node.span()));
        let by_type = decided == self.wanted.type_span;
        if self.told_rows == Some(depth)
            || wanted == found
            || by_type && self.told_size.is_some_and(|told| told < depth)
        {
            return;
        }
        if by_type {
            self.told_size = Some(depth);
        }
        let thing = if depth + 1 == self.rank() { "value" } else { "row" };
        let who = if path.is_empty() { "the list" } else { "this row" };
        let message = format!("{who} has {}, expected {wanted}", plural(found as usize, thing));
        let diagnostic = Diagnostic::new(Code::LiteralShape, self.file, node.span(), message);
        let diagnostic = diagnostic.label(format!("expected {wanted}"));
        let told = if by_type { self.by_type(diagnostic) } else { diagnostic.secondary(decided, "as this row has") };
        self.report(told);
    }

    fn sparse(&mut self, node: NodeRef<'_>) {
        let parts: Vec<NodeRef<'_>> = node.children().collect();
        match parts[..] {
            [] => {}
            [coordinates, values] => self.sparse_entries(coordinates, values),
            _ => {
                let message = "`sparse<...>` holds a list of coordinates and a list of values".to_string();
                let help = by_columns(&parts);
                let error = Diagnostic::new(Code::LiteralShape, self.file, node.span(), message).label("not two lists");
                self.report(help.into_iter().fold(error, Diagnostic::help));
            }
        }
    }

    /// `sparse<[(0, 0), (0, 3)], [1, 2]>`, as Python writes coordinates; whether it is that.
    fn in_parentheses(&mut self, coordinates: NodeRef<'_>) -> bool {
        let tuples = coordinates.children().filter(|node| node.kind() == NodeKind::ComplexNumber);
        let tuples: Vec<NodeRef<'_>> = tuples.collect();
        let Some(first) = tuples.first() else { return false };
        let meant = format!("[{}]", first.text().trim_matches(['(', ')']));
        let message = format!("the coordinates of an entry stand in square brackets: `{meant}`");
        let sign =
            |at: usize, text: &str| Edit { file: self.file, span: Span::new(at, at + 1), replacement: text.into() };
        let both =
            |node: &NodeRef<'_>| [sign(node.span().start as usize, "["), sign(node.span().end as usize - 1, "]")];
        let edits = tuples.iter().flat_map(both).collect();
        let error =
            Diagnostic::new(Code::LiteralCoordinate, self.file, first.span(), message).label("write `[` and `]`");
        self.report(error.fix_edits("write `[` and `]`", edits, Applicability::MaybeIncorrect));
        true
    }

    fn sparse_entries(&mut self, coordinates: NodeRef<'_>, values: NodeRef<'_>) {
        if coordinates.kind() != NodeKind::ListLiteral {
            return self.no_list(coordinates);
        }
        if self.in_parentheses(coordinates) {
            return;
        }
        let tuples = self.tuples(coordinates, values);
        let scalars: Vec<NodeRef<'_>> = if values.kind() == NodeKind::ListLiteral {
            values.children().collect()
        } else {
            vec![values; tuples.len()]
        };
        if scalars.len() != tuples.len() {
            let message = format!("{} for {}", plural(scalars.len(), "value"), plural(tuples.len(), "coordinate"));
            let diagnostic = Diagnostic::new(Code::LiteralShape, self.file, values.span(), message);
            let diagnostic = diagnostic.label(plural(scalars.len(), "value"));
            self.report(diagnostic.secondary(coordinates.span(), plural(tuples.len(), "coordinate")));
            tuples.iter().for_each(|tuple| drop(self.coordinates(tuple)));
            return;
        }
        let mut seen = HashMap::new();
        for (tuple, scalar) in tuples.into_iter().zip(scalars) {
            self.sparse_entry(tuple, scalar, &mut seen);
        }
    }

    /// The coordinates of each entry; a flat list is one tuple, or one coordinate each of a vector.
    fn tuples<'t>(&self, coordinates: NodeRef<'t>, values: NodeRef<'_>) -> Vec<Tuple<'t>> {
        let nested = coordinates.children().next().is_none_or(|first| first.kind() == NodeKind::ListLiteral);
        let of_vector = self.rank() == 1 && values.kind() == NodeKind::ListLiteral;
        match () {
            () if nested => {
                coordinates.children().map(|node| Tuple { node, parts: node.children().collect() }).collect()
            }
            () if of_vector => coordinates.children().map(|node| Tuple { node, parts: vec![node] }).collect(),
            () => vec![Tuple { node: coordinates, parts: coordinates.children().collect() }],
        }
    }

    fn sparse_entry(&mut self, tuple: Tuple<'_>, scalar: NodeRef<'_>, seen: &mut HashMap<Vec<u64>, Span>) {
        let (scalar, coordinates) = (self.value(scalar), self.coordinates(&tuple));
        let (Some(scalar), Some(coordinates)) = (scalar, coordinates) else { return };
        self.push(&coordinates, scalar);
        if let Some(first) = seen.insert(coordinates, tuple.node.span()) {
            let message = format!("the coordinates `{}` appear twice: their values are summed", tuple.node.text());
            let diagnostic = Diagnostic::new(Code::RepeatedCoordinates, self.file, tuple.node.span(), message);
            let diagnostic = diagnostic.label("the same coordinates again");
            self.report(diagnostic.secondary(first, "first here"));
        }
    }

    fn coordinates(&mut self, tuple: &Tuple<'_>) -> Option<Vec<u64>> {
        let is_alone = tuple.parts.first().is_some_and(|part| part.span() == tuple.node.span());
        if tuple.node.kind() != NodeKind::ListLiteral && !is_alone {
            self.no_list(tuple.node);
            return None;
        }
        if tuple.parts.len() != self.rank() {
            let message =
                format!("{} for {}", plural(tuple.parts.len(), "coordinate"), plural(self.rank(), "dimension"));
            let label = plural(tuple.parts.len(), "coordinate");
            self.error(Code::LiteralCoordinate, (tuple.node.span(), &label), message);
            return None;
        }
        let parts = tuple.parts.iter().enumerate();
        let coordinates: Vec<Option<u64>> = parts.map(|(dim, node)| self.coordinate(*node, dim)).collect();
        coordinates.into_iter().collect()
    }

    fn no_list(&mut self, node: NodeRef<'_>) {
        let (place, message) = (node.span(), format!("`{}` is no list of coordinates", node.text()));
        let error = Diagnostic::new(Code::LiteralCoordinate, self.file, place, message).label("no list");
        let parts: Vec<&str> = node.children().map(NodeRef::text).collect();
        self.report(match node.kind() == NodeKind::Call {
            true => error.guess(place, format!("[{}]", parts.join(", "))),
            false => error.help("each entry has a list of its coordinates: `sparse<[[0, 1]], [2]>`"),
        });
    }

    fn coordinate(&mut self, node: NodeRef<'_>, dim: usize) -> Option<u64> {
        let found = match value(self.file, node, Element::Index) {
            Ok(Scalar::Int(found)) => u64::try_from(found).ok(),
            _ => None,
        };
        let Some(found) = found else {
            let message = format!("`{}` is not a coordinate", node.text());
            self.error(Code::LiteralCoordinate, (node.span(), "no whole number from 0 up"), message);
            return None;
        };
        let size = self.sizes.get(dim).copied().flatten();
        let Some((size, decided)) = size.filter(|(size, _)| found >= *size) else { return Some(found) };
        let message = format!("coordinate {found} is outside dimension {dim}, which has size {size}");
        let diagnostic = Diagnostic::new(Code::LiteralCoordinate, self.file, node.span(), message);
        let last =
            size.checked_sub(1).map_or("no coordinate fits".to_string(), |last| format!("the last one is {last}"));
        self.report(diagnostic.label(last).secondary(decided, "the size is given here").note("coordinates start at 0"));
        None
    }
}

/// `sparse<[0, 0], [1, 1], [1, 2]>`: a list of coordinates for each dimension, and the values.
fn by_columns(parts: &[NodeRef<'_>]) -> Option<String> {
    let (values, columns) = parts.split_last()?;
    let lists: Vec<Vec<&str>> = columns.iter().map(|list| list.children().map(NodeRef::text).collect()).collect();
    let count = lists.first()?.len();
    let short = count <= 8 && lists.iter().all(|list| list.len() == count);
    let tuple = |at: usize| lists.iter().filter_map(|list| list.get(at).copied()).collect::<Vec<_>>().join(", ");
    let tuples: Vec<String> = (0..count).map(|at| format!("[{}]", tuple(at))).collect();
    let whole = format!("sparse<[{}], {}>", tuples.join(", "), values.text());
    (short && columns.len() > 1).then(|| format!("the coordinates of an entry stand together: `{whole}`"))
}

/// The coordinates of one entry of `sparse<...>`.
struct Tuple<'t> {
    node: NodeRef<'t>,
    parts: Vec<NodeRef<'t>>,
}

/// The next coordinates in row-major order.
fn advance(coordinates: &mut [u64], sizes: &[u64]) {
    for (coordinate, &size) in coordinates.iter_mut().zip(sizes).rev() {
        *coordinate += 1;
        if *coordinate < size {
            return;
        }
        *coordinate = 0;
    }
}
