import type { SummaryResult } from '@hotframe/engine';
import type { Layout } from '../../state/layout.ts';
import type { Sized } from '../../state/layout.ts';
import { useApp } from '../../state/services.ts';
import { shortenName } from '../../text/names.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { Splitter } from '../../widgets/Splitter.tsx';

/** Widths that were chosen, in CSS pixels, undefined where none was; and what was put away. */
export interface ColumnSizes {
  readonly names: number | undefined;
  readonly values: number | undefined;
  /** Whether the columns of a metric of that name were put away. */
  isHidden(metric: string): boolean;
}

/** What was chosen of columns; the same for all lists. */
export function columnSizes(layout: Layout): ColumnSizes {
  return {
    names: layout.sizeOf('names'),
    values: layout.sizeOf('values'),
    isHidden: (metric) => layout.sizeOf(hiddenKey(metric)) === 0,
  };
}

/** What a metric that was put away is remembered by. */
function hiddenKey(metric: string): string {
  return `column ${metric}`;
}

/** Metrics in the order of the columns: the shown one first, without what was put away. */
export function shownMetrics(
  { metrics }: SummaryResult,
  shown: number,
  sizes: ColumnSizes,
): readonly number[] {
  return [...metrics.keys()]
    .filter((metric) => metric === shown || !sizes.isHidden(metrics[metric]!.name))
    .sort((a, b) => Number(b === shown) - Number(a === shown) || a - b);
}

/** Chooses which metrics have columns; the shown one always has. */
export function ColumnsMenu() {
  const app = useApp();
  const { layout } = app;
  const summary = app.profile.summary.value;
  if (summary === undefined || summary.comparison !== null || summary.metrics.length < 2) {
    return null;
  }
  const shown = app.profile.metric.value;
  return (
    <MenuButton
      label="Columns"
      title="Which metrics have columns"
      items={summary.metrics.flatMap(({ name, unit }, metric) => {
        if (metric === shown) return [];
        const isHidden = columnSizes(layout).isHidden(name);
        return {
          label: `${shortenName(name, 40)} (${unit})`,
          checked: !isHidden,
          run: () => layout.setSize(hiddenKey(name), isHidden ? undefined : 0),
        };
      })}
    >
      Columns
    </MenuButton>
  );
}

/** Names take at most so much of what is in sight unless that was chosen: numbers are beside them. */
export function namesRoom(standard: number, width: number): number {
  return Math.round(Math.min(standard, Math.max(120, width * 0.55)));
}

/** Behind the heading of the names, or of the first values: sizes those columns. */
export function ColumnEdge(props: {
  readonly of: 'names' | 'values';
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
