import { effect, untracked } from '@preact/signals';
import { comparedMetric } from './comparison.ts';
import type { EditorHost } from './host.ts';
import type { MetricState } from './profile/metric.ts';

/**
 * Page and editor tell of one metric: what is chosen in one is shown in the other. When a page opens
 * it shows what the editor tells of, unless its view was kept with another metric.
 */
export function shareMetric(
  editor: Pick<EditorHost, 'onMetric' | 'chooseMetric'>,
  profile: Pick<MetricState, 'summary' | 'metric' | 'metricInfo' | 'setMetric' | 'setFormula'>,
): void {
  /** What the editor tells of. It comes before the summary where the page opens slowly. */
  let wanted: string | undefined;
  /** What is shown, of a document that has its summary. */
  let shown: string | undefined;

  function show(name: string) {
    const summary = profile.summary.peek();
    const compared = summary?.comparison?.metrics;
    if (compared !== undefined) {
      // The same values of it: both sides, the change.
      const side = comparedMetric(summary, profile.metric.peek())?.side ?? 'both';
      const metric = compared.find((one) => one.name === name);
      if (metric !== undefined) profile.setMetric(metric[side]);
      return;
    }
    const metrics = summary?.metrics ?? [];
    const known = metrics.findIndex((metric) => metric.name === name);
    if (known >= 0) profile.setMetric(known);
    // The editor has it, so it is one.
    else void profile.setFormula(name);
  }

  editor.onMetric((name) => {
    wanted = name;
    if (shown !== undefined && shown !== name) show(name);
  });
  effect(() => {
    const { summary } = profile;
    const own = summary.value === undefined ? undefined : profile.metricInfo.value.name;
    const isComparison = summary.value?.comparison != null;
    const compared = comparedMetric(summary.value, profile.metric.value)?.metric.name;
    untracked(() => {
      const before = shown;
      shown = isComparison ? compared : own;
      if (shown === undefined || shown === wanted) return;
      // A view that was kept may have another metric than the profile's own.
      const isKept = profile.metric.value !== summary.value?.default_metric;
      if (before !== undefined || isKept) {
        wanted = shown;
        editor.chooseMetric(shown);
      } else if (wanted !== undefined) show(wanted);
    });
  });
}
