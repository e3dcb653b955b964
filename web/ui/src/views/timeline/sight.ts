import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { createMotion, STEP_MS } from '../../canvas/motion.ts';
import { type Axis, axisOf } from './axis.ts';
import { clampWindow, panWindow, type Window, windowAround, zoomWindow } from './times.ts';

/** How long after the last move the address is written. */
const FOLLOW_MS = 250;

export type Sight = ReturnType<typeof createSight>;

/** The part of time that is in sight, and how it moves. */
export function createSight(options: {
  /** Of the recording, in nanoseconds. */
  readonly length: ReadonlySignal<number>;
  /** Stretches that may be left out. */
  readonly idle: ReadonlySignal<readonly (readonly [number, number])[]>;
  /** CSS pixels. */
  readonly width: ReadonlySignal<number>;
  readonly gutter: ReadonlySignal<number>;
  /** The part in the address; all where undefined. */
  readonly wanted: ReadonlySignal<Window | undefined>;
  write(window: Window | undefined, step: 'push' | 'replace'): void;
}) {
  const { gutter } = options;
  const axis = computed<Axis>(() => axisOf(options.length.value, options.idle.value));
  /** Places of the axis. */
  const window = signal<Window>({ from: 0, to: 1 });
  const motion = createMotion(window, (from: Window, to: Window, progress) => ({
    from: from.from + (to.from - from.from) * progress,
    to: from.to + (to.to - from.to) * progress,
  }));
  const unit = computed(() => (window.value.to - window.value.from) / options.width.value);
  const placed = ({ from, to }: Window): Window => ({
    from: axis.peek().placeOf(from),
    to: axis.peek().placeOf(to),
  });
  const timed = (on: Axis, { from, to }: Window): Window => ({
    from: on.timeOf(from),
    to: on.timeOf(to),
  });

  // The window of the address is shown; a motion writes it there when it is over.
  const stop = effect(() => {
    const wanted = options.wanted.value;
    const whole = axis.value.length;
    motion.stop();
    window.value =
      wanted === undefined ? { from: 0, to: whole } : clampWindow(placed(wanted), whole);
  });
  let settled: ReturnType<typeof setTimeout> | undefined;
  function go(next: Window, how: 'step' | 'follow', step: 'push' | 'replace' = 'replace') {
    clearTimeout(settled);
    const on = axis.peek();
    const write = () => {
      const whole = next.from <= 0 && next.to >= on.length;
      options.write(whole ? undefined : timed(on, next), step);
    };
    if (how === 'follow') {
      motion.stop();
      window.value = next;
      settled = setTimeout(write, FOLLOW_MS);
      return;
    }
    void motion.moveTo(next, STEP_MS).then(() => {
      settled = setTimeout(write, 50);
    });
  }
  const whole = () => axis.peek().length;

  return {
    axis,
    /** Places of the axis. */
    window: window as ReadonlySignal<Window>,
    /** The times in sight. */
    times: computed(() => timed(axis.value, window.value)),
    /** How much of an axis a pixel is: nanoseconds outside of breaks. */
    unit,
    /** The pixel of a time. */
    xOf: (time: number) =>
      gutter.peek() + (axis.peek().placeOf(time) - window.peek().from) / unit.peek(),
    timeAt: (x: number) =>
      axis.peek().timeOf(window.peek().from + (x - gutter.peek()) * unit.peek()),
    zoomBy(factor: number, anchor: number, how: 'step' | 'follow') {
      const from = how === 'step' ? motion.goal() : window.peek();
      go(zoomWindow(from, factor, anchor, whole()), how);
    },
    panBy(share: number, how: 'step' | 'follow') {
      const from = how === 'step' ? motion.goal() : window.peek();
      go(panWindow(from, share, whole()), how);
    },
    /** Shows some times. */
    look(times: Window, how: 'step' | 'follow' = 'step') {
      go(clampWindow(placed(times), whole()), how);
    },
    /** Shows a stretch with some room around it. */
    zoomTo(begin: number, lasts: number, step: 'push' | 'replace' = 'push') {
      const { from, to } = placed({ from: begin, to: begin + lasts });
      go(windowAround(from, to - from, whole()), 'step', step);
    },
    /** Shows a time in the middle of as much as is in sight. */
    centre(time: number) {
      const { from, to } = window.peek();
      const place = axis.peek().placeOf(time);
      const half = (to - from) / 2;
      go(clampWindow({ from: place - half, to: place + half }, whole()), 'step');
    },
    whole() {
      go({ from: 0, to: whole() }, 'step', 'push');
    },
    dispose() {
      clearTimeout(settled);
      motion.stop();
      stop();
    },
  };
}
