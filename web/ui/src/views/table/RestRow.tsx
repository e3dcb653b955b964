import { useApp } from '../../state/services.ts';
import { NO_VALUE } from '../../text/units.ts';
import type { Columns } from './columns.ts';
import type { TableController } from './controller.ts';
import { indentOf } from './NameCell.tsx';
import type { ListedRow, RowsPart, RowValues } from './rows.ts';
import { ValueCell } from './ValueCell.tsx';

/** A row of what is left out below the row above it, which shows that. */
export function RestRow(props: {
  readonly table: TableController;
  readonly part: RowsPart;
  readonly index: number;
  readonly info: ListedRow;
  readonly values: RowValues;
  readonly columns: Columns;
  /** Where it lies in the list, in CSS pixels. */
  readonly top: number;
  readonly isMarked: boolean;
  readonly isCursor: boolean;
}) {
  const summary = useApp().profile.summary.value;
  const { table, part, index, info, columns } = props;
  if (summary === undefined) return null;
  return (
    <div
      id={`row-${index}`}
      role="row"
      aria-level={info.depth + 1}
      aria-rowindex={index + 1}
      aria-selected={props.isMarked}
      aria-expanded={false}
      class={`row rest${props.isCursor ? ' cursor' : ''}`}
      style={{ ...columns.style, top: `${props.top}px` }}
      onMouseDown={(event) => {
        if (event.button === 0) table.moveTo(index, event.shiftKey);
      }}
      onClick={() => table.toggle(info)}
    >
      <div
        class="name"
        role="gridcell"
        title="Left out by ‘Hide below’ and ‘Levels’. Click to show them."
        style={{ paddingLeft: `${10 + indentOf(info.depth)}px` }}
      >
        <button
          type="button"
          class="twist"
          tabIndex={-1}
          aria-label="Show them"
          onMouseDown={(event) => event.stopPropagation()}
        >
          ▶
        </button>
        <span>{info.name}</span>
      </div>
      {columns.shown.map(({ kind, metric }) => {
        const total = kind === 'total' ? (props.values.total[metric] ?? NO_VALUE) : NO_VALUE;
        const key = `${kind}${metric}`;
        return total === NO_VALUE ? (
          <div key={key} class="cell" role="gridcell" />
        ) : (
          <ValueCell
            key={key}
            summary={summary}
            kind="total"
            metric={metric}
            isAbout={false}
            value={total}
            whole={(of) => part.scale[of] ?? 0n}
          />
        );
      })}
    </div>
  );
}
