//! Results in dense blocks.
//!
//! For each row of blocks the loops run over its rows twice. First they list the blocks that entries fall into at the
//! end of the result's coordinates; there the list is sorted, and the blocks are cleared. Then every entry goes into
//! its block. An array over all block columns holds 1 more than the position of each listed block. An element of this
//! array is valid only if it exceeds the position where the current block row starts, so the array needs no clearing
//! between rows.

use super::{ArrayBinding, Lowerer, assemble::Purpose, listing::List, merge::Body};
use crate::iterate::{Assembly, Blocked, Blocks, Row, entry_terms};
use nnz_base::ids::IndexVar;
use nnz_loops::{ArrayId, Binary, ExprId, ForKind, Stmt, Type, VarId};

/// What the loops over blocks work on.
#[derive(Clone, Copy)]
struct Listing {
    blocks: Blocks,
    /// The coordinates of the blocks; `None` in the run that only counts blocks.
    coordinates: Option<ArrayId>,
    /// For each column of blocks, 1 more than the position of its block.
    places: ArrayId,
    /// How many columns of blocks there are.
    columns: ExprId,
    /// How many blocks there are so far.
    count: VarId,
    /// How many there were before the row of blocks.
    start: ExprId,
}

impl<'k> Lowerer<'k> {
    pub(super) fn blocks(&mut self, assembly: &'k Assembly, blocks: Blocks, purpose: Purpose) {
        let Some(level) = assembly.rows.get(1) else { return };
        let of_blocks = [ArrayBinding::ResultPositions(level.lvl), ArrayBinding::ResultCoordinates(level.lvl)];
        let filled = (purpose == Purpose::Fill).then(|| of_blocks.map(|it| self.parameters.array(&mut self.b, it)));
        let places = self.parameters.array(&mut self.b, ArrayBinding::Stamps);
        let (zero, one) = (self.b.index(0), self.b.index(1));
        let [block_rows, columns] = [blocks.rows, blocks.columns].map(|dim| self.count_of(dim));
        self.each("at", [zero, columns], &mut |this, at| this.b.store(places, at, zero));
        if let Some([positions, _]) = filled {
            self.b.store(positions, zero, zero);
        }
        let count = self.accumulator_of("count", Type::Index, zero);
        self.each("block", [zero, block_rows], &mut |this, block| {
            let start = this.b.var(count);
            let start = this.b.define("start", Type::Index, start);
            let start = this.b.var(start);
            let coordinates = filled.map(|[_, coordinates]| coordinates);
            let listing = Listing { blocks, coordinates, places, columns, count, start };
            this.row_of_blocks(assembly, listing, block);
            if let Some([positions, _]) = filled {
                let (next, end) = (this.b.add(block, one), this.b.var(count));
                this.b.store(positions, next, end);
            }
        });
        self.report_blocks(assembly, count);
    }

    /// How many blocks a dimension has.
    fn count_of(&mut self, dim: Blocked) -> ExprId {
        let (extent, size, rest) = (self.extent(dim.var), self.b.index(dim.size), self.b.index(dim.size - 1));
        let padded = self.b.add(extent, rest);
        let count = self.b.binary(Binary::Div, padded, size);
        self.named("blocks", count)
    }

    fn row_of_blocks(&mut self, assembly: &'k Assembly, listing: Listing, block: ExprId) {
        let rows = listing.blocks.rows;
        let (size, extent) = (self.b.index(rows.size), self.extent(rows.var));
        let first = self.b.mul(block, size);
        let end = self.b.add(first, size);
        let end = self.b.binary(Binary::Min, end, extent);
        self.window = Some((rows.var, [first, end]));
        self.entries_of_terms(assembly, false, &mut |this, _, _| this.list_block(listing));
        if let Some(coordinates) = listing.coordinates {
            self.blocks_in_order(listing, coordinates);
            self.open_blocks(assembly, listing, coordinates);
            self.entries_of_terms(assembly, true, &mut |this, negated, value| {
                if let Some(value) = value {
                    this.put_in_block(assembly, listing, negated, value);
                }
            });
        }
        self.window = None;
    }

    /// The loops of all terms over the rows in the window, around the statements that `body` makes for an entry; `body`
    /// gets whether the entry is subtracted, and its value if needed.
    fn entries_of_terms(&mut self, assembly: &'k Assembly, wanted: bool, body: EntryBody<'_, 'k>) {
        for term in entry_terms(&assembly.combine, &assembly.expr) {
            self.reset_cursors();
            let mut vars = term.summed.clone();
            vars.extend(assembly.rows.iter().take(2).map(|row| row.var));
            vars.sort_by_key(|var| assembly.order.iter().position(|other| other == var));
            let mut entry: Body<'_, 'k> = &mut |this, expr| {
                this.where_met(expr, wanted, &mut |this, value| body(this, term.negated, value));
            };
            self.nest_loops(&vars, &term.body, &mut entry);
        }
    }

