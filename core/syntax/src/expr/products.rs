//! Products as linear algebra writes them, `A @ x`, `einsum("ij,j->i", A, x)` and `sum_j A_ij x_j`, in index notation.

/// `y(i) = A(i, j) * x(j)` for `y = A @ x`, from the text of the line before the product, and its factors.
pub(crate) fn of_names(before: &str, factors: &[&str]) -> Option<String> {
    let target = before.trim_end().strip_suffix('=')?.trim();
    let (name, ty) = target.split_once(':').map_or((target, None), |(name, ty)| (name.trim(), Some(ty.trim())));
    let factors: Vec<Factor<'_>> = factors.iter().map(|factor| Factor::new(factor)).collect();
    let fine = is_name(name) && factors.iter().all(|factor| is_name(factor.name));
    let (result, product) = chain(&factors).filter(|_| fine)?;
    Some(match ty {
        Some(ty) if result.starts_with('(') => format!("{name}{result} : {ty} = {product}"),
        Some(ty) => format!("{name} : {ty} = {product}"),
        None => format!("{name}{result} = {product}"),
    })
}

/// `y(i) = alpha * A(i, j) * x(j)` for `y = alpha * A @ x`, too: numbers in front of the first factor.
pub(super) fn of_scaled(before: &str, factors: &[&str]) -> Option<String> {
    let (first, rest) = factors.split_first()?;
    let Some((scale, first)) = first.rsplit_once('*') else { return of_names(before, factors) };
    let simple = |part: &str| is_name(part.trim()) || part.trim().parse::<f64>().is_ok();
    let fine = scale.split('*').all(simple);
    let factors: Vec<&str> = std::iter::once(first).chain(rest.iter().copied()).collect();
    let whole = of_names(before, &factors).filter(|_| fine)?;
    Some(whole.replacen(" = ", &format!(" = {} * ", scale.trim()), 1))
}

/// What a product of such factors looks like.
pub(super) fn form(factors: &[&str]) -> &'static str {
    let vector = |factor: Option<&&str>| {
        let name = factor.and_then(|factor| factor.rsplit('*').next()).unwrap_or_default().trim();
        name.starts_with(|c: char| c.is_ascii_lowercase())
    };
    match (vector(factors.first()), vector(factors.last())) {
        (true, true) => "s : f64 = x(i) * y(i)",
        (true, false) => "y(j) = x(i) * A(i, j)",
        (false, true) => "y(i) = A(i, j) * x(j)",
        (false, false) => "C(i, j) = A(i, k) * B(k, j)",
    }
}

/// `A`, or `A.T`.
struct Factor<'t> {
    name: &'t str,
    is_turned: bool,
    /// Capital letters name matrices, small ones vectors.
    is_matrix: bool,
}

