//! Iteration graphs as SVG: a column of loops, outermost first, with arrows for the constraints on their order; beside
//! each loop, what it visits; below them, how every operand is accessed.
//!
//! The picture has its own background, because an image cannot ask for the colours of the page it is on.

mod svg;
#[cfg(test)]
mod tests;

pub(crate) use self::svg::escaped;
use self::svg::{Canvas, Class, node_width};
use nnz_plan::iterate::{AccessKind, EdgeText, GraphText, LoopText, Role};

const LEFT: f64 = 20.0;
const LINE: f64 = 22.0;
/// Between the middles of two loops.
const STEP: f64 = 64.0;
/// How far an arrow over one loop swings out.
const SWING: f64 = 34.0;

/// The picture of a kernel's graphs, one under the other.
pub fn svg(graphs: &[GraphText]) -> String {
    let (mut canvas, mut y) = (Canvas::default(), 28.0);
    for graph in graphs {
        y = Column::new(graph, y).draw(&mut canvas) + LINE;
    }
    canvas.finish()
}

/// One graph, being drawn from height `top` on.
struct Column<'g> {
    graph: &'g GraphText,
    top: f64,
    /// Where the loops' boxes begin.
    left: f64,
    /// The widest box.
    width: f64,
}

impl<'g> Column<'g> {
    fn new(graph: &'g GraphText, top: f64) -> Column<'g> {
        let width = graph.loops.iter().map(|l| node_width(&l.name)).fold(0.0, f64::max);
        let longest = graph.edges.iter().map(span).max().unwrap_or(0);
        let left = LEFT + if longest > 1 { SWING * (longest - 1) as f64 } else { 0.0 };
        Column { graph, top, left, width }
    }

    /// Returns the height below it.
    fn draw(&self, canvas: &mut Canvas) -> f64 {
        canvas.text((LEFT, self.top), Class::Title, &self.graph.term);
        for (at, l) in self.graph.loops.iter().enumerate() {
            self.draw_loop(canvas, at, l);
        }
        let pairs = 1..self.graph.loops.len();
        pairs.for_each(|to| self.draw_neighbours(canvas, to));
        self.graph.edges.iter().filter(|edge| span(edge) > 1).for_each(|edge| self.draw_arc(canvas, edge));
        let below = self.middle(self.graph.loops.len()) - STEP + 1.7 * LINE;
        self.draw_words(canvas, below)
    }

    /// The height of a loop's middle.
    fn middle(&self, at: usize) -> f64 {
        self.top + 40.0 + at as f64 * STEP
    }

    fn draw_loop(&self, canvas: &mut Canvas, at: usize, l: &LoopText) {
        let class = match l.role {
            Role::Result => Class::ResultLoop,
            Role::Reduction => Class::ReductionLoop,
        };
        let y = self.middle(at);
        canvas.node((self.left, y), class, &l.name);
        let role = if l.role == Role::Reduction { ", summed" } else { "" };
        let parallel = if l.parallel { ", parallel" } else { "" };
        canvas.text((self.left + self.width + 14.0, y), Class::Text, &format!("{}{role}{parallel}", l.over));
    }

    /// From a loop to the next: an arrow with its reasons, or a line that says that one is inside the other.
    fn draw_neighbours(&self, canvas: &mut Canvas, to: usize) {
        let (from_y, to_y) = (self.middle(to - 1) + 15.0, self.middle(to) - 15.0);
        let x = self.left + 20.0;
        let joins = |edge: &&EdgeText| (edge.from.index(), edge.to.index()) == (to - 1, to);
        let reasons: Vec<&str> = self.graph.edges.iter().filter(joins).map(|edge| edge.reason.as_str()).collect();
        let class = if reasons.is_empty() { Class::Nesting } else { Class::Arrow };
        canvas.line((x, from_y), to_y, class);
        canvas.text((x + 12.0, (from_y + to_y) / 2.0), Class::Note, &reasons.join("; "));
    }

    fn draw_arc(&self, canvas: &mut Canvas, edge: &EdgeText) {
        let ends = (self.middle(edge.from.index()) + 6.0, self.middle(edge.to.index()) - 6.0);
        canvas.arc(self.left, ends, SWING * (span(edge) - 1) as f64);
    }

    /// The reasons of the arcs, the accesses and the notes, a line each.
    fn draw_words(&self, canvas: &mut Canvas, mut y: f64) -> f64 {
        for access in &self.graph.accesses {
            canvas.dot((LEFT + 5.0, y), mark(access.how));
            canvas.text((LEFT + 18.0, y), Class::Text, &format!("{}: {}", access.access, access.how));
            y += LINE;
        }
        let name = |at: usize| self.graph.loops.get(at).map_or("?", |l| l.name.as_str());
        let arcs = self.graph.edges.iter().filter(|edge| span(edge) > 1);
        let arcs = arcs.map(|e| format!("{} before {}: {}", name(e.from.index()), name(e.to.index()), e.reason));
        for note in arcs.chain(self.graph.notes.iter().cloned()) {
            canvas.text((LEFT, y), Class::Note, &note);
            y += LINE;
        }
        y
    }
}

/// How many loops further in an edge ends.
fn span(edge: &EdgeText) -> usize {
    edge.to.index().saturating_sub(edge.from.index())
}

fn mark(how: AccessKind) -> Class {
    match how {
        AccessKind::Walked | AccessKind::Contiguous => Class::Good,
        AccessKind::Fixed | AccessKind::Scalar | AccessKind::LookedUp => Class::Plain,
        AccessKind::Scattered => Class::Costly,
    }
}
