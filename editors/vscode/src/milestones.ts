// What the walkthrough ticks off. Each of its steps waits until a key becomes true, and VS Code looks only while the walkthrough is open
// and if the key was false before: so a key is true for a moment, and again when a page opens that may be the walkthrough.
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

type Milestone = 'started' | 'example' | 'hovered' | 'mended' | 'viewed';

const done = new Set<Milestone>();

export function reached(milestone: Milestone): void {
    done.add(milestone);
    void tick(milestone);
}

async function tick(milestone: Milestone): Promise<void> {
    await vscode.commands.executeCommand('setContext', `nnz.${milestone}`, true);
    await vscode.commands.executeCommand('setContext', `nnz.${milestone}`, false);
}

/** VS Code tells of no kind of such pages what they are, nor when they begin to look: soon, or some seconds later on a busy machine. */
const PAGE_READY_MS = [1_500, 5_000, 15_000];

export function tickAgain(): vscode.Disposable {
    return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        if (opened.some(({ input }) => input === undefined)) {
            PAGE_READY_MS.forEach((ms) => setTimeout(() => done.forEach(tick), ms));
        }
    });
}

/** Watches what the server answers. */
export function milestones(): Middleware {
    return {
        async provideHover(document, position, token, next) {
            const hover = await next(document, position, token);
            if (hover) {
                reached('hovered');
            }
            return hover;
        },
    };
}

/** Watches the diagnostics of open texts, whether the server sends them or VS Code asks for them. */
export function watchMended(): vscode.Disposable {
    const wrong = new Set<string>();
    return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => isMended(wrong, uri))) {
            reached('mended');
        }
    });
}

/** Its last error went while it is open: a text that is closed has none either. */
function isMended(wrong: Set<string>, uri: vscode.Uri): boolean {
    const name = uri.toString();
    const errors = vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    if (errors.some(({ source }) => source === 'nnz')) {
        wrong.add(name);
        return false;
    }
    return wrong.delete(name) && vscode.workspace.textDocuments.some((document) => document.uri.toString() === name);
}
