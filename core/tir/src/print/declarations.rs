//! Parameters, iterators and buffers.

use super::{Printer, expr::truth, list};
use crate::{
    members::Member,
    model::{
        Buffer, BufferId, Dense, Iterator, IteratorId, IteratorKind, Layout, Origin, Param, ParamId, ParamKind, Scope,
        Sparse, name_of,
    },
};

impl Printer<'_> {
    pub(super) fn param(&self, param: &Param) -> String {
        match param.kind {
            ParamKind::Handle => format!("{}: T.handle", param.name),
            ParamKind::Scalar(id) => format!("{}: T.{}", param.name, name_of(self.function.variable(id).element)),
            ParamKind::Array(id) => {
                let buffer = self.function.buffer(id);
                let Layout::Dense(dense) = &buffer.layout else { return format!("{}: T.handle", param.name) };
                let shape = super::tuple(&self.all(&dense.shape));
                format!("{}: T.Buffer({shape}, \"{}\")", param.name, name_of(buffer.element))
            }
        }
    }

    pub(super) fn declarations(&mut self) {
        for id in self.function.iterator_ids() {
            let line = self.iterator(self.function.iterator(id));
            self.line(&line);
        }
        let is_param =
            |buffer: &BufferId| self.function.params.iter().any(|param| param.kind == ParamKind::Array(*buffer));
        let bound = (0..self.function.buffers.len()).map(BufferId::new).filter(|id| !is_param(id));
        for id in bound.collect::<Vec<_>>() {
            if matches!(self.function.buffer(id).origin, Origin::Handle(_)) {
                let line = self.buffer(self.function.buffer(id));
                self.line(&line);
            }
        }
    }

    fn iterator(&self, iterator: &Iterator) -> String {
        let length = self.expr(&iterator.length);
        let parent = |id: IteratorId| &self.function.iterator(id).name;
        let array = |id: ParamId| &self.function.param(id).name;
        let width = name_of(iterator.width.element());
        let (member, arguments) = match &iterator.kind {
            IteratorKind::DenseFixed => (Member::DenseFixed, length),
            IteratorKind::DenseVaried { parent: above, count, indptr } => {
                let shape = count.as_ref().map_or(length.clone(), |count| format!("({length}, {})", self.expr(count)));
                (Member::DenseVaried, format!("{}, {shape}, {}", parent(*above), array(*indptr)))
            }
            IteratorKind::CompressedFixed { parent: above, columns, indices, .. } => {
                let shape = format!("({length}, {})", self.expr(columns));
                (Member::CompressedFixed, format!("{}, {shape}, {}", parent(*above), array(*indices)))
            }
            IteratorKind::CompressedVaried { parent: above, count, indptr, indices, .. } => {
                let (shape, arrays) = (self.expr(count), format!("({}, {})", array(*indptr), array(*indices)));
                (Member::CompressedVaried, format!("{}, ({length}, {shape}), {arrays}", parent(*above)))
            }
            IteratorKind::Flatten { members, offsets } => {
                let members: Vec<String> = members.iter().map(|id| parent(*id).clone()).collect();
                (Member::Flatten, format!("{}, {length}, {}", list(&members), array(*offsets)))
            }
        };
        let sorted =
            if iterator.is_compressed() { format!(", sorted={}", truth(iterator.is_sorted())) } else { String::new() };
        format!("{} = {}({arguments}, idtype=\"{width}\"{sorted})", iterator.name, self.name(member))
    }

    pub(super) fn buffer(&self, buffer: &Buffer) -> String {
        let (member, call) = match &buffer.layout {
            Layout::Sparse(sparse) => self.sparse(buffer, sparse),
            Layout::Dense(dense) => self.dense(buffer, dense),
        };
        format!("{} = {}({call})", buffer.name, self.name(member))
    }

    fn source(&self, buffer: &Buffer) -> Option<String> {
        match &buffer.origin {
            Origin::Handle(param) => Some(self.function.param(*param).name.clone()),
            Origin::Region(region) => Some(self.region(region)),
            Origin::Allocated | Origin::Declared => None,
        }
    }

    fn sparse(&self, buffer: &Buffer, sparse: &Sparse) -> (Member, String) {
        let iterators: Vec<String> =
            sparse.iterators.iter().map(|id| self.function.iterator(*id).name.clone()).collect();
        let mut arguments: Vec<String> = self.source(buffer).into_iter().collect();
        let member = if arguments.is_empty() { Member::AllocateSparse } else { Member::MatchSparse };
        arguments.extend([list(&iterators), format!("\"{}\"", name_of(buffer.element))]);
        arguments.extend(scope(buffer.scope));
        arguments.extend((sparse.extra > 0).then(|| format!("extra_storage={}", sparse.extra)));
        arguments.extend(sparse.default.as_ref().map(|value| format!("default_value={}", self.expr(value))));
        (member, arguments.join(", "))
    }

    fn dense(&self, buffer: &Buffer, dense: &Dense) -> (Member, String) {
        let mut arguments: Vec<String> = self.source(buffer).into_iter().collect();
        let member = match buffer.origin {
            Origin::Handle(_) | Origin::Region(_) => Member::MatchDense,
            Origin::Allocated => Member::AllocateDense,
            Origin::Declared => Member::DeclareDense,
        };
        arguments.extend([list(&self.all(&dense.shape)), format!("dtype=\"{}\"", name_of(buffer.element))]);
        arguments.extend((!dense.strides.is_empty()).then(|| format!("strides={}", list(&self.all(&dense.strides)))));
        arguments.extend(dense.offset.as_ref().map(|offset| format!("elem_offset={}", self.expr(offset))));
        arguments.extend(scope(buffer.scope));
        arguments.extend(dense.bits.align.map(|align| format!("align={align}")));
        arguments.extend(dense.bits.offset_factor.map(|factor| format!("offset_factor={factor}")));
        (member, arguments.join(", "))
    }
}

fn scope(scope: Scope) -> Option<String> {
    (scope != Scope::GLOBAL).then(|| format!("scope=\"{}\"", scope.name()))
}
