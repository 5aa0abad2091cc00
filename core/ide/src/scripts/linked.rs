//! Which lines of a function at a later stage are made from which part of the script: declarations, loops, blocks,
//! statements.
//!
//! nnz's own lowering names what it makes after what it is made of, so the words of the text give the answer:
//! `J_indptr_data` is an array of the iterator `J`, the block `spmm1` a part of the iteration `spmm`, and its loop `j`
//! runs over the iterator of that name.

use nnz_base::source::Span;
use nnz_tir::{
    model::{Function, Iteration, Running, Statement, StatementKind},
    read::Read,
};

use crate::lowered::ViewPlace;

/// The endings of what lowering makes of an iterator or a buffer.
const MADE: [&str; 4] = ["_data", "_indptr", "_indices", "_dense"];

/// The places of the lines of `text`, which shows `read` lowered.
pub fn linked(read: &Read, text: &str) -> Vec<ViewPlace> {
    let lines: Vec<&str> = text.lines().collect();
    let iterations = iterations(&read.function.body);
    let linker = Linker { function: &read.function, lines: &lines, iterations };
    let mut places: Vec<ViewPlace> = (0..lines.len()).flat_map(|at| linker.line(at)).collect();
    places.retain(|place| !place.span.is_empty());
    places
}

/// The iterations of a body, those within others, too.
fn iterations(body: &[Statement]) -> Vec<(&Iteration, Span)> {
    let mut found = Vec::new();
    for statement in body {
        if let StatementKind::Iteration(iteration) = &statement.kind {
            found.push((&**iteration, statement.place.0));
        }
        statement.bodies().into_iter().for_each(|inner| found.extend(iterations(inner)));
    }
    found
}

struct Linker<'a> {
    function: &'a Function,
    lines: &'a [&'a str],
    iterations: Vec<(&'a Iteration, Span)>,
}

impl<'a> Linker<'a> {
    fn line(&self, at: usize) -> Vec<ViewPlace> {
        let line = self.lines[at].trim_start();
        let spans = match (line.strip_prefix("for "), block_name(line)) {
            (Some(head), _) => self.of_loop(at, head),
            (None, Some(name)) => self.iteration(name).map(|(_, span)| span).into_iter().collect(),
            (None, None) => {
                return self
                    .of_statement(at, line)
                    .map(|span| ViewPlace { first: at, last: at, span })
                    .into_iter()
                    .collect();
            }
        };
        let last = self.end(at);
        spans.into_iter().map(|span| ViewPlace { first: at, last, span }).collect()
    }

    /// The last line of what is indented below a line.
    fn end(&self, at: usize) -> usize {
        let behind = self.lines[at + 1..]
            .iter()
            .take_while(|line| line.trim().is_empty() || indent(line) > indent(self.lines[at]));
        at + behind.count()
    }

    /// The iterators that the variables of a loop run over, and these where they are named.
    fn of_loop(&self, at: usize, head: &str) -> Vec<Span> {
        let Some((iteration, _)) = self.block_behind(at).and_then(|name| self.iteration(name)) else {
            return Vec::new();
        };
        let variables = head.split(" in ").next().unwrap_or_default().split(',').map(str::trim);
        let runs = variables.filter_map(|variable| self.running(iteration, variable));
        runs.flat_map(|running| [running.place.0, self.function.variable(running.variable).place.0]).collect()
    }

    /// The next block within a loop.
    fn block_behind(&self, at: usize) -> Option<&'a str> {
        self.lines[at + 1..=self.end(at)].iter().find_map(|line| block_name(line.trim_start()))
    }

    /// The iteration that a block is a part of: the one whose name is most of its name.
    fn iteration(&self, block: &str) -> Option<(&'a Iteration, Span)> {
        let named = self.iterations.iter().filter(|(one, _)| !one.name.is_empty() && block.starts_with(&one.name));
        named.max_by_key(|(one, _)| one.name.len()).copied()
    }

    /// What runs under a name, also where it was split into `i_0` and `i_1`.
    fn running(&self, iteration: &'a Iteration, variable: &str) -> Option<&'a Running> {
        let stem = variable.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let named = |name: &str| iteration.running().find(|one| self.function.variable(one.variable).name == name);
        named(variable).or_else(|| named(stem))
    }

    /// A declaration, or a statement that stores.
    fn of_statement(&self, at: usize, line: &str) -> Option<Span> {
        let name: &str =
            line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())?;
        let behind = line.get(name.len()..)?;
        match behind.strip_prefix(" = T.") {
            Some(_) => self.declared(name),
            None => behind.starts_with('[').then(|| self.stored(at, name))?,
        }
    }

    /// The iterator or the buffer of a name, or the one that it was made of.
    fn declared(&self, name: &str) -> Option<Span> {
        let iterator = self.function.iterators.iter().find(|one| one.name == name).map(|one| one.place.0);
        let buffer = || self.function.buffers.iter().find(|one| one.name == name).map(|one| one.place.0);
        let origin = || MADE.iter().find_map(|ending| self.declared(name.strip_suffix(ending)?));
        iterator.or_else(buffer).or_else(origin)
    }

    /// The store of the iteration that a line with a store is made of: the one to the same buffer, by their order.
    fn stored(&self, at: usize, name: &str) -> Option<Span> {
        let buffer = name.strip_suffix("_data").unwrap_or(name);
        let (block, from) = self.block_around(at)?;
        let (iteration, _) = self.iteration(block)?;
        let is_init = block[iteration.name.len()..].starts_with("_init");
        let body = if is_init { &iteration.init } else { &iteration.body };
        let earlier = self.lines[from..at].iter().filter(|line| stores(line.trim_start(), name)).count();
        let wanted = |statement: &&Statement| matches!(&statement.kind, StatementKind::Store(access, _) if self.function.buffer(access.buffer).name == buffer);
        let all = stored(body);
        let mut stores = all.iter().copied().filter(wanted);
        stores.nth(earlier).or_else(|| all.iter().copied().find(wanted)).map(|statement| statement.place.0)
    }

    /// The innermost block around a line, and its line.
    fn block_around(&self, at: usize) -> Option<(&'a str, usize)> {
        let mut within = indent(self.lines[at]);
        for (before, line) in self.lines[..at].iter().enumerate().rev().filter(|(_, line)| !line.trim().is_empty()) {
            if indent(line) >= within {
                continue;
            }
            within = indent(line);
            if let Some(name) = block_name(line.trim_start()) {
                return Some((name, before));
            }
        }
        None
    }
}

/// The stores of a body, in order.
fn stored(body: &[Statement]) -> Vec<&Statement> {
    let mut found = Vec::new();
    for statement in body {
        if matches!(statement.kind, StatementKind::Store(..)) {
            found.push(statement);
        }
        statement.bodies().into_iter().for_each(|inner| found.extend(stored(inner)));
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn stores(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|behind| behind.starts_with('['))
}

/// `spmm0` of `with T.block("spmm0"):`.
fn block_name(line: &str) -> Option<&str> {
    line.strip_prefix("with T.block(\"")?.split('"').next()
}
