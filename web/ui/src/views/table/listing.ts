import { useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type VirtualRows, virtualRows } from './virtual.ts';

/** Height of a line of text in CSS pixels; the style sheet has the same. */
const LINE = 20;

/** Lines of a text in a box that scrolls, of which those in sight exist. */
export interface Listing {
  /** The box. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: VirtualRows;
}

/**
 * Has `count` lines in a box. When `shown` is another, the one at `at` (from 0) stands where eyes are, a
 * third below the top, unless it is in sight from the begin on; and keys scroll the box.
 */
export function useListing(count: number, at: number, shown: readonly unknown[]): Listing {
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useSignal({ top: 0, height: 400 });
  const rows = useComputed(() => virtualRows(count, scroll.value.top, scroll.value.height, LINE));
  useLayoutEffect(() => {
    const host = scroller.current;
    if (host === null) return undefined;
    const follow = () => {
      scroll.value = { top: host.scrollTop, height: host.clientHeight };
    };
    const observer = new ResizeObserver(follow);
    observer.observe(host);
    host.addEventListener('scroll', follow, { passive: true });
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const host = scroller.current;
    if (host === null) return;
    const above = Math.floor(host.clientHeight / LINE / 3);
    const sight = virtualRows(count, 0, host.clientHeight, LINE);
    const row = Math.max(0, Math.min(at, count - 1));
    host.scrollTop = row < above * 2 ? 0 : sight.scrollTo(row - above);
    host.focus();
  }, shown);
  return { scroller, rows: rows.value };
}
