// The addresses of views, `nnz-view:/TITLE?source=URI&kernel=NAME&view=VIEW`. The server makes them.
import * as vscode from 'vscode';

export const SCHEME = 'nnz-view';

/** What an address is of: its text, as `toString` of a Uri spells it, and its kernel. */
export function partsOf(view: vscode.Uri): { source: string; kernel: string } | undefined {
    // The query is decoded here: only its first part may contain the names of the others.
    const [, source, kernel] = /^source=(.*)&kernel=(.*)&view=/.exec(view.query) ?? [];
    return source && kernel ? { source: normal(source), kernel } : undefined;
}

/** Two spellings of an address may differ in what they encode. */
export function normal(uri: string): string {
    return vscode.Uri.parse(uri).toString();
}