impl<'t> Factor<'t> {
    fn new(text: &'t str) -> Factor<'t> {
        let (name, is_turned) = text.trim().strip_suffix(".T").map_or((text.trim(), false), |name| (name, true));
        Factor { name, is_turned, is_matrix: name.starts_with(|c: char| c.is_ascii_uppercase()) }
    }

    fn indexed(&self, first: &str, second: &str) -> String {
        match (self.is_matrix, self.is_turned) {
            (false, _) => format!("{}({first})", self.name),
            (true, false) => format!("{}({first}, {second})", self.name),
            (true, true) => format!("{}({second}, {first})", self.name),
        }
    }
}

/// What the result is indexed by, with its parentheses, and the product; each dimension between two factors has a
/// variable of its own. A vector is at an end.
fn chain(factors: &[Factor<'_>]) -> Option<(String, String)> {
    const INNER: [&str; 6] = ["k", "l", "m", "n", "o", "p"];
    let (first, inside) = factors.split_first()?;
    let (last, inside) = inside.split_last()?;
    if inside.iter().any(|factor| !factor.is_matrix) || inside.len() >= INNER.len() {
        return None;
    }
    let (left, right) = (first.is_matrix, last.is_matrix);
    // Where a factor and the next one meet: `j` where a vector leaves it free.
    let inner = |at: usize| match (left, right) {
        (true, false) if at == inside.len() => "j",
        (false, true) if at == 0 => "i",
        (false, false) => ["i", "j", "k", "l", "m", "n"][at],
        _ => INNER[at],
    };
    let mut parts = vec![if left { first.indexed("i", inner(0)) } else { first.indexed(inner(0), "") }];
    parts.extend(inside.iter().enumerate().map(|(at, factor)| factor.indexed(inner(at), inner(at + 1))));
    parts.push(last.indexed(inner(inside.len()), "j"));
    let result = match (left, right) {
        (true, true) => "(i, j)",
        (true, false) => "(i)",
        (false, true) => "(j)",
        (false, false) => " : f64",
    };
    Some((result.to_string(), parts.join(" * ")))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A product of an `einsum`: the variables of its result, in their order, and the product itself.
pub(super) struct Einsum {
    result: Vec<String>,
    product: String,
}

impl Einsum {
    /// `i` and `A(i, j) * x(j)` for the specification `ij,j->i` and the operands `A` and `x`.
    pub(super) fn new(specification: &str, operands: &[&str]) -> Option<Einsum> {
        let (inputs, output) = match specification.split_once("->") {
            Some((inputs, output)) => (inputs, output.trim().chars().collect()),
            None => (specification, met_once(specification)),
        };
        let named = |c: &char| inputs.contains(*c) && output.iter().filter(|other| *other == c).count() == 1;
        let factors: Vec<String> = inputs.split(',').map(|letters| listed(letters.trim())).collect::<Option<_>>()?;
        let fine = factors.len() == operands.len() && operands.iter().all(|name| is_name(name));
        let factors = operands.iter().zip(factors).map(|(name, indices)| format!("{name}({indices})"));
        (fine && output.iter().all(named)).then(|| Einsum {
            result: output.iter().map(char::to_string).collect(),
            product: factors.collect::<Vec<_>>().join(" * "),
        })
    }

    /// The whole statement, given the text before the `einsum` on its line: a name, with or without indices and a type.
    pub(super) fn statement(&self, before: &str) -> Option<String> {
        let left = before.trim_end().strip_suffix('=')?;
        let (target, tensor_type) =
            left.split_once(':').map_or((left, None), |(target, own)| (target, Some(own.trim())));
        let name = target.split('(').next()?.trim();
        let indices = target.trim().strip_prefix(name)?.trim();
        let indexed = indices.is_empty() || indices.starts_with('(') && indices.find(')') == Some(indices.len() - 1);
        (is_name(name) && indexed).then(|| match (self.result.is_empty(), tensor_type) {
            (true, None) => format!("{name} : f64 = {}", self.product),
            (true, Some(own)) => format!("{name} : {own} = {}", self.product),
            (false, None) => self.of(name),
            (false, Some(own)) => format!("{name}({}) : {own} = {}", self.result.join(", "), self.product),
        })
    }

    /// The statement that gives `name` the product.
    pub(super) fn of(&self, name: &str) -> String {
        match self.result.as_slice() {
            [] => format!("{name} : f64 = {}", self.product),
            vars => format!("{name}({}) = {}", vars.join(", "), self.product),
        }
    }
}

/// The letters that occur once in the specification, in alphabetical order: NumPy's default for the result.
fn met_once(specification: &str) -> Vec<char> {
    let letters: Vec<char> = specification.chars().filter(char::is_ascii_lowercase).collect();
    let once = |c: &&char| letters.iter().filter(|other| other == c).count() == 1;
    let mut once: Vec<char> = letters.iter().filter(once).copied().collect();
    once.sort_unstable();
    once
}

/// `A(i, k) * A(k, j)` for the power 2 of a matrix; for small powers only.
pub fn of_power(name: &str, power: usize) -> Option<String> {
    let inner: Vec<char> = ('k'..='n').take(power.checked_sub(1)?).collect();
    let bounds: Vec<char> = std::iter::once('i').chain(inner).chain(['j']).collect();
    let factors = bounds.windows(2).map(|pair| format!("{name}({}, {})", pair[0], pair[1]));
    (2..=5).contains(&power).then(|| factors.collect::<Vec<_>>().join(" * "))
}

/// `i, j` for `ij`.
fn listed(letters: &str) -> Option<String> {
    let fine = !letters.is_empty() && letters.chars().all(|c| c.is_ascii_lowercase());
    fine.then(|| letters.chars().map(String::from).collect::<Vec<_>>().join(", "))
}

/// `y(i) = sum(j, A(i, j) * x(j))` for `y_i = sum_j A_ij x_j`.
pub(crate) fn of_subscripts(line: &str) -> Option<String> {
    let (left, right) = line.split_once('=')?;
    let (name, indices) = left.trim().split_once('_')?;
    let right = factors(right.trim())?;
    is_name(name).then_some(())?;
    Some(format!("{name}({}) = {right}", listed(without_braces(indices))?))
}

fn without_braces(text: &str) -> &str {
    text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text)
}

/// A row of words with subscripts; a sum extends over all that follows.
fn factors(text: &str) -> Option<String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim().trim_start_matches('*').trim();
    let (name, subscript) = word.split_once('_').unwrap_or((word, ""));
    let own = match subscript {
        "" => name.to_string(),
        letters => format!("{name}({})", listed(without_braces(letters))?),
    };
    is_name(name).then_some(())?;
    match (name, rest) {
        ("sum" | "prod", rest) => Some(format!("{name}({}, {})", listed(without_braces(subscript))?, factors(rest)?)),
        (_, "") => Some(own),
        (_, rest) => Some(format!("{own} * {}", factors(rest)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_indexed() {
        let of = |factors: &[&str]| of_names("y = ", factors).unwrap_or_default();
        assert_eq!(of(&["A", "x"]), "y(i) = A(i, j) * x(j)");
        assert_eq!(of(&["x", "A"]), "y(j) = x(i) * A(i, j)");
        assert_eq!(of(&["A", "B"]), "y(i, j) = A(i, k) * B(k, j)");
        assert_eq!(of(&["A", "A.T"]), "y(i, j) = A(i, k) * A(j, k)");
        assert_eq!(of(&["A.T", "x"]), "y(i) = A(j, i) * x(j)");
        assert_eq!(of(&["x", "z"]), "y : f64 = x(i) * z(i)");
        assert_eq!(of(&["A", "B", "x"]), "y(i) = A(i, k) * B(k, j) * x(j)");
        assert_eq!(of(&["A", "B", "C"]), "y(i, j) = A(i, k) * B(k, l) * C(l, j)");
        assert_eq!(of(&["A.T", "W", "A"]), "y(i, j) = A(k, i) * W(k, l) * A(l, j)");
        assert_eq!(of(&["x", "A", "x"]), "y : f64 = x(i) * A(i, j) * x(j)");
        assert_eq!(of(&["x", "A", "B"]), "y(j) = x(i) * A(i, l) * B(l, j)");
        assert_eq!(of(&["A", "x", "B"]), "");
        assert_eq!(of_names("y(i) = ", &["A", "x"]), None);
    }

    #[test]
    fn an_einsum_says_what_its_result_is_indexed_by() {
        let of = |before, specification, operands: &[&str]| Einsum::new(specification, operands)?.statement(before);
        let of = |before, specification, operands| of(before, specification, operands).unwrap_or_default();
        assert_eq!(of("y = ", "ij,j->i", &["A", "x"]), "y(i) = A(i, j) * x(j)");
        assert_eq!(of("y(j) = ", "ij,j->i", &["A", "x"]), "y(i) = A(i, j) * x(j)");
        assert_eq!(of("C : CSR = ", "ij->ji", &["A"]), "C(j, i) : CSR = A(i, j)");
        assert_eq!(of("s = ", "ij,ij->", &["A", "B"]), "s : f64 = A(i, j) * B(i, j)");
        assert_eq!(of("s = ", "ii", &["A"]), "s : f64 = A(i, i)");
        assert_eq!(of("C = ", "kb,ak", &["A", "B"]), "C(a, b) = A(k, b) * B(a, k)");
        assert_eq!(of("y = ", "ij,j->i", &["A"]), "");
        assert_eq!(of("y = ", "ij->k", &["A"]), "");
        assert_eq!(of("y = ", "ij->ii", &["A"]), "");
        assert_eq!(of("y = 2 * ", "ij->i", &["A"]), "");
    }

    #[test]
    fn subscripts_are_indices() {
        let text = "y_i = sum_j A_ij x_j";
        assert_eq!(of_subscripts(text).as_deref(), Some("y(i) = sum(j, A(i, j) * x(j))"));
        assert_eq!(of_subscripts("y_{ij} = a * A_{ij}").as_deref(), Some("y(i, j) = a * A(i, j)"));
        assert_eq!(of_subscripts("y = exp x"), None);
    }
}
