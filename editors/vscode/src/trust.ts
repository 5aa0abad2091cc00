// Whether texts may run: VS Code says so, and no settings of the workspace.
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

/** Settings as the server gets them, whatever stands in the files of the workspace. */
export function withTrust(settings: object | undefined | null): object {
    return { ...settings, trusted: vscode.workspace.isTrusted, command: '' };
}

/** Puts that into all settings that go to the server; `send` sends them as `workspace/didChangeConfiguration`. */
export function trusting(send: (settings: object) => Promise<void>): Middleware {
    return {
        workspace: {
            didChangeConfiguration: () => send({ nnz: withTrust(vscode.workspace.getConfiguration().get<object>('nnz')) }),
            async configuration(params, token, next) {
                const answer = await next(params, token);
                return Array.isArray(answer) ? answer.map(withTrust) : answer;
            },
        },
    };
}
