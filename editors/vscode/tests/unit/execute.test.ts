// What can be done with kernels, and that nothing in the files of a workspace makes it trusted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeLens } from 'vscode';
import { type Report, Results, wishes } from '../../src/execute';
import { trusting, withTrust } from '../../src/trust';
import { type Behind, edited, editors, errors, open, Uri, workspace, written } from '../stand-ins/vscode';

function lens(line: number, kernel: string, action: string, command = 'nnz.execute'): CodeLens {
    const argument = { uri: 'file:///k.nnz', kernel, action };
    return { range: { start: { line } }, command: { command, title: action, arguments: [argument] } } as unknown as CodeLens;
}

test('the kernel at the cursor comes first', () => {
    const lenses = [lens(2, 'y', 'run'), lens(2, 'y', 'time'), lens(5, 'z', 'run'), lens(5, 'z', 'Loops', 'nnz.openView'), lens(9, 'w', 'run')];
    const told = (line: number) => wishes(lenses, line).map(({ description, wish }) => `${wish.action} ${description}`);
    assert.deepEqual(told(7), ['run z', 'run y', 'time y', 'run w']);
    assert.deepEqual(told(0), ['run y', 'time y', 'run z', 'run w']);
});

/** A text on the screen, and what stands behind its lines. */
function shown() {
    const lineAt = () => ({ range: { end: {} } });
    const document = { uri: Uri.parse('file:///k.nnz'), version: 3, lineCount: 1, lineAt };
    let behind: string[] = [];
    open.push(document);
    editors.push({ document, setDecorations: (_, options: Behind[]) => void (behind = options.map(({ renderOptions }) => renderOptions.after.contentText)) });
    return { document, behind: () => behind };
}

test('a result stands beside its kernel until the text changes', async () => {
    const { document, behind } = shown();
    const report: Report = { title: 'run y', line: '[ 5 10 ]', lines: ['y: 2xf64', '[ 5  10 ]'], ok: true, range: { start: { line: 0 } }, version: 3 };
    const asked: unknown[] = [];
    const request = async (method: string, params: unknown) => {
        asked.push([method, params]);
        return report;
    };
    const results = new Results({ request } as unknown as ConstructorParameters<typeof Results>[0]);
    const wish = { uri: 'file:///k.nnz', kernel: 'y', action: 'run' };
    await results.execute(wish);
    assert.deepEqual(asked, [['nnz/execute', { ...wish, limits: { seconds: 30, bytes: 2 ** 31 } }]]);
    assert.deepEqual(behind(), ['[ 5 10 ]']);
    assert.deepEqual(written, ['run y', '  y: 2xf64', '  [ 5  10 ]', '']);
    edited.fire({ document, contentChanges: [] });
    assert.deepEqual(behind(), ['[ 5 10 ]']);
    edited.fire({ document, contentChanges: [{}] });
    assert.deepEqual(behind(), []);
    document.version = 4; // it changed while the kernel ran
    await results.execute(wish);
    assert.deepEqual(behind(), []);
});

test('a refusal is told, and a cancelled request is not', async () => {
    const failing = (reason: Error) => ({ request: () => Promise.reject(reason) }) as unknown as ConstructorParameters<typeof Results>[0];
    const wish = { uri: 'file:///k.nnz', kernel: 'y', action: 'run' };
    await new Results(failing(new Error('it is not trusted'))).execute(wish);
    await new Results(failing(Object.assign(new Error('cancelled'), { code: -32800 }))).execute(wish);
    assert.deepEqual(errors, ['nnz: it is not trusted']);
});

test('only VS Code says whether a workspace is trusted, and which program runs', async () => {
    const settings = { lints: {}, trusted: true, command: './evil' };
    assert.deepEqual(withTrust(settings), { lints: {}, trusted: false, command: '' });
    const sent: { nnz?: { trusted: boolean; command: string } }[] = [];
    const { workspace: middleware } = trusting(async (settings) => void sent.push(settings));
    await middleware!.didChangeConfiguration!(['nnz'], async () => assert.fail('they are sent as they are'));
    assert.deepEqual([sent[0].nnz?.trusted, sent[0].nnz?.command], [false, '']);
    const token = {} as never;
    const answer = await middleware!.configuration!({ items: [] }, token, () => [settings]);
    assert.deepEqual(answer, [{ lints: {}, trusted: false, command: '' }]);
    workspace.isTrusted = true;
    assert.deepEqual(withTrust(undefined), { trusted: true, command: '' });
});
