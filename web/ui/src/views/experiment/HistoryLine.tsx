import type { ExperimentHistoryResult, ExperimentLine } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { followSize } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import { inksOf } from '../charts/inks.ts';
import { Shapes } from '../charts/Shapes.tsx';
import type { Sides } from './grid.ts';
import { LINE_HEIGHT, lineShapes, spotsOf } from './history-picture.ts';

/** A line of a history, with a button on each of its steps. */
export function HistoryLine(props: {
  readonly history: ExperimentHistoryResult;
  readonly line: ExperimentLine;
  readonly sides: Sides;
  onPick(cell: number): void;
}) {
  const app = useApp();
  const { history, line, sides } = props;
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);
  const inks = useComputed(() => (app.theme.shown.value, inksOf(document.documentElement)));
  const { width } = size.value;
  const spots = width === 0 ? [] : spotsOf(line, width);
  return (
    <div ref={element} class="history-plot" style={{ height: `${LINE_HEIGHT}px` }}>
      {width > 0 && (
        <svg aria-hidden="true" width={width} height={LINE_HEIGHT}>
          <Shapes shapes={lineShapes(history, line, width, inks.value)} />
        </svg>
      )}
      {line.steps.map(({ level, cell, mean, subject }, at) => {
        const spot = spots[at];
        if (spot === undefined || mean === null) return null;
        const side = sides.base.includes(cell) ? 'base' : sides.now.includes(cell) ? 'new' : '';
        const title = `${level}: ${mean.text} (${mean.interval})`;
        return (
          <button
            key={at}
            type="button"
            class={`step ${side}`}
            style={{ left: `${spot.x}px`, top: `${spot.y}px` }}
            aria-pressed={side !== ''}
            aria-label={title}
            title={subject === '' ? title : `${title}\n${subject}`}
            onClick={() => props.onPick(cell)}
          >
            {side}
          </button>
        );
      })}
    </div>
  );
}
