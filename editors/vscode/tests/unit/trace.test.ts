// The setting alone decides whether the client library finds its channel at the level at which it traces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogOutputChannel } from 'vscode';
import { traceChannel } from '../../src/trace';
import { LogLevel, setTrace } from '../stand-ins/vscode';

test('the level follows the setting, and traced messages reach the log', () => {
    const logged: string[] = [];
    const log = { logLevel: LogLevel.Info, info: (line: string) => logged.push(line), trace: () => assert.fail('VS Code would hide this') };
    const channel = traceChannel(log as unknown as LogOutputChannel);
    const levels: number[] = [];
    channel.onDidChangeLogLevel((level) => levels.push(level));

    assert.equal(channel.logLevel, LogLevel.Info);
    setTrace('verbose');
    assert.equal(channel.logLevel, LogLevel.Trace);
    setTrace('off');
    assert.deepEqual(levels, [LogLevel.Trace, LogLevel.Info]);

    channel.trace('a message');
    assert.deepEqual(logged, ['a message']);
});
