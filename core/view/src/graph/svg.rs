//! An SVG drawing that grows with its contents.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

/// The width of a character of the monospaced font at its size, in pixels.
const ADVANCE: f64 = 7.8;
const MARGIN: f64 = 20.0;
/// From the middle of a line of text to its baseline.
const BASELINE: f64 = 4.5;

/// The class of a piece of the drawing; the style sheet defines its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Title,
    Text,
    Note,
    ResultLoop,
    ReductionLoop,
    Arrow,
    Nesting,
    Good,
    Plain,
    Costly,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Title => "title",
            Class::Text => "text",
            Class::Note => "note",
            Class::ResultLoop => "result",
            Class::ReductionLoop => "reduction",
            Class::Arrow => "arrow",
            Class::Nesting => "nesting",
            Class::Good => "good",
            Class::Plain => "plain",
            Class::Costly => "costly",
        }
    }
}

const STYLE: &str = "
  text { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #24292f }
  .title { font-weight: bold }
  .note { font-size: 12px; fill: #6e7781 }
  .name { text-anchor: middle; font-weight: bold }
  .result { fill: #ddf4ff; stroke: #0969da }
  .reduction { fill: #fff1e5; stroke: #bc4c00 }
  .arrow { fill: none; stroke: #57606a; stroke-width: 1.5; marker-end: url(#head) }
  .nesting { fill: none; stroke: #afb8c1; stroke-width: 1.5; stroke-dasharray: 3 4 }
  .good { fill: #1a7f37 }
  .plain { fill: #8c959f }
  .costly { fill: #bf8700 }
";

#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    width: f64,
    height: f64,
}

impl Canvas {
    fn reach(&mut self, x: f64, y: f64) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    /// One element; writing to a string does not fail.
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{element}");
    }

    /// Text whose middle is at height `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), class: Class, text: &str) {
        self.reach(x + width_of(text), y + 10.0);
        let base = y + BASELINE;
        self.push(format_args!(r#"<text x="{x}" y="{base}" class="{}">{}</text>"#, class.name(), escaped(text)));
    }

    /// A box with a name in it; its left edge and its middle are given.
    pub(super) fn node(&mut self, (x, y): (f64, f64), class: Class, name: &str) {
        let (width, height) = (node_width(name), 30.0);
        let (top, middle, base) = (y - height / 2.0, x + width / 2.0, y + BASELINE);
        self.reach(x + width, y + height / 2.0);
        self.push(format_args!(
            r#"<rect x="{x}" y="{top}" width="{width}" height="{height}" rx="8" class="{}"/>"#,
            class.name()
        ));
        self.push(format_args!(r#"<text x="{middle}" y="{base}" class="name">{}</text>"#, escaped(name)));
    }

    pub(super) fn line(&mut self, (x, from): (f64, f64), to: f64, class: Class) {
        self.push(format_args!(r#"<path d="M {x} {from} L {x} {to}" class="{}"/>"#, class.name()));
    }

    /// An arrow from `from` down to `to`, both at `x`, that swings out to the left by `by`.
    pub(super) fn arc(&mut self, x: f64, (from, to): (f64, f64), by: f64) {
        let out = x - by;
        self.push(format_args!(r#"<path d="M {x} {from} C {out} {from} {out} {to} {x} {to}" class="arrow"/>"#));
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64), class: Class) {
        self.push(format_args!(r#"<circle cx="{x}" cy="{y}" r="4" class="{}"/>"#, class.name()));
    }

    /// The whole picture.
    pub(super) fn finish(self) -> String {
        let (width, height) = ((self.width + MARGIN).ceil(), (self.height + MARGIN).ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\">\n<style>{STYLE}</style>\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M 0 0 L 8 4 L 0 8 z\" \
             fill=\"#57606a\"/></marker></defs>\n<rect width=\"{width}\" height=\"{height}\" rx=\"6\" \
             fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

pub(super) fn width_of(text: &str) -> f64 {
    text.width() as f64 * ADVANCE
}

pub(super) fn node_width(name: &str) -> f64 {
    (width_of(name) + 22.0).max(40.0)
}

/// As XML wants it; control characters, which it cannot hold, are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}
