//! What the Python around functions does with them: schedules, `sch = tir.Schedule(spmm)` and the calls of their methods
//! behind that, decompositions, `mod = format_decompose(spmm, rules)`, and specializations.

use std::collections::HashMap;

use nnz_base::{diagnostic::Diagnostic, source::Span};
use ruff_python_ast::{Expr, ExprCall, Keyword, Stmt, StmtFor};

use super::{
    evaluate::{Python, bind},
    python::{dotted, items, span},
    rules::wrong,
    specialized::{self, Params},
    values::{Known, Scope},
};
use crate::model::{Argued, Call, Decomposition, Given, Place, Results, Rule, Schedule, Specialization};

/// So many steps of a schedule are read: loops make many of few lines.
const MOST_STEPS: usize = 1024;

/// The schedules and the decompositions of a file.
#[derive(Default)]
pub(super) struct Around {
    pub(super) schedules: Vec<Schedule>,
    pub(super) decompositions: Vec<Decomposition>,
    pub(super) specializations: Vec<Specialization>,
    /// What is wrong in the decompositions and specializations.
    pub(super) told: Vec<Diagnostic>,
}

/// Those of functions with these names.
pub(super) fn around(body: &[Stmt], functions: &[&str]) -> Around {
    let plain = |name: &&str| (name.to_string(), Standing::of(name));
    let mut python = Python::new();
    let scope = python.frame(None);
    let stands_for = functions.iter().map(plain).collect();
    let (named, params) = (HashMap::new(), Params::new());
    let mut search = Search { stands_for, named, params, found: Around::default(), python, scope };
    search.body(body, false);
    search.found
}

/// The function that a name leads to, decomposed or not.
#[derive(Clone)]
struct Standing {
    function: String,
    decomposition: Option<usize>,
    specializations: Vec<usize>,
}

impl Standing {
    fn of(function: &str) -> Standing {
        Standing { function: function.to_string(), decomposition: None, specializations: Vec::new() }
    }
}

struct Search<'a> {
    stands_for: HashMap<String, Standing>,
    /// The number of the schedule with a name.
    named: HashMap<String, usize>,
    params: Params,
    found: Around,
    python: Python<'a>,
    /// The names that are known here.
    scope: Scope<'a>,
}

