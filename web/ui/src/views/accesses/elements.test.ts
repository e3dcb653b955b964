import { describe, expect, it } from 'vitest';
import type { AccessesRun } from '../../state/accesses.ts';
import { DEFAULT_ACCESSES_VIEW } from '../../state/accesses-view.ts';
import {
  about,
  aboutEach,
  addressOf,
  COLD,
  evictionPairs,
  lineOf,
  placeOfLine,
  valuesOf,
} from './elements.ts';

const NONE = 0xffffffff;
const totals = { accesses: 0, lines: 0, cold: 0, capacity: 0, conflict: 0, bytes: 0 };

/** `a[i] = b[0]` for i of 0 to 3, in lines of two elements; b is on a line of its own. */
function run(): AccessesRun {
  const lines: number[] = [];
  const distances: number[] = [];
  const stack: number[] = [];
  const touch = (line: number) => {
    const at = stack.indexOf(line);
    distances.push(at < 0 ? COLD : at);
    if (at >= 0) stack.splice(at, 1);
    stack.unshift(line);
    lines.push(line);
  };
  for (let i = 0; i < 4; i += 1) {
    touch(2);
    touch(i >> 1);
  }
  const container = (name: string, size: number, base: number) => ({
    name,
    element: 8,
    shape: [size],
    strides: [1],
    offset: 0,
    base,
    totals,
  });
  const reference = (of: number, isWrite: boolean) => ({
    container: of,
    is_write: isWrite,
    origin: '',
    edge: null,
    loops: [0],
    totals,
  });
  return {
    program: {
      document: 0,
      element: null,
      ranges: [],
      symbols: [],
      changes: [],
      schedule: '',
      combining_reads: false,
      packed: false,
      line: 16,
    },
    result: {
      containers: [container('a', 4, 0), container('b', 1, 32)],
      references: [reference(1, false), reference(0, true)],
      variables: ['i'],
      totals,
      levels: [{ size: 16, ways: null, totals }],
      evictions: [],
      method: 'exact',
      simulated: 8,
      has_each: true,
      notes: [],
      left_out: [],
      depth: 100,
    },
    columns: {
      reference: Uint32Array.from([0, 1, 0, 1, 0, 1, 0, 1]),
      element: Uint32Array.from([0, 0, 0, 1, 0, 2, 0, 3]),
      line: Uint32Array.from(lines),
      distance: Uint32Array.from(distances),
      missed: new Uint8Array(8),
      victim: new Uint32Array(8).fill(NONE),
      elements: new Uint32Array(0),
      place: new Float64Array(0),
      start: Uint32Array.from([0, 2, 4, 6]),
      value: Float64Array.from([0, 1, 2, 3]),
      histogram_container: new Uint32Array(0),
      histogram_distance: new Float64Array(0),
      histogram_count: new Float64Array(0),
    },
  };
}

