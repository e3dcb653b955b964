import type { ViewSpec } from '@hotframe/engine';
import { computed, signal } from '@preact/signals';
import { followKeys, isMerged, type Scene } from '../../canvas/scene.ts';
import type { App } from '../../state/app.ts';
import { resource } from '../../state/resource.ts';
import { NO_ZOOM } from '../../state/view-state.ts';
import { loadScene, rootKeys } from '../flame/source.ts';
import { MOST_RINGS } from './rings.ts';

/** Most arcs: more are too narrow to be told apart. */
const MOST_ARCS = 2000;

/** What is shown: the scene, and from which share of the circle on arcs are their own. */
export interface Shown {
  readonly scene: Scene;
  readonly cut: number;
}

export function createSunburst(app: App, first: ViewSpec) {
  const spec = signal(first);
  const input = computed(() => {
    const { zoom, search, labels, charts } = app.view.value;
    const subject = { spec: spec.value, path: zoom.path, search, labels };
    return JSON.stringify({ subject, cut: charts.cut / 1000 });
  });
  const { state, dispose } = resource(input, async (text, abort): Promise<Shown> => {
    const { subject, cut: wanted } = JSON.parse(text) as {
      subject: Scene['subject'];
      cut: number;
    };
    for (let cut = wanted; ; cut *= 2) {
      // An arc of the least share is a view unit wide.
      const window = { from: 0, to: 1, width: 1 / cut, firstRow: 0, rows: MOST_RINGS + 1 };
      const scene = await loadScene(app.engine, subject, window, undefined, abort);
      if (scene.count <= MOST_ARCS || cut > 0.2) return { scene, cut };
    }
  });
  const scene = computed(() => state.value.value?.scene);
  /** The box of the selected frame; none where it is not drawn. */
  const selected = computed(() => {
    const current = scene.value;
    if (current === undefined) return undefined;
    const { selection } = app.profile;
    const node = selection.nodeIn(current.subject.spec, current.result.instance);
    return node === undefined ? undefined : current.indexOfNode.get(node);
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
  return {
    spec,
    state,
    scene,
    selected,
    pathOf,
    zoomToPath,
    /** Selects a frame, as in the flame graph. */
    select(box: number | undefined): void {
      const current = scene.peek();
      if (current === undefined || box === undefined || isMerged(current, box)) return;
      const path = pathOf(current, box);
      const { instance } = current.result;
      const place = { instance, node: current.boxes.node[box]!, nodes: [] };
      app.profile.selection.pick({ spec: current.subject.spec, place, path });
      app.update({ selection: path }, 'replace');
    },
    /** Makes a frame the root; the root itself goes back to its caller. */
    zoomTo(box: number): void {
      const current = scene.peek();
      if (current === undefined || isMerged(current, box)) return;
      const path = pathOf(current, box);
      zoomToPath(current.boxes.row[box] === 0 ? path.slice(0, -1) : path);
    },
    /** The box of some keys, where it is drawn. */
    boxOf: (current: Scene, path: readonly number[]) =>
      followKeys(current, path.slice(rootKeys(current).length)),
    dispose,
  };
}
