//! What a rule of a decomposition means for its function: iterators and buffers by their numbers, checked.

use nnz_base::{
    diagnostic::{Code, Diagnostic, counted, did_you_mean},
    ids::FileId,
    source::Span,
};

use crate::{
    maps::{counterexample, point},
    model::{BufferId, Decomposition, ExprKind, Function, IteratorId, Layout, Origin, Real, Rule, Sparse, name_of},
    read::Read,
};

/// A rule in its function.
#[derive(Clone)]
pub struct Ruled<'f> {
    pub rule: &'f Rule,
    pub description: &'f Function,
    /// The iterators of the buffers that get the format: the order of old coordinates.
    pub before: Vec<IteratorId>,
    /// The iterators of the description: the order of new coordinates.
    pub after: Vec<IteratorId>,
    /// The buffers of the function with those of the description.
    pub buffers: Vec<(BufferId, BufferId)>,
    /// The iterators of the description that replace each one of the function.
    pub iterators: Vec<(IteratorId, Vec<IteratorId>)>,
}

type Done<T> = Result<T, Box<Diagnostic>>;

/// A rule that is not legal.
pub fn illegal(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::TirRule, FileId(0), place, message).label("not legal here")
}

/// All rules of a decomposition.
///
/// # Errors
/// A rule that does not fit the function or its description.
pub fn ruled<'f>(decomposition: &'f Decomposition, function: &'f Function, all: &'f [Read]) -> Done<Vec<Ruled<'f>>> {
    for (at, rule) in decomposition.rules.iter().enumerate() {
        name(rule, &decomposition.rules[..at])?;
    }
    decomposition.rules.iter().map(|rule| one(rule, function, all)).collect()
}

fn name(rule: &Rule, before: &[Rule]) -> Done<()> {
    let place = rule.places.name.0;
    if rule.name.is_empty() || !rule.name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        let told = illegal(place, format!("`{}` is no name of a rule", rule.name));
        return Err(Box::new(told.help("letters, digits and `_`: it ends the names of iterators and buffers")));
    }
    if before.iter().any(|other| other.name == rule.name) {
        let told = illegal(place, format!("two rules are called `{}`", rule.name));
        return Err(Box::new(told.help("give each rule a name of its own")));
    }
    Ok(())
}

fn one<'f>(rule: &'f Rule, function: &'f Function, all: &'f [Read]) -> Done<Ruled<'f>> {
    let description = described(rule, all)?;
    let iterators = replaced(rule, function, description)?;
    let all_before = iterators.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let before = match &rule.before {
        Some(names) => named(rule, function, names)?,
        None => all_before.clone(),
    };
    let all_after: Vec<IteratorId> = iterators.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let after = match &rule.after {
        Some(names) => named(rule, description, names)?,
        // In the order of the description.
        None => description.iterator_ids().filter(|id| all_after.contains(id)).collect(),
    };
    let place = rule.places.iterators.0;
    let is_same =
        |one: &[IteratorId], other: &[IteratorId]| one.len() == other.len() && one.iter().all(|id| other.contains(id));
    if !is_same(&before, &all_before) || !is_same(&after, &all_after) {
        let told = illegal(place, "the lists of iterators and the map name other iterators");
        return Err(Box::new(told.help("the map has each iterator before the rewrite, and each behind it once")));
    }
    let ruled = Ruled { rule, description, before, after, buffers: Vec::new(), iterators };
    let buffers = ruled.paired(function)?;
    ruled.maps()?;
    Ok(Ruled { buffers, ..ruled })
}

fn described<'f>(rule: &Rule, all: &'f [Read]) -> Done<&'f Function> {
    let place = rule.places.description.0;
    let found = all.iter().find(|read| read.span.start == rule.description.start);
    let Some(read) = found.filter(|read| read.whole) else {
        return Err(Box::new(illegal(place, "this format description has mistakes").help("correct it first")));
    };
    let function = &read.function;
    let open = function.captured.iter().map(|id| &function.variable(*id).name);
    let open = { open }.find(|name| !rule.description.constants.iter().any(|(known, _)| known == *name));
    if let Some(open) = open {
        let told = illegal(place, format!("`{open}` of `{}` has no value", function.name));
        return Err(Box::new(told.help("pass a number that is written out")));
    }
    Ok(function)
}

/// The iterators by these names.
fn named(rule: &Rule, function: &Function, names: &[String]) -> Done<Vec<IteratorId>> {
    let known = || function.iterators.iter().map(|iterator| iterator.name.as_str());
    let find = |name: &String| {
        let found = known().position(|known| known == name).map(IteratorId::new);
        found.ok_or_else(|| {
            let told = illegal(rule.places.iterators.0, format!("`{}` has no iterator `{name}`", function.name));
            Box::new(match did_you_mean(name, known()) {
                Some(near) => told.help(format!("it has `{near}`")),
                None => told.help(format!("it has {}", known().collect::<Vec<_>>().join(", "))),
            })
        })
    };
    names.iter().map(find).collect()
}

type Replaced = Vec<(IteratorId, Vec<IteratorId>)>;

fn replaced(rule: &Rule, function: &Function, description: &Function) -> Done<Replaced> {
    let mut made: Replaced = Vec::new();
    for (name, names) in &rule.iterators {
        let id = named(rule, function, std::slice::from_ref(name))?[0];
        made.push((id, named(rule, description, names)?));
    }
    let mut all: Vec<IteratorId> = made.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    all.sort();
    if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = &description.iterator(pair[0]).name;
        let told = illegal(rule.places.iterators.0, format!("`{name}` replaces two iterators"));
        return Err(Box::new(told.help("name each iterator of the description once")));
    }
    Ok(made)
}

