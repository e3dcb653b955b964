import type { SummaryResult } from '@hotframe/engine';
import { comparedMetric, wholeMetric } from '../../state/comparison.ts';
import {
  formatChange,
  formatExact,
  formatShare,
  formatShareChange,
  formatValue,
  shareOf,
} from '../../text/units.ts';
import { ABOUT } from '../estimates/Estimate.tsx';

/**
 * A value with its share of the program: a bar from the right. A change has its sign, its share is
 * of the base, and its bar goes to the right where something grew and to the left where it fell.
 */
export function ValueCell(props: {
  readonly summary: SummaryResult;
  readonly kind: 'self' | 'total';
  readonly metric: number;
  readonly value: bigint;
  /** Whether it is exact in part only. */
  readonly isAbout: boolean;
  /** Total of the program in a metric. */
  readonly whole: (metric: number) => bigint;
}) {
  const { summary, kind, metric, value } = props;
  const unit = summary.metrics[metric]!;
  const of = wholeMetric(summary, metric);
  // A change may be told in finer decimals than the sides.
  const finer = of === undefined ? 0 : summary.metrics[of]!.decimals - unit.decimals;
  const share = of === undefined ? Number.NaN : shareOf(value, props.whole(of)) * 10 ** finer;
  const isChange = comparedMetric(summary, metric)?.side === 'change';
  const size = Number.isFinite(share) ? Math.min(1, Math.abs(share)) : 0;
  return (
    <div
      class={`cell ${kind}${value === 0n ? ' zero' : ''}`}
      role="gridcell"
      title={formatExact(value, unit) + (isChange ? '; shares are of the base' : '')}
    >
      {size > 0 &&
        (isChange ? (
          <i class={`fill ${value > 0n ? 'grew' : 'fell'}`} style={{ width: `${size * 50}%` }} />
        ) : (
          <i class="fill" style={{ width: `${size * 100}%` }} />
        ))}
      {props.isAbout && value !== 0n && ABOUT}
      {isChange ? formatChange(value, unit) : formatValue(value, unit)}
      {of !== undefined && (
        <small>
          {value === 0n || !Number.isFinite(share)
            ? ''
            : isChange
              ? formatShareChange(share)
              : formatShare(share)}
        </small>
      )}
    </div>
  );
}
