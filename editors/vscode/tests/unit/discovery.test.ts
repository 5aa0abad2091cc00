// Which server is taken, and what is said when none is there. The servers are small shell scripts.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { environmentOf, findServer } from '../../src/discovery';

const WAY_OUT = 'Put nnz on PATH, or its path into the setting nnz.server.path.';
const roots: string[] = [];

after(() => {
    for (const root of roots) {
        rmSync(root, { recursive: true });
    }
});

/** A folder for the extension and one for PATH, with the programs named, each of which prints its text. */
function machine(programs: { bundled?: string; onPath?: string }): string {
    const root = mkdtempSync(join(tmpdir(), 'nnz-discovery-'));
    roots.push(root);
    const bin = join(root, 'bin');
    mkdirSync(bin);
    mkdirSync(join(root, 'server'));
    program(join(root, 'server', 'nnz'), programs.bundled);
    program(join(bin, 'nnz'), programs.onPath);
    process.env.PATH = bin;
    return root;
}

function program(path: string, prints: string | undefined): void {
    if (prints !== undefined) {
        writeFileSync(path, `#!/bin/sh\necho '${prints}'\n`);
        chmodSync(path, 0o755);
    }
}

test('the one inside the extension comes before the one on PATH', async () => {
    const root = machine({ bundled: 'nnz 1.0.0', onPath: 'nnz 2.0.0' });
    assert.deepEqual(await findServer('', root), { command: join(root, 'server', 'nnz'), version: '1.0.0' });
});

test('without one inside the extension, the one on PATH is taken', async () => {
    const root = machine({ onPath: 'nnz 2.0.0 (release)' });
    assert.deepEqual(await findServer('', root), { command: 'nnz', version: '2.0.0' });
});

test('the one that the setting names comes first', async () => {
    const root = machine({ bundled: 'nnz 1.0.0', onPath: 'nnz 2.0.0' });
    const path = join(root, 'other');
    program(path, 'nnz 3.0.0');
    assert.deepEqual(await findServer(` ${path} `, root), { command: path, version: '3.0.0' });
});

test('`~/` in the setting is the home directory', async () => {
    const root = machine({});
    process.env.HOME = root;
    program(join(root, 'mine'), 'nnz 4.0.0');
    assert.equal((await findServer('~/mine', root)).command, join(root, 'mine'));
});

test('a wrong path in the setting is told, and no other server is started in its place', async () => {
    const root = machine({ bundled: 'nnz 1.0.0', onPath: 'nnz 2.0.0' });
    await assert.rejects(findServer('/nowhere/nnz', root), {
        message: 'No nnz server was found. Tried: /nowhere/nnz from the setting nnz.server.path (not there). ' + WAY_OUT,
    });
});

test('when there is none, the message lists all that was tried, each with its reason', async () => {
    const root = machine({ bundled: 'something else 1.0' });
    await assert.rejects(findServer('', root), {
        message: `No nnz server was found. Tried: ${join(root, 'server', 'nnz')} from the extension (is not nnz: it gave no version); nnz on PATH (not there). ${WAY_OUT}`,
    });
});

test('the server is told of the LLVM beside it, unless the user names another', () => {
    const root = machine({ bundled: 'nnz 1.0.0' });
    const [command, library] = ['nnz', 'libLLVM.so.22.1'].map((name) => join(root, 'server', name));
    assert.equal(environmentOf(command).NNZ_LLVM_SO, undefined);
    writeFileSync(library, '');
    assert.equal(environmentOf(command).NNZ_LLVM_SO, library);
    assert.equal(environmentOf(command).PATH, process.env.PATH);
    assert.equal(environmentOf('nnz').NNZ_LLVM_SO, undefined);
    process.env.NNZ_LLVM_SO = '';
    assert.equal(environmentOf(command).NNZ_LLVM_SO, library);
    process.env.NNZ_LLVM_SO = '/mine.so';
    assert.equal(environmentOf(command).NNZ_LLVM_SO, '/mine.so');
    delete process.env.NNZ_LLVM_SO;
});
