import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { formatExact, formatShare, formatValue, shareOf } from '../../text/units.ts';
import type { RowsPart, RowValues } from './rows.ts';

/** A row's values, self and total, with their shares of the program. */
export function ValueCells(props: {
  readonly part: RowsPart;
  readonly values: RowValues;
  readonly order: readonly number[];
}) {
  const summary = useApp().profile.summary.value;
  const cell = (value: bigint, metric: number, kind: 'self' | 'total') => {
    const unit = summary!.metrics[metric]!;
    const share = shareOf(value, props.part.scale[metric] ?? 0n);
    const width = Number.isFinite(share) ? Math.min(1, Math.abs(share)) * 100 : 0;
    return (
      <div
        class={`cell ${kind}${value === 0n ? ' zero' : ''}`}
        role="gridcell"
        title={formatExact(value, unit)}
      >
        {width > 0 && <i class="fill" style={{ width: `${width}%` }} />}
        {formatValue(value, unit)}
        <small>{value === 0n || !hasShares(summary, metric) ? '' : formatShare(share)}</small>
      </div>
    );
  };
  return (
    <>
      {props.order.map((metric) => [
        cell(props.values.self[metric] ?? 0n, metric, 'self'),
        cell(props.values.total[metric] ?? 0n, metric, 'total'),
      ])}
    </>
  );
}
