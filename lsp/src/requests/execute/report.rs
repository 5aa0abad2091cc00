//! The report of an execution, made from what the process has printed: objects on its standard output, diagnostics on
//! its standard error, one per line.

use nnz_core::{
    ide::execution::{Action, Part},
    source::{ColumnUnit, Source, Span},
    view::number::duration,
};
use serde::Serialize;
use serde_json::Value;
use tower_lsp::lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range};

use crate::{
    child::{End, Ended, MOST},
    to_proto,
};

/// The answer to `nnz/execute`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) title: String,
    /// A short text that fits beside the kernel.
    pub(crate) line: String,
    /// Everything that is shown.
    pub(crate) lines: Vec<String>,
    pub(crate) ok: bool,
    /// Of a comparison, for each encoding its name and nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<(String, f64)>,
    diagnostics: Vec<Diagnostic>,
    /// The kernel, in the version of the text that has run.
    range: Range,
    version: i32,
}

/// What is known before anything has run.
pub(crate) struct Told {
    pub(crate) title: String,
    pub(crate) action: Action,
    /// What the text is called in diagnostics.
    pub(crate) name: String,
    /// Seconds and bytes.
    pub(crate) limits: (f64, u64),
    pub(crate) source: Source,
    pub(crate) unit: ColumnUnit,
    pub(crate) range: Range,
    pub(crate) version: i32,
}

/// No line beside a kernel is longer.
const MOST_BESIDE: usize = 100;

impl Told {
    /// `part` is what must have a result.
    pub(crate) fn report(self, part: Option<&Part>, ended: Result<Ended, String>) -> Report {
        let ended = match ended {
            Ok(ended) => ended,
            Err(reason) => return self.reported(reason.clone(), vec![reason], Vec::new()),
        };
        let found: Vec<Value> = objects(&ended.stderr).collect();
        let diagnostics: Vec<Diagnostic> = found.iter().filter_map(|found| self.diagnostic(found)).collect();
        let said = found.iter().filter(is_grave).filter_map(rendered);
        let mut lines: Vec<String> = said.flat_map(|text| text.lines().map(String::from).collect::<Vec<_>>()).collect();
        let results: Vec<Value> = objects(&ended.stdout).collect();
        let shown = shown(&results);
        if let Some(failure) = self.failure(&ended, &diagnostics).or_else(|| missing(part?, self.action, &results)) {
            lines.extend(plain(&ended.stderr).into_iter().chain(shown.lines().map(String::from)));
            lines.push(failure.clone());
            return self.reported(failure, lines, diagnostics);
        }
        let line = beside(self.action, &results, &shown);
        lines.extend(shown.lines().map(String::from));
        let times = if self.action == Action::Compare { times(&results) } else { Vec::new() };
        Report { ok: true, times, ..self.reported(line, lines, diagnostics) }
    }

    fn reported(self, line: String, lines: Vec<String>, diagnostics: Vec<Diagnostic>) -> Report {
        let Told { title, range, version, .. } = self;
        let line = shortened(&line);
        Report { title, line, lines, ok: false, times: Vec::new(), diagnostics, range, version }
    }

    /// Why there is no result.
    fn failure(&self, ended: &Ended, diagnostics: &[Diagnostic]) -> Option<String> {
        let (seconds, bytes) = self.limits;
        match ended.end {
            End::Finished(0) => None,
            End::Finished(status) => {
                let error = diagnostics.iter().find(|found| found.severity == Some(DiagnosticSeverity::ERROR));
                let told = error.map(|error| self.told(error)).or_else(|| plain(&ended.stderr).pop());
                Some(told.unwrap_or_else(|| format!("failed with status {status}")))
            }
            End::Crashed(9) => Some(format!("killed by the system (signal 9); it may take {bytes} bytes of memory")),
            End::Crashed(signal) => Some(format!("crashed (signal {signal}): a bug of nnz")),
            End::TimeUp => Some(format!("stopped after {seconds} s: `limits.seconds` allows more")),
            End::Stopped => Some("stopped".to_string()),
        }
    }

    /// An error, with its line where that is another one than the kernel's.
    fn told(&self, error: &Diagnostic) -> String {
        let message = error.message.lines().next().unwrap_or_default();
        let line = error.range.start.line;
        if line == self.range.start.line { message.to_string() } else { format!("line {}: {message}", line + 1) }
    }

