//! Views of kernels as texts, and the lenses that open them.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///a%20folder/views.nnz";
const TEXT: &str = "\
A : tensor<8x6xf64, CSR> = random(density = 0.3)
x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
y(i) = A(i, j) * x(j)
B : CSC = A
y(i) = A(i, j) * x(j) + 1.0
n : f64 = 3
";

const PROGRAM: &str = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#matvec = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = [\"parallel\", \"reduction\"]
}
func.func @f(%A: tensor<80x60xf64, #CSR>, %x: tensor<60xf64>, %y: tensor<80xf64>) -> tensor<80xf64> {
  %0 = linalg.generic #matvec
    ins(%A, %x : tensor<80x60xf64, #CSR>, tensor<60xf64>)
    outs(%y : tensor<80xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %1 = arith.mulf %a, %b : f64
    %2 = arith.addf %c, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<80xf64>
  %3 = linalg.generic #matvec ins(%A, %x : tensor<80x60xf64, #CSR>, tensor<60xf64>) outs(%0 : tensor<80xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i] : tensor<60xf64>
    %2 = arith.addf %c, %v : f64
    linalg.yield %2 : f64
  } -> tensor<80xf64>
  return %3 : tensor<80xf64>
}
";

fn started(uri: &str, text: &str) -> Client {
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, text);
    client
}

/// The address of a view, as the description of the protocol has it.
fn address(source: &str, kernel: &str, view: &str) -> String {
    let encoded = |text: &str| {
        let escape = |byte: u8| match byte.is_ascii_alphanumeric() {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        };
        text.bytes().map(escape).collect::<String>()
    };
    format!("nnz-view:/title?source={}&kernel={}&view={view}", encoded(source), encoded(kernel))
}

fn view(client: &mut Client, source: &str, kernel: &str, view: &str) -> Value {
    client.request("nnz/textDocumentContent", json!({ "uri": address(source, kernel, view) }))["result"].clone()
}

fn text(content: &Value) -> &str {
    content["text"].as_str().unwrap_or_else(|| panic!("no text in {content}"))
}

/// What `nnz lower` prints of a file with this text.
fn lowered(name: &str, contents: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, contents).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nnz")).arg("lower").arg(&path).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn lenses_are_over_every_kernel() {
    let mut client = started(URI, TEXT);
    let lenses = lenses(&mut client, URI);
    let lines: Vec<(u64, &str)> = lenses.iter().map(|lens| (lens.0, lens.1.as_str())).collect();
    let titles = ["Loops", "Plan", "C"];
    let wanted: Vec<(u64, &str)> = [2, 3, 4].iter().flat_map(|line| titles.map(|title| (*line, title))).collect();
    assert_eq!(lines, wanted);
    let (_, _, command) = &lenses[6];
    assert_eq!(command["command"], "nnz.openView");
    let uri = command["arguments"][0]["uri"].as_str().unwrap();
    assert_eq!(uri.split('?').next(), Some("nnz-view:/y-2.loops.txt"));
    let opened = client.request("nnz/textDocumentContent", json!({ "uri": uri }))["result"].clone();
    assert_eq!(opened, view(&mut client, URI, "y#2", "loops"));
}

#[test]
fn a_client_that_opens_no_views_gets_no_lenses() {
    let mut client = Client::spawn();
    client.request("initialize", json!({ "capabilities": {} }));
    client.notify("initialized", json!({}));
    client.open(URI, 1, TEXT);
    let answer = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(answer["result"], Value::Null);
}

/// The line, the title and the command of each lens.
fn lenses(client: &mut Client, uri: &str) -> Vec<(u64, String, Value)> {
    let told = |lens: &Value| {
        let (line, command) = (lens["range"]["start"]["line"].as_u64(), lens["command"].clone());
        (line.unwrap(), command["title"].as_str().unwrap().to_string(), command)
    };
    client.lenses(uri).iter().map(told).collect()
}

