import { expect, it } from 'vitest';
import {
  colourGroup,
  colourIndex,
  createHues,
  HUES,
  hash,
  SELF_STEPS,
  SHADES,
  selfStep,
} from './colour.ts';

const frame = { name: 'net/http.(*conn).serve', module: '/usr/bin/server', file: 'server.go' };

it.each([
  ['module', frame, false, 'net/http'],
  ['module', { ...frame, name: 'memcpy' }, false, '/usr/bin/server'],
  ['module', { ...frame, name: 'memcpy' }, true, 'server.go'],
  ['module', { name: 'memcpy', module: '', file: '' }, true, 'memcpy'],
  ['file', frame, false, 'server.go'],
  ['function', frame, false, frame.name],
] as const)('groups by %s', (by, coloured, oneModule, group) => {
  expect(colourGroup(by, coloured, oneModule)).toBe(group);
});

it('gives a group the same colour for ever', () => {
  expect(hash('net/http')).toBe(hash('net/http'));
  expect(['runtime', 'net/http', 'encoding/json'].map((name) => hash(name))).toMatchInlineSnapshot(`
    [
      1971002123,
      523756355,
      2308139783,
    ]
  `);
});

it('spreads groups over all hues and names over all shades', () => {
  const counts = new Array<number>(HUES.length * SHADES).fill(0);
  for (let index = 0; index < 3000; index++) {
    counts[colourIndex(hash(`pkg${index}`) % HUES.length, `name${index}`)]! += 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(160);
});

it('gives as many groups as there are hues a hue each, and keeps it', () => {
  const hues = createHues();
  const groups = Array.from({ length: HUES.length + 5 }, (_, index) => `group ${index}`);
  const given = groups.map((group) => hues.hueOf(group));
  expect(new Set(given.slice(0, HUES.length)).size).toBe(HUES.length);
  expect(groups.map((group) => hues.hueOf(group))).toEqual(given);
  expect(given[0]).toBe(hash('group 0') % HUES.length);
});

it('shows any self share above nothing', () => {
  expect(selfStep(0n, 10n)).toBe(0);
  expect(selfStep(1n, 1_000_000n)).toBe(1);
  expect(selfStep(10n, 10n)).toBe(SELF_STEPS - 1);
  expect(selfStep(5n, 0n)).toBe(0);
});
