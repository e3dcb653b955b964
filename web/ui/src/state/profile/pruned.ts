import type { MetricInfo } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ViewHistory } from '../history.ts';
import type { Pruned } from '../pruning.ts';
import type { MetricState } from './metric.ts';

/** What is left out of trees, and what is shown in spite of that. */
export interface PrunedState {
  /** Undefined where nothing is to be left out. */
  readonly pruned: ReadonlySignal<Pruned | undefined>;
  /** Shows what is left out right below a node, with all below that. */
  revealBelow(path: readonly number[]): void;
}

const NONE: ReadonlySet<string> = new Set();
const NO_METRICS: readonly MetricInfo[] = [];

export function createPruned(
  document: ReadonlySignal<number | undefined>,
  { view }: Pick<ViewHistory, 'view'>,
  { summary }: Pick<MetricState, 'summary'>,
): PrunedState {
  // One by one, so that other changes of the view prune nothing anew.
  const hideBelow = computed(() => view.value.hideBelow);
  const levels = computed(() => view.value.levels);
  // Keys mean nothing in another tree, and another threshold is another question.
  const kind = computed(() => {
    const { granularity, shape, members } = view.value;
    return [document.value, granularity, shape, members, hideBelow.value, levels.value].join(' ');
  });
  const held = signal({ kind: '', paths: NONE });
  const revealed = computed(() => (held.value.kind === kind.value ? held.value.paths : NONE));
  return {
    pruned: computed(() =>
      hideBelow.value === 0 && levels.value === undefined
        ? undefined
        : {
            hideBelow: hideBelow.value,
            levels: levels.value,
            metrics: summary.value?.metrics ?? NO_METRICS,
            isComparison: summary.value?.comparison != null,
            revealed: revealed.value,
          },
    ),
    revealBelow(path) {
      held.value = { kind: kind.peek(), paths: new Set(revealed.peek()).add(pathText(path)) };
    },
  };
}

/** A path as `Pruned.revealed` has it. */
export function pathText(path: readonly number[]): string {
  return path.join('.');
}

export function pathBelow(above: string, key: number): string {
  return above === '' ? String(key) : `${above}.${key}`;
}
