import type { AdviceResult, AdviceRuleInfo, Engine, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { distinct } from '../distinct.ts';
import { resource } from '../resource.ts';
import type { MetricState } from './metric.ts';

/** Rows of advice that are asked for. */
const MOST_ROWS = 100;
/** Contexts of profiles about which nobody is made to wait: a pass over them takes no time. */
const SOON = 1_000_000;

/** What rules say of the profile in its metric and filters. */
export interface AdviceState {
  /** Undefined while nothing is known. */
  readonly advice: ReadonlySignal<AdviceResult | undefined>;
  /** Whether it takes a while, and is asked for only if somebody wants it. */
  readonly advisesLater: ReadonlySignal<boolean>;
  readonly wantsAdvice: Signal<boolean>;
}

export function createAdvice(
  engine: Engine,
  { summary }: Pick<MetricState, 'summary'>,
  spec: ReadonlySignal<ViewSpec | undefined>,
  rules: readonly AdviceRuleInfo[],
): AdviceState {
  const wantsAdvice = signal(false);
  const isLarge = computed(() => (summary.value?.contexts ?? 0) > SOON);
  // Rules look at functions, whatever the tree shows.
  const input = distinct((): ViewSpec | undefined => {
    const view = spec.value;
    const known = summary.value;
    if (view === undefined || known === undefined || known.comparison !== null) return undefined;
    if (isLarge.value && !wantsAdvice.value) return undefined;
    const granularity = 'function' as const;
    const shape = { kind: 'flat' as const };
    return { ...view, granularity, shape, order: 'value', collapse_recursion: 'none' };
  });
  const { state } = resource(input, async (view, abort) => {
    const params = { view, rules: [...rules], limit: MOST_ROWS };
    const { result } = await engine.call('advice', params, { signal: abort });
    return result;
  });
  return {
    advice: computed(() => state.value.value),
    advisesLater: computed(() => isLarge.value && !wantsAdvice.value),
    wantsAdvice,
  };
}
