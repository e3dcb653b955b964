// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../state/app.ts';
import { createDispatcher } from '../../state/commands.ts';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { PAGE_KEYS } from '../../state/key-bindings.ts';
import { ServicesProvider } from '../../state/services.ts';
import { createGraphController } from './controller.ts';
import { fakeGraph, SIZE } from './graph.fixture.ts';
import { GraphCanvas } from './GraphCanvas.tsx';
import { GRAPH_KEYS } from './keys.ts';

const root = document.createElement('div');

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  HTMLElement.prototype.setPointerCapture = () => {};
  document.body.append(root);
});
afterEach(() => {
  render(null, root);
  root.remove();
  vi.unstubAllGlobals();
});

/** A graph at its place: a unit of the drawing is a pixel, and its corner is that of the picture. */
async function draw() {
  const given = fakeGraph(sampleDrawing(false), { camera: { x: 400, y: 300, zoom: 1 } });
  const graph = {
    ...given.graph,
    error: signal(undefined),
    busy: signal(false),
    summed: signal([]),
    search: signal({ value: undefined }),
    stepMatch: vi.fn(),
  };
  const source = { pointed: vi.fn(), openSelected: vi.fn() };
  const theme = { shown: signal('light') };
  // The overview is put away.
  const layout = { sizeOf: () => 0 };
  const app = { graph, source, theme, layout } as unknown as App;
  const controller = createGraphController(app.graph);
  controller.size.value = SIZE;
  const commands = createDispatcher(window, () => [PAGE_KEYS, GRAPH_KEYS]);
  await act(() =>
    render(
      <ServicesProvider value={{ app, commands }}>
        <GraphCanvas controller={controller} />
      </ServicesProvider>,
      root,
    ),
  );
  const picture = root.querySelector<HTMLElement>('.picture')!;
  picture.focus();
  const texts = (selector: string) =>
    [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
  return {
    ...given,
    source,
    texts,
    said: () => texts('[role=status]')[0],
    press: (key: string) =>
      act(() => void picture.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))),
    point: (kinds: readonly string[], clientX: number, clientY: number) =>
      act(() => {
        const init = { clientX, clientY, pointerId: 1, isPrimary: true, bubbles: true };
        for (const kind of kinds) {
          picture.dispatchEvent(new PointerEvent(kind, { ...init, pointerType: 'mouse' }));
        }
      }),
  };
}

const CLICK = ['pointerdown', 'pointerup'];

it('is walked with keys, and folds what is selected', async () => {
  const { press, said, folds } = await draw();
  for (const key of ['ArrowDown', 'i', 'ArrowDown']) await press(key);
  expect(said()).toBe('map, m');
  await press('Enter');
  expect(folds).toEqual([[4, true]]);
  await press('Escape');
  expect(said()).toBe('');
});

it('selects what is clicked, whose source an editor may show', async () => {
  const { point, said, source } = await draw();
  await point(CLICK, 50, 60);
  expect(said()).toBe('data, a');
  expect(source.pointed).toHaveBeenCalledOnce();
  await point(CLICK, 500, 500);
  expect(said()).toBe('');
});

it('folds at the chevron of a container, and selects nothing there', async () => {
  const { point, said, folds } = await draw();
  await point(CLICK, 14, 16);
  expect([folds, said()]).toEqual([[[1, false]], '']);
});

it('says what is under the pointer, and what can be done with it', async () => {
  const { point, texts, folds } = await draw();
  await point(['pointermove'], 50, 60);
  expect(texts('.tooltip h2')).toEqual(['a']);
  await point(['contextmenu'], 90, 140);
  expect(texts('.tooltip')).toEqual([]);
  expect(texts('.menu h2')).toEqual(['m']);
  expect(texts('[role=menuitem]')[0]).toMatch(/^Unfold/);
  await act(() => root.querySelector<HTMLElement>('[role=menuitem]')!.click());
  expect([folds, texts('.menu')]).toEqual([[[4, true]], []]);
});
