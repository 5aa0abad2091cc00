//! Steps of a schedule as statements of their own, as TACO writes them: `y.split(i, i0, i1, 32)`, `...; vectorize(j)`.

use super::{Notation, word};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    source::Span,
};
use nnz_kernel::schedule::step_info;
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    pub(super) fn lone_step(&self, expr: NodeRef<'_>) -> Option<Diagnostic> {
        let name = word(expr).filter(|name| expr.kind() == NodeKind::Call && self.scope.get(&name.text).is_none())?;
        let step = name.text.rsplit_once('.').map_or(name.text.as_str(), |(_, step)| step);
        step_info(step)?;
        let message = "a step of a schedule stands behind its kernel, and no statement begins with one";
        let error = Diagnostic::new(Code::ScheduleStep, self.file(), name.span, message).label("behind no `schedule`");
        let text = expr.text().get(name.text.len() - step.len()..)?;
        let joined = self.joined_to_kernel(expr).filter(|_| step == name.text);
        Some(match joined {
            Some((sign, edit)) => error.fix_edits(format!("write `{sign}`"), vec![edit], Applicability::MaybeIncorrect),
            None => error.help(format!("as in `y(i) = A(i, j) * x(j) schedule {text}`")),
        })
    }

    /// What joins the step to the kernel before it on its line, or on the line above: `schedule`, or `,` behind another
    /// step.
    fn joined_to_kernel(&self, expr: NodeRef<'_>) -> Option<(&'static str, Edit)> {
        let start = expr.span().start as usize;
        let before = self.c.source.text.get(..start)?.trim_end();
        let (kernel, gap) = match before.strip_suffix(';') {
            Some(kernel) => (kernel.trim_end(), Span::new(kernel.trim_end().len(), start)),
            None => (before, Span::new(before.len(), start)),
        };
        let line = kernel.rsplit(['\n', '\r', ';']).next()?.trim();
        let scheduled = line.split_whitespace().any(|word| word == "schedule");
        let (sign, joint) = if scheduled { (",", ", ") } else { ("schedule", " schedule ") };
        // A comment would hide what is written behind it.
        let fine = !line.contains("//") && self.fault(&format!("{line}{joint}{}", expr.text())).is_none();
        let same_line = before.len() > kernel.len();
        let (span, replacement) = match (same_line, scheduled) {
            (true, _) => (gap, joint.to_string()),
            (false, true) => (Span::at(kernel.len()), sign.to_string()),
            (false, false) => (Span::at(start), format!("{sign} ")),
        };
        fine.then(|| (sign, Edit { file: self.file(), span, replacement }))
    }
}
