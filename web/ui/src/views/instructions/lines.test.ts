import type { InstructionsResult } from '@hotframe/engine';
import { describe, expect, test } from 'vitest';
import { hottest, linesOf } from './lines.ts';

const instruction = (address: string, block: number) => ({
  address,
  text: 'nop',
  file: null,
  line: 0,
  block,
});
const told: InstructionsResult = {
  sections: [
    { symbol: 'f', module: 'a', problem: '', unchecked: false, count: 3 },
    { symbol: '', module: 'b', problem: 'gone', unchecked: false, count: 1 },
  ],
  instructions: [
    instruction('1', 0),
    instruction('2', 0),
    instruction('3', 1),
    instruction('9', 0),
  ],
  files: [],
  more: 0,
  estimated: false,
};

describe('instructions', () => {
  test('stand below their sections, and blocks begin where their number changes', () => {
    const seen = linesOf(told).map((line) =>
      line.kind === 'section'
        ? line.section.module
        : [line.row, line.instruction.address, line.isFirst],
    );
    expect(seen).toEqual([
      'a',
      [0, '1', false],
      [1, '2', false],
      [2, '3', true],
      'b',
      [3, '9', false],
    ]);
  });

  test('what costs most is found, whatever its sign', () => {
    const lines = linesOf(told);
    expect(hottest(lines, [1n, 0n, -5n, 2n])).toBe(3);
    expect(hottest(lines, [0n, 0n, 0n, 0n])).toBe(0);
  });
});
