// Whether a server is wanted: a text of nnz or MLIR, or a Python file with functions of SparseTIR. Other Python starts none.
import * as vscode from 'vscode';
import { LANGUAGES } from './status';

function isWanted(document: vscode.TextDocument): boolean {
    const isScript = document.languageId === 'python' && document.getText().includes('prim_func');
    return isScript || LANGUAGES.includes(document.languageId);
}

/** Calls `start` once, as soon as there is a text for the server. */
export function onceWanted(start: () => void): vscode.Disposable {
    const watches: vscode.Disposable[] = [];
    let started = false;
    const begin = (): void => {
        if (!started) {
            started = true;
            vscode.Disposable.from(...watches).dispose();
            start();
        }
    };
    const look = (document: vscode.TextDocument): void => (isWanted(document) ? begin() : undefined);
    watches.push(
        vscode.workspace.onDidOpenTextDocument(look),
        vscode.workspace.onDidChangeTextDocument((event) => look(event.document)),
    );
    vscode.workspace.textDocuments.forEach(look);
    void vscode.workspace.findFiles('**/*.nnz', undefined, 1).then((found) => (found.length > 0 ? begin() : undefined));
    return new vscode.Disposable(() => vscode.Disposable.from(...watches).dispose());
}
