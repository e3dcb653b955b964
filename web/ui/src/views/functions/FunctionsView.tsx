import type { FunctionInfo, Sort, SummaryResult } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { swatchClass } from '../../canvas/colour.ts';
import { paletteOf } from '../../canvas/palette.ts';
import type { Point } from '../../canvas/rect.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { actedFunction, listedHandlers } from '../../state/frame-actions.ts';
import { kept } from '../../state/kept.ts';
import { useServices } from '../../state/services.ts';
import { useShared } from '../../state/shared.ts';
import { formatThings } from '../../text/units.ts';
import { FrameMenu } from '../../widgets/FrameMenu.tsx';
import { useMade } from '../../widgets/made.ts';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { pickFunction } from '../charts/chosen.ts';
import { pageOf } from '../table/rows.ts';
import { columnSizes, ColumnsMenu } from '../table/column-sizes.tsx';
import { columnsOf, type Listed, standardSort } from '../table/columns.ts';
import { DIRECTIONS, TABLE_PART } from '../table/state.ts';
import { TableHead } from '../table/TableHead.tsx';
import { TableTabs } from '../table/TableTabs.tsx';
import { useTableScroll } from '../table/scroll.ts';
import { createFunctionsController } from './controller.ts';
import { FunctionRow } from './FunctionRow.tsx';

/** Every function with self and total in every metric; of a comparison, what changed. */
export function FunctionsView() {
  const { app, commands } = useServices();
  const scroller = useRef<HTMLDivElement>(null);
  const menu = useSignal<Point | undefined>(undefined);

  const list = useMade(() => {
    // Only what the list depends on: choosing one does not ask for it again.
    const input = kept(() => {
      const summary = app.profile.summary.value;
      const spec = app.profile.spec.value;
      if (summary === undefined || spec === undefined) return undefined;
      const metric = app.profile.metric.value;
      const { sort: chosen, filter, direction } = stateOf(app.view.value, TABLE_PART);
      const sort = chosen ?? standardSort(summary, metric);
      const { metrics } = columnsOf(listedOf(summary, metric, sort), columnSizes(app.layout));
      return {
        spec,
        metrics,
        sort,
        filter,
        direction,
      };
    });
    return createFunctionsController({
      engine: app.engine,
      input,
      onPick: (key) => pickFunction(app, key),
    });
  });
  useShared(app.profile.functionsRequest, () => list.request, []);
  const { virtual, width, total } = useTableScroll(scroller, list, {
    first: stateOf(app.view.peek(), TABLE_PART).firstRow,
    moved: (firstRow) => changeState(app, TABLE_PART, { firstRow }, 'replace'),
  });
  const palette = useComputed(() => {
    return paletteOf(app.theme.shown.value, document.documentElement);
  });

  const sizes = columnSizes(app.layout);
  const summary = app.profile.summary.value;
  if (summary === undefined) return null;
  const { fn, fns } = app.view.value;
  const { sort: chosenSort, filter, direction } = stateOf(app.view.value, TABLE_PART);
  const metric = app.profile.metric.value;
  const sort = chosenSort ?? standardSort(summary, metric);
  const columns = columnsOf(listedOf(summary, metric, sort), sizes, width.value);
  const part = list.part.value;
  const error = list.error.value;
  const cursor = list.cursor.value;
  const page = pageOf(virtual.value);
  const colourOf = (info: FunctionInfo) => {
    const colour = app.profile.colour.value;
    return palette.value.fills[swatchClass(info.colours, colour)] ?? '';
  };
  const picked = part?.rows.find(({ key }) => key === fn);
  const acted = actedFunction(picked);
  const open = (key: number) => app.profile.openFunction(key);
  useCommands(commands, () => scroller.current, {
    row_up: () => list.moveTo(list.cursor.peek() - 1),
    row_down: () => list.moveTo(list.cursor.peek() + 1),
    row_first: () => list.moveTo(0),
    row_last: () => list.moveTo(total.peek() - 1),
    row_page_up: () => list.moveTo(list.cursor.peek() - page),
    row_page_down: () => list.moveTo(list.cursor.peek() + page),
    toggle_fold() {
      list.moveTo(list.cursor.peek());
      app.source.pointed();
    },
    frame_menu() {
      const place = document.getElementById(`function-${cursor}`)?.getBoundingClientRect();
      if (place !== undefined) menu.value = { x: place.left + 80, y: place.bottom };
    },
    escape() {
      app.update({ fns: [] }, 'replace');
      pickFunction(app, undefined);
    },
    ...listedHandlers(app, acted),
  });

  return (
    <div class="table">
      <div class="tools">
        <TableTabs />
        <SearchBox
          label="Filter functions"
          placeholder="Filter functions"
          value={filter}
          problem={error?.code === 'bad_pattern' ? error.message : undefined}
          onChange={(value) => changeState(app, TABLE_PART, { filter: value }, 'replace')}
        />
        {summary.comparison !== null && (
          <Segments
            label="Which functions"
            choices={[
              { value: 'all', label: 'All', title: 'Whatever changed, the largest change first' },
              ...DIRECTIONS,
            ]}
            value={direction ?? 'all'}
            onChange={(next) =>
              changeState(
                app,
                TABLE_PART,
                { direction: next === 'all' ? undefined : next },
                'replace',
              )
            }
          />
        )}
        <span class="grow" />
        <ColumnsMenu columns={columns} />
        <span class="number">
          {part === undefined ? '' : formatThings(part.totalRows, 'function')}
        </span>
      </div>
      <div
        ref={scroller}
        class="scroll"
        data-scope="table"
        role="grid"
        tabIndex={0}
        aria-label="Functions"
        aria-rowcount={total.value + 1}
        aria-activedescendant={picked === undefined ? undefined : `function-${cursor}`}
      >
        <TableHead
          label="Function"
          columns={columns}
          sort={sort}
          estimated={part?.estimated === true}
        />
        <div class="body" role="rowgroup" style={{ height: `${virtual.value.height}px` }}>
          {part?.rows.map((info, offset) => {
            const index = part.first + offset;
            return (
              <FunctionRow
                key={info.key}
                part={part}
                index={index}
                info={info}
                columns={columns}
                top={virtual.value.top(index)}
                colour={colourOf(info)}
                isChosen={info.key === fn}
                isLit={fns.includes(info.key)}
                onPick={() => list.moveTo(index)}
                onOpen={() => open(info.key)}
                onMenu={(x, y) => {
                  menu.value = { x, y };
                }}
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
        {part?.totalRows === 0 && (
          <div class="message">
            <h2>No functions</h2>
            <p>{emptyText(filter, app.view.value.filters.length)}</p>
          </div>
        )}
      </div>
      <FrameMenu
        at={menu}
        label="Function"
        acted={acted}
        onClose={() => scroller.current?.focus()}
      />
    </div>
  );
}

/** Why there is nothing to list. */
function emptyText(typed: string, filters: number): string {
  if (typed !== '') return 'No function matches.';
  return filters > 0 ? 'Nothing passes the filters.' : 'No function has a value.';
}

function listedOf(summary: SummaryResult, metric: number, sort: Sort): Listed {
  return { summary, metric, sort, hasVerdicts: summary.comparison?.tested === true };
}
