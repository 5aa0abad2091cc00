// Makes the pictures of the extension's README, each in a dark and in a light theme.
// usage: node pictures.mjs RIG VSIX NNZ FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBrowser } from './lib/browser.mjs';
import { until } from './lib/report.mjs';
import { Server } from './lib/server.mjs';
import { Window } from './lib/window.mjs';

const [rig, vsix, nnz, folder] = process.argv.slice(2).map((path) => resolve(path));
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
/** A hover is shown whole where the window is four times as high. */
const [WIDTH, HEIGHT] = [1000, 1600];

const HOVER = `#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
A : tensor<3x4xf64, #CSR> = [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]
x : tensor<4xf64> = [1, 2, 3, 4]
y(i) = A(i, j) * x(j)
`;
const BROKEN = HOVER.replace('compressed', 'compresed');
const KERNEL = `A : tensor<800x600xf64, CSR> = random(density = 0.1)
B : tensor<600x400xf64, CSR> = random(density = 0.1)
x : tensor<600xf64> = random(density = 1)

y(i) = A(i, j) * x(j)
C(i, k) : CSR = A(i, j) * B(j, k)
`;

const STORED = `A : tensor<5x6xf64, CSR> =
  [[1, 0, 0, 2, 0, 0],
   [0, 0, 0, 0, 0, 0],
   [0, 3, 0, 0, 0, 4],
   [0, 0, 5, 0, 0, 0],
   [6, 0, 0, 0, 7, 0]]
x = [1, 2, 3, 4, 5, 6]
y(i) = A(i, j) * x(j)
`;

mkdirSync(folder, { recursive: true });
for (const [name, theme] of Object.entries(THEMES)) {
    await inTheme(name, theme);
}

async function inTheme(name, theme) {
    const server = await Server.start(rig, { vsix, settings: { 'nnz.server.path': nnz } });
    const user = {
        'workbench.colorTheme': theme, 'workbench.activityBar.location': 'hidden', 'workbench.layoutControl.enabled': false, 'window.menuBarVisibility': 'hidden',
        'editor.minimap.enabled': false, 'editor.fontFamily': 'DejaVu Sans Mono', 'editor.fontSize': 13, 'editor.hover.delay': 150, 'git.enabled': false,
        'editor.accessibilitySupport': 'off', 'breadcrumbs.enabled': false, 'chat.disableAIFeatures': true, 'window.commandCenter': false, 'workbench.startupEditor': 'none',
        'workbench.secondarySideBar.defaultVisibility': 'hidden', 'extensions.ignoreRecommendations': true, 'editor.lineNumbersMinChars': 3, 'editor.glyphMargin': false,
    };
    server.writeUserData('User/settings.json', user);
    const workspace = join(server.home, 'workspace');
    mkdirSync(workspace);
    Object.entries({ 'hover.nnz': HOVER, 'fix.nnz': BROKEN, 'kernels.nnz': KERNEL, 'stored.nnz': STORED }).forEach(([file, text]) => writeFileSync(join(workspace, file), text));
    const browser = await openBrowser(rig, join(server.home, 'browser'));
    try {
        await browser.page.setViewportSize({ width: WIDTH, height: HEIGHT });
        const vscode = new Window(browser.page, folder);
        await vscode.open(`${server.url()}/?folder=${encodeURIComponent(workspace)}`);
        await vscode.openFile('fix.nnz');
        await browser.page.keyboard.press('Control+B');
        await fix(vscode, name);
        await hover(vscode, name);
        await view(vscode, name);
        await panel(vscode, name);
    } catch (reason) {
        await browser.page.screenshot({ path: join(folder, `failed-${name}.png`) });
        throw reason;
    } finally {
        await browser.close();
        await server.stop();
    }
}

async function fix(vscode, theme) {
    await vscode.squiggles('error');
    await vscode.goTo(1, 68);
    await vscode.quickFix('`compressed`', `fix-${theme}`);
    small(`fix-${theme}`, 230);
}

async function hover(vscode, theme) {
    await vscode.openFile('hover.nnz');
    await vscode.hover('A', 'lvl 1');
    await until('the picture', () => vscode.page.locator('.monaco-hover:not(.hidden) img').count());
    await vscode.page.waitForTimeout(800);
    await vscode.picture(`hover-${theme}`);
    small(`hover-${theme}`, 460);
    await vscode.page.keyboard.press('Escape');
}

async function view(vscode, theme) {
    await vscode.openFile('kernels.nnz');
    await vscode.lens('Loops');
    await until('the loops', async () => (await vscode.linesOf('y.loops.txt')).some((line) => /^ *for .*A/.test(line)));
    await vscode.goTo(5, 9);
    await until('highlighted lines', async () => (await vscode.highlights('y.loops.txt')) > 0);
    await vscode.page.mouse.move(10, HEIGHT - 60);
    await vscode.page.waitForTimeout(500);
    await vscode.picture(`view-${theme}`);
    small(`view-${theme}`, 400);
}

async function panel(vscode, theme) {
    await vscode.run('View: Close All Editors');
    await vscode.openFile('stored.nnz');
    await vscode.lens('Storage');
    const frame = await until('the panel', async () => {
        const counts = await Promise.all(vscode.page.frames().map((it) => it.locator('.steps').count().catch(() => 0)));
        return vscode.page.frames()[counts.findIndex((count) => count > 0)];
    });
    for (let step = 0; step < 9; step += 1) {
        await frame.locator('.controls button').nth(2).click();
    }
    await vscode.page.waitForTimeout(500);
    await vscode.picture(`storage-${theme}`);
    small(`storage-${theme}`, 830);
}

/** Cuts off what is below, and leaves few colours: a page loads several of these. */
function small(name, height) {
    const file = join(folder, `${name}.png`);
    execFileSync('convert', [file, '-crop', `${WIDTH}x${height}+0+0`, '+repage', '+dither', '-colors', '96', '-define', 'png:compression-level=9', file]);
}
