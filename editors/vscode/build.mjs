// Bundles the extension into dist/extension.js and the page of its panel into dist/storage.js, with its licences beside it and those of what was bundled in dist/THIRD-PARTY-NOTICES.txt.
import { build } from 'esbuild';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const extension = await build({
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    bundle: true,
    minify: true,
    metafile: true,
    external: ['vscode'],
    format: 'cjs',
    platform: 'node',
    target: 'node20',
});

// The page of the storage panel, which runs in a browser.
const page = await build({
    entryPoints: { storage: 'webview/main.ts' },
    outdir: 'dist',
    bundle: true,
    minify: true,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
});
copyFileSync('webview/storage.css', 'dist/storage.css');
const inputs = { ...extension.metafile.inputs, ...page.metafile.inputs };

for (const file of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    copyFileSync(`../../${file}`, `dist/${file}`);
}
const folders = Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
const packages = [...new Set(folders)].filter(Boolean).sort();
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', packages.map(notice).join('\n\n'));

function notice(folder) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) {
        throw new Error(`${name} has no licence file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}
