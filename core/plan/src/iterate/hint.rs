//! Costs that cannot be seen in an expression.

use super::{Condition, DeriveReason, Derived, Plan, Term, graph, is_random_access, split, terms, zero};
use nnz_base::ids::{IndexVar, Lvl, TensorId};
use nnz_encoding::{Encoding, EncodingParts, Level, Props, named};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp};

/// A cost that the expression does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// `term` need not be absent where its sparse operands are; if it is `conditional`, only where a comparison of
    /// index variables holds. The loops may compute what is `shared` by several coordinates once for all of them.
    EveryCoordinate { term: String, points: u64, reason: EveryReason, conditional: bool, shared: bool },
    /// An operand that is accessed with these index variables is read in another encoding than its own.
    Converted { tensor: String, indices: Vec<String>, encoding: String, reason: DeriveReason },
    /// The result is computed in another encoding than its own.
    ResultConverted { tensor: String, encoding: String },
    /// The innermost loop, over `var`, reads this access to a dense tensor of so many places across its rows.
    Strided { access: String, tensor: String, indices: Vec<String>, var: String, places: u64 },
}

impl Hint {
    /// The number of points that it says are visited, or of places that are read.
    pub fn points(&self) -> u64 {
        match self {
            Hint::EveryCoordinate { points, .. } => *points,
            Hint::Strided { places, .. } => *places,
            Hint::Converted { .. } | Hint::ResultConverted { .. } => 0,
        }
    }
}

impl Hint {
    /// The index variables of the access that it is about; none if it is not about a single access.
    pub fn indices(&self) -> &[String] {
        match self {
            Hint::Converted { indices, .. } | Hint::Strided { indices, .. } => indices,
            Hint::EveryCoordinate { .. } | Hint::ResultConverted { .. } => &[],
        }
    }

    /// The label at the place, in a few words.
    pub fn label(&self) -> &'static str {
        match self {
            Hint::EveryCoordinate { reason: EveryReason::NotZero, .. } => "may be nonzero everywhere",
            Hint::EveryCoordinate { reason: EveryReason::NoSparseOperand, .. } => "dense",
            Hint::EveryCoordinate { reason: EveryReason::TakesZeros, .. } => "takes the zeros too",
            Hint::EveryCoordinate { reason: EveryReason::Copied, .. } => "read everywhere",
            Hint::EveryCoordinate { reason: EveryReason::OneByOne, .. } => "one coordinate after the other",
            Hint::Converted { .. } => "read in another format than its own",
            Hint::ResultConverted { .. } => "computed in another format than its own",
            Hint::Strided { .. } => "read across its rows",
        }
    }
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hint::EveryCoordinate { term, points, reason, conditional: false, shared } => {
                let most = if *shared { "at most " } else { "" };
                write!(f, "`{term}` visits every coordinate, {most}{} of them: {reason}", amount(*points))
            }
            Hint::EveryCoordinate { term, points, reason, conditional: true, .. } => {
                write!(
                    f,
                    "`{term}` visits every coordinate where its condition holds, of {}: {reason}",
                    amount(*points)
                )
            }
            Hint::Converted { tensor, encoding, reason, .. } => {
                write!(f, "`{tensor}` is converted to {encoding} first: {reason}")
            }
            Hint::ResultConverted { tensor, encoding } => {
                write!(f, "`{tensor}` is computed as {encoding} and then converted")
            }
            Hint::Strided { access, var, .. } => {
                write!(f, "`{access}` is read across its rows: the innermost loop runs over `{var}`")
            }
        }
    }
}

/// Why every coordinate is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EveryReason {
    /// The term may have a value where the operands are absent.
    NotZero,
    /// No operand's entries show where the term has a value.
    NoSparseOperand,
    /// A reduction takes a zero for every absent entry.
    TakesZeros,
    /// The operand whose entries would show that was copied into a dense array.
    Copied,
    /// A reduction that counts absent terms as zeros takes the terms of each coordinate of a sparse result together, and no
    /// operand shows at which of them there are any.
    OneByOne,
}

impl std::fmt::Display for EveryReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EveryReason::NotZero => "it need not be zero where its operands are absent",
            EveryReason::NoSparseOperand => "no operand of it is sparse",
            EveryReason::Copied => "a dense copy is read everywhere",
            EveryReason::OneByOne => {
                "its reduction counts absent terms as zeros, so it takes the terms of each together; \
                 with `over = stored` it visits entries"
            }
            EveryReason::TakesZeros => "each entry that is absent counts as a zero of its own",
        })
    }
}

/// `1200`, `8.1e9`
fn amount(number: u64) -> String {
    if number < 1_000_000 { number.to_string() } else { format!("{:.1e}", number as f64) }
}

