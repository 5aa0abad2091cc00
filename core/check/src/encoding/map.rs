//! Maps: variables and their scopes, expressions, and the rules that the syntax does not enforce.

mod divisor;
mod expressions;

use std::collections::HashMap;

use super::{super::MapVariable, Checker, DimPlaces, LevelPlaces, Notation, Places, level, slice::read_slice};
use crate::{DefId, DefinitionKind, Grammar};
use expressions::{check_counts_alone, is_expr};
use nnz_base::{
    diagnostic::Code,
    ids::{Dim, Lvl, Sym},
    source::Span,
};
use nnz_encoding::{Affine, COUNT, Dimension, EncodingParts, Level, MAX_LEVELS, MAX_RANK, Slice};
use nnz_syntax::{NodeKind, NodeRef, TokenRef};

/// The meaning of a name in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Var {
    Dim(Dim),
    Lvl(Lvl),
    Sym(Sym),
}

impl Var {
    fn words(self) -> &'static str {
        match self {
            Var::Dim(_) => "a dimension",
            Var::Lvl(_) => "a level variable",
            Var::Sym(_) => "a symbol",
        }
    }
    fn kind(self) -> MapVariable {
        match self {
            Var::Dim(_) => MapVariable::Dim,
            Var::Lvl(_) => MapVariable::Lvl,
            Var::Sym(_) => MapVariable::Symbol,
        }
    }
}

struct Named<'t> {
    name: &'t str,
    span: Span,
    var: Var,
    /// What editors know it as.
    id: Option<DefId>,
}

/// What a map is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Editors know its names, and what it divides by is positive.
    Encoding,
    /// As MLIR has it, a map may divide by 0: operations refuse it that use it.
    Program,
}

/// Reads maps; one per map, since each has its own names.
struct MapReader<'t> {
    notation: Notation,
    holder: Holder,
    vars: Vec<Named<'t>>,
    by_name: HashMap<&'t str, usize>,
    /// The symbol that makes counts of dimensions, where the map counts.
    count: Option<Sym>,
    /// The names that its levels use.
    used: Vec<&'t str>,
    /// The dimension that is declared last.
    last_dim: Option<Span>,
}

/// Fills `parts` and `places` from a map, reporting everything that is wrong with it.
pub(crate) fn read(
    node: NodeRef<'_>,
    notation: Notation,
    parts: &mut EncodingParts,
    places: &mut Places,
    c: &mut Checker<'_>,
) {
    let mut reader = MapReader::new(notation, Holder::Encoding);
    places.map = node.span();
    if report_too_many(node, c) {
        return;
    }
    let children = |kind, inner| node.child(kind).into_iter().flat_map(move |list| list.children_of(inner));
    for def in children(NodeKind::MapSymbols, NodeKind::VarDef) {
        reader.define(def, Var::Sym(Sym::new(parts.symbols.len())), c);
        parts.symbols.push(def.text().to_string());
    }
    if let Some(count) = node.descendants().find(|node| node.kind() == NodeKind::ExprCount) {
        reader.count = Some(Sym::new(parts.symbols.len()));
        parts.symbols.push(COUNT.to_string());
        check_language(count, c);
    }
    let declared: Vec<NodeRef<'_>> = children(NodeKind::MapLvlDecls, NodeKind::VarDef).collect();
    for (at, def) in declared.iter().enumerate() {
        reader.define(*def, Var::Lvl(Lvl::new(at)), c);
    }
    let dims: Vec<NodeRef<'_>> = children(NodeKind::MapDims, NodeKind::DimSpec).collect();
    if let Some(list) = node.child(NodeKind::MapDims).filter(|list| notation == Notation::Mlir && is_bracketed(*list)) {
        report_bracketed(list, c);
    }
    for (at, spec) in dims.iter().enumerate() {
        if let Some(def) = spec.child(NodeKind::VarDef) {
            reader.define(def, Var::Dim(Dim::new(at)), c);
        }
    }
    for spec in dims {
        reader.read_dim(spec, parts, places, c);
    }
    let levels: Vec<NodeRef<'_>> = children(NodeKind::MapLvls, NodeKind::LvlSpec).collect();
    check_count(node, &declared, &levels, c);
    let vars = levels.iter().flat_map(|level| level.descendants()).filter(|part| part.kind() == NodeKind::ExprVar);
    reader.used = vars.map(|var| var.text()).collect();
    reader.last_dim = node.child(NodeKind::MapDims).and_then(|dims| Some(dims.children().last()?.span()));
    for spec in levels {
        reader.read_level(spec, &declared, parts, places, c);
    }
    if parts.dims.iter().any(|dim| dim.slice.is_some()) {
        // MLIR's default for the dimensions without one.
        let default = Slice { offset: Some(0), size: None, stride: Some(1) };
        parts.dims.iter_mut().for_each(|dim| dim.slice = dim.slice.or(Some(default)));
    }
}