describe('what elements tell', () => {
  const view = DEFAULT_ACCESSES_VIEW;
  const numbers = (change: Partial<typeof view>, lines = 1) =>
    valuesOf(run(), { ...view, ...change }, lines).map((own) => [...own]);

  it('counts accesses, of a range of iterations too', () => {
    expect(numbers({ overlay: 'count' })).toEqual([[1, 1, 1, 1], [4]]);
    expect(numbers({ overlay: 'count', range: { from: 1, to: 2 } })).toEqual([[0, 1, 1, 0], [2]]);
  });

  it('counts misses for any number of lines at once', () => {
    expect(numbers({ overlay: 'misses' }, 1)).toEqual([[1, 1, 1, 1], [4]]);
    expect(numbers({ overlay: 'misses' }, 2)).toEqual([[1, 0, 1, 0], [1]]);
    expect(numbers({ overlay: 'misses', misses: 'capacity' }, 1)).toEqual([[0, 1, 0, 1], [3]]);
  });

  it('tells distances, first touches aside', () => {
    expect(numbers({ overlay: 'distance' })).toEqual([[Number.NaN, 1, Number.NaN, 1], [1]]);
  });

  it('lights what is accessed together, once more for each that is chosen', () => {
    const one = { container: 'a', indices: [2] };
    expect(numbers({ overlay: 'related', chosen: [one] })).toEqual([[0, 0, 1, 0], [1]]);
    const both = [one, { container: 'a', indices: [3] }];
    expect(numbers({ overlay: 'related', chosen: both })).toEqual([[0, 0, 1, 1], [2]]);
  });

  it('lights the cache lines of what is chosen', () => {
    const chosen = [{ container: 'a', indices: [3] }];
    expect(numbers({ overlay: 'lines', chosen })).toEqual([[0, 0, 1, 1], [0]]);
    const [a] = run().result.containers;
    expect([addressOf(a!, 3), lineOf(a!, 3, 16)]).toEqual([24, 1]);
  });

  it('tells who lost a line, and to whom', () => {
    expect(numbers({ overlay: 'evictions' }, 1)).toEqual([[1, 1, 1, 0], [4]]);
    expect(evictionPairs(run(), 1)).toEqual([
      { by: 'a', of: 'b', lines: 4 },
      { by: 'b', of: 'a', lines: 3 },
    ]);
    expect(evictionPairs(run(), 3)).toEqual([]);
  });

  it('tells all about one element', () => {
    const own = about(run(), 1, 0, 1, undefined);
    expect(own).toEqual({
      reads: 4,
      writes: 0,
      cold: 1,
      capacity: 3,
      conflict: 0,
      distances: [1, 1, 1],
    });
  });

  it('adds up to what the engine tells of sets, kept lines included', () => {
    // Six accesses in a cache of two lines: misses of each kind, and hits that a fully associative cache of
    // two lines would not have.
    const own = run();
    const sets: AccessesRun = {
      ...own,
      result: { ...own.result, levels: [{ size: 32, ways: 1, totals }] },
      columns: {
        ...own.columns,
        distance: Uint32Array.from([COLD, COLD, 1, 1, 2, 2, 5, COLD]),
        missed: Uint8Array.from([1, 1, 0, 1, 1, 0, 0, 0]),
      },
    };
    const told = (misses: (typeof view)['misses']) =>
      valuesOf(sets, { ...view, overlay: 'misses', misses }, undefined)
        .flatMap((values) => [...values])
        .reduce((sum, value) => sum + value, 0);
    // Lines that may stand anywhere would have 3 first touches and 3 far ones; 4 were missed.
    expect([told('all'), told('cold'), told('capacity'), told('conflict')]).toEqual([4, 3, 3, -2]);
    const sums = aboutEach(sets, undefined, undefined).flatMap((all) => [...all.values()]);
    const sum = (kind: 'cold' | 'capacity' | 'conflict') =>
      sums.reduce((all, one) => all + one[kind], 0);
    expect([sum('cold'), sum('capacity'), sum('conflict')]).toEqual([3, 3, -2]);
  });

  it('are those of every element that an access touches, the further ones once the line is near', () => {
    const own = run();
    // The second access touches a[0] and a[1], and the third is behind the end of b.
    const wide: AccessesRun = {
      ...own,
      columns: { ...own.columns, elements: Uint32Array.from([1, 2, 0, 1, 1, 1, 1, 1]) },
    };
    const at = (of: number, element: number) => aboutEach(wide, 1, undefined)[of]?.get(element);
    expect(at(0, 1)).toMatchObject({ writes: 2, cold: 0, distances: [0, 1] });
    expect(at(0, 0)).toMatchObject({ writes: 1, cold: 1, distances: [] });
    expect(at(1, 0)).toMatchObject({ reads: 3, cold: 1, distances: [1, 1] });
    const count = valuesOf(wide, { ...view, overlay: 'count' }, 1).map((values) => [...values]);
    expect(count).toEqual([[1, 2, 1, 1], [3]]);
    const missed = valuesOf(wide, { ...view, overlay: 'misses' }, 1).map((values) => [...values]);
    expect(missed[0]?.[0]).toBe(1);
    // One of the misses of a[1] is of its own access.
    expect(missed[0]?.[1]).toBe(1);
    const least = valuesOf(wide, { ...view, overlay: 'distance', distance: 'min' }, 1);
    expect(least[0]?.[1]).toBe(0);
  });

  it('stand in lines of the address space where lines have numbers of their own', () => {
    const own = run();
    const columns = { ...own.columns, place: Float64Array.from([10, 11, 2 ** 40]) };
    expect([0, 1].map((access) => placeOfLine({ ...own, columns }, access))).toEqual([2 ** 40, 10]);
    expect(placeOfLine(own, 0)).toBe(2);
  });
});
