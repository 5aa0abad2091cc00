//! The values and blocks in scope at a place: those of the regions around it, and, for blocks and for uses before the
//! definition, those that come later in its region.

use rustc_hash::FxHashMap;

use nnz_syntax::{TokenKind, TokenRef};

use super::value_name;
use crate::{Checker, DefId};

/// Regions that lie deeper share a scope: broken texts may open many, and each that ends looks over what still waits.
const DEEPEST: usize = 64;

/// The scopes of one function.
#[derive(Default)]
pub(super) struct Scopes<'t> {
    /// The function's own names.
    outermost: Scope<'t>,
    /// The regions that are open, the innermost last.
    regions: Vec<Scope<'t>>,
    /// How many more are open.
    deeper: usize,
    /// Uses whose definition was not seen.
    waiting: Vec<TokenRef<'t>>,
    /// What the next region begins with: its parameters, the variables of a loop.
    arguments: Vec<(&'t str, DefId)>,
    /// What the region that ended last began with.
    before: Vec<(&'t str, DefId)>,
    /// The names of regions that have ended, for texts with errors.
    ended: FxHashMap<&'t str, DefId>,
}

#[derive(Default)]
struct Scope<'t> {
    names: FxHashMap<&'t str, DefId>,
    arguments: Vec<(&'t str, DefId)>,
    /// How many uses waited when it began.
    waited: usize,
}

impl<'t> Scopes<'t> {
    /// A brace is opened, of a region or of attributes.
    pub(super) fn open(&mut self, region: bool) {
        let arguments = if region { std::mem::take(&mut self.arguments) } else { Vec::new() };
        if self.regions.len() == DEEPEST {
            self.deeper += 1;
            arguments.into_iter().for_each(|(name, id)| self.define(name, id));
        } else {
            let names = arguments.iter().copied().collect();
            self.regions.push(Scope { names, arguments, waited: self.waiting.len() });
        }
    }

    /// A name that the next region begins with.
    pub(super) fn pass(&mut self, name: &'t str, id: DefId) {
        self.arguments.push((name, id));
    }

    /// The next region begins with what the last one did.
    pub(super) fn pass_again(&mut self) {
        if self.arguments.is_empty() {
            self.arguments.clone_from(&self.before);
        }
    }

    pub(super) fn close(&mut self, c: &mut Checker<'_>) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(scope) = self.regions.pop() {
            self.settle(&scope, c);
            self.ended.extend(scope.names);
            self.before = scope.arguments;
        }
    }

    /// What waited within a scope for names that it has.
    fn settle(&mut self, scope: &Scope<'t>, c: &mut Checker<'_>) {
        for token in self.waiting.split_off(scope.waited.min(self.waiting.len())) {
            match scope.names.get(value_name(token)) {
                Some(id) => c.record_use(token.span(), Some(*id)),
                None => self.waiting.push(token),
            }
        }
    }

    pub(super) fn define(&mut self, name: &'t str, id: DefId) {
        self.regions.last_mut().unwrap_or(&mut self.outermost).names.insert(name, id);
    }

    pub(super) fn refer(&mut self, token: TokenRef<'t>, c: &mut Checker<'_>) {
        let name = value_name(token);
        let inside_out = self.regions.iter().rev().chain([&self.outermost]);
        // A block belongs to its region, which may yet name one so.
        let known = match token.kind() == TokenKind::CaretId {
            true => None,
            false => inside_out.filter_map(|scope| scope.names.get(name)).next(),
        };
        match known {
            Some(id) => c.record_use(token.span(), Some(*id)),
            None => self.waiting.push(token),
        }
    }

    /// The function ends, whatever is open.
    pub(super) fn end(&mut self, c: &mut Checker<'_>) {
        self.deeper = 0;
        while !self.regions.is_empty() {
            self.close(c);
        }
        let outermost = std::mem::take(&mut self.outermost);
        self.settle(&outermost, c);
        self.ended.extend(self.arguments.drain(..));
        self.before.clear();
        for token in self.waiting.drain(..) {
            c.record_use(token.span(), self.ended.get(value_name(token)).copied());
        }
        self.ended.clear();
    }
}
