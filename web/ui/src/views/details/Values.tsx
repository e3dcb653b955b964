import type { DetailsResult, MetricInfo } from '@hotframe/engine';
import { hasShares } from '../../state/comparison.ts';
import type { Selected } from '../../state/selection.ts';
import { useApp } from '../../state/services.ts';
import { formatExact, formatShare, formatValue, shareOf } from '../../text/units.ts';

/** What the total of a node is called. */
export function totalOf(details: DetailsResult, metric: number): string {
  return details.estimated[metric] === true ? 'total, estimated' : 'total';
}

/** Self and total in every metric, with their shares of the program and of the caller. */
export function Values(props: {
  readonly selected: Selected;
  readonly metrics: readonly MetricInfo[];
}) {
  const { details, isProgram, spec } = props.selected;
  const { self_value, total_value, parent_total, program_total } = details.columns;
  const summary = useApp().profile.summary.value;
  const share = (value: bigint, wholes: BigInt64Array, metric: number) =>
    hasShares(summary, metric) ? formatShare(shareOf(value, wholes[metric] ?? 0n)) : '';
  const row = (label: string, value: bigint, metric: number, unit: MetricInfo) => (
    <tr key={`${label}${metric}`}>
      <th scope="row">{label}</th>
      <td class={value === 0n ? 'zero' : ''} title={formatExact(value, unit)}>
        {formatValue(value, unit)}
      </td>
      <td class="share">{share(value, program_total, metric)}</td>
      {!isProgram && <td class="share">{share(value, parent_total, metric)}</td>}
    </tr>
  );
  // The shown metric comes first; the others follow in the profile's order.
  const order = [
    spec.metric,
    ...[...props.metrics.keys()].filter((index) => index !== spec.metric),
  ];
  return (
    <table class="values">
      <thead>
        <tr>
          <td />
          <td />
          <th scope="col">of all</th>
          {!isProgram && <th scope="col">of caller</th>}
        </tr>
      </thead>
      <tbody>
        {order.map((metric) => {
          const unit = props.metrics[metric];
          // The answer may be older than a metric by formula.
          if (unit === undefined || metric >= total_value.length) return null;
          return [
            props.metrics.length > 1 && (
              <tr class="metric" key={`name${metric}`}>
                <th colSpan={4}>{unit.name}</th>
              </tr>
            ),
            !isProgram && row('self', self_value[metric] ?? 0n, metric, unit),
            row(totalOf(details.result, metric), total_value[metric] ?? 0n, metric, unit),
          ];
        })}
      </tbody>
    </table>
  );
}
