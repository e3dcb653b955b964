import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Width of a character of the lists' font, in CSS pixels. */
const CHAR_WIDTH = 7.23;

/** How many characters fit into an element beside what else stands in a line of it. */
export function useColumns(element: RefObject<HTMLElement | null>, furniture: number): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return undefined;
    setWidth(shown.clientWidth);
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth));
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return Math.max(0, Math.floor((width - furniture) / CHAR_WIDTH));
}
