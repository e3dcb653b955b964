import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { Documents } from '../documents.ts';
import { fakeEngine, fakeHistory, FRAMES, turn } from '../engine.fixture.ts';
import { createNotices } from '../notices.ts';
import { createProfile } from './profile.ts';

const METRIC = { unit: 'ns', decimals: 0, formula: null, adds_up: true, combine: 'sum' };

/** A profile with two metrics, and one more for each formula that it was asked for. */
async function shown(hash = '', refused = '', path?: readonly object[]) {
  const metrics: object[] = [
    { ...METRIC, name: 'cpu' },
    { ...METRIC, name: 'wall' },
  ];
  const { engine, asked } = fakeEngine({
    summary: () => ({
      title: 'a.pb',
      metrics: [...metrics],
      default_metric: 0,
      roles: [],
      comparison: null,
    }),
    define_metric({ formula }: { formula: string }) {
      if (formula === refused) throw new Error('no such metric');
      metrics.push({ ...METRIC, name: formula, formula });
      return { metric: metrics.length - 1 };
    },
    details: () => (path === undefined ? new Promise(() => {}) : { instance: 1, path }),
    filters: () => ({ filters: [] }),
    compare: () => ({ document: 5 }),
    merge: () => ({ document: 6 }),
  });
  const opened: number[] = [];
  const documents = {
    shown: signal(3),
    refresh: async () => {},
    open: (document: number) => void opened.push(document),
  } as unknown as Documents;
  const history = fakeHistory(hash);
  const notices = createNotices();
  const profile = createProfile(engine, documents, history, notices, [], [FRAMES]);
  const loaded = await profile.load(3, {});
  loaded.show();
  return { profile, history, asked, opened, notices };
}

describe('a profile', () => {
  it('shows its first metric, and the one that the address names', async () => {
    const { profile, history } = await shown();
    expect(profile.metricInfo.value.name).toBe('cpu');
    history.update({ metric: 1 }, 'push');
    expect(profile.metricInfo.value.name).toBe('wall');
    expect(profile.totals.value[profile.metric.value]).toBe(9n);
    expect(profile.spec.value).toMatchObject({ document: 3, metric: 1 });
  });

  it('asks for the formula of an address', async () => {
    const { profile, history } = await shown();
    history.update({ formula: 'cpu / wall' }, 'replace');
    await turn();
    expect(profile.metricInfo.value.formula).toBe('cpu / wall');
    expect(profile.metric.value).toBe(2);
  });

  it('leaves out of the address a formula that cannot be, and says so', async () => {
    const { profile, history, notices } = await shown('', 'cpu /');
    history.update({ formula: 'cpu /' }, 'replace');
    await turn();
    expect(history.view.value.formula).toBeUndefined();
    expect(profile.metricInfo.value.name).toBe('cpu');
    expect(notices.notice.value).toContain('no such metric');
  });

  it('forgets keys that mean nothing any more', async () => {
    const { profile, history } = await shown();
    history.update({ selection: [1, 2], fn: 4 }, 'push');
    profile.setGranularity('line');
    expect(history.view.value).toMatchObject({ granularity: 'line', selection: [], fn: undefined });
  });

  it('selects the function of the address where it has no path', async () => {
    const { profile, history } = await shown('#fn=4');
    const shape = () => profile.selection.target.value?.spec.shape;
    expect(shape()).toEqual({ kind: 'callees', key: 4 });
    // Of another tree it is another one.
    profile.addFilter('focus', 'main');
    expect(profile.selection.target.value?.spec).toMatchObject({
      shape: { kind: 'callees', key: 4 },
      filters: [{ pattern: 'main' }],
    });
    history.update({ selection: [7] }, 'replace');
    expect(shape()).toEqual({ kind: 'top_down' });
    history.update({ selection: [] }, 'replace');
    expect(shape()).toEqual({ kind: 'callees', key: 4 });
    history.update({ fn: undefined }, 'replace');
    expect(profile.selection.target.value).toBeUndefined();
  });

  it('selects a function after a frame whose way up is not known yet', async () => {
    const { profile, history } = await shown();
    const frame = () => {
      const spec = profile.spec.value!;
      const place = { instance: 1, node: 9, nodes: [] };
      profile.selection.pick({ spec, place, path: undefined });
    };
    frame();
    // Scrolling does not let go of it.
    history.update({ parts: { table: { firstRow: 8 } } }, 'replace');
    expect(profile.selection.target.value?.place?.node).toBe(9);
    history.update({ fn: 4, selection: [] }, 'replace');
    expect(profile.selection.target.value?.spec.shape).toEqual({ kind: 'callees', key: 4 });
  });

  it('puts the path of a frame into the address, and lets it go for a function', async () => {
    const { profile, history } = await shown('', '', [{ key: 7 }, { key: 8 }]);
    const spec = profile.spec.value!;
    profile.selection.pick({
      spec,
      place: { instance: 1, node: 9, nodes: [] },
      path: undefined,
    });
    await turn();
    await turn();
    expect(history.view.value.selection).toEqual([7, 8]);
    history.update({ fn: 4, selection: [] }, 'replace');
    expect(profile.selection.target.value?.spec.shape).toEqual({ kind: 'callees', key: 4 });
  });

  it('adds no empty filter', async () => {
    const { profile, history } = await shown();
    profile.addFilter('focus', '');
    expect(history.steps).toEqual([]);
    profile.addFilter('focus', 'main');
    expect(history.view.value.filters).toEqual([{ kind: 'focus', pattern: 'main' }]);
    profile.removeFilter(0);
    expect(history.view.value.filters).toEqual([]);
  });

  it('is compared by age, and the other way round', async () => {
    const { profile, asked, opened } = await shown();
    await profile.compareWith(8);
    await profile.mergeAll([3, 8]);
    await profile.compareSides([8], [3]);
    const compared = asked.filter(({ method }) => method === 'compare');
    expect(compared.map(({ params }) => params)).toMatchObject([
      { base: [3], new: [8], by_age: true },
      { base: [8], new: [3], by_age: false },
    ]);
    expect(opened).toEqual([5, 6, 5]);
  });

  it('is nothing once another document is shown', async () => {
    const { profile } = await shown();
    profile.clear();
    expect(profile.summary.value).toBeUndefined();
    expect(profile.spec.value).toBeUndefined();
  });
});
