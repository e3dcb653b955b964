import type { EventEntry } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatThings } from '../../text/units.ts';
import type { Processors } from './CpuMap.tsx';
import { type Column, columnsOf, moved, within } from './columns.ts';
import { type Axis, axisOf, axisEnds, onAxis } from './places.ts';
import type { RunSets } from './sets.ts';

const [WIDTH, HEIGHT, TOP, SIDE] = [640, 236, 44, 56];
/** As wide as the title of an axis is at most. */
const TITLE = 112;

/** A line of parallel coordinates: a processor, or what processors or threads share. */
export interface Line {
  readonly group: string;
  readonly number: number;
  /** None where it is not a processor. */
  readonly cpu?: number;
  readonly entry: EventEntry;
}

/** Shares of an axis, from its lowest value. */
type Brush = readonly [number, number];

/**
 * Parallel coordinates: a line each over what it has in the sets of runs, and by how much it changed. An
 * axis is turned over, moved, and a part of it chosen.
 */
export function Coordinates(
  props: Pick<Processors, 'hovered'> & {
    readonly lines: readonly Line[];
    readonly sets: RunSets;
    keep(cpus: readonly number[]): void;
  },
) {
  const { lines, sets, hovered, keep } = props;
  const order = useSignal<readonly string[]>([]);
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const brushes = useSignal<ReadonlyMap<string, Brush>>(new Map());
  const held = useRef<{ readonly key: string; readonly from: number } | undefined>(undefined);
  const picture = useRef<SVGSVGElement>(null);
  // A unit is a pixel, so that letters stay as large where there is little room.
  const width = useSignal(WIDTH);
  useEffect(() => {
    if (picture.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.max(200, Math.round(entry!.contentRect.width));
    });
    observer.observe(picture.current);
    return () => observer.disconnect();
  }, [lines.length === 0]);
  const first = lines[0]?.entry;
  if (first === undefined) return null;

  const known = columnsOf(sets);
  const place = ({ key }: Column) => {
    const at = order.value.indexOf(key);
    return at < 0 ? known.findIndex((one) => one.key === key) : at;
  };
  const columns = [...known].sort((one, other) => place(one) - place(other));
  const axes: readonly Axis[] = columns.map(({ scale }) => {
    const alike = columns.filter((one) => one.scale === scale);
    const values = alike.flatMap(({ value }) => lines.flatMap((line) => value(line) ?? []));
    return axisOf(values, scale === 'change');
  });
  const side = Math.min(SIDE, width.value / (2 * columns.length));
  const step = (width.value - 2 * side) / Math.max(1, columns.length - 1);
  const x = (column: number) => side + column * step;
  const room = Math.min(TITLE, step, 2 * side);
  const share = (column: number, value: number) => {
    const own = onAxis(axes[column]!, value);
    return turned.value.has(columns[column]!.key) ? 1 - own : own;
  };
  const y = (part: number) => HEIGHT - 22 - (HEIGHT - 22 - TOP) * part;
  const isKept = (line: Line) =>
    columns.every(({ key, value }, column) => {
      const brush = brushes.value.get(key);
      const own = value(line);
      return brush === undefined || (own !== undefined && within(brush, share(column, own)));
    });
  const kept = brushes.value.size === 0 ? lines : lines.filter(isKept);
  const keptCpus = kept.flatMap(({ cpu }) => cpu ?? []);
  const toggle = (set: ReadonlySet<string>, key: string) => {
    const next = new Set(set);
    if (!next.delete(key)) next.add(key);
    return next;
  };
  /** Where on an axis something is pointed at, from its foot. */
  const shareAt = (event: PointerEvent) => {
    const box = picture.current!.getBoundingClientRect();
    const at = ((event.clientY - box.top) / box.height) * HEIGHT;
    return Math.min(1, Math.max(0, (HEIGHT - 22 - at) / (HEIGHT - 22 - TOP)));
  };
  const brush = (key: string, range: Brush | undefined) => {
    const next = new Map(brushes.peek());
    if (range === undefined) next.delete(key);
    else next.set(key, range);
    brushes.value = next;
  };
  return (
    <div class="coordinates-box">
      <svg
        ref={picture}
        class="coordinates"
        viewBox={`0 0 ${width.value} ${HEIGHT}`}
        role="img"
        aria-label={`Each of ${lines.length} as a line over ${columns.map(({ title }) => title).join(', ')}`}
      >
        {lines.map((line) => {
          const points = columns.flatMap(({ value }, column) => {
            const own = value(line);
            return own === undefined ? [] : [`${x(column)},${y(share(column, own))}`];
          });
          const { group, cpu } = line;
          const isFaded = hovered.value === undefined ? !isKept(line) : hovered.value !== group;
          return (
            <polyline
              key={group}
              class={`line ${isFaded ? 'faded' : hovered.value === group ? 'hovered' : ''}`}
              points={points.join(' ')}
              onPointerEnter={() => {
                hovered.value = group;
              }}
              onPointerLeave={() => {
                hovered.value = undefined;
              }}
              onClick={() => {
                if (cpu !== undefined) keep([cpu]);
              }}
            >
              <title>
                {[group, ...columns.map((one) => `${one.title}: ${one.text(line)}`)].join('\n')}
              </title>
            </polyline>
          );
        })}
        {columns.map(({ key, title, value, axisText }, column) => {
          const isTurned = turned.value.has(key);
          const isEmpty = lines.every((line) => value(line) === undefined);
          const [top, foot] = axisEnds(axes[column]!, isEmpty, isTurned);
          const range = brushes.value.get(key);
          return (
            <g key={key}>
              <line class="axis" x1={x(column)} x2={x(column)} y1={TOP} y2={HEIGHT - 22} />
              <text x={x(column)} y={TOP - 6}>
                {top === undefined ? 'no values' : axisText(first, top)}
              </text>
              <text x={x(column)} y={HEIGHT - 9}>
                {foot !== undefined && axisText(first, foot)}
              </text>
              {range !== undefined && (
                <rect
                  class="brush"
                  x={x(column) - 7}
                  width={14}
                  y={y(range[1])}
                  height={Math.max(2, y(range[0]) - y(range[1]))}
                />
              )}
              <rect
                class="grip"
                x={x(column) - 9}
                width={18}
                y={TOP - 4}
                height={HEIGHT - 14 - TOP}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  held.current = { key, from: shareAt(event) };
                }}
                onPointerMove={(event) => {
                  const { current } = held;
                  if (current?.key !== key) return;
                  const [from, to] = [current.from, shareAt(event)];
                  brush(key, [Math.min(from, to), Math.max(from, to)]);
                }}
                onPointerUp={(event) => {
                  const { current } = held;
                  held.current = undefined;
                  if (current !== undefined && Math.abs(current.from - shareAt(event)) < 0.01)
                    brush(key, undefined);
                }}
              >
                <title>Drag over a part to choose it; click to let it go</title>
              </rect>
              <foreignObject x={x(column) - room / 2} y={0} width={room} height={24}>
                <div class="axis-title">
                  {column > 0 && (
                    <button
                      type="button"
                      aria-label={`Move ${title} to the left`}
                      title="To the left"
                      onClick={() => {
                        order.value = moved(
                          columns.map((one) => one.key),
                          column,
                        );
                      }}
                    >
                      ‹
                    </button>
                  )}
                  <button
                    type="button"
                    aria-pressed={isTurned}
                    title={`${title}: reverse order`}
                    onClick={() => {
                      turned.value = toggle(turned.value, key);
                    }}
                  >
                    {title} {isTurned ? '↓' : '↑'}
                  </button>
                </div>
              </foreignObject>
            </g>
          );
        })}
      </svg>
      {brushes.value.size > 0 && (
        <p class="brushed" aria-live="polite">
          {formatThings(kept.length, 'line')} of {lines.length}
          {keptCpus.length > 0 && (
            <button type="button" class="plain" onClick={() => keep(keptCpus)}>
              Keep only {keptCpus.length === 1 ? 'this processor' : 'these processors'}
            </button>
          )}
          <button
            type="button"
            class="plain"
            onClick={() => {
              brushes.value = new Map();
            }}
          >
            All
          </button>
        </p>
      )}
    </div>
  );
}
