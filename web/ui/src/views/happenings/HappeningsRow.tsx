import type { MenuItem } from '../../state/commands.ts';
import { useMenuGesture } from '../../widgets/hold.ts';
import type { Column, Row } from './list.ts';

/** A row of a list, with what can be done with it. */
export function HappeningsRow(props: {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly colour: string;
  readonly isCurrent: boolean;
  onPick(): void;
  onMenu(x: number, y: number): void;
}) {
  const { row, columns, colour, isCurrent } = props;
  const { show, other, during, highlight } = row.actions;
  const { text, file, remark, mark } = row.name;
  const gesture = useMenuGesture(props.onMenu);
  const button = (label: string, title: string, run: () => void) => (
    <button
      type="button"
      class="plain"
      tabIndex={isCurrent ? 0 : -1}
      title={title}
      onClick={() => {
        props.onPick();
        run();
      }}
    >
      {label}
    </button>
  );
  return (
    <tr
      aria-selected={isCurrent}
      onMouseDown={(event) => {
        if (event.button === 0) props.onPick();
      }}
      onDblClick={() => show?.run()}
      {...gesture}
    >
      <th scope="row" class="name" title={`${text}${file === '' ? '' : `\n${file}`}`}>
        {row.swatch !== undefined && <span class={`swatch ${row.swatch}`} />}
        {colour !== '' && <span class="swatch" style={{ background: colour }} />}
        {mark !== '' && <span class="mark">{mark} </span>}
        <code>{text}</code>
        {remark !== '' && <small>{remark}</small>}
      </th>
      {row.cells.map((cell, index) => (
        <td
          key={index}
          class={columns[index]?.isText ? 'text' : 'number'}
          title={columns[index]?.isText ? cell : undefined}
        >
          {cell}
        </td>
      ))}
      <td class="actions">
        {show !== undefined && button(show.label, `${show.title} (Enter)`, show.run)}
        {other !== undefined && button(other.label, other.title, other.run)}
        {during !== undefined &&
          button('during', 'Filter to the time of these, on their threads (F)', during)}
        {highlight !== undefined && button('highlight', 'Highlight them everywhere (H)', highlight)}
      </td>
    </tr>
  );
}

/** The same as a menu. */
export function menuOf({ actions }: Row): readonly MenuItem[] {
  const { show, other, next, during, highlight } = actions;
  return [
    ...(show === undefined ? [] : [{ label: show.title, key: 'Enter', run: show.run }]),
    ...(other === undefined ? [] : [{ label: other.title, run: other.run }]),
    ...(next === undefined
      ? []
      : [
          { label: 'Next with this name', key: ']', run: () => next(false) },
          { label: 'To the one before', key: '[', run: () => next(true) },
        ]),
    ...(during === undefined
      ? []
      : [{ label: 'Only during these', key: 'f', apart: true, run: during }]),
    ...(highlight === undefined ? [] : [{ label: 'Highlight these', key: 'h', run: highlight }]),
  ];
}
