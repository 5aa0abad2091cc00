// The command `nnz.openStorage`: the panel that shows how the tensors at the cursor are stored. The server finds the data, the page
// draws them (webview/).
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Service } from './service';

export const OPEN_STORAGE = 'nnz.openStorage';

/** Where in a text the panel looks. */
interface Place {
    uri: string;
    position: { line: number; character: number };
}

interface Content {
    title: string;
    kernel: string | null;
}

/** What the page asks for. */
interface Message {
    ready?: true;
    refresh?: true;
    compare?: { tensor: string; formats: string[] };
    save?: 'svg' | 'png';
    text?: string;
    base64?: string;
}

export class StoragePanel implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private place: Place | undefined;
    private kernel: string | null = null;

    constructor(
        private readonly service: Service,
        private readonly extension: vscode.Uri,
    ) {}

    /** Shows what is at the place, or at the cursor. */
    open(place: Place | undefined = atCursor()): void {
        if (!place) {
            void vscode.window.showInformationMessage('Put the cursor on a tensor, a kernel or an encoding of a .nnz or .mlir file.');
            return;
        }
        this.place = place;
        if (this.panel) {
            this.panel.reveal(undefined, true);
            void this.refresh();
        } else {
            this.panel = this.newPanel(); // its page asks for the content when it is ready
        }
    }

    dispose(): void {
        this.panel?.dispose();
    }

    private newPanel(): vscode.WebviewPanel {
        const roots = [vscode.Uri.joinPath(this.extension, 'dist')];
        const shown = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        const options = { enableScripts: true, localResourceRoots: roots, retainContextWhenHidden: true };
        const panel = vscode.window.createWebviewPanel('nnz.storage', 'Storage', shown, options);
        panel.iconPath = vscode.Uri.joinPath(this.extension, 'icon.png');
        panel.onDidDispose(() => (this.panel = undefined));
        panel.webview.onDidReceiveMessage((message: Message) => this.answer(message));
        panel.webview.html = html(panel.webview, roots[0]);
        return panel;
    }

    private async answer({ ready, refresh, compare, save, text, base64 }: Message): Promise<void> {
        if (ready || refresh) {
            await this.refresh();
        } else if (compare) {
            await this.compare(compare);
        } else if (save) {
            await write(save, text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text));
        }
    }

    private async refresh(): Promise<void> {
        if (!this.panel || !this.place) {
            return;
        }
        void this.panel.webview.postMessage({ working: true });
        const content = await this.ask<Content>('nnz/storage', this.place, ({ message }) => ({ title: '', kernel: null, tensors: [], formats: [], steps: null, problems: [message] }));
        this.kernel = content.kernel;
        this.panel.title = content.title ? `Storage: ${content.title}` : 'Storage';
        void this.panel.webview.postMessage({ content });
    }

    private async compare(compared: { tensor: string; formats: string[] }): Promise<void> {
        const params = { uri: this.place?.uri, kernel: this.kernel, action: 'compare', ...compared };
        const { lines, times } = await this.ask<{ lines: string[]; times?: [string, number][] }>('nnz/execute', params, ({ message }) => ({ lines: [message] }));
        void this.panel?.webview.postMessage({ comparison: { lines, times: times ?? [] } });
    }

    /** Asks the server, with a stop button. */
    private async ask<T>(method: string, params: unknown, failed: (reason: Error) => T): Promise<T> {
        const progress = { location: vscode.ProgressLocation.Notification, title: 'nnz: running the text', cancellable: true };
        return vscode.window.withProgress(progress, async (_, token) => {
            try {
                return await this.service.request<T>(method, params, token);
            } catch (reason) {
                return failed(reason as Error);
            }
        });
    }
}

function atCursor(): Place | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
}

async function write(kind: 'svg' | 'png', bytes: Buffer): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const defaultUri = folder && vscode.Uri.joinPath(folder, `storage.${kind}`);
    const chosen = await vscode.window.showSaveDialog({ defaultUri, filters: { Picture: [kind] } });
    if (chosen) {
        await vscode.workspace.fs.writeFile(chosen, bytes);
    }
}

/** A page that runs its own script and nothing else. */
function html(webview: vscode.Webview, folder: vscode.Uri): string {
    const nonce = randomBytes(16).toString('hex');
    const [script, style] = ['storage.js', 'storage.css'].map((file) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)));
    const policy = `default-src 'none'; img-src data: ${webview.cspSource}; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>Storage</title>
</head>
<body><main id="page"></main><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
