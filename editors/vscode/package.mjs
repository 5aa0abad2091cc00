// Packages the extension.
//   node package.mjs                                                       nnz.vsix, without a server: it runs the nnz of the settings or of PATH
//   node package.mjs --target linux-x64 --server NNZ [--llvm LIBRARY]      nnz-linux-x64.vsix, with the program NNZ inside, and LLVM 22 beside it
//   ... --repository https://github.com/OWNER/NAME                         where the pictures of the README and its links are, once published
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The platforms of VS Code that nnz is built for. */
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

const text = { type: 'string' };
const { values } = parseArgs({ options: { target: text, server: text, llvm: text, repository: text } });
const manifest = readFileSync('package.json', 'utf8');

const wrong = mistake(values);
if (wrong) {
    console.error(`error: ${wrong}`);
    process.exit(2);
}
try {
    bundle(values);
    describe(values.repository);
    execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', ...flags(values)], { stdio: 'inherit' });
} finally {
    writeFileSync('package.json', manifest);
    rmSync('server', { recursive: true, force: true });
}

/** Why these options make no package. */
function mistake({ target, server, llvm }) {
    if (target && !TARGETS.includes(target)) {
        return `no package is made for ${target}; there are ${TARGETS.join(', ')}`;
    }
    if (Boolean(target) !== Boolean(server)) {
        return 'a package for one platform has a server inside, and no other has: give both --target and --server, or neither';
    }
    return llvm && !target ? '--llvm goes with a server: give --target and --server, too' : undefined;
}

/** Puts the program, and LLVM where the program looks for it, into the folder `server`; nothing is left there of another package. */
function bundle({ target, server, llvm }) {
    rmSync('server', { recursive: true, force: true });
    if (server) {
        mkdirSync('server');
        const program = join('server', target.startsWith('win32') ? 'nnz.exe' : 'nnz');
        copyFileSync(server, program);
        chmodSync(program, 0o755);
    }
    if (llvm) {
        copyFileSync(llvm, join('server', 'libLLVM.so.22.1'));
    }
}

/** A package that is published says where it comes from. */
function describe(url) {
    if (url) {
        const more = { repository: { type: 'git', url: `${url}.git`, directory: 'editors/vscode' }, homepage: url, bugs: { url: `${url}/issues` } };
        writeFileSync('package.json', JSON.stringify({ ...JSON.parse(manifest), ...more }, null, 2));
    }
}

function flags({ target, repository }) {
    const name = target ? `nnz-${target}.vsix` : 'nnz.vsix';
    const platform = target ? ['--target', target] : [];
    const folder = (kind) => `${repository}/${kind}/HEAD/editors/vscode`;
    const links = repository
        ? ['--baseContentUrl', folder('blob'), '--baseImagesUrl', folder('raw')]
        : ['--allow-missing-repository', '--no-rewrite-relative-links'];
    return ['package', '--no-dependencies', '-o', name, ...platform, ...links];
}
