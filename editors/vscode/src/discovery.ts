// Finds the program to run: the one that the settings name, or else the one inside the extension, or else the one on PATH.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

export interface Server {
    command: string;
    version: string;
}

/** Where a server may be, in words, and how to call it there. */
interface Candidate {
    place: string;
    command: string;
}

/** Nothing that was tried is an nnz. The message lists all of it, with the reasons. */
export class NoServer extends Error {
    constructor(tried: string[]) {
        super(`No nnz server was found. Tried: ${tried.join('; ')}. Put nnz on PATH, or its path into the setting nnz.server.path.`);
    }
}

const EXECUTABLE = process.platform === 'win32' ? 'nnz.exe' : 'nnz';
const PROBE_MS = 20_000;

/** A path that the settings name is the only one tried: to run another one in its place would hide the mistake. */
export async function findServer(setting: string, extensionPath: string): Promise<Server> {
    const tried: string[] = [];
    for (const { place, command } of candidates(setting.trim(), extensionPath)) {
        try {
            return { command, version: await probe(command) };
        } catch (reason) {
            tried.push(`${place} (${(reason as Error).message})`);
        }
    }
    throw new NoServer(tried);
}

/** A package with LLVM has it beside the server, which is told so. What the user's own variable names comes first. */
export function environmentOf(command: string): NodeJS.ProcessEnv {
    const library = join(dirname(command), 'libLLVM.so.22.1');
    const isWanted = isAbsolute(command) && existsSync(library) && !process.env.NNZ_LLVM_SO;
    return isWanted ? { ...process.env, NNZ_LLVM_SO: library } : process.env;
}

function candidates(setting: string, extensionPath: string): Candidate[] {
    if (setting) {
        const command = setting.startsWith('~/') ? join(homedir(), setting.slice(2)) : setting;
        return [{ place: `${command} from the setting nnz.server.path`, command }];
    }
    const bundled = join(extensionPath, 'server', EXECUTABLE);
    return [
        { place: `${bundled} from the extension`, command: bundled },
        { place: `${EXECUTABLE} on PATH`, command: EXECUTABLE },
    ];
}

/** Runs `COMMAND --version`. Resolves to the version that nnz tells; rejects with the reason in a few words. */
function probe(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
        execFile(command, ['--version'], { timeout: PROBE_MS }, (failure, stdout) => {
            if (failure) {
                return reject(new Error(failure.code === 'ENOENT' ? 'not there' : `does not run: ${failure.message.trim()}`));
            }
            const [, version] = /^nnz (\S+)/.exec(stdout) ?? [];
            return version ? resolve(version) : reject(new Error('is not nnz: it gave no version'));
        });
    });
}
