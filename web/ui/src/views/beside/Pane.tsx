import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { followSize } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import { formatValue } from '../../text/units.ts';
import { AXIS, axisShapes, barShapes, ROW } from '../bars/picture.ts';
import { inksOf } from '../charts/inks.ts';
import { Shapes } from '../charts/Shapes.tsx';
import type { Place, Shape } from '../charts/shapes.ts';
import { markAt, placed, roomOf } from '../scatter/room.ts';
import { scatterShapes } from '../scatter/picture.ts';
import type { BesidePane } from './loading.ts';

/** Stands before the name, or on the mark, of a function that only one profile has. */
export const ONLY = '◇';

/** The chart of one of several profiles. */
export function Pane(props: {
  readonly pane: BesidePane;
  /** Names that only this profile has. */
  readonly only: ReadonlySet<string>;
  /** Of the axis of bars, so that all panes have one scale. */
  readonly ticks: readonly number[];
  /** The function that is lit in all panes. */
  readonly lit: ReadonlySignal<string | undefined>;
  onHover(name: string | undefined): void;
  onPick(name: string | undefined): void;
}) {
  const app = useApp();
  const { pane, only, ticks, lit } = props;
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);
  const bars = pane.bars && { ...pane.bars, ticks };
  const { scatter } = pane;
  const room = scatter && size.value.width > 0 ? roomOf(size.value, scatter) : undefined;
  const colours = useComputed(() => {
    const shown = app.theme.shown.value;
    return {
      inks: inksOf(document.documentElement),
      palette: paletteOf(shown, document.documentElement),
    };
  });
  const { inks, palette } = colours.value;
  const colour = app.profile.colour.value;
  const name = lit.value;
  const keys = pane.functions.filter((one) => one.name === name).map(({ key }) => key);
  const look = {
    inks,
    fills: palette.fills,
    // Self has a bar and an axis.
    colour: colour === 'self_share' ? ('module' as const) : colour,
    border: palette.border,
    unit: pane.metric,
    out: name === undefined ? undefined : new Set(keys),
  };
  const { width } = size.value;
  const signs = (places: readonly { readonly name: string; readonly at: Place }[]): Shape[] =>
    places
      .filter(({ name }) => only.has(name))
      .map(({ at }) => ({
        kind: 'text',
        at,
        text: ONLY,
        fill: inks.ink,
        size: 9,
        anchor: 'middle',
        middle: true,
      }));
  const barSigns = (bars?.rows ?? []).map(({ info }, at) => ({
    name: info.name,
    at: [5, (at + 0.5) * ROW] as const,
  }));
  const markSigns = (scatter?.marks ?? []).flatMap((mark) =>
    room === undefined ? [] : [{ name: mark.info.name, at: placed(room, mark).at }],
  );
  const nameAt = (event: MouseEvent): string | undefined => {
    const host = element.current;
    const box = host?.getBoundingClientRect();
    if (host === null || box === undefined) return undefined;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (bars !== undefined) {
      const at = y < AXIS ? -1 : Math.floor((y + host.scrollTop - AXIS) / ROW);
      return bars.rows[at]?.info.name;
    }
    return scatter && room && markAt(room, scatter.marks, [x, y])?.info.name;
  };
  return (
    <section class="beside-pane" aria-label={pane.title}>
      <h2 title={pane.title}>
        {pane.title} <small>{formatValue(pane.whole, pane.metric)}</small>
      </h2>
      <div
        ref={element}
        class="beside-picture"
        role="group"
        aria-label={`Chart of ${pane.title}`}
        tabIndex={0}
        onPointerMove={(event) => props.onHover(nameAt(event))}
        onPointerLeave={() => props.onHover(undefined)}
        onClick={(event) => props.onPick(nameAt(event))}
      >
        {bars !== undefined && width > 0 && (
          <>
            <svg class="bars-axis" aria-hidden="true" width={width} height={AXIS}>
              <Shapes shapes={axisShapes(bars, width, look)} />
            </svg>
            <svg aria-hidden="true" width={width} height={bars.rows.length * ROW}>
              <Shapes shapes={[...barShapes(bars, width, look), ...signs(barSigns)]} />
            </svg>
          </>
        )}
        {scatter !== undefined && room !== undefined && (
          <svg aria-hidden="true" width={width} height={size.value.height}>
            <Shapes shapes={[...scatterShapes(scatter, room, look), ...signs(markSigns)]} />
          </svg>
        )}
      </div>
    </section>
  );
}
