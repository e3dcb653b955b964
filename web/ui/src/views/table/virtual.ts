/** Height of a row in CSS pixels; the style sheet has the same. */
export const TABLE_ROW = 24;
/** Browsers clip elements that are taller than some 30 million pixels. */
const TALLEST = 12_000_000;

/** Where rows lie in a list of which only the visible part exists. */
export interface VirtualRows {
  /** Height of the whole list as the scroll bar sees it. */
  readonly height: number;
  /** First row that is in sight. */
  readonly first: number;
  /** Rows in sight, cut ones included. */
  readonly count: number;
  /** Top of a row in the list. */
  top(row: number): number;
  /** Where to scroll to have a row at the top. */
  scrollTo(row: number): number;
}

/**
 * Up to half a million rows, one pixel scrolled is one pixel moved. Beyond, the scroll bar stands
 * for shares of the list, and the visible rows are laid out around where it is.
 */
export function virtualRows(
  total: number,
  scrollTop: number,
  viewHeight: number,
  rowHeight = TABLE_ROW,
): VirtualRows {
  const full = total * rowHeight;
  const count = Math.ceil(viewHeight / rowHeight) + 1;
  if (full <= TALLEST) {
    return {
      height: full,
      first: Math.min(Math.floor(scrollTop / rowHeight), Math.max(0, total - 1)),
      count,
      top: (row) => row * rowHeight,
      scrollTo: (row) => row * rowHeight,
    };
  }
  const scrollable = Math.max(1, TALLEST - viewHeight);
  const lastFirst = Math.max(1, total - count + 2);
  const first = Math.min(lastFirst, Math.floor((scrollTop / scrollable) * lastFirst));
  return {
    height: TALLEST,
    first,
    count,
    top: (row) => scrollTop + (row - first) * rowHeight,
    scrollTo: (row) => (row / lastFirst) * scrollable,
  };
}
