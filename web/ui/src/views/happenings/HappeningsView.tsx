import type { ListInfo, ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { swatchClass } from '../../canvas/colour.ts';
import { paletteOf } from '../../canvas/palette.ts';
import type { Point } from '../../canvas/rect.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { TIMELINE_PART } from '../timeline/state.ts';
import { BelowTabs } from './BelowTabs.tsx';
import { HappeningsRow, menuOf } from './HappeningsRow.tsx';
import type { Column, Row, Rows, Sorted } from './list.ts';
import { ListPicture } from './ListPicture.tsx';
import { useRows } from './rows.ts';

/** A list of what happened when, as filters and ranges leave it. */
export function HappeningsView({
  spec,
  list,
}: {
  readonly spec: ViewSpec;
  readonly list: ListInfo;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const menu = useSignal<Point | undefined>(undefined);
  const filter = useSignal('');
  const cursor = useSignal<string | undefined>(undefined);
  const of = list.list;
  const shown = useSignal({ spec, of });
  if (shown.peek().spec !== spec || shown.peek().of !== of) {
    // What narrows one list says nothing of another.
    if (shown.peek().of !== of) filter.value = '';
    shown.value = { spec, of };
  }
  const { state } = useRows(shown, filter);
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  useEffect(
    () => () => {
      app.profile.path.value = undefined;
      app.profile.place.value = undefined;
    },
    [of],
  );

  const { error, pending } = state.value;
  // The rows of the list before stay no longer than until there is another one.
  const value = state.value.value?.of === of ? state.value.value : undefined;
  const rows = value?.rows ?? [];
  // Keys may follow each other faster than the page is drawn.
  const place = () => rows.findIndex((row) => row.id === cursor.peek());
  const actions = () => rows[place()]?.actions;
  cursor.value;
  const current = rows[place()];
  const moveTo = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row === undefined) return;
    cursor.value = row.id;
    requestAnimationFrame(() =>
      element.current
        ?.querySelector('tr[aria-selected=true]')
        ?.scrollIntoView({ block: 'nearest' }),
    );
  };
  useCommands(commands, () => element.current, {
    row_up: () => moveTo(place() - 1),
    row_down: () => moveTo(place() + 1),
    row_first: () => moveTo(0),
    row_last: () => moveTo(rows.length - 1),
    show_longest: () => actions()?.show?.run(),
    next_span: () => actions()?.next?.(false),
    previous_span: () => actions()?.next?.(true),
    keep_during: () => actions()?.during?.(),
    highlight_name: () => actions()?.highlight?.(),
    frame_menu() {
      const box = element.current?.querySelector('tr[aria-selected=true]')?.getBoundingClientRect();
      if (box !== undefined) menu.value = { x: box.left + 40, y: box.bottom };
    },
  });
  // The largest first, the other way round, then the list's own order again.
  const sortBy = (listed: Sorted, by: string) => {
    // Clicks may follow each other faster than answers.
    const sort = stateOf(app.view.peek(), TIMELINE_PART).sort ?? listed;
    const wanted =
      sort.by !== by ? { by, reverse: false } : sort.reverse ? undefined : { by, reverse: true };
    changeState(app, TIMELINE_PART, { sort: wanted }, 'replace');
  };
  const colourOf = ({ name: { colours } }: Row) =>
    colours === null
      ? ''
      : (palette.value.fills[swatchClass(colours, app.profile.colour.value)] ?? '');
  const head = ({ sort }: Rows, column: Column, isName = false) => (
    <Head
      key={column.label}
      column={column}
      isName={isName}
      sort={sort}
      onSort={() => column.by !== undefined && sortBy(sort, column.by)}
    />
  );
  return (
    <div class="happenings">
      <div class="tools">
        <BelowTabs />
        <SearchBox
          label={list.filter}
          placeholder={list.filter}
          value={filter.value}
          problem={error?.code === 'bad_pattern' ? error.message : undefined}
          onChange={(text) => {
            filter.value = text;
          }}
        />
        <span class="grow" />
        <span class="number">
          {value === undefined ? '' : formatThings(value.total, value.noun)}
        </span>
      </div>
      <div
        ref={element}
        class="scroll"
        data-scope="happenings"
        tabIndex={0}
        role="group"
        aria-label={list.label}
        aria-busy={pending}
      >
        {value?.notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
        {value?.picture !== undefined && (
          <ListPicture picture={value.picture} current={current?.id ?? rows[0]?.id} />
        )}
        <table>
          <thead>
            <tr>
              {value !== undefined && head(value, value.name, true)}
              {value?.columns.map((column) => head(value, column))}
              <th scope="col" class="actions">
                <span class="hidden-visually">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <HappeningsRow
                key={row.id}
                row={row}
                columns={value?.columns ?? []}
                colour={colourOf(row)}
                isCurrent={row === current}
                onPick={() => {
                  cursor.value = row.id;
                }}
                onMenu={(x, y) => {
                  cursor.value = row.id;
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
            {formatInteger(rows.length)} of {formatThings(value.total, value.noun)} are listed:
            narrow them by name
          </p>
        )}
        {value?.total === 0 && (
          <p class="mute">
            {filter.value === '' ? emptyOf(list, value) : `No ${value.noun} matches.`}
          </p>
        )}
      </div>
      {menu.value !== undefined && current !== undefined && (
        <Menu
          label={list.row}
          heading={current.name.text}
          x={menu.value.x}
          y={menu.value.y}
          items={menuOf(current)}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Why there are no rows; a path that has none says so in its notes. */
function emptyOf(list: ListInfo, { picture }: Rows): string {
  return picture?.kind === 'path' ? '' : list.empty;
}

/** The head of a column, which sorts where the engine can. */
function Head(props: {
  readonly column: Column;
  readonly isName: boolean;
  readonly sort: Sorted;
  onSort(): void;
}) {
  const { sort, isName } = props;
  const { by, label, title, rises, isText } = props.column;
  const kind = isName ? 'name' : isText ? 'text' : 'number';
  if (by === undefined) {
    return (
      <th scope="col" class={kind} title={title}>
        <span>{label}</span>
      </th>
    );
  }
  const on = sort.by === by;
  // Names and times begin with the first, numbers with the largest.
  const down = rises === sort.reverse;
  return (
    <th scope="col" class={kind} aria-sort={on ? (down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" aria-pressed={on} title={title} onClick={props.onSort}>
        {label}
        {on ? (down ? ' ▾' : ' ▴') : ''}
      </button>
    </th>
  );
}
