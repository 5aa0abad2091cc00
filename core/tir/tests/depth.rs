//! Texts that nest without end get an error, and no stack runs out; long texts take no quadratic time.

use std::time::{Duration, Instant};

use nnz_base::{diagnostic::Code, ids::FileId, source::Source};
use nnz_tir::{Script, script};

fn read(body: &str) -> Script {
    let head = "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.handle, n: T.int32):\n";
    script(&Source::new(FileId(0), "deep.py", format!("{head}    A = T.match_buffer(a, [n])\n{body}\n")))
}

#[test]
fn endless_nesting_is_an_error() {
    let value = |value: String| format!("    A[0] = {value}");
    let texts = [
        value(format!("(1{})", " +\n 1".repeat(100_000))),
        value(format!("{}True", "not ".repeat(100_000))),
        value(format!("1{}", " if True else 1".repeat(100_000))),
        value(format!("a{}", ".b\\\n".repeat(100_000))),
        value(format!("{}1", "lambda: ".repeat(100_000))),
        value(format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000))),
        (1..3000).map(|depth| format!("{}if n > 0:\n", " ".repeat(depth + 3))).collect::<String>()
            + &" ".repeat(3010)
            + "pass",
        format!("    if n > 0:\n        pass\n{}", "    elif n > 1:\n        pass\n".repeat(20_000)),
    ];
    for text in texts {
        let codes: Vec<Code> = read(&text).diagnostics.iter().map(|one| one.code).collect();
        assert_eq!(codes, [Code::ScriptUnread], "{}", &text[..40]);
    }
}

#[test]
fn long_texts_are_read_line_by_line() {
    let start = Instant::now();
    let names: String =
        (0..20_000).map(|number| format!("    v{number} = n + {number}\n    A[v{number}] = 1.0\n")).collect();
    assert!(read(&names).diagnostics.is_empty());
    assert!(read(&"    for i in T.serial(n):\n        A[i] = A[i] + 1.0\n".repeat(20_000)).diagnostics.is_empty());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
