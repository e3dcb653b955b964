import { expect, it } from 'vitest';
import type { Store } from '../host.ts';
import { createSaved } from './saved.ts';

function store(): Store {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}

it('keeps scripts by name, in their order', () => {
  const kept = store();
  const saved = createSaved(kept);
  saved.save({ name: 'b', text: '1' });
  saved.save({ name: 'a', text: '2' });
  saved.save({ name: 'b', text: '3' });
  const expected = [
    { name: 'a', text: '2' },
    { name: 'b', text: '3' },
  ];
  expect(saved.all.value).toEqual(expected);
  expect(createSaved(kept).all.value).toEqual(expected);
  saved.remove('a');
  expect(createSaved(kept).all.value).toEqual([{ name: 'b', text: '3' }]);
});

it('remembers what was in the editor', () => {
  const kept = store();
  expect(createSaved(kept).draft).toBeUndefined();
  createSaved(kept).keepDraft({ name: '', text: 'print()' });
  expect(createSaved(kept).draft).toEqual({ name: '', text: 'print()' });
});

it('takes nothing that is not a script', () => {
  const kept = store();
  kept.setItem('hotframe.scripts', '[{"name": 1, "text": ""}, null, {"name": "a", "text": "b"}]');
  kept.setItem('hotframe.script', '{"name"');
  const saved = createSaved(kept);
  expect(saved.all.value).toEqual([{ name: 'a', text: 'b' }]);
  expect(saved.draft).toBeUndefined();
});

it('says when there is no room', () => {
  const full: Store = {
    getItem: () => null,
    setItem() {
      throw new Error('full');
    },
  };
  const saved = createSaved(full);
  saved.keepDraft({ name: '', text: 'x' });
  expect(() => saved.save({ name: 'a', text: 'x' })).toThrow('full');
  expect(saved.all.value).toEqual([]);
});
