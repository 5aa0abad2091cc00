//! Blocks as steps make and change them.

use nnz_base::{element::Element, source::Span};
use nnz_tir::model::{
    Access, Attributes, Bits, Block, BlockVariable, BlockVariableKind, Buffer, BufferId, Call, Dense, Expr,
    IteratorKind, Layout, Loop, LoopKind, Origin, Place, Region, Role, Scope, Statement, StatementKind, Variable,
    VariableId,
};

use super::{State, handles::Value, handles::wanted, illegal, nest};
use crate::{
    fault::Done,
    lower::{names::Names, rewrite::Rewrite},
};

impl State {
    /// The block of an argument, by its name.
    pub(super) fn block_of(&mut self, call: &Call, which: (usize, &str)) -> Done<(Block, Span)> {
        match self.needed(call, which)? {
            (Value::Block(name), place) => {
                let all = nest::blocks(&self.function);
                let found = all.into_iter().find(|block| block.name == name).cloned();
                let told = || Box::new(illegal(place, format!("the block `{name}` is no more")));
                Ok((found.ok_or_else(told)?, place))
            }
            (other, place) => Err(wanted(place, "a block", &other)),
        }
    }

    /// Where the statement of the function stands that has the block.
    pub(super) fn root_of(&self, name: &str) -> usize {
        self.function.body.iter().position(|statement| nest::has_block(statement, name)).unwrap_or(0)
    }

    /// The buffers that live within a statement of the function only.
    pub(super) fn living_within(&self, root: usize) -> Vec<BufferId> {
        let all = nest::all_within(self.function.body.get(root..=root).unwrap_or_default()).into_iter();
        all.filter_map(|one| if let StatementKind::Allocate(id) = one.kind { Some(id) } else { None }).collect()
    }

    /// What `make` makes of a block stands in its place.
    pub(super) fn change(&mut self, name: &str, mut make: impl FnMut(&Block) -> Done<Block>) -> Done<()> {
        nest::change(&mut self.function.body, name, &mut make)
    }

    /// The sizes of a buffer whose elements are found without arrays.
    pub(super) fn sizes(&self, id: BufferId, place: Span) -> Done<Vec<Expr>> {
        let buffer = self.function.buffer(id);
        match &buffer.layout {
            Layout::Dense(dense) if dense.strides.is_empty() && dense.offset.is_none() => Ok(dense.shape.clone()),
            Layout::Sparse(sparse) if sparse.extra == 0 => {
                let ids = sparse.iterators.iter().map(|id| self.function.iterator(*id));
                let fixed = ids.map(|one| (one.kind == IteratorKind::DenseFixed).then(|| one.length.clone()));
                fixed.collect::<Option<_>>().ok_or_else(|| self.not_dense(&buffer.name, place))
            }
            Layout::Dense(_) | Layout::Sparse(_) => Err(self.not_dense(&buffer.name, place)),
        }
    }

    fn not_dense(&self, name: &str, place: Span) -> Box<nnz_base::diagnostic::Diagnostic> {
        let told = illegal(place, format!("the elements of `{name}` are found by arrays"));
        Box::new(told.help("choose a buffer over dense fixed iterators"))
    }

    /// A new buffer, which lives from before a statement of the function on.
    pub(super) fn allocated(
        &mut self,
        name: &str,
        (element, scope): (Element, Scope),
        shape: Vec<Expr>,
        root: usize,
    ) -> BufferId {
        let place = self.function.place;
        let name = Names::of(&self.function).fresh(name);
        let layout = Layout::Dense(Dense { shape, strides: Vec::new(), offset: None, bits: Bits::default() });
        self.function.buffers.push(Buffer { name, place, element, scope, origin: Origin::Allocated, layout });
        let id = BufferId::new(self.function.buffers.len() - 1);
        self.function.body.insert(root, Statement { place, kind: StatementKind::Allocate(id) });
        id
    }