#[test]
fn lenses_are_there_in_programs_and_in_broken_texts() {
    let lines = |uri: &str, text: &str| {
        let mut client = started(uri, text);
        let mut lines: Vec<u64> = lenses(&mut client, uri).into_iter().map(|(line, ..)| line).collect();
        lines.dedup();
        lines
    };
    assert_eq!(lines("file:///p.mlir", PROGRAM), [6, 14]);
    assert_eq!(lines("file:///p.mlir", &PROGRAM.replace("} -> tensor<80xf64>\n  %3", "}\n  %3")), [6, 14]);
    assert_eq!(lines(URI, &TEXT.replace("= A(i, j) * x(j)\nB", "= A(i, \nB")), [2, 3, 4]);
    assert_eq!(lines(URI, &TEXT.replace("B : CSC = A", "B : CSC = [[1")), [2, 4]);
}

#[test]
fn a_view_is_what_the_command_prints() {
    let simple = TEXT.replace(" + 1.0", "");
    let mut client = started(URI, &simple);
    for name in ["plan", "lattice", "graph", "loops", "lowered", "c", "mlir", "llvm", "asm", "ptx"] {
        for (asked, kernel) in
            [("B", "B"), ("y#2", "y")].into_iter().filter(|(asked, _)| (*asked, name) != ("B", "ptx"))
        {
            let content = view(&mut client, URI, asked, name);
            assert_eq!(content["stale"], false, "{content}");
            assert_eq!(text(&content), lowered("a.nnz", &simple, &["--kernel", kernel, "--to", name]), "{name}");
        }
    }
    let none = view(&mut client, URI, "B", "ptx");
    assert!(text(&none).starts_with("// PTX cannot run this kernel: "), "{none}");
    assert_eq!(none["stale"], false);
}

#[test]
fn a_view_of_a_program_says_what_is_assumed_and_why_there_are_no_loops() {
    let uri = "file:///p.mlir";
    let mut client = started(uri, PROGRAM);
    let printed = lowered("p.mlir", PROGRAM, &["--to", "loops"]);
    let loops = view(&mut client, uri, "@f/linalg.generic", "loops");
    let (name, rest) = text(&loops).split_once('\n').unwrap();
    assert_eq!(name, "// @f/linalg.generic");
    assert!(printed.contains(rest) && rest.contains("as if `%y` held nothing before"), "{printed}\n{rest}");
    assert!(rest.contains("for A.p1 in A.pos1[d0]..A.pos1[d0 + 1]"), "{rest}");
    let evaluated = view(&mut client, uri, "@f/linalg.generic#2", "llvm");
    let text = text(&evaluated);
    assert!(text.starts_with("; @f/linalg.generic#2\n; ") && text.contains("point by point"), "{text}");
    assert_eq!((&evaluated["language"], &evaluated["stale"]), (&json!("llvm"), &json!(false)));
}

#[test]
fn sizes_that_only_data_tell_are_assumed() {
    let read = "A : CSR = read \"a.mtx\"\nx = [1.0, 2.0]\ny(i) = 2 * A(i, j) * x(j)\nz(i) = A(i + 1, i) + A(i, 0)\n";
    let mut client = started(URI, read);
    let plan = view(&mut client, URI, "y", "plan");
    let (first, rest) = text(&plan).split_once('\n').unwrap();
    assert_eq!(first, "// as if sizes that only data tell were 1000, and elements `f64`");
    assert!(rest.contains("loops i, j  2.0 * A(i, j) * x(j)"), "{rest}");
    let none = view(&mut client, URI, "z", "plan");
    assert!(text(&none).starts_with("// not planned before data are read: with 1000 for every open size, "), "{none}");
}

/// The parts of a line that is typed, and whether the view is of that text.
#[test]
fn a_view_follows_the_text_and_stays_through_broken_ones() {
    let mut client = started(URI, TEXT);
    let good = view(&mut client, URI, "y", "c");
    let states = [
        ("y(i) = A(i, j", true, true),
        ("y(i) = A(i, j) * z(j)", true, true),
        ("", true, true),
        ("y(i) = A(i, j) * x(j) * 2.0", false, false),
        ("w = 1\ny(i) = A(i, j) * x(j)", false, true),
    ];
    for (version, (line, stale, same)) in (2..).zip(states) {
        let changed = TEXT
            .replacen("y(i) = A(i, j) * x(j)\n", &format!("{line}\n"), 1)
            .replace("y(i) = A(i, j) * x(j) + 1.0\n", "");
        client.change(URI, version, &changed);
        let now = view(&mut client, URI, "y", "c");
        assert_eq!(now["stale"], stale, "{line}: {now}");
        let below = if stale { text(&now).split_once('\n').unwrap() } else { ("", text(&now)) };
        assert_eq!(below.1 == text(&good), same, "{line}: {now}");
        assert_eq!(below.0.starts_with("// of an earlier version of the text: "), stale, "{line}: {now}");
        assert_eq!(now["places"] == json!([]), stale, "{line}: {now}");
    }
}