    /// A diagnostic, at the kernel where it is about the command line.
    fn diagnostic(&self, found: &Value) -> Option<Diagnostic> {
        let severity = match found["level"].as_str()? {
            "error" => DiagnosticSeverity::ERROR,
            "warning" => DiagnosticSeverity::WARNING,
            _ => DiagnosticSeverity::HINT,
        };
        let primary = list(found, "spans").find(|span| span["is_primary"] == true)?;
        // What is wrong in a file of data is told where the text reads it.
        let of_data = || list(found, "spans").find_map(|span| self.place(span));
        let within_text = primary["byte_start"].is_null().then(of_data).flatten();
        let helps = list(found, "children").filter(|child| list(child, "spans").next().is_none());
        let helps =
            helps.filter_map(|child| Some(format!("{}: {}", child["level"].as_str()?, child["message"].as_str()?)));
        let said = [&found["message"], &primary["label"]].into_iter().filter_map(Value::as_str).map(String::from);
        Some(Diagnostic {
            range: self.place(primary).or(within_text).unwrap_or(self.range),
            severity: Some(severity),
            code: Some(NumberOrString::String(found["code"]["code"].as_str()?.to_string())),
            source: Some("nnz".to_string()),
            message: said.chain(helps).collect::<Vec<_>>().join("\n"),
            ..Diagnostic::default()
        })
    }

    fn place(&self, span: &Value) -> Option<Range> {
        let byte = |name: &str| usize::try_from(span[name].as_u64()?).ok().map(|at| at.min(self.source.text.len()));
        let place = Span::new(byte("byte_start")?, byte("byte_end")?);
        (span["file_name"] == self.name).then(|| to_proto::range(&self.source, place, self.unit))
    }
}

/// Why the results of a program that has finished well lack the requested one.
fn missing(part: &Part, action: Action, results: &[Value]) -> Option<String> {
    let Some(last) = results.last() else {
        return Some(format!("no result has come back, or one of more than {} MiB", MOST >> 20));
    };
    let (is_there, name) = match (part, action) {
        (Part::Statements { name, .. }, Action::Run) => (last["name"] == **name && last["kind"] != "definition", name),
        (Part::Statements { name, .. } | Part::Kernel { name, .. }, Action::Time | Action::Compare) => {
            (results.iter().any(|result| result["kind"] == "timing"), name)
        }
        (Part::Function(name) | Part::Kernel { name, .. }, _) => (last["kind"] == "call", name),
    };
    (!is_there).then(|| format!("the text ends before there is a result of `{name}`"))
}

fn list<'v>(of: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    of[name].as_array().into_iter().flatten()
}

/// The lines that are objects.
pub(crate) fn objects(text: &str) -> impl Iterator<Item = Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object)
}

/// The other lines: what a program says that fails in no planned way.
fn plain(text: &str) -> Vec<String> {
    let is_object = |line: &&str| line.starts_with('{') && serde_json::from_str::<Value>(line).is_ok();
    text.lines().filter(|line| !is_object(line) && !line.trim().is_empty()).map(String::from).collect()
}

/// Hints are already in the text.
fn is_grave(found: &&Value) -> bool {
    matches!(found["level"].as_str(), Some("error" | "warning")) || found["code"].is_null()
}

fn rendered(found: &Value) -> Option<&str> {
    found["rendered"].as_str()
}

/// The text of the last result, below what was printed for it; for an unfinished one, what was printed so far.
fn shown(results: &[Value]) -> String {
    let before = results.split_last().map_or(&[][..], |(_, before)| before);
    let printed = before.iter().rev().take_while(|result| result["kind"] == "printed").count();
    let last = results.get(before.len() - printed..).unwrap_or_default();
    last.iter().filter_map(|result| result["text"].as_str()).collect()
}

/// The part of a result that is shown beside its kernel.
fn beside(action: Action, results: &[Value], shown: &str) -> String {
    let timings = || results.iter().filter(|result| result["kind"] == "timing");
    match action {
        Action::Run => value(shown),
        Action::Time => timings().next_back().map(timing).unwrap_or_default(),
        Action::Compare => comparison(&timings().collect::<Vec<_>>(), results.last()),
    }
}