impl Plan {
    /// Its hints; `is_copy` says which operands are dense copies of sparse ones, or masks of them.
    pub fn hints_with_copies(&self, is_copy: &dyn Fn(TensorId) -> bool) -> Vec<Hint> {
        let (kernel, conditions) = (&self.kernel, self.conditions.as_slice());
        let visits = Visits { kernel, conditions, combine: &self.combine, is_copy };
        let (result, operands): (Vec<Hint>, Vec<Hint>) = self
            .hints
            .iter()
            .filter(|hint| !matches!(hint, Hint::EveryCoordinate { .. }))
            .cloned()
            .partition(|hint| matches!(hint, Hint::ResultConverted { .. }));
        result.into_iter().chain(visits.hints(&self.terms)).chain(operands).chain(self.strided(is_copy)).collect()
    }
}

/// What the terms of a kernel visit, and why.
pub(super) struct Visits<'k> {
    pub kernel: &'k Kernel,
    pub conditions: &'k [Condition],
    pub combine: &'k ReduceOp,
    /// Which operands are dense copies of sparse ones.
    pub is_copy: &'k dyn Fn(TensorId) -> bool,
}

impl Visits<'_> {
    /// The hints on terms that visit every coordinate although an operand or the result is sparse.
    pub(super) fn hints(&self, terms: &[Term]) -> Vec<Hint> {
        let dense = is_random_access(self.kernel.tensor(self.kernel.result().tensor));
        let terms = terms::that_count(self.combine, terms).into_iter();
        let hints = terms.filter(|term| !dense || self.is_sparse(&term.body));
        hints
            .filter_map(|term| self.every_coordinate(term).or_else(|| self.every_coordinate_in_range(term, dense)))
            .filter(|hint| hint.points() > 0)
            .collect()
    }

    fn is_sparse(&self, expr: &Expr) -> bool {
        expr.accesses().into_iter().any(|access| self.is_written_sparse(access))
    }

    fn is_stored_sparse(&self, access: &Access) -> bool {
        !is_random_access(self.kernel.tensor(access.tensor))
    }

    fn is_written_sparse(&self, access: &Access) -> bool {
        self.is_stored_sparse(access) || (self.is_copy)(access.tensor)
    }

    fn every_coordinate(&self, term: &Term) -> Option<Hint> {
        let takes_zeros = |node: &&Expr| {
            let takes = matches!(node, Expr::Reduce { op, over, .. } if !over.is_stored() && zero::visits_zeros(self.kernel, op));
            takes && self.is_sparse(node)
        };
        let place = term.body.nodes().into_iter().find(takes_zeros);
        let left = zero::simplify(self.kernel, &term.body, &|access| self.is_stored_sparse(access));
        let (reason, inner) = match (place, left) {
            (Some(Expr::Reduce { vars, .. }), _) => (EveryReason::TakesZeros, vars.clone()),
            (_, None) if self.goes_one_by_one(term) => (EveryReason::OneByOne, Vec::new()),
            (_, None) => return None,
            (_, Some(left)) => (self.reason(term, &left)?, left.bound_vars()),
        };
        Some(self.hint(term, inner, reason, false))
    }

    fn goes_one_by_one(&self, term: &Term) -> bool {
        let result = self.kernel.result();
        let sparse = !is_random_access(self.kernel.tensor(result.tensor));
        let shows = |access: &&Access| {
            self.is_stored_sparse(access) && result.indices.iter().all(|var| access.vars().any(|used| used == *var))
        };
        let Expr::Reduce { op, over: Over::All, .. } = &term.body else { return false };
        sparse && !zero::leaves_zeros_out(self.kernel, op) && !term.body.accesses().iter().any(shows)
    }

    fn hint(&self, term: &Term, inner: Vec<IndexVar>, reason: EveryReason, conditional: bool) -> Hint {
        let vars = graph::loop_vars(term, &self.kernel.result().indices).into_iter().chain(inner);
        let points = vars.map(|var| self.kernel.var(var).extent).fold(1, u64::saturating_mul);
        Hint::EveryCoordinate { term: self.kernel.expr_text(&term.body), points, reason, conditional, shared: false }
    }

    /// The hint on a term that would visit every coordinate but for an inequality of index variables. Only kernels with
    /// sparse operands get it: without these, the text shows what is visited.
    fn every_coordinate_in_range(&self, term: &Term, dense: bool) -> Option<Hint> {
        let is_operand = |access: &Access| self.is_stored_sparse(access) && !self.is_condition(access);
        let in_term = term.body.accesses().into_iter().any(is_operand);
        if !in_term && (dense || !self.kernel.expr().accesses().into_iter().any(is_operand)) {
            return None;
        }
        let told = |access: &Access| self.is_stored_sparse(access) && !self.is_range(access);
        let left = zero::simplify(self.kernel, &term.body, &told)?;
        let reason = if in_term { EveryReason::NotZero } else { EveryReason::NoSparseOperand };
        (!self.fills_the_result(term, &left)).then(|| self.hint(term, left.bound_vars(), reason, true))
    }

    fn is_condition(&self, access: &Access) -> bool {
        self.conditions.iter().any(|condition| condition.tensor == access.tensor)
    }

    /// Whether it stands for a condition that holds at many coordinates for given values of the others: an inequality
    /// that is no side of a band.
    fn is_range(&self, access: &Access) -> bool {
        let bounds = |condition: &Condition, other: &Condition| {
            condition.factors == other.factors && condition.is_upper_bound() != other.is_upper_bound()
        };
        let is_band = |condition: &Condition| self.conditions.iter().any(|other| bounds(condition, other));
        let stands_for = |condition: &&Condition| condition.tensor == access.tensor;
        self.conditions.iter().find(stands_for).is_some_and(|condition| !condition.is_equation() && !is_band(condition))
    }

    /// Why a term that has a value, `left`, without its sparse operands visits every coordinate; `None` if the result
    /// requires that.
    fn reason(&self, term: &Term, left: &Expr) -> Option<EveryReason> {
        let as_written = zero::simplify(self.kernel, &term.body, &|access| self.is_written_sparse(access));
        match as_written {
            None => Some(EveryReason::Copied),
            Some(_) if self.fills_the_result(term, left) => None,
            Some(_) if self.is_sparse(&term.body) => Some(EveryReason::NotZero),
            Some(_) => Some(EveryReason::NoSparseOperand),
        }
    }

    /// Whether the term visits only the entries of a dense result, which must be written anyway: with the value of a
    /// reduction without stored terms, with an old value, or with a dense operand of a sum.
    fn fills_the_result(&self, term: &Term, elsewhere: &Expr) -> bool {
        let result = self.kernel.result();
        let counts = |node: &Expr| matches!(node, Expr::Reduce { over: Over::StoredOr(_), .. });
        let is_old = matches!(elsewhere, Expr::Access(access) if access.as_vars().as_ref() == Some(&result.indices));
        let dense = is_random_access(self.kernel.tensor(result.tensor)) && term.summed.is_empty();
        // If terms are not combined by a sum, the part that is not a reduction is present without them.
        let before = *self.combine != ReduceOp::Sum;
        dense && (is_old || before || self.has_dense_summand(&term.body) || term.body.nodes().into_iter().any(counts))
    }

    /// Whether a part of a sum, or of a bracket that is a factor, has dense operands only, so that it visits every coordinate
    /// by itself.
    fn has_dense_summand(&self, expr: &Expr) -> bool {
        if let Expr::Binary(BinaryOp::Mul, a, b) = expr {
            return self.has_dense_summand(a) || self.has_dense_summand(b);
        }
        let whole = if let Expr::Cast(_, sum) = expr { sum } else { expr };
        let summands = split::summands(whole);
        let dense = |part: &&Expr| !part.accesses().is_empty() && !self.is_sparse(part);
        summands.len() > 1 && summands.into_iter().any(|part| dense(&part))
    }
}

