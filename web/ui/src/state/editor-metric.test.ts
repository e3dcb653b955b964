import { computed, signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { MetricInfo, SummaryResult } from '@hotframe/engine';
import { shareMetric } from './editor-metric.ts';

/** A page of a profile with two metrics, in an editor. */
function page() {
  const names = ['cpu', 'samples'];
  const summary = signal<SummaryResult | undefined>(undefined);
  const metric = signal(0);
  const [chosen, formulas]: [string[], string[]] = [[], []];
  let tell = (_: string) => {};
  shareMetric(
    {
      onMetric(listener) {
        tell = listener;
      },
      chooseMetric: (name) => chosen.push(name),
    },
    {
      summary,
      metric,
      metricInfo: computed(() => ({ name: names[metric.value] }) as MetricInfo),
      setMetric(index) {
        metric.value = index;
      },
      async setFormula(formula) {
        formulas.push(formula);
        return undefined;
      },
    },
  );
  const open = (comparison: object | null = null) => {
    const metrics = names.map((name) => ({ name }));
    summary.value = { metrics, comparison, default_metric: 0 } as unknown as SummaryResult;
  };
  const close = () => {
    summary.value = undefined;
  };
  return { metric, chosen, formulas, open, close, tell: (name: string) => tell(name) };
}

describe('the metric of page and editor', () => {
  it('is the one that the editor tells of when the page opens', () => {
    const { metric, chosen, open, tell } = page();
    tell('samples');
    open();
    expect(metric.value).toBe(1);
    expect(chosen).toEqual([]);
  });

  it('is the one of a view that was kept', () => {
    const { metric, chosen, open, tell } = page();
    metric.value = 1;
    tell('cpu');
    open();
    expect(metric.value).toBe(1);
    expect(chosen).toEqual(['samples']);
  });

  it('is the one chosen last, in either', () => {
    const { metric, chosen, formulas, open, tell } = page();
    open();
    tell('cpu');
    metric.value = 1;
    expect(chosen).toEqual(['samples']);
    tell('samples');
    tell('cpu');
    expect(metric.value).toBe(0);
    expect(chosen).toEqual(['samples']);
    tell('cpu / samples');
    expect(formulas).toEqual(['cpu / samples']);
  });

  it('is that of both sides of a comparison, whichever side is shown', () => {
    const { metric, chosen, open, tell } = page();
    const sides = (first: number) => ({ base: first, new: first + 1, both: first + 2 });
    open({
      metrics: [
        { name: 'cpu', ...sides(0) },
        { name: 'samples', ...sides(3) },
      ],
    });
    metric.value = 1;
    tell('samples');
    expect([metric.value, chosen]).toEqual([4, ['cpu']]);
    metric.value = 5;
    tell('samples');
    expect([metric.value, chosen]).toEqual([5, ['cpu']]);
    metric.value = 2;
    expect(chosen).toEqual(['cpu', 'cpu']);
  });

  it('is that of the profile and not of another document in the panel', () => {
    const { metric, chosen, open, close } = page();
    open();
    close();
    open({});
    metric.value = 1;
    expect(chosen).toEqual([]);
  });
});
