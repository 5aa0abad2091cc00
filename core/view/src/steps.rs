//! A run of a kernel, step by step: beside each line of its loops, what it set, read and stored.

use serde_json::{Value, json};

use super::{Line, Markup, Role, Screen, json as numbers, number};
use nnz_loops::trace::{Noted, Step, Trace};

/// As many steps are listed on a screen.
const MOST_LINES: usize = 60;

/// A run of the kernel that computed a name.
#[derive(Clone, Copy, Debug)]
pub struct StepsView<'a> {
    pub name: &'a str,
    pub trace: &'a Trace,
}

impl StepsView<'_> {
    /// A line for each step, of at most the screen's width.
    pub fn markup(&self, screen: Screen) -> Markup {
        let lines: Vec<&str> = self.trace.text.lines().collect();
        let of = |step: &Step| lines.get(step.line).copied().unwrap_or_default();
        let shown = &self.trace.steps[..self.trace.steps.len().min(MOST_LINES)];
        let width = shown.iter().map(|step| of(step).chars().count()).max().unwrap_or(0).min(screen.width / 2);
        let mut markup: Markup = shown.iter().map(|step| line(of(step), step, width, screen)).collect();
        if let Some(more) = self.more(shown.len()) {
            markup.push(Line::of(Role::Note, format!("{} {more}", screen.ellipsis())));
        }
        markup
    }

    fn more(&self, shown: usize) -> Option<String> {
        let rest = self.trace.steps.len() - shown;
        let least = if self.trace.is_cut { "at least " } else { "" };
        (rest > 0 || self.trace.is_cut).then(|| format!("{least}{} more steps", number::grouped(rest as u64)))
    }

    pub fn json(&self) -> Value {
        json!({
            "kind": "steps",
            "name": self.name,
            "loops": self.trace.text.lines().collect::<Vec<_>>(),
            "steps": self.trace.steps.iter().map(step).collect::<Vec<_>>(),
            "all": !self.trace.is_cut,
        })
    }
}

fn line(text: &str, step: &Step, width: usize, screen: Screen) -> Line {
    let mut line = Line::new();
    line.push_left(Role::Plain, super::markup::elide(text, width, screen.ellipsis()), width);
    for (name, value) in &step.set {
        line.push(Role::Plain, "  ");
        line.push(Role::Name, name);
        line.push(Role::Number, format!(" = {}", brief(*value, screen.precision)));
    }
    for touched in &step.touched {
        let arrow = if touched.is_store { screen.pick("←", "<-") } else { screen.pick("→", "->") };
        line.push(Role::Plain, format!("  {}[{}] {arrow} ", touched.array, touched.at));
        line.push(Role::Number, brief(touched.value, screen.precision));
    }
    line
}

fn brief(value: Noted, digits: usize) -> String {
    match value {
        Noted::Truth(truth) => truth.to_string(),
        Noted::Index(number) => number.to_string(),
        Noted::Value(element, scalar) => number::brief(scalar, element, digits),
    }
}

fn step(step: &Step) -> Value {
    let set: Vec<Value> = step.set.iter().map(|(name, value)| json!([name, exact(*value)])).collect();
    let touched = step.touched.iter().map(|touched| {
        let how = if touched.is_store { "store" } else { "read" };
        json!({ "array": touched.array, "at": touched.at, "how": how, "value": exact(touched.value) })
    });
    json!({ "line": step.line, "set": set, "touched": touched.collect::<Vec<_>>() })
}

fn exact(value: Noted) -> Value {
    match value {
        Noted::Truth(truth) => truth.into(),
        Noted::Index(number) => number.into(),
        Noted::Value(element, scalar) => numbers::scalar(scalar, element),
    }
}
