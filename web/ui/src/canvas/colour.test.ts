import { expect, it } from 'vitest';
import { changeClass, classOf, swatchClass } from './colour.ts';
import { CHANGE_STEPS, CLASSES, GROUP_COLOURS, THEMES } from './generated/colours.ts';

/** Places among the groups by module, file and function; steps of self and of change. */
const pack = (module: number, file: number, name: number, self: number, change: number) =>
  (module | (file << 8) | (name << 16) | (self << 24) | (change << 28)) >>> 0;

it('takes the class apart that the engine packed', () => {
  const colours = pack(3, 29, 17, 11, 13);
  expect(classOf(colours, 'module')).toBe(2 + 3);
  expect(classOf(colours, 'file')).toBe(2 + 29);
  expect(classOf(colours, 'function')).toBe(2 + 17);
  expect(classOf(colours, 'self_share')).toBe(2 + GROUP_COLOURS + 11);
  expect(classOf(colours, 'change')).toBe(CLASSES - 1);
  expect(classOf(pack(3, 29, 17, 11, 1), 'change')).toBe(changeClass(-CHANGE_STEPS));
  // What has no change looks like what did not change.
  expect(classOf(pack(3, 29, 17, 11, 0), 'change')).toBe(changeClass(0));
  expect(classOf(pack(3, 29, 17, 11, 7), 'change')).toBe(changeClass(0));
});

it('shows groups beside names where values decide the boxes', () => {
  const colours = pack(3, 29, 17, 11, 13);
  expect(swatchClass(colours, 'change')).toBe(classOf(colours, 'module'));
  expect(swatchClass(colours, 'self_share')).toBe(classOf(colours, 'module'));
  expect(swatchClass(colours, 'file')).toBe(classOf(colours, 'file'));
});

it('has a fill for each class and finish in every theme', () => {
  for (const theme of Object.values(THEMES)) expect(theme.fills).toHaveLength(3 * CLASSES);
});
