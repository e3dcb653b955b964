import type { DocumentInfo, Engine, GraphMeasurement, GraphSummaryResult } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeHistory, turn } from './engine.fixture.ts';
import { createGraph } from './graph.ts';
import { drawingOf, sampleDrawing } from './graph-drawing.fixture.ts';
import type { GraphViewState } from './graph-view.ts';

afterEach(() => void vi.useRealTimers());

const MEASURED = { title: 'm', metrics: [{ name: 'time', unit: 's' }] } as GraphMeasurement;
const SUMMARY = {
  title: 'g.sdfg',
  symbols: [{ name: 'N', suggested: 8, unknown: '' }],
  measurements: [] as GraphMeasurement[],
} as unknown as GraphSummaryResult;

/** Two states, of which nothing is shown. */
const STATES = drawingOf(
  {
    element: 0,
    kind: 'graph',
    label: 'g',
    at: [0, 0, 100, 100],
    boxes: [1, 2].map((element) => ({
      element,
      kind: 'state' as const,
      label: `s${element}`,
      at: [0, element * 30, 20, 20] as const,
    })),
  },
  [],
);

/** A graph's state, shown as document 0. */
async function open(summary: Partial<GraphSummaryResult> = {}, drawing = sampleDrawing(false)) {
  const call = async (method: string) => {
    if (method === 'graph_summary') return { result: { ...SUMMARY, ...summary } };
    if (method === 'graph_drawing') return { result: drawing.result, columns: drawing.columns };
    if (method === 'graph_search') {
      return { result: { matches: [{ element: 6, path: [1, 4] }], total: 1 } };
    }
    return { result: {}, columns: {} };
  };
  const history = fakeHistory();
  const shown = signal<number | undefined>(0);
  const list = signal<readonly DocumentInfo[] | undefined>(undefined);
  const graph = createGraph({
    engine: { call } as unknown as Engine,
    documents: { shown, list, refresh: async () => {} },
    wide: true,
    ...history,
  });
  const show = async () => {
    const loaded = await graph.load(0, {});
    loaded.show();
    await turn();
  };
  graph.drawFor(100);
  await show();
  const state = (): GraphViewState => history.view.value.graph;
  return { graph, history, shown, list, show, state };
}

it('tells what was measured when a graph is first shown, unless something else was chosen', async () => {
  const { graph, state, show } = await open({ measurements: [MEASURED] });
  expect(state().nodes).toBe('measured:time');
  graph.update({ nodes: 'none' }, 'push');
  await show();
  expect(state().nodes).toBe('none');
});

it('tells what moves where only closed states are drawn', async () => {
  expect((await open({}, STATES)).state().nodes).toBe('movement');
  expect((await open()).state().nodes).toBe('none');
});

it('opens the containers of what is jumped to, and selects it', async () => {
  const { graph, state } = await open();
  graph.jumpTo({ element: 6, path: [1, 4] });
  // The state is open already.
  expect(state()).toMatchObject({ opened: [4], selection: 6 });
  expect(graph.revealing.value?.element).toBe(6);
  graph.reveal(undefined);
  expect(graph.revealing.value).toBeUndefined();
});

it('goes to matches, and folds all else', async () => {
  const { graph, history, state } = await open();
  history.update({ search: 't' }, 'push');
  await turn();
  graph.stepMatch(1);
  expect([graph.match.value, state().selection]).toEqual([0, 6]);
  graph.foldAllButMatches();
  expect(state()).toMatchObject({ depth: 1, opened: [1, 4], closed: [] });
});

it('shows a symbol at once, and writes it once it rests', async () => {
  const { graph, state } = await open();
  vi.useFakeTimers();
  graph.setAllSymbols((value) => value * 2);
  expect(graph.show.value?.symbols).toEqual([{ name: 'N', value: 16 }]);
  expect([state().symbols, graph.rested.value.symbols]).toEqual([[], []]);
  vi.advanceTimersByTime(1000);
  expect(state().symbols).toEqual([{ name: 'N', value: 16 }]);
  graph.setSymbol('N', undefined);
  vi.advanceTimersByTime(1000);
  expect(state().symbols).toEqual([]);
});

it('forgets with another document what it was about to do in this one', async () => {
  const { graph, history, shown, state } = await open();
  history.update({ search: 't' }, 'push');
  await turn();
  graph.stepMatch(1);
  history.update({ search: '' }, 'push');
  expect(graph.match.value).toBe(0);
  vi.useFakeTimers();
  graph.setSymbol('N', 3);
  shown.value = 1;
  vi.advanceTimersByTime(1000);
  expect([graph.match.value, graph.revealing.value, state().symbols]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});

it('a depth takes the place of what was folded one by one', async () => {
  const { graph, state } = await open();
  graph.fold(4, true);
  graph.fold(1, false);
  expect(state()).toMatchObject({ opened: [4], closed: [1] });
  graph.setDepth(3);
  expect(state()).toMatchObject({ depth: 3, opened: [], closed: [] });
});

it('compares with no graph that was closed', async () => {
  const { graph, list, state } = await open();
  graph.update({ against: 4 }, 'push');
  list.value = [{ document: 0 }, { document: 4 }] as DocumentInfo[];
  expect(state().against).toBe(4);
  list.value = [{ document: 0 }] as DocumentInfo[];
  expect(state().against).toBeUndefined();
});
