//! Labels of signatures, with the places of their parameters.

use super::{Parameter, Signature, call::Site};

/// A label while it is written.
pub(super) struct Builder {
    label: String,
    parameters: Vec<Parameter>,
}

impl Builder {
    pub(super) fn new(start: &str) -> Builder {
        Builder { label: start.to_string(), parameters: Vec::new() }
    }

    pub(super) fn add(&mut self, parameter: &str, text: &str, separator: &str) {
        if !self.parameters.is_empty() {
            self.label.push_str(separator);
        }
        let start = self.label.len();
        self.label.push_str(parameter);
        self.parameters.push(Parameter { range: start..self.label.len(), text: text.to_string() });
    }

    /// The parameter of the name at the cursor, or by the number of arguments before it. A parameter `...` stands for
    /// any number of arguments, those after it for the last ones.
    pub(super) fn finish(mut self, end: &str, text: &str, site: &Site<'_>) -> Signature {
        self.label.push_str(end);
        let says = |parameter: &Parameter, wanted: &str| {
            self.label
                .get(parameter.range.clone())
                .is_some_and(|text| text.split([' ', '=', ':']).next() == Some(wanted))
        };
        let named = site.name.and_then(|name| self.parameters.iter().position(|parameter| says(parameter, name)));
        let many = self.parameters.iter().position(|parameter| says(parameter, "..."));
        let counted = many.map_or(site.argument, |many| site.argument.min(many));
        let active = named.or((counted < self.parameters.len()).then_some(counted));
        Signature { label: self.label, parameters: self.parameters, text: text.to_string(), active }
    }

    pub(super) fn at(self, active: Option<usize>, text: &str) -> Signature {
        let active = active.filter(|active| *active < self.parameters.len());
        let label = self.label.trim_end().to_string();
        Signature { label, parameters: self.parameters, text: text.to_string(), active }
    }

    /// Of an operation: the last operand may stand for many.
    pub(super) fn counted(mut self, end: &str, commas: usize, operands: usize) -> Signature {
        self.label.push_str(end);
        let many = self.label.contains(" ...");
        let active = if many { commas.min(operands.saturating_sub(1)) } else { commas };
        let (label, parameters) = (self.label, self.parameters);
        Signature { label, active: Some(active).filter(|active| *active < operands), parameters, text: String::new() }
    }
}

/// The parts between commas outside brackets.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts.retain(|part| !part.is_empty());
    parts
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
