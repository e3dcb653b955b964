import type { EventPlace } from '@hotframe/engine';
import { expect, test } from 'vitest';
import { axisEnds, axisOf, onAxis, socketsOf } from './places.ts';

const place = (cpu: number, core: number | null, socket: number | null): EventPlace => ({
  group: `cpu ${cpu}`,
  machine: '',
  cpu,
  core,
  cache: null,
  node: null,
  socket,
});

test('processors stand by socket and core', () => {
  const all = [0, 1, 2, 3].map((cpu) => place(cpu, cpu % 2, cpu % 2));
  const numbers = socketsOf(all).map(({ label, cores }) => [
    label,
    cores.map((core) => core.map(({ cpu }) => cpu)),
  ]);
  expect(numbers).toEqual([
    ['socket 0', [[0, 2]]],
    ['socket 1', [[1, 3]]],
  ]);
});

test('what is not told is nothing that is shared', () => {
  const [one] = socketsOf([place(0, null, null), place(1, null, null)]);
  expect(one?.label).toBe('');
  expect(one?.cores.length).toBe(2);
});

test('an axis without values has no ends', () => {
  expect(axisEnds(axisOf([], false), true, false)).toEqual([undefined, undefined]);
  expect(axisEnds(axisOf([1, 3], false), false, false)).toEqual([3, 1]);
  expect(axisEnds(axisOf([1, 3], false), false, true)).toEqual([1, 3]);
});

test('axes of differences have 0 in their middle', () => {
  const axis = axisOf([-3, 1], true);
  expect(onAxis(axis, 0)).toBe(0.5);
  expect(onAxis(axis, -3)).toBe(0);
  expect(onAxis(axisOf([5, 5], false), 5)).toBe(0.5);
});