/// What an affine map says. A result that is wrong, which is reported, is `None`.
pub(crate) struct AffineMapParts {
    pub(crate) dims: Vec<String>,
    pub(crate) symbols: Vec<String>,
    pub(crate) results: Vec<Option<Affine<Dim>>>,
}

pub(crate) fn read_affine_map(map: NodeRef<'_>, holder: Holder, c: &mut Checker<'_>) -> AffineMapParts {
    let mut reader = MapReader::new(Notation::Mlir, holder);
    let dims = reader.declare(map.child(NodeKind::MapDims), |at| Var::Dim(Dim::new(at)), c);
    let symbols = reader.declare(map.child(NodeKind::MapSymbols), |at| Var::Sym(Sym::new(at)), c);
    let results = map.child(NodeKind::MapResults).into_iter();
    let vars = results.clone().flat_map(NodeRef::descendants).filter(|part| part.kind() == NodeKind::ExprVar);
    reader.used = vars.map(|var| var.text()).collect();
    reader.last_dim = map.child(NodeKind::MapDims).and_then(|dims| Some(dims.children().last()?.span()));
    let results = results.flat_map(|list| list.children());
    let results = results.filter(|node| is_expr(node.kind())).map(|node| reader.read_expr(node, &as_dim, c));
    AffineMapParts { results: results.collect(), dims, symbols }
}

/// More than any encoding has: names are not looked for among them.
fn report_too_many(map: NodeRef<'_>, c: &mut Checker<'_>) -> bool {
    let lists = [
        (NodeKind::MapDims, NodeKind::DimSpec, "dimensions", MAX_RANK),
        (NodeKind::MapLvls, NodeKind::LvlSpec, "levels", MAX_LEVELS),
        (NodeKind::MapLvlDecls, NodeKind::VarDef, "level variables", MAX_LEVELS),
        (NodeKind::MapSymbols, NodeKind::VarDef, "symbols", MAX_LEVELS),
    ];
    let too_many = lists.into_iter().find_map(|(list, inner, what, most)| {
        let list = map.child(list)?;
        let count = list.children_of(inner).count();
        let message = format!("{count} {what}: an encoding has at most {most}");
        (count > most).then(|| (list.span(), message, format!("more than {most} {what}")))
    });
    let Some((span, message, label)) = too_many else { return false };
    let diagnostic = c.diagnostic(Code::TooLarge, span, message).label(label);
    c.report(diagnostic);
    true
}

fn is_bracketed(list: NodeRef<'_>) -> bool {
    list.text().starts_with('[') && list.text().ends_with(']')
}

/// `map = [i, j] -> ...`
fn report_bracketed(list: NodeRef<'_>, c: &mut Checker<'_>) {
    let message = "MLIR writes dimensions in parentheses: brackets hold symbols";
    let diagnostic = c.diagnostic(Code::OtherNotation, list.span(), message).label("write `(` and `)`");
    let inside = list.text().trim_start_matches('[').trim_end_matches(']');
    c.report(diagnostic.respelt("write parentheses", list.span(), format!("({inside})")));
}

