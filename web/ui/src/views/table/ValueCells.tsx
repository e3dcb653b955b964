import { useApp } from '../../state/services.ts';
import type { RowsPart, RowValues } from './rows.ts';
import { ValueCell } from './ValueCell.tsx';

/** A row's values, self and total, with their shares of the program. */
export function ValueCells(props: {
  readonly part: RowsPart;
  readonly values: RowValues;
  readonly order: readonly number[];
}) {
  const summary = useApp().profile.summary.value;
  if (summary === undefined) return null;
  const whole = (metric: number) => props.part.scale[metric] ?? 0n;
  return (
    <>
      {props.order.flatMap((metric) =>
        (['self', 'total'] as const).map((kind) => (
          <ValueCell
            key={`${kind}${metric}`}
            summary={summary}
            kind={kind}
            metric={metric}
            value={props.values[kind][metric] ?? 0n}
            whole={whole}
          />
        )),
      )}
    </>
  );
}
