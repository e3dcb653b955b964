import type {
  MarkSort,
  MarkStatisticsRow,
  SpanSort,
  SpanStatisticsRow,
  ViewSpec,
} from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Loaded, resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';

/** More are narrowed by name. */
const MOST_ROWS = 500;

/** A column of a list. */
interface Column<Row> {
  /** What the engine sorts by. */
  readonly by: string;
  readonly label: string;
  readonly title: string;
  readonly text: (row: Row, origin: number) => string;
}

export const SPANS: readonly Column<SpanStatisticsRow>[] = [
  {
    by: 'count',
    label: 'Count',
    title: 'How many there are',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'total',
    label: 'Total',
    title: 'The sum of their lengths; of one inside another of its name both count',
    text: ({ total }) => timeLabel(total, fine(total)),
  },
  {
    by: 'self_time',
    label: 'Self',
    title: 'The part of it in which nothing inside ran; none of asynchronous spans',
    text: ({ self_time: self }) => (self === null ? '–' : timeLabel(self, fine(self))),
  },
  {
    by: 'median',
    label: 'Median',
    title: 'Half of them are not longer',
    text: ({ median }) => timeLabel(median, fine(median)),
  },
  {
    by: 'p95',
    label: '95 %',
    title: '95 of 100 are not longer',
    text: ({ p95 }) => timeLabel(p95, fine(p95)),
  },
  {
    by: 'longest',
    label: 'Longest',
    title: 'The longest of them',
    text: ({ longest }) => timeLabel(longest, fine(longest)),
  },
];

export const MARKS: readonly Column<MarkStatisticsRow>[] = [
  {
    by: 'count',
    label: 'Count',
    title: 'How often',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'tracks',
    label: 'Tracks',
    title: 'On how many tracks',
    text: ({ tracks }) => formatInteger(tracks),
  },
  {
    by: 'first',
    label: 'First',
    title: 'When the first was',
    text: ({ first }, origin) => timeLabel(origin + first, 1000),
  },
  {
    by: 'last',
    label: 'Last',
    title: 'When the last was',
    text: ({ last }, origin) => timeLabel(origin + last, 1000),
  },
];

/** Four digits of a length. */
function fine(length: number): number {
  return 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, length))) - 3);
}

/** A row of either list. */
export interface Row {
  readonly name: string;
  readonly file: string;
  readonly note: string;
  readonly colours: number | undefined;
  readonly cells: readonly string[];
  readonly span: SpanStatisticsRow | undefined;
}

interface Rows {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** What the lists are sorted by at first. */
export const STANDARD = {
  spans: { by: 'total', reverse: false },
  marks: { by: 'count', reverse: false },
} as const;

/** The rows of a list, as they are sorted and narrowed. */
export function useRows(
  shown: ReadonlySignal<{ readonly spec: ViewSpec; readonly of: 'spans' | 'marks' }>,
  filter: Signal<string>,
): { readonly state: ReadonlySignal<Loaded<Rows>> } {
  const { app } = useServices();
  const rows = useMemo(() => {
    const input = computed(() => {
      const { spec, of } = shown.value;
      const origin = app.profile.timeline.value?.tracks.value.value?.origin ?? 0;
      const sort = app.view.value.timeline.sort ?? STANDARD[of];
      return JSON.stringify({ spec, of, origin, sort, filter: filter.value });
    });
    return resource(input, async (text, signal): Promise<Rows> => {
      const { spec, of, origin, sort, filter: pattern } = JSON.parse(text) as Asked;
      const known = [{ by: 'name' }, ...(of === 'spans' ? SPANS : MARKS)];
      const by = known.some((column) => column.by === sort.by) ? sort : STANDARD[of];
      const asked = { view: spec, filter: pattern, reverse: by.reverse, limit: MOST_ROWS };
      if (of === 'spans') {
        const { result } = await app.engine.call(
          'span_statistics',
          { ...asked, sort: by.by as SpanSort },
          { signal },
        );
        return {
          total: result.total,
          rows: result.rows.map((row) => ({
            name: row.name,
            file: row.file,
            note: row.is_asynchronous ? 'asynchronous' : '',
            colours: row.colours,
            cells: SPANS.map(({ text: cell }) => cell(row, origin)),
            span: row,
          })),
        };
      }
      const { result } = await app.engine.call(
        'mark_statistics',
        { ...asked, sort: by.by as MarkSort },
        { signal },
      );
      return {
        total: result.total,
        rows: result.rows.map((row) => ({
          name: row.kind,
          file: '',
          note: '',
          colours: undefined,
          cells: MARKS.map(({ text: cell }) => cell(row, origin)),
          span: undefined,
        })),
      };
    });
  }, []);
  useEffect(() => () => rows.dispose(), []);
  return rows;
}

/** What a list was asked for. */
interface Asked {
  readonly spec: ViewSpec;
  readonly of: 'spans' | 'marks';
  readonly origin: number;
  readonly sort: { readonly by: string; readonly reverse: boolean };
  readonly filter: string;
}
