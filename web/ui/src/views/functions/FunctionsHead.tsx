import type { Sort } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { ColumnEdge } from '../table/column-sizes.tsx';
import { SortHeader } from '../table/SortHeader.tsx';
import type { FunctionColumns, ValueColumn } from './columns.ts';

/** The names of the columns, which sort by them. */
export function FunctionsHead(props: {
  readonly columns: FunctionColumns;
  /** Of the names, in CSS pixels. */
  readonly width: number;
  readonly sort: Sort;
  /** Whether totals are estimates. */
  readonly estimated: boolean;
}) {
  const metrics = useApp().profile.summary.value?.metrics;
  const unitOf = (metric: number) => metrics?.[metric]?.unit ?? '';
  const { columns, sort } = props;
  const heading = ({ metric, kind, label }: ValueColumn, index: number) => {
    const shown = props.estimated && kind === 'total' ? `${label}, estimated` : label;
    return (
      <SortHeader
        key={label}
        label={shown}
        title={`Sort by ${label}${unitOf(metric) === '' ? '' : `, in ${unitOf(metric)}`}`}
        by={`${kind}_value`}
        metric={metric}
        sort={sort}
      >
        {index === 0 && <ColumnEdge of="values" width={columns.valueWidth} />}
      </SortHeader>
    );
  };
  return (
    <div class="head" role="row" style={columns.style}>
      <SortHeader label="Function" title="Sort by name" by="name" metric={0} sort={sort}>
        <ColumnEdge of="names" width={props.width} />
      </SortHeader>
      {columns.values.map(heading)}
      {columns.verdict !== undefined && (
        <>
          <SortHeader
            label="95 % interval"
            title="Sort by the least change that the interval holds. In it the difference of a run’s total lies with 95 %: bootstrap of the means; few runs know little of their spread"
            by="interval"
            metric={0}
            sort={sort}
          />
          <SortHeader
            label="Verdict"
            title="Sort by how sure it is. What the runs of both sides show of the change, adjusted for all functions that were tested"
            by="verdict"
            metric={0}
            sort={sort}
          />
        </>
      )}
      {columns.more.map((column) => heading(column, -1))}
    </div>
  );
}