#[test]
fn a_function_with_an_error_elsewhere_has_views() {
    let uri = "file:///p.mlir";
    let mut client = started(uri, &PROGRAM.replace("  return %3", "  %q = foo\n  return %3"));
    let loops = view(&mut client, uri, "@f/linalg.generic", "loops");
    assert_eq!(loops["stale"], false, "{loops}");
    client.change(
        uri,
        2,
        &PROGRAM.replace("ins(%A, %x : tensor<80x60xf64, #CSR>, tensor<60xf64>)\n", "ins(%A, %x : \n"),
    );
    let loops = view(&mut client, uri, "@f/linalg.generic", "loops");
    assert_eq!(loops["stale"], true, "{loops}");
    assert!(text(&loops).contains("for A.p1 in"), "{loops}");
}

#[test]
fn lines_are_told_with_their_places_in_the_source() {
    let astral = ":write A \"𝒜.mtx\"; y(i) = A(i, j) * x(j)\n";
    let source = TEXT.replacen("y(i) = A(i, j) * x(j)\n", astral, 1);
    for (encoding, shift) in [("utf-16", 19), ("utf-8", 21)] {
        let mut client = Client::start(&[encoding]);
        client.open(URI, 1, &source);
        for name in ["loops", "c", "plan", "mlir"] {
            let content = view(&mut client, URI, "y", name);
            let lines: Vec<&str> = text(&content).lines().collect();
            let at = |what: &str| lines.iter().position(|line| line.contains(what)).unwrap() as u64;
            let (line, start, end) = match name {
                "loops" => (at("for A.p1 in"), 7, 14),
                "c" => (at("for (int64_t A_p1"), 7, 14),
                "mlir" => (at("scf.for %A.p1 ="), 7, 14),
                _ => (at("concordant"), 7, 14),
            };
            let access = json!({
                "start": { "line": 2, "character": shift + start }, "end": { "line": 2, "character": shift + end }
            });
            let places = content["places"].as_array().unwrap();
            let here = |place: &&Value| place["range"] == access && place["lines"][0] == line;
            let found =
                places.iter().find(here).unwrap_or_else(|| panic!("{name}: no {access} at {line} in {content}"));
            let last = lines[found["lines"][1].as_u64().unwrap() as usize].trim();
            assert_eq!(last.starts_with('}'), name != "plan", "{name}: {last}");
        }
    }
}

#[test]
fn what_has_no_view_is_told() {
    let mut client = started(URI, TEXT);
    let unknown = view(&mut client, URI, "z", "llvm");
    assert_eq!(
        text(&unknown),
        "; no view: the text has no kernel `z`: it has B, y, y#2\n".replace("B, y, y#2", &names(&unknown))
    );
    assert_eq!(unknown["stale"], true);
    let closed = view(&mut client, "file:///b.nnz", "z", "c");
    assert_eq!(text(&closed), "// no view: `b.nnz`: it is not open\n");
    for (wrong, told) in [
        (address(URI, "y", "loop"), "there is no view `loop` of kernels: did you mean `loops`?"),
        (address(URI, "y", "spy"), "there is no view `spy` of kernels: there are "),
        ("nnz-view:/y.c".to_string(), "`nnz-view:/y.c` is not `nnz-view:/TITLE?source=URI&kernel=NAME&view=VIEW`"),
    ] {
        let answer = client.request("nnz/textDocumentContent", json!({ "uri": wrong }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().starts_with(told), "{answer}");
    }
}

/// The kernels that a text without the one asked for names.
fn names(content: &Value) -> String {
    let names = text(content).trim().rsplit("it has ").next().unwrap_or_default().to_string();
    let mut sorted: Vec<&str> = names.split(", ").collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ["B", "y", "y#2"]);
    names
}