pub(super) fn derived_hints(kernel: &Kernel, derived: &[Derived]) -> Vec<Hint> {
    let hint = |derived: &Derived| {
        let encoding = kernel.tensor(derived.tensor).encoding.as_ref().map_or(String::new(), |e| encoding_text(e));
        let tensor = kernel.tensor(derived.from).name.clone();
        let indices = derived.indices.iter().map(|var| kernel.var(*var).name.clone()).collect();
        Hint::Converted { tensor, indices, encoding, reason: derived.reason }
    };
    derived.iter().map(hint).collect()
}

/// The well-known name of an encoding, or its levels.
pub(super) fn encoding_text(encoding: &Encoding) -> String {
    let name = |encoding: &Encoding| named::names_of(encoding).nnz;
    name(encoding).or_else(|| Some(format!("unordered {}", name(&ordered(encoding)?)?))).unwrap_or_else(|| {
        let level = |(at, level): (usize, &Level)| format!("{} : {}", encoding.level_text(Lvl::new(at)), level.format);
        let levels: Vec<String> = encoding.levels().iter().enumerate().map(level).collect();
        format!("({})", levels.join(", "))
    })
}

/// The same levels with their coordinates in order, and no entry twice, if they are in none.
fn ordered(encoding: &Encoding) -> Option<Encoding> {
    let is_ordered = encoding.levels().iter().all(|level| !level.format.props().nonordered);
    let last = encoding.lvl_rank().checked_sub(1).filter(|_| !is_ordered)?;
    let level = |(at, level): (usize, &Level)| {
        let nonunique = at < last && level.format.props().nonunique;
        Level { format: level.format.with_props(Props { nonunique, nonordered: false }), ..level.clone() }
    };
    let levels = encoding.levels().iter().enumerate().map(level).collect();
    let (symbols, dims) = (encoding.symbols().to_vec(), encoding.dims().to_vec());
    Encoding::new(EncodingParts { symbols, dims, levels, ..EncodingParts::default() }).ok()
}