impl<'a> Search<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements")]
    fn body(&mut self, body: &'a [Stmt], repeats: bool) {
        for statement in body {
            match statement {
                Stmt::Assign(assign) => {
                    let results = assign.targets.first().map(results).unwrap_or_default();
                    let python = (&mut self.python, &self.scope);
                    specialized::note((&assign.targets, &assign.value), &mut self.params, python);
                    self.value(&assign.value, results, repeats);
                }
                Stmt::Expr(one) => self.value(&one.value, Results::Unnamed, repeats),
                Stmt::ClassDef(class) => self.body(&class.body, repeats),
                Stmt::With(with) => self.body(&with.body, repeats),
                Stmt::If(choice) => {
                    self.body(&choice.body, repeats);
                    choice.elif_else_clauses.iter().for_each(|clause| self.body(&clause.body, true));
                }
                Stmt::For(one) => self.turns(one, repeats),
                Stmt::While(one) => self.body(&one.body, true),
                _ => {}
            }
            // What is no simple statement is looked into here.
            let _ = self.python.simple(statement, &self.scope);
            if let Stmt::FunctionDef(definition) = statement {
                let inner = self.python.frame(Some(&self.scope));
                let names = definition.parameters.iter().map(|parameter| parameter.name().as_str());
                names.for_each(|name| inner.bind(name, None));
                let outer = std::mem::replace(&mut self.scope, inner);
                self.body(&definition.body, repeats);
                self.scope = outer;
            }
        }
    }

    /// A loop over what is written out has that many turns; any other may have any number.
    fn turns(&mut self, one: &'a StmtFor, repeats: bool) {
        let items = self.python.value(&one.iter, &self.scope).and_then(|over| over.items());
        let Some(items) = items else {
            bind(&one.target, None, &self.scope);
            return self.body(&one.body, true);
        };
        for item in items {
            if self.python.is_spent() {
                return;
            }
            bind(&one.target, Some(&item), &self.scope);
            self.body(&one.body, repeats);
        }
    }

    fn value(&mut self, value: &'a Expr, results: Results, repeats: bool) {
        let Some(call) = value.as_call_expr() else { return };
        let name = dotted(&call.func).unwrap_or_default();
        if let Some((schedule, _)) = name.split_once('.').filter(|(name, _)| self.named.contains_key(*name)) {
            let at = self.named[schedule];
            let count = self.found.schedules[at].steps.len();
            if count <= MOST_STEPS {
                let repeats = repeats || count == MOST_STEPS;
                let schedule = schedule.to_string();
                let step = Call { results, repeats, ..self.step(call, &schedule) };
                self.found.schedules[at].steps.push(step);
            }
            return;
        }
        let standing = self.standing(value);
        let (Results::Whole(result), Some(standing)) = (results, standing) else { return };
        if name == "Schedule" || name.ends_with(".Schedule") {
            self.named.insert(result, self.found.schedules.len());
            let Standing { function, decomposition, specializations } = standing;
            let (place, steps) = (Place(span(call)), Vec::new());
            let schedule = Schedule { place, function, decomposition, specializations, steps };
            return self.found.schedules.push(schedule);
        }
        // A module of the function, or the function after a pass.
        self.stands_for.insert(result, standing);
    }

    /// What function an expression leads to.
    fn standing(&mut self, expr: &'a Expr) -> Option<Standing> {
        if let Some(part) = expr.as_subscript_expr() {
            return self.standing(&part.value);
        }
        let Some(call) = expr.as_call_expr() else { return self.stands_for.get(&dotted(expr)?).cloned() };
        if let Some(of) = call.func.as_attribute_expr().filter(|method| method.attr.as_str() == "specialize") {
            let standing = self.standing(&of.value)?;
            return Some(self.specialization(call, standing));
        }
        let standing = call.arguments.args.iter().find_map(|argument| self.standing(argument))?;
        let name = dotted(&call.func).unwrap_or_default();
        if name.rsplit('.').next() != Some("format_decompose") {
            return Some(standing);
        }
        let decomposition = self.decomposition(call, &standing.function);
        Some(Standing { decomposition, ..standing })
    }

    /// `spmm.specialize({n: 128})`
    fn specialization(&mut self, call: &'a ExprCall, mut standing: Standing) -> Standing {
        match specialized::fixed(call, &self.params, (&mut self.python, &self.scope)) {
            Ok(values) => {
                let Standing { function, decomposition, specializations: before } = standing.clone();
                let place = Place(span(call));
                standing.specializations.push(self.found.specializations.len());
                self.found.specializations.push(Specialization { place, function, decomposition, before, values });
            }
            Err(told) => self.found.told.push(*told),
        }
        standing
    }

    /// `format_decompose(mod, rules)`; its number, if it is understood.
    fn decomposition(&mut self, call: &'a ExprCall, function: &str) -> Option<usize> {
        let named = |names: &[&str]| {
            let of = |keyword: &&Keyword| keyword.arg.as_ref().is_some_and(|name| names.contains(&name.as_str()));
            call.arguments.keywords.iter().find(of).map(|keyword| &keyword.value)
        };
        let rules = call.arguments.args.get(1).or_else(|| named(&["composable_formats", "rules", "rewrites"]));
        let copies = call.arguments.args.get(2).or_else(|| named(&["include_format_rewrite_blks"]));
        let copies = copies.and_then(Expr::as_boolean_literal_expr).is_none_or(|literal| literal.value);
        let place = rules.map_or(span(call), span);
        let known = rules.and_then(|rules| self.python.value(rules, &self.scope));
        match rules_of(known.as_ref(), place) {
            Ok(rules) => {
                let place = Place(span(call));
                self.found.decompositions.push(Decomposition { place, function: function.to_string(), rules, copies });
                Some(self.found.decompositions.len() - 1)
            }
            Err(told) => {
                self.found.told.push(*told);
                None
            }
        }
    }

    /// A call of a method of a schedule.
    fn step(&mut self, call: &'a ExprCall, schedule: &str) -> Call {
        let name = dotted(&call.func).unwrap_or_default();
        let method = name.strip_prefix(schedule).map_or("", |rest| rest.trim_start_matches('.'));
        let plain: Vec<Given> =
            call.arguments.args.iter().flat_map(|argument| self.several(argument, schedule)).collect();
        let named = call.arguments.keywords.iter().map(|keyword| self.of_keyword(keyword, schedule));
        Call {
            place: Place(span(call)),
            method: method.to_string(),
            arguments: plain.into_iter().chain(named).collect(),
            results: Results::Unnamed,
            repeats: false,
        }
    }

    /// An argument; behind a star several that are written out.
    fn several(&mut self, argument: &'a Expr, schedule: &str) -> Vec<Given> {
        let starred = argument.as_starred_expr().and_then(|starred| items(&starred.value));
        let all = starred.unwrap_or(std::slice::from_ref(argument));
        all.iter().map(|one| self.given(None, one, schedule)).collect()
    }

    fn of_keyword(&mut self, keyword: &'a Keyword, schedule: &str) -> Given {
        self.given(keyword.arg.as_ref().map(|name| name.id.to_string()), &keyword.value, schedule)
    }

    fn given(&mut self, name: Option<String>, value: &'a Expr, schedule: &str) -> Given {
        Given { name, value: self.argued(value, schedule), place: Place(span(value)) }
    }

    fn argued(&mut self, value: &'a Expr, schedule: &str) -> Argued {
        let of_schedule =
            |call: &&ExprCall| dotted(&call.func).is_some_and(|name| name.starts_with(&format!("{schedule}.")));
        if let Some(call) = value.as_call_expr().filter(of_schedule) {
            return Argued::Call(Box::new(self.step(call, schedule)));
        }
        if let Some(items) = items(value) {
            return Argued::List(items.iter().map(|item| self.given(None, item, schedule)).collect());
        }
        // A name may be a handle, and then nothing else is known of it.
        match self.python.value(value, &self.scope) {
            Some(Known::Nothing) => return Argued::Nothing,
            Some(Known::Truth(truth)) => return Argued::Bool(truth),
            Some(Known::Int(number)) => return Argued::Int(number),
            Some(Known::Text(text)) => return Argued::Text(text),
            Some(Known::List(_) | Known::Entries(_) | Known::Function(_) | Known::Description(_) | Known::Rule(_))
            | None => {}
        }
        let item = value.as_subscript_expr().and_then(|item| Some((dotted(&item.value)?, &item.slice)));
        let item = item.and_then(|(name, at)| Some((name, self.python.value(at, &self.scope)?.as_int()?)));
        let name = || value.as_name_expr().map(|name| Argued::Name(name.id.to_string()));
        item.map(|(name, at)| Argued::Item(name, at)).or_else(name).unwrap_or(Argued::Other)
    }
}

/// The rules of a decomposition, of which there is at least one.
fn rules_of(known: Option<&Known<'_>>, place: Span) -> Result<Vec<Rule>, Box<Diagnostic>> {
    let told = |message: &str, label: &str| {
        let told = wrong(place, message, label);
        Box::new(told.help("give a list of `FormatRewriteRule(…)`, written out or made in loops over lists"))
    };
    let items = known.and_then(Known::items);
    let items = items.ok_or_else(|| told("the rules are not known", "not known without running Python"))?;
    if items.is_empty() {
        return Err(told("a decomposition has at least one rule", "no rule"));
    }
    let rule = |item: &Known<'_>| {
        let Known::Rule(rule) = item else { return Err(told("a list of rules is wanted", "something else is in it")) };
        (**rule).clone()
    };
    items.iter().map(rule).collect()
}

fn results(target: &Expr) -> Results {
    match (items(target), target.as_name_expr()) {
        (_, Some(name)) => Results::Whole(name.id.to_string()),
        (Some(parts), _) => {
            let name = |part: &Expr| part.as_name_expr().map_or("_".to_string(), |name| name.id.to_string());
            Results::Parts(parts.iter().map(name).collect())
        }
        (None, None) => Results::Unnamed,
    }
}
