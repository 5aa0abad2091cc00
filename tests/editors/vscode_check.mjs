// Real VS Code in a real browser, with the packaged extension: what a person sees on a broken and on a right encoding.
// usage: node vscode_check.mjs RIG VSIX NNZ PICTURES
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './lib/browser.mjs';
import { check, status, until } from './lib/report.mjs';
import { Server } from './lib/server.mjs';
import { Window } from './lib/window.mjs';

const [rig, vsix, nnz, pictures] = process.argv.slice(2).map((path) => resolve(path));
const here = fileURLToPath(new URL('.', import.meta.url));

mkdirSync(pictures, { recursive: true });
const server = await Server.start(rig, { vsix, settings: { 'nnz.server.path': nnz, 'editor.codeActionsOnSave': { 'source.fixAll': 'always' } } });
const workspace = join(server.home, 'workspace');
cpSync(join(here, 'samples'), workspace, { recursive: true });
const browser = await openBrowser(rig, join(server.home, 'browser'));
const vscode = new Window(browser.page, pictures);
try {
    await vscode.open(`${server.url()}/?folder=${encodeURIComponent(workspace)}`);
    await onStorage();
    await onBroken();
    await onRight();
    await onTyping();
    await onViews();
    await onRunning();
    await onWalkthrough();
    await onCode();
    await onWrongPath();
} catch (reason) {
    await check('vscode: the session', () => Promise.reject(reason));
    await vscode.picture('vscode-failed');
} finally {
    await browser.close();
    await server.stop();
}
process.exit(status());

async function onBroken() {
    await vscode.openFile('broken.mlir');
    await check('vscode: squiggle under the misspelt level format', async () => {
        const squiggles = await vscode.squiggles('error');
        const word = await vscode.boxOf('densee');
        assert.equal(squiggles.length, 1, `${squiggles.length} squiggles`);
        assert.ok(Math.abs(squiggles[0].left - word.left) < 2 && Math.abs(squiggles[0].width - word.width) < 4, 'it is not under the word');
    });
    await check('vscode: Problems tells the mistake, its code and its place', async () => {
        const problems = (await vscode.problems()).join('\n');
        assert.match(problems, /unknown level format `densee`/);
        assert.match(problems, /\bE0\d\d\d\b/);
        assert.match(problems, /Ln 2, Col 55/);
    });
    await vscode.picture('vscode-broken');
    await vscode.page.keyboard.press('Control+1');
    await check('vscode: the quick fix mends the encoding', async () => {
        await vscode.goTo(2, 57);
        await vscode.quickFix('`dense`', 'vscode-quick-fix');
        await vscode.noSquiggles('error');
        await vscode.page.keyboard.press('Control+S');
        const saved = () => readFileSync(join(workspace, 'broken.mlir'), 'utf8').split('\n')[1];
        await until('the file to be saved', () => !saved().includes('densee'));
        assert.equal(saved(), '#Bad = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>');
    });
}

async function onRight() {
    await vscode.openFile('right.nnz');
    await check('vscode: hover draws the levels of #CSR', async () => {
        const hover = await vscode.hover('#CSR', 'lvl 1');
        await vscode.picture('vscode-hover');
        const text = hover.replace(/\u00a0/g, ' ');
        assert.match(text, /lvl 0  i : dense/);
        assert.match(text, /lvl 1  j : compressed .*\n +pos\[I \+ 1\] index · crd\[nnz\] index/);
    });
    await check('vscode: completion inside an encoding offers the level formats', async () => {
        await vscode.page.keyboard.press('Escape');
        await vscode.goTo(2, 55);
        const labels = await vscode.suggestions();
        await vscode.picture('vscode-completion');
        await vscode.page.keyboard.press('Escape');
        assert.ok(labels.some((label) => label.startsWith('dense')), labels.join());
    });
    await check('vscode: the status bar shows a running server', async () => {
        const { visible, icons } = await vscode.statusItem('nnz');
        assert.ok(visible && icons.includes('codicon-check'), icons);
    });
}

