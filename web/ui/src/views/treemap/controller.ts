import type { ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../canvas/rect.ts';
import type { SceneSubject } from '../../canvas/scene.ts';
import type { App } from '../../state/app.ts';
import { resource } from '../../state/resource.ts';
import { treeChart } from '../charts/tree.ts';
import { loadTreemap } from '../flame/source.ts';

/** What the engine is asked for. */
interface Asked {
  readonly subject: SceneSubject;
  readonly size: Size;
  /** Share of the root that a box of its own has at least. */
  readonly least: number;
}

export function createTreemap(app: App, first: ViewSpec, size: ReadonlySignal<Size>) {
  const spec = signal(first);
  const input = computed(() => {
    const { zoom, search, labels, charts } = app.view.value;
    const [width, height] = [Math.floor(size.value.width), Math.floor(size.value.height)];
    if (width < 1 || height < 1) return undefined;
    const subject = { spec: spec.value, path: zoom.path, search, labels };
    const asked: Asked = { subject, size: { width, height }, least: charts.cut / 1000 };
    return JSON.stringify(asked);
  });
  const { state, dispose } = resource(input, (text, abort) => {
    const { subject, size, least } = JSON.parse(text) as Asked;
    return loadTreemap(app.engine, subject, size, least, abort);
  });
  const scene = computed(() => state.value.value);
  return { spec, state, scene, dispose, ...treeChart(app, scene) };
}
