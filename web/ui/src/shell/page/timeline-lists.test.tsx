// @vitest-environment happy-dom
import {
  EngineError,
  type Params,
  type RowName,
  type Table,
  type TableCells,
  type TableColumn,
  type TimePlace,
} from '@hotframe/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answers, closePages, type FakePage } from './page.fixture.tsx';
import { openTimeline, said } from './timeline.fixture.tsx';
import { listed, traceEngine } from './trace.fixture.ts';

afterEach(closePages);

describe('lists below a timeline', () => {
  const name = (text: string, more: Partial<RowName>): RowName => ({
    text,
    file: '',
    remark: '',
    detail: '',
    mark: '',
    kind: '',
    depth: 0,
    colours: null,
    finds: null,
    ...more,
  });
  const column = (key: string, cells: TableCells, more: Partial<TableColumn> = {}) => ({
    key,
    group: null,
    title: key.replace(/_ns$/, ''),
    help: '',
    readers: 'everyone' as const,
    order: 'falling' as const,
    cells,
    ...more,
  });
  const LONGEST: TimePlace = { track: 1, row: 2, span: 5, begin: 600e6, length: 2e8, lasts: 2e8 };
  const SPANS: Table = {
    noun: 'name',
    columns: [
      column('count', { kind: 'count', values: [2100, 2100] }),
      column('total_ns', { kind: 'time', values: [300e6, 300e6] }),
      column('self_ns', { kind: 'time', values: [250e6, null] }),
      column(
        'place',
        { kind: 'place', values: [LONGEST, { ...LONGEST, span: 6 }] },
        { title: 'longest', help: 'To the longest', readers: 'people', order: null },
      ),
      column(
        'name',
        {
          kind: 'name',
          values: [
            name('select', { finds: { kind: 'spans', name: 'select' } }),
            name('fetch', { remark: 'asynchronous', finds: { kind: 'spans', name: 'fetch' } }),
          ],
        },
        { title: 'span', readers: 'people', order: 'rising' },
      ),
    ],
    ids: ['0', '1'],
    total: 2,
    sort: 'total_ns',
    notes: [],
  };
  const MARKS: Table = {
    noun: 'kind',
    columns: [
      column('count', { kind: 'count', values: [1] }),
      column('first_ns', { kind: 'instant', values: [2e8] }),
      column('name', {
        kind: 'name',
        values: [name('swarm', { finds: { kind: 'marks', name: 'swarm' } })],
      }),
    ],
    ids: ['swarm'],
    total: 1,
    sort: 'count',
    notes: [],
  };
  const LISTS: Answers = {
    list: ({ list, sort }) => {
      const table = list === 'marks' ? MARKS : SPANS;
      if (sort === 'gone') throw new EngineError({ code: 'bad_request', message: '', hint: '' });
      return { result: { ...table, sort: sort ?? table.sort } };
    },
    find_mark: () => ({ result: { count: 1, at: 0, track: 0, time: 200e6 } }),
  };
  const rows = (page: FakePage) =>
    page
      .all('.happenings tbody tr')
      .map((row) =>
        [...row.querySelectorAll('th code, th small, td.number')].map((cell) => cell.textContent),
      );

  it('tell of spans by name how many and how long', async () => {
    const page = await openTimeline('', LISTS);
    await page.click(page.find('radio', 'Spans'));
    expect(page.hash().get('tb')).toBe('spans');
    expect(rows(page)).toEqual([
      ['select', '2,100', '300 ms', '250 ms'],
      ['fetch', 'asynchronous', '2,100', '300 ms', '–'],
    ]);
    expect(page.texts('.happenings .tools > .number')).toEqual(['2 names']);
  });

  it('are sorted by their columns, in both directions', async () => {
    const page = await openTimeline('&tb=spans', LISTS);
    expect(page.last('list')).toMatchObject({ list: 'spans', sort: null, reverse: false });
    await page.click(page.find('button', 'Count'));
    expect(page.last('list')).toMatchObject({ sort: 'count', reverse: false });
    expect(page.hash().get('tsort')).toBe('count');
    await page.click(page.find('button', 'Count ▾'));
    expect(page.last('list')).toMatchObject({ sort: 'count', reverse: true });
    expect(page.hash().get('tsort')).toBe('count.r');
    const again = await page.reload();
    expect(again.last('list')).toMatchObject({ reverse: true });
    // Once more, and the list has its own order.
    await again.click(again.find('button', 'Count ▴'));
    expect(again.last('list')).toMatchObject({ sort: null, reverse: false });
    expect(again.find('button', 'Total ▾')).toBeTruthy();
  });

  it('have their own order where the address names a column that there is not', async () => {
    const page = await openTimeline('&tb=spans&tsort=gone.r', LISTS);
    const lists = page.asked.filter(({ method }) => method === 'list');
    expect(lists.map(({ params }) => (params as Params<'list'>).sort)).toEqual(['gone', null]);
    expect(rows(page)).toHaveLength(2);
    expect(page.find('button', 'Total ▾')).toBeTruthy();
  });

  it('are changes where two profiles are compared, whose spans do not add up', async () => {
    const comparison = {
      base: 'before',
      new: 'after',
      swaps: true,
      runs: [1, 1] as [number, number],
      tested: false,
      normalise: { kind: 'absolute' as const },
      chosen: null,
      metrics: [],
    };
    const summary: Answers['summary'] = (...asked) => {
      const answer = traceEngine().summary!(...asked);
      return 'result' in answer ? { result: { ...answer.result, comparison } } : answer;
    };
    const tracks: Answers['tracks'] = (...asked) => {
      const answer = traceEngine().tracks!(...asked);
      const lists = [listed('span_changes', 'Changes', { stands_for: 'spans' })];
      return 'result' in answer ? { result: { ...answer.result, lists } } : answer;
    };
    const page = await openTimeline('&tb=spans', { ...LISTS, summary, tracks });
    expect(page.last('list')).toMatchObject({ list: 'span_changes' });
    expect(page.find('radio', 'Changes').getAttribute('aria-checked')).toBe('true');
    expect(page.count('radio', 'Spans')).toBe(0);
  });

  it('are narrowed by names', async () => {
    const page = await openTimeline('&tb=spans', LISTS);
    await page.seek('Filter spans', '^select$');
    expect(page.last('list')).toMatchObject({ filter: '^select$' });
  });

  it('lead to the longest span, to the next one, and narrow what is shown', async () => {
    const page = await openTimeline('&tb=spans', LISTS);
    await page.click(page.all('.happenings tbody tr button')[0]!);
    expect(said(page)).toBe('select, 200 ms, at 600 ms');
    page.all('[data-scope=happenings]')[0]!.focus();
    await page.press(']');
    expect(said(page)).toBe('select, 100 ms, at 400 ms');
    await page.press('h');
    expect(page.hash().get('q')).toBe('(?-i)^select$');
    await page.press('f');
    expect(page.hash().getAll('f')).toEqual(['during:(?-i)^select$']);
  });

  it('are walked with keys, and lead on with Enter', async () => {
    const page = await openTimeline('&tb=spans', LISTS);
    page.all('[data-scope=happenings]')[0]!.focus();
    const current = () => page.texts('.happenings tr[aria-selected=true] code');
    await page.press('ArrowDown');
    expect(current()).toEqual(['select']);
    await page.press('End');
    expect(current()).toEqual(['fetch']);
    await page.press('Home', 'Enter');
    expect(said(page)).toBe('select, 200 ms, at 600 ms');
  });

  it('bring the next mark of a kind into sight', async () => {
    const page = await openTimeline('&tb=marks&t=600000000~700000000', LISTS);
    expect(rows(page)).toEqual([['swarm', '1', '200 ms']]);
    await page.click(page.find('button', 'next'));
    expect(page.last('find_mark')).toMatchObject({ kind: 'swarm', behind: null, from: 600e6 });
    await page.until(() => page.hash().get('t') !== '600000000~700000000');
    const [from, to] = page.hash().get('t')!.split('~').map(Number);
    expect(from).toBeLessThan(200e6);
    expect(to).toBeGreaterThan(200e6);
    expect(to! - from!).toBeCloseTo(100e6, -2);
  });

  it('have the critical path of the span that you choose', async () => {
    const pieces = {
      track: Uint32Array.of(1),
      row: Uint32Array.of(1),
      kind: Uint32Array.of(0),
      begin: Float64Array.of(0),
      end: Float64Array.of(3e8),
    };
    const page = await openTimeline('&ts=1', {
      ...LISTS,
      critical_path: () => ({
        result: { span: { name: 'load', track: 'Main thread', place: LONGEST }, stretches: 1 },
        columns: pieces,
      }),
    });
    await page.click(page.find('button', 'Critical path'));
    expect(page.hash().get('tb')).toBe('critical_path');
    expect(page.hash().get('tk')).toBe('1');
    expect(page.last('critical_path')).toMatchObject({ span: 1 });
    expect(page.last('list')).toMatchObject({ list: 'critical_path', span: 1 });
    await page.click(page.find('button', 'Path of the longest span'));
    expect(page.last('list')).toMatchObject({ list: 'critical_path', span: null });
    expect(page.count('button', 'Path of the longest span')).toBe(0);
  });

  it('are only of what there is', async () => {
    const page = await openTimeline('', LISTS);
    const group = page.find('radiogroup', 'Below the timeline');
    expect([...group.querySelectorAll('button')].map((one) => one.textContent)).toEqual([
      'Flame graph',
      'Spans',
      'Critical path',
      'Marks',
    ]);
  });

  it('say why they are empty where the address names one without rows', async () => {
    const empty = 'No thread states: nothing was recorded of them.';
    const tracks: Answers['tracks'] = (...asked) => {
      const answer = traceEngine().tracks!(...asked);
      const states = listed('thread_states', 'States', { may_have_rows: false, empty });
      return 'result' in answer ? { result: { ...answer.result, lists: [states] } } : answer;
    };
    const list: Answers['list'] = () => ({ result: { ...SPANS, columns: [], ids: [], total: 0 } });
    const thread_bars = () => ({ result: { threads: [], total: 0 } });
    const page = await openTimeline('&tb=thread_states', { tracks, list, thread_bars });
    expect(page.texts('.happenings .mute')).toEqual([empty]);
    expect(page.count('radio', 'States')).toBe(0);
  });

  it('are the flame graph where the address names a list that there is not', async () => {
    const page = await openTimeline('&tb=gaps', LISTS);
    expect(page.asked.some(({ method }) => method === 'list')).toBe(false);
    const group = page.find('radiogroup', 'Below the timeline');
    expect(group.querySelector('[aria-checked=true]')?.textContent).toBe('Flame graph');
  });
});
