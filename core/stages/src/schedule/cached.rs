//! `cache_read` and `cache_write`: a block over a copy of a buffer, in another memory.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_tir::model::{Block, BufferId, Call, Expr, SCOPES, Scope};

use super::{
    State,
    blocks::{element, rebuffered},
    handles::{Value, wanted},
    illegal,
    nest::{read, written},
    unformed,
};
use crate::fault::Done;

impl State {
    /// All of the buffer is copied before the statement that has the block.
    pub(super) fn cache_read(&mut self, call: &Call) -> Done<Value> {
        let (block, place) = self.block_of(call, (0, "block"))?;
        let root = self.root_of(&block.name);
        let mut without = written(&block.body);
        without.extend(self.living_within(root));
        let mut reads = read(&[block.init.clone(), block.body.clone()].concat());
        reads.retain(|id| !without.contains(id));
        let from = self.chosen(call, (1, "read_buffer_index"), (&reads, "reads"))?;
        if written(&self.function.body[root..=root]).contains(&from) {
            let name = &self.function.buffer(from).name;
            let told = illegal(place, format!("`{name}` is written in the same loops, and a copy would be of before"));
            return Err(Box::new(told.help("choose a buffer that these loops only read")));
        }
        let (to, name, shape) = self.cache(call, from, (root, place))?;
        let (at, kind) = (self.function.place, self.function.buffer(from).element);
        let (copy, nest) =
            self.over_all(&name, &shape, |own| Ok((element(at, to, own), Expr::load(element(at, from, own), kind))))?;
        self.change(&block.name, |block| rebuffered(block, from, to))?;
        self.function.body.insert(root + 1, nest);
        Ok(Value::Block(copy))
    }

    /// The buffer is copied before the statement that has the block, and back behind it.
    pub(super) fn cache_write(&mut self, call: &Call) -> Done<Value> {
        let (block, place) = self.block_of(call, (0, "block"))?;
        let root = self.root_of(&block.name);
        let without = self.living_within(root);
        let mut writes = written(&[block.init.clone(), block.body.clone()].concat());
        writes.retain(|id| !without.contains(id));
        let from = self.chosen(call, (1, "write_buffer_index"), (&writes, "writes"))?;
        self.check_alone(&block, (from, root), place)?;
        let (to, name, shape) = self.cache(call, from, (root, place))?;
        let (at, kind) = (self.function.place, self.function.buffer(from).element);
        let between =
            |to, from| move |own: &[Expr]| Ok((element(at, to, own), Expr::load(element(at, from, own), kind)));
        let (_, first) = self.over_all(&format!("{name}_first"), &shape, between(to, from))?;
        let (copy, last) = self.over_all(&name, &shape, between(from, to))?;
        self.change(&block.name, |block| rebuffered(block, from, to))?;
        self.function.body.insert(root + 1, first);
        self.function.body.insert(root + 3, last);
        Ok(Value::Block(copy))
    }

    /// The buffer is used by no other block of the same loops.
    fn check_alone(&mut self, block: &Block, (id, root): (BufferId, usize), place: Span) -> Done<()> {
        let mut others = self.function.clone();
        let empty = Block { init: Vec::new(), body: Vec::new(), ..block.clone() };
        super::nest::change(&mut others.body, &block.name, &mut |_| Ok(empty.clone()))?;
        let rest = &others.body[root..=root];
        if read(rest).contains(&id) || written(rest).contains(&id) {
            let name = &self.function.buffer(id).name;
            let told = illegal(place, format!("`{name}` is used by other statements of the same loops, too"));
            return Err(Box::new(told.help("choose a block that has its loops for itself")));
        }
        Ok(())
    }

    /// The buffer of a number or a name.
    fn chosen(&mut self, call: &Call, which: (usize, &str), (all, word): (&[BufferId], &str)) -> Done<BufferId> {
        let (given, place) = self.needed(call, which)?;
        let names: Vec<String> = all.iter().map(|id| self.function.buffer(*id).name.clone()).collect();
        let at = match given {
            Value::Int(at) => usize::try_from(at).ok(),
            Value::Text(name) => names.iter().position(|known| *known == name),
            other => return Err(wanted(place, "the number or the name of a buffer", &other)),
        };
        at.and_then(|at| all.get(at)).copied().ok_or_else(|| {
            let told = illegal(place, format!("the block {word} no such buffer"));
            Box::new(told.help(format!("in this order it {word} {}", names.join(", "))))
        })
    }

    /// A new buffer like one, in a memory of the argument.
    fn cache(&mut self, call: &Call, from: BufferId, (root, at): (usize, Span)) -> Done<(BufferId, String, Vec<Expr>)> {
        let (word, place) = self.text(call, (2, "storage_scope"))?;
        let scope = Scope::named(&word).ok_or_else(|| {
            let told = unformed(place, format!("`{word}` is no kind of memory"));
            Box::new(match did_you_mean(&word, SCOPES.iter().copied()) {
                Some(near) => told.help(format!("there is `{near}`")),
                None => told.help(format!("there are {}", SCOPES.join(", "))),
            })
        })?;
        let shape = self.sizes(from, at)?;
        let buffer = self.function.buffer(from);
        let (name, kind) = (format!("{}_{}", buffer.name, word.replace('.', "_")), buffer.element);
        let id = self.allocated(&name, (kind, scope), shape.clone(), root);
        Ok((id, self.function.buffer(id).name.clone(), shape))
    }
}
