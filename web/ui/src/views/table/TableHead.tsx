import type { Sort, SortBy } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import type { Columns } from './columns.ts';
import { SortHeader } from './SortHeader.tsx';

/** The names of the columns, which sort by them. */
export function TableHead(props: { readonly columns: Columns; readonly sort: Sort }) {
  const app = useApp();
  const { columns, sort } = props;
  const summary = app.profile.summary.value;
  const estimated = summary?.estimated_paths === true && app.view.value.shape !== 'flat';
  const header = (label: string, title: string, by: SortBy, metric: number) => (
    <SortHeader key={`${by}${metric}`} {...{ label, title, by, metric, sort }} />
  );
  return (
    <div class="head" role="row" style={columns.style}>
      {header('Name', 'Sort by name', 'name', 0)}
      {columns.order.map((metric) => {
        const name = summary?.metrics[metric]?.name ?? '';
        const total = estimated ? `${name} total, estimated` : `${name} total`;
        return [
          header(`${name} self`, `Sort by ${name}, self`, 'self_value', metric),
          header(total, `Sort by ${name}, total`, 'total_value', metric),
        ];
      })}
    </div>
  );
}
