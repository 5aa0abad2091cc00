// The arrays, level by level: a box for each entry.
import { bytesText, type ArrayModel, type Sheet } from './model';
import { drawing, element, levelClass, text } from './svg';

const LABEL = 150;
const HEIGHT = 22;
const GAP = 8;

export function arrays(sheet: Sheet, onPick: (array: string, at: number) => void): SVGSVGElement {
    const rows = sheet.levels.flatMap((level, at) => level.arrays.map((array) => ({ array, style: levelClass(at) })));
    rows.push({ array: sheet.values, style: 'values' });
    let [y, right] = [2, 0];
    const drawn: Node[] = [];
    for (const { array, style } of rows) {
        const row = boxes(array, style, y, onPick);
        drawn.push(...row.drawn);
        right = Math.max(right, row.right);
        y += HEIGHT + GAP;
    }
    return drawing(right + 4, y, `the arrays of ${sheet.name}`, drawn);
}

function boxes(array: ArrayModel, style: string, y: number, onPick: (array: string, at: number) => void): { drawn: Node[]; right: number } {
    const size = `${array.length ?? '?'} x ${array.type}`;
    const drawn: Node[] = [
        element('g', {}, [element('title', {}, [`${size}, ${array.bytes === null ? '?' : bytesText(array.bytes)}`]), text(2, y + HEIGHT / 2, array.name, `label ${style}`)]),
        text(62, y + HEIGHT / 2, size.length > 12 ? `${size.slice(0, 11)}…` : size, 'note'),
    ];
    const [first, last] = [array.first ?? [], array.last ?? []];
    const widest = Math.max(1, ...first.map((it) => it.length), ...last.map((it) => it.length));
    const width = 8 + 7.5 * widest;
    const tail = (array.length ?? 0) - last.length;
    const shown = [...first.map((it, at) => [it, at] as const), ...last.map((it, at) => [it, tail + at] as const)];
    let x = LABEL;
    shown.forEach(([entry, at], index) => {
        if (index === first.length && array.omitted > 0) {
            drawn.push(text(x + 10, y + HEIGHT / 2, '…', 'note', 'middle'));
            x += 20;
        }
        drawn.push(box({ x, y, width }, entry, { array: array.name, at, style }, onPick));
        x += width;
    });
    return { drawn, right: x };
}

interface Place {
    array: string;
    at: number;
    style: string;
}

function box(
    { x, y, width }: { x: number; y: number; width: number },
    entry: string,
    { array, at, style }: Place,
    onPick: (array: string, at: number) => void,
): SVGElement {
    const made = element('g', { class: `box ${style}`, 'data-array': array, 'data-at': at }, [
        element('title', {}, [`${array}, entry ${at}`]),
        element('rect', { x, y, width, height: HEIGHT }),
        text(x + width / 2, y + HEIGHT / 2, entry, 'number', 'middle'),
    ]);
    made.addEventListener('pointerenter', () => onPick(array, at));
    return made;
}
