import { expect, it } from 'vitest';
import { trendText } from './trend.ts';

it.each([
  ['steady', null, '→ no trend'],
  ['steady', 0.9, '▔ high and kept: never below 90.0 % of its highest'],
  ['falling', 0.9, '↘ falling'],
  ['rising', 0.9, '↗ rising'],
] as const)('of a series that is %s and kept %s: %s', (direction, kept, text) => {
  expect(trendText({ direction, kept })).toBe(text);
});
