import type { ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Scene } from '../../canvas/scene.ts';
import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { treeChart } from '../charts/tree.ts';
import { loadScene } from '../flame/source.ts';
import { MOST_RINGS } from './rings.ts';

/** Most arcs: more are too narrow to be told apart. */
const MOST_ARCS = 2000;

/** What is shown: the scene, and from which share of the circle on arcs are their own. */
export interface Shown {
  readonly scene: Scene;
  readonly cut: number;
}

export function createSunburst(app: App, spec: ReadonlySignal<ViewSpec>) {
  const input = distinct(() => {
    const { zoom, search, labels } = app.view.value;
    const { cut } = stateOf(app.view.value, CHARTS_PART);
    const subject = { spec: spec.value, path: zoom.path, search, labels };
    return { subject, cut: cut / 1000 };
  });
  const { state, dispose } = resource(input, async (asked, abort): Promise<Shown> => {
    const { subject, cut: wanted } = asked;
    for (let cut = wanted; ; cut *= 2) {
      // An arc of the least share is a view unit wide.
      const window = { from: 0, to: 1, width: 1 / cut, firstRow: 0, rows: MOST_RINGS + 1 };
      const scene = await loadScene(app.engine, subject, window, undefined, abort);
      if (scene.count <= MOST_ARCS || cut > 0.2) return { scene, cut };
    }
  });
  const scene = computed(() => state.value.value?.scene);
  return { state, scene, dispose, ...treeChart(app, scene) };
}
