//! Names of functions of SparseTIR: where they are declared, and where they stand.

use nnz_base::source::Span;
use nnz_tir::{
    Script,
    read::{Mention, Read, Thing},
};

/// The name at an offset, with its function.
pub(super) fn mention(script: &Script, offset: usize) -> Option<(&Read, Mention)> {
    let read = script.functions.iter().find(|read| read.span.touches(offset))?;
    let mention = read.mentions.iter().find(|mention| mention.span.touches(offset))?;
    Some((read, *mention))
}

/// Where a thing is declared; a name of the Python around has no place.
fn declared(read: &Read, thing: Thing) -> Option<Span> {
    let function = &read.function;
    let place = match thing {
        Thing::Param(id) => function.param(id).place,
        Thing::Iterator(id) => function.iterator(id).place,
        Thing::Buffer(id) => function.buffer(id).place,
        Thing::Variable(id) => function.variable(id).place,
    };
    Some(place.0).filter(|place| !place.is_empty())
}

/// The declaration of the name at an offset.
pub fn definition(script: &Script, offset: usize) -> Option<Span> {
    let (read, mention) = mention(script, offset)?;
    declared(read, mention.thing)
}

/// The places of the name at an offset, in order, each with whether it is the declaration.
pub fn places(script: &Script, offset: usize) -> Vec<(Span, bool)> {
    let Some((read, Mention { thing, .. })) = mention(script, offset) else { return Vec::new() };
    let declared = declared(read, thing);
    let same = read.mentions.iter().filter(|other| other.thing == thing);
    let mut places: Vec<(Span, bool)> = same.map(|other| (other.span, Some(other.span) == declared)).collect();
    places.sort_unstable();
    places.dedup();
    places
}

pub fn references(script: &Script, offset: usize, with_definition: bool) -> Vec<Span> {
    let wanted = places(script, offset).into_iter().filter(|(_, declares)| with_definition || !declares);
    wanted.map(|(span, _)| span).collect()
}
