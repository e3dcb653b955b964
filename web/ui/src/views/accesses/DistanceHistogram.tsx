import { formatInteger, formatThings } from '../../text/units.ts';
import { barsOf, type Distances } from './histogram.ts';

/** How often which stack distance occurred, first touches apart. */
export function DistanceHistogram(props: {
  readonly bars: Distances;
  /** From this distance on it is a miss. */
  readonly lines: number | undefined;
}) {
  const { cold, far } = props.bars;
  const rows = [
    { label: 'cold', title: 'First touches of a line', count: cold, misses: true },
    ...barsOf(props.bars, props.lines).map(({ from, to, count }) => ({
      label: from === to ? formatInteger(from) : `${formatInteger(from)}–${formatInteger(to)}`,
      title:
        from === to
          ? `At a distance of ${formatThings(from, 'line')}`
          : `At distances of ${formatInteger(from)} to ${formatThings(to, 'line')}`,
      count,
      misses: props.lines !== undefined && from >= props.lines,
    })),
    ...(far > 0
      ? [{ label: 'beyond', title: 'Beyond the followed distance', count: far, misses: true }]
      : []),
  ];
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul class="accesses-histogram" aria-label="Accesses by stack distance">
      {rows.map(({ label, title, count, misses }) => (
        <li key={label} title={title} class={misses ? 'misses' : ''}>
          <span class="number">{label}</span>
          <i style={{ width: `${(count / most) * 100}%` }} />
          <span class="number">{formatInteger(count)}</span>
        </li>
      ))}
    </ul>
  );
}
