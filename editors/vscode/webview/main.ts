// The storage panel: the tensors of a kernel as matrix, coordinate tree and arrays, in several encodings, and its loops step by
// step. What is pointed at in one picture is marked in all.
import { arrays } from './arrays';
import { grid } from './matrix';
import { bytesText, entryAt, marksOfEntry, timeText, type Comparison, type Content, type Marks, type Sheet } from './model';
import { base64Of, pngOf, svgOf } from './save';
import { Spy } from './spy';
import { Stepper } from './stepper';
import { tree } from './tree';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const host = acquireVsCodeApi();
const page = document.getElementById('page') as HTMLElement;

/** What is shown. */
let content: Content | undefined;
let [tensor, format] = [0, 0];
let stepper: Stepper | undefined;
let spy: Spy | undefined;
let comparison: Comparison | undefined;

window.addEventListener('message', ({ data }) => {
    if (data.content) {
        content = data.content as Content;
        [tensor, format] = [Math.min(tensor, Math.max(content.tensors.length - 1, 0)), 0];
        comparison = undefined;
        show();
    } else if (data.working) {
        page.classList.add('working');
    } else if (data.comparison) {
        comparison = data.comparison as Comparison;
        show();
    }
});
// The host changes the classes of the page with the theme.
new MutationObserver(() => spy?.draw()).observe(document.body, { attributes: true, attributeFilter: ['class'] });
document.addEventListener('keydown', keys);
host.postMessage({ ready: true });

/** The encodings to choose from: its own, and for the first tensor the others. */
function sheets(): Sheet[] {
    const own = content?.tensors[tensor];
    return own ? [own, ...(tensor === 0 ? (content?.formats ?? []) : [])] : [];
}

function made(tag: string, style: string, children: (Node | string | undefined)[] = []): HTMLElement {
    const element = document.createElement(tag);
    element.className = style;
    element.append(...children.filter((child) => child !== undefined));
    return element;
}

function button(label: string, title: string, act: () => void, pressed?: boolean): HTMLElement {
    const element = made('button', '', [label]) as HTMLButtonElement;
    element.title = title;
    if (pressed !== undefined) {
        element.setAttribute('aria-pressed', String(pressed));
    }
    element.addEventListener('click', act);
    return element;
}

function show(): void {
    page.classList.remove('working');
    const sheet = sheets()[format];
    stepper = content?.steps && content.steps.steps.length > 0 ? new Stepper(content.steps, (marks) => showStep(marks)) : undefined;
    const problems = (content?.problems ?? []).join('\n');
    page.replaceChildren(
        head(),
        ...(problems ? [made('pre', 'problem', [problems])] : []),
        ...(sheet ? [choice(), pictures(sheet)] : []),
        ...(stepper && format === 0 ? [stepper.view] : []),
    );
    spy?.draw();
    if (format === 0) {
        stepper?.show();
    }
}

function head(): HTMLElement {
    const tabs = (content?.tensors ?? []).map((sheet, at) =>
        button(sheet.name, `show ${sheet.name}`, () => ([tensor, format] = [at, 0], show()), at === tensor),
    );
    const act = (what: string) => () => host.postMessage({ [what]: true });
    return made('header', '', [
        made('h1', '', [content?.title ?? '']),
        made('span', 'tabs', tabs),
        made('span', 'tools', [
            button('Refresh', 'run the text as it is now', act('refresh')),
            button('SVG', 'save the pictures as SVG', () => void save('svg')),
            button('PNG', 'save the pictures as PNG', () => void save('png')),
        ]),
    ]);
}

/** The encodings side by side: what each takes, what it costs to find a coordinate, and how long the kernel takes with it. */
function choice(): HTMLElement {
    const all = sheets();
    const most = Math.max(...all.map(({ bytes }) => bytes), 1);
    const measured = tensor === 0 ? comparison : undefined;
    const rows = all.map((sheet, at) => encodingRow(sheet, at, most));
    const names = ['encoding', 'bytes', '', ...(measured?.times.length ? ['measured', 'to best'] : []), 'find', 'stored', 'levels'];
    const head = made('tr', '', names.map((name) => made('th', '', [name])));
    head.querySelectorAll('th').forEach((cell) => (cell.title = cell.textContent === 'find' ? 'what it costs to find a coordinate, level by level' : ''));
    const formats = all.map(({ encoding }) => encoding);
    const ask = () => host.postMessage({ compare: { tensor: content?.tensors[0].name, formats } });
    const compare = content?.steps && tensor === 0 ? [button('Measure', 'time the kernel with each encoding', ask)] : [];
    const told = measured && measured.times.length === 0 ? [made('pre', 'problem', [measured.lines.join('\n')])] : [];
    return made('section', 'choice', [made('table', '', [head, ...rows]), ...compare, ...told]);
}

