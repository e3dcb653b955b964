import type {
  ExperimentDifferencesResult,
  ExperimentEffectsResult,
  ExperimentEstimate,
  ExperimentHistoryResult,
  ExperimentResult,
} from '@hotframe/engine';
import { csvLine } from '../../text/csv.ts';
import type { Measured } from './experiment.ts';

/** Every cell with its levels and its mean. */
export function matrixCsv({ experiment, matrix }: Measured): string {
  const names = experiment.factors.map(({ name }) => name);
  const head = [...names, matrix.title, 'low', 'high', 'unit', 'to_best', 'runs', 'left_out'];
  const rows = experiment.cells.map((cell, at) => {
    const levels = experiment.factors.map(({ levels }, factor) => {
      const level = cell.levels[factor] ?? null;
      return level === null ? '' : (levels[level] ?? '');
    });
    const value = matrix.cells[at];
    const { mean, to_best } = value ?? { mean: null, to_best: null };
    const figures = [mean?.value, mean?.low, mean?.high, matrix.unit, to_best];
    return csvLine([...levels, ...figures, cell.runs, cell.left_out]);
  });
  return csvLine(head) + rows.join('');
}

const ends = (estimate: ExperimentEstimate | null) => [
  estimate?.value,
  estimate?.low,
  estimate?.high,
];

/** Functions of both sides as far as they are told, then those of one. */
export function differencesCsv({
  rows,
  only,
  of_functions,
  unit,
}: ExperimentDifferencesResult): string {
  const figures = ['difference', 'low', 'high', 'ratio', 'ratio_low', 'ratio_high', 'q'];
  const both = rows.map((row) =>
    csvLine([row.label, ...row.means, ...ends(row.difference), ...ends(row.ratio), row.q, unit]),
  );
  const one = only.map(({ label, is_new, mean_value: mean }) =>
    csvLine([label, is_new ? '' : mean, is_new ? mean : '', '', '', '', '', '', '', '', unit]),
  );
  const head = csvLine([of_functions, 'base', 'new', ...figures, 'unit']);
  return head + both.join('') + one.join('');
}

/** What each factor does, then what two do beyond that, whether that is believed or not. */
export function effectsCsv(
  { factors }: Pick<ExperimentResult, 'factors'>,
  { title, single, together }: ExperimentEffectsResult,
): string {
  const head = ['quantity', 'factor', 'base', 'level', 'with_factor', 'with_base', 'with_level'];
  const figures = ['ratio', 'ratio_low', 'ratio_high', 'q', 'believed'];
  const rows = [...single, ...together].map(({ levels, ratio, q, believed }) => {
    const named = levels.flatMap(([factor, level]) => {
      const of = factors[factor]!;
      return [of.name, of.levels[0], of.levels[level]];
    });
    const places = [...named, '', '', ''].slice(0, 6);
    return csvLine([title, ...places, ...ends(ratio), q, believed]);
  });
  return csvLine([...head, ...figures]) + rows.join('');
}

/** Every run with its levels, what was wrong with it, and all that is known of it. */
export function runsCsv({ factors, cells, runs }: ExperimentResult): string {
  const known = new Set(factors.map(({ name }) => name));
  const facts = [...new Set(runs.flatMap((run) => run.facts.map(([name]) => name)))];
  const others = facts.filter((name) => !known.has(name));
  const rows = runs.map((run) => {
    const levels = factors.map(({ levels: all }, factor) => {
      const level = cells[run.cell]?.levels[factor] ?? null;
      return level === null ? '' : (all[level] ?? '');
    });
    const of = new Map(run.facts.map(([name, text]) => [name, text]));
    return csvLine([run.name, ...levels, run.trouble, ...others.map((name) => of.get(name))]);
  });
  return (
    csvLine(['name', ...factors.map(({ name }) => name), 'trouble', ...others]) + rows.join('')
  );
}

/** Every step of every line. */
export function historyCsv({ factor, lines, unit }: ExperimentHistoryResult): string {
  const rows = lines.flatMap(({ title, steps, changes }) =>
    steps.map(({ level, mean, commit, subject }, at) =>
      csvLine([
        title,
        level,
        ...ends(mean),
        unit,
        commit,
        subject,
        changes.some(({ step }) => step === at),
      ]),
    ),
  );
  const head = ['line', factor, 'mean', 'low', 'high', 'unit', 'commit', 'subject', 'changed'];
  return csvLine(head) + rows.join('');
}
