import { formatFigure, formatThings } from '../../text/units.ts';
import { type Bins, binLabel, cellOf, mostOf } from './bins.ts';

/** Whether values are nanoseconds in a second, which are told as a share of one processor. */
export function isShare({ result }: Bins): boolean {
  return result.unit === 'nanoseconds';
}

/** Time of threads that are on no processor. */
const WAITING: ReadonlySet<string> = new Set(['off-CPU time', 'run-queue time']);

/** What values of bins are, behind the name of what they count. */
export function rateWords(bins: Bins): string {
  if (bins.result.unit === null) return '';
  if (!isShare(bins)) return ', per second';
  return WAITING.has(bins.result.name) ? ', threads at once' : ', of a processor';
}

/** A value of an event in a second, or of a metric. */
export function rateText(bins: Bins, value: number | undefined): string {
  if (value === undefined) return '–';
  const { unit, decimals } = bins.result;
  if (unit === null) return value === 0 ? '0' : value.toPrecision(4);
  // Time in a second of time: how many processors were at it, or how many threads waited.
  if (isShare(bins) && WAITING.has(bins.result.name)) {
    const threads = value / 10 ** (decimals + 9);
    return `${threads === 0 ? '0' : threads.toPrecision(3)} threads`;
  }
  if (isShare(bins)) {
    const share = value / 10 ** (decimals + 7);
    return `${share.toFixed(share < 10 ? 1 : 0)} %`;
  }
  // Parts of what is counted say nothing where there are many.
  const whole = value / 10 ** decimals;
  if (unit === 'count' && Math.abs(whole) < 100) return `${Number(whole.toPrecision(3))}/s`;
  const rounded = unit === 'count' ? { value: whole, decimals: 0 } : { value, decimals };
  return `${formatFigure(rounded.value, { unit, decimals: rounded.decimals })}/s`;
}

/** What one bin has, in each set. */
export function Told(props: {
  readonly bins: Bins;
  readonly origin: number;
  readonly bin: number;
  readonly row: number | undefined;
  readonly isProgress: boolean;
}) {
  const { bins, origin, bin, isProgress } = props;
  const { groups, runs, sets } = bins.result;
  const row = Math.min(props.row ?? 0, groups.length - 1);
  const told = runs.map((_, set) => {
    const { value, samples, error, isEnough } = cellOf(bins, set, row, bin);
    const sure = error !== undefined && isEnough ? ` ± ${(error * 100).toFixed(0)} %` : '';
    // What was counted has none.
    if (samples === 0) return rateText(bins, value);
    const few = isEnough ? '' : ', too few';
    return `${rateText(bins, value)}${sure} (${formatThings(samples, 'sample')}${few})`;
  });
  const isCompared = sets.length === 2 && sets[0] === 'base' && sets[1] === 'new';
  const named = told.map((text, set) => (sets[set] ? `${sets[set]} ${text}` : text));
  return (
    <>
      <b>{groups[row]}</b> {isCompared ? told.join(' → ') : named.join(' · ')}{' '}
      <span class="mute">{binLabel(bins, origin, bin, isProgress)}</span>
    </>
  );
}

/** What the colours stand for. */
export function Legend({ bins }: { readonly bins: Bins }) {
  const most = rateText(bins, mostOf(bins));
  return (
    <span class="bins-legend">
      <span class="heat-legend" role="img" aria-label={`Colours from 0 to ${most}`}>
        0<i aria-hidden="true" />
        {most}
      </span>
      <span class="few-legend">
        <i aria-hidden="true" /> less than 10 samples
      </span>
    </span>
  );
}
