import { computed, type ReadonlySignal } from '@preact/signals';
import { isMerged, labelOf, nameOf, type Scene } from '../../canvas/scene.ts';
import type { App } from '../../state/app.ts';
import { type ActedFrame, isCallable } from '../../state/frame-actions.ts';
import type { MainFlame } from '../../state/profile/look.ts';
import { useShared } from '../../state/shared.ts';
import { NO_ZOOM } from '../../state/view-state.ts';
import { rootKeys } from '../flame/source.ts';

/** What charts of a tree have in common: the selected frame, and where they are zoomed to. */
export interface TreeChart {
  /** The box of the selected frame; none where it is not drawn. */
  readonly selected: ReadonlySignal<number | undefined>;
  /** The selected frame, where it is one. */
  readonly acted: ReadonlySignal<ActedFrame | undefined>;
  zoomToPath(path: readonly number[]): void;
  /** Selects what stands beside the selected frame; the root where none is. */
  walk(next: (current: Scene, box: number) => number | undefined): () => void;
  /** Selects a frame, as in the flame graph. */
  select(box: number | undefined): void;
  /** Makes a frame the root; the root itself goes back to its caller. */
  zoomTo(box: number): void;
  /** Goes back to the root's caller, else lets go of what is selected. */
  zoomOut(): void;
}

export function treeChart(app: App, scene: ReadonlySignal<Scene | undefined>): TreeChart {
  const selected = computed(() => {
    const current = scene.value;
    if (current === undefined) return undefined;
    const { selection } = app.profile;
    const node = selection.nodeIn(current.subject.spec, current.result.instance);
    return node === undefined ? undefined : current.indexOfNode.get(node);
  });
  const acted = computed((): ActedFrame | undefined => {
    const [current, box] = [scene.value, selected.value];
    if (current === undefined || box === undefined || isMerged(current, box)) return undefined;
    const isFunction = isCallable(current.subject.spec, pathOf(current, box).length);
    const key = isFunction ? current.boxes.key[box] : undefined;
    return { name: nameOf(current, box), label: labelOf(current, box), key };
  });
  /** Keys from below the whole program down to a box. */
  function pathOf(current: Scene, box: number): readonly number[] {
    const keys: number[] = [];
    const { node, parent, key, row } = current.boxes;
    for (let at: number | undefined = box; at !== undefined && row[at]! > 0;) {
      keys.unshift(key[at]!);
      at = node[at] === parent[at] ? undefined : current.indexOfNode.get(parent[at]!);
    }
    return [...rootKeys(current), ...keys];
  }
  function zoomToPath(path: readonly number[]): void {
    const { zoom } = app.view.peek();
    const stops = path.length === 0 ? [] : [...zoom.stops, zoom.path.length];
    app.update({ zoom: { ...NO_ZOOM, path, stops } }, 'push');
  }
  function select(box: number | undefined): void {
    const current = scene.peek();
    if (current === undefined || box === undefined || isMerged(current, box)) return;
    const path = pathOf(current, box);
    const { instance } = current.result;
    const place = { instance, node: current.boxes.node[box]!, nodes: [] };
    app.profile.selection.pick({ spec: current.subject.spec, place, path });
    app.update({ selection: path }, 'replace');
  }
  return {
    selected,
    acted,
    zoomToPath,
    walk: (next) => () => {
      const [current, from] = [scene.peek(), selected.peek()];
      if (current !== undefined) select(from === undefined ? 0 : next(current, from));
    },
    select,
    zoomTo(box) {
      const current = scene.peek();
      if (current === undefined || isMerged(current, box)) return;
      const path = pathOf(current, box);
      zoomToPath(current.boxes.row[box] === 0 ? path.slice(0, -1) : path);
    },
    zoomOut() {
      const { path } = app.view.peek().zoom;
      if (path.length > 0) zoomToPath(path.slice(0, -1));
      else {
        app.profile.selection.pick(undefined);
        app.update({ selection: [], fn: undefined }, 'replace');
      }
    },
  };
}

/** Makes a chart of a tree what the page takes for its flame graph, while it is on screen. */
export function useAsFlame(app: App, { zoomToPath }: TreeChart, scene: MainFlame['scene']): void {
  useShared(app.profile.flame, () => ({ scene, zoomToPath }), []);
}

/** The chosen functions that a tree lights up. */
export function litIn(app: App, { subject }: Scene): ReadonlySet<number> {
  const { fn, fns } = app.view.value;
  // In the flat shape keys of modules, files and functions are each counted from 0.
  if (subject.spec.shape.kind === 'flat') return new Set();
  return new Set(fn === undefined ? fns : [...fns, fn]);
}
