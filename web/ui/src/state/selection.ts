import type { Answer, Engine, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { isPane } from '../canvas/scene.ts';
import { locate, type Place, PROGRAM, specKey, withPlace } from './nodes.ts';
import { type Resource, resource } from './resource.ts';

/** Details of the whole program look at every sample; they let the picture go first. */
const PICTURE_FIRST_MS = 200;

/** What was picked: a node of a tree, by number as long as the engine knows it, and by keys. */
export interface Target {
  readonly spec: ViewSpec;
  readonly place: Place | undefined;
  /** Unknown until the engine has told, where a picture shows only a part of the way. */
  readonly path: readonly number[] | undefined;
}

/** What is known of the selected node. */
export interface Selected {
  readonly spec: ViewSpec;
  readonly place: Place;
  readonly path: readonly number[];
  readonly details: Answer<'details'>;
  /** Whether it is the whole program because nothing was picked. */
  readonly isProgram: boolean;
}

export interface Selection {
  readonly target: ReadonlySignal<Target | undefined>;
  readonly selected: Resource<Selected>['state'];
  /** The selected node's number in a tree, if it is a node of that tree. */
  nodeIn(spec: ViewSpec, instance: number): number | undefined;
  pick(target: Target | undefined): void;
}

/** The selected node and its details; without one, the details of the whole program. */
export function createSelection(
  engine: Engine,
  spec: ReadonlySignal<ViewSpec | undefined>,
): Selection {
  const target = signal<Target | undefined>(undefined);
  const wanted = computed<Target | undefined>(() => {
    if (target.value !== undefined) return target.value;
    return spec.value && { spec: spec.value, place: PROGRAM, path: [] };
  });
  const { state: selected } = resource(wanted, async (want, abort): Promise<Selected> => {
    if (target.peek() === undefined) await pause(PICTURE_FIRST_MS, abort);
    const path = () => want.path ?? want.place?.nodes.map(({ key }) => key) ?? [];
    return withPlace(
      () => locate(engine, want.spec, path(), abort),
      want.place,
      async (place) => {
        const details = await engine.call(
          'details',
          { view: want.spec, instance: place.instance ?? null, node: place.node },
          { signal: abort },
        );
        const nodes = details.result.path;
        return {
          spec: want.spec,
          place: { instance: details.result.instance, node: place.node, nodes },
          path: nodes.map(({ key }) => key),
          details,
          isProgram: place.node === 0 && !isPane(want.spec),
        };
      },
    );
  });
  return {
    target,
    selected,
    nodeIn(inSpec, instance) {
      const picked = target.value;
      if (picked === undefined || specKey(picked.spec) !== specKey(inSpec)) return undefined;
      if (picked.place?.instance === instance) return picked.place.node;
      const found = selected.value.value;
      const belongs = found !== undefined && !found.isProgram && found.place.instance === instance;
      return belongs && specKey(found.spec) === specKey(inSpec) ? found.place.node : undefined;
    },
    pick(next) {
      target.value = next;
    },
  };
}

/** Waits, unless the answer is not wanted any more. */
function pause(ms: number, abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    abort.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
