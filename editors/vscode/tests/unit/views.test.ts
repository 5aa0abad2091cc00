// Views are asked of the server, and again when it says so; only the last answer counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CancellationToken, CodeLens, Uri as VscodeUri } from 'vscode';
import { ABILITIES } from '../../src/abilities';
import { partsOf } from '../../src/address';
import { choices } from '../../src/open';
import { type Content, Views } from '../../src/views';
import { closed, EventEmitter, open, Uri } from '../stand-ins/vscode';

const SOURCE = 'file:///a%20folder/k.nnz';
const LOOPS = address(SOURCE, 'y', 'loops');
const ELSEWHERE = address('file:///other.nnz', 'y', 'loops');

/** As the server writes it. */
function address(source: string, kernel: string, view: string): string {
    const encoded = (text: string) => encodeURIComponent(text).replaceAll('.', '%2E');
    return `nnz-view:/y.${view}.txt?source=${encoded(source)}&kernel=${encoded(kernel)}&view=${view}`;
}

const uriOf = (text: string) => Uri.parse(text) as unknown as VscodeUri;
const token = () => ({}) as CancellationToken;
const content = (text: string): Content => ({ text, language: 'plaintext', stale: false, places: [] });

/** A server that answers when it is told to. */
function started() {
    const changed = new EventEmitter<string | undefined>();
    const asked: { params: unknown; answer(content: Content): void }[] = [];
    const request = (method: string, params: unknown) => {
        assert.equal(method, 'nnz/textDocumentContent');
        return new Promise<Content>((answer) => asked.push({ params, answer }));
    };
    const views = new Views({ request, onViewsChanged: changed.event } as unknown as ConstructorParameters<typeof Views>[0]);
    const refreshed: string[] = [];
    views.onDidChange((uri) => refreshed.push(uri.toString()));
    return { views, asked, changed, refreshed };
}

test('an address tells its source and its kernel, also as VS Code writes it', () => {
    for (const [source, kernel] of [[SOURCE, 'y#2'], ['untitled:Untitled-1', '@f/linalg.generic'], ['file:///a&kernel=b.nnz', 'y']]) {
        const uri = Uri.parse(address(source, kernel, 'loops'));
        const parts = { source: Uri.parse(source).toString(), kernel };
        assert.deepEqual(partsOf(uri as unknown as VscodeUri), parts);
        assert.deepEqual(partsOf(uriOf(uri.toString())), parts);
    }
    assert.equal(partsOf(uriOf('nnz-view:/y')), undefined);
});

test('the text is that of the answer, and what else it says is kept until the view is closed', async () => {
    const { views, asked } = started();
    const uri = uriOf(LOOPS);
    const text = views.provideTextDocumentContent(uri, token());
    assert.deepEqual(asked[0].params, { uri: uri.toString() });
    asked[0].answer(content('for i'));
    assert.equal(await text, 'for i');
    assert.equal(views.content(uri)?.language, 'plaintext');

    open.push({ uri });
    closed.fire({ uri }); // its language changed
    assert.ok(views.content(uri));
    open.pop();
    closed.fire({ uri });
    assert.equal(views.content(uri), undefined);
});

test('an answer that a later question overtakes does not count', async () => {
    const { views, asked } = started();
    const uri = uriOf(LOOPS);
    const texts = [views.provideTextDocumentContent(uri, token()), views.provideTextDocumentContent(uri, token())];
    asked[1].answer(content('new'));
    await texts[1];
    asked[0].answer(content('old'));
    await texts[0];
    assert.equal(views.content(uri)?.text, 'new');
});

test('views are asked for again when their source changed, and all of them of a new server', () => {
    const { views, changed, refreshed } = started();
    const [here, elsewhere] = [uriOf(LOOPS), uriOf(ELSEWHERE)];
    void views.provideTextDocumentContent(here, token());
    void views.provideTextDocumentContent(elsewhere, token());
    changed.fire(SOURCE);
    assert.deepEqual(refreshed, [here.toString()]);
    changed.fire('file:///a%20folder/k%2Ennz'); // the same, encoded more
    changed.fire(undefined);
    assert.deepEqual(refreshed.slice(1), [here, here, elsewhere].map(String));
});

test('the palette offers the views of the kernel at the cursor', () => {
    const lens = (line: number, title: string, command: string, kernel: string) => ({
        range: { start: { line } },
        command: { title, command, arguments: [{ uri: address(SOURCE, kernel, title.toLowerCase()) }] },
    });
    const lenses = [
        lens(2, 'Loops', 'nnz.openView', 'y'),
        lens(2, 'C', 'nnz.openView', 'y'),
        lens(2, 'Run', 'nnz.execute', 'y'),
        lens(5, 'Loops', 'nnz.openView', 'y#2'),
    ] as unknown as CodeLens[];
    const labels = (line: number) => choices(lenses, line).map(({ label, description }) => `${label} ${description}`);
    assert.deepEqual(labels(0), ['Loops y', 'C y']);
    assert.deepEqual(labels(4), ['Loops y', 'C y']);
    assert.deepEqual(labels(9), ['Loops y#2']);
    assert.deepEqual(choices([], 0), []);
});

test('the server is told the commands, and that views are no business of the library', () => {
    const capabilities = { workspace: { textDocumentContent: {} }, experimental: { other: 1 } };
    ABILITIES.fillClientCapabilities(capabilities);
    assert.deepEqual(capabilities, { workspace: {}, experimental: { other: 1, nnz: { commands: ['nnz.openView', 'nnz.execute', 'nnz.openStorage'] } } });
});
