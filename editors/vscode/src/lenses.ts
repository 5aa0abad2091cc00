// What the code lenses of a text offer, to be picked from the palette.
import * as vscode from 'vscode';

/** Lets one pick among what the lenses of the text in front offer, given the line of the cursor; says `none` where that is nothing. */
export async function pick<Choice extends vscode.QuickPickItem>(
    choices: (lenses: vscode.CodeLens[], line: number) => Choice[],
    { placeHolder, none }: { placeHolder: string; none: string },
): Promise<Choice | undefined> {
    const editor = vscode.window.activeTextEditor;
    const lenses = editor && (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', editor.document.uri));
    const found = choices(lenses ?? [], editor?.selection.active.line ?? 0);
    if (found.length === 0) {
        void vscode.window.showInformationMessage(none);
        return undefined;
    }
    return vscode.window.showQuickPick(found, { placeHolder });
}