/// Only nnz's notation counts.
fn check_language(count: NodeRef<'_>, c: &mut Checker<'_>) {
    if c.grammar == Grammar::Mlir {
        let message = format!("`{}` counts, which is nnz's notation; MLIR has none such", count.text());
        let diagnostic = c.diagnostic(Code::UnsupportedLevelFormat, count.span(), message).label("a count");
        c.report(diagnostic.note("in an `.nnz` file and at the prompt it is legal"));
    }
}

/// Level variables must be declared for all levels or for none.
fn check_count(map: NodeRef<'_>, declared: &[NodeRef<'_>], levels: &[NodeRef<'_>], c: &mut Checker<'_>) {
    let (wanted, found) = (declared.len(), levels.len());
    if map.child(NodeKind::MapLvls).is_none() || wanted == 0 || wanted == found {
        return;
    }
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let message = format!("{} declared for {}", counted(wanted, "level variable"), counted(found, "level"));
    let span = if found > wanted { levels[wanted].span() } else { declared[found].span() };
    let decls = map.child(NodeKind::MapLvlDecls).map_or(map.span(), |list| list.span());
    let label = if found > wanted { "no variable for this level" } else { "no level for this variable" };
    let diagnostic = c.diagnostic(Code::LevelVariables, span, message).label(label);
    c.report(
        diagnostic.secondary(decls, "declared here").help("declare one for every level, in order, or none at all"),
    );
}

impl<'t> MapReader<'t> {
    fn new(notation: Notation, holder: Holder) -> Self {
        Self {
            notation,
            holder,
            vars: Vec::new(),
            by_name: HashMap::new(),
            count: None,
            used: Vec::new(),
            last_dim: None,
        }
    }

