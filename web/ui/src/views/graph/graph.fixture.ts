import { signal } from '@preact/signals';
import type { GraphState, Reveal } from '../../state/graph.ts';
import type { GraphScene } from '../../state/graph-scene.ts';
import type { Drawing } from '../../state/graph-drawing.ts';
import { DEFAULT_GRAPH_VIEW, type GraphViewState } from '../../state/graph-view.ts';

export const SIZE = { width: 800, height: 600 };

/** A drawing with nothing laid over it. */
export function sceneOf(drawing: Drawing): GraphScene {
  return { drawing, overlay: undefined, show: {} as GraphScene['show'] };
}

/** The same graph as another document, or for another screen. */
export function viewedAs(drawing: Drawing, view: Partial<Drawing['view']>): Drawing {
  return { ...drawing, view: { ...drawing.view, ...view } };
}

/** A graph that asks no engine, and what was written to it. */
export function fakeGraph(drawing?: Drawing, state: Partial<GraphViewState> = {}) {
  const view = signal<GraphViewState>({ ...DEFAULT_GRAPH_VIEW, ...state });
  const screen = signal<number | undefined>(undefined);
  const revealing = signal<Reveal | undefined>(undefined);
  const folds: (readonly [number, boolean])[] = [];
  const given = {
    scene: signal(drawing && sceneOf(drawing)),
    view,
    screen,
    revealing,
    drawFor(next: number) {
      screen.value = next;
    },
    reveal(wanted: Reveal | undefined) {
      revealing.value = wanted;
    },
    busy: signal(false),
    update(change: Partial<GraphViewState>) {
      view.value = { ...view.value, ...change };
    },
    select(selection: number | undefined) {
      view.value = { ...view.value, selection };
    },
    fold: (element: number, open: boolean) => void folds.push([element, open]),
  };
  return { ...given, folds, graph: given as unknown as GraphState };
}
