import type { FunctionsParams, ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { comparedMetric } from '../../state/comparison.ts';
import { distinct } from '../../state/distinct.ts';
import { useChartExports } from '../../state/exports.ts';
import { actedFunction } from '../../state/frame-actions.ts';
import { answers } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatShare, formatThings, shareOf } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import type { ChartProps } from '../charts/chart.ts';
import { ChartFrame, useChart } from '../charts/ChartFrame.tsx';
import { letGo, pickFunction, standingOut, toggleFunction } from '../charts/chosen.ts';
import { Shapes } from '../charts/Shapes.tsx';
import { svgOf } from '../charts/shapes.ts';
import { BARS_BY, type BarsBy, CHARTS_PART } from '../charts/state.ts';
import { AXIS, axisShapes, type BarsLook, barShapes, ROW } from './picture.ts';
import { type BarRow, sceneOf } from './rows.ts';
import { Told } from './Told.tsx';

/** Most functions that are drawn; what is smaller cannot be told apart. */
const MOST_ROWS = 300;

/** What bars are sorted by. */
function shownBy(app: App): BarsBy {
  const { by } = stateOf(app.view.value, CHARTS_PART);
  const compares = app.profile.summary.value?.comparison != null;
  if (by !== undefined && (by !== 'change' || compares)) return by;
  return compares ? 'change' : 'self';
}

/** What the engine is asked for. */
function asked(app: App, { shape: _, ...spec }: ViewSpec): FunctionsParams {
  const by = shownBy(app);
  const compared = comparedMetric(app.profile.summary.value, spec.metric);
  const isChange = by === 'change' && compared !== undefined;
  return {
    view: { ...spec, shape: { kind: 'top_down' } },
    metrics: [spec.metric],
    sort: {
      by: by === 'self' ? 'self_value' : 'total_value',
      metric: isChange ? compared.metric.change : spec.metric,
      reverse: false,
    },
    filter: '',
    direction: null,
    first: 0,
    count: MOST_ROWS,
  };
}

