import { describe, expect, it } from 'vitest';
import { cellAt, cellOfElement, cornerOf, fittingSide, placed } from './places.ts';

describe('places of elements', () => {
  it.each([[[7]], [[3, 4]], [[2, 3, 4]], [[2, 2, 3, 4]], [[2, 3, 1, 2, 3]]])(
    'are each its own, and found again: %j',
    (shape) => {
      const places = placed(shape, 10);
      const count = shape.reduce((all, size) => all * size, 1);
      const seen = new Set<string>();
      for (let cell = 0; cell < count; cell += 1) {
        const { x, y } = cornerOf(places, cell);
        seen.add(`${x},${y}`);
        expect(x + places.side).toBeLessThanOrEqual(places.width);
        expect(y + places.side).toBeLessThanOrEqual(places.height);
        const indices = cellAt(places, x + 5, y + 5);
        const found = indices?.reduce((all, index, at) => all * shape[at]! + index, 0);
        expect(found).toBe(cell);
      }
      expect(seen.size).toBe(count);
    },
  );

  it('are a row for one dimension, a grid for two, grids beside each other for three', () => {
    const corner = (shape: number[], cell: number) => cornerOf(placed(shape, 10), cell);
    expect(corner([5], 3)).toEqual({ x: 30, y: 0 });
    expect(corner([5, 4], 4)).toEqual({ x: 0, y: 10 });
    expect(corner([2, 5, 4], 20).y).toBe(0);
    expect(corner([2, 5, 4], 20).x).toBeGreaterThan(40);
    expect(corner([2, 2, 5, 4], 40).x).toBe(0);
    expect(corner([2, 2, 5, 4], 40).y).toBeGreaterThan(50);
  });

  it('are shared where there are more than pixels', () => {
    const shape = [20_000, 5000];
    const places = placed(shape, 3);
    expect(places.width).toBeLessThanOrEqual(4096);
    expect(places.height).toBeLessThanOrEqual(4096);
    const last = cellOfElement(places, shape, 20_000 * 5000 - 1);
    expect(last).toBe(places.cells[0]! * places.cells[1]! - 1);
  });

  it('have no element in a gap, and none for a scalar of none', () => {
    const places = placed([2, 5, 4], 10);
    expect(cellAt(places, 41, 5)).toBeUndefined();
    expect(cellAt(places, -1, 5)).toBeUndefined();
    expect(placed([], 10).width).toBe(10);
    expect(fittingSide([10, 10], 240, 240)).toBe(24);
  });
});
