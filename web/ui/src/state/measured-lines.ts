import {
  type Answer,
  type Engine,
  isCancelled,
  longestEnd,
  type MeasuredLine,
  type MeasuredLines,
  type SummaryResult,
  type ViewSpec,
} from '@hotframe/engine';
import { effect } from '@preact/signals';
import { visible } from '../text/names.ts';
import {
  formatChange,
  formatShare,
  formatShareChange,
  formatValue,
  NO_VALUE,
  shareOf,
} from '../text/units.ts';
import { comparedMetric, wholeMetric } from './comparison.ts';
import type { SourceEditor } from './host.ts';
import { specKey } from './nodes.ts';
import type { MetricState } from './profile/metric.ts';
import type { TreeState } from './profile/tree.ts';

/** Most files of a profile among which that of a path is looked for. */
const MOST_FILES = 100_000;

/** Tells an editor what was measured on the lines of the files that it shows, in the metric that is shown. */
export function shareLines(
  editor: SourceEditor,
  engine: Engine,
  { summary, spec, metric }: Pick<MetricState & TreeState, 'summary' | 'spec' | 'metric'>,
): void {
  /** The files of a view, asked for once. */
  let files: { readonly key: string; readonly all: Promise<readonly string[]> } | undefined;

  function filesOf(view: ViewSpec): Promise<readonly string[]> {
    const key = specKey(view);
    if (files?.key !== key) {
      const all = listed(engine, view);
      files = { key, all };
      all.catch(() => {
        if (files?.all === all) files = undefined;
      });
    }
    return files.all;
  }

  async function linesOf(path: string, lineCount: number): Promise<MeasuredLines | undefined> {
    const [info, view, shown] = [summary.peek(), spec.peek(), metric.peek()];
    if (info === undefined || view === undefined) return undefined;
    const { best, common } = longestEnd(await filesOf(view), (file) => file, path);
    const [file, other] = best;
    // Nobody says which of several it is.
    if (file === undefined || other !== undefined) return undefined;
    const values = await engine.call('source_lines', { view, file });
    const found = { file, isByName: common === 1 && /[\\/]/.test(file), lineCount };
    return measured(info, shown, values, found);
  }

  editor.onLines((path, lineCount) =>
    linesOf(path, lineCount).catch((error: unknown) => {
      // It was closed, or another one is shown by now, which asks anew.
      if (!isCancelled(error)) console.warn(error);
      return undefined;
    }),
  );
  effect(() => {
    void summary.value;
    void spec.value;
    void metric.value;
    editor.changed();
  });
}

async function listed(engine: Engine, view: ViewSpec): Promise<readonly string[]> {
  const { result } = await engine.call('functions', {
    view: { ...view, granularity: 'file' },
    metrics: [view.metric],
    sort: { by: 'total_value', metric: view.metric, reverse: false },
    filter: '',
    direction: null,
    first: 0,
    count: MOST_FILES,
  });
  return result.rows.map((row) => row.file).filter((file) => file !== '');
}

/** A file of a profile that a text may be. */
interface Found {
  /** As the profile names it. */
  readonly file: string;
  /** Whether nothing but its name is the same. */
  readonly isByName: boolean;
  /** Of the text. */
  readonly lineCount: number;
}

/** Lines with their values as texts; undefined for what is not a share of anything, such as ratios. */
function measured(
  summary: SummaryResult,
  metric: number,
  { columns, result }: Answer<'source_lines'>,
  { file, isByName, lineCount }: Found,
): MeasuredLines | undefined {
  const of = wholeMetric(summary, metric);
  const info = summary.metrics[metric];
  if (of === undefined || info === undefined) return undefined;
  const whole = columns.scale[of] ?? 0n;
  // A change may be told in finer decimals than the sides.
  const finer = 10 ** (summary.metrics[of]!.decimals - info.decimals);
  const isChange = comparedMetric(summary, metric)?.side === 'change';
  const share = (value: bigint) => shareOf(value, whole) * finer;
  const shareText = (value: bigint) => (isChange ? formatShareChange : formatShare)(share(value));
  const plain = (value: bigint) => (isChange ? formatChange : formatValue)(value, info);
  /** `11.1 % (248 ms)`. */
  const text = (value: bigint) =>
    value === 0n || !Number.isFinite(share(value))
      ? plain(value)
      : `${shareText(value)} (${plain(value)})`;
  const lines: MeasuredLine[] = [];
  for (const [row, line] of columns.line.entries()) {
    const [self, total] = [columns.self_value[row], columns.total_value[row]];
    if (self === undefined || total === undefined || line === 0) continue;
    if (total === 0n || total === NO_VALUE) continue;
    lines.push({
      line: line - 1,
      self: share(self),
      total: share(total),
      text: `self ${text(self)} · total ${text(total)}`,
      // Editors cut hints that are much longer.
      short: `total ${text(total)}${self === 0n ? '' : ` · self ${shareText(self)}`}`,
    });
  }
  const isTooShort = (lines.at(-1)?.line ?? -1) >= lineCount;
  const notes = [
    `The profile names ${visible(file)}.`,
    isByName ? 'Only its name matches: it may be another file.' : '',
    isTooShort ? 'The profile has lines beyond the end of this file: it is another version.' : '',
    result.estimated ? 'Totals are estimates.' : '',
    isChange ? 'Shares are of the base.' : '',
  ];
  return {
    title: summary.title,
    metric: info.name,
    is_stale: isByName || isTooShort,
    lines,
    note: notes.filter((note) => note !== '').join(' '),
  };
}
