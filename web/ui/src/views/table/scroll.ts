import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { afterRest } from '../../canvas/motion.ts';
import { type RowWindow, topToShow, windowAround } from './rows.ts';
import { TABLE_ROW, type VirtualRows, virtualRows } from './virtual.ts';

const HEAD_HEIGHT = 28;

/** Rows of which those in sight are asked for. */
export interface ScrolledRows {
  readonly part: ReadonlySignal<{ readonly totalRows: number } | undefined>;
  readonly window: Signal<RowWindow>;
  /** A row that should be scrolled into view. */
  readonly wanted: Signal<number | undefined>;
}

/** Where a list is scrolled to, as the address has it. */
export interface ScrollPlace {
  /** The first row in sight when the list comes. */
  readonly first: number;
  /** Called once it has been scrolled and rests. */
  moved(first: number): void;
}

/** Follows what is scrolled to, asks for the rows that are in sight, and scrolls where wanted. */
export function useTableScroll(
  scroller: RefObject<HTMLElement | null>,
  table: ScrolledRows,
  place: ScrollPlace,
): {
  readonly virtual: ReadonlySignal<VirtualRows>;
  /** Of what scrolls, in CSS pixels. */
  readonly width: ReadonlySignal<number>;
  /** How many rows there are. */
  readonly total: ReadonlySignal<number>;
} {
  const scroll = useSignal({ top: 0, height: 600, width: 1000 });
  useEffect(() => {
    const host = scroller.current;
    if (host === null) return undefined;
    const follow = () => {
      scroll.value = {
        top: host.scrollTop,
        width: host.clientWidth,
        height: Math.max(TABLE_ROW, host.clientHeight - HEAD_HEIGHT),
      };
    };
    const observer = new ResizeObserver(follow);
    observer.observe(host);
    host.addEventListener('scroll', follow, { passive: true });
    return () => observer.disconnect();
  }, []);

  const width = useComputed(() => scroll.value.width);
  const total = useComputed(() => table.part.value?.totalRows ?? 0);
  const virtual = useComputed(() =>
    virtualRows(total.value, scroll.value.top, scroll.value.height),
  );
  useSignalEffect(() => {
    const next = windowAround(table.window.peek(), virtual.value);
    if (next !== undefined) table.window.value = next;
  });
  useSignalEffect(() => {
    const row = table.wanted.value;
    const host = scroller.current;
    // The list must be long enough before it can be scrolled there.
    if (row === undefined || host === null || row >= total.value) return;
    const sight = virtual.peek();
    table.wanted.value = undefined;
    requestAnimationFrame(() => {
      const top = topToShow(row, sight);
      if (top !== undefined) host.scrollTop = sight.scrollTo(top);
    });
  });
  // Back to where it was, once the list is so long.
  const start = useRef(place.first);
  useSignalEffect(() => {
    const host = scroller.current;
    const row = start.current;
    if (row === 0 || host === null || row >= total.value) return;
    start.current = 0;
    const sight = virtual.peek();
    requestAnimationFrame(() => {
      host.scrollTop = sight.scrollTo(row);
    });
  });
  const moved = useRef(place.moved);
  moved.current = place.moved;
  useEffect(() => {
    const host = scroller.current;
    const told = afterRest(() => moved.current(virtual.peek().first));
    const scrolled = () => {
      if (start.current === 0) told.begin();
    };
    host?.addEventListener('scroll', scrolled, { passive: true });
    return () => told.cancel();
  }, []);
  return { virtual, width, total };
}
