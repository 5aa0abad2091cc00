// What the code lenses of a text offer, to be picked from the palette.
import * as vscode from 'vscode';
import type { Server } from './views';

/** Lenses nearer to the cursor than any others: their commands are asked for, of a long text not those of all. */
const NEAREST = 48;

/** Lets one pick among what the lenses of the text in front offer, given the line of the cursor; says `none` where that is nothing. */
export async function pick<Choice extends vscode.QuickPickItem>(
    server: Pick<Server, 'request'>,
    choices: (lenses: vscode.CodeLens[], line: number) => Choice[],
    { placeHolder, none }: { placeHolder: string; none: string },
): Promise<Choice | undefined> {
    const editor = vscode.window.activeTextEditor;
    const line = editor?.selection.active.line ?? 0;
    const found = choices(editor ? await lensesNear(server, editor.document.uri.toString(), line) : [], line);
    if (found.length === 0) {
        void vscode.window.showInformationMessage(none);
        return undefined;
    }
    return vscode.window.showQuickPick(found, { placeHolder });
}

/** The lenses around a line with their commands, in the order of the text. */
export async function lensesNear(server: Pick<Server, 'request'>, uri: string, line: number): Promise<vscode.CodeLens[]> {
    const stop = new vscode.CancellationTokenSource();
    try {
        const lenses = await server.request<vscode.CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } }, stop.token);
        const near = nearest(lenses ?? [], line);
        return await Promise.all(near.map((lens) => server.request<vscode.CodeLens>('codeLens/resolve', lens, stop.token)));
    } catch {
        return []; // there is no server, or it is busy with another text
    } finally {
        stop.dispose();
    }
}

function nearest(lenses: vscode.CodeLens[], line: number): vscode.CodeLens[] {
    const distance = ({ range }: vscode.CodeLens) => Math.abs(range.start.line - line);
    const near = new Set([...lenses].sort((one, other) => distance(one) - distance(other)).slice(0, NEAREST));
    return lenses.filter((lens) => near.has(lens));
}
