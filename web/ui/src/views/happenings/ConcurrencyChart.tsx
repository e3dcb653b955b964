import type { ViewSpec } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { TIMELINE_PART } from '../timeline/state.ts';
import { timeLabel } from '../timeline/times.ts';
import { areaOf, stepsOf } from './chart.ts';
import { fine } from './list.ts';

const CELLS = 600;
const HEIGHT = 60;

/** How many there are at once in the part of time that is in sight: the most as steps, the mean as an area. */
export function ConcurrencyChart(props: {
  readonly view: ViewSpec;
  /** The identifier of a row of the list. */
  readonly row: string;
}) {
  const app = useApp();
  const shown = useSignal(props);
  if (shown.peek().view !== props.view || shown.peek().row !== props.row) shown.value = props;
  const chart = useMemo(() => {
    const input = distinct(() => {
      const tracks = app.profile.timeline.value?.tracks.value.value;
      if (tracks === undefined) return undefined;
      const { view, row } = shown.value;
      const { from, to } = stateOf(app.view.value, TIMELINE_PART).window ?? {
        from: 0,
        to: tracks.length,
      };
      return { view, row, from, to: Math.max(to, from + 1), cells: CELLS };
    });
    return resource(input, async (asked, signal) => {
      const answer = await app.engine.call('concurrency_chart', asked, { signal });
      return { ...answer, from: asked.from, to: asked.to };
    });
  }, []);
  useEffect(() => () => chart.dispose(), []);
  const { value } = chart.state.value;
  if (value === undefined) return <div class="concurrency-chart" />;
  const { columns, result, from, to } = value;
  const origin = app.profile.timeline.value?.tracks.value.value?.origin ?? 0;
  const most = Math.max(1, result.most);
  const step = fine(to - from);
  const [begin, end] = [timeLabel(origin + from, step), timeLabel(origin + to, step)];
  const said = `${result.title}: at most ${formatInteger(result.most)} at once from ${begin} to ${end}`;
  return (
    <figure
      class="concurrency-chart"
      style={{ '--gutter': `${app.profile.timeline.value?.gutter.value ?? 0}px` }}
    >
      <figcaption>
        <b>{result.title}</b>, line: the most at once, area: the mean
      </figcaption>
      <div class="chart">
        <span class="most">{formatInteger(most)}</span>
        <svg
          role="img"
          aria-label={said}
          viewBox={`0 0 ${columns.most.length} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path class="mean" d={areaOf(columns.mean, most, HEIGHT)} />
          <path class="steps" d={stepsOf(columns.most, most, HEIGHT)} />
        </svg>
      </div>
      <p class="ends">
        <span>{begin}</span>
        <span>{end}</span>
      </p>
    </figure>
  );
}
