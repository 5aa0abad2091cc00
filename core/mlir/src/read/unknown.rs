//! Operations that nnz does not know. Those of MLIR are not errors; all others are.

use super::{Dialects, Reader};
use crate::{checks::elements::on_elements, mistake::Mistake};
use nnz_base::{
    diagnostic::{Code, did_you_mean, distance, nearest_first},
    element::Element,
    source::Span,
};
use nnz_check::{form_today, is_historic, list_of};

/// What a check warns of, where it is to run.
fn historic(name: &str, span: Span) -> Mistake {
    let form = form_today(name).unwrap_or_default();
    let today = form.split([' ', '(']).next().unwrap_or(form);
    let message = format!("`{name}` is now `{today}`, and runs under this name alone");
    Mistake::unsupported(span, message).label("its old name").help(format!("its form today: `{form}`"))
}

/// The kinds of names that are not operations of nnz.
#[derive(Clone, Debug)]
pub(super) enum Unknown {
    /// An operation of MLIR, or of a dialect that nnz does not know.
    Elsewhere,
    /// An operation under an old name, for which the check has warned.
    Historic,
    /// Of a dialect that nnz knows, which has no such operation: a name near to it, or some of the dialect's.
    Nowhere { near: Option<&'static str>, help: Option<String> },
}

impl Reader<'_> {
    pub(super) fn unknown(&mut self, name: &str, span: Span) -> Mistake {
        let known = self.unknown.get(name).cloned();
        match known.unwrap_or_else(|| {
            self.unknown.entry(name.to_string()).or_insert_with(|| look(self.dialects, name)).clone()
        }) {
            Unknown::Elsewhere => Mistake::unsupported(span, format!("nnz has no operation `{name}`"))
                .label("not an operation that nnz runs"),
            Unknown::Historic => historic(name, span),
            Unknown::Nowhere { near, help } => {
                let mistake = Mistake::new(Code::UnknownOperation, span, format!("there is no operation `{name}`"));
                let mistake = mistake.label("not an operation");
                // A right name at a wrong place is not meant to be another.
                let near = near.map(|near| self.typed(near, span)).filter(|near| *near != name);
                match (near, help) {
                    // Of a name in quotes, what stands between them.
                    (Some(near), _) if span.len() == name.len() + 2 => {
                        mistake.guess(Span::new(span.start as usize + 1, span.end as usize - 1), near)
                    }
                    (Some(near), _) => mistake.guess(span, near),
                    (None, Some(help)) => mistake.help(help),
                    (None, None) => mistake,
                }
            }
        }
    }
}

impl Reader<'_> {
    /// `arith.divsi` for `arith.divf` in front of `: i64` at the end of the line.
    fn typed(&self, near: &'static str, name: Span) -> &'static str {
        let behind = self.checked.source.text.get(name.end as usize..).unwrap_or_default();
        let ty = behind.lines().next().and_then(|line| line.rsplit_once(':')).map_or("", |(_, ty)| ty.trim());
        let word = |c: char| !c.is_ascii_alphanumeric();
        let element = ty.trim_end_matches('>').rsplit(word).next().and_then(|word| word.rsplit('x').next());
        let element = if ty.ends_with("index") { Some("index") } else { element };
        element.and_then(Element::parse).map_or(near, |element| on_elements(near, element))
    }
}

fn look(dialects: &'static Dialects, name: &str) -> Unknown {
    if is_historic(name) {
        return Unknown::Historic;
    }
    if dialects.elsewhere.contains(&name) {
        return Unknown::Elsewhere;
    }
    let Some((dialect, _)) = name.split_once('.') else {
        return without_dialect(dialects, name);
    };
    let of = |known: &str| known.split_once('.').is_some_and(|(known, _)| known == dialect);
    let names = || dialects.names().chain(dialects.elsewhere.iter().copied());
    if !dialects.names().any(of) {
        let near = did_you_mean(name, names());
        return if near.is_some_and(|near| misspells_dialect(name, near)) {
            Unknown::Nowhere { near, help: None }
        } else {
            Unknown::Elsewhere
        };
    }
    let meant = ELSEWHERE.iter().find(|(written, _)| *written == name).map(|(_, own)| *own);
    if meant.is_some() {
        return Unknown::Nowhere { near: meant, help: None };
    }
    let near = nearest_of(name, names().filter(|known| of(known)))
        .or_else(|| did_you_mean(name, names()))
        .or_else(|| slip_of(name, names().filter(|known| of(known))));
    let near = near
        .filter(|near| !of(near) || shortens(name, near) || distance(name, near) <= (name.len() - dialect.len()) / 3);
    let some: Vec<&str> = dialects.names().filter(|known| of(known)).collect();
    Unknown::Nowhere { near, help: Some(format!("of this dialect there are {}", list_of(&nearest_first(name, some)))) }
}

