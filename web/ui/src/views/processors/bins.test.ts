import type { EventBinsResult } from '@hotframe/engine';
import { expect, test } from 'vitest';
import { type Bins, between, binLabel, cellOf, entriesAt, mostOf } from './bins.ts';

const result: EventBinsResult = {
  name: 'cycles',
  unit: 'count',
  decimals: 0,
  better: 'lower',
  groups: ['cpu 0', 'cpu 1'],
  places: [0, 1],
  sets: ['base', 'new'],
  runs: [['a'], ['b']],
  begin: 0,
  width: 1e6,
  bins: 3,
  notes: [],
};

/** By set, group and bin. */
const bins: Bins = {
  result,
  columns: {
    value: Float64Array.of(1, 2, NaN, 90, 5, 6, 2, 1, 0, 4, 5, 12),
    samples: Float64Array.of(20, 20, 0, 1, 20, 20, 20, 20, 0, 20, 20, 20),
    error: Float64Array.of(0.1, NaN, NaN, 1, 0.1, 0.1, 0.1, 0.1, NaN, 0.1, 0.1, 0.1),
    enough: Uint8Array.of(1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1),
  },
};

test('cells stand by set, group and bin', () => {
  expect(cellOf(bins, 0, 0, 2).value).toBeUndefined();
  expect(cellOf(bins, 1, 1, 2)).toEqual({ value: 12, samples: 20, error: 0.1, isEnough: true });
  expect(cellOf(bins, 0, 0, 1).error).toBeUndefined();
});

test('what has few samples decides no colour', () => {
  expect(mostOf(bins)).toBe(12);
});

test('an instant tells both sides, and no change where samples are few', () => {
  const first = entriesAt(bins, 0);
  expect(first.get('cpu 0')?.change).toMatchObject({ ratio: 2, verdict: 'more' });
  expect(first.get('cpu 1')?.change).toMatchObject({
    verdict: 'unknown',
    reason: 'too few samples',
  });
  expect(entriesAt(bins, 2).get('cpu 0')?.change?.ratio).toBeNull();
});

test('bins are called by their times, or by the part of a run', () => {
  expect(binLabel(bins, 0, 1, false)).toBe('1 ms to 2 ms');
  const parts = { ...bins, result: { ...result, width: 0.25, bins: 4 } };
  expect(binLabel(parts, 0, 1, true)).toBe('25 to 50 % of each run');
  expect(between(3, 1)).toEqual([1, 3]);
});
