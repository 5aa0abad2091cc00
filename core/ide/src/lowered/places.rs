//! Which lines of a view are made from which part of the source: a loop from its variable and the accesses that it
//! follows.
//!
//! nnz's own printers write the views, so their words give the answer: loops over positions name the arrays that they
//! follow (`A.pos1`, `A.crd1`), and bind the variable in their first statement (`let j = A.crd1[A.p1]`).

use nnz_base::source::Span;
use nnz_check::command::View;
use nnz_kernel::Kernel;

/// Lines of a view, counted from 0, and a part of the source from which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewPlace {
    pub first: usize,
    /// The last one.
    pub last: usize,
    pub span: Span,
}

impl ViewPlace {
    pub(super) fn moved_by(self, lines: usize) -> ViewPlace {
        ViewPlace { first: self.first + lines, last: self.last + lines, ..self }
    }
}

/// The places of each index variable and each tensor of a kernel in the source.
#[derive(Debug, Default)]
pub(super) struct Origins {
    vars: Vec<(String, Vec<Span>)>,
    tensors: Vec<(String, Vec<Span>)>,
}

impl Origins {
    /// As yet without places.
    pub(super) fn of(kernel: &Kernel) -> Origins {
        let vars = kernel.vars().iter().map(|var| (var.name.clone(), Vec::new()));
        let tensors = kernel.tensors().iter().map(|tensor| (tensor.name.clone(), Vec::new()));
        Origins { vars: vars.collect(), tensors: tensors.collect() }
    }

    /// Whether there is such a variable.
    pub(super) fn add_var(&mut self, name: &str, span: Span) -> bool {
        add(&mut self.vars, name, span)
    }

    pub(super) fn add_tensor(&mut self, name: &str, span: Span) {
        add(&mut self.tensors, name, span);
    }

    /// The places of `j`, of its copy `j_1`, and of the `A.j` of a merge.
    fn var(&self, word: &str, separator: char) -> &[Span] {
        let last = word.rsplit(separator).find(|part| !is_number(part)).unwrap_or(word);
        [word, last, unnumbered(last)].into_iter().find_map(|name| found(&self.vars, name)).unwrap_or_default()
    }

    /// The places of the tensor that owns an array of positions or coordinates, or one of its positions: `A.pos1`,
    /// `A.p1_2`, `A.again.crd1`.
    fn followed(&self, word: &str, separator: char) -> &[Span] {
        match word.split(separator).any(is_of_level) {
            true => self.tensor(word, separator),
            false => &[],
        }
    }

    /// The places of the tensor whose name begins `word`; of two the one with the longer name.
    fn tensor(&self, word: &str, separator: char) -> &[Span] {
        let owns =
            |name: &str| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator));
        let owner = self.tensors.iter().filter(|(name, _)| owns(name)).max_by_key(|(name, _)| name.len());
        owner.map_or(&[], |(_, spans)| spans)
    }
}

fn add(names: &mut [(String, Vec<Span>)], name: &str, span: Span) -> bool {
    let known = names.iter_mut().find(|(known, _)| known == name);
    known.map(|(_, spans)| spans.push(span)).is_some()
}

fn found<'o>(names: &'o [(String, Vec<Span>)], name: &str) -> Option<&'o [Span]> {
    names.iter().find(|(known, _)| known == name).map(|(_, spans)| &spans[..])
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// `j` of `j_1`.
fn unnumbered(word: &str) -> &str {
    word.rsplit_once('_').filter(|(_, number)| is_number(number)).map_or(word, |(name, _)| name)
}

/// `pos1`, `crd1`, `p1`, `p1_2`
fn is_of_level(part: &str) -> bool {
    let level = ["pos", "crd", "p"].iter().find_map(|array| unnumbered(part).strip_prefix(array));
    level.is_some_and(is_number)
}

/// The places of a view.
pub(super) fn places(text: &str, view: View, origins: &Origins) -> Vec<ViewPlace> {
    let mut places = match view {
        View::Loops | View::Lowered | View::Grid => loops(text, '.', origins),
        View::C => loops(text, '_', origins),
        View::Plan | View::Graph | View::Lattice => rows(text, origins),
        View::Mlir => mlir(text, origins),
        View::Llvm | View::Asm | View::Ptx | View::Svg => Vec::new(),
        View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => Vec::new(),
    };
    places.sort_by_key(|place| (place.first, place.last, place.span.start));
    places.dedup();
    places
}

/// What is between two braces.
struct Block {
    first: usize,
    is_loop: bool,
    spans: Vec<Span>,
}

