import type { Engine, Filter, ViewSpec } from '@hotframe/engine';
import { asEngineError } from '../resource.ts';

/** What is wrong with a filter; undefined where it can be used. */
export async function problemOf(
  engine: Engine,
  spec: ViewSpec,
  filter: Filter,
): Promise<string | undefined> {
  try {
    await engine.call('filters', { view: { ...spec, filters: [filter] } });
    return undefined;
  } catch (reason) {
    const error = asEngineError(reason);
    return error.code === 'bad_pattern' ? `${error.message}. ${error.hint}` : undefined;
  }
}

/** The filters of a view that can be used, and what is wrong with the first that cannot. */
export async function usable(
  engine: Engine,
  spec: ViewSpec,
): Promise<{ readonly filters: readonly Filter[]; readonly problem: string | undefined }> {
  const problems = await Promise.all(spec.filters.map((one) => problemOf(engine, spec, one)));
  return {
    filters: spec.filters.filter((_, index) => problems[index] === undefined),
    problem: problems.find((problem) => problem !== undefined),
  };
}
