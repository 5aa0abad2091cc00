// The coordinate tree: a row for each level, the values below (Chou, Kjolstad and Amarasinghe 2018, section 3).
import type { Entry, Sheet } from './model';
import { drawing, element, levelClass, text } from './svg';

const MOST = 64;
const STEP = 34;
const ROW = 38;

interface Node_ {
    level: number;
    coordinate: number;
    leaves: number[];
    children: Node_[];
}

export function tree(sheet: Sheet, onPick: (entry: number) => void): SVGSVGElement | undefined {
    const entries = sheet.entries.slice(0, MOST);
    if (entries.length === 0) {
        return undefined;
    }
    const roots = grown(entries);
    const names = sheet.levels.map(({ expr, format }) => `${expr} : ${format}`);
    const left = 22 + 7.4 * Math.max(...names.map((name) => name.length));
    const drawn: Node[] = [];
    const draw = (node: Node_, parent: { x: number; y: number } | undefined): void => {
        const here = { x: left + middle(node), y: 16 + node.level * ROW };
        if (parent) {
            drawn.unshift(element('line', { x1: parent.x, y1: parent.y, x2: here.x, y2: here.y, class: 'edge', 'data-leaves': ` ${node.leaves.join(' ')} ` }));
        }
        drawn.push(circle(here, node, onPick));
        node.children.forEach((child) => draw(child, here));
    };
    roots.forEach((root) => draw(root, undefined));
    const bottom = 16 + sheet.levels.length * ROW;
    entries.forEach((entry, at) => drawn.push(value(entry, at, { x: left + (at + 0.5) * STEP, y: bottom - 8 }, onPick)));
    const labels = names.map((name, at) => text(2, 16 + at * ROW, name, `label ${levelClass(at)}`));
    const more = sheet.entries.length > MOST || !sheet.all ? [text(left + entries.length * STEP, bottom - 8, '…', 'label')] : [];
    return drawing(left + entries.length * STEP + 20, bottom + 6, `the coordinate tree of ${sheet.name}`, [...drawn, ...labels, ...more]);
}

/** Nodes by their positions: those of one position are one. */
function grown(entries: Entry[]): Node_[] {
    const roots: Node_[] = [];
    entries.forEach((entry, leaf) => {
        let siblings = roots;
        entry.path.forEach((coordinate, level) => {
            const before = siblings.at(-1);
            const same = before && before.coordinate === coordinate && entries[before.leaves[0]].positions[level] === entry.positions[level];
            const node = same ? before : { level, coordinate, leaves: [], children: [] };
            if (!same) {
                siblings.push(node);
            }
            node.leaves.push(leaf);
            siblings = node.children;
        });
    });
    return roots;
}

function middle({ leaves }: Node_): number {
    return ((leaves[0] + leaves[leaves.length - 1]) / 2 + 0.5) * STEP;
}

function circle({ x, y }: { x: number; y: number }, { level, coordinate, leaves }: Node_, onPick: (entry: number) => void): SVGElement {
    const width = 10 + 7 * String(coordinate).length;
    const node = element('g', { class: `node ${levelClass(level)}`, 'data-leaves': ` ${leaves.join(' ')} ` }, [
        element('rect', { x: x - width / 2, y: y - 10, width, height: 20, rx: 9 }),
        text(x, y, String(coordinate), 'coordinate', 'middle'),
    ]);
    node.addEventListener('pointerenter', () => onPick(leaves[0]));
    return node;
}

function value(entry: Entry, at: number, { x, y }: { x: number; y: number }, onPick: (entry: number) => void): SVGElement {
    const shown = entry.value.length > 5 ? `${entry.value.slice(0, 4)}…` : entry.value;
    const leaf = element('g', { class: 'leaf', 'data-entry': at }, [
        element('title', {}, [entry.dims ? entry.value : `${entry.value} (padding)`]),
        text(x, y, shown, entry.dims ? 'value' : 'padding', 'middle'),
    ]);
    leaf.addEventListener('pointerenter', () => onPick(at));
    return leaf;
}
