// The command `nnz.openView`: a view beside its source. A lens names the view; from the palette one picks it.
import * as vscode from 'vscode';
import { partsOf } from './address';
import { pick } from './lenses';
import { reached } from './milestones';
import type { Server, Views } from './views';

export const OPEN_VIEW = 'nnz.openView';

export async function openView(views: Views, server: Server, argument?: { uri: string }): Promise<void> {
    const address = argument?.uri ?? (await pick(server, choices, WORDS))?.address;
    if (address) {
        await show(views, vscode.Uri.parse(address));
        reached('viewed');
    }
}

/** Shows it where it is already, or else beside. The cursor stays in the source. */
async function show(views: Views, uri: vscode.Uri): Promise<void> {
    const document = await inLanguage(await vscode.workspace.openTextDocument(uri), views.content(uri)?.language);
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
}

/** VS Code may know none for assembly, say: then the text stays as it is. */
async function inLanguage(document: vscode.TextDocument, language: string | undefined): Promise<vscode.TextDocument> {
    const known = language && language !== document.languageId && (await vscode.languages.getLanguages()).includes(language);
    return known ? vscode.languages.setTextDocumentLanguage(document, language) : document;
}

/** What the palette says. */
const WORDS = { placeHolder: 'The view to open', none: 'There is no kernel to view here: open a .nnz or .mlir file that has one.' };

interface Choice extends vscode.QuickPickItem {
    address: string;
}

/** The views of the kernel at the line: the last one that begins there or above, or else the first. */
export function choices(lenses: vscode.CodeLens[], line: number): Choice[] {
    const views = lenses.filter(({ command }) => command?.command === OPEN_VIEW);
    const starts = views.map(({ range }) => range.start.line);
    const above = starts.filter((start) => start <= line);
    const wanted = above.length > 0 ? Math.max(...above) : Math.min(...starts);
    return views.filter(({ range }) => range.start.line === wanted).map(({ command }) => choice(command!));
}

function choice({ title, arguments: [argument] = [] }: vscode.Command): Choice {
    const address: string = argument.uri;
    return { label: title, description: partsOf(vscode.Uri.parse(address))?.kernel, address };
}
