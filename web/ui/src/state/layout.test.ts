import { expect, it } from 'vitest';
import { createLayout } from './layout.ts';

function store(text: string | null) {
  const kept = { text };
  return {
    kept,
    getItem: () => kept.text,
    setItem: (_: string, value: string) => {
      kept.text = value;
    },
  };
}

it('remembers sizes, and forgets what is as at first', () => {
  const first = store(null);
  const layout = createLayout(first);
  expect(layout.sizeOf('details')).toBeUndefined();
  layout.setSize('details', 410);
  layout.setSize('minimap', 0);
  const again = createLayout(store(first.kept.text));
  expect(again.sizeOf('details')).toBe(410);
  expect(again.sizeOf('minimap')).toBe(0);
  again.setSize('minimap', undefined);
  expect(again.sizeOf('minimap')).toBeUndefined();
});

it('takes nothing that is not a size', () => {
  for (const text of [
    '',
    '[',
    '3',
    'null',
    '{"details":"wide"}',
    '{"details":-1}',
    '{"details":1e9}',
  ])
    expect(createLayout(store(text)).sizeOf('details')).toBeUndefined();
  expect(createLayout(store('{"a":1}')).sizeOf('constructor')).toBeUndefined();
});