function encodingRow(sheet: Sheet, at: number, most: number): HTMLElement {
    const bar = made('span', 'bar');
    bar.style.width = `${Math.max(2, Math.round((70 * sheet.bytes) / most))}px`;
    return made('tr', at === format ? 'chosen' : '', [
        made('td', '', [button(sheet.encoding, sheet.map, () => ((format = at), show()), at === format)]),
        made('td', 'right', [bytesText(sheet.bytes)]),
        made('td', '', [bar]),
        ...times(sheet),
        made('td', '', [sheet.levels.map(({ find }) => find.replace('find ', '')).join(', ')]),
        made('td', 'right', [String(sheet.nse)]),
        made('td', '', [sheet.levels.map(({ expr, format }) => `${expr} : ${format}`).join(', ')]),
    ]);
}

/** How long the kernel takes with this encoding, and how many times as long as with the best. */
function times({ encoding }: Sheet): HTMLElement[] {
    const all = tensor === 0 ? (comparison?.times ?? []) : [];
    const own = all.find(([name]) => name === encoding)?.[1];
    const best = Math.min(...all.map(([, time]) => time));
    const texts = own === undefined ? ['', ''] : [timeText(own), (own / best).toFixed(2)];
    return all.length === 0 ? [] : texts.map((text) => made('td', 'right', [text]));
}

function pictures(sheet: Sheet): HTMLElement {
    const pick = (at: number) => select(sheet, at);
    const caption = made('p', 'note');
    spy = sheet.points ? new Spy(sheet, (text) => caption.replaceChildren(text)) : undefined;
    const left = spy?.canvas ?? grid(sheet, pick);
    const shape = [...sheet.shape, sheet.element].join('x');
    const title = `${sheet.name}: ${shape}, ${sheet.encoding}, ${sheet.nse} stored, ${bytesText(sheet.bytes)}`;
    return made('section', 'pictures', [
        made('h2', '', [title]),
        made('div', 'beside', [left && made('div', 'scrolls', [left, caption]), wrapped(tree(sheet, pick))]),
        wrapped(arrays(sheet, (array, at) => selectBox(sheet, array, at))),
    ]);
}

function wrapped(drawn: SVGSVGElement | undefined): HTMLElement | undefined {
    return drawn && made('div', 'scrolls', [drawn]);
}

let selected: number | undefined;

/** Marks one leaf everywhere. */
function select(sheet: Sheet, at: number): void {
    selected = at;
    const entry = sheet.entries[at];
    unmark('selected');
    mark('selected', marksOfEntry(sheet, entry), at);
}

/** A box of an array: the leaf that it belongs to, if it is a value's, or the box alone. */
function selectBox(sheet: Sheet, array: string, at: number): void {
    const level = sheet.levels.findIndex(({ arrays }) => arrays.some(({ name, role }) => name === array && role !== 'positions'));
    const leaf = array === 'values' ? entryAt(sheet, at) : level < 0 ? -1 : sheet.entries.findIndex(({ positions }) => positions[level] === at);
    if (leaf !== undefined && leaf >= 0) {
        return select(sheet, leaf);
    }
    unmark('selected');
    mark('selected', new Map([[array, new Set([at])]]), undefined);
}

function showStep({ reads, stores }: { reads: (sheet: Sheet) => Marks; stores: (sheet: Sheet) => Marks }): void {
    const sheet = sheets()[0];
    ['read', 'stored', 'selected'].forEach(unmark);
    if (sheet) {
        const [read, stored] = [reads(sheet), stores(sheet)];
        mark('read', read, entryAt(sheet, [...(read.get('values') ?? [])][0]));
        mark('stored', stored, entryAt(sheet, [...(stored.get('values') ?? [])][0]));
    }
}

function unmark(style: string): void {
    page.querySelectorAll(`.${style}`).forEach((element) => element.classList.remove(style));
}

function mark(style: string, marks: Marks, leaf: number | undefined): void {
    for (const [array, entries] of marks) {
        entries.forEach((at) => page.querySelector(`[data-array="${array}"][data-at="${at}"]`)?.classList.add(style));
    }
    if (leaf !== undefined) {
        page.querySelectorAll(`[data-entry="${leaf}"], [data-leaves*=" ${leaf} "]`).forEach((element) => element.classList.add(style));
    }
}

async function save(kind: 'svg' | 'png'): Promise<void> {
    const drawings = [...page.querySelectorAll<SVGSVGElement>('.pictures svg')];
    if (kind === 'svg') {
        return host.postMessage({ save: kind, text: svgOf(drawings).text });
    }
    host.postMessage({ save: kind, base64: spy ? base64Of(spy.canvas) : await pngOf(drawings) });
}

/** Steps with , and . and entries with [ and ]; tensors by their numbers. */
function keys(event: KeyboardEvent): void {
    const sheet = sheets()[format];
    const go = (by: number) => sheet && sheet.entries.length > 0 && select(sheet, ((selected ?? -by) + by + sheet.entries.length) % sheet.entries.length);
    const does: Record<string, () => void> = {
        '[': () => go(-1),
        ']': () => go(1),
        ',': () => stepper?.move(-1),
        '.': () => stepper?.move(1),
    };
    const number = Number(event.key);
    if (number >= 1 && number <= (content?.tensors.length ?? 0)) {
        [tensor, format] = [number - 1, 0];
        show();
    } else if (does[event.key]) {
        does[event.key]();
    }
}
