import type { ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Size } from '../../canvas/rect.ts';
import type { SceneSubject } from '../../canvas/scene.ts';
import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { treeChart } from '../charts/tree.ts';
import { loadTreemap } from '../flame/source.ts';

/** What the engine is asked for. */
interface Asked {
  readonly subject: SceneSubject;
  readonly size: Size;
  /** Share of the root that a box of its own has at least. */
  readonly least: number;
}

export function createTreemap(
  app: App,
  spec: ReadonlySignal<ViewSpec>,
  size: ReadonlySignal<Size>,
) {
  const input = distinct((): Asked | undefined => {
    const { zoom, search, labels } = app.view.value;
    const { cut } = stateOf(app.view.value, CHARTS_PART);
    const [width, height] = [Math.floor(size.value.width), Math.floor(size.value.height)];
    if (width < 1 || height < 1) return undefined;
    const subject = { spec: spec.value, path: zoom.path, search, labels };
    return { subject, size: { width, height }, least: cut / 1000 };
  });
  const { state, dispose } = resource(input, ({ subject, size: room, least }, abort) =>
    loadTreemap(app.engine, subject, room, least, abort),
  );
  const scene = computed(() => state.value.value);
  return { state, scene, dispose, ...treeChart(app, scene) };
}
