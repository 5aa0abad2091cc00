//! Completion in MLIR programs, outside encodings: operations, values, functions.

use nnz_mlir::{dialects, words as operations};
use nnz_syntax::TokenKind;

use super::{Completion, CompletionKind, Known, cursor::Cursor, values};

/// How the operations that programs use most are written.
const WRITTEN: &[&str] = &[
    "sparse_tensor.convert ‹%A› : ‹tensor<8x8xf64, #CSR>› to ‹tensor<8x8xf64, #CSC>›",
    "sparse_tensor.positions ‹%A› { level = ‹1› : index } : ‹tensor<8x8xf64, #CSR>› to ‹memref<?xindex>›",
    "sparse_tensor.coordinates ‹%A› { level = ‹1› : index } : ‹tensor<8x8xf64, #CSR>› to ‹memref<?xindex>›",
    "sparse_tensor.values ‹%A› : ‹tensor<8x8xf64, #CSR>› to ‹memref<?xf64>›",
    "sparse_tensor.number_of_entries ‹%A› : ‹tensor<8x8xf64, #CSR>›",
    "sparse_tensor.print ‹%A› : ‹tensor<8x8xf64, #CSR>›",
    "sparse_tensor.foreach in ‹%A› : ‹tensor<8x8xf64, #CSR>› do {\n  ^bb0(%i: index, %j: index, %v: ‹f64›):\n    ‹›\n}",
    "linalg.generic #‹trait›\n  ins(‹%A›, ‹%x› : ‹tensor<8x8xf64, #CSR>›, ‹tensor<8xf64>›)\n  outs(‹%y› : ‹tensor<8xf64>›) {\n  ^bb0(%a: f64, %b: f64, %c: f64):\n    ‹›\n    linalg.yield %c : f64\n} -> ‹tensor<8xf64>›",
    "linalg.matmul ins(‹%A›, ‹%B› : ‹tensor<8x8xf64, #CSR>›, ‹b|tensor<8x8xf64>›) outs(‹%C› : ‹c|tensor<8x8xf64>›) -> ‹c|tensor<8x8xf64>›",
    "linalg.matvec ins(‹%A›, ‹%x› : ‹tensor<8x8xf64, #CSR>›, ‹tensor<8xf64>›) outs(‹%y› : ‹y|tensor<8xf64>›) -> ‹y|tensor<8xf64>›",
    "tensor.empty(‹›) : ‹tensor<8x8xf64>›",
    "tensor.insert ‹%v› into ‹%A›[‹%i›, ‹%j›] : ‹tensor<8x8xf64, #CSR>›",
    "tensor.extract ‹%A›[‹%i›, ‹%j›] : ‹tensor<8x8xf64, #CSR>›",
    "arith.constant ‹0.0› : ‹f64›",
    "arith.addf ‹%a›, ‹%b› : ‹f64›",
    "arith.mulf ‹%a›, ‹%b› : ‹f64›",
    "arith.addi ‹%a›, ‹%b› : ‹i64›",
    "arith.muli ‹%a›, ‹%b› : ‹i64›",
    "scf.for ‹%i› = ‹%lo› to ‹%hi› step ‹%one› {\n  ‹›\n}",
    "scf.if ‹%c› {\n  ‹›\n}",
    "func.func @‹f›(‹%A: tensor<8x8xf64, #CSR>›) {\n  ‹›\n  return\n}",
    "func.call @‹f›(‹%A›) : (‹tensor<8x8xf64, #CSR>›) -> ()",
];

/// It is read with its body, and is no row of a dialect.
const FUNCTION: &str = "func.func";

impl Cursor {
    /// `open` is the innermost open bracket.
    pub(super) fn in_program(&self, known: &Known<'_>, open: Option<usize>) -> Vec<Completion> {
        match self.prefix.chars().next() {
            Some('%') => self.program_values(known),
            Some('@') => known.functions().map(|(name, ty)| self.item(name, &ty, CompletionKind::Function)).collect(),
            Some('!') => self.type_names(known),
            Some(_) | None => match self.values_of_kernels(open).or_else(|| self.attributes(open?)) {
                Some(attributes) => attributes,
                None if self.begins_operation() => self.operations(),
                None => Vec::new(),
            },
        }
    }

    fn program_values(&self, known: &Known<'_>) -> Vec<Completion> {
        let found = values::in_scope(known.checked, self.replace.start as usize);
        let found = found.into_iter().filter(|(name, _)| name.starts_with(&self.prefix));
        found.map(|(name, ty)| self.item(name, &ty, CompletionKind::Variable)).collect()
    }

