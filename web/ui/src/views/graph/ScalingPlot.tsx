import type { Answer, CostQuantity } from '@hotframe/engine';
import { computed, signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { settingsOf } from '../../state/graph-view.ts';
import { steadyResource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import type { Choice } from '../../state/view-state.ts';
import { formatQuantity } from '../../text/quantity.ts';
import { logAxis, sizeLabel } from './axis.ts';

const QUANTITIES: readonly Choice<CostQuantity>[] = [
  { value: 'movement', label: 'movement', title: 'Bytes that move' },
  { value: 'work', label: 'operations', title: 'Arithmetic operations' },
  { value: 'depth', label: 'depth', title: 'Operations on the longest chain' },
  { value: 'parallelism', label: 'parallelism', title: 'Operations over depth' },
  { value: 'intensity', label: 'intensity', title: 'Operations for each byte' },
];
const UNITS: Readonly<Record<CostQuantity, string>> = {
  movement: 'bytes',
  work: 'operations',
  depth: 'operations',
  parallelism: '',
  intensity: 'operations/byte',
};

/** How far a plot goes below and above the current value. */
const BELOW = 32;
const ABOVE = 64;
const SIZE = { width: 300, height: 170 };
const FRAME = { left: 54, right: 8, top: 10, bottom: 24 };

/** A cost over one symbol, both by their logarithms, for an element or the program. */
export function ScalingPlot(props: { readonly element: number | undefined }) {
  const { engine, graph } = useApp();
  const quantity = useSignal<CostQuantity>('movement');
  const chosen = useSignal<string | undefined>(undefined);
  /** The symbol that matters most, which is shown until someone chooses. */
  const foremost = useSignal<string | undefined>(undefined);
  const element = useMemo(() => signal(props.element), []);
  useEffect(() => {
    element.value = props.element;
  }, [props.element]);
  const summary = graph.summary.value;
  const sizes = summary?.symbols ?? [];
  const symbol = chosen.value ?? foremost.value ?? sizes[0]?.name;
  const plot = useMemo(() => {
    const input = computed(() => {
      const info = graph.summary.value;
      const document = graph.spec.value?.document;
      const name = chosen.value ?? foremost.value ?? info?.symbols[0]?.name;
      if (info === undefined || document === undefined || name === undefined) return undefined;
      const symbols = settingsOf(info, graph.rested.value.symbols);
      const at = symbols.find((setting) => setting.name === name)?.value ?? 1;
      return {
        document,
        element: element.value ?? null,
        quantity: quantity.value,
        symbols,
        symbol: name,
        from: Math.max(1, Math.round(at / BELOW)),
        to: Math.max(2, at * ABOVE),
      };
    });
    return steadyResource(input, async (params) => ({
      params,
      answer: await engine.call('graph_scaling', params),
    }));
  }, []);
  useEffect(() => () => plot.dispose(), []);
  useSignalEffect(() => {
    const ranking = plot.state.value.value?.answer.result.ranking;
    if (ranking !== undefined) foremost.value = ranking[0]?.name;
  });
  if (summary === undefined || symbol === undefined) return null;
  const { value, error } = plot.state.value;
  const current = settingsOf(summary, graph.view.value.symbols).find(
    ({ name }) => name === symbol,
  )?.value;
  return (
    <section class="graph-scaling">
      <h3>How it grows</h3>
      <div class="graph-choose">
        <select
          class="control"
          aria-label="Cost"
          value={quantity.value}
          onChange={(event) => {
            quantity.value = event.currentTarget.value as CostQuantity;
          }}
        >
          {QUANTITIES.map((choice) => (
            <option key={choice.value} value={choice.value} title={choice.title}>
              {choice.label}
            </option>
          ))}
        </select>
        over
        <select
          class="control"
          aria-label="Symbol"
          value={symbol}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          {sizes.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {error !== undefined && <p class="mute">{error.message}</p>}
      {value !== undefined && (
        <Curve
          answer={value.answer}
          symbol={value.params.symbol}
          unit={UNITS[value.params.quantity]}
          current={current}
        />
      )}
    </section>
  );
}

function Curve(props: {
  readonly answer: Answer<'graph_scaling'>;
  readonly symbol: string;
  readonly unit: string;
  readonly current: number | undefined;
}) {
  const { answer, symbol, unit, current } = props;
  const { at, cost } = answer.columns;
  const points = [...at].flatMap((x, index) => {
    const y = cost[index]!;
    return y > 0 && Number.isFinite(y) ? [{ x, y }] : [];
  });
  const { width, height } = SIZE;
  const across = logAxis(
    points.map(({ x }) => x),
    FRAME.left,
    width - FRAME.right,
    2,
  );
  const up = logAxis(
    points.map(({ y }) => y),
    height - FRAME.bottom,
    FRAME.top,
    unit === 'bytes' ? 2 : 10,
  );
  const { exponent, expression } = answer.result;
  if (across === undefined || up === undefined) {
    return <p class="mute">It costs nothing, or a value is missing.</p>;
  }
  const line = points.map(({ x, y }) => `${across.at(x).toFixed(1)},${up.at(y).toFixed(1)}`);
  const marked = current === undefined ? undefined : nearest(points, current);
  const power =
    exponent === null
      ? ''
      : Math.abs(exponent) < 0.005
        ? `does not depend on ${symbol}`
        : `grows as ${powerOf(symbol, exponent)}`;
  return (
    <>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Cost over ${symbol}: ${power}`}
      >
        {across.ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={across.at(tick)}
              x2={across.at(tick)}
              y1={FRAME.top}
              y2={height - FRAME.bottom}
            />
            <text x={across.at(tick)} y={height - 8} text-anchor="middle">
              {sizeLabel(tick)}
            </text>
          </g>
        ))}
        {up.ticks.map((tick) => (
          <g key={tick}>
            <line x1={FRAME.left} x2={width - FRAME.right} y1={up.at(tick)} y2={up.at(tick)} />
            <text x={FRAME.left - 5} y={up.at(tick) + 3} text-anchor="end">
              {formatQuantity(tick, unit)}
            </text>
          </g>
        ))}
        <polyline points={line.join(' ')} />
        {marked !== undefined && (
          <circle cx={across.at(marked.x)} cy={up.at(marked.y)} r={4}>
            <title>
              {symbol} = {marked.x}: {formatQuantity(marked.y, unit)}
            </title>
          </circle>
        )}
      </svg>
      <p class="graph-grows">
        {power !== '' && <b>{power}</b>}
        {expression !== '' && (
          <code class="mute" title={expression}>
            {expression}
          </code>
        )}
      </p>
    </>
  );
}

function powerOf(symbol: string, exponent: number): string {
  const power = exponent.toFixed(2).replace(/\.?0+$/, '');
  return power === '1' ? symbol : `${symbol}^${power}`;
}

/** The point next to a value, where the curve has one. */
function nearest(
  points: readonly { readonly x: number; readonly y: number }[],
  value: number,
): { readonly x: number; readonly y: number } | undefined {
  return points.reduce<{ readonly x: number; readonly y: number } | undefined>(
    (best, point) =>
      best === undefined || Math.abs(Math.log(point.x / value)) < Math.abs(Math.log(best.x / value))
        ? point
        : best,
    undefined,
  );
}
