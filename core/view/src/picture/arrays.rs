//! The arrays, one below another: each entry in a box.

use super::pen::{Anchor, Pen};
use nnz_base::ids::Lvl;
use nnz_storage::{
    Storage,
    model::{self, ArrayModel, Entries, Role},
};

const HEIGHT: f64 = 13.0;
const LABEL: f64 = 44.0;
const ADVANCE: f64 = 5.5;

/// Draws the arrays down from `top`; gives the bottom.
pub(super) fn draw(pen: &mut Pen, storage: &Storage, top: f64, right: f64) -> f64 {
    const MOST: usize = 14;
    let model = model::of_storage(storage, MOST);
    let of_levels = model.levels.iter().flat_map(|level| level.arrays.iter().map(|array| (level.lvl, array)));
    let mut y = top;
    for (lvl, array) in of_levels.chain([(Lvl(0), &model.values)]) {
        row(pen, (lvl, array), y, right);
        y += HEIGHT + 2.0;
    }
    y
}

fn row(pen: &mut Pen, (lvl, array): (Lvl, &ArrayModel), y: f64, right: f64) {
    let colour = if array.role == Role::Values { pen.ink() } else { Pen::level(lvl.index()) };
    let middle = y + HEIGHT / 2.0;
    pen.text((6.0, middle), Anchor::Start, colour, &array.role.name(lvl));
    let Some(entries) = &array.entries else { return };
    let texts = shown(entries);
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1) as f64 * ADVANCE + 5.0;
    let room = ((right - LABEL - 6.0) / widest).floor().max(2.0) as usize;
    for (at, text) in fitted(texts, room).iter().enumerate() {
        let x = LABEL + 6.0 + at as f64 * widest;
        if text != "…" {
            pen.cell((x, y), (widest, HEIGHT), None);
        }
        pen.text((x + widest / 2.0, middle), Anchor::Middle, colour, text);
    }
}

/// Whole numbers without their `.0`.
fn shown(entries: &Entries) -> Vec<String> {
    let gap = (entries.omitted > 0).then(|| "…".to_string());
    let texts = entries.first.iter().cloned().chain(gap).chain(entries.last.iter().cloned());
    texts.map(|text| text.strip_suffix(".0").map_or(text.clone(), ToString::to_string)).collect()
}

fn fitted(mut texts: Vec<String>, room: usize) -> Vec<String> {
    if texts.len() > room {
        texts.truncate(room - 1);
        texts.push("…".to_string());
    }
    texts
}
