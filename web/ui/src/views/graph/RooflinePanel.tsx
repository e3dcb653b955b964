import type { GraphRooflineResult, PredictedTime, RooflinePoint } from '@hotframe/engine';
import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  createMachine,
  knownMachine,
  type Machine,
  measuredMachine,
  measureMachine,
} from '../../state/machine.ts';
import { useApp } from '../../state/services.ts';
import { formatQuantity } from '../../text/quantity.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { useGraphAnswer } from './answer.ts';
import { logAxis } from './axis.ts';
import { ExampleNote, useExamples } from './Totals.tsx';

const MOST_POINTS = 200;
const SIZE = { width: 300, height: 220 };
const FRAME = { left: 56, right: 10, top: 10, bottom: 34 };
const GIGA = 1e9;

/** Which boxes memory holds back and which the processor: intensity against what is reached. */
export function RooflinePanel() {
  const app = useApp();
  const { graph } = app;
  const machine = useMemo(
    // An editor's panel has no storage of its own.
    () => createMachine(app.host.store),
    [],
  );
  const { value, error } = useGraphAnswer(
    ({ symbols }) => {
      const view = graph.spec.value;
      const { bandwidth, peak } = machine.value;
      const limits = { bandwidth: bandwidth * GIGA, peak: peak * GIGA };
      return view && { view, symbols, limit: MOST_POINTS, machine: limits };
    },
    (params) => app.engine.call('graph_roofline', params),
  );
  const { bandwidth, peak, origin } = machine.value;
  const areSizes = useExamples().length === 0;
  const field = (label: string, name: 'bandwidth' | 'peak', unit: string) => (
    <label>
      {label}
      <input
        type="number"
        class="control"
        min={0}
        step="any"
        value={machine.value[name]}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          if (next > 0) machine.value = { ...machine.value, [name]: next, origin: 'typed' };
        }}
      />
      <span class="mute">{unit}</span>
    </label>
  );
  return (
    <>
      <h2>Roofline</h2>
      <ExampleNote />
      <div class="graph-machine">
        {field('Bandwidth', 'bandwidth', 'GB/s')}
        {field('Peak', 'peak', 'Gop/s')}
      </div>
      <MachineOrigin machine={machine} />
      {error !== undefined && <p class="mute">{error.message}</p>}
      {value !== undefined && (
        <>
          {value.result.note !== '' && <p role="note">{value.result.note}</p>}
          <Roof
            points={value.result.points}
            ridge={value.result.ridge}
            bandwidth={bandwidth}
            peak={peak}
          />
          <Bounds
            points={value.result.points}
            ridge={value.result.ridge}
            memoryBound={value.result.memory_bound}
            between={value.result.between}
            leftOut={value.result.left_out}
            isExample={!areSizes}
            isOfMachine={origin !== 'example'}
          />
          <States result={value.result} isExample={!areSizes} isOfMachine={origin !== 'example'} />
          {value.result.without_value > 0 && (
            <p class="mute">
              {formatThings(value.result.without_value, 'element')} without a value at these sizes
            </p>
          )}
        </>
      )}
    </>
  );
}

/** Where the two numbers are from, and a way to measure them. */
function MachineOrigin({ machine }: { readonly machine: Signal<Machine> }) {
  const { engine } = useApp();
  const [threads, setThreads] = useState(0);
  const [canMeasure, setCanMeasure] = useState(false);
  const [running, setRunning] = useState<AbortController>();
  const [failed, setFailed] = useState('');
  useEffect(() => {
    void knownMachine(engine).then((known) => {
      if (known === undefined) return;
      setCanMeasure(true);
      setThreads(known.threads);
      const measured = measuredMachine(known);
      if (measured !== undefined && machine.peek().origin !== 'typed') machine.value = measured;
    });
  }, []);
  useEffect(() => () => running?.abort(), [running]);
  const measure = async () => {
    const abort = new AbortController();
    setRunning(abort);
    setFailed('');
    try {
      const result = await measureMachine(engine, abort.signal);
      setThreads(result.threads);
      machine.value = measuredMachine(result) ?? machine.peek();
    } catch (error) {
      if (!abort.signal.aborted) setFailed(error instanceof Error ? error.message : String(error));
    }
    setRunning(undefined);
  };
  const texts = {
    example: 'An example, not your machine.',
    typed: 'Numbers that you typed.',
    measured: `Measured on this machine with ${formatThings(threads, 'thread')}.`,
  };
  const { origin } = machine.value;
  const action = origin === 'measured' ? 'Measure again' : 'Measure this machine';
  return (
    <p class="mute" role="status">
      {running === undefined ? texts[origin] : 'Measuring: about 3 seconds on all processors.'}{' '}
      {running !== undefined && (
        <button type="button" class="plain" onClick={() => running.abort()}>
          Cancel
        </button>
      )}
      {running === undefined && canMeasure && (
        <button type="button" class="plain" onClick={measure}>
          {action}
        </button>
      )}
      {!canMeasure && origin === 'example' && (
        <>
          Type its numbers: <code>hotframe sdfg machine</code> measures them.
        </>
      )}
      {failed}
    </p>
  );
}

