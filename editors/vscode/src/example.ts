// The command `nnz.openExample`: a text of its own to try things on, which has one mistake to mend.
import * as vscode from 'vscode';
import { reached } from './milestones';

export async function openExample(extension: vscode.Uri): Promise<void> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'walkthrough', 'example.nnz'));
    const document = await vscode.workspace.openTextDocument({ language: 'nnz', content: new TextDecoder().decode(bytes) });
    await vscode.window.showTextDocument(document);
    reached('example');
}
