import { describe, expect, it } from 'vitest';
import { pathLines } from './paint-path.ts';

const SPAN = 0;
const WAITING = 1;
const FLOW = 2;

/** Pieces as track, row, kind, begin and end. */
function pieces(...all: readonly (readonly [number, number, number, number, number])[]) {
  const column = (at: number) => all.map((piece) => piece[at]!);
  return {
    track: Uint32Array.from(column(0)),
    row: Uint32Array.from(column(1)),
    kind: Uint32Array.from(column(2)),
    begin: Float64Array.from(column(3)),
    end: Float64Array.from(column(4)),
  };
}

const same = (time: number) => time;
const yOf = (track: number, row: number) => (track === 9 ? undefined : track * 100 + row * 10);

describe('the lines of a critical path', () => {
  it('run along rows, step between those of a track and follow flows to another', () => {
    const path = pieces(
      [0, 0, SPAN, 0, 10],
      [0, 1, SPAN, 10, 30],
      [1, 0, FLOW, 30, 40],
      [1, 0, WAITING, 40, 60],
    );
    expect(pathLines(path, same, yOf, 100)).toEqual([
      { kind: SPAN, from: [0, 0], to: [10, 0] },
      { kind: SPAN, from: [10, 0], to: [10, 10] },
      { kind: SPAN, from: [10, 10], to: [30, 10] },
      { kind: FLOW, from: [30, 10], to: [40, 100] },
      { kind: WAITING, from: [40, 100], to: [60, 100] },
    ]);
  });

  it('join what is narrower than a pixel', () => {
    const many = Array.from(
      { length: 1000 },
      (_, at) => [0, at % 2, SPAN, at / 1000, (at + 1) / 1000] as const,
    );
    expect(pathLines(pieces(...many), same, yOf, 100).length).toBeLessThan(5);
  });

  it('leave out what is out of sight or hidden', () => {
    const path = pieces([0, 0, SPAN, -20, -10], [9, 0, SPAN, 0, 10], [0, 0, SPAN, 200, 210]);
    expect(pathLines(path, same, yOf, 100)).toEqual([]);
  });
});