/// Names that operations have in other dialects or in other words.
const ELSEWHERE: &[(&str, &str)] = &[
    ("sparse_tensor.cast", "sparse_tensor.convert"),
    ("sparse_tensor.nnz", "sparse_tensor.number_of_entries"),
    ("tensor.load", "tensor.extract"),
    ("tensor.store", "tensor.insert"),
    ("tensor.slice", "tensor.extract_slice"),
    ("memref.extract", "memref.load"),
    ("memref.insert", "memref.store"),
    ("memref.tensor_load", "bufferization.to_tensor"),
    ("arith.maxf", "arith.maximumf"),
    ("arith.minf", "arith.minimumf"),
    ("arith.max", "arith.maximumf"),
    ("arith.min", "arith.minimumf"),
    ("arith.add", "arith.addf"),
    ("arith.sub", "arith.subf"),
    ("arith.mul", "arith.mulf"),
    ("arith.div", "arith.divf"),
];

/// A long name with a few letters more or less: `number_of_entry`.
fn slip_of(name: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let operation = name.split_once('.').map_or("", |(_, operation)| operation);
    names
        .map(|known| (distance(name, known), known))
        .filter(|(slip, _)| slip * 5 <= operation.len())
        .min()
        .map(|(_, known)| known)
}

/// The name of a dialect that `name` is but for a slip, or is the beginning of.
fn nearest_of(name: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let rank = |known: &str| match distance(name, known) {
        slip @ 0..=1 => Some(slip),
        _ if begins(name, known) => Some(1 + known.len().abs_diff(name.len())),
        _ => None,
    };
    names.filter_map(|known| Some((rank(known)?, known))).min_by_key(|(rank, _)| *rank).map(|(_, known)| known)
}

/// `arith.const` begins `arith.constant`.
fn begins(name: &str, known: &str) -> bool {
    let (short, long) = if name.len() < known.len() { (name, known) } else { (known, name) };
    let operation = short.split_once('.').map_or("", |(_, operation)| operation);
    operation.len() >= 3 && long.starts_with(short)
}

/// `arith.const` has more than half of `arith.constant`.
fn shortens(name: &str, known: &str) -> bool {
    let len = |name: &str| name.split_once('.').map_or(0, |(_, operation)| operation.len());
    begins(name, known) && len(name) < len(known) && 2 * len(name) > len(known)
}

/// Only `return` and `call` may leave their dialect out.
fn without_dialect(dialects: &'static Dialects, name: &str) -> Unknown {
    let near = did_you_mean(name, ["return", "call"]).map(|near| if near == "call" { "call" } else { "return" });
    let near = near.or_else(|| ["ret", "rtn"].contains(&name).then_some("return"));
    let whole: Vec<&'static str> =
        dialects.names().filter(|known| known.split_once('.').is_some_and(|(_, own)| own == name)).collect();
    match (near, &whole[..]) {
        (Some(near), _) => Unknown::Nowhere { near: Some(near), help: None },
        (None, [one]) => Unknown::Nowhere { near: Some(one), help: None },
        (None, []) => Unknown::Nowhere {
            near: None,
            help: Some("an operation's name begins with its dialect: `arith.addf`".into()),
        },
        (None, several) => Unknown::Nowhere { near: None, help: Some(format!("write one of {}", list_of(several))) },
    }
}

/// Whether a name would be an operation without a slip in its dialect; other dialects do not concern nnz.
fn misspells_dialect(name: &str, near: &str) -> bool {
    let (Some((dialect, operation)), Some((known, meant))) = (name.split_once('.'), near.split_once('.')) else {
        return false;
    };
    operation == meant && known.len() > 3 && distance(dialect, known) <= 2
}
