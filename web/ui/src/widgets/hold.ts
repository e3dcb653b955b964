import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createHold } from '../canvas/hold.ts';

/** What an element listens to so that a right click and a resting finger open its menu. */
export function useMenuGesture(open: (x: number, y: number) => void) {
  const latest = useRef(open);
  latest.current = open;
  const hold = useMemo(() => createHold(({ x, y }) => latest.current(x, y)), []);
  useEffect(() => () => void hold.release(), []);
  return {
    onPointerDown: (event: PointerEvent) => hold.press(event),
    onPointerMove: (event: PointerEvent) => hold.move(event),
    onPointerUp: () => void hold.release(),
    onPointerCancel: () => void hold.release(),
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      if (!hold.menu()) open(event.clientX, event.clientY);
    },
  };
}
