// Which lines of a view and which parts of its source belong together.

/** A place in a text: line and character, from 0. */
export interface Point {
    line: number;
    character: number;
}

export interface Part {
    start: Point;
    end: Point;
}

/** Lines of a view, the first and the last, and a part of the source that they are made of. */
export interface Place {
    lines: [number, number];
    range: Part;
}

/** The places of the innermost loop around a line of the view. */
export function ofLine(places: Place[], line: number): Place[] {
    const around = places.filter(({ lines: [first, last] }) => first <= line && line <= last);
    return innermost(around, ({ lines: one }, { lines: other }) => other[0] <= one[0] && one[1] <= other[1]);
}

/** The places of the smallest parts around a point of the source. */
export function ofPoint(places: Place[], point: Point): Place[] {
    const around = places.filter(({ range }) => !isBefore(point, range.start) && !isBefore(range.end, point));
    return innermost(around, ({ range: one }, { range: other }) => !isBefore(one.start, other.start) && !isBefore(other.end, one.end));
}

function isBefore(one: Point, other: Point): boolean {
    return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** Those that no other lies within, unless it is the same. */
function innermost(places: Place[], within: (one: Place, other: Place) => boolean): Place[] {
    return places.filter((place) => places.every((other) => !within(other, place) || within(place, other)));
}
