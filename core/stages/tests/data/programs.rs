//! Drawn functions of stage I: trees of iterators, buffers over them, and iterations with accesses of every kind.

use super::Draws;

/// An iterator of the text.
struct Drawn {
    name: String,
    parent: Option<usize>,
    is_varied: bool,
}

/// The text of a script with one function, `f`.
pub fn program(draws: &mut Draws) -> String {
    let mut text = Text { draws, iterators: Vec::new(), buffers: Vec::new(), handles: Vec::new(), lines: Vec::new() };
    for _ in 0..2 + text.draws.below(4) {
        text.iterator();
    }
    for at in 0..3 + text.draws.below(2) {
        text.buffer(at);
    }
    let iterations = 1 + text.draws.below(2);
    for at in 0..iterations {
        text.iteration(&format!("it{at}"), &[], 1);
    }
    text.whole()
}

struct Text<'a> {
    draws: &'a mut Draws,
    iterators: Vec<Drawn>,
    buffers: Vec<(String, Vec<usize>)>,
    handles: Vec<String>,
    lines: Vec<String>,
}

/// An iterator that runs, and its coordinate.
type Run = (usize, String);

impl Text<'_> {
    fn whole(&self) -> String {
        let handles: Vec<String> = self.handles.iter().map(|name| format!("{name}: T.handle")).collect();
        let sizes = (0..3).map(|at| format!("n{at}: T.int32"));
        let counts = (0..self.iterators.len()).map(|at| format!("z{at}: T.int32"));
        let params: Vec<String> = handles.into_iter().chain(sizes).chain(counts).collect();
        format!(
            "from tvm.script import tir as T\n\n\n@T.prim_func\ndef f({}):\n    T.func_attr({{\"sparse_tir_level\": 2}})\n{}\n",
            params.join(", "),
            self.lines.join("\n")
        )
    }

    fn handle(&mut self, name: String) -> String {
        self.handles.push(name.clone());
        name
    }

    fn iterator(&mut self) {
        let at = self.iterators.len();
        let name = format!("I{at}");
        let length = match self.draws.below(4) {
            3 => "4".to_string(),
            other => format!("n{other}"),
        };
        let parent = (at > 0 && self.draws.below(4) > 0).then(|| self.draws.below(at as u64) as usize);
        let (line, is_varied) = match parent.map(|parent| (parent, self.draws.below(6))) {
            None => (format!("T.sp.dense_fixed({length})"), false),
            Some((parent, 0)) => {
                let indices = self.handle(format!("q{at}"));
                (format!("T.sp.compressed_fixed(I{parent}, ({length}, 2), {indices})"), false)
            }
            Some((parent, 1)) => {
                let indptr = self.handle(format!("p{at}"));
                (format!("T.sp.dense_varied(I{parent}, ({length}, z{at}), {indptr})"), true)
            }
            Some((parent, _)) => {
                let (indptr, indices) = (self.handle(format!("p{at}")), self.handle(format!("q{at}")));
                (format!("T.sp.compressed_varied(I{parent}, ({length}, z{at}), ({indptr}, {indices}))"), true)
            }
        };
        self.lines.push(format!("    {name} = {line}"));
        self.iterators.push(Drawn { name, parent, is_varied });
    }

    fn path(&self, id: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(id), |id| self.iterators[*id].parent).collect();
        path.reverse();
        path
    }

    fn any(&mut self) -> usize {
        self.draws.below(self.iterators.len() as u64) as usize
    }

    fn buffer(&mut self, at: u64) {
        let first = self.any();
        let mut over = self.path(first);
        if self.draws.below(3) == 0 {
            let second = self.any();
            let more: Vec<usize> = self.path(second).into_iter().filter(|id| !over.contains(id)).collect();
            over.extend(more);
        }
        let handle = self.handle(format!("b{at}"));
        let names: Vec<&str> = over.iter().map(|id| self.iterators[*id].name.as_str()).collect();
        let default = if self.draws.below(3) == 0 { ", default_value=7" } else { "" };
        self.lines
            .push(format!("    B{at} = T.sp.match_buffer({handle}, [{}], \"float32\"{default})", names.join(", ")));
        self.buffers.push((format!("B{at}"), over));
    }

    fn iteration(&mut self, name: &str, outer: &[Run], depth: usize) {
        let mut ids: Vec<usize> = Vec::new();
        for _ in 0..1 + self.draws.below(2) {
            let id = self.any();
            let runs = |id: &usize| outer.iter().any(|(known, _)| known == id);
            let more: Vec<usize> = self.path(id).into_iter().filter(|id| !ids.contains(id) && !runs(id)).collect();
            ids.extend(more);
        }
        if ids.is_empty() {
            return;
        }
        let own: Vec<Run> = ids.iter().map(|id| (*id, format!("i{id}"))).collect();
        let kinds: String = ids.iter().map(|_| if self.draws.below(3) == 0 { 'R' } else { 'S' }).collect();
        let (list, names) = (self.list(&ids), own.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>().join(", "));
        let indent = "    ".repeat(depth);
        self.lines.push(format!("{indent}with T.sp.iteration([{list}], \"{kinds}\", \"{name}\") as [{names}]:"));
        let all: Vec<Run> = outer.iter().cloned().chain(own.clone()).collect();
        if self.draws.below(2) == 0 {
            let spatial: Vec<Run> =
                { own }.into_iter().zip(kinds.chars()).filter(|(_, kind)| *kind == 'S').map(|(run, _)| run).collect();
            let known: Vec<Run> = outer.iter().cloned().chain(spatial).collect();
            self.lines.push(format!("{indent}    with T.init():"));
            let target = self.element(&known, 1);
            self.lines.push(format!("{indent}        {target} = 1.0"));
        }
        self.statements(&all, depth + 1);
        if depth < 2 && self.draws.below(4) == 0 {
            self.iteration(&format!("{name}n"), &all, depth + 1);
        }
    }

    /// Some chains of varied iterators are fused.
    fn list(&mut self, ids: &[usize]) -> String {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for id in ids {
            let one = &self.iterators[*id];
            let follows = groups.last().and_then(|group| group.last()).is_some_and(|last| Some(*last) == one.parent);
            match groups.last_mut() {
                Some(group) if follows && one.is_varied && self.draws.below(2) == 0 => group.push(*id),
                _ => groups.push(vec![*id]),
            }
        }
        let entry = |group: &Vec<usize>| {
            let names: Vec<&str> = group.iter().map(|id| self.iterators[*id].name.as_str()).collect();
            if group.len() > 1 { format!("T.sp.fuse({})", names.join(", ")) } else { names.join("") }
        };
        groups.iter().map(entry).collect::<Vec<_>>().join(", ")
    }

    fn statements(&mut self, runs: &[Run], depth: usize) {
        let indent = "    ".repeat(depth);
        for _ in 0..1 + self.draws.below(2) {
            let (target, value) = (self.element(runs, 1), self.value(runs, 2));
            let index = self.index(runs, None, 0);
            let line = match self.draws.below(6) {
                0 => format!("{target} = {value}"),
                1 => format!("if {index} > 0:\n{indent}    {target} = {target} + {value}"),
                2 => {
                    format!("for k in T.serial(2):\n{indent}    {target} += {value} * T.cast(k + {index}, \"float32\")")
                }
                3 => format!("t = {value}\n{indent}{target} = {target} + t * t"),
                _ => format!("{target} = {target} + {value}"),
            };
            self.lines.push(format!("{indent}{line}"));
        }
    }

    fn value(&mut self, runs: &[Run], depth: u64) -> String {
        match self.draws.below(if depth == 0 { 1 } else { 6 }) {
            0 | 1 => self.element(runs, depth.min(1)),
            2 => format!("{} * 0.5", self.element(runs, 1)),
            3 => format!("T.cast({}, \"float32\")", self.index(runs, None, 0)),
            4 => {
                let (one, other) = (self.value(runs, depth - 1), self.value(runs, depth - 1));
                format!("T.if_then_else({} > 1, {one}, {other})", self.index(runs, None, 0))
            }
            _ => format!("({} + {})", self.value(runs, depth - 1), self.value(runs, depth - 1)),
        }
    }

    fn element(&mut self, runs: &[Run], depth: u64) -> String {
        let at = self.draws.below(self.buffers.len() as u64) as usize;
        let (name, over) = (self.buffers[at].0.clone(), self.buffers[at].1.clone());
        let indices: Vec<String> = over.iter().map(|id| self.index(runs, Some(*id), depth)).collect();
        format!("{name}[{}]", indices.join(", "))
    }

    fn index(&mut self, runs: &[Run], own: Option<usize>, depth: u64) -> String {
        let own = runs.iter().find(|(id, _)| Some(*id) == own).map(|(_, name)| name.clone());
        if let Some(own) = own.filter(|_| self.draws.below(4) > 0) {
            return own;
        }
        let any = |text: &mut Self| match runs.len() {
            0 => "1".to_string(),
            count => runs[text.draws.below(count as u64) as usize].1.clone(),
        };
        match self.draws.below(8) {
            0 => "1".to_string(),
            1 => format!("{} + 1", any(self)),
            2 => format!("{} - 1", any(self)),
            3 => format!("{} % 2", any(self)),
            4 => format!("{} // 2", any(self)),
            5 if depth > 0 => format!("T.cast({}, \"int32\")", self.element(runs, 0)),
            _ => any(self),
        }
    }
}
