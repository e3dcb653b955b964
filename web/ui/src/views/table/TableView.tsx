import type { RowInfo } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { swatchClass } from '../../canvas/colour.ts';
import { paletteOf } from '../../canvas/palette.ts';
import type { Point } from '../../canvas/rect.ts';
import { WHOLE } from '../../canvas/viewport.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { type ActedFrame, isCallable, listedHandlers } from '../../state/frame-actions.ts';
import { kept } from '../../state/kept.ts';
import { useServices } from '../../state/services.ts';
import { useShared } from '../../state/shared.ts';
import { frameView } from '../../state/view.ts';
import { FrameMenu } from '../../widgets/FrameMenu.tsx';
import { useMade } from '../../widgets/made.ts';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { MOST_BRANCHES, writtenBranches } from './branches.ts';
import { columnSizes, ColumnsMenu } from './column-sizes.tsx';
import { columnsOf, treeSort } from './columns.ts';
import { createTableController } from './controller.ts';
import { copyListed, copyRows } from './copy.ts';
import { RestRow } from './RestRow.tsx';
import { RowCount } from './RowCount.tsx';
import { pageOf, rowsBetween } from './rows.ts';
import { useTableScroll } from './scroll.ts';
import { TABLE_PART } from './state.ts';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { TableTabs } from './TableTabs.tsx';

