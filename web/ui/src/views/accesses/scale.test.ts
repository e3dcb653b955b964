import { readFileSync } from 'node:fs';
import type { GraphScale } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import { scaleOf } from './scale.ts';

/** The engine reads the same: `crates/session/src/kinds/graph/scale.rs`. */
const TABLE = new URL('../../../../../testdata/scales.tsv', import.meta.url);

describe('scales', () => {
  const rows = readFileSync(TABLE, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .slice(1)
    .map((line) => line.split('\t'));

  it('are those of the engine', () => {
    expect(rows.length).toBeGreaterThan(100);
    for (const [kind = '', values = '', ...numbers] of rows) {
      const all = values.split(' ').map(Number);
      const [value = Number.NaN, position = Number.NaN, ...ends] = numbers.map(Number);
      const scale = scaleOf(kind as GraphScale, all);
      const what = `${kind} of ${values}`;
      expect(scale.position(value), `${what} at ${value}`).toBeCloseTo(position, 9);
      const own = [scale.low, scale.middle, scale.high];
      own.forEach((end, at) => {
        const known = ends[at]!;
        expect(Math.abs(end - known), what).toBeLessThanOrEqual(1e-9 * Math.max(1, known));
      });
    }
  });
});
