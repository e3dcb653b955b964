import { expect, test } from 'vitest';
import { quantityOf, readOf } from './state.ts';

const measures = ['wall time', 'memory'];

test('the quantity is the one that was chosen, else the first measure, else the metric', () => {
  expect(quantityOf(undefined, measures, undefined)).toEqual({
    kind: 'measure',
    name: 'wall time',
  });
  expect(quantityOf(undefined, [], undefined)).toEqual({ kind: 'metric' });
  expect(quantityOf(readOf('measure:memory'), measures, undefined)).toEqual({
    kind: 'measure',
    name: 'memory',
  });
  expect(quantityOf(readOf('measure:gone'), measures, undefined)).toEqual({
    kind: 'measure',
    name: 'wall time',
  });
  expect(quantityOf(readOf('metric'), measures, undefined)).toEqual({ kind: 'metric' });
});

test('a function that is not chosen is asked for as the metric', () => {
  expect(quantityOf(readOf('total'), measures, 7)).toEqual({
    kind: 'function',
    key: 7,
    total: true,
  });
  expect(quantityOf(readOf('own'), measures, undefined)).toEqual({ kind: 'metric' });
});
