import { computed, type ReadonlySignal } from '@preact/signals';
import { followKeys, isMerged, type Scene } from '../../canvas/scene.ts';
import type { App } from '../../state/app.ts';
import { NO_ZOOM } from '../../state/view-state.ts';
import { rootKeys } from '../flame/source.ts';

/** What charts of a tree have in common: the selected frame, and where they are zoomed to. */
export interface TreeChart {
  /** The box of the selected frame; none where it is not drawn. */
  readonly selected: ReadonlySignal<number | undefined>;
  /** Keys from below the whole program down to a box. */
  pathOf(current: Scene, box: number): readonly number[];
  zoomToPath(path: readonly number[]): void;
  /** Selects a frame, as in the flame graph. */
  select(box: number | undefined): void;
  /** Makes a frame the root; the root itself goes back to its caller. */
  zoomTo(box: number): void;
  /** Goes back to the root's caller, else lets go of what is selected. */
  zoomOut(): void;
  /** The box of some keys, where it is drawn. */
  boxOf(current: Scene, path: readonly number[]): number | undefined;
}

export function treeChart(app: App, scene: ReadonlySignal<Scene | undefined>): TreeChart {
  const selected = computed(() => {
    const current = scene.value;
    if (current === undefined) return undefined;
    const { selection } = app.profile;
    const node = selection.nodeIn(current.subject.spec, current.result.instance);
    return node === undefined ? undefined : current.indexOfNode.get(node);
  });
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
  return {
    selected,
    pathOf,
    zoomToPath,
    select(box) {
      const current = scene.peek();
      if (current === undefined || box === undefined || isMerged(current, box)) return;
      const path = pathOf(current, box);
      const { instance } = current.result;
      const place = { instance, node: current.boxes.node[box]!, nodes: [] };
      app.profile.selection.pick({ spec: current.subject.spec, place, path });
      app.update({ selection: path }, 'replace');
    },
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
    boxOf: (current, path) => followKeys(current, path.slice(rootKeys(current).length)),
  };
}
