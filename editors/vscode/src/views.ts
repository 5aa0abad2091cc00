// Views of kernels as texts: asked of the server, and asked again when their source was checked again.
import * as vscode from 'vscode';
import { normal, partsOf, SCHEME } from './address';
import type { Place } from './places';

/** The answer to `nnz/textDocumentContent`. */
export interface Content {
    text: string;
    language: string;
    /** It is of an older text than the source is now. */
    stale: boolean;
    places: Place[];
}

export interface Server {
    request<T>(method: string, params: unknown, token: vscode.CancellationToken): Promise<T>;
    /** The address of a text whose views are to be asked for again; undefined stands for every text. */
    readonly onViewsChanged: vscode.Event<string | undefined>;
}

export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;
    private readonly answered = new vscode.EventEmitter<void>();
    /** There is an answer to what was asked; the text that VS Code shows may still be the one before. */
    readonly onDidAnswer = this.answered.event;
    /** What was asked for last, and the answer; the keys are addresses. */
    private readonly asked = new Map<string, { by: vscode.CancellationToken; content?: Content }>();
    private readonly watch: vscode.Disposable;

    constructor(private readonly server: Server) {
        this.watch = vscode.Disposable.from(
            server.onViewsChanged((source) => this.refresh(source)),
            vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
        );
    }

    async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
        const key = uri.toString();
        this.asked.set(key, { by: token, content: this.asked.get(key)?.content });
        const content = await this.server.request<Content>('nnz/textDocumentContent', { uri: key }, token);
        // An answer that a later question overtakes does not count.
        if (this.asked.get(key)?.by === token) {
            this.asked.set(key, { by: token, content });
            this.answered.fire();
        }
        return content.text;
    }

    content(uri: vscode.Uri): Content | undefined {
        return this.asked.get(uri.toString())?.content;
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, this.changed, this.answered).dispose();
    }

    private refresh(source: string | undefined): void {
        const wanted = source && normal(source);
        for (const uri of [...this.asked.keys()].map((key) => vscode.Uri.parse(key))) {
            if (!wanted || partsOf(uri)?.source === wanted) {
                this.changed.fire(uri);
            }
        }
    }

    /** VS Code also closes a text, and opens it again, when its language changes. */
    private forget(uri: vscode.Uri): void {
        const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
        if (uri.scheme === SCHEME && !isOpen) {
            this.asked.delete(uri.toString());
        }
    }
}
