//! Schedules in the Python around functions: `sch = tir.Schedule(spmm)`, and the calls of its methods behind that.

use std::collections::HashMap;

use ruff_python_ast::{Expr, ExprCall, Keyword, Stmt};

use super::python::{dotted, int, items, span, text};
use crate::model::{Argued, Call, Given, Place, Results, Schedule};

/// The schedules of a file, of functions with these names.
pub(super) fn schedules(body: &[Stmt], functions: &[&str]) -> Vec<Schedule> {
    let stands_for = functions.iter().map(|name| ((*name).to_string(), (*name).to_string())).collect();
    let mut search = Search { stands_for, named: HashMap::new(), found: Vec::new() };
    search.body(body, false);
    search.found
}

struct Search {
    /// The function that a name leads to.
    stands_for: HashMap<String, String>,
    /// The number of the schedule with a name.
    named: HashMap<String, usize>,
    found: Vec<Schedule>,
}

impl Search {
    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements")]
    fn body(&mut self, body: &[Stmt], repeats: bool) {
        for statement in body {
            match statement {
                Stmt::Assign(assign) => {
                    let results = assign.targets.first().map(results).unwrap_or_default();
                    self.value(&assign.value, results, repeats);
                }
                Stmt::Expr(one) => self.value(&one.value, Results::Unnamed, repeats),
                Stmt::FunctionDef(definition) => self.body(&definition.body, repeats),
                Stmt::ClassDef(class) => self.body(&class.body, repeats),
                Stmt::With(with) => self.body(&with.body, repeats),
                Stmt::If(choice) => {
                    self.body(&choice.body, repeats);
                    choice.elif_else_clauses.iter().for_each(|clause| self.body(&clause.body, true));
                }
                Stmt::For(one) => self.body(&one.body, true),
                Stmt::While(one) => self.body(&one.body, true),
                _ => {}
            }
        }
    }

    fn value(&mut self, value: &Expr, results: Results, repeats: bool) {
        let Some(call) = value.as_call_expr() else { return };
        let name = dotted(&call.func).unwrap_or_default();
        if let Some((schedule, _)) = name.split_once('.').filter(|(name, _)| self.named.contains_key(*name)) {
            let at = self.named[schedule];
            let step = Call { results, repeats, ..step(call, schedule) };
            return self.found[at].steps.push(step);
        }
        let of = call.arguments.args.iter().find_map(|argument| self.function(argument));
        let (Results::Whole(result), Some(function)) = (results, of) else { return };
        if name == "Schedule" || name.ends_with(".Schedule") {
            self.named.insert(result, self.found.len());
            let place = Place(span(call));
            return self.found.push(Schedule { place, function, steps: Vec::new() });
        }
        // A module of the function, or the function after a pass.
        self.stands_for.insert(result, function);
    }

    fn function(&self, argument: &Expr) -> Option<String> {
        self.stands_for.get(&dotted(argument)?).cloned()
    }
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

/// A call of a method of a schedule.
fn step(call: &ExprCall, schedule: &str) -> Call {
    let name = dotted(&call.func).unwrap_or_default();
    let method = name.strip_prefix(schedule).map_or("", |rest| rest.trim_start_matches('.'));
    let plain = call.arguments.args.iter().flat_map(|argument| several(argument, schedule));
    let named = call.arguments.keywords.iter().map(|keyword| of_keyword(keyword, schedule));
    Call {
        place: Place(span(call)),
        method: method.to_string(),
        arguments: plain.chain(named).collect(),
        results: Results::Unnamed,
        repeats: false,
    }
}

/// An argument; behind a star several that are written out.
fn several(argument: &Expr, schedule: &str) -> Vec<Given> {
    let starred = argument.as_starred_expr().and_then(|starred| items(&starred.value));
    starred.unwrap_or(std::slice::from_ref(argument)).iter().map(|one| given(None, one, schedule)).collect()
}

fn of_keyword(keyword: &Keyword, schedule: &str) -> Given {
    given(keyword.arg.as_ref().map(|name| name.id.to_string()), &keyword.value, schedule)
}

fn given(name: Option<String>, value: &Expr, schedule: &str) -> Given {
    Given { name, value: argued(value, schedule), place: Place(span(value)) }
}

fn argued(value: &Expr, schedule: &str) -> Argued {
    let of_schedule =
        |call: &&ExprCall| dotted(&call.func).is_some_and(|name| name.starts_with(&format!("{schedule}.")));
    if let Some(call) = value.as_call_expr().filter(of_schedule) {
        return Argued::Call(Box::new(step(call, schedule)));
    }
    if let Some(items) = items(value) {
        return Argued::List(items.iter().map(|item| given(None, item, schedule)).collect());
    }
    let item = value.as_subscript_expr().and_then(|item| Some((dotted(&item.value)?, position(&item.slice)?)));
    let name = || value.as_name_expr().map(|name| Argued::Name(name.id.to_string()));
    let truth = || value.as_boolean_literal_expr().map(|literal| Argued::Bool(literal.value));
    let nothing = || value.is_none_literal_expr().then_some(Argued::Nothing);
    let number = || int(value).map(Argued::Int);
    let text = || text(value).map(|text| Argued::Text(text.to_string()));
    let item = item.map(|(name, at)| Argued::Item(name, at));
    item.or_else(name).or_else(truth).or_else(nothing).or_else(number).or_else(text).unwrap_or(Argued::Other)
}

/// A number, which may count from the end.
fn position(expr: &Expr) -> Option<i64> {
    match expr.as_unary_op_expr().filter(|unary| unary.op.as_str() == "-") {
        Some(unary) => int(&unary.operand).map(|value| -value),
        None => int(expr),
    }
}
