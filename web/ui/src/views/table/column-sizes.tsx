import { useApp } from '../../state/services.ts';
import { type Sized, Splitter } from '../../widgets/Splitter.tsx';

/** Widths that were chosen, in CSS pixels; undefined where none was. */
export interface ColumnSizes {
  readonly names: number | undefined;
  readonly values: number | undefined;
}

/** Widths of columns that were chosen; the same for all lists. */
export function useColumnSizes(): ColumnSizes {
  const { layout } = useApp();
  return { names: layout.sizeOf('names'), values: layout.sizeOf('values') };
}

/** Names take at most so much of what is in sight unless that was chosen: numbers are beside them. */
export function namesRoom(standard: number, width: number): number {
  return Math.round(Math.min(standard, Math.max(120, width * 0.55)));
}

/** Behind the heading of the names, or of the first values: sizes those columns. */
export function ColumnEdge(props: {
  readonly of: keyof ColumnSizes;
  /** Their width now. */
  readonly width: number;
}) {
  const isNames = props.of === 'names';
  const part: Sized = {
    name: props.of,
    standard: props.width,
    least: isNames ? 100 : 80,
    most: isNames ? 1200 : 400,
  };
  const label = isNames ? 'Width of names' : 'Width of values';
  return <Splitter class="column-edge" label={label} part={part} along="across" />;
}
