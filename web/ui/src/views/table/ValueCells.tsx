import { useApp } from '../../state/services.ts';
import { useEstimate } from '../estimates/Estimate.tsx';
import type { Column } from './columns.ts';
import type { RowsPart, RowValues } from './rows.ts';
import { ValueCell } from './ValueCell.tsx';

/** A row's values, self and total, with their shares of the program. */
export function ValueCells(props: {
  readonly part: RowsPart;
  readonly values: RowValues;
  readonly columns: readonly Column[];
  /** The function of the row. */
  readonly of: number;
}) {
  const summary = useApp().profile.summary.value;
  const isAbout = useEstimate(props.of) !== undefined;
  if (summary === undefined) return null;
  const whole = (metric: number) => props.part.scale[metric] ?? 0n;
  return (
    <>
      {props.columns.map(({ kind, metric }) =>
        kind === 'interval' || kind === 'verdict' ? null : (
          <ValueCell
            key={`${kind}${metric}`}
            summary={summary}
            kind={kind}
            metric={metric}
            isAbout={isAbout}
            value={props.values[kind][metric] ?? 0n}
            whole={whole}
          />
        ),
      )}
    </>
  );
}
