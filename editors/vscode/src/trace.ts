// Makes the setting nnz.trace.server alone decide whether the protocol is traced.
// The client library traces only when the level of its channel is "trace"; this channel says so whenever the setting asks for a trace.
import * as vscode from 'vscode';

export function traceChannel(log: vscode.LogOutputChannel): vscode.LogOutputChannel & vscode.Disposable {
    const changed = new vscode.EventEmitter<vscode.LogLevel>();
    const watch = vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('nnz.trace.server')) {
            changed.fire(level());
        }
    });
    return Object.create(log, {
        logLevel: { get: level },
        onDidChangeLogLevel: { value: changed.event },
        trace: { value: (message: string) => log.info(message) },
        dispose: { value: () => vscode.Disposable.from(watch, changed).dispose() },
    });
}

function level(): vscode.LogLevel {
    const wanted = vscode.workspace.getConfiguration('nnz').get('trace.server', 'off');
    return wanted === 'off' ? vscode.LogLevel.Info : vscode.LogLevel.Trace;
}
