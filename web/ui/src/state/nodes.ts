import { type Engine, EngineError, type NodeName, type ViewSpec } from '@hotframe/engine';

/** A node by number; the numbers of one instance say nothing about another. */
export interface Place {
  readonly instance: number | undefined;
  readonly node: number;
  /** From below the whole program down to the node. */
  readonly nodes: readonly NodeName[];
}

export const PROGRAM: Place = { instance: undefined, node: 0, nodes: [] };

/** Finds the node of a path; where the view has no such node, the last that it has on the way. */
export async function locate(
  engine: Engine,
  spec: ViewSpec,
  path: readonly number[],
  signal?: AbortSignal,
): Promise<Place> {
  if (path.length === 0) return PROGRAM;
  const { result } = await engine.call('locate', { view: spec, path: [...path] }, { signal });
  const last = result.nodes.at(-1);
  return last === undefined
    ? PROGRAM
    : { instance: result.instance, node: last.node, nodes: result.nodes };
}

/**
 * Runs a call that needs node numbers and, if the engine has dropped the view they belong to,
 * once more with numbers found anew.
 */
export async function withPlace<T>(
  find: () => Promise<Place>,
  known: Place | undefined,
  run: (place: Place) => Promise<T>,
): Promise<T> {
  try {
    return await run(known ?? (await find()));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'view_expired') throw error;
    return run(await find());
  }
}

/** A text that is equal for equal trees. */
export function specKey(spec: ViewSpec): string {
  return JSON.stringify(spec);
}

export function samePath(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

/** Whether `path` goes through `prefix`. */
export function startsWith(path: readonly number[], prefix: readonly number[]): boolean {
  return prefix.length <= path.length && prefix.every((key, index) => key === path[index]);
}

export function calleesOf(spec: ViewSpec, key: number): ViewSpec {
  return { ...spec, shape: { kind: 'callees', key } };
}

export function callersOf(spec: ViewSpec, key: number): ViewSpec {
  return { ...spec, shape: { kind: 'callers', key } };
}
