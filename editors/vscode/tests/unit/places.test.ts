// Which lines and parts are highlighted at a cursor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofLine, ofPoint, type Place } from '../../src/places';

/** `y(i) = A(i, j) * x(j)` on line 2: loops over i (lines 1 to 5) and j (2 to 4), each of its variable and of what it follows. */
const part = (start: number, end: number) => ({ start: { line: 2, character: start }, end: { line: 2, character: end } });
const I: Place = { lines: [1, 5], range: part(2, 3) };
const A: Place = { lines: [2, 4], range: part(7, 14) };
const J: Place = { lines: [2, 4], range: part(12, 13) };
const PLACES = [I, A, J];

test('a line of the view lights the parts of the innermost loop around it', () => {
    assert.deepEqual(ofLine(PLACES, 0), []);
    assert.deepEqual(ofLine(PLACES, 1), [I]);
    assert.deepEqual(ofLine(PLACES, 3), [A, J]);
    assert.deepEqual(ofLine(PLACES, 5), [I]);
});

test('a point of the source lights the lines of the smallest part around it', () => {
    const at = (character: number) => ofPoint(PLACES, { line: 2, character });
    assert.deepEqual(at(0), []);
    assert.deepEqual(at(3), [I]);
    assert.deepEqual(at(8), [A]);
    assert.deepEqual(at(12), [J]);
    assert.deepEqual(at(20), []);
    assert.deepEqual(ofPoint(PLACES, { line: 1, character: 8 }), []);
});

test('a part that two loops are made of lights both', () => {
    const outer: Place = { lines: [1, 5], range: A.range };
    assert.deepEqual(ofPoint([outer, A], { line: 2, character: 8 }), [outer, A]);
});
