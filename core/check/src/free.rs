//! Free names, for messages that advise a definition.

use crate::scope::Scope;

impl Scope {
    /// `wanted`, or, if it is taken, `wanted` with the first number that makes it free: `B_2`.
    pub fn free_name(&self, wanted: &str) -> String {
        if self.get(wanted).is_none() {
            return wanted.to_string();
        }
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let mut others = (2..=self.len() + 2).map(|number| format!("{stem}_{number}"));
        others.find(|name| self.get(name).is_none()).unwrap_or_else(|| format!("{stem}_{}", self.len() + 3))
    }

    /// A text whose statements in backticks define names, with free names in their place.
    pub fn with_free_names(&self, text: &str) -> String {
        let defined: Vec<&str> = text.split('`').skip(1).step_by(2).filter_map(defined_name).collect();
        let taken = defined.into_iter().filter(|name| self.get(name).is_some());
        let text = taken.fold(text.to_string(), |text, name| in_code(&text, name, &self.free_name(name)));
        self.with_free_variables(text)
    }

    /// A text whose index variables name nothing: where one is a value, it would be that of the name.
    fn with_free_variables(&self, text: String) -> String {
        const VARIABLES: [&str; 10] = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r"];
        let code: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        let used = |name: &str| code.iter().any(|part| part.split(|c: char| !is_of_name(c)).any(|word| word == name));
        let called = |name: &str| code.iter().any(|part| part.contains(&format!("{name}(")));
        let mut free = VARIABLES.into_iter().filter(|name| self.get(name).is_none() && !used(name));
        let taken = VARIABLES.into_iter().filter(|name| self.get(name).is_some() && used(name) && !called(name));
        let renamed: Vec<(&str, &str)> = taken.zip(free.by_ref()).collect();
        renamed.into_iter().fold(text.clone(), |text, (name, other)| in_code(&text, name, other))
    }
}

/// The name at the beginning of a statement that defines it: `n : f64 = 2`, `C(i, j) = A(j, i)`.
fn defined_name(statement: &str) -> Option<&str> {
    let (head, _) = statement.split_once(" = ")?;
    let end = head.find(|c: char| !is_of_name(c)).unwrap_or(head.len());
    let (name, behind) = head.split_at(end);
    let defines = behind.is_empty() || behind.starts_with('(') || behind.starts_with(" :");
    (defines && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name)
}

/// The text with another name between its backticks.
fn in_code(text: &str, name: &str, other: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { renamed(part, name, other) } else { part.to_string() });
    parts.collect::<Vec<_>>().join("`")
}

fn renamed(code: &str, name: &str, other: &str) -> String {
    let words = code.split_inclusive(|c: char| !is_of_name(c));
    let word = |part: &str| match part.strip_prefix(name) {
        Some(behind) if !behind.starts_with(is_of_name) => format!("{other}{behind}"),
        _ => part.to_string(),
    };
    words.map(word).collect()
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Meaning;
    use nnz_base::element::Element;

    #[test]
    fn names_that_are_taken_have_a_number() {
        let mut scope = Scope::default();
        for name in ["m", "B", "A_2"] {
            scope.define(name, Meaning::Scalar(Element::F64));
        }
        assert_eq!(scope.free_name("x"), "x");
        assert_eq!(scope.free_name("A_2"), "A_3");
        let told = scope.with_free_names("`m : f64 = sum(i, x(i))`, then `s : f64 = x(0) - m` of m, or `B`");
        assert_eq!(told, "`m_2 : f64 = sum(i, x(i))`, then `s : f64 = x(0) - m_2` of m, or `B`");
        scope.define("j", Meaning::Scalar(Element::F64));
        let told = scope.with_free_names("as in `y(i) = sum(j, select(j <= i, x(j)))`");
        assert_eq!(told, "as in `y(i) = sum(k, select(k <= i, x(k)))`");
    }
}
