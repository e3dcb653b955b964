import type { RowInfo, Sort, SortBy, SummaryResult } from '@hotframe/engine';
import { computed, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { swatchClass } from '../../canvas/paint-plan.ts';
import { readPalette } from '../../canvas/palette.ts';
import { WHOLE } from '../../canvas/viewport.ts';
import { useCommands } from '../../state/commands.ts';
import { comparedMetric, hasShares } from '../../state/comparison.ts';
import {
  type ActedFrame,
  copyText,
  frameHandlers,
  frameMenu,
  isCallable,
} from '../../state/frame-actions.ts';
import { useServices } from '../../state/services.ts';
import { shortenLabel, shortenPath, textColumns, visible } from '../../text/names.ts';
import { formatExact, formatInteger, formatShare, formatValue, shareOf } from '../../text/units.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { CHANGE_WORDS } from '../comparison/ChangeValues.tsx';
import { createTableController, type RowsPart, type RowValues } from './controller.ts';
import { TABLE_ROW, virtualRows } from './virtual.ts';

/** Rows asked for beyond both ends of what is in sight. */
const OVERSCAN = 40;
const HEAD_HEIGHT = 28;
/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 340;
const VALUE_WIDTH = 150;
/** Width of a character of the names' font. */
const CHAR_WIDTH = 7.25;
/** Twist, swatch and the gaps around them. */
const NAME_FURNITURE = 62;
/** Levels that are indented in full; deep stacks go on in small steps, so that names keep room. */
const FULL_LEVELS = 10;

/** A tree as a table: every metric's self and total at once, unfolded as far as one looks. */
export function TableView() {
  const { app, commands } = useServices();
  const scroller = useRef<HTMLDivElement>(null);
  const menu = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const scroll = useSignal({ top: 0, height: 600, width: 1000 });

  const table = useMemo(() => {
    const input = computed(() => ({
      spec: app.profile.spec.value!,
      sort: app.view.value.sort ?? standardSort(app.profile.metric.value),
      filter: app.view.value.tableFilter,
    }));
    // Only what rows depend on: zooming a flame graph does not ask for them again.
    const text = computed(() => JSON.stringify(input.value));
    return createTableController({
      engine: app.engine,
      selection: app.profile.selection,
      input: computed(() => JSON.parse(text.value)),
      onPick: (path) => app.update({ selection: path }, 'replace'),
    });
  }, []);
  useEffect(() => {
    app.profile.tableRequest.value = () => table.request(0, table.part.peek()?.totalRows ?? 0);
    return () => {
      app.profile.tableRequest.value = undefined;
      table.dispose();
    };
  }, []);
  useEffect(() => {
    const host = scroller.current;
    if (host === null) return undefined;
    const follow = () => {
      scroll.value = {
        top: host.scrollTop,
        width: host.clientWidth,
        height: Math.max(TABLE_ROW, host.clientHeight - HEAD_HEIGHT),
      };
    };
    const observer = new ResizeObserver(follow);
    observer.observe(host);
    host.addEventListener('scroll', follow, { passive: true });
    return () => observer.disconnect();
  }, []);

  const total = useComputed(() => table.part.value?.totalRows ?? 0);
  const virtual = useComputed(() =>
    virtualRows(total.value, scroll.value.top, scroll.value.height),
  );
  useSignalEffect(() => {
    const { first, count } = virtual.value;
    const have = table.window.peek();
    if (first >= have.first && first + count <= have.first + have.count) return;
    table.window.value = { first: Math.max(0, first - OVERSCAN), count: count + 2 * OVERSCAN };
  });
  useSignalEffect(() => {
    const row = table.wanted.value;
    const host = scroller.current;
    // The list must be long enough before it can be scrolled there.
    if (row === undefined || host === null || row >= total.value) return;
    const { first, count, scrollTo } = virtual.peek();
    table.wanted.value = undefined;
    requestAnimationFrame(() => {
      if (row < first) host.scrollTop = scrollTo(row);
      else if (row > first + count - 3) host.scrollTop = scrollTo(Math.max(0, row - count + 3));
    });
  });

  const { sort: chosen, tableFilter } = app.view.value;
  const colour = app.profile.colour.value;
  const sort = chosen ?? standardSort(app.profile.metric.value);
  const metrics = app.profile.summary.value?.metrics ?? [];
  const order = metricOrder(app.profile.summary.value, app.profile.metric.value);
  const columns = order.length * 2;
  const part = table.part.value;
  const error = table.error.value;
  const cursor = table.cursor.value;
  const anchor = table.anchor.value;
  const picked = app.profile.selection.target.value !== undefined;
  const marked = (index: number) =>
    picked && index >= Math.min(anchor, cursor) && index <= Math.max(anchor, cursor);
  const palette = useComputed(() => {
    app.theme.shown.value;
    return readPalette(document.documentElement);
  });
  const setSort = (by: SortBy, metric: number) => {
    const same = sort.by === by && (by === 'name' || sort.metric === metric);
    app.update({ sort: { by, metric, reverse: same ? !sort.reverse : false } }, 'replace');
  };
  const page = Math.max(1, virtual.value.count - 3);
  const callable = (info: RowInfo) => part !== undefined && isCallable(part.spec, info.depth + 1);
  const row = table.row(cursor);
  const acted = row && actedRow(row, callable(row));
  const { copy_name: _, show_from_frame: __, ...actions } = frameHandlers(app, acted);
  const zoomTo = () => {
    const { selection: path, view } = app.view.peek();
    const shown = view === 'table' ? 'flame' : view;
    app.update({ zoom: { path, stops: [0], range: WHOLE }, view: shown }, 'push');
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
      const from = Math.min(table.cursor.peek(), table.anchor.peek());
      const count = Math.abs(table.cursor.peek() - table.anchor.peek()) + 1;
      const request = table.request(from, count);
      if (request === undefined) return;
      app.engine.call('rows', request).then(({ result, columns }) => {
        const lines = result.rows.map((info, index) => {
          const at = index * result.metrics;
          const values = metrics.flatMap((_metric, m) => [
            columns.self_value[at + m],
            columns.total_value[at + m],
          ]);
          return ['  '.repeat(info.depth) + info.name, info.file, info.line, ...values].join('\t');
        });
        const head = ['name', 'file', 'line'].concat(
          metrics.flatMap(({ name, unit }) => [
            `${name} self (${unit})`,
            `${name} total (${unit})`,
          ]),
        );
        copyText(
          app,
          [head.join('\t'), ...lines].join('\n'),
          `${formatInteger(count)} ${count === 1 ? 'row' : 'rows'} copied`,
        );
      }, app.notices.fail);
    },
    zoom_to: zoomTo,
    frame_menu() {
      const place = document.getElementById(`row-${cursor}`)?.getBoundingClientRect();
      if (place !== undefined) menu.value = { x: place.left + 80, y: place.bottom };
    },
    escape() {
      app.profile.selection.pick(undefined);
      app.update({ selection: [] }, 'replace');
    },
    ...actions,
  });

  const rowStyle = {
    gridTemplateColumns: `minmax(${NAME_WIDTH}px, 1fr) repeat(${columns}, ${VALUE_WIDTH}px)`,
    minWidth: `${NAME_WIDTH + columns * VALUE_WIDTH}px`,
  };
  const estimated =
    app.profile.summary.value?.estimated_paths === true && app.view.value.shape !== 'flat';
  const header = (label: string, title: string, by: SortBy, metric: number) => {
    const on = sort.by === by && (by === 'name' || sort.metric === metric);
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
    <div class="table">
      <div class="tools">
        <SearchBox
          label="Filter rows"
          placeholder="Filter rows"
          value={tableFilter}
          problem={error?.code === 'bad_pattern' ? error.message : undefined}
          onChange={(value) => app.update({ tableFilter: value }, 'replace')}
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
        <span class="number">
          {part === undefined
            ? ''
            : `${formatInteger(part.totalRows)} ${part.totalRows === 1 ? 'row' : 'rows'}`}
        </span>
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
        <div class="head" role="row" style={rowStyle}>
          {header('Name', 'Sort by name', 'name', 0)}
          {order.map((metric) => {
            const { name } = metrics[metric]!;
            return [
              header(`${name} self`, `Sort by ${name}, self`, 'self_value', metric),
              header(
                estimated ? `${name} total, estimated` : `${name} total`,
                `Sort by ${name}, total`,
                'total_value',
                metric,
              ),
            ];
          })}
        </div>
        <div class="body" role="rowgroup" style={{ height: `${virtual.value.height}px` }}>
          {part?.rows.map((info, offset) => {
            const index = part.first + offset;
            const swatch = swatchClass(
              colour,
              info,
              app.profile.traits.value ?? NO_TRAITS,
              app.profile.hues.value,
            );
            return (
              <div
                key={`${part.instance}.${info.node}.${index}`}
                id={`row-${index}`}
                role="row"
                aria-level={info.depth + 1}
                aria-rowindex={index + 1}
                aria-selected={marked(index)}
                aria-expanded={info.has_children ? info.expanded : undefined}
                class={`row${picked && index === cursor ? ' cursor' : ''}${
                  info.matched && tableFilter !== '' ? ' matched' : ''
                }`}
                style={{ ...rowStyle, top: `${virtual.value.top(index)}px` }}
                onMouseDown={(event) => {
                  if (event.button === 0) table.moveTo(index, event.shiftKey);
                }}
                onClick={() => app.source.pointed()}
                onDblClick={() => table.toggle(info)}
                onContextMenu={(event) => {
                  event.preventDefault();
                  table.moveTo(index, false);
                  menu.value = { x: event.clientX, y: event.clientY };
                }}
              >
                <NameCell
                  info={info}
                  width={Math.max(NAME_WIDTH, scroll.value.width - columns * VALUE_WIDTH)}
                  colour={palette.value.fills[swatch] ?? ''}
                  onToggle={() => table.toggle(info)}
                />
                <ValueCells
                  part={part}
                  values={part.values[offset]!}
                  order={order}
                  shares={(metric) => hasShares(app.profile.summary.value, metric)}
                />
              </div>
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
            <p>
              {tableFilter === '' ? 'Nothing passes the filters.' : 'No name matches the filter.'}
            </p>
          </div>
        )}
      </div>
      {menu.value !== undefined && acted !== undefined && (
        <Menu
          label="Frame"
          heading={acted.label}
          x={menu.value.x}
          y={menu.value.y}
          items={[
            { label: 'Zoom the flame graph to it', key: 'z', run: zoomTo },
            ...frameMenu(app, acted),
          ]}
          onClose={() => {
            menu.value = undefined;
            scroller.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function actedRow(row: RowInfo, callable: boolean): ActedFrame {
  return { name: row.name, label: row.label ?? row.name, key: callable ? row.key : undefined };
}

const NO_TRAITS = { oneModule: true, anySource: true };

/**
 * The shown metric's columns come first; the others follow in the profile's order. A comparison
 * shows both sides of one metric, change and ratio.
 */
function metricOrder(summary: SummaryResult | undefined, shown: number): readonly number[] {
  const compared = comparedMetric(summary, shown)?.metric;
  if (compared !== undefined) {
    return [compared.change, compared.base, compared.new, compared.ratio];
  }
  return [...Array(summary?.metrics.length ?? 0).keys()].sort(
    (a, b) => Number(b === shown) - Number(a === shown) || a - b,
  );
}

function standardSort(metric: number): Sort {
  return { by: 'total_value', metric, reverse: false };
}

function NameCell(props: {
  readonly info: RowInfo;
  /** Of the column, in CSS pixels. */
  readonly width: number;
  readonly colour: string;
  onToggle(): void;
}) {
  const { info } = props;
  const place =
    info.file === '' ? info.module : `${info.file}${info.line > 0 ? `:${info.line}` : ''}`;
  const deeper = Math.max(0, info.depth - FULL_LEVELS);
  const indent = Math.min(info.depth, FULL_LEVELS) * 14 + Math.min(deeper * 2, 60);
  const columns = Math.floor((props.width - indent - NAME_FURNITURE) / CHAR_WIDTH);
  const shown = info.label ?? info.name;
  const name = shortenLabel(info.name, shown, columns);
  const left = columns - textColumns(name) - 1;
  const twist = !info.has_children ? 'twist none' : info.expanded ? 'twist open' : 'twist';
  return (
    <div
      class="name"
      role="gridcell"
      title={[visible(shown), place, info.module].filter((text) => text !== '').join('\n')}
      style={{ paddingLeft: `${10 + indent}px` }}
    >
      <button
        type="button"
        class={twist}
        tabIndex={-1}
        aria-label={info.expanded ? 'Fold' : 'Unfold'}
        onMouseDown={(event) => event.stopPropagation()}
        onClick={props.onToggle}
      >
        ▶
      </button>
      <i class="swatch" style={{ background: props.colour }} />
      {info.tag !== null && (
        <span class={`tag ${info.tag}`} title={CHANGE_WORDS[info.tag]}>
          {CHANGE_WORDS[info.tag].slice(0, 3)}
        </span>
      )}
      <b>{name}</b>
      <small>{left >= 8 && info.label === null ? shortenPath(place, left) : ''}</small>
    </div>
  );
}

function ValueCells(props: {
  readonly part: RowsPart;
  readonly values: RowValues;
  readonly order: readonly number[];
  /** Whether shares of a metric say anything: those of formulas that do not add up do not. */
  readonly shares: (metric: number) => boolean;
}) {
  const metrics = useServices().app.profile.summary.value?.metrics ?? [];
  const cell = (value: bigint, metric: number, kind: 'self' | 'total') => {
    const unit = metrics[metric]!;
    const share = shareOf(value, props.part.scale[metric] ?? 0n);
    const width = Number.isFinite(share) ? Math.min(1, Math.abs(share)) * 100 : 0;
    return (
      <div
        class={`cell ${kind}${value === 0n ? ' zero' : ''}`}
        role="gridcell"
        title={formatExact(value, unit)}
      >
        {width > 0 && <i class="fill" style={{ width: `${width}%` }} />}
        {formatValue(value, unit)}
        <small>{value === 0n || !props.shares(metric) ? '' : formatShare(share)}</small>
      </div>
    );
  };
  return (
    <>
      {props.order.map((metric) => [
        cell(props.values.self[metric] ?? 0n, metric, 'self'),
        cell(props.values.total[metric] ?? 0n, metric, 'total'),
      ])}
    </>
  );
}