impl Ruled<'_> {
    fn paired(&self, function: &Function) -> Done<Vec<(BufferId, BufferId)>> {
        let place = self.rule.places.buffers.0;
        let theirs = handles(self.description);
        if theirs.len() != self.rule.buffers.len() {
            let (name, count, given) = (&self.description.name, theirs.len(), self.rule.buffers.len());
            let told =
                illegal(place, format!("`{name}` declares {}, and the rule names {given}", counted(count, "buffer")));
            return Err(Box::new(
                told.help("each buffer of the description is for one of the function, in this order"),
            ));
        }
        let pair = |(name, theirs): (&String, BufferId)| Ok((self.own(function, name, theirs)?, theirs));
        self.rule.buffers.iter().zip(theirs).map(pair).collect()
    }

    /// The buffer of the function that gets the format of one of the description.
    fn own(&self, function: &Function, name: &str, theirs: BufferId) -> Done<BufferId> {
        let place = self.rule.places.buffers.0;
        let found = function.buffers.iter().position(|buffer| buffer.name == name).map(BufferId::new);
        let Some(id) = found else {
            let told = illegal(place, format!("`{}` has no buffer `{name}`", function.name));
            let near = did_you_mean(name, function.buffers.iter().map(|buffer| buffer.name.as_str()));
            return Err(Box::new(match near {
                Some(near) => told.help(format!("it has `{near}`")),
                None => told.help("name buffers of `T.sp.match_buffer`"),
            }));
        };
        let (own, other) = (function.buffer(id), self.description.buffer(theirs));
        let (Layout::Sparse(sparse), Origin::Handle(_)) = (&own.layout, &own.origin) else {
            let told = illegal(place, format!("`{name}` is no sparse buffer that the caller passes"));
            return Err(Box::new(told.help("only buffers of `T.sp.match_buffer` get another format")));
        };
        if sparse.iterators != self.before {
            let told = illegal(place, format!("`{name}` is over {}", listed(function, &sparse.iterators)));
            let told = told.label(format!("the rule is for {}", listed(function, &self.before)));
            return Err(Box::new(told.help("the rule replaces all iterators of the buffer, in their order")));
        }
        let covers = other.iterators().len() == self.after.len() && { other.iterators() }
            .iter()
            .all(|id| self.after.contains(id));
        if !covers {
            let theirs = listed(self.description, other.iterators());
            let told = illegal(self.rule.places.iterators.0, format!("the buffer of the description is over {theirs}"));
            let told = told.label(format!("the rule has {}", listed(self.description, &self.after)));
            return Err(Box::new(told.help("the map covers all iterators of the description's buffer")));
        }
        if own.element != other.element {
            let (is, wanted) = (name_of(own.element), name_of(other.element));
            let told = illegal(place, format!("`{name}` is of type `{is}`, and the description's buffer `{wanted}`"));
            return Err(Box::new(told.help("declare both with one type")));
        }
        if !is_zero(sparse) {
            let told = illegal(place, format!("what is not stored of `{name}` is not 0"));
            return Err(Box::new(told.help("only a buffer whose default is 0 is the sum of its parts")));
        }
        Ok(id)
    }

    fn maps(&self) -> Done<()> {
        let Rule { there, back, places, .. } = self.rule;
        let counts = [
            (there, self.before.len(), self.after.len(), places.there.0),
            (back, self.after.len(), self.before.len(), places.back.0),
        ];
        for (map, takes, gives, place) in counts {
            if map.variables.len() != takes || map.results.len() != gives {
                let (has, found) = (map.variables.len(), map.results.len());
                let message = format!("this map goes from {has} coordinates to {found}, not from {takes} to {gives}");
                let told = illegal(place, message);
                return Err(Box::new(told.help("it takes and gives a coordinate of each iterator")));
            }
        }
        let Some((from, through, to)) = counterexample(there, back) else { return Ok(()) };
        let told = illegal(places.back.0, format!("the maps do not invert each other at {}", point(&from)));
        let told = told.label(format!("it goes to {}, and back to {}", point(&through), point(&to)));
        let told = told.secondary(places.there.0, "the map there");
        let orders = [listed_named(self.rule.before.as_ref()), listed_named(self.rule.after.as_ref())];
        Err(Box::new(match orders {
            [Some(before), Some(after)] => told.help(format!("coordinates are in the orders {before} and {after}")),
            _ => told.help("coordinates are in the order of the iterators in both functions"),
        }))
    }
}

fn listed_named(names: Option<&Vec<String>>) -> Option<String> {
    names.map(|names| format!("[{}]", names.join(", ")))
}

fn listed(function: &Function, ids: &[IteratorId]) -> String {
    let names: Vec<&str> = ids.iter().map(|id| function.iterator(*id).name.as_str()).collect();
    format!("[{}]", names.join(", "))
}

/// The buffers that the caller passes, in the order of parameters.
fn handles(function: &Function) -> Vec<BufferId> {
    let is_sparse = |id: &BufferId| {
        let buffer = function.buffer(*id);
        matches!((&buffer.origin, &buffer.layout), (Origin::Handle(_), Layout::Sparse(_)))
    };
    (0..function.buffers.len()).map(BufferId::new).filter(is_sparse).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "another default is computed")]
fn is_zero(sparse: &Sparse) -> bool {
    sparse.default.as_ref().is_none_or(|value| match value.kind() {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Float(Real(value)) => *value == 0.0,
        ExprKind::Bool(value) => !value,
        _ => false,
    })
}
