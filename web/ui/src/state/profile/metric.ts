import type {
  CallOptions,
  ColourBy,
  Engine,
  EngineError,
  MetricInfo,
  SummaryResult,
} from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { comparedMetric } from '../comparison.ts';
import type { ViewHistory } from '../history.ts';
import type { Notices } from '../notices.ts';
import { asEngineError } from '../resource.ts';

/** What a profile is in all, and which of its metrics is shown. */
export interface MetricState {
  readonly summary: ReadonlySignal<SummaryResult | undefined>;
  /** Sums over all samples, one a metric. */
  readonly totals: ReadonlySignal<BigInt64Array>;
  /** Index of the shown metric. */
  readonly metric: ReadonlySignal<number>;
  readonly metricInfo: ReadonlySignal<MetricInfo>;
  /** Whether the shown values are changes, or frames have one: of a comparison. */
  readonly tellsChanges: ReadonlySignal<boolean>;
  /** What boxes are coloured by. */
  readonly colour: ReadonlySignal<ColourBy>;
  /** Shows a metric that the document has. */
  setMetric(metric: number): void;
  /** Defines a metric by a formula in a document; its index. */
  define(document: number, formula: string): Promise<number>;
  /** Shows the metric of a formula; the error where it cannot be one. */
  setFormula(formula: string): Promise<EngineError | undefined>;
}

/** The metrics of the shown profile, and how its summary is loaded. */
export interface Metrics extends MetricState {
  load(document: number, options: CallOptions): Promise<{ title: string; show(): void }>;
  clear(): void;
}

const NO_METRIC: MetricInfo = {
  name: '',
  unit: '',
  decimals: 0,
  formula: null,
  adds_up: true,
  signed: false,
  combine: 'sum',
};

export function createMetrics(
  engine: Engine,
  document: ReadonlySignal<number | undefined>,
  { view, update }: ViewHistory,
  { fail }: Notices,
): Metrics {
  const loaded = signal<{ summary: SummaryResult; totals: BigInt64Array } | undefined>(undefined);
  const summary = computed(() => loaded.value?.summary);
  const metric = computed(() => {
    const info = summary.value;
    const { metric: wanted, formula } = view.value;
    const defined = info?.metrics.findIndex((known) => known.formula === formula) ?? -1;
    if (formula !== undefined && defined >= 0) return defined;
    return wanted !== undefined && wanted < (info?.metrics.length ?? 0)
      ? wanted
      : (info?.default_metric ?? 0);
  });

  async function load(wanted: number, options: CallOptions = {}) {
    const { result, columns } = await engine.call('summary', { document: wanted }, options);
    return {
      title: result.title,
      show: () => {
        loaded.value = { summary: result, totals: columns.total };
      },
    };
  }

  /** Reads the summary again, which then has the metric. */
  async function define(wanted: number, formula: string): Promise<number> {
    const defined = await engine.call('define_metric', { document: wanted, name: '', formula });
    const again = await load(wanted);
    if (document.peek() === wanted && loaded.peek() !== undefined) again.show();
    return defined.result.metric;
  }

  async function setFormula(formula: string): Promise<EngineError | undefined> {
    const shown = document.peek();
    if (shown === undefined) return undefined;
    try {
      const index = await define(shown, formula);
      const written = summary.peek()?.metrics[index]?.formula ?? formula;
      const step = view.peek().formula === formula ? 'replace' : 'push';
      update({ metric: undefined, formula: written }, step);
      return undefined;
    } catch (error) {
      return asEngineError(error);
    }
  }

  // An address may name a formula that this document has not been asked for yet.
  effect(() => {
    const { formula } = view.value;
    const info = summary.value;
    if (formula === undefined || info === undefined || document.value === undefined) return;
    if (info.metrics.some((known) => known.formula === formula)) return;
    setFormula(formula).then((error) => {
      if (error === undefined) return;
      update({ formula: undefined }, 'replace');
      fail(error);
    }, fail);
  });

  const metricInfo = computed(() => summary.value?.metrics[metric.value] ?? NO_METRIC);
  const tellsChanges = computed(() => doesTellChanges(summary.value, metric.value));

  return {
    summary,
    tellsChanges,
    totals: computed(() => loaded.value?.totals ?? new BigInt64Array()),
    metric,
    metricInfo,
    colour: computed(() => colourIn(summary.value, metric.value, view.value.colour)),
    setMetric(wanted) {
      const formula = summary.peek()?.metrics[wanted]?.formula ?? undefined;
      // What a comparison has of each metric is always there, in the same order.
      const own = formula !== undefined && comparedMetric(summary.peek(), wanted) === undefined;
      update(own ? { metric: undefined, formula } : { metric: wanted, formula: undefined }, 'push');
    },
    setFormula,
    define,
    load,
    clear() {
      loaded.value = undefined;
    },
  };
}

/** What boxes in a metric are coloured by; what suits it where nothing was asked for. */
export function colourIn(
  summary: SummaryResult | undefined,
  metric: number,
  asked: ColourBy | undefined,
): ColourBy {
  if (doesTellChanges(summary, metric)) return asked ?? 'change';
  return asked === undefined || asked === 'change' ? 'module' : asked;
}

function doesTellChanges(summary: SummaryResult | undefined, metric: number): boolean {
  return summary?.comparison != null || (summary?.metrics[metric]?.signed ?? false);
}
