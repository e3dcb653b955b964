import type { Signal } from '@preact/signals';
import { createHold } from './hold.ts';
import { followStep, type Gesture, NO_PRESSES, type Pinch, type PointerStep } from './presses.ts';
import type { Point } from './rect.ts';
import { type Wheel, wheelOf } from './wheel.ts';

/** What a picture does with mouse, wheel and touch; places are in CSS pixels from its corner. */
export interface PointerEffects {
  /** Buttons of a mouse that press; 0 is the main one. */
  readonly buttons: readonly number[];
  /** Where the pointer is in the window. */
  readonly pointer: Signal<Point>;
  /** The pointer is at a place without a press, or nowhere. */
  hover(at: Point | undefined): void;
  wheel(wheel: Wheel, at: Point): void;
  drag(from: Point, to: Point): void;
  pinch(pinch: Pinch): void;
  click(at: Point): void;
  doubleClick?(at: Point): void;
  /** Opens a menu for what is at a place; `inWindow` is where that is in the window. */
  openMenu(at: Point, inWindow: Point): void;
}

/**
 * Follows mouse, wheel and touch on a picture, which holds nothing with pointers of its own, until the
 * function that is returned is called.
 */
export function followPointer(host: HTMLElement, effects: PointerEffects): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  let presses = NO_PRESSES;

  const inHost = ({ x, y }: Point): Point => {
    const place = host.getBoundingClientRect();
    return { x: x - place.left, y: y - place.top };
  };
  const local = (event: MouseEvent): Point => inHost({ x: event.clientX, y: event.clientY });
  const hold = createHold((at) => effects.openMenu(inHost(at), at));
  const step = (kind: PointerStep['kind'], event: PointerEvent): Gesture | undefined => {
    const next = followStep(presses, { kind, pointer: event.pointerId, at: local(event) });
    presses = next.presses;
    return next.gesture;
  };

  host.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      effects.hover(undefined);
      effects.wheel(wheelOf(event), local(event));
    },
    { ...options, passive: false },
  );

  host.addEventListener(
    'pointerdown',
    (event) => {
      if (!effects.buttons.includes(event.button)) return;
      hold.press(event);
      host.focus({ preventScroll: true });
      host.setPointerCapture(event.pointerId);
      step('press', event);
    },
    options,
  );

  host.addEventListener(
    'pointermove',
    (event) => {
      effects.pointer.value = { x: event.clientX, y: event.clientY };
      hold.move(event);
      const gesture = step('move', event);
      if (gesture?.kind === 'hover') effects.hover(gesture.at);
      if (gesture?.kind !== 'drag' && gesture?.kind !== 'pinch') return;
      host.classList.add('panning');
      effects.hover(undefined);
      if (gesture.kind === 'drag') effects.drag(gesture.from, gesture.to);
      else effects.pinch(gesture);
    },
    options,
  );

  const release = (event: PointerEvent) => {
    const gesture = step(event.type === 'pointercancel' ? 'cancel' : 'release', event);
    host.classList.remove('panning');
    // A finger that rested has opened the menu.
    if (!hold.release() && gesture?.kind === 'click') effects.click(gesture.at);
  };
  host.addEventListener('pointerup', release, options);
  host.addEventListener('pointercancel', release, options);
  host.addEventListener('pointerleave', () => effects.hover(undefined), options);

  host.addEventListener(
    'dblclick',
    (event) => {
      effects.doubleClick?.(local(event));
    },
    options,
  );

  host.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault();
      if (hold.menu()) return;
      effects.openMenu(local(event), { x: event.clientX, y: event.clientY });
    },
    options,
  );
  return () => {
    stop.abort();
    hold.release();
  };
}