/// The value if it fits on a line, else what it is.
fn value(shown: &str) -> String {
    // The frame that `sparse_tensor.print` draws says nothing.
    let mut lines = shown.lines().filter(|line| !line.starts_with("----"));
    match (lines.next(), lines.next(), lines.next()) {
        (None, ..) => "done".to_string(),
        (Some(_), Some(values), None) => values.to_string(),
        (Some(head), ..) => head.split_once(": ").map_or(head, |(_, type_and_size)| type_and_size).to_string(),
    }
}

/// The times of a comparison by the encodings of the tensor that varies.
fn times(results: &[Value]) -> Vec<(String, f64)> {
    let tensor = results.last().and_then(|table| table["tensor"].as_str()).unwrap_or_default();
    let timings = results.iter().filter(|result| result["kind"] == "timing");
    timings.filter_map(|it| Some((it["encodings"][tensor].as_str()?.to_string(), nanoseconds(it)))).collect()
}

fn nanoseconds(timing: &Value) -> f64 {
    ["median_ns", "before_ns"].iter().filter_map(|part| timing[*part].as_f64()).sum()
}

fn timing(timing: &Value) -> String {
    let spread = 100.0 * timing["spread"].as_f64().unwrap_or_default();
    let (median, bytes) =
        (timing["median_ns"].as_f64().unwrap_or_default(), timing["bytes"].as_f64().unwrap_or_default());
    let speed = if median > 0.0 { bytes / median } else { 0.0 };
    format!("{} (spread {spread:.0} %), {speed:.2} GB/s", duration(nanoseconds(timing)))
}

/// The best format, against the tensor's own, which is the first.
fn comparison(timings: &[&Value], table: Option<&Value>) -> String {
    let tensor = table.and_then(|table| table["tensor"].as_str()).unwrap_or_default();
    let format = |timing: &Value| timing["encodings"][tensor].as_str().unwrap_or_default().to_string();
    let best = timings.iter().min_by(|one, other| nanoseconds(one).total_cmp(&nanoseconds(other)));
    match (timings.first(), best) {
        (Some(own), Some(best)) if !std::ptr::eq(*own, *best) => format!(
            "best with {tensor} in {}: {}, {:.2} times as fast as {}",
            format(best),
            duration(nanoseconds(best)),
            nanoseconds(own) / nanoseconds(best),
            format(own)
        ),
        (Some(own), _) => format!("best with {tensor} in {}: {}", format(own), duration(nanoseconds(own))),
        (None, _) => "nothing to compare".to_string(),
    }
}

fn shortened(line: &str) -> String {
    let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_BESIDE) {
        Some((at, _)) => format!("{} ...", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_that_fits_stands_beside_its_kernel() {
        assert_eq!(value("y: 2xf64, dense, 2 stored\n[ 1  2 ]\n"), "[ 1  2 ]");
        assert_eq!(value("A: 2x2xf64, CSR, 2 stored\n1 .\n. 2\n"), "2x2xf64, CSR, 2 stored");
        assert_eq!(value("n: f64 = 3\n"), "f64 = 3");
        assert_eq!(value("7\n"), "7");
        assert_eq!(value(""), "done");
        assert_eq!(shortened(&"word  ".repeat(40)).chars().count(), MOST_BESIDE + 4);
    }

    #[test]
    fn what_was_printed_for_a_result_stands_above_it() {
        let object = |kind: &str, text: &str| json!({ "kind": kind, "text": text });
        let results = [object("call", "a\n"), object("printed", "b"), object("printed", "c\n"), object("call", "d\n")];
        assert_eq!(shown(&results), "bc\nd\n");
        assert_eq!(shown(&results[..3]), "bc\n");
        assert_eq!(shown(&results[..1]), "a\n");
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn the_best_format_is_told_against_the_first() {
        let timing = |format: &str, time: f64, before: f64| json!({ "median_ns": time, "before_ns": before, "encodings": { "A": format } });
        let timings = [timing("CSR", 4000.0, 0.0), timing("CSC", 1000.0, 2000.0), timing("COO", 2000.0, 0.0)];
        let told = |timings: &[Value]| comparison(&timings.iter().collect::<Vec<_>>(), Some(&json!({ "tensor": "A" })));
        assert_eq!(told(&timings), "best with A in COO: 2.00 µs, 2.00 times as fast as CSR");
        assert_eq!(told(&timings[..2]), "best with A in CSC: 3.00 µs, 1.33 times as fast as CSR");
        assert_eq!(told(&timings[..1]), "best with A in CSR: 4.00 µs");
        assert_eq!(told(&[]), "nothing to compare");
    }
}
