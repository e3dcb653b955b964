import type { ChosenNode, ViewSpec } from '@hotframe/engine';
import { pathInShape, type ShapeKind } from '../../state/view-state.ts';
import type { Chosen } from './state.ts';

/** Chooses a node in a role's pane; what was chosen in the panes after it goes with what it was. */
export function choose(chosen: Chosen, role: number, path: readonly number[]): Chosen {
  const before = Array.from({ length: role }, (_, index) => chosen[index] ?? []);
  return trimmed([...before, path]);
}

/** Chooses a pair of contexts, given as top-down paths. */
export function choosePair(
  chosen: Chosen,
  roles: readonly [number, number],
  paths: readonly [readonly number[], readonly number[]],
  shape: ShapeKind,
): Chosen {
  const last = Math.max(...roles);
  return trimmed(
    Array.from({ length: last + 1 }, (_, role) => {
      const of = roles.indexOf(role);
      return of < 0 ? (chosen[role] ?? []) : pathInShape(paths[of]!, 'top_down', shape);
    }),
  );
}

/** The tree of a role's pane: narrowed by what is chosen in the panes before it, in the pane's metric. */
export function paneSpec(
  spec: ViewSpec,
  role: number,
  chosen: Chosen,
  metric = spec.metric,
): ViewSpec {
  return roleSpec({ ...spec, metric }, role, chosen, (other) => other < role);
}

/** The tree of a role, narrowed by what is chosen in those of the others that count. */
export function roleSpec(
  spec: ViewSpec,
  role: number,
  chosen: Chosen,
  counts: (role: number) => boolean,
): ViewSpec {
  const nodes = chosen.flatMap((path, other): ChosenNode[] =>
    path.length > 0 && counts(other) ? [{ role: other, shape: spec.shape, path: [...path] }] : [],
  );
  return { ...spec, role: { role, chosen: nodes } };
}

/** The roles whose pairs are ranked: those asked for if they exist, else the last two. */
export function rankedRoles(
  count: number,
  asked: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  if (asked !== undefined && asked.every((role) => role < count)) return asked;
  return count < 2 ? undefined : [count - 2, count - 1];
}

function trimmed(chosen: Chosen): Chosen {
  return chosen.slice(0, chosen.findLastIndex((path) => path.length > 0) + 1);
}
