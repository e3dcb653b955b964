import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { followSize } from '../../canvas/surface.ts';
import { useServices } from '../../state/services.ts';
import { type Bins, between, mostOf } from './bins.ts';
import { binAt, FOOT, type Link, paintBins, rowHeight } from './paint-bins.ts';

/** What all sets share. */
export interface Shown {
  readonly origin: number;
  readonly isProgress: boolean;
  readonly bin: Signal<number | undefined>;
  readonly row: Signal<number | undefined>;
  readonly dragged: Signal<readonly [number, number] | undefined>;
  readonly chosen: readonly [number, number] | undefined;
  choose(range: readonly [number, number]): void;
}

/** A set of runs: a row a group, a column a bin. */
export function Strip(
  props: Shown & {
    readonly bins: Bins;
    readonly set: number;
    readonly title: string;
    readonly links: readonly Link[];
  },
) {
  const { bins, set, title, links, bin, row, dragged, chosen } = props;
  const { app } = useServices();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => (host.current === null ? undefined : followSize(host.current, size)), []);
  const rows = bins.result.groups.length;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || size.value.width === 0) return;
    const held = dragged.value;
    paintBins(context, size.value, {
      bins,
      set,
      origin: props.origin,
      isProgress: props.isProgress,
      most: mostOf(bins),
      instant: bin.value,
      row: row.value,
      range: held === undefined ? chosen : between(...held),
      links,
    });
  }, [bins, links, chosen, size.value, bin.value, row.value, dragged.value, app.theme.shown.value]);
  const place = (event: PointerEvent): readonly [number, number] | undefined => {
    const box = host.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const tall = (box.height - FOOT) / Math.max(1, rows);
    const at = Math.floor((event.clientY - box.top) / tall);
    return [
      binAt(box.width, bins.result.bins, event.clientX - box.left),
      Math.min(rows - 1, Math.max(0, at)),
    ];
  };
  return (
    <figure class="strip">
      {title !== '' && <figcaption>{title}</figcaption>}
      <div
        ref={host}
        class="cells"
        style={{ height: `${rows * rowHeight(rows) + FOOT}px` }}
        onPointerDown={(event) => {
          const at = place(event);
          if (at === undefined || event.button !== 0) return;
          host.current?.setPointerCapture(event.pointerId);
          dragged.value = [at[0], at[0]];
          [bin.value, row.value] = at;
        }}
        onPointerMove={(event) => {
          const at = place(event);
          const held = dragged.peek();
          if (at === undefined || !host.current?.hasPointerCapture(event.pointerId)) return;
          if (held !== undefined) dragged.value = [held[0], at[0]];
          [bin.value, row.value] = at;
        }}
        onPointerUp={() => {
          const held = dragged.peek();
          dragged.value = undefined;
          if (held !== undefined && held[0] !== held[1]) props.choose(between(...held));
        }}
        onPointerCancel={() => {
          dragged.value = undefined;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </figure>
  );
}
