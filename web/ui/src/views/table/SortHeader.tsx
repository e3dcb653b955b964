import type { Sort, SortBy } from '@hotframe/engine';
import type { ComponentChildren } from 'preact';
import { changeState } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { TABLE_PART } from './state.ts';

/** The name of a column, which sorts by it; once more turns the order round. Cells say their unit. */
export function SortHeader(props: {
  readonly label: string;
  readonly title: string;
  readonly by: SortBy;
  readonly metric: number;
  readonly sort: Sort;
  /** What sizes the column. */
  readonly children?: ComponentChildren;
}) {
  const app = useApp();
  const { label, title, by, metric, sort } = props;
  const isOfMetric = by === 'self_value' || by === 'total_value';
  const on = sort.by === by && (!isOfMetric || sort.metric === metric);
  // A name is in order from A on, a number from the largest on.
  const down = (by === 'name') === sort.reverse;
  return (
    <div role="columnheader" aria-sort={on ? (down ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        aria-pressed={on}
        title={title}
        onClick={() => {
          const reverse = on && !sort.reverse;
          changeState(app, TABLE_PART, { sort: { by, metric, reverse } }, 'replace');
        }}
      >
        {label}
        {on ? (down ? ' ▾' : ' ▴') : ''}
      </button>
      {props.children}
    </div>
  );
}
