import type { DocumentInfo } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { createResults } from './results.ts';

const called = (...names: string[]) =>
  names.map((name, document) => ({ document, name, title: name }) as unknown as DocumentInfo);
const OF = { document: 0, listed: 0, name: 'a.txt', parts: [], made: undefined };

it('tells what a script made a document of, while that is open', () => {
  const list = signal<readonly DocumentInfo[] | undefined>(called('a.txt', 'made'));
  const results = createResults(list);
  expect(results.madeOf(1, 1)).toBe(undefined);
  results.keep(1, { script: 1, of: OF });
  expect(results.madeOf(1, 1)).toBe(OF);
  // Another script works on what is shown, whoever made it.
  expect(results.madeOf(1, 2)).toBe(undefined);
  expect(results.madeOf(0, 1)).toBe(undefined);
  list.value = called('a.txt', 'made').slice(1);
  expect(results.madeOf(1, 1)).toBe(undefined);
  // Numbers of another engine are of other documents.
  list.value = called('b.txt', 'made');
  expect(results.madeOf(1, 1)).toBe(undefined);
});
