import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { kept } from './kept.ts';

it('stays what it was while there is nothing', () => {
  const source = signal<{ at: number } | undefined>({ at: 1 });
  const shown = kept(() => source.value);
  expect(shown.value).toEqual({ at: 1 });
  source.value = undefined;
  expect(shown.value).toEqual({ at: 1 });
  source.value = { at: 2 };
  expect(shown.value).toEqual({ at: 2 });
});

it('is the same object while it says the same', () => {
  const source = signal({ at: 1 });
  const shown = kept(() => source.value);
  const before = shown.value;
  source.value = { at: 1 };
  expect(shown.value).toBe(before);
});
