import { useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fitCanvas, followSize } from '../../canvas/surface.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import type { TimelineController } from './controller.ts';
import { hasChart } from './places.ts';
import { AlignTools } from './AlignTools.tsx';
import { TrackTools } from './TrackTools.tsx';
import { clampWindow, rangesOf, stepOf, timeLabel } from './times.ts';

/** Tracks that are added up for the overview: the busiest. */
const MOST_ADDED = 100;

/** The whole recording in a strip, with the window on it. */
export function Overview(props: {
  readonly controller: TimelineController;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}) {
  const { controller } = props;
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const busy = useMemo(() => {
    const input = distinct(() => {
      const tracks = controller.tracks.value.value;
      const width = Math.round(size.value.width);
      if (tracks === undefined || width < 2) return undefined;
      const charts = tracks.tracks.filter(hasChart);
      const busiest = [...charts].sort(
        (one, other) => other.busy + other.samples - one.busy - one.samples,
      );
      const wanted = busiest
        .slice(0, MOST_ADDED)
        .map(({ track }) => ({ track, first_row: 0, rows: 0, group: false }));
      return { from: 0, to: Math.max(1, tracks.length), width, tracks: wanted };
    });
    return resource(input, async (asked, signal) => {
      const view = { ...controller.input.peek().spec, filters: [] };
      const params = { ...asked, view, search: '' };
      const { columns } = await app.engine.call('lanes', params, { signal });
      const sums = new Float64Array(asked.width);
      columns.busy_of.forEach((_, at) => {
        sums[columns.busy_unit[at]!]! += columns.busy_share[at]!;
      });
      return sums;
    });
  }, []);
  useEffect(() => () => busy.dispose(), []);
  useEffect(() => (host.current === null ? undefined : followSize(host.current, size)), []);

  useSignalEffect(() => {
    const sums = busy.state.value.value;
    const { width, height } = size.value;
    const { from, to } = controller.times.value;
    const length = controller.length.value;
    const origin = controller.tracks.value.value?.origin ?? 0;
    app.theme.shown.value;
    const filters = app.view.value.filters;
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || width === 0) return;
    const scale = devicePixelRatio;
    fitCanvas(context.canvas, size.value, scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(document.documentElement);
    const token = (name: string) => style.getPropertyValue(name).trim();
    context.clearRect(0, 0, width, height);
    const most = sums?.reduce((one, other) => Math.max(one, other), 0) ?? 0;
    context.fillStyle = token('--mute');
    context.globalAlpha = 0.55;
    sums?.forEach((sum, x) => {
      const tall = most === 0 ? 0 : (sum / most) * (height - 6);
      if (tall > 0) context.fillRect(x, height - Math.max(1, tall), 1, tall);
    });
    context.globalAlpha = 1;
    const xOf = (time: number) => (time / length) * width;
    for (const { kind, pattern } of filters) {
      if (kind !== 'time') continue;
      context.fillStyle = token('--accent');
      for (const range of rangesOf(origin, length, pattern)) {
        context.globalAlpha = 0.25;
        context.fillRect(xOf(range.from), 0, Math.max(2, xOf(range.to) - xOf(range.from)), height);
        context.globalAlpha = 1;
      }
    }
    if (to - from < length * 0.9999) {
      const [left, right] = [xOf(from), xOf(to)];
      context.fillStyle = token('--bg');
      context.globalAlpha = 0.6;
      context.fillRect(0, 0, left, height);
      context.fillRect(right, 0, width - right, height);
      context.globalAlpha = 1;
      context.strokeStyle = token('--accent');
      context.lineWidth = 1.5;
      context.strokeRect(left + 0.75, 0.75, Math.max(2, right - left - 1.5), height - 1.5);
    }
  });

  // A press begins a new window, or moves the one that it hits.
  const press = (event: PointerEvent) => {
    const box = host.current?.getBoundingClientRect();
    if (box === undefined || event.button !== 0) return;
    host.current?.setPointerCapture(event.pointerId);
    const length = controller.length.peek();
    const timeAt = (x: number) => Math.min(1, Math.max(0, (x - box.left) / box.width)) * length;
    const start = timeAt(event.clientX);
    const window = controller.times.peek();
    const isWhole = window.to - window.from > length * 0.99;
    const moves = !isWhole && start >= window.from && start <= window.to;
    const move = (next: PointerEvent) => {
      const at = timeAt(next.clientX);
      if (moves) {
        const by = at - start;
        const moved = { from: window.from + by, to: window.to + by };
        controller.look(clampWindow(moved, length), 'follow');
      } else if (Math.abs(next.clientX - event.clientX) > 3) {
        controller.look({ from: Math.min(start, at), to: Math.max(start, at) }, 'follow');
      }
    };
    const end = () => {
      host.current?.removeEventListener('pointermove', move);
      host.current?.removeEventListener('pointerup', end);
      host.current?.removeEventListener('pointercancel', end);
    };
    host.current?.addEventListener('pointermove', move);
    host.current?.addEventListener('pointerup', end);
    host.current?.addEventListener('pointercancel', end);
  };

  const window = controller.times.value;
  const { origin } = controller.tracks.value.value ?? { origin: 0 };
  const step = stepOf(controller.unit.value);
  return (
    <div class="timeline-overview">
      <div class="timeline-told">
        <span class="number">
          {timeLabel(origin + window.from, step)} – {timeLabel(origin + window.to, step)}
        </span>
        <span class="mute">{timeLabel(window.to - window.from, step)}</span>
        <IdleNote controller={controller} />
        <AlignTools controller={controller} />
        <TrackTools controller={controller} inputRef={props.inputRef} />
        <button
          type="button"
          class="plain"
          title="Filter all views to the visible range (M)"
          onClick={() => controller.choose(window)}
        >
          Filter to visible range
        </button>
      </div>
      <div
        ref={host}
        class="timeline-strip"
        style={{ marginLeft: `${controller.gutter.value}px` }}
        title="Drag to look at a part; double click for all"
        onPointerDown={press}
        onDblClick={() => controller.whole()}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </div>
  );
}

/** How much of the recording is not drawn. */
function IdleNote({ controller }: { readonly controller: TimelineController }) {
  if (!controller.input.value.view.noIdle || controller.idle.value.value === undefined) return null;
  const { breaks } = controller.axis.value;
  const length = breaks.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <button
      type="button"
      class="plain"
      title="Show idle time (G)"
      onClick={() => controller.arrange({ noIdle: false })}
    >
      {breaks.length === 0
        ? 'no idle time'
        : `${timeLabel(length, fineStep(length))} idle left out`}
    </button>
  );
}

/** Four digits of a length. */
function fineStep(length: number): number {
  return 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, length))) - 3);
}
