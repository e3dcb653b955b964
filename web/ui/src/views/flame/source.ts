import type { Engine } from '@hotframe/engine';
import type { Size } from '../../canvas/rect.ts';
import {
  createScene,
  type Scene,
  type SceneSubject,
  type SceneWindow,
} from '../../canvas/scene.ts';
import { locate, type Place, samePath, specKey, withPlace } from '../../state/nodes.ts';

/** Asks the engine for the boxes of a part of a flame graph. */
export async function loadScene(
  engine: Engine,
  subject: SceneSubject,
  window: SceneWindow,
  known: Place | undefined,
  signal: AbortSignal,
): Promise<Scene> {
  return withPlace(
    () => locate(engine, subject.spec, subject.path, signal),
    known,
    async (place) => {
      const { result, columns } = await engine.call(
        'flame',
        {
          view: subject.spec,
          instance: place.instance ?? null,
          root: place.node,
          from: window.from,
          to: window.to,
          width: window.width,
          first_row: window.firstRow,
          rows: window.rows,
          search: subject.search,
          labels: subject.labels,
        },
        { signal },
      );
      return createScene(subject, window, place.node, result, columns);
    },
  );
}

/** Asks the engine for the boxes of a treemap of a size, from a share of the root on. */
export async function loadTreemap(
  engine: Engine,
  subject: SceneSubject,
  size: Size,
  least: number,
  signal: AbortSignal,
): Promise<Scene> {
  return withPlace(
    () => locate(engine, subject.spec, subject.path, signal),
    undefined,
    async (place) => {
      const { result, columns } = await engine.call(
        'treemap',
        {
          view: subject.spec,
          instance: place.instance ?? null,
          root: place.node,
          width: size.width,
          height: size.height,
          least,
          search: subject.search,
          labels: subject.labels,
        },
        { signal },
      );
      const rows = result.total_rows;
      const window = { from: 0, to: 1, width: size.width, firstRow: 0, rows };
      return createScene(subject, window, place.node, result, columns);
    },
  );
}

/** The root of a scene as a place, to ask for more of the same. */
export function rootPlace(scene: Scene): Place {
  const nodes = scene.result.breadcrumb.filter(({ node }) => node !== 0);
  return { instance: scene.result.instance, node: scene.root, nodes };
}

/** Keys from below the whole program down to a scene's root, as the engine has it. */
export function rootKeys(scene: Scene): readonly number[] {
  return rootPlace(scene).nodes.map(({ key }) => key);
}

/** Whether two subjects show the same tree at the same root. */
export function sameRoot(a: SceneSubject, b: SceneSubject): boolean {
  return specKey(a.spec) === specKey(b.spec) && samePath(a.path, b.path);
}