    /// Loops over all elements of a shape around a block of one store; `make` gives the element and its value.
    pub(super) fn over_all(
        &mut self,
        name: &str,
        shape: &[Expr],
        make: impl FnOnce(&[Expr]) -> Done<(Access, Expr)>,
    ) -> Done<(String, Statement)> {
        let name = nest::fresh_block(&self.function, name);
        let place = self.function.place;
        let (mut variables, mut loops, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (at, size) in shape.iter().enumerate() {
            let element = size.element();
            let one = self.new_loop(&format!("ax{at}"), element);
            let variable = self.new_block_variable(&format!("v{at}"), element);
            let start = Expr::int(place, 0, element);
            let (kind, value) = (BlockVariableKind::Spatial, Expr::variable(place, one, element));
            variables.push(BlockVariable { variable, kind, start, end: size.clone(), value });
            loops.push((one, size.clone()));
            own.push(Expr::variable(place, variable, element));
        }
        let (target, value) = make(&own)?;
        let body = vec![Statement { place, kind: StatementKind::Store(target, value) }];
        let block = Block { name: name.clone(), variables, body, ..empty() };
        Ok((name, around(loops, Statement { place, kind: StatementKind::Block(Box::new(block)) })))
    }

    pub(super) fn new_block_variable(&mut self, name: &str, element: Element) -> VariableId {
        let name = Names::of(&self.function).fresh(name);
        self.function.variables.push(Variable { name, place: self.function.place, element, role: Role::Block });
        VariableId::new(self.function.variables.len() - 1)
    }
}

/// A block that does nothing.
pub(super) fn empty() -> Block {
    Block {
        name: String::new(),
        variables: Vec::new(),
        predicate: None,
        reads: None,
        writes: None,
        attributes: Attributes::new(),
        init: Vec::new(),
        body: Vec::new(),
    }
}

/// Serial loops from 0 around a statement, outermost first.
pub(super) fn around(loops: Vec<(VariableId, Expr)>, inner: Statement) -> Statement {
    loops.into_iter().rev().fold(inner, |inner, (variable, end)| {
        let (place, start) = (inner.place, Expr::int(end.place, 0, end.element()));
        let (kind, attributes) = (LoopKind::Serial, Attributes::new());
        let one = Loop { variable, kind, start, end, attributes, body: vec![inner] };
        Statement { place, kind: StatementKind::Loop(one) }
    })
}

/// A block with another buffer in place of one.
pub(super) fn rebuffered(block: &Block, from: BufferId, to: BufferId) -> Done<Block> {
    let mut made = Rebuffered { from, to, added: Vec::new() }.block(block)?;
    (made.reads, made.writes) = (None, None);
    Ok(made)
}

/// A block with another buffer in place of one, and indices before its own.
pub(super) fn with_indices(block: &Block, (from, to): (BufferId, BufferId), added: Vec<Expr>) -> Done<Block> {
    let mut made = Rebuffered { from, to, added }.block(block)?;
    (made.reads, made.writes) = (None, None);
    Ok(made)
}

struct Rebuffered {
    from: BufferId,
    to: BufferId,
    added: Vec<Expr>,
}

impl Rebuffered {
    fn access<'f>(&mut self, access: &'f Access) -> Done<Access> {
        let indices = access.indices.iter().map(|index| Rewrite::<'f>::expr(self, index)).collect::<Done<Vec<_>>>()?;
        match access.buffer == self.from {
            true => {
                Ok(Access { place: access.place, buffer: self.to, indices: [self.added.clone(), indices].concat() })
            }
            false => Ok(Access { indices, ..access.clone() }),
        }
    }
}

impl<'f> Rewrite<'f> for Rebuffered {
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        Ok(expr.clone())
    }
    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr> {
        Ok(Expr::load(self.access(access)?, element))
    }
    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        Ok(StatementKind::Store(self.access(target)?, self.expr(value)?))
    }
    /// What is read and written is inferred anew.
    fn regions(&mut self, _: &'f [Region]) -> Done<Option<Vec<Region>>> {
        Ok(None)
    }
    fn special(&mut self, _: &'f Statement) -> Done<Option<Vec<Statement>>> {
        Ok(None)
    }
}

/// An element of a buffer.
pub(super) fn element(place: Place, buffer: BufferId, indices: &[Expr]) -> Access {
    Access { place, buffer, indices: indices.to_vec() }
}
