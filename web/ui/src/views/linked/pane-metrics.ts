import type { SummaryResult } from '@hotframe/engine';
import { wholeNumber } from '../../state/url-fields.ts';

/** A metric by its index; one that the page defines by its formula, as it has other indices elsewhere. */
export type MetricName = number | string;

/** By role, the metric of its pane; that of the page where undefined. */
export type PaneMetrics = readonly (MetricName | undefined)[];

/** No profile has more roles with a pane of their own. */
export const MOST_PANES = 16;

/** What stands before a formula in an address, which an index does not begin with. */
const FORMULA = '=';

/** How an address names a metric of a document. */
export function metricName(summary: SummaryResult, metric: number): MetricName {
  const formula = summary.metrics[metric]?.formula ?? undefined;
  // Those of a comparison are always there, in the same order.
  return formula === undefined || summary.comparison != null ? metric : formula;
}

/** The metric that a pane has of its own; undefined for that of the page, and where there is none such. */
export function paneMetric(
  summary: SummaryResult | undefined,
  asked: PaneMetrics,
  role: number,
): number | undefined {
  const name = asked[role];
  const metrics = summary?.metrics ?? [];
  if (typeof name === 'number') return name < metrics.length ? name : undefined;
  const at = name === undefined ? -1 : metrics.findIndex(({ formula }) => formula === name);
  return at < 0 ? undefined : at;
}

/** The same with another metric of a role's pane. */
export function withPaneMetric(
  asked: PaneMetrics,
  role: number,
  name: MetricName | undefined,
): PaneMetrics {
  const length = Math.max(asked.length, role + 1);
  return trimmed(Array.from({ length }, (_, index) => (index === role ? name : asked[index])));
}

/** The same with a metric named otherwise; without it where undefined. */
export function renamed(
  asked: PaneMetrics,
  name: MetricName,
  now: MetricName | undefined,
): PaneMetrics {
  return trimmed(asked.map((one) => (one === name ? now : one)));
}

/** The formulas among them that a document does not know yet. */
export function unknownFormulas(summary: SummaryResult, asked: PaneMetrics): readonly string[] {
  const names = asked.filter((name) => typeof name === 'string');
  return [...new Set(names)].filter(
    (name) => !summary.metrics.some(({ formula }) => formula === name),
  );
}

/** One entry a pane with a metric of its own: `1:2`, or `1:=hits / misses`. */
export function encodePaneMetrics(asked: PaneMetrics): readonly string[] {
  return asked.flatMap((name, role) =>
    name === undefined ? [] : [`${role}:${typeof name === 'string' ? FORMULA : ''}${name}`],
  );
}

/** The same read; what is none is left out. */
export function decodePaneMetrics(entries: readonly string[]): PaneMetrics {
  return entries.reduce<PaneMetrics>((asked, entry) => {
    const [, digits, written = ''] = /^(\d{1,2}):(.+)$/s.exec(entry) ?? [];
    const role = Number(digits);
    const name = written.startsWith(FORMULA)
      ? written.slice(FORMULA.length) || undefined
      : wholeNumber(written);
    return role < MOST_PANES && name !== undefined ? withPaneMetric(asked, role, name) : asked;
  }, []);
}

function trimmed(asked: PaneMetrics): PaneMetrics {
  return asked.slice(0, asked.findLastIndex((name) => name !== undefined) + 1);
}
