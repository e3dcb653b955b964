import type { Sort, SortBy } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { ColumnEdge } from './column-sizes.tsx';
import type { Column, Columns } from './columns.ts';
import { SortHeader } from './SortHeader.tsx';

/** The names of the columns, which sort by them. */
export function TableHead(props: {
  /** What the rows are. */
  readonly label: 'Name' | 'Function';
  readonly columns: Columns;
  readonly sort: Sort;
  /** Whether totals are estimates. */
  readonly estimated: boolean;
}) {
  const metrics = useApp().profile.summary.value?.metrics;
  const { columns, sort } = props;
  const heading = (column: Column, index: number) => {
    const isEstimated = props.estimated && column.kind === 'total';
    return (
      <SortHeader
        key={`${column.kind}${column.metric}`}
        label={isEstimated ? `${column.label}, estimated` : column.label}
        title={titleOf(column, metrics?.[column.metric]?.unit)}
        by={sortOf(column)}
        metric={column.metric}
        sort={sort}
      >
        {index === 0 && <ColumnEdge of="values" width={columns.valueWidth} />}
      </SortHeader>
    );
  };
  return (
    <div class="head" role="row" style={columns.style}>
      <SortHeader label={props.label} title="Sort by name" by="name" metric={0} sort={sort}>
        <ColumnEdge of="names" width={columns.namesWidth} />
      </SortHeader>
      {columns.shown.map(heading)}
    </div>
  );
}

function sortOf({ kind }: Column): SortBy {
  return kind === 'interval' || kind === 'verdict' ? kind : `${kind}_value`;
}

function titleOf({ kind, label }: Column, unit = ''): string {
  switch (kind) {
    case 'interval':
      return 'Sort by the least change that the interval holds. In it the difference of a run’s total lies with 95 %: bootstrap of the means; few runs know little of their spread';
    case 'verdict':
      return 'Sort by how sure it is. What the runs of both sides show of the change, adjusted for all functions that were tested';
    default:
      return `Sort by ${label}${unit === '' ? '' : `, in ${unit}`}`;
  }
}
