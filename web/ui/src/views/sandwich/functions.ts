import type { Answer } from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { App } from '../../state/app.ts';
import { comparedMetric } from '../../state/comparison.ts';
import { calleesOf } from '../../state/nodes.ts';
import { type Loaded, resource } from '../../state/resource.ts';
import type { SharedRow } from '../details/ShareList.tsx';

export type FunctionOrder = 'change' | 'total' | 'self';

/** The list of functions beside the sandwich, and which of them is shown. */
export interface Functions {
  readonly order: Signal<FunctionOrder>;
  /** Whether there are changes to order by. */
  readonly compares: ReadonlySignal<boolean>;
  readonly filter: Signal<string>;
  readonly list: ReadonlySignal<Loaded<FunctionRows>>;
  /** Key of the shown function. */
  readonly chosen: ReadonlySignal<number | undefined>;
  /** Its name and values. */
  readonly shown: ReadonlySignal<Loaded<Answer<'details'>>>;
  dispose(): void;
}

export interface FunctionRows {
  readonly rows: readonly Pick<SharedRow & { key: number }, 'key' | 'name' | 'value'>[];
  readonly whole: bigint;
  /** Of the values. */
  readonly metric: number;
  readonly matches: number;
}

/** Functions in the list. */
const MOST_LISTED = 300;

export function createFunctions(app: App): Functions {
  const compared = computed(() =>
    app.profile.spec.value === undefined
      ? undefined
      : comparedMetric(app.profile.summary.value, app.profile.spec.value.metric)?.metric,
  );
  const order = signal<FunctionOrder>(compared.peek() === undefined ? 'total' : 'change');
  const filter = signal('');
  const input = computed(() =>
    app.profile.spec.value === undefined
      ? undefined
      : {
          spec: app.profile.spec.value,
          order: order.value,
          pattern: filter.value,
          compared: compared.value,
        },
  );
  const listed = resource(input, async ({ spec, order, pattern, compared }, abort) => {
    const byChange = order === 'change' && compared !== undefined;
    const metric = byChange ? compared.change : spec.metric;
    // Shares of changes are shares of the base.
    const metrics = byChange ? [metric, compared.base] : [metric];
    const by = order === 'self' ? 'self_value' : 'total_value';
    const { result, columns } = await app.engine.call(
      'functions',
      {
        view: spec,
        metrics,
        sort: { by, metric, reverse: false },
        filter: pattern,
        direction: null,
        first: 0,
        count: MOST_LISTED,
      },
      { signal: abort },
    );
    return {
      rows: result.rows.map(({ key, name, label }, index) => ({
        key,
        name: label ?? name,
        value: columns[by][index * metrics.length] ?? 0n,
      })),
      whole: columns.scale.at(-1) ?? 0n,
      metric,
      matches: result.total_rows,
    };
  });
  const list = listed.state;
  // Opened without a function, the sandwich shows what was selected elsewhere.
  const before = app.profile.selection.selected.peek().value;
  const first = before === undefined || before.isProgram ? undefined : before.details.result.key;
  const chosen = computed(() => {
    const { fn } = app.view.value;
    if (fn !== undefined) return fn;
    if (first !== undefined) return first;
    return list.value.value?.rows[0]?.key;
  });
  // The function is the root of the tree of what it calls.
  const shown = resource(
    computed(() =>
      chosen.value === undefined || app.profile.spec.value === undefined
        ? undefined
        : calleesOf(app.profile.spec.value, chosen.value),
    ),
    async (view, abort) =>
      app.engine.call('details', { view, instance: null, node: 0 }, { signal: abort }),
  );
  return {
    order,
    compares: computed(() => compared.value !== undefined),
    filter,
    list,
    chosen,
    shown: shown.state,
    dispose() {
      listed.dispose();
      shown.dispose();
    },
  };
}