async function onTyping() {
    await vscode.openFile('tuples.mlir');
    await check('vscode: hover of a COO draws one array of tuples', async () => {
        const hover = (await vscode.hover('#COO', 'lvl 1')).replace(/\u00a0/g, ' ');
        await vscode.picture('vscode-tuples');
        assert.equal(hover.match(/crd\[nnz\]/g)?.length, 1, hover);
    });
    await check('vscode: fixing all on save mends a historic form, and leaves the alias though nothing uses it yet', async () => {
        await vscode.page.keyboard.press('Escape');
        await vscode.goTo(2, 1);
        const line = '#Row = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>';
        await vscode.page.keyboard.insertText('#Row = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed"] }>');
        await vscode.page.keyboard.press('Control+S');
        const saved = () => readFileSync(join(workspace, 'tuples.mlir'), 'utf8');
        await until('the historic form to be mended and saved', () => saved().includes('(i : dense'));
        await vscode.page.waitForTimeout(1000);
        await vscode.picture('vscode-saved');
        assert.equal(saved().split('\n')[1], line);
        assert.ok((await vscode.lines()).includes(line));
    });
    await check('vscode: Enter begins a line though a list is open', async () => {
        await vscode.goTo(2, 71);
        await vscode.suggestions();
        const before = (await vscode.lines()).length;
        await vscode.picture('vscode-enter');
        await vscode.page.keyboard.press('Enter');
        await until('a line more', async () => (await vscode.lines()).length === before + 1);
        assert.equal((await vscode.lines())[1].trimEnd(), '#Row = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compr');
        await vscode.page.keyboard.press('Control+Z');
        await vscode.page.keyboard.press('Control+S');
    });
}

async function onViews() {
    const view = 'y.loops.txt';
    await vscode.openFile('kernels.nnz');
    await check('vscode: a lens opens the loops of its kernel beside, and the cursor stays', async () => {
        await vscode.lens('Loops');
        await until('the loops', async () => (await vscode.linesOf(view)).some((line) => /^ *for .*A/.test(line)));
        assert.match((await vscode.linesOf('kernels.nnz')).join('\n'), /y\(i\) = A/);
    });
    await check('vscode: the loop of the access at the cursor is highlighted in the view', async () => {
        await vscode.goTo(3, 8);
        await until('highlighted lines', async () => (await vscode.highlights(view)) > 0);
        assert.ok((await vscode.highlights('kernels.nnz')) > 0, 'the access is not highlighted');
        await vscode.picture('vscode-view');
    });
    await check('vscode: the view follows an edit', async () => {
        await vscode.goTo(3, 1);
        await vscode.page.keyboard.press('End');
        await vscode.page.keyboard.insertText(' * 7.5');
        await until('the loops of the new text', async () => (await vscode.linesOf(view)).join('\n').includes('7.5'));
        await vscode.picture('vscode-view-edited');
    });
    await check('vscode: the palette picks a view of the kernel at the cursor', async () => {
        await vscode.choose('nnz: Open View of Kernel', 'Plan');
        await until('the plan', async () => (await vscode.linesOf('y.plan.txt')).length > 1);
    });
    await vscode.page.keyboard.press('Control+Z');
}

/** What the page of the storage panel holds, once it holds `wanted`. */
async function storagePage(wanted) {
    return until(`the storage panel with ${wanted}`, async () => {
        for (const frame of vscode.page.frames()) {
            if (await frame.locator(wanted).count().catch(() => 0)) {
                return frame;
            }
        }
        return undefined;
    });
}

async function onStorage() {
    await check('vscode: a lens opens the storage panel, which draws the tensors of its kernel', async () => {
        await vscode.openFile('running.nnz');
        await vscode.lens('Storage');
        const page = await storagePage('.pictures svg');
        assert.ok((await page.locator('[data-array="crd[1]"]').count()) > 0, 'no coordinates are drawn');
        assert.ok((await page.locator('.choice tr').count()) > 3, 'no other encodings');
    });
    await check('vscode: what is pointed at in the panel is marked in every picture', async () => {
        const page = await storagePage('.pictures svg');
        await page.locator('[data-array="values"]').nth(1).hover();
        assert.equal(await page.locator('.entry.selected').count(), 1);
        assert.ok((await page.locator('[data-array].selected').count()) >= 3, 'the arrays are not marked');
        await vscode.picture('vscode-storage');
    });
    await check('vscode: the loops go on step by step', async () => {
        const page = await storagePage('.steps');
        const current = () => page.locator('.loops .current').innerText();
        const before = await current();
        for (let at = 0; at < 6; at += 1) {
            await page.locator('.controls button').nth(2).click();
        }
        assert.notEqual(await current(), before);
        assert.match(await page.locator('.controls').innerText(), /step 7 of/);
        await vscode.picture('vscode-storage-steps');
    });
    await vscode.run('View: Close All Editors');
}

