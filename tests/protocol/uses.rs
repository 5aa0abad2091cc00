//! `use "file"`: open documents, then the disk, within the workspace; unknown names are errors again.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

const FORMATS: &str = "// formats\n#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n";
const TEXT: &str = "use \"formats.mlir\"\nA : tensor<2x2xf64, #Rows> = dense<[[1, 0], [0, 2]]>\n";

/// A folder with these files, and a client that has it as its workspace.
fn workspace(files: &[(&str, &str)], settings: Value) -> (TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut client = Client::spawn();
    let root = uri(folder.path(), "inside");
    let folders = json!([{ "uri": root, "name": "inside" }]);
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let params =
        json!({ "capabilities": capabilities, "workspaceFolders": folders, "initializationOptions": settings });
    client.request("initialize", params);
    client.notify("initialized", json!({}));
    (folder, client)
}

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.canonicalize().unwrap().display())
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().filter_map(|diagnostic| diagnostic["code"].as_str()).collect()
}

#[test]
fn names_come_from_a_file_beside_the_text_or_in_the_workspace() {
    for place in ["inside/formats.mlir", "inside/deep/formats.mlir"] {
        let (folder, mut client) = workspace(&[(place, FORMATS), ("inside/deep/x", "")], json!(null));
        let text = uri(folder.path(), "inside/deep/a.nnz");
        client.open(&text, 1, TEXT);
        assert_eq!(client.diagnostics(&text, 1), Vec::<Value>::new());
        client.change(&text, 2, &TEXT.replace("#Rows", "#Rwos"));
        assert_eq!(codes(&client.diagnostics(&text, 2)), ["E0124"]);
    }
}

#[test]
fn the_definition_of_a_used_name_is_in_its_file() {
    let (folder, mut client) = workspace(&[("inside/formats.mlir", FORMATS)], json!(null));
    let text = uri(folder.path(), "inside/a.nnz");
    client.open(&text, 1, TEXT);
    let at_name = client.at("textDocument/definition", &text, 1, 22);
    let at_path = client.at("textDocument/definition", &text, 0, 8);
    for (found, line, end) in [(at_name, 1, 5), (at_path, 0, 0)] {
        assert_eq!(found["uri"], uri(folder.path(), "inside/formats.mlir"));
        assert_eq!(found["range"]["start"], json!({ "line": line, "character": 0 }));
        assert_eq!(found["range"]["end"], json!({ "line": line, "character": end }));
    }
}

#[test]
fn an_open_document_goes_before_the_disk_and_its_changes_reach_its_users() {
    let (folder, mut client) = workspace(&[("inside/formats.mlir", FORMATS)], json!(null));
    let (text, used) = (uri(folder.path(), "inside/a.nnz"), uri(folder.path(), "inside/formats.mlir"));
    client.open(&text, 1, TEXT);
    assert_eq!(codes(&client.diagnostics(&text, 1)), Vec::<&str>::new());
    client.open(&used, 1, &FORMATS.replace("#Rows", "#Lines"));
    assert_eq!(codes(&client.diagnostics(&text, 1)), ["E0124"]);
    client.change(&used, 2, FORMATS);
    assert_eq!(codes(&client.diagnostics(&text, 1)), Vec::<&str>::new());
}

#[test]
fn texts_that_use_each_other_are_checked() {
    let (folder, mut client) = workspace(&[("inside/x", "")], json!(null));
    let (a, b) = (uri(folder.path(), "inside/a.nnz"), uri(folder.path(), "inside/b.nnz"));
    client.open(&a, 1, "use \"b.nnz\"\n");
    assert_eq!(codes(&client.diagnostics(&a, 1)), ["E0450"]);
    client.open(&b, 1, "use \"a.nnz\"\n");
    assert_eq!(codes(&client.diagnostics(&b, 1)), Vec::<&str>::new());
    assert_eq!(codes(&client.diagnostics(&a, 1)), Vec::<&str>::new());
}

#[test]
fn what_lies_outside_is_not_read_unless_asked_for() {
    let outside = [("elsewhere/formats.mlir", FORMATS), ("inside/x", "")];
    let text = TEXT.replace("formats.mlir", "../elsewhere/formats.mlir").replace("#Rows", "#Rwos");
    let (folder, mut client) = workspace(&outside, json!(null));
    let document = uri(folder.path(), "inside/a.nnz");
    client.open(&document, 1, &text);
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["H0453"]);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "nnz": { "use": { "outside": true } } } }));
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["E0124"]);

    let (folder, mut client) = workspace(&outside, json!({ "use": { "outside": true } }));
    let document = uri(folder.path(), "inside/a.nnz");
    client.open(&document, 1, &text);
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["E0124"]);
}

