// A vector or a matrix as a grid of cells; the stored ones are filled.
import type { Sheet } from './model';
import { drawing, element, levelClass, text } from './svg';

const MOST = 48;
const SIDE = 260;
const AXIS = 18;

/** Rows and columns; undefined for a tensor of another rank, or too large a one. */
function extents({ shape }: Sheet): [number, number] | undefined {
    const [rows, columns] = shape.length === 1 ? [1, shape[0]] : shape;
    const fits = shape.length <= 2 && shape.length > 0 && rows > 0 && columns > 0 && Math.max(rows, columns) <= MOST;
    return fits ? [rows, columns] : undefined;
}

export function grid(sheet: Sheet, onPick: (entry: number) => void): SVGSVGElement | undefined {
    const size = extents(sheet);
    if (!size || !sheet.all) {
        return undefined;
    }
    const [rows, columns] = size;
    const side = Math.min(28, Math.floor(SIDE / Math.max(rows, columns)));
    const place = (row: number, column: number) => ({ x: AXIS + column * side, y: AXIS + row * side });
    const cells: Node[] = [];
    for (let at = 0; at < rows * columns; at += 1) {
        cells.push(element('rect', { ...place(Math.floor(at / columns), at % columns), width: side, height: side, class: 'cell' }));
    }
    sheet.entries.forEach((entry, at) => {
        if (entry.dims) {
            const [row, column] = entry.dims.length === 1 ? [0, entry.dims[0]] : entry.dims;
            cells.push(stored(sheet, at, { ...place(row, column), side }, onPick));
        }
    });
    const [width, height] = [AXIS + columns * side + 2, AXIS + rows * side + 2];
    const names = [text(AXIS + (columns * side) / 2, 8, sheet.dims.at(-1) ?? '', 'axis', 'middle')];
    if (sheet.shape.length === 2) {
        names.push(text(8, AXIS + (rows * side) / 2, sheet.dims[0], 'axis', 'middle'));
    }
    return drawing(width, height, `${sheet.name} as a matrix`, [...cells, ...names]);
}

function stored(sheet: Sheet, at: number, { x, y, side }: { x: number; y: number; side: number }, onPick: (entry: number) => void): SVGElement {
    const { value, dims } = sheet.entries[at];
    const style = `entry ${levelClass(sheet.levels.length - 1)}`;
    const cell = element('g', { 'data-entry': at, class: style }, [
        element('title', {}, [`${sheet.name}(${dims?.join(', ')}) = ${value}`]),
        element('rect', { x, y, width: side, height: side }),
    ]);
    const height = Math.min(12, (1.6 * side) / value.length);
    if (height >= 7) {
        const shown = text(x + side / 2, y + side / 2, value, 'value', 'middle');
        shown.setAttribute('style', `font-size: ${height}px`);
        cell.append(shown);
    }
    cell.addEventListener('pointerenter', () => onPick(at));
    return cell;
}
