import type { SpanChangeSort, SpanChangesRow } from '@hotframe/engine';
import { CHANGE_SIGNS } from '../../canvas/colour.ts';
import { comparedMetric } from '../../state/comparison.ts';
import { formatInteger, formatShareChange } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { jumpTo, nameActions } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

const COLUMNS: readonly (Column & { readonly text: (row: SpanChangesRow) => string })[] = [
  {
    by: 'change',
    label: 'Change',
    title: 'By how much the sum of their lengths changed',
    text: ({ totals: [base, now], tag }) => `${CHANGE_SIGNS[tag]} ${signed(now - base)}`,
  },
  {
    by: undefined,
    label: 'By',
    title: 'The same as a share of the base',
    text: ({ totals: [base, now] }) => (base === 0 ? '–' : formatShareChange((now - base) / base)),
  },
  {
    by: 'base',
    label: 'Base',
    title: 'The sum of their lengths in the base',
    text: ({ totals: [base] }) => timeLabel(base, fine(base)),
  },
  {
    by: 'new',
    label: 'New',
    title: 'The sum of their lengths in the new profile',
    text: ({ totals: [, now] }) => timeLabel(now, fine(now)),
  },
  {
    by: 'count',
    label: 'Count',
    title: 'How many there are: base and new',
    text: ({ counts: [base, now] }) =>
      base === now ? counted(base) : `${counted(base)} → ${counted(now)}`,
  },
  {
    by: 'median',
    label: 'Median',
    title: 'By how much the length changed that half of them do not exceed',
    text: ({ medians: [base, now] }) => (base === null || now === null ? '–' : signed(now - base)),
  },
];

/** Of runs it is a mean. */
function counted(count: number): string {
  return Number.isInteger(count) ? formatInteger(count) : count.toFixed(1);
}

function signed(length: number): string {
  const size = Math.abs(length);
  return `${length > 0 ? '+' : length < 0 ? '−' : ''}${timeLabel(size, fine(size))}`;
}

/** Spans by name on both sides of a comparison. */
export const CHANGES: List = {
  label: 'Changes',
  name: 'Span',
  thing: 'name',
  filter: 'Filter spans',
  columns: COLUMNS,
  standard: { by: 'change', reverse: false },
  menu: 'Spans of a name',
  empty: 'The filters keep none.',
  async load({ app, engine, signal }, asked, by) {
    const params = { ...asked, sort: by as SpanChangeSort };
    const { result } = await engine.call('span_changes', params, { signal });
    const rows = result.rows.map((row) => ({
      id: `${row.name}\n${row.file}\n${row.is_asynchronous}`,
      name: row.name,
      file: row.file,
      note: row.is_asynchronous ? 'asynchronous' : '',
      colours: row.colours,
      cells: COLUMNS.map(({ text }) => text(row)),
      actions: {
        ...nameActions(app, row.name),
        show: jumpTo(app, 'longest', 'To the longest of them', row.place),
      },
    }));
    const compared = comparedMetric(app.profile.summary.peek(), asked.view.metric)?.metric;
    const [base, now] = result.runs;
    const isScaled = app.profile.summary.peek()?.comparison?.normalise.kind !== 'absolute';
    return {
      rows,
      total: result.total,
      notes: [
        ...(isScaled
          ? ['Lengths of spans are as they were measured: they are not scaled. The chart is.']
          : []),
        ...(base === 1 && now === 1
          ? []
          : [
              `Counts and sums are of one run, the mean of ${base} and ${now}; medians are of all spans of a side. Chance was not asked.`,
            ]),
      ],
      ...(compared === undefined
        ? {}
        : { picture: { kind: 'changes' as const, view: asked.view, metric: compared } }),
    };
  },
};
