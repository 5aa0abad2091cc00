//! The tools for drawing a picture.

use std::fmt::Write;

use super::Theme;
use crate::graph::escaped;

/// The colours of levels, from the outermost on; they can be distinguished on light and on dark ground.
const LEVELS: &[&str] = &["#3b82d6", "#c77700", "#2f9e5b", "#c2549d", "#8a63d2", "#b0602a"];

pub(super) struct Pen {
    body: String,
    theme: Theme,
}

/// The alignment of text at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
}

impl Pen {
    pub(super) fn new(theme: Theme) -> Pen {
        Pen { body: String::new(), theme }
    }

    /// Of text and of values.
    pub(super) fn ink(&self) -> &'static str {
        match self.theme {
            Theme::Any => "#808890",
            Theme::Light => "#3d444d",
            Theme::Dark => "#c9d1d9",
        }
    }

    /// The colour of frames, and of what is not stored.
    pub(super) fn faint(&self) -> &'static str {
        match self.theme {
            Theme::Any => "#9aa2aa",
            Theme::Light => "#b6bec7",
            Theme::Dark => "#5a626b",
        }
    }

    pub(super) fn level(at: usize) -> &'static str {
        LEVELS.get(at % LEVELS.len()).copied().unwrap_or("#808890")
    }

    /// One element; writing to a string does not fail.
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{element}");
    }

    /// Text whose middle is at height `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, colour: &str, text: &str) {
        let base = y + 3.2;
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let text = escaped(text);
        self.push(format_args!(
            r#"<text x="{x:.1}" y="{base:.1}" text-anchor="{anchor}" fill="{colour}">{text}</text>"#
        ));
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let faint = self.faint();
        self.push(format_args!(r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{faint}"/>"#));
    }

    /// A box, filled if it has a colour.
    pub(super) fn cell(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: Option<&str>) {
        let (faint, fill) = (self.faint(), fill.unwrap_or("none"));
        self.push(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}" stroke="{faint}" stroke-width="0.6"/>"#
        ));
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64), colour: &str) {
        self.push(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.2" fill="{colour}"/>"#));
    }

    /// The whole picture.
    pub(super) fn finish(self, width: f64, height: f64) -> String {
        let (width, height) = (width.ceil(), height.ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"9\">\n{}</svg>\n",
            self.body
        )
    }
}