#[test]
fn a_folder_that_the_user_allows_is_read() {
    let files = [("elsewhere/formats.mlir", FORMATS), ("inside/x", "")];
    let text = TEXT.replace("formats.mlir", "../elsewhere/formats.mlir").replace("#Rows", "#Rwos");
    let (folder, mut client) = workspace(&files, json!({ "use": { "roots": ["elsewhere"] } }));
    let document = uri(folder.path(), "inside/a.nnz");
    client.open(&document, 1, &text);
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["H0453"], "a relative path allows nothing");
    let roots = json!([folder.path().join("elsewhere")]);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "nnz": { "use": { "roots": roots } } } }));
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["E0124"]);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "nnz": { "use": { "roots": [] } } } }));
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["H0453"]);
}

#[test]
#[cfg(unix)]
fn neither_a_pipe_nor_a_huge_file_is_read() {
    let (folder, mut client) = workspace(&[("inside/huge.mlir", "")], json!(null));
    let pipe = folder.path().join("inside/pipe.mlir");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let huge = std::fs::File::options().write(true).open(folder.path().join("inside/huge.mlir")).unwrap();
    huge.set_len((16 << 20) + 1).unwrap();
    let document = uri(folder.path(), "inside/a.nnz");
    client.open(&document, 1, "use \"pipe.mlir\"\nuse \"huge.mlir\"\n");
    assert_eq!(codes(&client.diagnostics(&document, 1)), ["H0453", "H0453"]);
}

#[test]
fn a_client_that_watches_files_is_asked_to_tell_of_texts() {
    let (_folder, mut client) = workspace(&[("inside/x", "")], json!(null));
    let asked = client.receive("a registration", |message| message["method"] == "client/registerCapability");
    let [registration] = asked["params"]["registrations"].as_array().unwrap().as_slice() else { panic!("{asked}") };
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    let data = "**/*.{mtx,mtx.gz,mm,mm.gz,tns,tns.gz,smtx,smtx.gz,npz,npz.gz}";
    assert_eq!(
        registration["registerOptions"],
        json!({ "watchers": [{ "globPattern": "**/*.{nnz,mlir,py}" }, { "globPattern": data }] })
    );
    let mut client = Client::start(&["utf-8"]);
    client.request("shutdown", json!(null));
    let told = client.drain(std::time::Duration::from_millis(100));
    assert!(told.iter().all(|message| message["method"] != "client/registerCapability"), "{told:?}");
}

/// What a file on disk is after a text was checked that uses it.
fn formats_change_on_disk(tell: impl Fn(&mut Client, &str, &str)) {
    let (folder, mut client) = workspace(&[("inside/formats.mlir", FORMATS)], json!(null));
    let (text, used) = (uri(folder.path(), "inside/a.nnz"), uri(folder.path(), "inside/formats.mlir"));
    client.open(&text, 1, TEXT);
    assert_eq!(codes(&client.diagnostics(&text, 1)), Vec::<&str>::new());
    for (contents, wanted) in [(FORMATS.replace("#Rows", "#Lines"), &["E0124"][..]), (FORMATS.to_string(), &[])] {
        std::fs::write(folder.path().join("inside/formats.mlir"), contents).unwrap();
        tell(&mut client, &text, &used);
        assert_eq!(codes(&client.diagnostics(&text, 1)), wanted);
    }
}

#[test]
fn a_watched_file_that_changes_reaches_its_users() {
    formats_change_on_disk(|client, _, used| {
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": used, "type": 2 }] }));
    });
}

#[test]
fn a_text_that_is_saved_looks_at_its_files_again() {
    formats_change_on_disk(|client, text, _| {
        client.notify("textDocument/didSave", json!({ "textDocument": { "uri": text } }));
    });
}

/// A file of data that a text reads is looked into, and again when the client says that it has changed.
#[test]
fn a_file_of_data_is_looked_into() {
    const TRIPLES: &str = "%%MatrixMarket matrix coordinate real general\n4 5 1\n1 1 2.5\n";
    let (folder, mut client) = workspace(&[("inside/a.mtx", TRIPLES)], json!(null));
    let (text, data) = (uri(folder.path(), "inside/a.nnz"), uri(folder.path(), "inside/a.mtx"));
    client.open(&text, 1, "A : tensor<5x5xf64, CSR> = read \"a.mtx\"\n");
    let found = client.diagnostics(&text, 1);
    assert_eq!(codes(&found), ["E0450"], "{found:?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 32 }), "{found:?}");
    for (contents, wanted) in [(TRIPLES.replace("4 5", "5 5"), &[][..]), (TRIPLES.replace("1 1 ", "6 1 "), &["E0450"])]
    {
        std::fs::write(folder.path().join("inside/a.mtx"), contents).unwrap();
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": data, "type": 2 }] }));
        let found = client.diagnostics(&text, 1);
        assert_eq!(codes(&found), wanted, "{found:?}");
    }
}
