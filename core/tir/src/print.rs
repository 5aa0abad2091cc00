//! A function as text, in the spelling of the RFC or of the prototype. What is read from it is the same function.

mod expr;
mod declarations;
mod statements;
mod blocks;

use std::collections::HashMap;

use crate::{
    members::Member,
    model::{Attributes, Expr, Function, Value, VariableId},
};

/// Whose names a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    #[default]
    Rfc,
    Prototype,
}

/// Functions as a Python file.
pub fn print<'f>(functions: impl IntoIterator<Item = &'f Function>, spelling: Spelling) -> String {
    let texts = functions.into_iter().map(|function| print_function(function, spelling));
    texts.fold("from tvm.script import tir as T\n".to_string(), |file, text| file + "\n\n" + &text)
}

/// A function with its decorator, within a Python function if it captures names.
pub fn print_function(function: &Function, spelling: Spelling) -> String {
    let mut printer = Printer { function, spelling, out: String::new(), depth: 0, ranges: HashMap::new() };
    printer.whole();
    printer.out
}

/// An expression of a function.
pub fn print_expr(function: &Function, expr: &Expr) -> String {
    Printer { function, spelling: Spelling::Rfc, out: String::new(), depth: 0, ranges: HashMap::new() }.expr(expr)
}

struct Printer<'f> {
    function: &'f Function,
    spelling: Spelling,
    out: String,
    depth: usize,
    /// Where the loops around run.
    ranges: HashMap<VariableId, (Expr, Expr)>,
}

impl<'f> Printer<'f> {
    fn line(&mut self, text: &str) {
        self.out += &"    ".repeat(self.depth);
        self.out += text;
        self.out.push('\n');
    }

    /// A line that opens a body.
    fn within(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// How a member is called here.
    fn name(&self, member: Member) -> String {
        let name = match self.spelling {
            Spelling::Rfc => member.newest(),
            Spelling::Prototype => member.of_prototype(),
        };
        format!("T.{name}")
    }

    fn whole(&mut self) {
        let captured: Vec<&str> = self.function.captured.iter().map(|id| self.variable(*id)).collect();
        if captured.is_empty() {
            return self.definition();
        }
        let name = &self.function.name;
        let head = format!("def make_{name}({}):", captured.join(", "));
        let end = format!("return {name}");
        self.within(&head, |printer| {
            printer.definition();
            printer.line(&end);
        });
    }

    fn definition(&mut self) {
        self.line("@T.prim_func");
        let params: Vec<String> = self.function.params.iter().map(|param| self.param(param)).collect();
        let head = format!("def {}({}) -> None:", self.function.name, params.join(", "));
        self.within(&head, Printer::contents);
    }

    fn contents(&mut self) {
        let before = self.out.len();
        if !self.function.attributes.is_empty() {
            let attributes = self.attributes(&self.function.attributes);
            self.line(&format!("T.func_attr({attributes})"));
        }
        self.declarations();
        self.statements(&self.function.body);
        if self.out.len() == before {
            self.line("pass");
        }
    }

    fn variable(&self, id: VariableId) -> &'f str {
        &self.function.variable(id).name
    }

    fn attributes(&self, attributes: &Attributes) -> String {
        let entries: Vec<String> =
            attributes.iter().map(|(key, value)| format!("{}: {}", quoted(key), self.value(value))).collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Nothing => "None".to_string(),
            Value::Bool(value) => expr::truth(*value).to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => format!("{:?}", value.0),
            Value::Text(text) => quoted(text),
            Value::List(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.value(part)).collect();
                format!("[{}]", parts.join(", "))
            }
            Value::Entries(entries) => self.attributes(entries),
            Value::Map(map) => {
                let variables: Vec<&str> = map.variables.iter().map(|id| self.variable(*id)).collect();
                let space = if variables.is_empty() { "" } else { " " };
                format!("lambda{space}{}: {}", variables.join(", "), tuple(&self.all(&map.results)))
            }
        }
    }
}

/// A text in quotes, as Python reads it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            '\0' => out += "\\x00",
            other => out.push(other),
        }
    }
    out + "\""
}

/// A tuple, of one part too.
fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        several => format!("({})", several.join(", ")),
    }
}

fn list(parts: &[String]) -> String {
    format!("[{}]", parts.join(", "))
}
