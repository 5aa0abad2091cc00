//! `:time`: times a kernel with the operands that it had, including the conversions that it needs. What is made before
//! the loops (windows, copies) is reported separately. Runs reuse the memory of the result, unless they convert
//! something.

use std::{
    io::{BufRead, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    Options,
    names::{Applied, Value},
};
use nnz_backend::{BackendError, FloatOrder, Target, lookup, resolved};
use nnz_base::host::Host;
use nnz_plan::iterate::ResultPlan;
use nnz_run::{
    self as run, Before, Bound, Compiled, Operand, Prepared, RunError,
    measure::{self, Budget, MeasureError, Measurement, ServeError},
};
use nnz_view::{Line, Markup, Role, number};

/// What a run wrote.
#[derive(Clone, Copy, Default)]
struct Written {
    /// Of a sparse result.
    bytes: u64,
    /// Of a result that is converted.
    entries: usize,
}

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
    fn measure(&self) -> Result<(Measurement, usize), MeasureError<RunError>> {
        let operands = self.prepared.operands();
        let threads = self.options.threads;
        let failed = |error: BackendError| MeasureError::Failed(error.into());
        let derived =
            run::derive(self.prepared.lowered(), self.compiled, &operands, threads).map_err(MeasureError::Failed)?;
        let bound = Bound::new(self.prepared.lowered(), &operands, &derived, threads);
        let mut bound = bound.map_err(MeasureError::Failed)?;
        let counter = lookup(resolved(self.options.engine.target())).map_err(failed)?;
        let work = bound.work(&*counter).map_err(MeasureError::Failed)?;
        let (stop, mut written) = (AtomicBool::new(false), Written::default());
        let mut found = measure::measure(&Budget::default(), work, &stop, || {
            stop.store(self.host.cancelled(), Ordering::Relaxed);
            written = self.call(&mut bound, &operands)?;
            Ok(())
        })?;
        found.work.bytes = found.work.bytes.saturating_add(written.bytes);
        let converting = run::converting_threads(self.prepared.lowered(), &operands, written.entries, threads);
        Ok((found, bound.threads().max(converting)))
    }

    /// Runs once, and returns what it wrote besides a dense result. Conversions of operands or of the result are part
    /// of every run.
    fn call(&self, bound: &mut Bound<'_>, operands: &[Option<Operand<'_>>]) -> Result<Written, RunError> {
        let (lowered, threads) = (self.prepared.lowered(), self.options.threads);
        if lowered.plan.derived.is_empty() && lowered.plan.converted.is_none() {
            bound.run(self.compiled)?;
            return Ok(Written { bytes: bound.sparse_result_bytes(), entries: 0 });
        }
        if self.prepared.kernel().result().indices.is_empty() {
            return run::run_scalar(lowered, self.compiled, operands, threads).map(|_| Written::default());
        }
        let result = run::run(lowered, self.compiled, operands, threads)?;
        let is_dense = matches!(lowered.plan.result, ResultPlan::Dense { .. });
        Ok(Written { bytes: if is_dense { 0 } else { result.bytes() as u64 }, entries: result.nse() })
    }

    /// # Errors
    /// As running the kernel; input or output that fails.
    pub(super) fn serve(&self, input: impl BufRead, output: impl Write) -> Result<(), ServeError<RunError>> {
        let operands = self.prepared.operands();
        let derived = run::derive(self.prepared.lowered(), self.compiled, &operands, self.options.threads)
            .map_err(ServeError::Failed)?;
        let bound = Bound::new(self.prepared.lowered(), &operands, &derived, self.options.threads);
        let mut bound = bound.map_err(ServeError::Failed)?;
        measure::serve(self.prepared.outline().before(), input, output, || self.call(&mut bound, &operands).map(drop))
    }

    /// Measures, and says with what.
    ///
    /// # Errors
    /// As [`Timing::measure`].
    pub(super) fn timed(&self, applied: &Applied) -> Result<Timed, MeasureError<RunError>> {
        let (loops, threads) = self.measure()?;
        let tensors = applied.kernel.tensors().iter().zip(&applied.operands);
        Ok(Timed {
            kernel: applied.kernel.to_string(),
            schedule: applied.schedule.to_string(),
            encodings: tensors.filter_map(|(t, value)| Some((t.name.clone(), encoding(value)?))).collect(),
            target: resolved(self.options.engine.target()),
            threads,
            float_order: self.options.float_order,
            loops,
            before: self.prepared.outline().before().clone(),
        })
    }
}

/// How long a kernel takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    pub kernel: String,
    /// Empty if there are no steps.
    pub schedule: String,
    /// The name and the encoding of each operand that is a tensor.
    pub encodings: Vec<(String, String)>,
    pub target: Target,
    pub threads: usize,
    pub float_order: FloatOrder,
    /// The loops, with the conversions that they need.
    pub loops: Measurement,
    /// What the statement makes before them, each time it runs.
    pub before: Before,
}

impl Timed {
    /// The nanoseconds of a run, with what is made before the loops.
    pub fn whole_ns(&self) -> f64 {
        self.loops.median_ns + self.before.ns()
    }

    pub(crate) fn target(&self) -> &'static str {
        match self.target {
            Target::Interpreter => "interpreter",
            Target::Cpu => "cpu",
        }
    }

    pub fn markup(&self, width: usize) -> Markup {
        let found = &self.loops;
        let copy = measure::copy_bandwidth(self.threads);
        let threads = match self.threads {
            1 => "1 thread".to_string(),
            many => format!("{many} threads"),
        };
        let order = match self.float_order {
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
        let speed = Line::plain(self.speed())
            .with(Role::Note, format!(" ({:.0} % of copying's {copy:.1} GB/s)", 100.0 * found.share_of_copy(copy)));
        let kernel = Line::plain(&self.kernel);
        let kernel = match self.schedule.as_str() {
            "" => kernel,
            schedule => kernel.with(Role::Note, format!(" schedule {schedule}")),
        };
        let before = self.before_text().map(|text| Line::of(Role::Note, text));
        before.into_iter().fold(Markup::new().line(kernel).line(time).line(speed), Markup::line).wrapped(width)
    }

    /// Operations, if there are any, and bytes in a time.
    fn speed(&self) -> String {
        let found = &self.loops;
        let about = if found.work.is_estimate { "about " } else { "" };
        let bytes = format!("{} GB/s", rate(found.gbs()));
        if found.work.flops == 0 {
            format!("{about}{bytes}")
        } else {
            format!("{about}{} GFLOP/s, {bytes}", rate(found.gflops()))
        }
    }

    /// What is made before the loops and is not in their time; `None` if nothing is.
    pub fn before_text(&self) -> Option<String> {
        let time = number::duration(self.before.ns());
        let told = || self.before.told().join("; ");
        (!self.before.made.is_empty()).then(|| format!("without {time} before the loops each time: {}", told()))
    }
}

/// With two decimals, or as many as show two digits.
fn rate(per_ns: f64) -> String {
    let decimals = if per_ns > 0.0 { (1.0 - per_ns.log10().floor()).clamp(2.0, 12.0) } else { 0.0 };
    format!("{per_ns:.0$}", decimals as usize)
}

/// What a tensor's encoding is called; scalars have none.
fn encoding(value: &Value) -> Option<String> {
    match value {
        Value::Tensor(tensor) => Some(tensor.encoding_text().to_string()),
        Value::Parts(_) | Value::Number(_) => None,
    }
}