async function onRunning() {
    await vscode.openFile('running.nnz');
    await check('vscode: the run lens shows the result beside its kernel, and opens the channel that has all of it', async () => {
        await vscode.lens('Run');
        await until('the values', async () => (await vscode.beside('running.nnz')).includes('[ 5 10 ]'));
        await until('the channel', async () => (await vscode.channels()).includes('nnz: Results'));
        await vscode.picture('vscode-run');
    });
    await check('vscode: the compare lens tells the best format', async () => {
        await vscode.lens('Compare');
        await until('the best format', async () => (await vscode.beside('running.nnz')).some((text) => text.startsWith('best with A in ')));
        await vscode.picture('vscode-compare');
    });
    await check('vscode: an edit takes the result away', async () => {
        await vscode.goTo(1, 1);
        await vscode.page.keyboard.insertText('// changed ');
        await until('nothing beside', async () => (await vscode.beside('running.nnz')).length === 0);
        await vscode.page.keyboard.press('Control+Z');
    });
}

async function onWalkthrough() {
    await check('vscode: the example opens as a text of its own, with one mistake', async () => {
        await vscode.run('nnz: Open Example');
        await vscode.squiggles('error');
        const word = await vscode.boxOf('compresed) }>');
        assert.equal((await vscode.squiggles('error')).filter(({ top }) => Math.abs(top - word.top) < 20).length, 1);
    });
    await check('vscode: the mistake of the example is mended', async () => {
        await vscode.goTo(5, 67);
        await vscode.quickFix('`compressed`', 'vscode-example-fix');
        await vscode.noSquiggles('error');
        await vscode.goTo(7, 1);
        await vscode.hover('#CSR> =', 'lvl 1');
        await vscode.page.keyboard.press('Escape');
    });
    await check('vscode: the walkthrough has ticked what was done', async () => {
        await vscode.choose('Welcome: Open Walkthrough...', 'Sparse tensors with nnz');
        const done = vscode.page.locator('.getting-started-step .codicon-getting-started-step-checked.complete');
        await until('five ticks', async () => (await done.count()) === 5);
        await vscode.picture('vscode-walkthrough');
    });
    await check('vscode: the title of a text has the command that opens a view', async () => {
        await vscode.openFile('kernels.nnz');
        await vscode.page.locator('.editor-actions .action-label[aria-label^="Open View of Kernel"]').first().waitFor({ timeout: 10_000 });
    });
}

async function onCode() {
    await check('vscode: a click on the code opens what it means', async () => {
        // In short lines, as views stand beside the text.
        writeFileSync(join(workspace, 'code.mlir'), '#C = #sparse_tensor.encoding<{\n  map = (i) -> (i : densee)\n}>\n');
        await vscode.openFile('code.mlir');
        await vscode.squiggles('error');
        const hover = await vscode.hover('densee', 'unknown level format');
        const [code] = /E0\d\d\d/.exec(hover) ?? assert.fail(`no code in "${hover}"`);
        await vscode.page.locator('.monaco-hover:not(.hidden) a', { hasText: code }).first().click();
        await vscode.page.locator(`.tab.active[data-resource-name="${code}.md"]`).first().waitFor({ timeout: 20_000 });
        await until('the title of the meaning', async () => (await vscode.lines())[0]?.startsWith(`# ${code}: `));
        await vscode.picture('vscode-code');
        await vscode.openFile('kernels.nnz');
    });
}

async function onWrongPath() {
    await check('vscode: a server that is not there is told, with what was tried', async () => {
        mkdirSync(join(workspace, '.vscode'));
        writeFileSync(join(workspace, '.vscode', 'settings.json'), '{ "nnz.server.path": "/nowhere/nnz" }');
        await until('the error in the status bar', async () => (await vscode.statusItem('nnz')).icons.includes('codicon-error'));
        const told = (await vscode.notifications()).join('\n');
        await vscode.picture('vscode-no-server');
        assert.match(told, /No nnz server was found\. Tried: \/nowhere\/nnz from the setting nnz\.server\.path \(not there\)/);
    });
    await check('vscode: the server starts again when its path is right again', async () => {
        writeFileSync(join(workspace, '.vscode', 'settings.json'), JSON.stringify({ 'nnz.server.path': nnz }));
        await until('the tick in the status bar', async () => (await vscode.statusItem('nnz')).icons.includes('codicon-check'));
    });
}
