import type { Signal } from '@preact/signals';

/** Motions of one step; long enough to see where things go, short enough not to wait for. */
export const STEP_MS = 90;
/** What follows a motion comes once nothing has moved for so long, not at each of its frames. */
export const REST_MS = 250;

/** What times motions. */
export interface Frames {
  /** Milliseconds from any beginning. */
  now(): number;
  request(tick: () => void): number;
  cancel(frame: number): void;
  /** Whether people asked to see no motions. */
  isReduced(): boolean;
}

const BROWSER: Frames = {
  now: () => performance.now(),
  request: (tick) => requestAnimationFrame(tick),
  cancel: (frame) => cancelAnimationFrame(frame),
  isReduced: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
};

/** Moves what is looked at from place to place. */
export interface Motion<T> {
  /** Where it is, or where a motion under way will end: further steps add to that. */
  goal(): T;
  /** Goes to a place; resolves when it is there, or when the motion has been stopped. */
  moveTo(place: T, duration: number): Promise<void>;
  /** Stays where it is. */
  stop(): void;
}

/** Motions of a signal; `between` tells where it is on the way. */
export function createMotion<T>(
  position: Signal<T>,
  between: (from: T, to: T, progress: number) => T,
  frames: Frames = BROWSER,
): Motion<T> {
  let current: { readonly to: T; readonly frame: number; end(): void } | undefined;

  function stop(): void {
    if (current === undefined) return;
    frames.cancel(current.frame);
    const { end } = current;
    current = undefined;
    end();
  }

  return {
    goal: () => (current === undefined ? position.peek() : current.to),
    moveTo(to, duration) {
      stop();
      if (duration === 0 || frames.isReduced()) {
        position.value = to;
        return Promise.resolve();
      }
      const from = position.peek();
      const start = frames.now();
      return new Promise((resolve) => {
        const tick = () => {
          const progress = Math.min(1, (frames.now() - start) / duration);
          position.value = progress === 1 ? to : between(from, to, eased(progress));
          if (progress < 1) current = { to, frame: frames.request(tick), end: resolve };
          else {
            current = undefined;
            resolve();
          }
        };
        current = { to, frame: frames.request(tick), end: resolve };
      });
    },
    stop,
  };
}

/** Fast at first and slower towards the end; 0 to 1 for 0 to 1. */
export function eased(progress: number): number {
  return 1 - (1 - progress) ** 3;
}

/** Something that is done once it has not been asked for again for a while. */
export interface Rest {
  begin(): void;
  cancel(): void;
}

export function afterRest(run: () => void, rest = REST_MS): Rest {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    begin() {
      clearTimeout(timer);
      timer = setTimeout(run, rest);
    },
    cancel() {
      clearTimeout(timer);
    },
  };
}
