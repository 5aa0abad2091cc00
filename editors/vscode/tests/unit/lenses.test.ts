// The lenses around the cursor, with what they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lensesNear } from '../../src/lenses';

test('the lenses near the cursor get their commands, and no others', async () => {
    const asked: string[] = [];
    const all = Array.from({ length: 100 }, (_, line) => ({ range: { start: { line } }, data: `run y#${line} file:///a.nnz` }));
    const request = async (method: string, params: any): Promise<any> => {
        asked.push(method);
        return method === 'textDocument/codeLens' ? all : { ...params, command: { title: params.data } };
    };
    const near = await lensesNear({ request }, 'file:///a.nnz', 10);
    assert.deepEqual(near.map(({ range }) => range.start.line), Array.from({ length: 48 }, (_, line) => line));
    assert.equal(near[3].command?.title, 'run y#3 file:///a.nnz');
    assert.equal(asked.length, 49);
    assert.deepEqual(await lensesNear({ request: async () => Promise.reject(new Error('stopped')) }, 'file:///a.nnz', 0), []);
});
