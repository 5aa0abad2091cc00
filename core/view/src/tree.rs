//! The coordinate tree of a storage: each level is indented one step further, with a value at each leaf
//! (Chou, Kjolstad and Amarasinghe 2018, section 3).

use super::{Line, Markup, Role, Screen, TensorView, number, spy};
use nnz_base::ids::Lvl;
use nnz_storage::{Fiber, Fibers, model};

/// A node with more children shows the first and the last of them.
const MAX_CHILDREN: u64 = 12;
const FIRST_CHILDREN: u64 = 8;
/// The tree ends after as many lines.
const MAX_LINES: usize = 100;

impl TensorView<'_> {
    /// The tree, elided if it is wide or long.
    pub fn tree(&self, screen: Screen) -> Markup {
        let titled = Markup::new().line(self.title());
        let Ok(fibers) = Fibers::new(self.storage) else { return titled.then(spy::unknown()) };
        let names = model::of_storage(self.storage, 0).levels.into_iter().map(|level| level.expr).collect();
        let mut tree = Tree { view: self, fibers, names, screen, markup: titled };
        tree.children(&mut Vec::new(), 0, 0);
        tree.markup
    }
}

struct Tree<'a> {
    view: &'a TensorView<'a>,
    fibers: Fibers<'a>,
    /// Of the levels: their expressions.
    names: Vec<String>,
    screen: Screen,
    markup: Markup,
}

/// What is drawn left of a node's descendants: a line or none for each level above.
type Rails = Vec<bool>;

impl Tree<'_> {
    fn is_full(&self) -> bool {
        self.markup.lines.len() > MAX_LINES
    }

    fn children(&mut self, rails: &mut Rails, depth: usize, position: u64) {
        let fiber = self.fibers.below(Lvl::new(depth), position);
        let len = fiber.len();
        if len <= MAX_CHILDREN {
            return self.some(rails, depth, &fiber, 0..len);
        }
        self.some(rails, depth, &fiber, 0..FIRST_CHILDREN);
        let more = format!("{} {} more", self.screen.ellipsis(), number::grouped(len - FIRST_CHILDREN - 1));
        self.push(rails, false, Line::of(Role::Absent, more));
        self.some(rails, depth, &fiber, len - 1..len);
    }

    fn some(&mut self, rails: &mut Rails, depth: usize, fiber: &Fiber<'_>, range: std::ops::Range<u64>) {
        let children = fiber.children(range.clone());
        for (at, (position, coordinate)) in range.zip(children) {
            let is_last = at + 1 == fiber.len();
            if self.is_full() {
                return;
            }
            let node = Line::of(Role::Name, &self.names[depth]).text(" = ").with(Role::Number, coordinate.to_string());
            let is_leaf = depth + 1 == self.names.len();
            self.push(rails, is_last, if is_leaf { self.leaf(node, position) } else { node });
            if !is_leaf {
                rails.push(!is_last);
                self.children(rails, depth + 1, position);
                rails.pop();
            }
        }
    }

    fn leaf(&self, node: Line, position: u64) -> Line {
        let storage = self.view.storage;
        let value = storage.values().get(position as usize);
        let value =
            value.map(|value| number::brief(value, storage.element(), self.screen.precision)).unwrap_or_default();
        node.text(": ").with(Role::Number, value)
    }

    fn push(&mut self, rails: &Rails, is_last: bool, node: Line) {
        let screen = self.screen;
        if self.is_full() {
            return;
        }
        if self.markup.lines.len() == MAX_LINES {
            return self.markup.push(Line::of(Role::Absent, screen.ellipsis()));
        }
        let rail = |goes_on: &bool| if *goes_on { screen.pick("│  ", "|  ") } else { "   " };
        let mut line = Line::of(Role::Border, rails.iter().map(rail).collect::<String>());
        line.push(Role::Border, if is_last { screen.pick("└─ ", "`- ") } else { screen.pick("├─ ", "|- ") });
        line.append(node);
        self.markup.push(line);
    }
}