#[test]
fn a_closed_document_has_no_view_until_it_is_open_again() {
    let mut client = started(URI, TEXT);
    let before = view(&mut client, URI, "y", "loops");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let changed = |message: &Value| message["method"] == "nnz/viewsChanged" && message["params"]["uri"] == URI;
    client.receive("word of changed views", changed);
    let closed = view(&mut client, URI, "y", "loops");
    assert_eq!(text(&closed).lines().next(), Some("// no view: `views.nnz`: it is not open"));
    client.open(URI, 2, TEXT);
    client.receive("word of changed views", changed);
    assert_eq!(view(&mut client, URI, "y", "loops"), before);
}

#[test]
fn the_client_is_told_of_new_versions_of_what_it_shows() {
    let mut client = started(URI, TEXT);
    client.diagnostics(URI, 1);
    client.change(URI, 2, TEXT);
    client.diagnostics(URI, 2);
    view(&mut client, URI, "y", "plan");
    client.change(URI, 3, &TEXT.replace("density = 0.3", "density = 0.4"));
    client.diagnostics(URI, 3);
    let changed = client.receive("word of changed views", |message| message["method"] == "nnz/viewsChanged");
    assert_eq!(changed["params"], json!({ "uri": URI }));
}

#[test]
fn a_client_of_3_18_gets_views_as_texts() {
    let mut client = Client::spawn();
    let capabilities = json!({ "workspace": { "textDocumentContent": { "dynamicRegistration": true } } });
    let answer = client.request("initialize", json!({ "capabilities": capabilities }));
    let announced = &answer["result"]["capabilities"]["workspace"]["textDocumentContent"];
    assert_eq!(*announced, json!({ "schemes": ["nnz-view"] }));
    client.notify("initialized", json!({}));
    client.open(URI, 1, TEXT);
    let ours = view(&mut client, URI, "y", "loops");
    let uri = address(URI, "y", "loops");
    let theirs = client.request("workspace/textDocumentContent", json!({ "uri": uri }));
    assert_eq!(theirs["result"], json!({ "text": ours["text"] }));
    client.change(URI, 2, TEXT);
    let refresh = |message: &Value| message["method"] == "workspace/textDocumentContent/refresh";
    let asked = client.receive("a request to refresh", refresh);
    let again = client.request("workspace/textDocumentContent", asked["params"].clone());
    assert_eq!(again["result"], theirs["result"]);
}

#[test]
fn other_clients_are_not_asked_to_refresh() {
    let mut client = Client::spawn();
    let answer = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(answer["result"]["capabilities"]["workspace"]["textDocumentContent"], Value::Null);
}

/// The tables of docs/editors.md name what the server announces, and nothing else.
#[test]
fn every_request_is_documented() {
    let page = include_str!("../../docs/editors.md");
    let section = page.split("## Requests").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let last = |row: &str| row.rsplit('`').nth(1).map(str::to_string);
    let mut documented: Vec<String> = section.lines().filter(|row| row.starts_with("| `")).filter_map(last).collect();
    let mut client = Client::spawn();
    let able = json!({ "workspace": { "textDocumentContent": {} }, "textDocument": { "diagnostic": {} } });
    let answer = client.request("initialize", json!({ "capabilities": able }));
    let announced = answer["result"]["capabilities"].as_object().unwrap();
    let mut announced: Vec<String> =
        announced.keys().filter(|name| !matches!(name.as_str(), "positionEncoding" | "workspace")).cloned().collect();
    announced.push("workspace.textDocumentContent".to_string());
    announced.sort();
    documented.sort();
    documented.dedup();
    assert_eq!(documented, announced);
}

#[test]
fn functions_of_scripts_are_shown_at_their_stages() {
    const SCRIPT: &str = include_str!("../suite/repl/data/spmv.py");
    let (mut client, uri) = (Client::start(&["utf-16"]), "file:///spmv.py");
    client.open_as("python", uri, 1, SCRIPT);
    let lenses = lenses(&mut client, uri);
    let told: Vec<(u64, &str)> = lenses.iter().map(|(line, title, _)| (*line, title.as_str())).collect();
    assert_eq!(told, [(4, "Stage II"), (4, "Loops")]);
    for ((_, _, command), stage) in lenses.iter().zip(["stage2", "stage3"]) {
        let opened = client.request("nnz/textDocumentContent", json!({ "uri": command["arguments"][0]["uri"] }));
        let content = &opened["result"];
        assert_eq!(text(content), lowered("spmv.py", SCRIPT, &["--to", stage]));
        assert_eq!(content["language"], "python");
    }
}
