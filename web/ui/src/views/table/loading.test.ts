import { EngineError, type RowsParams } from '@hotframe/engine';
import { afterEach, expect, it, vi } from 'vitest';
import { turn } from '../../state/engine.fixture.ts';
import { anyStopped, askAgain } from '../../state/stopped.ts';
import { createTableRows } from './loading.ts';
import { below, tableOf, type TreeAnswers } from './table.fixture.ts';
import { createUnfolding } from './unfolding.ts';

const STACKS = `
  main;compute 90
  main;read 8
  idle 2
`;

const open = new Set<{ dispose(): void }>();
afterEach(() => {
  for (const rows of open) rows.dispose();
  open.clear();
});

async function rowsOf(
  others?: (known: TreeAnswers) => Partial<TreeAnswers>,
  unfolded: readonly (readonly number[])[] = [],
) {
  const table = tableOf(STACKS, others);
  const unfolding = createUnfolding(table.engine, unfolded);
  const taken = { arriving: vi.fn(), arrived: vi.fn() };
  const rows = createTableRows({ ...table, unfolding, ...taken });
  open.add(rows);
  await turn();
  const names = () => rows.part.value?.rows.map(({ name }) => name);
  return { ...table, rows, unfolding, names, ...taken };
}

/** Fails once, then answers. */
function failOnce(code: 'view_expired' | 'stopped' | 'bad_pattern') {
  let failures = 0;
  return (known: TreeAnswers): Partial<TreeAnswers> => ({
    rows(params) {
      if (failures++ === 0) throw new EngineError({ code, message: 'no', hint: '' });
      return known.rows(params);
    },
  });
}

it('asks again for what is in sight when it is scrolled or unfolded', async () => {
  const { rows, names, last, unfolding, arrived } = await rowsOf();
  expect(names()).toEqual(['main', 'idle']);
  rows.window.value = { first: 1, count: 5 };
  await turn();
  expect(last<RowsParams>('rows')).toMatchObject({ first: 1, count: 5 });
  expect(names()).toEqual(['idle']);
  unfolding.openWay([
    { node: 1, key: 12 },
    { node: 2, key: 10 },
  ]);
  await turn();
  expect(last<RowsParams>('rows')?.expanded).toEqual([1]);
  expect(names()).toEqual(['compute', 'read', 'idle']);
  expect(arrived).toHaveBeenCalledTimes(3);
});

it('has all rows where some are left out, and does not ask while it is scrolled', async () => {
  const { rows, names, pruned, asked, arriving } = await rowsOf();
  pruned.value = below(5);
  await turn();
  expect(names()).toEqual(['main', '1 more below 5 %']);
  expect(arriving).toHaveBeenLastCalledWith(rows.listing.value);
  const before = asked.length;
  rows.window.value = { first: 1, count: 1 };
  await turn();
  expect(names()).toEqual(['1 more below 5 %']);
  expect(asked).toHaveLength(before);
});

it('leaves nothing out of what a filter finds', async () => {
  const { names, rows, pruned, input } = await rowsOf();
  pruned.value = below(5);
  input.value = { ...input.value, filter: 'idle' };
  await turn();
  expect(names()).toEqual(['idle']);
  expect(rows.isPruned.value).toBe(false);
});

it('finds unfolded nodes again where the engine has forgotten the tree', async () => {
  // Functions have keys in the order of their names.
  const { names, rows, asked } = await rowsOf(failOnce('view_expired'), [[12]]);
  expect(asked.filter(({ method }) => method === 'locate')).toHaveLength(2);
  expect(names()).toEqual(['main', 'compute', 'read', 'idle']);
  expect(rows.error.value).toBeUndefined();
});

it('asks again for what was stopped, and not for what cannot be answered', async () => {
  const stopped = await rowsOf(failOnce('stopped'));
  expect(stopped.rows.error.value?.code).toBe('stopped');
  askAgain();
  await turn();
  expect([stopped.names(), stopped.rows.error.value]).toEqual([['main', 'idle'], undefined]);
  const { rows } = await rowsOf(failOnce('bad_pattern'));
  expect(rows.error.value?.code).toBe('bad_pattern');
  expect(anyStopped.value).toBe(false);
});

it('does not show that somebody cancelled', async () => {
  const { rows } = await rowsOf();
  rows.fail(new EngineError({ code: 'cancelled', message: '', hint: '' }));
  expect(rows.error.value).toBeUndefined();
});
