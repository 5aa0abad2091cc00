//! Blocks.

use super::{Printer, list, quoted};
use crate::model::{Block, BlockVariable, BlockVariableKind, Region};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        let name = if block.name.is_empty() { String::new() } else { quoted(&block.name) };
        self.within(&format!("with T.block({name}):"), |printer| {
            printer.block_variables(&block.variables);
            printer.block_head(block);
            printer.initialized(&block.init, &block.body);
        });
    }

    fn block_head(&mut self, block: &Block) {
        if let Some(predicate) = &block.predicate {
            let line = format!("T.where({})", self.expr(predicate));
            self.line(&line);
        }
        self.regions("reads", block.reads.as_deref());
        self.regions("writes", block.writes.as_deref());
        if !block.attributes.is_empty() {
            let line = format!("T.block_attr({})", self.attributes(&block.attributes));
            self.line(&line);
        }
    }

    fn regions(&mut self, word: &str, regions: Option<&[Region]>) {
        if let Some(regions) = regions {
            let regions: Vec<String> = regions.iter().map(|region| self.region(region)).collect();
            self.line(&format!("T.{word}({})", regions.join(", ")));
        }
    }

    /// Variables that take a loop over as it is are written together.
    fn block_variables(&mut self, variables: &[BlockVariable]) {
        let runs: Vec<&[BlockVariable]> =
            variables.chunk_by(|one, next| self.is_remapped(one) && self.is_remapped(next)).collect();
        for run in runs {
            match run {
                [one] if !self.is_remapped(one) => self.block_variable(one),
                several => self.remapped(several),
            }
        }
    }

    fn is_remapped(&self, one: &BlockVariable) -> bool {
        let range = one.value.as_variable().and_then(|id| self.ranges.get(&id));
        range.is_some_and(|(start, end)| *start == one.start && *end == one.end)
            && one.kind != BlockVariableKind::Opaque
    }

    fn remapped(&mut self, run: &[BlockVariable]) {
        let names: Vec<&str> = run.iter().map(|one| self.variable(one.variable)).collect();
        let kinds: String =
            run.iter().map(|one| if one.kind == BlockVariableKind::Reduce { 'R' } else { 'S' }).collect();
        let values: Vec<String> = run.iter().map(|one| self.expr(&one.value)).collect();
        self.line(&format!("{} = T.axis.remap(\"{kinds}\", {})", names.join(", "), list(&values)));
    }

    fn block_variable(&mut self, one: &BlockVariable) {
        let word = match one.kind {
            BlockVariableKind::Spatial => "spatial",
            BlockVariableKind::Reduce => "reduce",
            BlockVariableKind::Opaque => "opaque",
        };
        let end = self.expr(&one.end);
        let domain = match one.start.as_constant() {
            Some(0) => end,
            _ => format!("({}, {end})", self.expr(&one.start)),
        };
        let (name, value) = (self.variable(one.variable).to_string(), self.expr(&one.value));
        self.line(&format!("{name} = T.axis.{word}({domain}, {value})"));
    }
}
