import { describe, expect, it } from 'vitest';
import type { AccessesRun } from '../../state/accesses.ts';
import { elementsTable, MOST_ELEMENTS } from './elements-csv.ts';

const totals = { accesses: 0, lines: 0, cold: 0, capacity: 0, conflict: 0, bytes: 0 };

/** Two reads of the last element of a container. */
function run(size: number): AccessesRun {
  const container = {
    name: 'a',
    element: 8,
    shape: [size],
    strides: [1],
    offset: 0,
    base: 0,
    totals,
  };
  const reference = { container: 0, is_write: false, origin: '', edge: null, loops: [], totals };
  const result = { containers: [container], references: [reference], levels: [], has_each: true };
  const columns = {
    reference: Uint32Array.from([0, 0]),
    element: Uint32Array.from([size - 1, size - 1]),
    elements: new Uint32Array(0),
    line: Uint32Array.from([0, 0]),
    distance: Uint32Array.from([0xffffffff, 0]),
    missed: new Uint8Array(2),
    start: Uint32Array.from([0, 1]),
  };
  return { program: { line: 64 }, result, columns } as unknown as AccessesRun;
}

describe('a table of elements', () => {
  it('has all of them up to its limit, and says nothing', () => {
    const { text, note } = elementsTable(run(MOST_ELEMENTS), 1, undefined);
    expect(text.split('\n').length).toBe(MOST_ELEMENTS + 2);
    expect(note).toBeUndefined();
  });

  it('has those that are accessed beyond, and says what is left out', () => {
    const { text, note } = elementsTable(run(MOST_ELEMENTS + 1), 1, undefined);
    expect(text.trimEnd().split('\n').slice(1)).toEqual(['a,1048576,8388608,2,0,1,0,0,0,0,0']);
    expect(note).toBe(
      'The table has what is accessed, 1 element; 1,048,576 others are left out, as all 1,048,577 are more than the 1,048,576 rows that it may have.',
    );
    const part = elementsTable(run(MOST_ELEMENTS + 1), 1, { from: 0, to: 0 });
    expect(part.note).toContain('1 element in the range; ');
    expect(part.text).toContain('1048576,8388608,1,0,1,0,0,,,');
  });
});
