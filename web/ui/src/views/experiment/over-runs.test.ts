import type { ExperimentDifferencesResult } from '@hotframe/engine';
import { expect, test } from 'vitest';
import { overRunsOf } from './over-runs.ts';

test('functions have their interval and q, those of one side how many runs have them', () => {
  const told = overRunsOf(
    {
      of_functions: 'self CPU time',
      rows: [
        {
          label: 'f',
          ratio: { low: 1.25, text: '+32.0 %', interval: '+25.0 % to +40.0 %' },
          difference: { low: 1 },
          q: 0.0004,
        },
        {
          label: 'g',
          ratio: null,
          difference: { low: null, text: '+2 ms', interval: 'no interval' },
          q: 1,
        },
      ],
      only: [{ label: 'h', is_new: true, runs: 5, of_runs: 6 }],
    } as unknown as ExperimentDifferencesResult,
    ['a=1', 'a=2'],
  );
  expect([...told]).toEqual([
    ['f', 'self CPU time over runs: +32.0 %, 95 % interval +25.0 % to +40.0 %, q <0.001'],
    ['g', 'self CPU time over runs: +2 ms, no interval, untested'],
    ['h', 'self CPU time over runs: only in a=2, in 5 of 6 runs'],
  ]);
});