    fn column_of_blocks(&mut self, listing: Listing) -> ExprId {
        let columns = listing.blocks.columns;
        let (coordinate, size) = (self.coordinate(columns.var), self.b.index(columns.size));
        let column = self.b.binary(Binary::Div, coordinate, size);
        self.named("column", column)
    }

    /// Lists the entry's block, unless it is listed.
    fn list_block(&mut self, listing: Listing) {
        let column = self.column_of_blocks(listing);
        let place = self.b.load(listing.places, column);
        let (start, one) = (listing.start, self.b.index(1));
        let is_new = self.b.binary(Binary::Le, place, start);
        self.b.open();
        let count = self.b.var(listing.count);
        if let Some(coordinates) = listing.coordinates {
            self.b.store(coordinates, count, column);
        }
        let value = self.b.add(count, one);
        self.b.store(listing.places, column, value);
        self.b.push(Stmt::Assign { var: listing.count, value });
        let then = self.b.close();
        self.b.push(Stmt::If { cond: is_new, then, other: Vec::new() });
    }

    fn blocks_in_order(&mut self, listing: Listing, array: ArrayId) {
        let end = self.b.var(listing.count);
        let length = self.b.sub(end, listing.start);
        let list = List { array, range: [listing.start, end], length, size: listing.columns, most: None };
        self.in_order(list, &mut |this, at| {
            let place = this.b.load(listing.places, at);
            this.b.binary(Binary::Lt, listing.start, place)
        });
    }

    /// Stores the positions of the row's blocks, and clears the blocks.
    fn open_blocks(&mut self, assembly: &Assembly, listing: Listing, coordinates: ArrayId) {
        let (end, one) = (self.b.var(listing.count), self.b.index(1));
        self.each("at", [listing.start, end], &mut |this, at| {
            let (column, place) = (this.b.load(coordinates, at), this.b.add(at, one));
            this.b.store(listing.places, column, place);
        });
        let inner = assembly.rows.iter().skip(2);
        let size = inner.fold(1i64, |size, row| size.saturating_mul(size_of(listing.blocks, row)));
        let size = self.b.index(size);
        let range = [self.b.mul(listing.start, size), self.b.mul(end, size)];
        let array = self.result_array();
        let zero = self.zero();
        self.fill(array, range, zero, ForKind::Serial);
    }

    fn put_in_block(&mut self, assembly: &Assembly, listing: Listing, negated: bool, value: ExprId) {
        let (column, one) = (self.column_of_blocks(listing), self.b.index(1));
        let place = self.b.load(listing.places, column);
        let mut at = self.b.sub(place, one);
        for row in assembly.rows.iter().skip(2) {
            let (coordinate, size) = (self.coordinate(row.var), self.b.index(size_of(listing.blocks, row)));
            let (first, inside) = (self.b.mul(at, size), self.b.binary(Binary::Rem, coordinate, size));
            at = self.b.add(first, inside);
        }
        let at = self.named("place", at);
        let array = self.result_array();
        let before = (!met_once(assembly)).then(|| self.b.load(array, at));
        let value = self.added(before, negated, value);
        self.b.store(array, at, value);
    }

    fn report_blocks(&mut self, assembly: &Assembly, count: VarId) {
        let ends = self.parameters.array(&mut self.b, ArrayBinding::Ends);
        let (zero, count) = (self.b.index(0), self.b.var(count));
        for at in 0..assembly.rows.len() {
            let slot = self.b.index(i64::try_from(at).unwrap_or(i64::MAX));
            self.b.store(ends, slot, if at == 1 { count } else { zero });
        }
    }
}

/// What is done with an entry: whether it is subtracted, and its value, if that is wanted.
type EntryBody<'b, 'k> = &'b mut dyn FnMut(&mut Lowerer<'k>, bool, Option<ExprId>);

/// The size of a block along the dimension of one of the levels inside it.
fn size_of(blocks: Blocks, row: &Row) -> i64 {
    let of = |var: IndexVar| [blocks.rows, blocks.columns].into_iter().find(|dim| dim.var == var);
    of(row.var).map_or(1, |dim| dim.size)
}

/// Whether the loops meet every entry of the result once. Then nothing is added to an entry, and a zero keeps its sign.
fn met_once(assembly: &Assembly) -> bool {
    let terms = entry_terms(&assembly.combine, &assembly.expr);
    terms.len() == 1 && terms.iter().all(|term| term.summed.is_empty())
}
