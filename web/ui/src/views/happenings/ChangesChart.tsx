import type { ComparedMetric, ViewSpec } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatFigure } from '../../text/units.ts';
import { TIMELINE_PART } from '../timeline/state.ts';
import { timeLabel } from '../timeline/times.ts';
import { areaOf, stepsOf } from './chart.ts';
import { fine } from './list.ts';

const CELLS = 400;
const HEIGHT = 60;

interface Asked {
  readonly view: ViewSpec;
  readonly sides: readonly [number, number];
  readonly from: number;
  readonly cell: number;
}

/** The metric on both sides over the part of time that is in sight: the base as an area, the new profile as steps. */
export function ChangesChart(props: { readonly view: ViewSpec; readonly metric: ComparedMetric }) {
  const app = useApp();
  const shown = useSignal(props);
  if (shown.peek().view !== props.view || shown.peek().metric !== props.metric) shown.value = props;
  const chart = useMemo(() => {
    const input = distinct((): Asked | undefined => {
      const tracks = app.profile.timeline.value?.tracks.value.value;
      if (tracks === undefined) return undefined;
      const { view, metric } = shown.value;
      const { from, to } = stateOf(app.view.value, TIMELINE_PART).window ?? {
        from: 0,
        to: tracks.length,
      };
      const cell = Math.max(1, Math.ceil((to - from) / CELLS));
      const sides = [metric.base, metric.new] as const;
      return { view, sides, from, cell };
    });
    return resource(input, async ({ view, sides, from, cell }, signal) => {
      const [base, now] = await Promise.all(
        sides.map(async (metric) => {
          const asked = { view: { ...view, metric }, from, cell, cells: CELLS };
          const { columns } = await app.engine.call('heat', asked, { signal });
          return columns.value;
        }),
      );
      return { base: base ?? [], now: now ?? [], from, to: from + cell * CELLS };
    });
  }, []);
  useEffect(() => () => chart.dispose(), []);
  const { value, error } = chart.state.value;
  // A metric that does not add up over time has no such chart; the list has.
  if (error !== undefined) return null;
  if (value === undefined) return <div class="concurrency-chart" />;
  const { base, now, from, to } = value;
  const normalise = app.profile.summary.value?.comparison?.normalise.kind;
  const isScaled = normalise !== undefined && normalise !== 'absolute';
  const unit = app.profile.summary.value?.metrics[props.metric.both];
  const origin = app.profile.timeline.value?.tracks.value.value?.origin ?? 0;
  const most = Math.max(Number.MIN_VALUE, ...base, ...now);
  const step = fine(to - from);
  const [begin, end] = [timeLabel(origin + from, step), timeLabel(origin + to, step)];
  const told = unit === undefined ? '' : formatFigure(most, unit);
  return (
    <figure
      class="concurrency-chart"
      style={{ '--gutter': `${app.profile.timeline.value?.gutter.value ?? 0}px` }}
    >
      <figcaption>
        <b>{props.metric.name}</b> in each of {CELLS} stretches, area: the base, line: the new
        profile
        {isScaled && '; both sides are scaled'}
      </figcaption>
      <div class="chart">
        <span class="most">{told}</span>
        <svg
          role="img"
          aria-label={`Base and new profile from ${begin} to ${end}, at most ${told} in a stretch`}
          viewBox={`0 0 ${CELLS} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path class="mean" d={areaOf(base, most, HEIGHT)} />
          <path class="steps" d={stepsOf(now, most, HEIGHT)} />
        </svg>
      </div>
      <p class="ends">
        <span>{begin}</span>
        <span>{end}</span>
      </p>
    </figure>
  );
}
