import type { EventEntry } from '@hotframe/engine';
import type { Processors } from './CpuMap.tsx';
import { changeText, figureText } from './figures.ts';
import { type Axis, axisOf, onAxis } from './places.ts';

const [WIDTH, HEIGHT, TOP, SIDE] = [640, 220, 28, 50];

interface Column {
  readonly title: string;
  readonly isAroundZero: boolean;
  value(entry: EventEntry, cpu: number): number | undefined;
  text(entry: EventEntry, value: number): string;
}

const COLUMNS: readonly Column[] = [
  { title: 'CPU', isAroundZero: false, value: (_, cpu) => cpu, text: (_, value) => `${value}` },
  side('base', 0),
  side('new', 1),
  {
    title: 'change',
    isAroundZero: true,
    value: ({ change }) => {
      const ratio = change?.ratio;
      return ratio === null || ratio === undefined ? undefined : (ratio - 1) * 100;
    },
    text: (_, value) => changeText(value / 100 + 1),
  },
];

function side(title: string, number: 0 | 1): Column {
  return {
    title,
    isAroundZero: false,
    value: ({ sides }) => sides[number]?.median ?? undefined,
    text: (entry, value) => figureText(entry, value),
  };
}

/** Parallel coordinates: a line a processor, over what it has on both sides and by how much it changed. */
export function Coordinates({ places, entries, hovered, toggle }: Processors) {
  const rows = places.flatMap(({ group, cpu }) => {
    const entry = entries.get(group);
    return entry === undefined ? [] : [{ group, cpu, entry }];
  });
  const first = rows[0]?.entry;
  if (first === undefined) return null;
  const axes: readonly Axis[] = COLUMNS.map(({ value, isAroundZero }) =>
    axisOf(
      rows.flatMap(({ entry, cpu }) => value(entry, cpu) ?? []),
      isAroundZero,
    ),
  );
  const x = (column: number) => SIDE + (column * (WIDTH - 2 * SIDE)) / (COLUMNS.length - 1);
  const y = (column: number, value: number) =>
    HEIGHT - TOP + (2 * TOP - HEIGHT) * onAxis(axes[column]!, value);
  return (
    <svg
      class="coordinates"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Each processor as a line over both sides and the change between them"
    >
      {COLUMNS.map(({ title, text }, column) => (
        <g key={title}>
          <line class="axis" x1={x(column)} x2={x(column)} y1={TOP} y2={HEIGHT - TOP} />
          <text x={x(column)} y={10} class="title">
            {title}
          </text>
          <text x={x(column)} y={TOP - 5}>
            {text(first, axes[column]!.high)}
          </text>
          <text x={x(column)} y={HEIGHT - TOP + 13}>
            {text(first, axes[column]!.low)}
          </text>
        </g>
      ))}
      {rows.map(({ group, cpu, entry }) => {
        const points = COLUMNS.flatMap(({ value }, column) => {
          const own = value(entry, cpu);
          return own === undefined ? [] : [`${x(column)},${y(column, own)}`];
        });
        const state =
          hovered.value === undefined ? '' : hovered.value === group ? 'hovered' : 'faded';
        return (
          <polyline
            key={group}
            class={`line ${state}`}
            points={points.join(' ')}
            onPointerEnter={() => {
              hovered.value = group;
            }}
            onPointerLeave={() => {
              hovered.value = undefined;
            }}
            onClick={() => toggle(cpu)}
          >
            <title>{group}</title>
          </polyline>
        );
      })}
    </svg>
  );
}