/** Functions with a bar of self and one of total each. */
export function BarsView(props: ChartProps) {
  const app = useApp();
  const chart = useChart(props.spec);
  const { size } = chart;
  const hovered = useSignal<BarRow | undefined>(undefined);
  const bars = useMade(() => {
    return answers(
      app.engine,
      'bars',
      distinct(() => asked(app, chart.spec.value)),
    );
  });
  const scene = useComputed(() => {
    const answer = bars.state.value.value;
    return answer && sceneOf(answer);
  });
  const look = useComputed((): BarsLook => {
    const colour = app.profile.colour.value;
    return {
      inks: chart.inks.value,
      fills: chart.palette.value.fills,
      // Self has a bar.
      colour: colour === 'self_share' ? 'module' : colour,
      unit: app.profile.metricInfo.value,
      out: standingOut(app),
    };
  });
  const axis = useComputed(() =>
    scene.value === undefined ? [] : axisShapes(scene.value, size.value.width, look.value),
  );
  const body = useComputed(() =>
    scene.value === undefined ? [] : barShapes(scene.value, size.value.width, look.value),
  );
  const drawnAxis = useComputed(() => <Shapes shapes={axis.value} />);
  const drawnBody = useComputed(() => <Shapes shapes={body.value} />);
  useChartExports(
    () => ({
      label: 'Bars',
      picture() {
        const shown = scene.peek();
        const { width } = size.peek();
        const below = shown === undefined ? [] : barShapes(shown, width, look.peek(), AXIS);
        const height = AXIS + (shown?.rows.length ?? 0) * ROW;
        return svgOf([...axis.peek(), ...below], { width, height }, look.peek().inks.paper);
      },
      async csv() {
        const params = asked(app, chart.spec.peek());
        return (await app.engine.call('export_functions_csv', params)).result;
      },
    }),
    [],
  );

  const rows = scene.value?.rows ?? [];
  const cursor = rows.findIndex(({ info }) => info.key === app.view.value.fn);
  const row = rows[cursor];
  const pick = (index: number) => {
    const next = rows[Math.min(Math.max(0, index), rows.length - 1)];
    if (next === undefined) return;
    pickFunction(app, next.info.key);
    show(rows.indexOf(next));
  };
  const show = (index: number) => {
    const scroller = chart.element.current;
    if (scroller === null) return;
    const [top, bottom] = [index * ROW, (index + 1) * ROW];
    const room = scroller.clientHeight - AXIS;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
  };
  const scrolled = () => chart.element.current?.scrollTop ?? 0;
  const rowAt = (event: MouseEvent) => Math.floor((chart.at(event)[1] + scrolled() - AXIS) / ROW);

  const compares = app.profile.summary.value?.comparison != null;
  const left = (scene.value?.totalRows ?? 0) - rows.length;
  return (
    <ChartFrame
      chart={chart}
      picker={props.picker}
      class="bars"
      noun="Function"
      tools={
        <>
          <Pick
            label="Sort"
            choices={BARS_BY.filter(({ value }) => compares || value !== 'change')}
            value={shownBy(app)}
            onChange={(by) => changeState(app, CHARTS_PART, { by })}
          />
          <span class="bars-key">
            <i aria-hidden="true" class="total" /> total
            {scene.value?.estimated === true && ', estimated'} <i aria-hidden="true" /> self
          </span>
          {scene.value?.members !== undefined && (
            <span
              class="mute"
              title="The lines go from the member with the least to the one with the most"
            >
              means of {formatThings(scene.value.members, compares ? 'run' : 'member')}, least to
              most
            </span>
          )}
          <span class="grow" />
          {scene.value !== undefined && left > 0 && (
            <span class="mute">
              {formatThings(left, 'function')} further down, self{' '}
              {formatShare(shareOf(scene.value.rest, scene.value.whole))}
            </span>
          )}
          <span class="mute number">{formatThings(scene.value?.totalRows ?? 0, 'function')}</span>
        </>
      }
      picture={{
        class: 'picture scroll',
        role: 'application',
        'aria-roledescription': 'bar chart',
        'aria-label': 'Functions by self and total',
        onClick(event) {
          const at = rowAt(event);
          if (rows[at] === undefined) letGo(app);
          else if (event.shiftKey) toggleFunction(app, rows[at].info.key);
          else pick(at);
        },
        onDblClick(event) {
          const at = rows[rowAt(event)];
          if (at !== undefined) app.profile.openFunction(at.info.key);
        },
        onPointerMove(event) {
          hovered.value = rows[rowAt(event)];
        },
        onPointerLeave() {
          hovered.value = undefined;
        },
      }}
      state={bars.state.value}
      empty={
        scene.value?.totalRows === 0 ? ['No functions', 'Nothing passes the filters.'] : undefined
      }
      acted={actedFunction(row?.info)}
      keys={{
        parent: () => pick(cursor - 1),
        child: () => pick(cursor + 1),
        row_first: () => pick(0),
        choose_beside() {
          if (row !== undefined) toggleFunction(app, row.info.key);
        },
        escape: () => letGo(app),
      }}
      menuAt={() => [80, AXIS + (cursor + 1) * ROW - scrolled()]}
      pickAt={(event) => {
        const at = rowAt(event);
        if (rows[at] !== undefined) pick(at);
        return rows[at] !== undefined;
      }}
      below={
        scene.value !== undefined && (
          <Told
            scene={scene.value}
            row={hovered.value ?? row}
            chosen={new Set(app.view.value.fns)}
            onLetGo={() => letGo(app)}
          />
        )
      }
    >
      <svg class="bars-axis" aria-hidden="true" width={size.value.width} height={AXIS}>
        {drawnAxis.value}
      </svg>
      <svg aria-hidden="true" width={size.value.width} height={rows.length * ROW}>
        {cursor >= 0 && (
          <rect class="bars-cursor" y={cursor * ROW} width={size.value.width} height={ROW} />
        )}
        {drawnBody.value}
      </svg>
    </ChartFrame>
  );
}
