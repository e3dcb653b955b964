import type { GraphLegend, LegendTick } from '@hotframe/engine';
import type { GraphScene } from '../../state/graph-scene.ts';
import { useApp } from '../../state/services.ts';
import { formatAllDigits, formatQuantity } from '../../text/quantity.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { isWorthShowing } from './legends.ts';
import { readGraphPalette } from './palette.ts';
import { rampSteps, soften, stepOf } from './ramp.ts';
import { shortenName, visible } from '../../text/names.ts';

/** Width of a scale in CSS pixels, and heights of its histogram and ramp. */
const WIDTH = 258;
const BARS = 22;
const RAMP = 7;
/** Ticks whose labels are nearer than this would lie on each other. */
const APART = 52;

/** On narrower screens legends open when they are asked for. */
const NARROW = 700;

/** How values became colours, for edges and for boxes; the page's only statement of both. */
export function GraphLegends(props: { readonly scene: GraphScene }) {
  const app = useApp();
  const result = props.scene.overlay?.result;
  const edges = result?.edges;
  const nodes = result?.nodes;
  if (result === undefined || ![edges, nodes].some(isWorthShowing)) return null;
  const ramp = rampSteps(result.ramp);
  const panel = readGraphPalette(document.documentElement).panel;
  app.theme.shown.value;
  return (
    <div class="graph-legends">
      {isWorthShowing(edges) && <Legend legend={edges} ramp={ramp} on="edges" />}
      {isWorthShowing(nodes) && <Legend legend={nodes} ramp={soften(ramp, panel)} on="boxes" />}
    </div>
  );
}

function Legend(props: {
  readonly legend: GraphLegend;
  readonly ramp: readonly string[];
  readonly on: 'edges' | 'boxes';
}) {
  const { legend, ramp, on } = props;
  return (
    <details
      class="graph-legend"
      role="group"
      aria-label={`Legend of ${on}`}
      open={innerWidth > NARROW}
    >
      <summary>
        {legend.title} <span class="mute">on {on}</span>
      </summary>
      {legend.categories.length > 0 ? (
        <ul>
          {legend.categories.map(({ name, colour, count }) => (
            <li key={name} title={visible(name)}>
              <i class="swatch" style={{ background: colour }} />
              {shortenName(name, 34)} <span class="mute number">{formatInteger(count)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <Scale legend={legend} ramp={ramp} />
      )}
      {legend.without > 0 && (
        <p class="mute">{formatThings(legend.without, 'element')} without a value</p>
      )}
      {legend.note !== '' && <p role="note">{legend.note}</p>}
    </details>
  );
}

function Scale(props: { readonly legend: GraphLegend; readonly ramp: readonly string[] }) {
  const { legend, ramp } = props;
  const { bins } = legend;
  if (legend.values === 0) return <p class="mute">nothing has a value</p>;
  const most = Math.max(1, ...bins);
  const each = WIDTH / Math.max(1, bins.length);
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${BARS + RAMP + 2}`}
        width={WIDTH}
        height={BARS + RAMP + 2}
        role="img"
        aria-label={`${formatInteger(legend.values)} values by size`}
      >
        {bins.map((count, bin) => {
          const height = count === 0 ? 0 : Math.max(1.5, (count / most) * BARS);
          return (
            <rect
              key={bin}
              x={bin * each + 0.5}
              y={BARS - height}
              width={Math.max(1, each - 1)}
              height={height}
              fill={ramp[stepOf((bin + 0.5) / bins.length)]}
            >
              <title>{formatThings(count, 'value')}</title>
            </rect>
          );
        })}
        {ramp.map((colour, step) => (
          <rect
            key={step}
            x={(step * WIDTH) / ramp.length}
            y={BARS + 2}
            width={WIDTH / ramp.length + 0.4}
            height={RAMP}
            fill={colour}
          />
        ))}
      </svg>
      <div class="graph-ticks" style={{ width: `${WIDTH}px` }}>
        {spread(legend.ticks).map(({ position, value, label }) => (
          <span
            key={position}
            class={position < 0.1 ? 'first' : position > 0.9 ? 'last' : ''}
            style={{ left: `${position * 100}%` }}
            title={formatAllDigits(value, null, legend.unit)}
          >
            {formatQuantity(value, legend.unit)}
            {label !== '' && <small>{label}</small>}
          </span>
        ))}
        {legend.below > 0 && (
          <small class="first" title="Drawn in the first colour">
            ◂ {formatInteger(legend.below)} below
          </small>
        )}
        {legend.above > 0 && (
          <small class="last" title="Drawn in the last colour">
            {formatInteger(legend.above)} above ▸
          </small>
        )}
      </div>
    </>
  );
}

/** Ticks that leave each other room: named ones first, then the ends. */
function spread(ticks: readonly LegendTick[]): readonly LegendTick[] {
  const kept: LegendTick[] = [];
  const rank = ({ label, position }: LegendTick) =>
    label !== '' ? 0 : position === 0 || position === 1 ? 1 : 2;
  for (const tick of [...ticks].sort((a, b) => rank(a) - rank(b))) {
    const near = kept.some(({ position }) => Math.abs(position - tick.position) * WIDTH < APART);
    if (!near) kept.push(tick);
  }
  return kept;
}
