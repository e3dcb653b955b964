import type { StateKind, StateSort, ThreadStateRow } from '@hotframe/engine';
import { formatInteger, formatShare } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { jumpTo } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

/** What kinds of states are called. */
export const STATE_NAMES: Readonly<Record<StateKind, string>> = {
  running: 'running',
  runnable: 'runnable',
  waiting: 'waiting',
  blocked: 'blocked in an event',
  off_processor: 'off processor',
  not_measured: 'not measured',
};

/** A state with its event and what is waited for. */
export function stateText({ state, event, by }: ThreadStateRow): string {
  if (event === '') return state;
  return by === '' ? `${state} in ${event}` : `${state} in ${event} by ${by}`;
}

const COLUMNS: readonly (Column & { readonly text: (row: ThreadStateRow) => string })[] = [
  {
    by: 'state',
    label: 'State',
    title: 'What the thread did, in the words of the recording',
    isText: true,
    rises: true,
    text: stateText,
  },
  {
    by: 'time',
    label: 'Time',
    title: 'How long in all',
    text: ({ time }) => timeLabel(time, fine(time)),
  },
  {
    by: undefined,
    label: 'Share',
    title: 'Of the time that counts',
    text: ({ share }) => formatShare(share),
  },
  {
    by: 'count',
    label: 'Count',
    title: 'In how many stretches',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'longest',
    label: 'Longest',
    title: 'The longest of them',
    text: ({ longest }) => timeLabel(longest, fine(longest)),
  },
];

/** What threads did. */
export const STATES: List = {
  label: 'States',
  name: 'Thread',
  thing: 'row',
  filter: 'Filter by thread or state',
  columns: COLUMNS,
  standard: { by: 'thread', reverse: false },
  menu: 'State of a thread',
  empty:
    'Nothing tells what threads did: the recording has no runs on processors and no waits, or the filters keep none.',
  async load({ app, engine, signal }, asked, by) {
    const params = { ...asked, sort: by as StateSort };
    const { result } = await engine.call('thread_states', params, { signal });
    const rows = result.rows.map((row) => {
      const { track } = row.place;
      const longest = jumpTo(app, 'longest', 'To the longest stretch of this state', row.place);
      const thread = {
        label: 'thread',
        title: 'To the thread',
        run: () => track !== null && app.profile.timeline.peek()?.showTrack(track),
      };
      return {
        id: `${track}\n${row.thread}\n${row.state}\n${row.event}\n${row.by}`,
        name: row.thread,
        file: '',
        note: '',
        colours: undefined,
        swatch: `state-${row.kind}`,
        cells: COLUMNS.map(({ text }) => text(row)),
        actions: track === null ? { show: longest } : { show: thread, other: longest },
      };
    });
    return {
      rows,
      total: result.total,
      notes: [],
      picture: { kind: 'states', threads: result.threads, all: result.all_threads },
    };
  },
};
