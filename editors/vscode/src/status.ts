// The item in the status bar: what the server is doing, shown beside a file that it serves.
import * as vscode from 'vscode';

export type State = 'starting' | 'running' | 'stopped' | 'failed';

export const LANGUAGES = ['nnz', 'mlir'];

const ICONS: Record<State, string> = {
    starting: '$(loading~spin)',
    running: '$(check)',
    stopped: '$(circle-slash)',
    failed: '$(error)',
};

/** What ends sooner is not told: it would only flicker. */
const SOON_MS = 400;

export class Status implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('nnz.status', vscode.StatusBarAlignment.Left);
    private readonly watch = vscode.window.onDidChangeActiveTextEditor(() => this.showOrHide());
    private state: State = 'stopped';
    /** What is under way long enough to be told. */
    private readonly underWay = new Set<{ what: string }>();

    constructor() {
        this.item.name = 'nnz';
        this.item.command = 'nnz.showLogs';
        this.set('stopped', 'not started');
        this.showOrHide();
    }

    set(state: State, detail: string): void {
        this.state = state;
        this.showText();
        this.item.accessibilityInformation = { label: `nnz: server ${state}` };
        this.item.backgroundColor = state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
        this.item.tooltip = tooltip(state, detail);
    }

    /** Tells what goes on while `work` takes long. */
    async during<T>(what: string, work: Promise<T>): Promise<T> {
        const told = { what };
        const timer = setTimeout(() => this.showText(this.underWay.add(told)), SOON_MS);
        try {
            return await work;
        } finally {
            clearTimeout(timer);
            this.underWay.delete(told);
            this.showText();
        }
    }

    dispose(): void {
        this.watch.dispose();
        this.item.dispose();
    }

    private showText(underWay = this.underWay): void {
        const [newest] = [...underWay].reverse();
        const busy = newest && this.state === 'running';
        this.item.text = busy ? `$(loading~spin) nnz: ${newest.what}` : `${ICONS[this.state]} nnz`;
    }

    private showOrHide(): void {
        const document = vscode.window.activeTextEditor?.document;
        if (document?.uri.scheme === 'output') {
            return; // One looks at the logs, perhaps of this very server: the item stays as it is.
        }
        if (document && LANGUAGES.includes(document.languageId)) {
            this.item.show();
        } else {
            this.item.hide();
        }
    }
}

function tooltip(state: State, detail: string): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: ['nnz.restart', 'nnz.showLogs', 'nnz.serverVersion'] };
    text.appendMarkdown(`**nnz**: server ${state}\n\n`);
    text.appendText(detail);
    text.appendMarkdown('\n\n[Restart](command:nnz.restart) | [Logs](command:nnz.showLogs) | [Version](command:nnz.serverVersion)');
    return text;
}
