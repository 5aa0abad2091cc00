// What VS Code calls. All knowledge of sparse tensors is in the server; the extension finds it, starts it and shows its state.
import * as vscode from 'vscode';
import { SCHEME } from './address';
import { openExample } from './example';
import { EXECUTE, Results, type Wish } from './execute';
import { Highlights } from './highlight';
import { tickAgain, watchMended } from './milestones';
import { OPEN_VIEW, openView } from './open';
import { Service } from './service';
import { OPEN_STORAGE, StoragePanel } from './storage';
import { Views } from './views';
import { onceWanted } from './wanted';

let service: Service | undefined;

export function activate(context: vscode.ExtensionContext): void {
    const running = new Service(context.extensionPath);
    service = running;
    const views = new Views(running);
    const results = new Results(running);
    const storage = new StoragePanel(running, context.extensionUri);
    context.subscriptions.push(
        running,
        views,
        results,
        storage,
        new Highlights(views),
        tickAgain(),
        watchMended(),
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, views),
        vscode.commands.registerCommand(OPEN_VIEW, (argument?: { uri: string }) => openView(views, running, argument)),
        vscode.commands.registerCommand(EXECUTE, (wish?: Wish) => results.execute(wish)),
        vscode.commands.registerCommand(OPEN_STORAGE, (place) => storage.open(place)),
        vscode.commands.registerCommand('nnz.openExample', () => openExample(context.extensionUri)),
        vscode.commands.registerCommand('nnz.restart', () => running.restart()),
        vscode.commands.registerCommand('nnz.showLogs', () => running.log.show()),
        vscode.commands.registerCommand('nnz.serverVersion', () => showVersion(running)),
        vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (event.affectsConfiguration('nnz.server')) {
                void running.restart();
            }
        }),
    );
    // VS Code need not wait for the server: the commands are there already.
    context.subscriptions.push(onceWanted(() => void running.restart()));
}

export function deactivate(): Promise<void> | undefined {
    return service?.stop();
}

function showVersion(running: Service): string {
    const text = running.version() ?? 'No nnz server is running.';
    void vscode.window.showInformationMessage(text);
    return text;
}
