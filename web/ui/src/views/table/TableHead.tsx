import type { Sort, SortBy } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import type { Columns } from './columns.ts';

/** The names of the columns, which sort by them. */
export function TableHead(props: { readonly columns: Columns; readonly sort: Sort }) {
  const app = useApp();
  const { columns, sort } = props;
  const summary = app.profile.summary.value;
  const estimated = summary?.estimated_paths === true && app.view.value.shape !== 'flat';
  const setSort = (by: SortBy, metric: number) => {
    const reverse = isSortedBy(sort, by, metric) && !sort.reverse;
    app.update({ sort: { by, metric, reverse } }, 'replace');
  };
  const header = (label: string, title: string, by: SortBy, metric: number) => {
    const on = isSortedBy(sort, by, metric);
    // A name is in order from A on, a number from the largest on.
    const down = (by === 'name') === sort.reverse;
    return (
      <div role="columnheader" aria-sort={on ? (down ? 'descending' : 'ascending') : 'none'}>
        <button type="button" aria-pressed={on} title={title} onClick={() => setSort(by, metric)}>
          {label}
          {on ? (down ? ' ▾' : ' ▴') : ''}
        </button>
      </div>
    );
  };
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

function isSortedBy(sort: Sort, by: SortBy, metric: number): boolean {
  return sort.by === by && (by === 'name' || sort.metric === metric);
}
