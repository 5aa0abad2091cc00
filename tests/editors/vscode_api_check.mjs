// Runs vscode_api/index.cjs inside the extension host of a real VS Code, and prints its lines.
// usage: node vscode_api_check.mjs RIG EXTENSION NNZ
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './lib/browser.mjs';
import { Server } from './lib/server.mjs';

const LIMIT_MS = 400_000;
const [rig, extension, nnz] = process.argv.slice(2).map((path) => resolve(path));
const here = fileURLToPath(new URL('.', import.meta.url));
const results = join(tmpdir(), `nnz-vscode-api-${process.pid}.txt`);

// Without the first flag VS Code does not start tests that it is given by a web address.
const flags = ['--enable-smoke-test-driver'];
const server = await Server.start(rig, { settings: { 'nnz.server.path': nnz }, flags, env: { NNZ_API_RESULTS: results } });
const workspace = join(server.home, 'workspace');
cpSync(join(here, 'samples'), workspace, { recursive: true });
const browser = await openBrowser(rig, join(server.home, 'browser'));
let ended;
try {
    ended = await runTests();
} finally {
    await browser.close();
    await server.stop();
}
const lines = existsSync(results) ? readFileSync(results, 'utf8') : '';
rmSync(results, { force: true });
process.stdout.write(lines);
if (ended !== 'done') {
    console.log(`not ok vscode api: the tests ended with ${ended}`);
}
process.exit(ended === 'done' && !/^not ok/m.test(lines) ? 0 : 1);

/** Opens the window whose extension host runs the tests; gives 'done', a wrong exit code, or 'timeout'. */
async function runTests() {
    const remote = (path) => `vscode-remote://127.0.0.1:${server.port}${path}`;
    const payload = [
        ['extensionDevelopmentPath', remote(extension)],
        ['extensionTestsPath', remote(join(here, 'vscode_api/index.cjs'))],
    ];
    const finished = new Promise((done) => browser.page.exposeFunction('codeAutomationExit', (code) => done(code === 0 ? 'done' : `exit code ${code}`)));
    await browser.page.exposeFunction('codeAutomationLog', () => {});
    await browser.page.goto(`${server.url()}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
    return Promise.race([finished, new Promise((done) => setTimeout(() => done('timeout'), LIMIT_MS))]);
}
