import type { Sort } from '@hotframe/engine';
import { SortHeader } from '../table/SortHeader.tsx';
import type { FunctionColumns, ValueColumn } from './columns.ts';

/** The names of the columns, which sort by them. */
export function FunctionsHead(props: {
  readonly columns: FunctionColumns;
  readonly sort: Sort;
  /** Whether totals are estimates. */
  readonly estimated: boolean;
}) {
  const { columns, sort } = props;
  const heading = ({ metric, kind, label }: ValueColumn) => {
    const shown = props.estimated && kind === 'total' ? `${label}, estimated` : label;
    return (
      <SortHeader
        key={label}
        label={shown}
        title={`Sort by ${label}`}
        by={`${kind}_value`}
        metric={metric}
        sort={sort}
      />
    );
  };
  return (
    <div class="head" role="row" style={columns.style}>
      <SortHeader label="Function" title="Sort by name" by="name" metric={0} sort={sort} />
      {columns.values.map(heading)}
      {columns.verdict !== undefined && (
        <div role="columnheader">
          <span title="In which the difference of a run’s total lies with 95 %: bootstrap of the means; few runs know little of their spread">
            95 % interval
          </span>
        </div>
      )}
      {columns.verdict !== undefined && (
        <div role="columnheader">
          <span title="Whether the runs of both sides tell the change from chance: Mann–Whitney, adjusted for all functions that were tested">
            Verdict
          </span>
        </div>
      )}
      {columns.more.map(heading)}
    </div>
  );
}
