// One language server at a time: started, stopped, started again. The status item follows it.
import * as vscode from 'vscode';
import { LanguageClient, RevealOutputChannelOn, State as ClientState } from 'vscode-languageclient/node';
import { ABILITIES } from './abilities';
import { environmentOf, findServer, NoServer, type Server } from './discovery';
import { milestones, reached } from './milestones';
import { LANGUAGES, Status } from './status';
import { traceChannel } from './trace';
import { trusting } from './trust';

/** Whether hovers have pictures, and what ground these stand on. */
function hoverOptions(): { pictures: boolean; theme: string } {
    const { Dark, HighContrast } = vscode.ColorThemeKind;
    const { kind } = vscode.window.activeColorTheme;
    const pictures = vscode.workspace.getConfiguration('nnz').get('hover.pictures', true);
    return { pictures, theme: kind === Dark || kind === HighContrast ? 'dark' : 'light' };
}

/** What the status item says while a request is under way. */
const WORK: Record<string, string> = { 'nnz/textDocumentContent': 'making a view', 'nnz/execute': 'running a kernel' };

export class Service implements vscode.Disposable {
    readonly log = vscode.window.createOutputChannel('nnz', { log: true });
    private readonly trace = traceChannel(this.log);
    private readonly status = new Status();
    private readonly viewsChanged = new vscode.EventEmitter<string | undefined>();
    readonly onViewsChanged = this.viewsChanged.event;
    private client: LanguageClient | undefined;
    private server: Server | undefined;
    /** Starts and stops wait for one another, so that two restarts in a row leave one server. */
    private last: Promise<void> = Promise.resolve();

    constructor(private readonly extensionPath: string) {}

    restart(): Promise<void> {
        this.last = this.last.then(() => this.stopNow()).then(() => this.startNow());
        return this.last;
    }

    stop(): Promise<void> {
        this.last = this.last.then(() => this.stopNow());
        return this.last;
    }

    /** What runs, in one line; undefined when nothing does. */
    version(): string | undefined {
        return this.server && `nnz ${this.server.version} (${this.server.command})`;
    }

    /** Asks the server, once it has started. */
    async request<T>(method: string, params: unknown, token: vscode.CancellationToken): Promise<T> {
        await this.last;
        if (!this.client?.isRunning()) {
            throw new Error('no nnz server is running: see the logs (nnz: Show Logs)');
        }
        return this.status.during(WORK[method] ?? 'working', this.client.sendRequest<T>(method, params, token));
    }

    dispose(): void {
        vscode.Disposable.from(this.status, this.trace, this.viewsChanged, this.log).dispose();
    }

    private async startNow(): Promise<void> {
        this.status.set('starting', 'looking for nnz');
        try {
            const settings = vscode.workspace.getConfiguration('nnz');
            this.server = await findServer(settings.get('server.path', ''), this.extensionPath);
            this.log.info(`starting ${this.version()}`);
            this.client = this.newClient(this.server, settings.get('server.arguments', []));
            await this.client.start();
            this.viewsChanged.fire(undefined);
        } catch (reason) {
            this.server = undefined;
            this.failed(reason as Error);
        }
    }

    private async stopNow(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.server = undefined;
        try {
            await client?.dispose();
        } catch (reason) {
            this.log.warn(`the server did not stop in good order: ${(reason as Error).message}`);
        }
        this.status.set('stopped', 'stopped');
    }

    private newClient(server: Server, more: string[]): LanguageClient {
        const executable = { command: server.command, args: ['lsp', '--stdio', ...more], options: { env: environmentOf(server.command) } };
        const client: LanguageClient = new LanguageClient('nnz', 'nnz', executable, {
            // Of Python files only those with functions of SparseTIR get answers.
            documentSelector: [...LANGUAGES, 'python'].flatMap((language) => [
                { language, scheme: 'file' },
                { language, scheme: 'untitled' },
            ]),
            initializationOptions: {
                trusted: vscode.workspace.isTrusted,
                use: vscode.workspace.getConfiguration('nnz').get('use'),
                inlayHints: vscode.workspace.getConfiguration('nnz').get('inlayHints'),
                lints: vscode.workspace.getConfiguration('nnz').get('lints'),
                hover: hoverOptions(),
            },
            synchronize: { configurationSection: 'nnz' },
            middleware: { ...milestones(), ...trusting(async (settings) => client.sendNotification('workspace/didChangeConfiguration', { settings })) },
            outputChannel: this.log,
            traceOutputChannel: this.trace,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
        });
        client.registerFeature(ABILITIES);
        client.onNotification('nnz/viewsChanged', ({ uri }: { uri: string }) => this.viewsChanged.fire(uri));
        client.onDidChangeState(({ newState }) => {
            if (client === this.client) {
                this.showState(newState);
            }
        });
        return client;
    }

    private showState(state: ClientState): void {
        switch (state) {
            case ClientState.Running:
                reached('started');
                return this.status.set('running', this.version() ?? '');
            case ClientState.Starting:
                return this.status.set('starting', this.version() ?? '');
            default:
                return this.status.set('stopped', 'the server has ended');
        }
    }

    private failed(reason: Error): void {
        this.log.error(reason.message);
        this.status.set('failed', reason.message);
        const [settings, logs] = ['Open Settings', 'Show Logs'];
        const message = reason instanceof NoServer ? reason.message : `The nnz server did not start: ${reason.message}`;
        void vscode.window.showErrorMessage(message, settings, logs).then((choice) => {
            if (choice === settings) {
                void vscode.commands.executeCommand('workbench.action.openSettings', 'nnz.server.path');
            } else if (choice === logs) {
                this.log.show();
            }
        });
    }
}
