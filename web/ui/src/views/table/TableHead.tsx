import type { Sort, SortBy } from '@hotframe/engine';
import type { ComponentChildren } from 'preact';
import { useApp } from '../../state/services.ts';
import type { Columns } from './columns.ts';
import { ColumnEdge } from './column-sizes.tsx';
import { SortHeader } from './SortHeader.tsx';

/** The names of the columns, which sort by them. */
export function TableHead(props: { readonly columns: Columns; readonly sort: Sort }) {
  const app = useApp();
  const { columns, sort } = props;
  const summary = app.profile.summary.value;
  const estimated = summary?.estimated_paths === true && app.view.value.shape !== 'flat';
  const header = (
    label: string,
    title: string,
    by: SortBy,
    metric: number,
    edge?: ComponentChildren,
  ) => (
    <SortHeader key={`${by}${metric}`} {...{ label, title, by, metric, sort }}>
      {edge}
    </SortHeader>
  );
  const edgeOf = (index: number) =>
    index === 0 && <ColumnEdge of="values" width={columns.valueWidth} />;
  return (
    <div class="head" role="row" style={columns.style}>
      {header(
        'Name',
        'Sort by name',
        'name',
        0,
        <ColumnEdge of="names" width={columns.namesWidth} />,
      )}
      {columns.order.map((metric, index) => {
        const { name = '' } = summary?.metrics[metric] ?? {};
        const total = estimated ? `${name} total, estimated` : `${name} total`;
        return [
          header(`${name} self`, `Sort by ${name}, self`, 'self_value', metric, edgeOf(index)),
          header(total, `Sort by ${name}, total`, 'total_value', metric),
        ];
      })}
    </div>
  );
}
