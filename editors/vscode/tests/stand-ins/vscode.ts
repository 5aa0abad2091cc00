// Stands for the parts of the vscode module that the tested files use.
export { URI as Uri } from 'vscode-uri';

type Listener<T> = (value: T) => void;

export class EventEmitter<T> {
    private listeners: Listener<T>[] = [];
    event = (listener: Listener<T>) => {
        this.listeners.push(listener);
        return new Disposable();
    };
    fire = (value: T) => this.listeners.forEach((listener) => listener(value));
    dispose = () => (this.listeners = []);
}

export class Disposable {
    static from(...all: { dispose(): unknown }[]) {
        return { dispose: () => all.forEach((one) => one.dispose()) };
    }
    dispose() {}
}

export class CancellationTokenSource {
    token = {};
    cancel() {}
    dispose() {}
}

export class CancellationError extends Error {}

export class ThemeColor {
    constructor(readonly id: string) {}
}

export class Range {
    constructor(
        readonly start: unknown,
        readonly end: unknown,
    ) {}
}

export class MarkdownString {
    value = '';
    appendCodeblock(code: string) {
        this.value += code;
        return this;
    }
}

/** What was written to output channels, and what was told as an error. */
export const written: string[] = [];
export const errors: string[] = [];

/** What stands behind the lines of an editor. */
export interface Behind {
    renderOptions: { after: { contentText: string } };
}

/** The editors on the screen. */
export const editors: { document: unknown; setDecorations(type: unknown, options: Behind[]): void }[] = [];

export const window = {
    visibleTextEditors: editors,
    onDidChangeVisibleTextEditors: new EventEmitter<void>().event,
    createOutputChannel: () => ({ appendLine: (line: string) => written.push(line), show() {}, dispose() {} }),
    createTextEditorDecorationType: () => new Disposable(),
    showErrorMessage: async (message: string) => void errors.push(message),
};

export const DiagnosticSeverity = { Error: 0 };

export const LogLevel = { Trace: 1, Info: 3 };

let trace = 'off';
const changed = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

interface Text {
    uri: { scheme: string; toString(): string };
    version?: number;
}

/** The texts that are open. */
export const open: Text[] = [];
export const edited = new EventEmitter<{ document: Text; contentChanges: unknown[] }>();
export const closed = new EventEmitter<(typeof open)[number]>();

export const workspace = {
    isTrusted: false,
    textDocuments: open,
    onDidCloseTextDocument: closed.event,
    onDidChangeTextDocument: edited.event,
    getConfiguration: (section?: string) => ({ get: (_: string, otherwise?: unknown) => (section === 'nnz.run' ? otherwise : trace) }),
    onDidChangeConfiguration: changed.event,
};

/** As a person who edits the settings. */
export function setTrace(value: string): void {
    trace = value;
    changed.fire({ affectsConfiguration: (section) => section === 'nnz.trace.server' });
}
