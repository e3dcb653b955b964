import type { ExperimentEffectsResult, ExperimentResult } from '@hotframe/engine';
import { expect, test } from 'vitest';
import { effectsCsv, runsCsv } from './sheets.ts';

const factors = [
  { name: 'python', levels: ['3.11', '3.12'] },
  { name: 'flags', levels: ['-O1|-g', '=x'] },
];

test('effects have a row each, those of two factors behind', () => {
  const ratio = { value: 1.5, low: 1.25, high: 1.8 };
  const told = effectsCsv({ factors }, {
    title: 'wall time',
    single: [{ levels: [[0, 1]], ratio, q: 0.01, believed: true }],
    together: [
      {
        levels: [
          [0, 1],
          [1, 1],
        ],
        ratio: null,
        q: 1,
        believed: false,
      },
    ],
  } as unknown as ExperimentEffectsResult);
  expect(told.trimEnd().split('\n')).toEqual([
    'quantity,factor,base,level,with_factor,with_base,with_level,ratio,ratio_low,ratio_high,q,believed',
    'wall time,python,3.11,3.12,,,,1.5,1.25,1.8,0.01,true',
    // Spreadsheets take nothing for a formula.
    "wall time,python,3.11,3.12,flags,'-O1|-g,'=x,,,,1,false",
  ]);
});

test('runs have their levels, their trouble and all facts that any has', () => {
  const told = runsCsv({
    factors,
    cells: [{ levels: [1, null] }],
    runs: [
      {
        name: '#1',
        cell: 0,
        trouble: '',
        facts: [
          ['python', '3.12'],
          ['wall time', '1 s'],
        ],
      },
      { name: '#2', cell: 0, trouble: 'failed, twice', facts: [['kernel', '6.1']] },
    ],
  } as unknown as ExperimentResult);
  expect(told.trimEnd().split('\n')).toEqual([
    'name,python,flags,trouble,wall time,kernel',
    '#1,3.12,,,1 s,',
    '#2,3.12,,"failed, twice",,6.1',
  ]);
});
