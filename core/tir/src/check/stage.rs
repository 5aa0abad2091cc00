//! The stage that a function says, and what it has.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};

use super::Checker;
use crate::model::{LEVEL, Layout, Stage, Value};
use crate::sites::sites;

impl Checker<'_> {
    pub(super) fn stage(&mut self) {
        let first = sites(self.function).into_iter().find(|site| site.statement.iteration().is_some());
        let first = first.map(|site| site.statement.place.0);
        match (self.function.attributes.get(LEVEL), self.function.stage(), first) {
            (None, _, Some(first)) => self.no_level(first),
            (Some(_), None, _) => self.unknown_level(),
            (Some(_), Some(Stage::II | Stage::III), Some(first)) => self.other_level(first),
            (Some(_), Some(Stage::III), None) => self.sparse_buffers(),
            (None, _, None) | (Some(_), Some(Stage::I | Stage::II), _) => {}
        }
        self.fusion_flag();
    }

    fn no_level(&mut self, first: Span) {
        let name = &self.function.name;
        let message = format!("`{name}` has sparse iterations and does not say its stage");
        let told = self.mistake(Code::ScriptLevel, self.function.place.0, message).label("no `sparse_tir_level`");
        let told = told.secondary(first, "an iteration of stage I");
        let told = match self.read.attributes {
            Some(dict) => {
                let at = Span::at(dict.start as usize + 1);
                told.fix("say that it is of stage I", at, format!("\"{LEVEL}\": 2, "))
            }
            None => self.new_attributes(told),
        };
        self.tell(told);
    }

    /// With a line before the first one that says the stage.
    fn new_attributes(&self, told: Diagnostic) -> Diagnostic {
        let start = self.read.first.start as usize;
        let line = self.source.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &self.source.text[line..start];
        let text = format!("T.func_attr({{\"{LEVEL}\": 2}})\n{indent}");
        match indent.trim().is_empty() {
            true => told.fix("say that it is of stage I", Span::at(start), text),
            false => told.help(format!("write `T.func_attr({{\"{LEVEL}\": 2}})` first")),
        }
    }

    fn unknown_level(&mut self) {
        let place = self.read.attributes.unwrap_or(self.function.place.0);
        let told = self.mistake(Code::ScriptLevel, place, format!("`{LEVEL}` is none of 2, 1 and 0"));
        self.tell(told.label("no stage has this level").help("2 is stage I, 1 is stage II, 0 is stage III"));
    }

    fn other_level(&mut self, first: Span) {
        let place = self.read.attributes.unwrap_or(self.function.place.0);
        let level = self.function.stage().map_or(0, Stage::level);
        let told = self.mistake(Code::ScriptLevel, place, format!("level {level} has no sparse iterations"));
        let told = told.label("of a later stage").secondary(first, "an iteration of stage I");
        let written = format!("\"{LEVEL}\": {level}");
        let text = self.source.slice(place);
        self.tell(match text.find(&written) {
            Some(at) => {
                let end = place.start as usize + at + written.len();
                told.fix("say that it is of stage I", Span::new(end - level.to_string().len(), end), "2")
            }
            None => told.help(format!("say `\"{LEVEL}\": 2`")),
        });
    }

    fn sparse_buffers(&mut self) {
        let sparse = self.function.buffers.iter().find(|buffer| matches!(buffer.layout, Layout::Sparse(_)));
        let Some(buffer) = sparse else { return };
        let place = self.read.attributes.unwrap_or(self.function.place.0);
        let told = self.mistake(Code::ScriptLevel, place, "level 0 has no sparse buffers").label("of a later stage");
        let told = told.secondary(buffer.place.0, "a buffer of an earlier stage");
        self.tell(told.help(format!("say `\"{LEVEL}\": 1` if it is indexed by positions, 2 if by coordinates")));
    }

    fn fusion_flag(&mut self) {
        let flag = self.function.attributes.get("horizontal_fuse");
        if matches!(flag, Some(Value::Int(0) | Value::Bool(false))) {
            let place = self.read.attributes.unwrap_or(self.function.place.0);
            let told = self.mistake(Code::FusionFlag, place, "`horizontal_fuse` fuses whatever its value is");
            self.tell(told.label("it is there, so kernels are fused").help("leave it out"));
        }
    }
}
