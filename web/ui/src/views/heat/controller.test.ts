import type { Engine, Filter, HeatParams, ViewSpec } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { withState } from '../../state/address-part.ts';
import { fakeHistory, turn } from '../../state/engine.fixture.ts';
import { createHeatController } from './controller.ts';
import { ROWS } from './grid.ts';
import { HEAT_PART } from './state.ts';

const SECOND = 1e9;
const RANGE: Filter = { kind: 'time', pattern: '0s..1s' };
const THREAD: Filter = { kind: 'label_focus', pattern: 'thread=main' };
const FOCUS: Filter = { kind: 'focus', pattern: 'run' };

/** Ten seconds in columns of a second. */
async function heatOf(filters: readonly Filter[] = []) {
  const asked: { readonly params: HeatParams }[] = [];
  const call = async (method: string, params: HeatParams) => {
    if (method === 'tracks') return { result: { origin: 0, length: 10 * SECOND, tracks: [] } };
    asked.push({ params });
    const value = new Float64Array(params.cells).fill(3);
    return { result: { untimed: 0, outside: 0 }, columns: { value } };
  };
  const engine = { call } as unknown as Engine;
  const history = fakeHistory();
  history.update({ filters }, 'replace');
  const spec = signal({ document: 0, filters } as unknown as ViewSpec);
  const [compare, refuse] = [vi.fn(), vi.fn()];
  const heat = createHeatController({ engine, spec, history, compare, refuse });
  await turn();
  return { heat, asked, history, spec, compare, refuse };
}

it('asks for all times, whichever are kept, and for what the search finds', async () => {
  const { asked, history } = await heatOf([RANGE, FOCUS]);
  expect(asked.at(-1)?.params).toMatchObject({
    view: { filters: [FOCUS] },
    cell: SECOND / ROWS,
    cells: 10 * ROWS,
  });
  history.update({ search: 'read' }, 'push');
  expect(asked.at(-1)?.params).toMatchObject({
    view: { filters: [FOCUS, { kind: 'search', pattern: 'read' }] },
  });
});

it('has no values while those of another grid are known', async () => {
  const { heat, history } = await heatOf();
  expect(heat.values.value).toHaveLength(10 * ROWS);
  expect(heat.summary.value).toEqual({ most: 3, sum: 3 * 10 * ROWS });
  history.update(withState(history.view.value, HEAT_PART, { column: 5 * SECOND }), 'push');
  expect(heat.values.value).toBeUndefined();
  await turn();
  expect(heat.values.value).toHaveLength(2 * ROWS);
});

it('keeps the time of what was dragged over, in the place of another range', async () => {
  const { heat, history } = await heatOf([RANGE, FOCUS]);
  heat.press([2, 0]);
  heat.moveTo([3, ROWS - 1]);
  expect(heat.pointed.value).toEqual({ from: [2, 0], to: [3, ROWS - 1] });
  heat.release(false);
  expect(history.view.value.filters).toEqual([FOCUS, { kind: 'time', pattern: '2s..4s' }]);
  expect(heat.ranges.value).toEqual([{ from: 2 * SECOND, to: 4 * SECOND }]);
  heat.escape();
  expect(history.view.value.filters).toEqual([FOCUS]);
});

it('compares cells with the range that is kept, with the same threads', async () => {
  const { heat, history, compare } = await heatOf([RANGE, THREAD, FOCUS]);
  heat.press([4, 0]);
  heat.moveTo([4, ROWS - 1]);
  heat.release(true);
  expect(history.view.value.filters).toContain(RANGE);
  heat.compare();
  expect(compare).toHaveBeenCalledWith(
    [RANGE, THREAD],
    [THREAD, { kind: 'time', pattern: '4s..5s' }],
  );
});

it('needs a range that cells are compared with', async () => {
  const { heat, history, compare, refuse } = await heatOf([FOCUS]);
  heat.compare();
  expect(refuse).not.toHaveBeenCalled();
  heat.walk([1, 0], false);
  heat.compare();
  expect(refuse).toHaveBeenCalledOnce();
  expect(compare).not.toHaveBeenCalled();
  // With Shift, too, the first range is kept.
  heat.press([1, 0]);
  heat.release(true);
  expect(history.view.value.filters).toHaveLength(2);
});

it('a drag that is broken off chooses nothing', async () => {
  const { heat, history } = await heatOf();
  heat.press([1, 1]);
  heat.cancel();
  heat.release(false);
  expect(history.view.value.filters).toEqual([]);
  heat.moveTo([2, 2]);
  expect(heat.pointed.value?.to).toEqual([2, 2]);
  heat.leave();
  expect(heat.pointed.value).toBeUndefined();
});
