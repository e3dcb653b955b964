import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { swatchClass } from '../../canvas/colour.ts';
import { paletteOf } from '../../canvas/palette.ts';
import type { Point } from '../../canvas/rect.ts';
import { type MenuItem, useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { useMenuGesture } from '../../widgets/hold.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { BelowTabs } from './BelowTabs.tsx';
import { actionsOf } from './actions.ts';
import { MARKS, type Row, SPANS, STANDARD, useRows } from './rows.ts';

/** Spans by name, or instants by kind, as filters and ranges leave them. */
export function HappeningsView(props: { readonly spec: ViewSpec; readonly of: 'spans' | 'marks' }) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const menu = useSignal<Point | undefined>(undefined);
  const filter = useSignal('');
  const cursor = useSignal<string | undefined>(undefined);
  const shown = useSignal(props);
  if (shown.peek().spec !== props.spec || shown.peek().of !== props.of) shown.value = props;
  const { state } = useRows(shown, filter);
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));

  const { value, error, pending } = state.value;
  const isSpans = props.of === 'spans';
  const columns = isSpans ? SPANS : MARKS;
  const sort = app.view.value.timeline.sort ?? STANDARD[props.of];
  const rows = value?.rows ?? [];
  const idOf = (row: Row) => `${row.name}\n${row.file}\n${row.note}`;
  const at = rows.findIndex((row) => idOf(row) === cursor.value);
  const current = rows[at];
  const moveTo = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row === undefined) return;
    cursor.value = idOf(row);
    requestAnimationFrame(() =>
      element.current
        ?.querySelector('tr[aria-selected=true]')
        ?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const actions = current && actionsOf(app, current);
  useCommands(commands, () => element.current, {
    row_up: () => moveTo(at - 1),
    row_down: () => moveTo(at + 1),
    row_first: () => moveTo(0),
    row_last: () => moveTo(rows.length - 1),
    show_longest: () => actions?.show(),
    next_span: () => actions?.next(false),
    previous_span: () => actions?.next(true),
    keep_during: () => actions?.during?.(),
    highlight_name: () => actions?.highlight?.(),
    frame_menu() {
      const box = element.current?.querySelector('tr[aria-selected=true]')?.getBoundingClientRect();
      if (box !== undefined) menu.value = { x: box.left + 40, y: box.bottom };
    },
  });
  const sortBy = (by: string) => {
    const reverse = sort.by === by && !sort.reverse;
    const timeline = { ...app.view.peek().timeline, sort: { by, reverse } };
    app.update({ timeline }, 'replace');
  };
  const things = isSpans ? 'name' : 'kind';
  const head = (by: string, label: string, title: string) => {
    const on = sort.by === by;
    // Names and times begin with the first, numbers with the largest.
    const rises = by === 'name' || by === 'first' || by === 'last';
    const down = rises === sort.reverse;
    return (
      <th
        key={by}
        scope="col"
        class={by === 'name' ? 'name' : 'number'}
        aria-sort={on ? (down ? 'descending' : 'ascending') : 'none'}
      >
        <button type="button" aria-pressed={on} title={title} onClick={() => sortBy(by)}>
          {label}
          {on ? (down ? ' ▾' : ' ▴') : ''}
        </button>
      </th>
    );
  };
  const colourOf = ({ colours }: Row) =>
    colours === undefined
      ? ''
      : (palette.value.fills[swatchClass(colours, app.profile.colour.value)] ?? '');
  return (
    <div class="happenings">
      <div class="tools">
        <BelowTabs />
        <SearchBox
          label={isSpans ? 'Filter spans' : 'Filter marks'}
          placeholder={isSpans ? 'Filter spans' : 'Filter marks'}
          value={filter.value}
          problem={error?.code === 'bad_pattern' ? error.message : undefined}
          onChange={(text) => {
            filter.value = text;
          }}
        />
        <span class="grow" />
        <span class="number">{value === undefined ? '' : formatThings(value.total, things)}</span>
      </div>
      <div
        ref={element}
        class="scroll"
        data-scope="happenings"
        tabIndex={0}
        role="group"
        aria-label={isSpans ? 'Spans' : 'Marks'}
        aria-busy={pending}
      >
        <table>
          <thead>
            <tr>
              {head('name', isSpans ? 'Span' : 'Mark', 'By name')}
              {columns.map(({ by, label, title }) => head(by, label, title))}
              <th scope="col" class="actions">
                <span class="hidden-visually">What to do with them</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <HappeningsRow
                key={idOf(row)}
                row={row}
                colour={colourOf(row)}
                isCurrent={row === current}
                onPick={() => {
                  cursor.value = idOf(row);
                }}
                onMenu={(x, y) => {
                  cursor.value = idOf(row);
                  menu.value = { x, y };
                }}
              />
            ))}
          </tbody>
        </table>
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <p class="mute">{error.message}</p>
        )}
        {value !== undefined && value.total > rows.length && (
          <p class="mute">
            and {formatInteger(value.total - rows.length)} more: narrow them by name
          </p>
        )}
        {value?.total === 0 && (
          <p class="mute">
            {filter.value === '' ? 'The filters keep none.' : `No ${things} matches.`}
          </p>
        )}
      </div>
      {menu.value !== undefined && current !== undefined && (
        <Menu
          label={isSpans ? 'Spans of a name' : 'Marks of a kind'}
          heading={current.name}
          x={menu.value.x}
          y={menu.value.y}
          items={menuOf(app, current)}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function HappeningsRow(props: {
  readonly row: Row;
  readonly colour: string;
  readonly isCurrent: boolean;
  onPick(): void;
  onMenu(x: number, y: number): void;
}) {
  const { app } = useServices();
  const { row, colour, isCurrent } = props;
  const actions = actionsOf(app, row);
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
      onDblClick={() => actions.show()}
      {...gesture}
    >
      <th scope="row" class="name" title={`${row.name}${row.file === '' ? '' : `\n${row.file}`}`}>
        {colour !== '' && <span class="swatch" style={{ background: colour }} />}
        <code>{row.name === '' ? 'unnamed' : row.name}</code>
        {row.note !== '' && <small>{row.note}</small>}
      </th>
      {row.cells.map((cell, index) => (
        <td key={index} class="number">
          {cell}
        </td>
      ))}
      <td class="actions">
        {row.span === undefined
          ? button('next', 'To the next one (Enter)', actions.show)
          : button('longest', 'To the longest of them (Enter)', actions.show)}
        {actions.during !== undefined &&
          button(
            'during',
            'Keep only what was while these ran, on their threads (F)',
            actions.during,
          )}
        {actions.highlight !== undefined &&
          button('highlight', 'Highlight them everywhere (H)', actions.highlight)}
      </td>
    </tr>
  );
}

function menuOf(app: Parameters<typeof actionsOf>[0], row: Row): readonly MenuItem[] {
  const { show, next, during, highlight } = actionsOf(app, row);
  return [
    ...(row.span === undefined
      ? []
      : [{ label: 'To the longest of them', key: 'Enter', run: show }]),
    { label: 'To the next one', key: ']', run: () => next(false) },
    { label: 'To the one before', key: '[', run: () => next(true) },
    ...(during === undefined
      ? []
      : [{ label: 'Only during these', key: 'f', apart: true, run: during }]),
    ...(highlight === undefined ? [] : [{ label: 'Highlight these', key: 'h', run: highlight }]),
  ];
}
