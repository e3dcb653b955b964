import { describe, expect, it } from 'vitest';
import { BINDINGS, type Scope } from './key-bindings.ts';
import { chordLabel, chordOf, commandFor } from './keys.ts';

const press = (key: string, held: readonly ('ctrl' | 'shift' | 'meta' | 'alt')[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

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
    expect(commandFor(press('ArrowDown'), 'flame')?.command).toBe('child');
    expect(commandFor(press('ArrowDown'), 'table')?.command).toBe('row_down');
    expect(commandFor(press('ArrowDown'), 'everywhere')).toBeUndefined();
    expect(commandFor(press('?', ['shift']), 'table')?.command).toBe('show_keys');
  });

  it('do one thing each in a place', () => {
    for (const scope of [
      'everywhere',
      'timeline',
      'happenings',
      'flame',
      'table',
      'graph',
      'accesses',
    ] as const satisfies Scope[]) {
      const keys = BINDINGS.filter((binding) => binding.scope === scope).flatMap(
        ({ keys }) => keys,
      );
      expect(new Set(keys).size, scope).toBe(keys.length);
    }
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
