import { expect, test } from 'vitest';
import {
  clampWindow,
  rangePattern,
  rangesOf,
  ticksOf,
  timeRanges,
  timeText,
  withRange,
  zoomWindow,
} from './times.ts';

test('ranges are as fine as one can point at', () => {
  expect(timeText(1_204_000_000, 1e6)).toBe('1.204s');
  expect(timeText(350_000)).toBe('350us');
  expect(timeText(0)).toBe('0ns');
  expect(rangePattern(0, { from: 1_204_312_999, to: 1_386_000_001 }, 180_000)).toBe(
    '1.2043s..1.3861s',
  );
  expect(rangePattern(5, { from: 0, to: 0.2 }, 0.001)).toBe('5ns..6ns');
});

test('what is written is read', () => {
  for (const range of [
    { from: 1_200_000_000, to: 3_400_000_000 },
    { from: 7, to: 1_000_001 },
  ]) {
    expect(rangesOf(100, 1e10, rangePattern(100, range, 1))).toEqual([range]);
  }
  expect(rangesOf(0, 50, '..')).toEqual([{ from: 0, to: 50 }]);
  expect(rangesOf(0, 9e9, '1..2s,500ms..')).toEqual([
    { from: 1e9, to: 2e9 },
    { from: 5e8, to: 9e9 },
  ]);
  expect(rangesOf(0, 9e9, 'never')).toEqual([]);
});

test('windows stay in the recording and keep what is under the pointer', () => {
  const near = zoomWindow({ from: 0, to: 1000 }, 0.5, 0.25, 1000);
  expect(near).toEqual({ from: 125, to: 625 });
  expect(clampWindow({ from: -50, to: 50 }, 1000)).toEqual({ from: 0, to: 100 });
  expect(clampWindow({ from: 950, to: 1050 }, 1000)).toEqual({ from: 900, to: 1000 });
});

test('ticks are round and far enough apart', () => {
  const { step, times } = ticksOf([{ from: 130, to: 1130 }], 1000 / 900);
  expect(step).toBe(100);
  expect(times.slice(0, 2)).toEqual([200, 300]);
  // Of a recording that begins at 30 they stand where 200 and 300 are said.
  const late = ticksOf([{ from: 130, to: 1130 }], 1000 / 900, 30);
  expect(late.times.slice(0, 2)).toEqual([170, 270]);
});

test('a range takes the place of those before, and other filters stay', () => {
  const focus = { kind: 'focus', pattern: 'run' } as const;
  const kept = withRange([{ kind: 'time', pattern: '1s..2s' }, focus], '3s..4s');
  expect(kept).toEqual([focus, { kind: 'time', pattern: '3s..4s' }]);
  expect(withRange(kept, undefined)).toEqual([focus]);
  expect(timeRanges(kept, 1e9, 1e10)).toEqual([{ from: 2e9, to: 3e9 }]);
});
