//! `:time`: times a kernel with the operands that it had, including the conversions that it needs. What is made before
//! the loops (windows, copies) is said beside. Runs reuse the memory of the result, unless something is converted.

use std::{
    io::{BufRead, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use serde_json::{Map, Value as Json, json};

use super::{
    Options,
    names::{Computed, Value},
};
use nnz_backend::{FloatOrder, Target, resolved};
use nnz_base::host::Host;
use nnz_run::{
    self as run, Before, Bound, Compiled, Operand, Prepared, RunError,
    measure::{self, Budget, MeasureError, Measurement, ServeError, Work},
};
use nnz_view::{Line, Markup, Role, number};

/// A kernel to be measured.
pub(super) struct Timing<'a> {
    pub host: &'a dyn Host,
    pub options: Options,
    pub prepared: &'a Prepared<'a>,
    pub compiled: &'a Compiled,
}

impl Timing<'_> {
    /// # Errors
    /// As running the kernel; the user stopping it.
    pub(super) fn measure(&self) -> Result<Measurement, MeasureError<RunError>> {
        let operands = self.prepared.operands();
        let derived = run::derive(self.prepared.lowered(), self.compiled, &operands, self.options.threads)
            .map_err(MeasureError::Failed)?;
        let bound = Bound::new(self.prepared.lowered(), &operands, &derived, self.options.threads);
        let mut bound = bound.map_err(MeasureError::Failed)?;
        let cost = bound.cost();
        let work = Work { flops: cost.flops, bytes: cost.bytes };
        let stop = AtomicBool::new(false);
        measure::measure(&Budget::default(), work, &stop, || {
            stop.store(self.host.cancelled(), Ordering::Relaxed);
            self.call(&mut bound, &operands)
        })
    }

    /// Runs once. Where operands or the result are converted, that is part of it, every time.
    fn call(&self, bound: &mut Bound<'_>, operands: &[Option<Operand<'_>>]) -> Result<(), RunError> {
        let (lowered, threads) = (self.prepared.lowered(), self.options.threads);
        if lowered.plan.derived.is_empty() && lowered.plan.converted.is_none() {
            return bound.run(self.compiled);
        }
        match self.prepared.kernel().result().indices.is_empty() {
            true => run::run_scalar(lowered, self.compiled, operands, threads).map(|_| ()),
            false => run::run(lowered, self.compiled, operands, threads).map(|_| ()),
        }
    }

    /// # Errors
    /// As running the kernel; input or output that fails.
    pub(super) fn serve(&self, input: impl BufRead, output: impl Write) -> Result<(), ServeError<RunError>> {
        let operands = self.prepared.operands();
        let derived = run::derive(self.prepared.lowered(), self.compiled, &operands, self.options.threads)
            .map_err(ServeError::Failed)?;
        let bound = Bound::new(self.prepared.lowered(), &operands, &derived, self.options.threads);
        let mut bound = bound.map_err(ServeError::Failed)?;
        measure::serve(input, output, || self.call(&mut bound, &operands))
    }

    pub(super) fn shown(&self, origin: &Computed, found: &Measurement) -> (Markup, Json) {
        (self.markup(origin, found), self.json(origin, found))
    }

    fn target(&self) -> &'static str {
        match resolved(self.options.target) {
            Target::Interpreter => "interpreter",
            Target::Cpu => "cpu",
        }
    }

    fn markup(&self, origin: &Computed, found: &Measurement) -> Markup {
        let copy = measure::copy_bandwidth(self.options.threads);
        let threads = match self.options.threads {
            1 => "1 thread".to_string(),
            many => format!("{many} threads"),
        };
        let order = match self.options.float_order {
            FloatOrder::Strict => "",
            FloatOrder::Relaxed => ", sums reassociated",
        };
        let time = Line::of(Role::Number, number::duration(found.median_ns))
            .text(format!(
                " median of {} runs on {}, {threads}{order}",
                number::grouped(found.runs as u64),
                self.target()
            ))
            .with(
                Role::Note,
                format!(" (least {}, spread {:.0} %)", number::duration(found.min_ns), 100.0 * found.spread),
            );
        let speed = Line::plain(format!("{:.2} GFLOP/s, {:.2} GB/s", found.gflops(), found.gbs()))
            .with(Role::Note, format!(" ({:.0} % of copying's {copy:.1} GB/s)", 100.0 * found.share_of_copy(copy)));
        let kernel = Line::plain(origin.kernel.to_string());
        let kernel = match origin.schedule.steps.as_slice() {
            [] => kernel,
            _ => kernel.with(Role::Note, format!(" schedule {}", origin.schedule)),
        };
        let before = before_text(self.prepared.before()).map(|text| Line::of(Role::Note, text));
        let lines = before.into_iter().fold(Markup::new().line(kernel).line(time).line(speed), Markup::line);
        lines.wrapped(self.options.screen.width)
    }

    fn json(&self, origin: &Computed, found: &Measurement) -> Json {
        let tensors = origin.kernel.tensors().iter().zip(&origin.operands);
        let encodings: Map<String, Json> =
            tensors.filter_map(|(t, value)| Some((t.name.clone(), encoding(value)?))).collect();
        json!({
            "kind": "timing",
            "kernel": origin.kernel.to_string(),
            "schedule": origin.schedule.to_string(),
            "encodings": encodings,
            "target": self.target(),
            "threads": self.options.threads,
            "reassociate": self.options.float_order == FloatOrder::Relaxed,
            "median_ns": found.median_ns,
            "min_ns": found.min_ns,
            "spread": found.spread,
            "runs": found.runs,
            "before": self.prepared.before().told(),
            "before_ns": self.prepared.before().time.as_secs_f64() * 1e9,
            "flops": found.work.flops,
            "bytes": found.work.bytes,
        })
    }
}

/// What is made before the loops, which are timed without it; `None` if that is nothing.
pub fn before_text(before: &Before) -> Option<String> {
    let time = number::duration(before.time.as_secs_f64() * 1e9);
    (!before.made.is_empty())
        .then(|| format!("without {time} before the loops each time: {}", before.told().join("; ")))
}

/// What a tensor's encoding is called; scalars have none.
fn encoding(value: &Value) -> Option<Json> {
    match value {
        Value::Tensor(tensor) => Some(tensor.encoding_text().into()),
        Value::Number(_) => None,
    }
}