    /// In a dictionary of attributes; `None` where the bracket is that of a region.
    fn attributes(&self, open: usize) -> Option<Vec<Completion>> {
        let before = self.text_before(open)?;
        let of_kernel = before.text == "linalg.generic" || before.kind == TokenKind::Eq;
        if self.before.get(open)?.kind != TokenKind::LBrace {
            return Some(Vec::new());
        }
        let is_dictionary = of_kernel || before.text == "attributes" || before.kind == TokenKind::Lt;
        let begins = self.last_is(&[TokenKind::LBrace, TokenKind::Comma]);
        is_dictionary.then(|| if of_kernel && begins { self.of_trait() } else { Vec::new() })
    }

    fn of_trait(&self) -> Vec<Completion> {
        let given = |name: &str| {
            let dictionary = self.enclosing().first().copied().unwrap_or_default();
            self.before[dictionary..].iter().any(|token| token.text == name)
        };
        let item = |(name, marked): (&str, &str)| {
            let text = operations::of_attribute(name).unwrap_or_default();
            self.item(name, text, CompletionKind::Key).inserting(format!("{name} = ")).with(marked)
        };
        let maps = "indexing_maps = [\n  affine_map<(‹i, j›) -> (‹i, j›)>,\n  affine_map<(‹i, j›) -> (‹y|i›)>\n]";
        [("indexing_maps", maps), ("iterator_types", "iterator_types = [‹\"parallel\", \"reduction\"›]")]
            .into_iter()
            .filter(|(name, _)| !given(name))
            .map(item)
            .collect()
    }

    /// At the beginning of a line, or behind the names of results there.
    fn begins_operation(&self) -> bool {
        let on_line = self.before.partition_point(|token| token.span.end <= self.line_start);
        let goes_on = self.before[..on_line].last().is_some_and(|last| {
            use TokenKind::{Arrow, Colon, Comma, Eq, LBracket, LParen, Lt};
            matches!(last.kind, Arrow | Comma | Eq | LBracket | LParen | Lt)
                || last.kind == Colon && !self.is_label(on_line)
        });
        match &self.before[on_line..] {
            [] => !goes_on,
            [first, .., last] => first.kind == TokenKind::PercentId && last.kind == TokenKind::Eq && !goes_on,
            [_] => false,
        }
    }

    /// Whether the line before, which ends in a colon, is `^bb0(...):`.
    fn is_label(&self, end: usize) -> bool {
        let label = self.before[..end].iter().rposition(|token| token.kind == TokenKind::CaretId);
        label.is_some_and(|at| !self.before[at..end].iter().any(|token| token.kind == TokenKind::Eq))
    }

    /// The dialects, and once something is typed the operations that begin so.
    fn operations(&self) -> Vec<Completion> {
        let named = dialects::operations().map(|operation| operation.name).chain([FUNCTION]);
        let named: Vec<&str> = named.collect();
        let mut dialects: Vec<&str> = named.iter().filter_map(|name| Some(name.split_once('.')?.0)).collect();
        dialects.sort_unstable();
        dialects.dedup();
        let dialect = |name: &&str| {
            let item = self.item(name, "operations of this dialect", CompletionKind::Keyword);
            Completion { insert: format!("{name}."), filter: format!("{name}."), ..item }
        };
        let typed = named.into_iter().filter(|name| !self.prefix.is_empty() && name.starts_with(&self.prefix));
        let dialects = dialects.iter().filter(|name| format!("{name}.") != self.prefix);
        dialects.map(dialect).chain(typed.map(|name| self.operation(name))).collect()
    }

    fn operation(&self, name: &str) -> Completion {
        let does = operations::of_operation(name).map_or("a function".to_string(), |(does, _)| does);
        let item = self.item(name, &does, CompletionKind::Operation);
        let is_it = |marked: &&&str| {
            marked.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        match WRITTEN.iter().find(is_it) {
            Some(marked) => item.with(marked),
            None => item,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FUNCTION, WRITTEN};
    use nnz_mlir::dialects::lookup;

    #[test]
    fn what_is_written_out_are_operations() {
        for marked in WRITTEN {
            let name = marked.split([' ', '(']).next().unwrap_or_default();
            assert!(name == FUNCTION || lookup(name).is_some(), "{name}");
        }
    }
}
