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

export class Status implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('nnz.status', vscode.StatusBarAlignment.Left);
    private readonly watch = vscode.window.onDidChangeActiveTextEditor(() => this.showOrHide());

    constructor() {
        this.item.name = 'nnz';
        this.item.command = 'nnz.showLogs';
        this.set('stopped', 'not started');
        this.showOrHide();
    }

    set(state: State, detail: string): void {
        this.item.text = `${ICONS[state]} nnz`;
        this.item.accessibilityInformation = { label: `nnz: server ${state}` };
        this.item.backgroundColor = state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
        this.item.tooltip = tooltip(state, detail);
    }

    dispose(): void {
        this.watch.dispose();
        this.item.dispose();
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
