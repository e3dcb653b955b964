import type { SummaryResult } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import {
  decodePaneMetrics,
  encodePaneMetrics,
  metricName,
  paneMetric,
  renamed,
  unknownFormulas,
  withPaneMetric,
} from './pane-metrics.ts';

/** A profile with two measured metrics and one by formula. */
const SUMMARY = {
  metrics: [{ formula: null }, { formula: null }, { formula: 'a / b' }],
  comparison: null,
} as unknown as SummaryResult;

describe('metrics of panes', () => {
  it('are named by index, those of formulas by what they are', () => {
    expect([0, 1, 2].map((metric) => metricName(SUMMARY, metric))).toEqual([0, 1, 'a / b']);
    const compared = { ...SUMMARY, comparison: {} } as unknown as SummaryResult;
    expect(metricName(compared, 2)).toBe(2);
  });

  it('are those of the page unless the document has others', () => {
    const of = (role: number) => paneMetric(SUMMARY, [undefined, 1, 'a / b', 3, 'b'], role);
    expect([0, 1, 2, 3, 4, 5].map(of)).toEqual([undefined, 1, 2, undefined, undefined, undefined]);
    expect(paneMetric(undefined, [1], 0)).toBeUndefined();
  });

  it('are chosen one by one, and only as far as there are any', () => {
    expect(withPaneMetric([], 2, 1)).toEqual([undefined, undefined, 1]);
    expect(withPaneMetric([0, undefined, 1], 0, 'a')).toEqual(['a', undefined, 1]);
    expect(withPaneMetric([0, undefined, 1], 2, undefined)).toEqual([0]);
    expect(renamed(['a', 1, 'a'], 'a', undefined)).toEqual([undefined, 1]);
    expect(renamed(['a', 1], 'a', 'a / b')).toEqual(['a / b', 1]);
  });

  it('may be formulas that a document is yet to be asked for', () => {
    expect(unknownFormulas(SUMMARY, ['b', 1, undefined, 'a / b', 'b'])).toEqual(['b']);
  });

  it('are the same after a way through the address', () => {
    const asked = [undefined, 1, undefined, 'a:b = 1'];
    expect(encodePaneMetrics(asked)).toEqual(['1:1', '3:=a:b = 1']);
    expect(decodePaneMetrics(encodePaneMetrics(asked))).toEqual(asked);
    expect(decodePaneMetrics(['x', '0:', '0:=', '1:-1', '16:1', ':2', '0:1e9'])).toEqual([]);
  });
});
