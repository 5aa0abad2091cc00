//! The arrays of a storage, level by level.

use super::{Line, Markup, Role, Screen, TensorView, markup::display_width, number};
use nnz_base::memory;
use nnz_storage::{
    StorageModel, dump,
    model::{self, ArrayModel, Entries, LevelModel},
};

/// Entries of an array that can be shown on one line at all.
const MOST_ENTRIES: usize = 200;

impl TensorView<'_> {
    /// The contents of each level, with arrays elided to one line each.
    pub fn levels(&self, screen: Screen) -> Markup {
        let mut model = model::of_storage(self.storage, MOST_ENTRIES);
        model.values.entries = Some(self.values(screen));
        Markup::new().line(self.title()).then(arrays(&model, &|array, room| one_line(array, room, screen), screen))
    }

    /// The array of values, shown as in a picture.
    fn values(&self, screen: Screen) -> Entries {
        let (values, element) = (self.storage.values(), self.storage.element());
        let text = |value| number::brief(value, element, screen.precision);
        Entries::new(values.len(), MOST_ENTRIES, |at| values.get(at).map_or(String::new(), text))
    }

    /// Every array whole, as `sparse_tensor.print` shows it.
    pub fn dump(&self) -> Markup {
        Markup::plain(&dump::mlir_print(self.storage))
    }
}

/// The entries of an array as lines of at most some columns.
type Cells<'a> = &'a dyn Fn(&ArrayModel, usize) -> Vec<String>;

fn arrays(model: &StorageModel, cells: Cells<'_>, screen: Screen) -> Markup {
    let columns = Columns::of(model);
    let mut markup = Markup::new();
    for level in &model.levels {
        markup.push(level_line(level));
        for array in &level.arrays {
            columns.array(&mut markup, &format!("  {}", array.role.name(level.lvl)), array, cells, screen);
        }
    }
    columns.array(&mut markup, "values", &model.values, cells, screen);
    markup
}

fn level_line(level: &LevelModel) -> Line {
    Line::of(Role::Heading, format!("level {}", level.lvl.index()))
        .text("  ")
        .with(Role::Name, &level.expr)
        .text(" : ")
        .with(Role::Format, level.format.to_string())
        .text(format!(", size {}", level.size))
}

/// The widths of the columns: name, length and type, bytes.
struct Columns {
    name: usize,
    length: usize,
    bytes: usize,
}

impl Columns {
    fn of(model: &StorageModel) -> Columns {
        let widest = |text: &dyn Fn(&ArrayModel) -> String| {
            model.arrays().map(|array| display_width(&text(array))).max().unwrap_or(0)
        };
        Columns { name: 8, length: widest(&length), bytes: widest(&bytes) }
    }

    fn array(&self, markup: &mut Markup, name: &str, array: &ArrayModel, cells: Cells<'_>, screen: Screen) {
        let mut line = Line::new();
        line.push_left(Role::Keyword, name, self.name);
        line.push(Role::Plain, "  ");
        line.push_left(Role::Type, length(array), self.length);
        line.push(Role::Plain, "  ");
        line.push_right(Role::Plain, bytes(array), self.bytes);
        let indent = line.width() + 2;
        let mut lines = cells(array, screen.width.saturating_sub(indent).max(10)).into_iter();
        if let Some(first) = lines.next() {
            line.push(Role::Plain, "  ");
            line.push(Role::Number, first);
        }
        markup.push(line);
        lines.for_each(|more| markup.push(Line::of(Role::Number, more).indented(indent)));
    }
}

fn length(array: &ArrayModel) -> String {
    format!("{} x {}", array.length, array.type_name)
}

fn bytes(array: &ArrayModel) -> String {
    let of = |formula: &nnz_storage::Formula| match formula.value().and_then(|bytes| u64::try_from(bytes).ok()) {
        Some(known) => memory::size_text(known),
        None => format!("{formula} bytes"),
    };
    array.bytes.as_ref().map(of).unwrap_or_default()
}

/// As many of the first entries as fit, and the last one.
fn one_line(array: &ArrayModel, room: usize, screen: Screen) -> Vec<String> {
    let Some(entries) = &array.entries else { return Vec::new() };
    let all: Vec<&str> = entries.first.iter().chain(&entries.last).map(String::as_str).collect();
    let joined = all.join(" ");
    if entries.omitted == 0 && display_width(&joined) <= room {
        return vec![joined];
    }
    let last = all.last().copied().unwrap_or_default();
    let tail = format!(" {} {last}", screen.ellipsis());
    let mut text = String::new();
    for entry in &entries.first {
        if display_width(&text) + display_width(entry) + 1 + display_width(&tail) > room {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(entry);
    }
    vec![text + &tail]
}