    fn named(&self, name: &str) -> Option<&Named<'t>> {
        self.vars.get(*self.by_name.get(name)?)
    }

    /// Defines what a list declares; the names.
    fn declare(&mut self, list: Option<NodeRef<'t>>, var: fn(usize) -> Var, c: &mut Checker<'_>) -> Vec<String> {
        let defs: Vec<NodeRef<'t>> = list.into_iter().flat_map(|list| list.children_of(NodeKind::VarDef)).collect();
        defs.iter().enumerate().for_each(|(at, def)| self.define(*def, var(at), c));
        defs.iter().map(|def| def.text().to_string()).collect()
    }

    fn define(&mut self, def: NodeRef<'t>, var: Var, c: &mut Checker<'_>) {
        let (name, span) = (def.text(), def.span());
        if let Some(first) = self.named(name) {
            let message = format!("`{name}` is already {}", first.var.words());
            let diagnostic = c.diagnostic(Code::RedefinedVariable, span, message).label(format!("`{name}` again"));
            c.report(
                diagnostic.secondary(first.span, "first declared here").help("every variable needs a name of its own"),
            );
            return;
        }
        let defines = self.holder == Holder::Encoding;
        let id = defines.then(|| c.define(span, span, DefinitionKind::MapVariable(var.kind())));
        self.by_name.insert(name, self.vars.len());
        self.vars.push(Named { name, span, var, id });
    }

    fn read_dim(&mut self, spec: NodeRef<'t>, parts: &mut EncodingParts, places: &mut Places, c: &mut Checker<'_>) {
        let Some(def) = spec.child(NodeKind::VarDef) else { return };
        let inverse = spec.children().find(|child| is_expr(child.kind()));
        let slice = spec.children().find(|child| !is_expr(child.kind()) && child.kind() != NodeKind::VarDef);
        let expr = inverse.and_then(|node| self.read_expr(node, &as_lvl, c));
        parts.inverse.push(expr);
        parts.dims.push(Dimension { name: def.text().to_string(), slice: slice.and_then(|node| read_slice(node, c)) });
        places.dims.push(DimPlaces {
            name: def.span(),
            inverse: inverse.map(|node| node.span()),
            slice: slice.map(|node| node.span()),
        });
    }

    fn read_level(
        &mut self,
        spec: NodeRef<'t>,
        declared: &[NodeRef<'t>],
        parts: &mut EncodingParts,
        places: &mut Places,
        c: &mut Checker<'_>,
    ) {
        let at = parts.levels.len();
        self.check_binding(spec, declared.get(at).copied(), c);
        let Some(expr_node) = spec.children().find(|child| is_expr(child.kind())) else { return };
        check_counts_alone(expr_node, c);
        let expr = self.read_expr(expr_node, &as_dim, c);
        let ty = spec.child(NodeKind::LvlType);
        let format = ty.and_then(|ty| level::read_format(ty, expr.as_ref(), self.notation, c));
        places.levels.push(LevelPlaces {
            whole: spec.span(),
            expr: expr_node.span(),
            format: ty.map_or(spec.span(), |ty| ty.span()),
        });
        let name = declared.get(at).map(|def| def.text().to_string());
        // A broken level keeps its place; the encoding is then not built.
        let format = format.unwrap_or(nnz_encoding::LevelFormat::Dense);
        parts.levels.push(Level { name, expr: expr.unwrap_or(Affine::Const(0)), format });
    }

    /// There must be a `l0 = ` for every declared level variable, in the same order, and no other.
    fn check_binding(&mut self, spec: NodeRef<'t>, declared: Option<NodeRef<'t>>, c: &mut Checker<'_>) {
        match (spec.child(NodeKind::LvlBinding), declared) {
            (None, None) => {}
            (Some(binding), Some(def)) if binding.text() == def.text() => {
                self.record(binding.text(), binding.span(), c)
            }
            (Some(binding), Some(def)) => {
                self.record(binding.text(), binding.span(), c);
                let message = format!("this level is declared as `{}`, not `{}`", def.text(), binding.text());
                let diagnostic = c.diagnostic(Code::LevelVariables, binding.span(), message).label("out of order");
                let title = format!("bind `{}`", def.text());
                c.report(diagnostic.secondary(def.span(), "levels are bound in the order of this list").fix(
                    title,
                    binding.span(),
                    def.text(),
                ));
            }
            (Some(binding), None) => self.undeclared_binding(binding, c),
            (None, Some(def)) => {
                let message = format!("`{} =` is missing before the level's expression", def.text());
                let diagnostic = c.diagnostic(Code::LevelVariables, spec.span(), message);
                let at = Span::at(spec.span().start as usize);
                let diagnostic = diagnostic.secondary(def.span(), "declared here").label("an expression alone");
                let itself =
                    spec.children().find(|child| is_expr(child.kind())).is_some_and(|e| e.text() == def.text());
                c.report(match itself {
                    true => diagnostic.help(format!("as in `{} = ...`, of dimensions", def.text())),
                    false => diagnostic.fix(format!("insert `{} =`", def.text()), at, format!("{} = ", def.text())),
                });
            }
        }
    }

    fn undeclared_binding(&mut self, binding: NodeRef<'t>, c: &mut Checker<'_>) {
        if self.vars.iter().any(|known| matches!(known.var, Var::Lvl(_))) {
            return; // The number of levels is wrong, which is reported.
        }
        let message = format!("`{}` is not declared as a level variable", binding.text());
        let diagnostic = c.diagnostic(Code::LevelVariables, binding.span(), message).label("declared nowhere");
        c.report(diagnostic.help(
            "declare the level variables in front of the dimensions: `{l0, l1}(i, j) -> ...`, or leave them out",
        ));
    }

    fn record(&self, name: &str, span: Span, c: &mut Checker<'_>) {
        if let Some(id) = self.named(name).and_then(|known| known.id) {
            c.record_use(span, Some(id));
        }
    }

    // Expressions.
}

fn as_dim(var: Var) -> Option<Dim> {
    if let Var::Dim(dim) = var { Some(dim) } else { None }
}
fn as_lvl(var: Var) -> Option<Lvl> {
    if let Var::Lvl(lvl) = var { Some(lvl) } else { None }
}
