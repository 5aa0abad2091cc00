//! Timing on request of another program, so that a benchmark can interleave nnz with its peers.
//!
//! One line of JSON reports that the kernel is ready, with the nanoseconds of one call (`est`), and with what its
//! statement makes before the loops each time, which calls exclude, and the nanoseconds of that (`before`,
//! `before_ns`). Then the answer to each line `block SAMPLES INNER` is one line: for each sample, the nanoseconds per
//! call by the clock (`w`) and of processor time in all threads (`c`). `quit`, or the end of input, ends it.

use std::io::{BufRead, Write};

use serde_json::json;

use super::{super::Before, clock::process_cpu_ns, sample};

/// No block may ask for more calls than this: a typing error should not run for a day.
const MOST_CALLS: usize = 100_000_000;

/// Why serving ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError<E> {
    #[error("the other side is gone: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Failed(E),
}

/// Serves until `quit` or the end of `input`. The answer to any other line is `{"ok":false,"error":...}`.
///
/// # Errors
/// The first error of `call`; input or output that fails.
pub fn serve<E>(
    before: &Before,
    input: impl BufRead,
    mut output: impl Write,
    mut call: impl FnMut() -> Result<(), E>,
) -> Result<(), ServeError<E>> {
    call().map_err(ServeError::Failed)?;
    let estimate = sample::sample(1, &mut call).map_err(ServeError::Failed)?;
    let ready = json!({ "ok": true, "est": estimate, "before": before.told(), "before_ns": before.ns() });
    answer(&mut output, &ready)?;
    // A line that is not UTF-8 is answered as one that is no command.
    for line in input.split(b'\n') {
        let reply = match Command::parse(&String::from_utf8_lossy(&line?)) {
            Ok(Command::Quit) => return Ok(()),
            Ok(Command::Block { samples, inner }) => block(samples, inner, &mut call).map_err(ServeError::Failed)?,
            Err(error) => json!({ "ok": false, "error": error }),
        };
        answer(&mut output, &reply)?;
    }
    Ok(())
}

fn answer(output: &mut impl Write, value: &serde_json::Value) -> std::io::Result<()> {
    writeln!(output, "{value}")?;
    output.flush()
}

enum Command {
    Block { samples: usize, inner: usize },
    Quit,
}

impl Command {
    fn parse(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["quit"] => Ok(Command::Quit),
            ["block", samples, inner] => {
                let count = |word: &str| word.parse::<usize>().ok().filter(|count| *count > 0);
                let (samples, inner) = (count(samples), count(inner));
                match (samples, inner) {
                    (Some(samples), Some(inner)) if samples.saturating_mul(inner) <= MOST_CALLS => {
                        Ok(Command::Block { samples, inner })
                    }
                    _ => Err(format!("`{line}`: two counts above zero, of at most {MOST_CALLS} calls together")),
                }
            }
            _ => Err(format!("`{line}` is neither `block SAMPLES INNER` nor `quit`")),
        }
    }
}

fn block<E>(samples: usize, inner: usize, call: &mut impl FnMut() -> Result<(), E>) -> Result<serde_json::Value, E> {
    let (mut wall, mut cpu) = (Vec::with_capacity(samples), Vec::with_capacity(samples));
    for _ in 0..samples {
        let before = process_cpu_ns();
        wall.push(sample::sample(inner, call)?);
        cpu.push((process_cpu_ns() - before) / inner as f64);
    }
    Ok(json!({ "w": wall, "c": cpu }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &str, calls: &mut usize) -> Vec<serde_json::Value> {
        let mut output = Vec::new();
        let call = || {
            *calls += 1;
            Ok::<(), String>(())
        };
        serve(&Before::default(), input.as_bytes(), &mut output, call).unwrap();
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn blocks_are_timed_and_nonsense_is_refused() {
        let mut calls = 0;
        let found =
            lines("block 3 2\nblock 0 1\nhello\nblock 99999999999 9999999999999\nquit\nblock 1 1\n", &mut calls);
        assert_eq!(found.len(), 5);
        assert_eq!(found[0]["ok"], true);
        assert!(found[0]["est"].is_number());
        assert_eq!((&found[0]["before"], &found[0]["before_ns"]), (&json!([]), &json!(0.0)));
        assert_eq!(found[1]["w"].as_array().unwrap().len(), 3);
        assert_eq!(found[1]["c"].as_array().unwrap().len(), 3);
        for refused in &found[2..] {
            assert_eq!(refused["ok"], false);
        }
        assert_eq!(calls, 2 + 3 * 2);
    }

    #[test]
    fn a_failing_kernel_ends_it() {
        let found = serve(&Before::default(), "block 1 1\n".as_bytes(), Vec::new(), || Err::<(), _>("broken"));
        assert!(matches!(found, Err(ServeError::Failed("broken"))));
    }
}
