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

export const DiagnosticSeverity = { Error: 0 };

export const LogLevel = { Trace: 1, Info: 3 };

let trace = 'off';
const changed = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

/** The texts that are open. */
export const open: { uri: { scheme: string; toString(): string } }[] = [];
export const closed = new EventEmitter<(typeof open)[number]>();

export const workspace = {
    textDocuments: open,
    onDidCloseTextDocument: closed.event,
    getConfiguration: () => ({ get: () => trace }),
    onDidChangeConfiguration: changed.event,
};

/** As a person who edits the settings. */
export function setTrace(value: string): void {
    trace = value;
    changed.fire({ affectsConfiguration: (section) => section === 'nnz.trace.server' });
}