/** A tree as a table: every metric's self and total at once, unfolded as far as one looks. */
export function TableView() {
  const { app, commands } = useServices();
  const scroller = useRef<HTMLDivElement>(null);
  const menu = useSignal<Point | undefined>(undefined);

  const table = useMade(() => {
    // Only what rows depend on: zooming a flame graph does not ask for them again.
    const input = kept(() => {
      const spec = app.profile.spec.value;
      if (spec === undefined) return undefined;
      const { sort, filter } = stateOf(app.view.value, TABLE_PART);
      return { spec, sort: treeSort(sort, app.profile.metric.value), filter };
    });
    return createTableController({
      engine: app.engine,
      selection: app.profile.selection,
      input,
      pruned: app.profile.pruned,
      open: stateOf(app.view.peek(), TABLE_PART).unfolded,
      onPick: (path) => app.update({ selection: path }, 'replace'),
      onReveal: app.profile.revealBelow,
      onUnfold(paths) {
        const unfolded = writtenBranches(paths);
        const { length: before } = stateOf(app.view.peek(), TABLE_PART).unfolded;
        if (unfolded.length === MOST_BRANCHES && before < MOST_BRANCHES) {
          app.notices.notice.value = `The address keeps ${MOST_BRANCHES} unfolded branches: after a reload further ones are folded.`;
        }
        changeState(app, TABLE_PART, { unfolded }, 'replace');
      },
    });
  });
  const request = () => table.request(0, table.part.peek()?.totalRows ?? 0);
  useShared(app.profile.tableRequest, () => request, []);
  const { virtual, width, total } = useTableScroll(scroller, table, {
    first: stateOf(app.view.peek(), TABLE_PART).firstRow,
    moved: (firstRow) => changeState(app, TABLE_PART, { firstRow }, 'replace'),
  });

  const { sort: chosen, filter } = stateOf(app.view.value, TABLE_PART);
  const colour = app.profile.colour.value;
  const summary = app.profile.summary.value;
  const metric = app.profile.metric.value;
  const sort = treeSort(chosen, metric);
  const part = table.part.value;
  const error = table.error.value;
  const cursor = table.cursor.value;
  const anchor = table.anchor.value;
  const picked = app.profile.selection.target.value !== undefined;
  const marks = rowsBetween(anchor, cursor);
  const marked = (index: number) =>
    picked && index >= marks.first && index < marks.first + marks.count;
  const palette = useComputed(() => {
    return paletteOf(app.theme.shown.value, document.documentElement);
  });
  const colourOf = (info: RowInfo) => {
    return palette.value.fills[swatchClass(info.colours, colour)] ?? '';
  };
  const openMenu = (x: number, y: number) => {
    menu.value = { x, y };
  };
  const page = pageOf(virtual.value);
  const callable = (info: RowInfo) => part !== undefined && isCallable(part.spec, info.depth + 1);
  const row = table.row(cursor);
  const acted =
    row === undefined || row.rest !== undefined ? undefined : actedRow(row, callable(row));
  const zoomTo = () => {
    const { views, shownView } = app.profile;
    const zoom = { path: app.view.peek().selection, stops: [0], range: WHOLE };
    app.update({ zoom, view: frameView(views, shownView.peek()).id }, 'push');
  };
  useCommands(commands, () => scroller.current, {
    row_up: () => table.moveTo(table.cursor.peek() - 1, false),
    row_down: () => table.moveTo(table.cursor.peek() + 1, false),
    row_up_extend: () => table.moveTo(table.cursor.peek() - 1, true),
    row_down_extend: () => table.moveTo(table.cursor.peek() + 1, true),
    row_first: () => table.moveTo(0, false),
    row_last: () => table.moveTo(total.peek() - 1, false),
    row_page_up: () => table.moveTo(table.cursor.peek() - page, false),
    row_page_down: () => table.moveTo(table.cursor.peek() + page, false),
    unfold: table.unfold,
    fold: table.fold,
    toggle_fold() {
      const current = table.row(table.cursor.peek());
      if (current !== undefined) table.toggle(current);
      app.source.pointed();
    },
    hottest_path: table.expandHottest,
    copy_rows() {
      const { first, count } = rowsBetween(table.anchor.peek(), table.cursor.peek());
      const listed = table.listed(first, count);
      const request = table.request(first, count);
      if (listed !== undefined) copyListed(app, listed);
      else if (request !== undefined) copyRows(app, request);
    },
    zoom_to: zoomTo,
    frame_menu() {
      const place = document.getElementById(`row-${cursor}`)?.getBoundingClientRect();
      if (place !== undefined) openMenu(place.left + 80, place.bottom);
    },
    escape() {
      app.profile.selection.pick(undefined);
      app.update({ selection: [], fn: undefined }, 'replace');
    },
    ...listedHandlers(app, acted),
  });

  if (summary === undefined) return null;
  const columns = columnsOf(
    { summary, metric, sort, hasVerdicts: false },
    columnSizes(app.layout),
    width.value,
  );
  return (
    <div class="table">
      <div class="tools">
        <TableTabs />
        <SearchBox
          label="Filter rows"
          placeholder="Filter rows"
          value={filter}
          problem={error?.code === 'bad_pattern' ? error.message : undefined}
          onChange={(value) => changeState(app, TABLE_PART, { filter: value }, 'replace')}
        />
        <button
          type="button"
          class="plain"
          title="Unfold the hottest path (h)"
          onClick={table.expandHottest}
        >
          Hottest path <span class="key">H</span>
        </button>
        <span class="grow" />
        <ColumnsMenu columns={columns} />
        <RowCount part={part} tooMany={table.tooMany.value} />
      </div>
      <div
        ref={scroller}
        class="scroll"
        data-scope="table"
        role="treegrid"
        tabIndex={0}
        aria-label="Table"
        aria-rowcount={total.value}
        aria-multiselectable="true"
        aria-activedescendant={row === undefined ? undefined : `row-${cursor}`}
      >
        <TableHead
          label="Name"
          columns={columns}
          sort={sort}
          estimated={summary.estimated_paths && app.view.value.shape !== 'flat'}
        />
        <div class="body" role="rowgroup" style={{ height: `${virtual.value.height}px` }}>
          {part?.rows.map((info, offset) => {
            const index = part.first + offset;
            if (info.rest !== undefined) {
              return (
                <RestRow
                  key={`${part.instance}.${info.node}.${index}`}
                  table={table}
                  part={part}
                  index={index}
                  info={info}
                  values={part.values[offset]!}
                  columns={columns}
                  top={virtual.value.top(index)}
                  isMarked={marked(index)}
                  isCursor={index === cursor}
                />
              );
            }
            return (
              <TableRow
                key={`${part.instance}.${info.node}.${index}`}
                table={table}
                part={part}
                index={index}
                info={info}
                values={part.values[offset]!}
                columns={columns}
                top={virtual.value.top(index)}
                colour={colourOf(info)}
                isMarked={marked(index)}
                isCursor={picked && index === cursor}
                onMenu={openMenu}
              />
            );
          })}
        </div>
        {error !== undefined && error.code !== 'bad_pattern' && (
          <div class="message">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {part !== undefined && part.totalRows === 0 && (
          <div class="message">
            <h2>No rows</h2>
            <p>{filter === '' ? 'Nothing passes the filters.' : 'No name matches the filter.'}</p>
          </div>
        )}
      </div>
      <FrameMenu
        at={menu}
        label="Frame"
        acted={acted}
        first={{ label: 'Zoom the flame graph to it', key: 'z', run: zoomTo }}
        onClose={() => scroller.current?.focus()}
      />
    </div>
  );
}

function actedRow(row: RowInfo, callable: boolean): ActedFrame {
  return { name: row.name, label: row.label ?? row.name, key: callable ? row.key : undefined };
}
