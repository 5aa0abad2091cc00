//! Finding functions of SparseTIR in a Python file, with what the Python around them says.

use ruff_python_ast::{Expr, Stmt, StmtFunctionDef, StmtImport, StmtImportFrom};

use super::python::{dotted, is_literal};

/// A function under `@T.prim_func`.
pub(super) struct Found<'a> {
    pub(super) definition: &'a StmtFunctionDef,
    /// What stands for `tvm.script.tir`.
    pub(super) aliases: Vec<String>,
    /// The names of the functions and the file around it, outermost first.
    pub(super) around: Vec<Outer<'a>>,
}

/// A name of the Python around a function.
#[derive(Clone)]
pub(super) struct Outer<'a> {
    pub(super) name: &'a str,
    pub(super) value: OuterValue<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum OuterValue<'a> {
    /// Written out.
    Known(&'a Expr),
    /// An argument, or computed.
    Unknown,
    Function(&'a StmtFunctionDef),
}

const MODULE: &str = "tvm.script.tir";

/// All of them, in the order of the text.
pub(super) fn functions(body: &[Stmt]) -> Vec<Found<'_>> {
    let aliases = ["T", "tir", MODULE].map(String::from).to_vec();
    let mut search = Search { aliases, around: Vec::new(), found: Vec::new() };
    search.body(body);
    search.found
}

struct Search<'a> {
    aliases: Vec<String>,
    around: Vec<Outer<'a>>,
    found: Vec<Found<'a>>,
}

impl<'a> Search<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements")]
    fn body(&mut self, body: &'a [Stmt]) {
        // A Python name is known in the whole body, whatever stands first.
        body.iter().for_each(|statement| self.declare(statement));
        for statement in body {
            match statement {
                Stmt::FunctionDef(definition) => self.function(definition),
                Stmt::ClassDef(class) => self.within(&class.body),
                Stmt::If(choice) => self.body(&choice.body),
                _ => {}
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements")]
    fn declare(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::FunctionDef(definition) => self.name(&definition.name, OuterValue::Function(definition)),
            Stmt::Assign(assign) => {
                let value =
                    if is_literal(&assign.value) { OuterValue::Known(&assign.value) } else { OuterValue::Unknown };
                let names = assign.targets.iter().flat_map(super::python::one_or_more).filter_map(Expr::as_name_expr);
                let several = assign.targets.iter().any(|target| target.is_tuple_expr() || target.is_list_expr());
                names.for_each(|name| self.name(&name.id, if several { OuterValue::Unknown } else { value }));
            }
            _ => {}
        }
    }

    fn name(&mut self, name: &'a str, value: OuterValue<'a>) {
        self.around.push(Outer { name, value });
    }

    fn import(&mut self, import: &'a StmtImport) {
        let of_module = import.names.iter().filter(|alias| alias.name.as_str() == MODULE);
        self.aliases.extend(of_module.filter_map(|alias| alias.asname.as_ref()).map(|name| name.id.to_string()));
    }

    fn import_from(&mut self, import: &'a StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        for alias in &import.names {
            if format!("{module}.{}", alias.name) == MODULE {
                self.aliases.push(alias.asname.as_ref().unwrap_or(&alias.name).id.to_string());
            }
        }
    }

    fn function(&mut self, definition: &'a StmtFunctionDef) {
        let is_ours = definition.decorator_list.iter().any(|decorator| self.is_prim_func(&decorator.expression));
        if is_ours {
            let (aliases, around) = (self.aliases.clone(), self.around.clone());
            return self.found.push(Found { definition, aliases, around });
        }
        let outside = self.around.len();
        definition.parameters.iter().for_each(|param| self.name(param.name().as_str(), OuterValue::Unknown));
        self.body(&definition.body);
        self.around.truncate(outside);
    }

    fn within(&mut self, body: &'a [Stmt]) {
        let outside = self.around.len();
        self.body(body);
        self.around.truncate(outside);
    }

    fn is_prim_func(&self, decorator: &Expr) -> bool {
        let callee = decorator.as_call_expr().map_or(decorator, |call| &call.func);
        let name = dotted(callee);
        name.is_some_and(|name| self.aliases.iter().any(|alias| name == format!("{alias}.prim_func")))
    }
}