interface RoofProps {
  readonly points: readonly RooflinePoint[];
  /** Operations for each byte. */
  readonly ridge: number;
  /** In 10^9 bytes a second. */
  readonly bandwidth: number;
  /** In 10^9 operations a second. */
  readonly peak: number;
}

function Roof({ points, ridge, bandwidth, peak }: RoofProps) {
  const { graph } = useApp();
  const { width, height } = SIZE;
  const roof = (intensity: number) => Math.min(peak, intensity * bandwidth) * GIGA;
  const placed = points.filter(({ intensity }) => intensity > 0 && Number.isFinite(intensity));
  const across = logAxis(
    [
      ...placed.flatMap((point) => [
        point.intensity,
        point.intensity_of_distinct ?? point.intensity,
      ]),
      ridge / 4,
      ridge * 4,
    ],
    FRAME.left,
    width - FRAME.right,
    10,
  );
  const up = logAxis(
    [...placed.flatMap(({ rate, most_rate: most }) => [rate, most ?? rate]), peak * GIGA],
    height - FRAME.bottom,
    FRAME.top,
    10,
  );
  if (across === undefined || up === undefined) return null;
  const clampY = (rate: number) => Math.min(height - FRAME.bottom, up.at(rate));
  // Where the slope leaves the plot at the bottom.
  const left = Math.max(across.from, up.from / (bandwidth * GIGA));
  const line = [
    [across.at(left), clampY(roof(left))],
    [across.at(ridge), up.at(peak * GIGA)],
    [across.at(across.to), up.at(peak * GIGA)],
  ];
  const selected = graph.view.value.selection;
  return (
    <svg class="plot" viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Roofline">
      {across.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={across.at(tick)}
            x2={across.at(tick)}
            y1={FRAME.top}
            y2={height - FRAME.bottom}
          />
          <text x={across.at(tick)} y={height - 20} text-anchor="middle">
            {formatQuantity(tick, '')}
          </text>
        </g>
      ))}
      {up.ticks.map((tick) => (
        <g key={tick}>
          <line x1={FRAME.left} x2={width - FRAME.right} y1={up.at(tick)} y2={up.at(tick)} />
          <text x={FRAME.left - 5} y={up.at(tick) + 3} text-anchor="end">
            {formatQuantity(tick, 'operations/second')}
          </text>
        </g>
      ))}
      <text x={(FRAME.left + width - FRAME.right) / 2} y={height - 5} text-anchor="middle">
        operations for each byte
      </text>
      <polyline class="roof" points={line.map((at) => at.join(',')).join(' ')} />
      {placed.map((point) => {
        const { element, intensity, intensity_of_distinct: best, rate, time_s: time } = point;
        if (best === null) return null;
        // Along the roof from one to the other; what was measured is as fast wherever it stands.
        const top = (at: number) => clampY(time === null ? roof(at) : rate);
        const corner = ridge > intensity && ridge < best ? [ridge] : [];
        const way = [intensity, ...corner, best].map((at) => `${across.at(at)},${top(at)}`);
        return (
          <g key={element} class={element === selected ? 'reuse on' : 'reuse'}>
            <polyline points={way.join(' ')} />
            <line x1={across.at(best)} x2={across.at(best)} y1={top(best) - 4} y2={top(best) + 4} />
          </g>
        );
      })}
      {placed.map(({ element, label, intensity, intensity_of_distinct: best, ...point }) => (
        <circle
          key={element}
          class={`${point.time_s === null ? 'attainable' : 'reached'}${element === selected ? ' on' : ''}`}
          cx={across.at(intensity)}
          cy={clampY(point.rate)}
          r={element === selected ? 5.5 : 4}
          tabIndex={-1}
          onClick={() => graph.jumpTo({ element, path: [] })}
        >
          <title>
            {[
              label,
              `${range(intensity, best, 'operations/byte')}, ${formatQuantity(point.work, 'operations')}`,
              point.time_s === null
                ? `attainable: ${range(point.rate, point.most_rate, 'operations/second')}`
                : `reached: ${formatQuantity(point.rate, 'operations/second')}`,
              `predicted: ${predictedTime(point.predicted_s)}`,
            ].join('\n')}
          </title>
        </circle>
      ))}
    </svg>
  );
}

