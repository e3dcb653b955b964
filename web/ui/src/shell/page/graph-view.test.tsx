// @vitest-environment happy-dom
import type { GraphElementResult, GraphOverlayResult, GraphSummaryResult } from '@hotframe/engine';
import { afterEach, expect, it } from 'vitest';
import { type Answers, closePages, type FakePage, openPage } from './page.fixture.tsx';
import { documentsOf, listing } from './profile.fixture.ts';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';

afterEach(closePages);

const SUMMARY: GraphSummaryResult = {
  title: 'gemm.sdfg',
  name: 'gemm',
  dace_version: '',
  operations: 'dace',
  communications: 0,
  graphs: 1,
  states: 1,
  nodes: 5,
  edges: 3,
  depth: 2,
  symbols: [],
  containers: [],
  warnings: [],
  opened_s: null,
  measurements: [],
};

const OVERLAY: GraphOverlayResult = {
  nodes: null,
  edges: null,
  ramp: [],
  totals: [],
  unset: [],
};

/** What is told of an element. */
function elementOf(element: number): GraphElementResult {
  const label = ['g', 's', 'a', 'b', 'm', 'c', 't', 'x'][element] ?? '';
  const cost = {
    name: '',
    text: '',
    value: null,
    unit: '',
  } as unknown as GraphElementResult['times'];
  return {
    id: String(element),
    kind: 'access',
    label,
    path: [],
    properties: [],
    each: [],
    whole: [],
    times: cost,
    base: [],
    measured: [],
    code: null,
    source: null,
    neighbours: [],
  };
}

/** A graph whose map is unfolded where that is asked for. */
const ENGINE: Answers = {
  ...listing(
    documentsOf('gemm.sdfg').map((info) => ({
      ...info,
      state: { kind: 'ready', shows: 'graph' },
    })),
  ),
  graph_summary: () => ({ result: SUMMARY }),
  graph_drawing: ({ view }) => {
    const { result, columns } = sampleDrawing(view.opened.includes(4));
    return { result, columns };
  },
  graph_overlay: ({ view }) => {
    const { count, edgeCount } = sampleDrawing(view.opened.includes(4));
    return {
      result: OVERLAY,
      columns: {
        node_value: new Float64Array(count),
        node_position: new Float64Array(count),
        edge_value: new Float64Array(edgeCount),
        edge_position: new Float64Array(edgeCount),
      },
    };
  },
  graph_element: ({ element }) => ({ result: elementOf(element) }),
  graph_search: ({ text }) => ({
    result: {
      matches:
        text === 't' ? [{ element: 6, id: '6', kind: 'tasklet', label: 't', path: [1, 4] }] : [],
      total: 1,
    },
  }),
};

/** A page with the keyboard in its graph, which is so small that all of it is in sight. */
async function openGraph(hash = '') {
  const page = await openPage(ENGINE, { hash });
  await page.until(() => page.count('tree', 'Dataflow graph') === 1);
  const picture = page.find('tree', 'Dataflow graph');
  picture.focus();
  return { page, picture };
}

/** What a screen reader says of the selected element. */
const said = (page: FakePage) => page.texts('.graph-canvas > [role=status]')[0];
const boxes = (page: FakePage) => page.texts('[data-scope=graph] [role=treeitem]');

/** The whole drawing in the middle of a picture of 1000 by 600 pixels. */
const CAMERA = 'gx=120~150~1';
/** Where a place of the drawing is in it. */
const at = (x: number, y: number) => [380 + x, 150 + y] as const;

it('is walked along edges with keys, and tells about the selected element', async () => {
  const { page } = await openGraph();
  await page.press('ArrowDown', 'i');
  expect(said(page)).toBe('data, a');
  await page.press('ArrowDown');
  expect(said(page)).toBe('map, m');
  expect(page.texts('.graph-panel h2')).toEqual(['m']);
  expect(page.hash().get('gi')).toBe('4');
  await page.press('u');
  expect(said(page)).toBe('state, s');
  await page.press('Escape');
  expect(said(page)).toBe('');
  expect(page.texts('.graph-panel h2')).toEqual(['gemm']);
});

it('unfolds what is selected with Enter, and folds it again', async () => {
  const { page } = await openGraph('#gi=4');
  expect(boxes(page)).not.toContain('tasklet, t');
  await page.press('Enter');
  expect(page.last('graph_drawing')?.view.opened).toEqual([4]);
  expect(boxes(page)).toContain('tasklet, t');
  await page.press('Enter');
  expect(page.last('graph_drawing')?.view).toMatchObject({
    opened: [],
    closed: [4],
  });
});

it('selects what is clicked, and opens its menu', async () => {
  const { page, picture } = await openGraph(CAMERA);
  await page.clickAt(picture, ...at(50, 60));
  expect(said(page)).toBe('data, a');
  await page.clickAt(picture, ...at(90, 140), 'right');
  expect(page.texts('.menu h2')).toEqual(['m']);
  await page.click(page.find('menuitem', /^Unfold/));
  expect(page.last('graph_drawing')?.view.opened).toEqual([4]);
  await page.clickAt(picture, 990, 590);
  expect(said(page)).toBe('');
});

it('has a tooltip of what the pointer is over', async () => {
  const { page, picture } = await openGraph(CAMERA);
  await page.pointAt(picture, ...at(90, 180));
  expect(page.texts('.tooltip')).toHaveLength(1);
  await page.pointAt(picture, ...at(50, 60));
  expect(page.texts('.tooltip')[0]).toMatch(/^a ?data/);
  await page.pointAt(picture, 990, 590);
  expect(page.texts('.tooltip')).toEqual([]);
});

it('jumps to what the search finds, in containers that are folded', async () => {
  const { page } = await openGraph();
  await page.seek('Search', 't');
  await page.until(() => said(page) === 'tasklet, t');
  expect(page.last('graph_drawing')?.view.opened).toEqual([4]);
});

it('has an outline, which selects', async () => {
  const { page } = await openGraph();
  await page.press('o');
  await page.click(
    page.all('.graph-outline [role=treeitem]').find((row) => /\ba$/.test(row.textContent))!,
  );
  expect(said(page)).toBe('data, a');
  await page.press('o');
  expect(page.all('.graph-outline')).toEqual([]);
});

it('keeps in the address where one looks', async () => {
  const { page } = await openGraph();
  expect(page.app.graph.view.value.camera).toBeUndefined();
  await page.press('+');
  await page.until(() => page.app.graph.view.value.camera !== undefined);
  const { camera } = page.app.graph.view.value;
  const again = await page.reload();
  expect(again.app.graph.view.value.camera).toEqual(camera);
});
