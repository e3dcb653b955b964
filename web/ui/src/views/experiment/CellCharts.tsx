import type { ExperimentResult, ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { followSize } from '../../canvas/surface.ts';
import { stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { distinct } from '../../state/distinct.ts';
import { type ExportedTable, useChartExports } from '../../state/exports.ts';
import { resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { NO_ZOOM } from '../../state/view-state.ts';
import { frameView } from '../../state/view.ts';
import { formatFigure, formatShare, formatThings } from '../../text/units.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';
import { pickFunction } from '../charts/chosen.ts';
import { inksOf } from '../charts/inks.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { CellChartBox } from './CellChartBox.tsx';
import { type CellsInput, filterOf, inCell, loadCells, MOST_ROWS } from './cell-loading.ts';
import { sheetCsv, sheetPicture } from './cell-picture.ts';
import { roomOfCells, sheetOf } from './cell-sheet.ts';
import { updateExperiment } from './experiment.ts';
import { type Grid, moved, type Place, type Sides } from './grid.ts';
import { GridHead } from './GridHead.tsx';
import { EXPERIMENT_PART, CELL_CHARTS, type CellChartKind } from './state.ts';

/** Names of rows beside the charts, and what stands around a chart, in CSS pixels. */
const [NAMES, AROUND] = [110, 13];
/** Charts are asked for anew where their width is another one by that, in CSS pixels. */
const STEP = 20;
const NOWHERE: Place = { row: 0, column: 0 };

/** The same chart of every cell, on one scale; a function is lit in all of them. */
export function CellCharts(props: {
  readonly spec: ViewSpec;
  readonly experiment: ExperimentResult;
  readonly grid: Grid;
  readonly sides: Sides;
  /** Tables that are saved, too. */
  readonly tables: readonly ExportedTable[];
  onProfiles(): void;
}) {
  const { app, commands } = useServices();
  const { experiment, spec } = props;
  const element = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const cursor = useSignal<Place>(NOWHERE);
  /** What is pointed at: the function, and the cell in which it is. */
  const hovered = useSignal<{ readonly key: number; readonly cell: number } | undefined>(undefined);
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);

  const { firstRow, chart } = stateOf(app.view.value, EXPERIMENT_PART);
  const kind = chartOf(app.profile.summary.value?.metrics ?? [], chart);
  const sheet = sheetOf(props.grid, experiment.cells, firstRow);
  const { grid } = sheet;
  const unit = app.profile.metricInfo.value;
  const columns = grid.columns.length;
  const width = Math.floor((size.value.width - NAMES) / columns / STEP) * STEP - AROUND;
  const room = roomOfCells(kind, width * columns, columns);
  const input: CellsInput | undefined =
    size.value.width === 0
      ? undefined
      : {
          spec,
          metric: { name: unit.name, unit: unit.unit },
          chart: kind,
          addsUp: unit.adds_up,
          room,
          of: stateOf(app.view.value, CHARTS_PART).of,
          search: app.view.value.search,
          labels: app.view.value.labels,
          least: stateOf(app.view.value, CHARTS_PART).cut / 1000,
          cells: grid.rows
            .flatMap(({ cells }) => cells)
            .flatMap((cell) => {
              const found = cell === undefined ? undefined : experiment.cells[cell];
              if (found === undefined || found.runs === 0) return [];
              const { title, pattern } = found;
              return [{ cell: cell!, title, pattern }];
            }),
        };
  const wanted = useFollowed(input);
  const charts = useMade(() =>
    resource(
      distinct(() => wanted.value),
      (asked, signal) => loadCells(app.engine, asked, signal),
    ),
  );
  const lit = useComputed(() => hovered.value?.key ?? app.view.value.fn);
  const look = useComputed(() => ({
    palette: paletteOf(app.theme.shown.value, document.documentElement),
    inks: inksOf(document.documentElement),
    colour: app.profile.colour.value,
    unit: app.profile.metricInfo.value,
  }));
  const { value, error, pending } = charts.state.value;
  const loaded = value?.charts ?? [];

  const at = moved(grid, cursor.value, NOWHERE);
  const go = (row: number, column: number) => {
    const next = moved(grid, cursor.peek(), { row, column });
    cursor.value = next;
    table.current?.querySelector<HTMLElement>(`[data-at="${next.row}.${next.column}"]`)?.focus();
  };
  const far = Number.MAX_SAFE_INTEGER;
  useCommands(commands, () => table.current, {
    left: () => go(0, -1),
    right: () => go(0, 1),
    parent: () => go(-1, 0),
    child: () => go(1, 0),
    row_first: () => go(-far, -far),
    row_last: () => go(far, far),
    compare_ranges: props.onProfiles,
    escape: () => pickFunction(app, undefined),
  });
  /** The runs of a cell alone, in all views. */
  const open = (cell: number) => {
    const { filters } = app.view.peek();
    const own = filterOf(experiment.cells[cell]!);
    app.update(
      { view: frameView(app.profile.views).id, filters: [...filters, own], zoom: NO_ZOOM },
      'push',
    );
  };
  useChartExports(() => {
    if (loaded.length === 0) return undefined;
    return {
      label: 'Charts by cell',
      picture: () =>
        sheetPicture({ experiment, grid, charts: loaded, room, caption }, look.peek(), lit.peek()),
      csv: () => ({ text: sheetCsv(experiment, loaded, unit), file_name: 'cells.csv' }),
      tables: props.tables,
    };
  });

  const caption = captionOf(kind, unit, formatFigure(value?.full ?? 0, unit));
  const isDeeper = loaded.some(
    ({ drawing }) => drawing.kind === 'flame' && drawing.scene.result.total_rows > MOST_ROWS,
  );
  const page = (row: number | undefined, label: string, sign: string) => (
    <button
      type="button"
      class="plain"
      aria-label={label}
      disabled={row === undefined}
      onClick={() => updateExperiment(app, { firstRow: row ?? 0 })}
    >
      {sign}
    </button>
  );
  const pointed = useComputed(() => {
    const place = hovered.value;
    const found = charts.state.value.value?.charts.find(({ cell }) => cell === place?.cell);
    return found && place && inCell(found, place.key);
  });
  return (
    <section class="cell-charts" aria-label="Charts by cell">
      <p class="caption">
        {loaded.length > 0 && caption}
        {isDeeper && ` Only the first ${MOST_ROWS} levels are drawn.`}
      </p>
      {sheet.left > 0 && (
        <p class="caption" role="status">
          {formatThings(sheet.left, 'more cell')}: choose factors, or go on{' '}
          {page(sheet.before, 'Cells before these', '▴')}
          {page(sheet.after, 'Cells after these', '▾')}
        </p>
      )}
      {error !== undefined && error.code !== 'disconnected' && (
        <p class="problem">
          {error.message} {error.hint}
        </p>
      )}
      <div ref={element} class="matrix-box">
        <table
          ref={table}
          class="matrix charts-by-cell"
          role="grid"
          aria-label={`Charts by cell: ${unit.name}`}
          data-scope="experiment"
        >
          <GridHead grid={grid} title={unit.name} />
          {grid.blocks.map((block) => (
            <tbody key={block.title}>
              {block.title !== '' && (
                <tr>
                  <th scope="rowgroup" colSpan={columns + 1} class="block">
                    {block.title}
                  </th>
                </tr>
              )}
              {block.rows.map(({ title, cells }, index) => {
                const row = block.first + index;
                return (
                  <tr key={title}>
                    <th scope="row">{title}</th>
                    {cells.map((cell, column) => (
                      <CellChartBox
                        key={column}
                        place={{ row, column }}
                        cell={cell === undefined ? undefined : experiment.cells[cell]}
                        chart={loaded.find((one) => one.cell === cell)}
                        isLoaded={value !== undefined}
                        width={room.width}
                        side={sideOf(props.sides, cell)}
                        isCursor={row === at.row && column === at.column}
                        look={look}
                        lit={lit}
                        onFocus={() => {
                          cursor.value = { row, column };
                        }}
                        onHover={(key) => {
                          hovered.value = key === undefined ? undefined : { key, cell: cell! };
                        }}
                        onPick={(key) => {
                          const { fn } = app.view.peek();
                          pickFunction(app, key === fn ? undefined : key);
                        }}
                        onOpen={() => open(cell!)}
                      />
                    ))}
                  </tr>
                );
              })}
            </tbody>
          ))}
        </table>
      </div>
      <output class="pointed" aria-live="polite">
        {pointed.value === undefined ? (
          <span class="mute">
            Hover over a function to highlight it in every cell; click to keep it. A click on a
            title opens the runs of that cell alone.
          </span>
        ) : (
          <>
            <b>{pointed.value.name}</b> in {experiment.cells[hovered.value?.cell ?? 0]?.title}:
            total {formatFigure(pointed.value.total, unit)} ({formatShare(pointed.value.totalShare)}
            ), self {formatFigure(pointed.value.self, unit)} ({formatShare(pointed.value.selfShare)}
            ){unit.adds_up && ' a run'}
          </>
        )}
      </output>
      {pending && <div class="busy" />}
    </section>
  );
}

/** The chosen chart; the scatter needs calls. */
export function chartOf(
  metrics: readonly { readonly name: string }[],
  wanted: CellChartKind | undefined,
): CellChartKind {
  const has = cellCharts(metrics).some(({ value }) => value === wanted);
  return wanted !== undefined && has ? wanted : 'flame';
}

/** The charts that a profile has. */
export function cellCharts(metrics: readonly { readonly name: string }[]) {
  const hasCalls = metrics.some(({ name }) => name === 'calls');
  return CELL_CHARTS.filter(({ value }) => value !== 'scatter' || hasCalls);
}

function captionOf(
  kind: CellChartKind,
  { name, adds_up }: { readonly name: string; readonly adds_up: boolean },
  most: string,
): string {
  const values = adds_up
    ? `means of the runs of a cell (${name})`
    : `${name} of all runs of a cell together`;
  const within = adds_up ? '' : ' What a function calls shares its room in proportion.';
  switch (kind) {
    case 'flame':
      return `Widths are ${values}, on one scale: the full width is ${most}.${within}`;
    case 'sunburst':
    case 'treemap':
      return `Areas are ${values}, on one scale: the largest is ${most}.${within}`;
    case 'bars':
      return `Lengths are ${values}, on one scale, with the least and the largest run.`;
    case 'scatter':
      return `Calls and areas are ${values}; axes go from and to the same values, beside a strip for 0 where there is any.`;
  }
}

function sideOf({ base, now }: Sides, cell: number | undefined): 'base' | 'new' | undefined {
  if (cell === undefined) return undefined;
  return base.includes(cell) ? 'base' : now.includes(cell) ? 'new' : undefined;
}
