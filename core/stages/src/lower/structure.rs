//! Iterators with their dense shadows, and the buffers over the arrays of the structure.

use nnz_tir::model::{
    Buffer, BufferId, Expr, Function, Iterator, IteratorId, IteratorKind, Layout, Origin, ParamId, Scope, Sparse,
    Statement, StatementKind,
};

use super::{Arrays, Lowering, Names};

/// What became of the iterators.
pub(super) struct Structure {
    /// By the numbers of the function before: that of the iterator, and that of its shadow.
    pub(super) moved: Vec<(IteratorId, Option<IteratorId>)>,
    /// By the numbers of the lowered function.
    pub(super) arrays: Vec<Arrays>,
}

/// The function with shadows and buffers of the structure, without a body.
pub(super) fn lowered(function: &Function) -> (Structure, Function) {
    let mut lowered = Function { iterators: Vec::new(), body: Vec::new(), ..function.clone() };
    let mut names = Names::of(function);
    let mut moved: Vec<(IteratorId, Option<IteratorId>)> = Vec::new();
    for iterator in &function.iterators {
        let own = IteratorId::new(lowered.iterators.len());
        let now = renumbered(iterator, &moved);
        let shadow = shadow(&now, &mut names);
        lowered.iterators.push(now);
        moved.push((own, shadow.as_ref().map(|_| IteratorId::new(own.index() + 1))));
        lowered.iterators.extend(shadow);
    }
    for buffer in &mut lowered.buffers {
        if let Layout::Sparse(sparse) = &mut buffer.layout {
            sparse.iterators.iter_mut().for_each(|id| *id = moved[id.index()].0);
        }
    }
    let mut structure = Structure { moved, arrays: vec![Arrays::default(); lowered.iterators.len()] };
    for at in 0..structure.moved.len() {
        structure.add(&mut lowered, &mut names, at);
    }
    (structure, lowered)
}

fn renumbered(iterator: &Iterator, moved: &[(IteratorId, Option<IteratorId>)]) -> Iterator {
    let mut now = iterator.clone();
    match &mut now.kind {
        IteratorKind::DenseVaried { parent, .. }
        | IteratorKind::CompressedFixed { parent, .. }
        | IteratorKind::CompressedVaried { parent, .. } => *parent = moved[parent.index()].0,
        IteratorKind::Flatten { members, .. } => members.iter_mut().for_each(|id| *id = moved[id.index()].0),
        IteratorKind::DenseFixed => {}
    }
    now
}

/// The positions of a compressed iterator as an iterator of their own.
fn shadow(iterator: &Iterator, names: &mut Names) -> Option<Iterator> {
    let (length, kind) = match &iterator.kind {
        IteratorKind::CompressedFixed { columns, .. } => (columns.clone(), IteratorKind::DenseFixed),
        IteratorKind::CompressedVaried { parent, count, indptr, sorted, .. } => {
            let kind = IteratorKind::DenseVaried { parent: *parent, count: Some(count.clone()), indptr: *indptr };
            // Coordinates in no order may stand several times.
            (if *sorted { iterator.length.clone() } else { count.clone() }, kind)
        }
        IteratorKind::DenseFixed | IteratorKind::DenseVaried { .. } | IteratorKind::Flatten { .. } => return None,
    };
    let name = names.fresh(&format!("{}_dense", iterator.name));
    Some(Iterator { name, length, kind, ..iterator.clone() })
}

impl Structure {
    /// The shadow of an iterator, or itself.
    fn dense(&self, function: &Function, id: IteratorId) -> IteratorId {
        let is_shadowed = function.iterator(id).is_compressed();
        if is_shadowed { IteratorId::new(id.index() + 1) } else { id }
    }

    /// The buffers of an iterator's arrays.
    fn add(&mut self, lowered: &mut Function, names: &mut Names, at: usize) {
        let (id, shadow) = self.moved[at];
        let iterator = lowered.iterator(id).clone();
        let above: Vec<IteratorId> = lowered.path(id).into_iter().filter(|above| *above != id).collect();
        if let Some(param) = iterator.indptr() {
            let mut over = above.clone();
            if let Some(last) = over.last_mut() {
                *last = self.dense(lowered, *last);
            }
            let buffer = array(&iterator, names, ("indptr", 1), (over, param));
            self.arrays[id.index()].indptr = Some(push(lowered, buffer));
        }
        if let (Some(param), Some(shadow)) = (iterator.indices(), shadow) {
            let over = above.into_iter().chain([shadow]).collect();
            let buffer = array(&iterator, names, ("indices", 0), (over, param));
            self.arrays[id.index()].indices = Some(push(lowered, buffer));
        }
    }
}

fn push(function: &mut Function, buffer: Buffer) -> BufferId {
    function.buffers.push(buffer);
    BufferId::new(function.buffers.len() - 1)
}

fn array(
    iterator: &Iterator,
    names: &mut Names,
    (word, extra): (&str, u32),
    (over, param): (Vec<IteratorId>, ParamId),
) -> Buffer {
    let places = over.iter().map(|_| iterator.place).collect();
    Buffer {
        name: names.fresh(&format!("{}_{word}", iterator.name)),
        place: iterator.place,
        element: iterator.width.element(),
        scope: Scope::GLOBAL,
        origin: Origin::Handle(param),
        layout: Layout::Sparse(Sparse { iterators: over, places, extra, default: None }),
    }
}

impl Lowering<'_> {
    /// In what range the numbers of each array lie.
    pub(super) fn facts(&self) -> Vec<Statement> {
        let mut facts = Vec::new();
        for (id, _) in &self.structure.moved {
            let (iterator, arrays) = (self.lowered.iterator(*id), self.structure.arrays[id.index()]);
            let count = self.lowered.count(*id);
            let ends = [(arrays.indptr, count), (arrays.indices, Some(iterator.length.clone()))];
            for (buffer, end) in ends {
                if let (Some(buffer), Some(end)) = (buffer, end) {
                    let zero = Expr::int(iterator.place, 0, end.element());
                    let kind = StatementKind::Domain(buffer, zero, end);
                    facts.push(Statement { place: iterator.place, kind });
                }
            }
        }
        facts
    }
}
