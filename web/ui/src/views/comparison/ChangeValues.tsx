import type { ChangeInfo, ComparedMetric, MetricInfo, VerdictInfo } from '@hotframe/engine';
import { differenceOf } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import {
  formatChange,
  formatExact,
  formatShareChange,
  formatValue,
  shareOf,
  formatP,
} from '../../text/units.ts';

/** As the engine says it: the sides were not tested at all. */
const ONE_RUN = '1 run on a side';

/** What a kind of change is called, with the sign that stands before names. */
const CHANGE_WORDS = {
  added: '[A] only in the new profile',
  deleted: '[D] only in the base',
  larger: '[+] larger',
  smaller: '[-] smaller',
  unchanged: '[=] unchanged',
} as const;

export function changeWord(tag: keyof typeof CHANGE_WORDS): string {
  return CHANGE_WORDS[tag];
}

/** The sign of a change; with a question mark where runs were tested and do not show it. */
export function tagText(
  tag: keyof typeof CHANGE_WORDS,
  found: VerdictInfo | null | undefined,
): string {
  const sign = CHANGE_WORDS[tag].slice(0, 3);
  const isUnsure = tag !== 'unchanged' && found?.verdict === 'unknown' && found.reason !== ONE_RUN;
  return isUnsure ? sign.replace(']', '?]') : sign;
}

/** What runs show of a change: `more`, or `unknown: 1 run on a side`. */
export function verdictText(found: VerdictInfo | null | undefined): string {
  if (found === null || found === undefined) return '';
  return found.reason === '' ? found.verdict : `${found.verdict}: ${found.reason}`;
}

/** A value on both sides, the difference, and what that is of it and of all in the base. */
export function ChangeValues(props: {
  readonly metric: ComparedMetric;
  readonly metrics: readonly MetricInfo[];
  readonly rows: readonly { readonly label: string; readonly values: BigInt64Array }[];
  /** Totals of the program, by metric. */
  readonly whole: BigInt64Array;
  readonly change: ChangeInfo | null;
  /** How many runs either side has. */
  readonly runs: readonly number[];
}) {
  const { metric, metrics, change } = props;
  const summary = useApp().profile.summary.value;
  const unit = metrics[metric.both];
  if (unit === undefined) return null;
  return (
    <>
      <table class="values changes">
        {/* Events are told by their medians, which are others. */}
        {props.runs.some((runs) => runs > 1) && <caption class="mute">Means of the runs</caption>}
        <thead>
          <tr>
            <td />
            <th scope="col">base</th>
            <th scope="col">new</th>
            <th scope="col">change</th>
            <th scope="col">Δ %</th>
            <th scope="col">% of base</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ label, values }) => {
            const base = values[metric.base] ?? 0n;
            const now = values[metric.new] ?? 0n;
            const by = differenceOf(summary, base, now);
            return (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td title={formatExact(base, unit)}>{formatValue(base, unit)}</td>
                <td title={formatExact(now, unit)}>{formatValue(now, unit)}</td>
                <td title={formatExact(by, unit)}>{formatChange(by, unit)}</td>
                <td class="share">{formatShareChange(shareOf(by, base))}</td>
                <td class="share">
                  {formatShareChange(shareOf(by, props.whole[metric.base] ?? 0n))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {change !== null && <p class="mute">{judged(change)}</p>}
      {change !== null && change.matched !== null && change.matched.rule !== 'line' && (
        <p>
          In the base: <code>{change.matched.was}</code>
          {change.matched.rule === 'moved' ? ` in ${change.matched.was_in}` : ''}{' '}
          <span class="mute">({MATCHED[change.matched.rule] ?? change.matched.rule})</span>
        </p>
      )}
    </>
  );
}

/** Why a function of the base is taken for one of another name or place. */
const MATCHED: Readonly<Record<string, string>> = {
  moved: 'moved to another file',
  clone: 'the compiler named it otherwise',
  template: 'another instance of one template',
  renamed: 'renamed: same callers and callees, similar cost',
};

function judged(change: ChangeInfo): string {
  const word = [changeWord(change.tag), verdictText(change.verdict)].filter((text) => text !== '');
  if (change.p_value === null || change.adjusted === null) return word.join(', ');
  return `${word.join(', ')} (${formatP(change.p_value)}; adjusted for all tests: ${formatP(change.adjusted)})`;
}
