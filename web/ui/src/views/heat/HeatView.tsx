import type { ViewSpec } from '@hotframe/engine';
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { changeState } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { formatFigure, formatThings, type Unit } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { useChart } from '../charts/ChartFrame.tsx';
import { timeLabel } from '../timeline/times.ts';
import { createHeatController } from './controller.ts';
import { chosenCells, columnChoices, rectangleOf } from './grid.ts';
import type { Cell } from './held.ts';
import { cellAt, paintHeat } from './painting.ts';
import { HEAT_PART } from './state.ts';
import { CellSummary, Legend } from './CellSummary.tsx';

/** When how much was: columns are seconds, rows are fractions of one. */
export function HeatView(props: { readonly spec: ViewSpec }) {
  const { app, commands } = useServices();
  const { element, size, spec, at: placeOf } = useChart(props.spec);
  const canvas = useRef<HTMLCanvasElement>(null);
  const heat = useMade(() =>
    createHeatController({
      engine: app.engine,
      spec,
      history: app,
      compare(base, now) {
        app.profile.compareParts(base, now).catch(app.notices.fail);
      },
      refuse(why) {
        app.notices.notice.value = why;
      },
    }),
  );

  const grid = heat.grid.value;
  const { origin, length } = heat.recording.value;
  const { value: answer, error, pending } = heat.heat.value;
  const values = heat.values.value;
  const summary = heat.summary.value;
  const metric = app.profile.summary.value?.metrics[app.profile.metric.value];
  const unit: Unit = metric ?? { unit: '', decimals: 0 };
  const format = (value: number) =>
    value > 0 && value < 1 ? `less than ${formatFigure(1, unit)}` : formatFigure(value, unit);

  useSignalEffect(() => {
    const shown = heat.grid.value;
    const cells = heat.values.value;
    const { most } = heat.summary.value;
    const ranges = heat.ranges.value;
    const { origin, length } = heat.recording.value;
    const { pressed, walked, second } = heat.held.value;
    app.theme.shown.value;
    const room = size.value;
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || room.width === 0) return;
    if (shown === undefined || cells === undefined) return;
    const outlined = [pressed, walked, second].flatMap((one) =>
      one ? [rectangleOf(one.from, one.to)] : [],
    );
    paintHeat(context, room, {
      grid: shown,
      origin,
      length,
      values: cells,
      most,
      chosen: ranges.length > 0 ? chosenCells(shown, ranges) : undefined,
      outlined,
    });
  });

  useCommands(commands, () => element.current, {
    left: () => heat.walk([-1, 0], false),
    right: () => heat.walk([1, 0], false),
    parent: () => heat.walk([0, 1], false),
    child: () => heat.walk([0, -1], false),
    extend_left: () => heat.walk([-1, 0], true),
    extend_right: () => heat.walk([1, 0], true),
    extend_up: () => heat.walk([0, 1], true),
    extend_down: () => heat.walk([0, -1], true),
    choose_range: heat.chooseWalked,
    compare_ranges: heat.compare,
    whole: heat.chooseAll,
    escape: heat.escape,
  });

  const cellOf = (event: PointerEvent): Cell | undefined =>
    grid && cellAt(size.peek(), grid, ...placeOf(event));
  const press = (event: PointerEvent) => {
    const cell = cellOf(event);
    if (cell === undefined || event.button !== 0) return;
    element.current?.setPointerCapture(event.pointerId);
    element.current?.focus({ preventScroll: true });
    heat.press(cell);
  };

  const at = heat.pointed.value;
  const search = app.view.value.search;
  return (
    <div class="heat">
      <div class="heat-told">
        {grid !== undefined && (
          <Pick
            label="Column"
            choices={columnChoices(length).map((column) => ({
              value: String(column),
              label: timeLabel(column),
              title: `${formatThings(Math.ceil(length / column), 'column')}`,
            }))}
            value={String(grid.column)}
            onChange={(column) => changeState(app, HEAT_PART, { column: Number(column) })}
          />
        )}
        <span class="mute">
          {grid && `each cell ${timeLabel(grid.cell)}`}
          {search !== '' && ' · of what the search finds'}
        </span>
        {heat.held.value.second !== undefined && (
          <button
            type="button"
            class="plain on"
            title="What these cells have against the range that is kept (C)"
            onClick={heat.compare}
          >
            Compare with the kept range
          </button>
        )}
        <Legend most={format(summary.most)} />
      </div>
      <div
        ref={element}
        class="picture"
        data-scope="heat"
        role="application"
        aria-label="Heat map"
        aria-roledescription="heat map"
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={(event) => heat.moveTo(cellOf(event))}
        onPointerUp={(event) => heat.release(event.shiftKey)}
        onPointerCancel={heat.cancel}
        onPointerLeave={heat.leave}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <PictureStates error={error} pending={pending || heat.tracks.value.pending} />
      </div>
      <output class="heat-at" aria-live="polite">
        {at !== undefined && grid !== undefined && values !== undefined ? (
          <CellSummary
            rectangle={rectangleOf(at.from, at.to)}
            {...{ grid, values, origin, format }}
            sum={summary.sum}
          />
        ) : (
          <span class="mute">
            {answer !== undefined && answer.result.untimed !== 0
              ? `${format(answer.result.untimed)} have no time and are not here`
              : heat.isRange.value
                ? 'Shift + drag over other cells compares them with the kept range'
                : 'Drag over cells: everything else shows their time'}
          </span>
        )}
      </output>
    </div>
  );
}
