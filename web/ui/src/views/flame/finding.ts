import type { Engine, FindColumns, FunctionRef } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Scene } from '../../canvas/scene.ts';
import { distinct } from '../../state/distinct.ts';
import { locate, withPlace } from '../../state/nodes.ts';
import { resource } from '../../state/resource.ts';
import type { BoxPlace } from './moves.ts';
import { rootPlace } from './source.ts';

/** Frames that one question finds. */
const MOST_FOUND = 1000;

/** The frames that match the search below the root, drawn or not: the widest first. */
export interface Matches {
  readonly search: string;
  readonly instance: number;
  readonly places: FindColumns;
  readonly count: number;
  /** Whether there are further ones. */
  readonly more: boolean;
}

export interface Finding {
  /** Undefined where nothing is searched for, or not found yet. */
  readonly matches: ReadonlySignal<Matches | undefined>;
  dispose(): void;
}

/** Finds what is searched for in the tree and below the root that a scene shows. */
export function createFinding(engine: Engine, scene: ReadonlySignal<Scene | undefined>): Finding {
  const question = distinct(() => {
    const { spec, path, search = '' } = scene.value?.subject ?? {};
    return spec === undefined || path === undefined || search === ''
      ? undefined
      : { spec, path, search };
  });
  const { state, dispose } = resource(
    question,
    ({ spec, path, search }, signal): Promise<Matches> => {
      return withPlace(
        () => locate(engine, spec, path, signal),
        rootPlace(scene.peek()!),
        async ({ instance, node }) => {
          const { result, columns } = await engine.call(
            'find',
            {
              view: spec,
              instance: instance ?? null,
              root: node,
              pattern: search,
              function: null,
              limit: MOST_FOUND,
            },
            { signal },
          );
          const { more } = result;
          const count = columns.node.length;
          return { search, instance: result.instance, places: columns, count, more };
        },
      );
    },
  );
  const matches = computed(() => {
    const { value, pending } = state.value;
    return pending || question.value === undefined ? undefined : value;
  });
  return { matches, dispose };
}

/** The frames of a function below the root that a scene shows. */
export async function findFunction(
  engine: Engine,
  { subject: { spec, path } }: Scene,
  of: FunctionRef,
): Promise<Pick<Matches, 'instance' | 'places'>> {
  const { instance, node } = await locate(engine, spec, path);
  const { result, columns } = await engine.call('find', {
    view: spec,
    instance: instance ?? null,
    root: node,
    pattern: '',
    function: of,
    limit: 1,
  });
  return { instance: result.instance, places: columns };
}

/** The match that comes after a node, and around from the last to the first; from elsewhere the widest. */
export function matchBeside(
  { places, count }: Matches,
  node: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (count === 0) return undefined;
  const at = node === undefined ? -1 : places.node.indexOf(node);
  if (at < 0) return by > 0 ? 0 : count - 1;
  return (at + by + count) % count;
}

export function placeOf({ places }: Pick<Matches, 'places'>, match: number): BoxPlace {
  return { x: places.x[match]!, width: places.width[match]!, row: places.row[match]! };
}
