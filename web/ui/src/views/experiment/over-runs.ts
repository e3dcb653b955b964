import type { ExperimentDifferencesResult } from '@hotframe/engine';
import { chanceText } from './ratios.ts';

/** By label of functions, what the runs of two groups say of each in a sentence. */
export function overRunsOf(
  { rows, only, of_functions }: ExperimentDifferencesResult,
  [base, now]: readonly [string, string],
): ReadonlyMap<string, string> {
  const both = rows.map(({ label, ratio, difference, q }): [string, string] => {
    const by = ratio ?? difference;
    const chance = difference.low === null ? 'untested' : `q ${chanceText(q)}`;
    const interval = by.low === null ? by.interval : `95 % interval ${by.interval}`;
    return [label, `${of_functions} over runs: ${by.text}, ${interval}, ${chance}`];
  });
  const one = only.map(({ label, is_new, runs, of_runs }): [string, string] => {
    const side = is_new ? now : base;
    return [label, `${of_functions} over runs: only in ${side}, in ${runs} of ${of_runs} runs`];
  });
  return new Map([...both, ...one]);
}
