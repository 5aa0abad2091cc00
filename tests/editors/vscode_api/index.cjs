// Runs inside VS Code's extension host and asks the vscode API what the extension gives. VS Code calls run().
const assert = require('node:assert/strict');
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

const tests = {
    async 'an .nnz file has the language nnz, and the extension wakes up for it'() {
        assert.equal((await open('right.nnz')).languageId, 'nnz');
        await until('the extension', () => extension().isActive);
    },
    async 'a right file has no diagnostics once a broken one has them'() {
        const right = await open('right.nnz');
        await diagnosticsOf(await open('broken.mlir'));
        assert.deepEqual(vscode.languages.getDiagnostics(right.uri), []);
    },
    async 'the diagnostic has message, place, code and source'() {
        const document = await open('broken.mlir');
        assert.equal(document.languageId, 'mlir');
        const [diagnostic, ...more] = await diagnosticsOf(document);
        assert.equal(more.length, 0);
        assert.match(diagnostic.message, /unknown level format `densee`/);
        assert.equal(document.getText(diagnostic.range), 'densee');
        assert.match(String(diagnostic.code?.value ?? diagnostic.code), /^E0\d\d\d$/);
        assert.equal(diagnostic.source, 'nnz');
    },
    async 'a diagnostic after letters outside the basic plane is under the right word'() {
        const document = await open('wide.mlir');
        const texts = (await diagnosticsOf(document)).map((diagnostic) => document.getText(diagnostic.range));
        assert.deepEqual(texts, ['densee']);
    },
    async 'hover on an alias draws its levels'() {
        const document = await open('right.nnz');
        const hovers = await execute('vscode.executeHoverProvider', document.uri, placeOf(document, '#CSR>'));
        const text = hovers.flatMap((hover) => hover.contents.map((content) => content.value)).join('\n');
        assert.match(text, /lvl 0  i : dense/);
        assert.match(text, /lvl 1  j : compressed .*\n +pos\[I \+ 1\] index · crd\[nnz\] index/);
    },
    async 'definition of an alias is where it is made'() {
        const document = await open('right.nnz');
        const [found] = await until('a definition', async () => {
            const all = await execute('vscode.executeDefinitionProvider', document.uri, placeOf(document, '#CSR>'));
            return all.length > 0 && all;
        });
        assert.equal((found.targetRange ?? found.range).start.line, 1);
    },
    async 'completion after a colon offers level formats'() {
        const document = await open('right.nnz');
        const { items } = await execute('vscode.executeCompletionItemProvider', document.uri, placeOf(document, 'dense,'));
        const labels = items.map((item) => item.label.label ?? item.label);
        assert.ok(labels.includes('compressed'), labels.slice(0, 20).join());
    },
    async 'the outline names the encoding'() {
        const document = await open('right.nnz');
        const symbols = await execute('vscode.executeDocumentSymbolProvider', document.uri);
        assert.ok(symbols.some((symbol) => symbol.name.includes('CSR')), symbols.map((symbol) => symbol.name).join());
    },
    async 'semantic tokens have types that VS Code knows'() {
        const document = await open('right.nnz');
        const legend = await execute('vscode.provideDocumentSemanticTokensLegend', document.uri);
        const tokens = await execute('vscode.provideDocumentSemanticTokens', document.uri);
        assert.ok(tokens.data.length > 0);
        assert.deepEqual(legend.tokenTypes.filter((type) => !STANDARD_TYPES.includes(type)), []);
    },
    async 'colour swatches are off, so that #DCC is not drawn as a colour'() {
        for (const languageId of ['nnz', 'mlir']) {
            assert.equal(vscode.workspace.getConfiguration('editor', { languageId }).get('colorDecorators'), false);
        }
    },
    async 'the restart command leaves one server that answers'() {
        const document = await open('right.nnz');
        await Promise.all([execute('nnz.restart'), execute('nnz.restart')]);
        const hovers = await until('a hover from the new server', async () => {
            const all = await execute('vscode.executeHoverProvider', document.uri, placeOf(document, '#CSR>'));
            return all.length > 0 && all;
        });
        assert.equal(hovers.length, 1);
    },
    async 'the version command tells version and place'() {
        assert.match(await execute('nnz.serverVersion'), /^nnz \d+\.\d+\.\d+\S* \(\/.*\)$/);
    },
    async 'the quick fix mends the encoding'() {
        const document = await open('broken.mlir');
        const [diagnostic] = await diagnosticsOf(document);
        const actions = await execute('vscode.executeCodeActionProvider', document.uri, diagnostic.range);
        const fix = actions.find((action) => action.edit && action.title.includes('`dense`'));
        assert.ok(fix, actions.map((action) => action.title).join());
        await vscode.workspace.applyEdit(fix.edit);
        assert.equal(document.lineAt(1).text, '#Bad = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>');
        await until('no diagnostics', () => vscode.languages.getDiagnostics(document.uri).length === 0);
    },
};

const STANDARD_TYPES = [
    'namespace', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'type', 'parameter', 'variable', 'property', 'enumMember', 'decorator',
    'event', 'function', 'method', 'macro', 'label', 'comment', 'string', 'keyword', 'number', 'regexp', 'operator', 'modifier',
];

const execute = vscode.commands.executeCommand;

function extension() {
    return vscode.extensions.getExtension('nnz.nnz');
}

async function open(name) {
    const document = await vscode.workspace.openTextDocument(join(vscode.workspace.workspaceFolders[0].uri.fsPath, name));
    await vscode.window.showTextDocument(document);
    return document;
}

function placeOf(document, text) {
    const at = document.getText().indexOf(text);
    assert.ok(at >= 0, `no ${text} in the file`);
    return document.positionAt(at);
}

function diagnosticsOf(document) {
    return until('diagnostics', () => {
        const all = vscode.languages.getDiagnostics(document.uri);
        return all.length > 0 && all;
    });
}

async function until(what, probe, ms = 60_000) {
    for (const start = Date.now(); Date.now() - start < ms; ) {
        const value = await probe();
        if (value) {
            return value;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
}

exports.run = async () => {
    for (const [name, test] of Object.entries(tests)) {
        const line = await test().then(() => `ok vscode api: ${name}`, (reason) => `not ok vscode api: ${name}: ${oneLine(reason)}`);
        appendFileSync(process.env.NNZ_API_RESULTS, `${line}\n`);
    }
};

function oneLine(reason) {
    return String(reason.message).replace(/\s*\n\s*/g, ' | ');
}
