import type { Answer, MetricInfo } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { shortenName, visible } from '../../text/names.ts';
import {
  formatFigure,
  formatFigureChange,
  formatP,
  formatThings,
  formatValue,
} from '../../text/units.ts';
import { barsOf, type Bar } from './bars.ts';
import { trendText } from './trend.ts';

/** How a node's values spread over members. */
export type SpreadValues = Answer<'distribution'>;

const WIDTH = 300;
const SERIES_HEIGHT = 64;
const HISTOGRAM_HEIGHT = 44;
/** Letters of a name beside its value. */
const NAME_COLUMNS = 32;
/** Outliers that are named. */
const MOST_NAMED = 8;

/** A bar a member, their histogram, and what the figures say. */
export function Spread(props: Part & { readonly brief?: boolean }) {
  const { spread, unit, thing, brief = false } = props;
  const part = { spread, unit, thing };
  const compared = spread.result.base_members !== null;
  return (
    <>
      <Series {...part} />
      <Trend {...part} />
      {compared ? <Difference {...part} /> : <Histogram {...part} />}
      {!compared && !brief && (
        <>
          <FigureList {...part} />
          <Outliers {...part} />
        </>
      )}
    </>
  );
}

interface Part {
  /** What a member is called. */
  readonly thing: string;
  readonly spread: SpreadValues;
  readonly unit: MetricInfo;
}

/** A bar a profile, in the order in which they came; click keeps only that profile. */
function Series({ spread, unit, thing }: Part) {
  const app = useApp();
  const { members, base_members: baseMembers, outliers } = spread.result;
  const totals = spread.columns.total_value;
  const apart = new Set(outliers);
  const bars = barsOf(totals, WIDTH, SERIES_HEIGHT, apart);
  const kind = (bar: Bar) =>
    [
      baseMembers !== null && bar.first < baseMembers ? 'base' : '',
      [...apart].some((member) => member >= bar.first && member <= bar.last) ? 'apart' : '',
    ].join(' ');
  return (
    <svg
      class="series"
      viewBox={`0 0 ${WIDTH} ${SERIES_HEIGHT}`}
      role="img"
      aria-label={`Total by ${thing}, in their order: first ${formatValue(totals[0] ?? 0n, unit)}, last ${formatValue(totals.at(-1) ?? 0n, unit)}`}
    >
      {bars.map((bar) => (
        <rect
          key={bar.first}
          class={kind(bar)}
          x={bar.x}
          y={bar.y}
          width={bar.width}
          height={bar.height}
          onClick={() => app.profile.addFilter('label_focus', members[bar.highest]?.pattern ?? '')}
        >
          <title>
            {visible(members[bar.highest]?.name ?? '')}
            {'\n'}
            {formatValue(totals[bar.highest] ?? 0n, unit)}
            {'\n'}Keep only this {thing}
          </title>
        </rect>
      ))}
      {bars
        .filter(({ clipped }) => clipped)
        .map((bar) => (
          <path
            key={bar.first}
            class="notch"
            d={`M${bar.x - 2} 9 l${bar.width / 2 + 2} -4 l${bar.width / 2 + 2} 4`}
          />
        ))}
    </svg>
  );
}

function Trend({ spread, unit, thing }: Part) {
  const { trend } = spread.result;
  if (trend === null) return null;
  return (
    <p
      class={`trend ${trend.direction}`}
      title="The line of least squares, or the median slope where a few profiles turn it; the test of Mann and Kendall. Profiles that begin with what the last one left are not independent of each other: look at the slope as well."
    >
      <b>{trendText(trend)}</b>{' '}
      <span class="mute number">
        {formatFigure(trend.slope, unit)} a {thing}, {formatP(trend.p_value)}
      </span>
    </p>
  );
}

/** How many profiles have which value. */
function Histogram({ spread, unit, thing }: Part) {
  const { edges, counts } = spread.columns;
  const { beyond } = spread.result;
  const most = Math.max(1, ...counts);
  const width = WIDTH / Math.max(1, counts.length);
  return (
    <>
      <svg
        class="histogram"
        viewBox={`0 0 ${WIDTH} ${HISTOGRAM_HEIGHT}`}
        role="img"
        aria-label="Histogram of the totals"
      >
        {[...counts].map((count, bin) => {
          const height = count === 0 ? 0 : Math.max(1, (count / most) * (HISTOGRAM_HEIGHT - 2));
          return (
            <rect
              key={edges[bin]}
              x={bin * width + 0.5}
              y={HISTOGRAM_HEIGHT - height}
              width={Math.max(0.5, width - 1)}
              height={height}
            >
              <title>
                {formatThings(count, thing)}: {formatFigure(edges[bin] ?? 0, unit)} to{' '}
                {formatFigure(edges[bin + 1] ?? 0, unit)}
              </title>
            </rect>
          );
        })}
      </svg>
      <div class="scale number mute">
        <span>{formatFigure(edges[0] ?? 0, unit)}</span>
        {beyond > 0 && <span>{beyond} beyond</span>}
        <span>{formatFigure(edges.at(-1) ?? 0, unit)}</span>
      </div>
    </>
  );
}

function FigureList({ spread, unit }: Part) {
  const { figures, members } = spread.result;
  if (figures === null) return null;
  const entries: readonly (readonly [string, string])[] = [
    ['smallest', formatFigure(figures.min, unit)],
    ['median', formatFigure(figures.median, unit)],
    ['mean', formatFigure(figures.mean, unit)],
    ['95 %', formatFigure(figures.p95, unit)],
    ['largest', formatFigure(figures.max, unit)],
    ['std. dev.', figures.deviation === null ? '–' : formatFigure(figures.deviation, unit)],
    ['present in', `${figures.present} of ${members.length}`],
  ];
  return (
    <dl class="figures">
      {entries.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The profiles that stand apart, each one click from its own picture. */
function Outliers({ spread, unit, thing }: Part) {
  const app = useApp();
  const { members, outliers } = spread.result;
  if (outliers.length === 0) return null;
  const total = (member: number) => spread.columns.total_value[member] ?? 0n;
  const named = outliers.toSorted((a, b) => Number(total(b) - total(a))).slice(0, MOST_NAMED);
  return (
    <>
      <h3 title="Beyond Tukey's fences: one and a half times the middle half away from it">
        Outliers
      </h3>
      <ul class="share-list">
        {named.map((member) => (
          <li key={member}>
            <button
              type="button"
              title={`${visible(members[member]?.name ?? '')}\nKeep only this ${thing}`}
              onClick={() => app.profile.addFilter('label_focus', members[member]?.pattern ?? '')}
            >
              <code>{shortenName(members[member]?.name ?? '', NAME_COLUMNS)}</code>
              <span class="number">{formatValue(total(member), unit)}</span>
            </button>
          </li>
        ))}
        {outliers.length > named.length && (
          <li class="mute">and {outliers.length - named.length} more</li>
        )}
      </ul>
    </>
  );
}

function Difference({ spread, unit }: Part) {
  const { interval } = spread.result;
  if (interval === null) return null;
  const { estimate, low, high } = interval;
  return (
    <p
      class="mute"
      title="Bootstrap of the difference of means; few runs know little of their spread"
    >
      Mean change per run <b class="number">{formatFigureChange(estimate, unit)}</b>; 95 % interval{' '}
      <span class="number">
        {formatFigureChange(low, unit)} to {formatFigureChange(high, unit)}
      </span>
    </p>
  );
}
