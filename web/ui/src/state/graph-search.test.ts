import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { fakeEngine, turn } from './engine.fixture.ts';
import { createGraphSearch, matchAfter } from './graph-search.ts';

/** A search that finds elements 5, 6 and 7, or nothing. */
function searchFor(first: string) {
  const { engine, asked } = fakeEngine({
    graph_search: ({ text }: { text: string }) => ({
      matches: text === 'none' ? [] : [5, 6, 7].map((element) => ({ element, path: [1] })),
    }),
  });
  const text = signal(first);
  const shown = signal<{ document: number } | undefined>({ document: 0 });
  const jumpTo = vi.fn();
  const search = createGraphSearch({ engine, text, shown, jumpTo });
  const jumps = () => jumpTo.mock.calls.map(([found]) => found.element);
  return { search, text, shown, asked, jumps };
}

it('steps go around both ends', () => {
  expect([0, 1, 2].map((at) => matchAfter(at, 3, 1))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((at) => matchAfter(at, 3, -1))).toEqual([2, 0, 1]);
  expect([matchAfter(undefined, 3, 1), matchAfter(undefined, 3, -1)]).toEqual([0, 2]);
  expect(matchAfter(undefined, 0, 1)).toBeUndefined();
});

it('jumps from match to match', async () => {
  const { search, jumps } = searchFor('a');
  await turn();
  search.stepMatch(1);
  search.stepMatch(-1);
  expect([jumps(), search.match.value]).toEqual([[5, 7], 2]);
  search.jumpToMatch(1);
  search.jumpToMatch(9);
  expect([jumps(), search.match.value]).toEqual([[5, 7, 6], 1]);
});

it('a step that is asked for too early is made once matches are there', async () => {
  const { search, jumps } = searchFor('a');
  search.stepMatch(-1);
  expect(jumps()).toEqual([]);
  await turn();
  expect(jumps()).toEqual([7]);
});

it('another search begins with none of its matches, as does another graph', async () => {
  const { search, text, shown, asked } = searchFor('a');
  await turn();
  search.stepMatch(1);
  text.value = 'b';
  expect(search.match.value).toBeUndefined();
  await turn();
  shown.value = { document: 3 };
  expect(asked.at(-1)?.params).toMatchObject({ document: 3, text: 'b' });
  await turn();
  text.value = 'none';
  await turn();
  search.stepMatch(1);
  expect(search.match.value).toBeUndefined();
});
