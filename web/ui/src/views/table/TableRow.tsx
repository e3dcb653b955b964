import type { RowInfo } from '@hotframe/engine';
import { stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { useMenuGesture } from '../../widgets/hold.ts';
import type { Columns } from './columns.ts';
import type { TableController } from './controller.ts';
import { NameCell } from './NameCell.tsx';
import type { RowsPart, RowValues } from './rows.ts';
import { TABLE_PART } from './state.ts';
import { ValueCells } from './ValueCells.tsx';

/** A row of the table. */
export function TableRow(props: {
  readonly table: TableController;
  readonly part: RowsPart;
  readonly index: number;
  readonly info: RowInfo;
  readonly values: RowValues;
  readonly columns: Columns;
  /** Where it lies in the list, in CSS pixels. */
  readonly top: number;
  readonly colour: string;
  readonly isMarked: boolean;
  readonly isCursor: boolean;
  onMenu(x: number, y: number): void;
}) {
  const app = useApp();
  const { table, part, index, info, columns } = props;
  const gesture = useMenuGesture((x, y) => {
    table.moveTo(index, false);
    props.onMenu(x, y);
  });
  const isMatch = info.matched && stateOf(app.view.value, TABLE_PART).filter !== '';
  return (
    <div
      id={`row-${index}`}
      role="row"
      aria-level={info.depth + 1}
      aria-rowindex={index + 1}
      aria-selected={props.isMarked}
      aria-expanded={info.has_children ? info.expanded : undefined}
      class={`row${props.isCursor ? ' cursor' : ''}${isMatch ? ' matched' : ''}`}
      style={{ ...columns.style, top: `${props.top}px` }}
      onMouseDown={(event) => {
        if (event.button === 0) table.moveTo(index, event.shiftKey);
      }}
      onClick={() => app.source.pointed()}
      onDblClick={() => table.toggle(info)}
      {...gesture}
    >
      <NameCell
        info={info}
        width={columns.namesWidth}
        colour={props.colour}
        onToggle={() => table.toggle(info)}
      />
      <ValueCells part={part} values={props.values} columns={columns.shown} of={info.key} />
    </div>
  );
}
