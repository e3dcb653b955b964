import type { FunctionInfo } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import type { Mark, ScatterScene } from './marks.ts';
import { markAt, marksIn, nextMark, placed, roomOf } from './room.ts';

function mark(key: number, x: number, y: number, rest: Partial<Mark> = {}): Mark {
  const info = { key, name: `f${key}` } as FunctionInfo;
  return {
    info,
    zone: 'plot',
    x,
    y,
    radius: 0,
    calls: 1n,
    primitive: 1n,
    self: 1n,
    total: 1n,
    mean: 1,
    ...rest,
  };
}

function scene(marks: readonly Mark[]): ScatterScene {
  return {
    of: 'own_value',
    metric: 0,
    primitiveUnknown: undefined,
    totalRows: marks.length,
    marks,
    across: [1, 100],
    up: [1, 100],
    diagonals: [],
    whole: 0n,
    rest: 0n,
    largest: 0n,
  };
}

const SIZE = { width: 500, height: 400 };
const keys = (marks: readonly (Mark | undefined)[]) => marks.map((one) => one?.info.key);

describe('the room of a scatter', () => {
  const large = mark(0, 0.5, 0.5, { radius: 1 });
  const small = mark(1, 0.52, 0.5);
  const far = mark(2, 0.9, 0.1);
  const twin = mark(3, 0.9, 0.1);
  const marks = [large, small, far, twin];
  const room = roomOf(SIZE, scene(marks));

  it('gives strips only where something stands in them', () => {
    expect([room.noCalls, room.noValue]).toEqual([undefined, undefined]);
    const apart = [
      mark(0, 0.5, 0.5, { zone: 'no_calls' }),
      mark(1, 0.2, 0.5, { zone: 'no_value' }),
    ];
    const withStrips = roomOf(SIZE, scene(apart));
    const [one, other] = apart.map((at) => placed(withStrips, at).at);
    expect(one![0]).toBeLessThan(withStrips.plot.x);
    expect(other![1]).toBeGreaterThan(withStrips.plot.y + withStrips.plot.height);
    expect(withStrips.plot.width).toBeLessThan(room.plot.width);
  });

  it('finds the topmost mark, and what is nearly met', () => {
    const at = placed(room, small).at;
    expect(markAt(room, marks, at)).toBe(small);
    const [x, y] = placed(room, large).at;
    expect(markAt(room, marks, [x - 10, y])).toBe(large);
    const beside = placed(room, far).at;
    expect(markAt(room, marks, [beside[0] + 6, beside[1]])).toBe(far);
    expect(markAt(room, marks, [beside[0] + 20, beside[1]])).toBeUndefined();
  });

  it('takes what a rectangle holds, from whichever corner', () => {
    const [low, high] = [room.at(0.85, 0), room.at(1, 0.2)];
    expect(keys(marksIn(room, marks, low, high))).toEqual([2, 3]);
    expect(keys(marksIn(room, marks, high, low))).toEqual([2, 3]);
  });

  it('walks to the next mark, through those on one place too', () => {
    expect(nextMark(room, marks, large, 'right')).toBe(small);
    expect(nextMark(room, marks, small, 'left')).toBe(large);
    expect(nextMark(room, marks, small, 'down')).toBe(far);
    expect(nextMark(room, marks, far, 'right')).toBe(twin);
    expect(nextMark(room, marks, twin, 'right')).toBeUndefined();
  });
});
