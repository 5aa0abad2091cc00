// The package with a server inside, in a real VS Code that has no other: it starts, it is told of its LLVM, and kernels become machine code.
// usage: node package_check.mjs RIG VSIX
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './lib/browser.mjs';
import { check, status, until } from './lib/report.mjs';
import { Server } from './lib/server.mjs';
import { Window } from './lib/window.mjs';

const [rig, vsix] = process.argv.slice(2).map((path) => resolve(path));
const here = fileURLToPath(new URL('.', import.meta.url));

const server = await Server.start(rig, { vsix, settings: {}, env: { PATH: '/usr/bin:/bin', NNZ_LLVM_SO: '' } });
const workspace = join(server.home, 'workspace');
cpSync(join(here, 'samples'), workspace, { recursive: true });
const browser = await openBrowser(rig, join(server.home, 'browser'));
const vscode = new Window(browser.page, server.home);
try {
    await vscode.open(`${server.url()}/?folder=${encodeURIComponent(workspace)}`);
    await inside();
} catch (reason) {
    await check('package: the session', () => Promise.reject(reason));
} finally {
    await browser.close();
    await server.stop();
}
process.exit(status());

async function inside() {
    await vscode.openFile('kernels.nnz');
    let running;
    await check('package: the server inside is the one that runs', async () => {
        await until('the tick in the status bar', async () => (await vscode.statusItem('nnz')).icons.includes('codicon-check'));
        running = processes().find(({ program }) => program.startsWith(join(server.home, 'extensions')));
        assert.ok(running, 'no program of the extension runs');
        assert.match(running.program, /\/server\/nnz$/);
    });
    await check('package: the LLVM inside compiles a kernel', async () => {
        const library = join(running.program, '../libLLVM.so.22.1');
        assert.ok(existsSync(library), `no ${library}`);
        assert.equal(running.environment.NNZ_LLVM_SO, library);
        const text = execFileSync(running.program, ['lower', '--to', 'asm', join(workspace, 'kernels.nnz')], { env: running.environment, encoding: 'utf8' });
        assert.match(text, /\bret/);
    });
}

/** All that runs here: its program and its environment. */
function processes() {
    return readdirSync('/proc').flatMap((entry) => {
        try {
            const environment = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').map((one) => one.split(/=(.*)/s));
            return [{ program: readlinkSync(`/proc/${entry}/exe`), environment: Object.fromEntries(environment) }];
        } catch {
            return []; // no process, or one that ended
        }
    });
}