/** From where each access moves to where every element moves once. */
function range(each: number, once: number | null, unit: string): string {
  const [from, to] = [formatQuantity(each, unit), once === null ? '?' : formatQuantity(once, unit)];
  return from === to ? from : `${from} to ${to}`;
}

function predictedTime({ least, most }: PredictedTime): string {
  const time = (seconds: number) => formatQuantity(seconds * 1e9, 'nanoseconds');
  const [from, to] = [least === null ? '?' : time(least), time(most)];
  return from === to ? from : `${from} to ${to}`;
}

/** What numbers are examples of. */
interface Examples {
  /** Whether sizes are not set. */
  readonly isExample: boolean;
  /** Whether the machine is one that somebody has. */
  readonly isOfMachine: boolean;
}

interface BoundsProps extends Examples {
  readonly points: readonly RooflinePoint[];
  readonly ridge: number;
  readonly memoryBound: number;
  readonly between: number;
  readonly leftOut: number;
}

/** What the plot says, in words and as a list that the keyboard reaches. */
function Bounds(props: BoundsProps) {
  const { graph } = useApp();
  const { points, ridge, memoryBound, between, leftOut, isExample, isOfMachine } = props;
  const measured = points.some(({ time_s: time }) => time !== null);
  return (
    <>
      <p class="mute">
        {measured ? 'Filled points were measured; ' : ''}open circles are what is attainable if each
        access moves, and the bar at the end of a line what is if every element moves once. Below{' '}
        {formatQuantity(ridge, 'operations/byte')} memory is the limit: whatever is reused for{' '}
        {formatInteger(memoryBound)} of {formatThings(points.length, 'element')}, by how much is
        reused for {formatInteger(between)}.
        {leftOut > 0 && ` ${formatInteger(leftOut)} more with less work are left out.`}
      </p>
      <ul class="graph-neighbours stacked">
        {points.slice(0, 20).map(({ element, label, work, ...point }) => (
          <li key={element}>
            <button type="button" onClick={() => graph.jumpTo({ element, path: [] })}>
              <b>{label}</b>
            </button>
            <span class="mute number">
              {isExample && 'e.g. '}
              {formatQuantity(work, 'operations')} ·{' '}
              {range(point.intensity, point.intensity_of_distinct, 'operations/byte')}
              {isOfMachine && ` · ${predictedTime(point.predicted_s)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface StatesProps extends Examples {
  readonly result: GraphRooflineResult;
}

/** What states take by the roof, the longest first. */
function States({ result, isExample, isOfMachine }: StatesProps) {
  const { graph } = useApp();
  const { states, states_left_out: leftOut, predicted_s: predicted } = result;
  if (states.length === 0) return null;
  return (
    <>
      <h3>{isOfMachine ? 'Predicted time' : 'Predicted time on the example machine'}</h3>
      <p>
        <b class="number">
          {isExample && 'e.g. '}
          {predicted === null ? '?' : predictedTime(predicted)}
        </b>{' '}
        <span class="mute">
          for the whole: from where every element moves once in the run, to where each access moves.
          Of states each element moves once each time that they run:
        </span>
      </p>
      <ul class="graph-neighbours stacked">
        {states.map(({ element, label, predicted_s: time, time_s: measured }) => (
          <li key={element}>
            <button type="button" onClick={() => graph.jumpTo({ element, path: [] })}>
              <b>{label}</b>
            </button>
            <span class="mute number">
              {isExample && 'e.g. '}
              {predictedTime(time)}
              {measured !== null && `, measured ${formatQuantity(measured * 1e9, 'nanoseconds')}`}
            </span>
          </li>
        ))}
      </ul>
      {leftOut > 0 && <p class="mute">and {formatThings(leftOut, 'shorter state')}</p>}
    </>
  );
}
