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

/** VS Code tells of no kind of such pages what they are, nor when they begin to look. */
const PAGE_READY_MS = 1500;

export function tickAgain(): vscode.Disposable {
    return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        if (opened.some(({ input }) => input === undefined)) {
            setTimeout(() => done.forEach(tick), PAGE_READY_MS);
        }
    });
}

/** Watches what the server answers. */
export function milestones(): Middleware {
    const wrong = new Set<string>();
    return {
        async provideHover(document, position, token, next) {
            const hover = await next(document, position, token);
            if (hover) {
                reached('hovered');
            }
            return hover;
        },
        handleDiagnostics(uri, diagnostics, next) {
            next(uri, diagnostics);
            if (isMended(wrong, uri, diagnostics)) {
                reached('mended');
            }
        },
    };
}

/** Its last error went while it is open: a text that is closed has none either. */
function isMended(wrong: Set<string>, uri: vscode.Uri, diagnostics: vscode.Diagnostic[]): boolean {
    const name = uri.toString();
    if (diagnostics.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error)) {
        wrong.add(name);
        return false;
    }
    return wrong.delete(name) && vscode.workspace.textDocuments.some((document) => document.uri.toString() === name);
}
