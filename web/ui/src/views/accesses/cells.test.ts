import { describe, expect, it } from 'vitest';
import { binned, togetherOf } from './cells.ts';
import type { Places } from './places.ts';

describe('elements of one cell', () => {
  const places: Places = {
    bins: [2],
    cells: [2],
    steps: [{ x: 3, y: 0 }],
    side: 3,
    width: 6,
    height: 3,
  };
  const told = (overlay: 'count' | 'distance', distance: 'min' | 'median' | 'max') =>
    binned(
      Float64Array.of(5, 2, Number.NaN, 7),
      Uint8Array.of(1, 1, 0, 1),
      [4],
      places,
      togetherOf({ overlay, distance }),
    ).values;

  it('are added up where they count', () => {
    expect([...told('count', 'min')]).toEqual([7, 7]);
  });

  it('tell the least of smallest distances and the most of others, as the engine does', () => {
    expect([...told('distance', 'min')]).toEqual([2, 7]);
    expect([...told('distance', 'median')]).toEqual([5, 7]);
    expect([...told('distance', 'max')]).toEqual([5, 7]);
  });
});
