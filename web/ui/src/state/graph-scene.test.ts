import {
  type Engine,
  EngineError,
  type GraphShow,
  type GraphSummaryResult,
  type GraphView,
} from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { turn } from './engine.fixture.ts';
import { sampleDrawing } from './graph-drawing.fixture.ts';
import { createGraphScene } from './graph-scene.ts';

/** A graph's scene on an engine whose overlays may fail. */
function open() {
  const { view, result, columns } = sampleDrawing(false);
  const asked: string[] = [];
  const state = { fails: false };
  const call = async (method: string) => {
    asked.push(method);
    if (method === 'graph_drawing') return { result, columns };
    if (state.fails) throw new EngineError({ code: 'bad_request', message: 'no', hint: '' });
    return { result: {}, columns: {} };
  };
  const spec = signal<GraphView | undefined>(view);
  const show = signal<GraphShow | undefined>({ nodes: { kind: 'work' } } as GraphShow);
  const summary = signal<GraphSummaryResult | undefined>({ name: 'g' } as GraphSummaryResult);
  const graph = createGraphScene({ engine: { call } as unknown as Engine, spec, show, summary });
  return { graph, asked, spec, show, summary, state };
}

it('has a drawing once what is laid over it is known', async () => {
  const { graph, show } = open();
  expect([graph.scene.value, graph.busy.value]).toEqual([undefined, true]);
  await turn();
  expect(graph.scene.value?.overlay).toBeDefined();
  expect(graph.scene.value?.show).toBe(show.value);
  expect(graph.busy.value).toBe(false);
});

it('lays over anew where a measurement was joined, and does not draw', async () => {
  const { graph, summary, asked } = open();
  await turn();
  const { drawing } = graph.scene.value!;
  asked.length = 0;
  summary.value = { name: 'g' } as GraphSummaryResult;
  await turn();
  expect(asked).toEqual(['graph_overlay']);
  expect(graph.scene.value?.drawing).toBe(drawing);
});

it('shows a drawing without what cannot be laid over it, and says why', async () => {
  const { graph, state, show } = open();
  state.fails = true;
  await turn();
  expect(graph.scene.value?.drawing).toBeDefined();
  expect(graph.scene.value?.overlay).toBeUndefined();
  expect(graph.error.value?.message).toBe('no');
  state.fails = false;
  show.value = { nodes: { kind: 'depth' } } as GraphShow;
  await turn();
  expect(graph.error.value).toBeUndefined();
});

it('keeps the last scene until no graph is shown', async () => {
  const { graph, spec, summary } = open();
  await turn();
  spec.value = undefined;
  expect(graph.scene.value).toBeDefined();
  summary.value = undefined;
  expect(graph.scene.value).toBeUndefined();
});
