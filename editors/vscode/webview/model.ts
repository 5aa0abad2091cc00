// What the server answers to `nnz/storage`: see docs/editors.md.

/** One array of a storage; a long one is without its middle. */
export interface ArrayModel {
    name: string;
    role: 'positions' | 'coordinates' | 'mask' | 'values';
    type: string;
    /** How many coordinates an entry holds. */
    tuple: number;
    length: number | null;
    bytes: number | null;
    first: string[];
    omitted: number;
    last: string[];
}

export interface Level {
    expr: string;
    format: string;
    size: string;
    /** What it costs to find a coordinate. */
    find: string;
    arrays: ArrayModel[];
}

/** A leaf of the coordinate tree: a coordinate and a position for each level; of padding, no coordinates of dimensions. */
export interface Entry {
    path: number[];
    positions: number[];
    dims: number[] | null;
    value: string;
}

export interface Sheet {
    name: string;
    encoding: string;
    map: string;
    element: string;
    shape: number[];
    dims: string[];
    nse: number;
    bytes: number;
    levels: Level[];
    values: ArrayModel;
    entries: Entry[];
    /** Whether these are all. */
    all: boolean;
    /** Of a matrix with more entries: where they are. */
    points: { rows: number[]; columns: number[]; seen: number } | null;
}

export interface Step {
    line: number;
    set: [string, unknown][];
    touched: { array: string; at: number; how: 'read' | 'store'; value: unknown }[];
}

export interface Steps {
    name: string;
    loops: string[];
    steps: Step[];
    all: boolean;
}

/** What a kernel takes with each encoding, in nanoseconds, its own first. */
export interface Comparison {
    lines: string[];
    times: [string, number][];
}

export interface Content {
    title: string;
    /** The tensors of a kernel, or one. */
    tensors: Sheet[];
    /** The first of them in other encodings. */
    formats: Sheet[];
    steps: Steps | null;
    /** What went wrong, line by line. */
    problems: string[];
}

/** Entries of arrays of one sheet, by the names of the arrays. */
export type Marks = Map<string, Set<number>>;

/** What of the arrays a leaf stands on: at each level the segment that it is in, its coordinate, and its value. */
export function marksOfEntry(sheet: Sheet, entry: Entry): Marks {
    const marks: Marks = new Map();
    sheet.levels.forEach((level, at) => {
        const parent = at === 0 ? 0 : entry.positions[at - 1];
        for (const array of level.arrays) {
            marks.set(array.name, new Set(array.role === 'positions' ? [parent, parent + 1] : [entry.positions[at]]));
        }
    });
    marks.set('values', new Set([entry.positions.at(-1) ?? 0]));
    return marks;
}

/** What of the arrays of a sheet a step reads or stores. */
export function marksOfStep(sheet: Sheet, step: Step, how: 'read' | 'store'): Marks {
    const names = new Map([[sheet.name, 'values'], [`${sheet.name}.values`, 'values']]);
    sheet.levels.forEach((level, at) => {
        const short = { positions: 'pos', coordinates: 'crd', mask: 'mask', values: '' };
        level.arrays.forEach((array) => names.set(`${sheet.name}.${short[array.role]}${at}`, array.name));
    });
    const marks: Marks = new Map();
    for (const touched of step.touched.filter((touched) => touched.how === how)) {
        const name = names.get(touched.array);
        if (name !== undefined) {
            marks.set(name, (marks.get(name) ?? new Set()).add(touched.at));
        }
    }
    return marks;
}

/** The leaf whose value is at that position. */
export function entryAt(sheet: Sheet, position: number | undefined): number | undefined {
    const found = sheet.entries.findIndex(({ positions }) => (positions.at(-1) ?? 0) === position);
    return found < 0 ? undefined : found;
}

/** The values of variables after a step; those of a block that has ended stay. */
export function variablesAt(steps: Step[], at: number): Map<string, unknown> {
    const variables = new Map<string, unknown>();
    for (const step of steps.slice(0, at + 1)) {
        for (const [name, value] of step.set) {
            variables.delete(name);
            variables.set(name, value);
        }
    }
    return variables;
}

export function timeText(nanoseconds: number): string {
    const units = ['ns', 'µs', 'ms', 's'];
    let [time, unit] = [nanoseconds, 0];
    while (time >= 1000 && unit + 1 < units.length) {
        [time, unit] = [time / 1000, unit + 1];
    }
    return `${time < 10 ? time.toFixed(1) : time.toFixed(0)} ${units[unit]}`;
}

export function bytesText(bytes: number): string {
    const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
    let [size, unit] = [bytes, 0];
    while (size >= 1024 && unit + 1 < units.length) {
        [size, unit] = [size / 1024, unit + 1];
    }
    return unit === 0 ? `${bytes} bytes` : `${size.toFixed(1)} ${units[unit]}`;
}
