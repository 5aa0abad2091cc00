//! A diagnostic is the same in the terminal, as JSON and in the editor: code, message, every label with its place and
//! reason, notes, helps, and fixes with their edits. Tested over every text of the suites with errors.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::client::Client;

/// The texts, in files of a folder of their own.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut found = Vec::new();
    for part in ["suite/encoding", "suite/session", "programs/errors"] {
        let mut paths: Vec<_> = fs::read_dir(root.join(part)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|own| own == "nnz" || own == "mlir")) {
            let text = fs::read_to_string(path).unwrap();
            let lines = text.lines().filter(|line| !["// >", "// !", "// ^"].iter().any(|mark| line.starts_with(mark)));
            let text = lines.collect::<Vec<_>>().join("\n") + "\n";
            let own =
                folder.join(format!("{}_{}", part.replace('/', "_"), path.file_name().unwrap().to_string_lossy()));
            fs::write(&own, &text).unwrap();
            found.push((own.to_str().unwrap().to_string(), text));
        }
    }
    found
}

/// What `nnz check` writes.
fn checked(folder: &Path, path: &str, format: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    command.current_dir(folder).args(["check", "--color", "never", "--width", "1000", "--error-format", format, path]);
    String::from_utf8(command.output().unwrap().stderr).unwrap()
}

fn objects(text: &str) -> Vec<Value> {
    let all = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    all.filter(|object| object["code"].is_object()).collect()
}

/// An editor's range for a place of JSON, whose columns are counted in characters from 1.
fn range(text: &str, span: &Value) -> Value {
    let place = |offset: &Value| {
        let before = &text[..offset.as_u64().unwrap() as usize];
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
    };
    json!({ "start": place(&span["byte_start"]), "end": place(&span["byte_end"]) })
}

fn labels(object: &Value, primary: bool) -> impl Iterator<Item = &Value> {
    object["spans"].as_array().unwrap().iter().filter(move |span| span["is_primary"] == primary)
}

fn children(object: &Value) -> &Vec<Value> {
    object["children"].as_array().unwrap()
}

fn is_fix(child: &Value) -> bool {
    !child["spans"].as_array().unwrap().is_empty()
}

/// The diagnostic of JSON as an editor is to get it.
fn in_an_editor(uri: &str, text: &str, object: &Value) -> Value {
    let primary = labels(object, true).next().unwrap();
    let said = [object["message"].as_str().unwrap().to_string(), primary["label"].as_str().unwrap().to_string()];
    let below = children(object).iter().filter(|child| !is_fix(child));
    let below =
        below.map(|child| format!("{}: {}", child["level"].as_str().unwrap(), child["message"].as_str().unwrap()));
    let related = labels(object, false)
        .map(|span| json!({ "location": { "uri": uri, "range": range(text, span) }, "message": span["label"] }));
    let severity = match object["level"].as_str() {
        Some("error") => 1,
        Some("warning") => 2,
        _ => 4,
    };
    let mut made = json!({
        "range": range(text, primary), "severity": severity, "code": object["code"]["code"], "source": "nnz",
        "message": said.into_iter().chain(below).collect::<Vec<_>>().join("\n"), "relatedInformation": related.collect::<Vec<_>>(),
    });
    match object["code"]["code"].as_str() {
        Some("H0101" | "H0144" | "W0106" | "W0108") => made["tags"] = json!([1]),
        Some("W0101" | "W0107") => made["tags"] = json!([2]),
        _ => {}
    }
    made
}

/// A fix as an editor is to get it: its title and its edits.
fn fix(text: &str, child: &Value) -> String {
    let edits = child["spans"].as_array().unwrap().iter();
    let edits = edits.map(|span| json!({ "range": range(text, span), "newText": span["suggested_replacement"] }));
    json!({ "title": child["message"], "edits": edits.collect::<Vec<_>>() }).to_string()
}

fn action(uri: &str, action: &Value) -> String {
    json!({ "title": action["title"], "edits": action["edit"]["changes"][uri] }).to_string()
}

/// A help that asks whether one of the fixes is meant, which the picture of the fix shows.
fn asks_for_a_fix(help: &Value, object: &Value) -> bool {
    let asked = help["message"].as_str().and_then(|text| text.strip_prefix("did you mean `")?.strip_suffix("`?"));
    let Some(asked) = asked else { return false };
    let edits =
        children(object).iter().filter(|child| is_fix(child)).flat_map(|child| child["spans"].as_array().unwrap());
    edits
        .filter_map(|span| span["suggested_replacement"].as_str())
        .any(|new| new == asked || format!(":{new}") == asked)
}

/// What a person is told of the diagnostic and does not find on the screen.
fn missing(screen: &str, object: &Value) -> Vec<String> {
    let header = format!("{}[{}]: ", object["level"].as_str().unwrap(), object["code"]["code"].as_str().unwrap());
    let mut wanted = vec![(header, object["message"].clone())];
    wanted.extend(object["spans"].as_array().unwrap().iter().map(|span| (String::new(), span["label"].clone())));
    let told = children(object).iter().filter(|child| is_fix(child) || !asks_for_a_fix(child, object));
    for child in told {
        let kind = if is_fix(child) { "fix" } else { child["level"].as_str().unwrap() };
        wanted.push((format!("= {kind}: "), child["message"].clone()));
    }
    let lines = wanted.iter().flat_map(|(kind, text)| text.as_str().unwrap().lines().map(move |line| (kind, line)));
    let shown = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let screen = shown(screen);
    lines.filter(|(_, line)| !screen.contains(&shown(line))).map(|(kind, line)| format!("{kind}{line}")).collect()
}

#[test]
fn one_diagnostic_for_the_terminal_for_programs_and_for_editors() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(&["utf-16"]);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, text) in texts(folder.path()) {
        let found = objects(&checked(folder.path(), &path, "json"));
        count += found.len();
        let screen = checked(folder.path(), &path, "human");
        wrong.extend(found.iter().flat_map(|object| missing(&screen, object)).map(|line| format!("{path}: no {line}")));

        let uri = format!("file://{path}");
        client.open(&uri, 1, &text);
        let published = client.diagnostics(&uri, 1);
        let own: Vec<Value> = found.iter().map(|object| in_an_editor(&uri, &text, object)).collect();
        let differ = own.iter().zip(&published).filter(|(own, published)| own != published);
        wrong.extend(differ.take(3).map(|(own, published)| format!("{path}:\n  {own}\n  {published}")));
        if own.len() != published.len() {
            wrong.push(format!("{path}: {} as JSON, {} in an editor", own.len(), published.len()));
        }

        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99999, "character": 0 } });
        let context = json!({ "diagnostics": [], "only": ["quickfix"] });
        let params = json!({ "textDocument": { "uri": uri }, "range": whole, "context": context });
        let actions = client.request("textDocument/codeAction", params)["result"].clone();
        // Those that mend several places at once are of no diagnostic, and a kernel is planned for a conversion of its own.
        let is_of_one = |one: &&Value| one["diagnostics"].is_array() && one["diagnostics"][0]["code"] != "H0334";
        let of_one = actions.as_array().unwrap().iter().filter(is_of_one);
        let offered: BTreeSet<String> = of_one.map(|one| action(&uri, one)).collect();
        let fixes = found.iter().flat_map(children).filter(|child| is_fix(child)).map(|child| fix(&text, child));
        let fixes: BTreeSet<String> = fixes.collect();
        wrong.extend(fixes.symmetric_difference(&offered).take(3).map(|one| format!("{path}: of one alone: {one}")));
    }
    assert!(count > 500, "{count}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
