// What the extension writes for people is right: each snippet as it stands when it is taken, and each block of code in the pages.
// usage: node texts_check.mjs EXTENSION NNZ
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, status } from './lib/report.mjs';

const [extension, nnz] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'nnz-texts-'));
writeFileSync(join(folder, 'matrix.mtx'), '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n');

for (const language of ['nnz', 'mlir']) {
    await check(`extension: the snippets of ${language} are right`, async () => snippets(language));
}
const walkthrough = readdirSync(join(extension, 'walkthrough')).filter((name) => name.endsWith('.md'));
for (const page of ['README.md', ...walkthrough.map((name) => `walkthrough/${name}`)]) {
    // One page is about a mistake.
    const wanted = page.endsWith('mend.md') ? ['E0106'] : [];
    await check(`extension: the code in ${page} is right`, async () => blocks(page, wanted));
}
await check('extension: the example has one mistake', async () => {
    assert.deepEqual(errors(readFileSync(join(extension, 'walkthrough/example.nnz'), 'utf8'), 'nnz'), ['E0106']);
});
await check('editors: every highlighting knows every level format', async () => {
    const text = (path) => readFileSync(join(extension, '..', path), 'utf8');
    const [, formats] = /: \((dense\|[a-z_|]+)\)/.exec(JSON.parse(text('vscode/syntaxes/nnz.tmLanguage.json')).repository.storage.patterns[0].match);
    for (const path of ['emacs/nnz.el', 'vim/syntax/nnz.vim', 'kate/nnz.xml', 'kate/mlir.xml']) {
        const words = text(path).match(/[a-z_]+/g);
        assert.deepEqual(formats.split('|').filter((format) => !words.includes(format)), [], path);
    }
});
rmSync(folder, { recursive: true });
process.exit(status());

function snippets(language) {
    const all = JSON.parse(readFileSync(join(extension, `snippets/${language}.json`), 'utf8'));
    for (const [name, { body }] of Object.entries(all)) {
        const text = expanded([body].flat().join('\n'));
        assert.doesNotMatch(text, /\$/, name);
        assert.deepEqual(errors(text, language), [], `${name}: ${text}`);
    }
}

/** As it stands when all its proposals are taken: `${1:A}` proposes, and `${1}` repeats it. */
function expanded(snippet) {
    const proposals = new Map();
    const text = snippet.replace(/\$\{(\d+):((?:\\.|[^}])*)\}/g, (_, number, proposal) => {
        proposals.set(number, proposal.replaceAll('\\}', '}'));
        return proposals.get(number);
    });
    return text.replace(/\$\{(\d+)\}/g, (_, number) => proposals.get(number));
}

function blocks(page, wanted) {
    const text = readFileSync(join(extension, page), 'utf8');
    const found = [...text.matchAll(/^```(nnz|mlir)\n(.*?)^```$/gms)].flatMap(([, language, code]) => errors(code, language));
    assert.deepEqual(found, wanted);
}

/** The codes of the errors in a text. */
function errors(text, language) {
    const file = join(folder, `text.${language}`);
    writeFileSync(file, `${text}\n`);
    const { stderr, stdout, error } = spawnSync(nnz, ['check', file], { encoding: 'utf8' });
    assert.equal(error, undefined);
    return [...`${stdout}${stderr}`.matchAll(/^error\[(E\d+)\]/gm)].map(([, code]) => code);
}
