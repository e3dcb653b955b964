import type { Engine, EstimateInfo, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import { distinct } from '../distinct.ts';
import { resource } from '../resource.ts';
import type { MetricState } from './metric.ts';

/** Functions that are exact up to some call only, by key. */
export type Estimates = ReadonlyMap<number, EstimateInfo>;

/** Those of the shown tree; most profiles have none, and none are asked for. */
export function createEstimates(
  engine: Engine,
  { summary }: Pick<MetricState, 'summary'>,
  spec: ReadonlySignal<ViewSpec | undefined>,
): { readonly estimates: ReadonlySignal<Estimates> } {
  // Keys are numbers of a document at a granularity: another filter has the same.
  const input = distinct((): ViewSpec | undefined => {
    const tree = spec.value;
    if (tree === undefined || (summary.value?.switched_off ?? 0) === 0) return undefined;
    return { ...tree, metric: 0, filters: [] };
  });
  const { state } = resource(input, async (view, signal) => {
    const { result } = await engine.call('estimates', { view }, { signal });
    return new Map(result.rows.map((row) => [row.key, row]));
  });
  return { estimates: computed(() => state.value.value ?? new Map()) };
}
