// The command `nnz.execute`: runs, times or compares a kernel. The result stands beside the kernel until the text changes, and as a whole in
// an output channel.
import * as vscode from 'vscode';
import { pick } from './lenses';

export const EXECUTE = 'nnz.execute';

/** What a lens gives. */
export interface Wish {
    uri: string;
    kernel: string;
    action: string;
}

/** The answer to `nnz/execute`. */
export interface Report {
    title: string;
    line: string;
    lines: string[];
    ok: boolean;
    range: { start: { line: number } };
    version: number;
}

interface Server {
    request<T>(method: string, params: unknown, token: vscode.CancellationToken): Promise<T>;
}

/** What the palette says. */
const WORDS = {
    placeHolder: 'What to do with the kernel',
    none: 'There is no kernel to run here: open a .nnz file, or an .mlir file with a function that takes no arguments.',
};

/** What ends sooner needs no button that stops it. */
const SOON_MS = 1000;

export class Results implements vscode.Disposable {
    private readonly output = vscode.window.createOutputChannel('nnz: Results');
    private readonly beside = vscode.window.createTextEditorDecorationType({ after: { margin: '0 0 0 3em' } });
    /** What stands beside kernels, by texts and kernels. */
    private readonly shown = new Map<string, Map<string, Report>>();
    private readonly watch: vscode.Disposable;

    constructor(private readonly server: Server) {
        this.watch = vscode.Disposable.from(
            vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
            vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
            vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
                if (contentChanges.length > 0) {
                    this.forget(document.uri);
                }
            }),
        );
    }

    async execute(given?: Wish): Promise<void> {
        const wish = given ?? (await pick(this.server, wishes, WORDS))?.wish;
        if (!wish) {
            return;
        }
        try {
            this.show(wish, await this.ask(wish));
        } catch (reason) {
            this.refused(reason as Error);
        }
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, this.beside, this.output).dispose();
    }

    /** Asks the server; where that takes long there is a button that stops it. */
    private async ask(wish: Wish): Promise<Report> {
        const settings = vscode.workspace.getConfiguration('nnz.run');
        const limits = { seconds: settings.get('seconds', 30), bytes: settings.get('mebibytes', 2048) * 2 ** 20 };
        const stop = new vscode.CancellationTokenSource();
        const answer = this.server.request<Report>('nnz/execute', { ...wish, limits }, stop.token);
        const timer = setTimeout(() => showStop(`nnz: ${wish.action} ${wish.kernel}`, answer, stop), SOON_MS);
        try {
            return await answer;
        } finally {
            clearTimeout(timer);
            stop.dispose();
        }
    }

    private show(wish: Wish, report: Report): void {
        this.output.appendLine(`${report.title}${report.ok ? '' : ' (failed)'}`);
        report.lines.forEach((line) => this.output.appendLine(`  ${line}`));
        this.output.appendLine('');
        this.output.show(true);
        const uri = vscode.Uri.parse(wish.uri).toString();
        const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
        // Of a text that has changed meanwhile it is told in the channel alone.
        if (document?.version === report.version) {
            this.shown.set(uri, (this.shown.get(uri) ?? new Map()).set(wish.kernel, report));
            this.draw();
        }
    }

    private forget(uri: vscode.Uri): void {
        if (this.shown.delete(uri.toString())) {
            this.draw();
        }
    }

    private draw(): void {
        for (const editor of vscode.window.visibleTextEditors) {
            const reports = [...(this.shown.get(editor.document.uri.toString())?.values() ?? [])];
            editor.setDecorations(this.beside, reports.map((report) => decoration(editor.document, report)));
        }
    }

    private refused(reason: Error): void {
        if (reason instanceof vscode.CancellationError || (reason as { code?: number }).code === CANCELLED) {
            return;
        }
        const trust = 'Manage Workspace Trust';
        const choices = vscode.workspace.isTrusted ? [] : [trust];
        void vscode.window.showErrorMessage(`nnz: ${reason.message}`, ...choices).then((choice) => {
            if (choice === trust) {
                void vscode.commands.executeCommand('workbench.trust.manage');
            }
        });
    }
}

/** What the protocol calls a request that the client has cancelled. */
const CANCELLED = -32800;

function showStop(title: string, answer: Promise<Report>, stop: vscode.CancellationTokenSource): void {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (_, token) => {
        token.onCancellationRequested(() => stop.cancel());
        await answer.catch(() => {}); // it is told of where it is waited for
    });
}

function decoration(document: vscode.TextDocument, report: Report): vscode.DecorationOptions {
    const { end } = document.lineAt(Math.min(report.range.start.line, document.lineCount - 1)).range;
    const color = new vscode.ThemeColor(report.ok ? 'editorCodeLens.foreground' : 'editorError.foreground');
    const whole = new vscode.MarkdownString().appendCodeblock(report.lines.join('\n'), 'plaintext');
    return { range: new vscode.Range(end, end), hoverMessage: whole, renderOptions: { after: { contentText: report.line, color } } };
}

interface Choice extends vscode.QuickPickItem {
    wish: Wish;
}

/** All that can be done in a text, with the kernel at the line first: the last one that begins there or above. */
export function wishes(lenses: vscode.CodeLens[], line: number): Choice[] {
    const runs = lenses.filter(({ command }) => command?.command === EXECUTE);
    const distance = ({ range }: vscode.CodeLens) => (range.start.line <= line ? line - range.start.line : Number.MAX_SAFE_INTEGER);
    const ordered = [...runs].sort((one, other) => distance(one) - distance(other));
    return ordered.map(({ command }) => {
        const wish: Wish = command!.arguments![0];
        return { label: command!.title, description: wish.kernel, wish };
    });
}
