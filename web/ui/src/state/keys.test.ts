import { describe, expect, it } from 'vitest';
import { type KeyScope, PAGE_KEYS } from './key-bindings.ts';
import { chordLabel, chordOf, commandFor } from './keys.ts';

const press = (key: string, held: readonly ('ctrl' | 'shift' | 'meta' | 'alt')[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

const KEYS: readonly KeyScope[] = [
  PAGE_KEYS,
  {
    scope: 'flame',
    title: 'In the flame graph',
    keys: [{ command: 'child', keys: ['ArrowDown'], title: 'Largest callee' }],
  },
  {
    scope: 'table',
    title: 'In the table',
    keys: [{ command: 'row_down', keys: ['ArrowDown'], title: 'Row below' }],
  },
];

describe('the keys', () => {
  it.each([
    [press('f', ['ctrl']), 'Ctrl+f'],
    [press('f', ['meta']), 'Ctrl+f'],
    [press('?', ['shift']), '?'],
    [press('ArrowLeft', ['shift']), 'Shift+ArrowLeft'],
    [press('F3'), 'F3'],
  ])('are written as chords', (given, chord) => {
    expect(chordOf(given)).toBe(chord);
  });

  it('mean different things in different places', () => {
    expect(commandFor(press('ArrowDown'), 'flame', KEYS)?.command).toBe('child');
    expect(commandFor(press('ArrowDown'), 'table', KEYS)?.command).toBe('row_down');
    expect(commandFor(press('ArrowDown'), 'everywhere', KEYS)).toBeUndefined();
    expect(commandFor(press('?', ['shift']), 'table', KEYS)?.command).toBe('show_keys');
  });

  it.each([
    ['f', 'F'],
    ['F', 'Shift+F'],
    ['Shift+ArrowLeft', 'Shift+←'],
    ['Ctrl+f', 'Ctrl+F'],
    [' ', 'Space'],
    ['/', '/'],
  ])('are shown as people know them: %s', (chord, label) => {
    expect(chordLabel(chord)).toBe(label);
  });
});