fn loops(text: &str, separator: char, origins: &Origins) -> Vec<ViewPlace> {
    let (mut open, mut places): (Vec<Block>, Vec<ViewPlace>) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('}') {
            places.extend(open.pop().filter(|block| block.is_loop).into_iter().flat_map(|block| block.places(at)));
        }
        if line.ends_with('{') {
            let is_loop = line.starts_with("for ") || line.starts_with("while ");
            open.push(Block { first: at, is_loop, spans: head(line, separator, origins) });
        } else if let Some(block) = open.last_mut() {
            block.spans.extend(bound(line, separator, origins));
        }
    }
    places
}

/// Loops as MLIR has them: `scf.while` has two regions, and what is read of coordinates in a body says what a loop
/// follows.
fn mlir(text: &str, origins: &Origins) -> Vec<ViewPlace> {
    let (mut open, mut places): (Vec<Block>, Vec<ViewPlace>) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let closed = if line.starts_with('}') { open.pop() } else { None };
        match (closed, line) {
            (Some(block), "} do {") => open.push(block),
            (closed, _) => {
                let loops = closed.filter(|block| block.is_loop).into_iter();
                places.extend(loops.flat_map(|block| block.places(at)));
                if line.ends_with('{') {
                    let is_loop = line.starts_with("scf.for ") || line.starts_with("scf.while ");
                    let spans = if is_loop { head(line, '.', origins) } else { Vec::new() };
                    open.push(Block { first: at, is_loop, spans });
                } else if let Some(block) = open.iter_mut().rev().find(|block| block.is_loop) {
                    block.follow(coordinates(line, origins));
                }
            }
        }
    }
    places
}

/// The tensor whose coordinates a line reads: `%5 = memref.load %A.crd1[%A.p1]`.
fn coordinates<'o>(line: &str, origins: &'o Origins) -> &'o [Span] {
    let read = line.split_once("memref.load ").map(|(_, read)| read).unwrap_or_default();
    let array = words(read).next().unwrap_or_default();
    if array.contains(".crd") { origins.followed(array, '.') } else { &[] }
}

impl Block {
    fn follow(&mut self, spans: &[Span]) {
        spans.iter().for_each(|span| {
            if !self.spans.contains(span) {
                self.spans.push(*span);
            }
        });
    }
    fn places(self, last: usize) -> impl Iterator<Item = ViewPlace> {
        self.spans.into_iter().map(move |span| ViewPlace { first: self.first, last, span })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).filter(|word| !word.is_empty())
}

/// What the head of a loop names: its variable, and the arrays that it follows.
fn head(line: &str, separator: char, origins: &Origins) -> Vec<Span> {
    let counter = words(line).find(|word| !matches!(*word, "for" | "while" | "int64_t" | "scf.for" | "scf.while"));
    let of_var = counter.map(|word| origins.var(word, separator)).unwrap_or_default();
    let followed = words(line).flat_map(|word| origins.followed(word, separator));
    of_var.iter().chain(followed).copied().collect()
}

/// The variable that a line of a loop's body binds to a coordinate.
fn bound(line: &str, separator: char, origins: &Origins) -> Vec<Span> {
    let Some((left, _)) = line.split_once(" = ").filter(|_| line.starts_with("let ") || line.starts_with("const "))
    else {
        return Vec::new();
    };
    words(left).last().map(|word| origins.var(word, separator).to_vec()).unwrap_or_default()
}

/// The rows of a table, each about what its first words name.
fn rows(text: &str, origins: &Origins) -> Vec<ViewPlace> {
    let row = |(at, line): (usize, &str)| {
        let spans = of_row(line.trim_start(), origins);
        spans.into_iter().map(move |span| ViewPlace { first: at, last: at, span })
    };
    text.lines().enumerate().flat_map(row).collect()
}

fn of_row(line: &str, origins: &Origins) -> Vec<Span> {
    let mut named = words(line);
    match (named.next(), line) {
        (Some("result" | "conversion"), _) => named.next().map(|name| origins.tensor(name, '.').to_vec()),
        (Some("loops"), _) => {
            let vars = named.map_while(|word| found(&origins.vars, word));
            Some(vars.flatten().copied().collect())
        }
        (Some(word), _) if line[word.len()..].starts_with('(') => Some(origins.tensor(word, '.').to_vec()),
        (Some(word), _) => found(&origins.vars, word).map(<[Span]>::to_vec),
        (None, _) => None,
    }
    .unwrap_or_default()
}
