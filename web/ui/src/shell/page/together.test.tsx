// @vitest-environment happy-dom
import { EngineError, type MetricInfo } from '@hotframe/engine';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answers,
  closePages,
  type FakePage,
  type FakePageOptions,
  openPage,
} from './page.fixture.tsx';
import { COUNTED, stacksEngine, SUMMARY, TIMED } from './profile.fixture.ts';

afterEach(closePages);

const STACKS = `
  main;compute;sort 5 50
  main;read 2 80
`;

/** The same, and how values spread over the runs that came as one. */
function runsEngine(totals: readonly number[], members = totals.length): Answers {
  return {
    ...stacksEngine(STACKS, { members }),
    distribution: ({ view }) => ({
      result: {
        instance: 1,
        metric: view.metric,
        members: totals.map((_, run) => ({
          name: `run-${run + 1}`,
          pattern: `member=(?-i)^run-${run + 1}$`,
          time_s: null,
        })),
        timed: false,
        base_members: null,
        beyond: 0,
        figures: { present: 3, min: 2, max: 9, mean: 5, median: 4, deviation: 1.5, p95: 9 },
        outliers: [2],
        trend: { direction: 'rising', slope: 4, p_value: 0.012, kept: null },
        interval: null,
      },
      columns: {
        self_value: BigInt64Array.from(totals, () => 0n),
        total_value: BigInt64Array.from(totals, BigInt),
        edges: Float64Array.of(2, 6, 10),
        counts: Uint32Array.of(2, 1),
      },
    }),
  };
}

/** A page that has `main` selected. */
async function openRuns(answers: Answers, options: FakePageOptions = {}): Promise<FakePage> {
  const page = await openPage(answers, options);
  page.find('tree', 'Flame graph').focus();
  await page.press('ArrowDown', 'ArrowDown');
  return page;
}

describe('values over profiles', () => {
  it('stand in the details with their figures, a bar a profile', async () => {
    const page = await openRuns(runsEngine([2, 4, 9]));
    expect(page.texts('.distribution h3')).toEqual(['Over 3 profiles', 'Outliers']);
    expect(page.all('.series rect')).toHaveLength(3);
    expect(page.all('.series')[0]?.getAttribute('aria-label')).toBe(
      'Total by profile, in their order: first 2, last 9',
    );
    expect(page.texts('.trend')).toEqual(['↗ rising 4 a profile, p = 0.012']);
    expect(page.texts('.histogram rect title')).toEqual([
      '2 profiles: 2 to 6',
      '1 profile: 6 to 10',
    ]);
    expect(page.texts('.figures > div')).toContain('present in3 of 3');
    expect(page.texts('.distribution .share-list button')).toEqual(['run-39']);
  });

  it('lead to one of the profiles alone', async () => {
    const page = await openRuns(runsEngine([2, 4, 9]));
    page.all('.series rect')[1]!.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await page.settle();
    expect(page.hash().getAll('f')).toEqual(['label_focus:member=(?-i)^run-2$']);
    page.app.profile.removeFilter(0);
    await page.settle();
    await page.click(page.all('.distribution .share-list button')[0]!);
    expect(page.hash().getAll('f')).toEqual(['label_focus:member=(?-i)^run-3$']);
  });

  it('are those of threads where members are threads', async () => {
    const page = await openRuns(
      { ...runsEngine([2, 4]), split_members: () => ({ result: { document: 0 } }) },
      { hash: '#members=thread' },
    );
    expect(page.texts('.distribution h3')[0]).toBe('Over 2 threads');
    expect(page.find('region', 'Over the threads')).toBeDefined();
  });

  it('are none of one profile', async () => {
    const page = await openRuns(runsEngine([2], 0));
    expect(page.all('.distribution')).toEqual([]);
    expect(page.asked.map(({ method }) => method)).not.toContain('distribution');
  });

  it('open at the frame, are pinned beside others, and stay when the card is closed', async () => {
    const page = await openRuns(runsEngine([2, 4, 9]));
    await page.press('v');
    expect(page.texts('.at-frame h3')).toEqual(['main']);
    expect(page.texts('.at-frame .mute')[0]).toMatch(/^Total over 3 profiles/);
    expect(page.all('.at-frame svg.series')).toHaveLength(1);
    await page.click(page.all('.at-frame [aria-pressed=false]').at(-1)!);
    expect(page.all('.at-frame svg.series')).toHaveLength(2);
    const pin = () => page.all('.at-frame [title="Pin"]')[0]!;
    await page.click(pin());
    page.find('tree', 'Flame graph').focus();
    await page.press('ArrowDown');
    expect(page.texts('.at-frame h3')).not.toEqual(['main']);
    await page.click(pin());
    expect(page.all('.pinned .spread')).toHaveLength(2);
    page.find('tree', 'Flame graph').focus();
    await page.press('Escape');
    expect(page.all('.at-frame')).toEqual([]);
    expect(page.all('.pinned .spread')).toHaveLength(2);
  });
});

/** An engine that defines metrics, but none of `smples`. */
function definingEngine(members = 0): Answers {
  const metrics: MetricInfo[] = [COUNTED, TIMED];
  const plain = stacksEngine(STACKS, { members });
  const padded = stacksEngine('main;compute;sort 5 50 7\nmain;read 2 80 9', {
    members,
    metrics: [COUNTED, TIMED, { ...TIMED, name: 'formula', adds_up: false }],
  });
  const isDefined = () => metrics.length > 2;
  return {
    ...plain,
    rows: (params) => (isDefined() ? padded : plain).rows!(params),
    details: (params) => (isDefined() ? padded : plain).details!(params),
    flame: (params) => (isDefined() ? padded : plain).flame!(params),
    summary: () => ({
      result: { ...SUMMARY, members, metrics: [...metrics] },
      columns: { total: BigInt64Array.of(7n, 130n, 16n).slice(0, metrics.length) },
    }),
    define_metric({ formula }) {
      if (formula.includes('smples')) {
        throw new EngineError({
          code: 'bad_request',
          message: 'there is no metric "smples": did you mean samples?',
          hint: 'Name another.',
        });
      }
      metrics.push({ ...TIMED, name: formula, formula, adds_up: false });
      return { result: { metric: metrics.length - 1 } };
    },
  };
}

describe('a metric by formula', () => {
  it('is a figure over the profiles, which the address names', async () => {
    const page = await openPage(definingEngine(5));
    await page.choose(/^Metric samples/, 'Largest');
    expect(page.hash().get('fx')).toBe('max_of(samples)');
    expect(page.count('button', /^Metric max_of\(samples\)/)).toBe(1);
    const again = await openPage(definingEngine(5), {
      hash: '#fx=percentile_of(cpu, 90)&view=table&list=tree',
    });
    expect(again.texts('[role=columnheader]')).toContain('percentile_of(cpu, 90) total ▾');
    expect(again.texts('.table .row .cell.total')[0]).toBe('16 ns');
  });

  it('is typed, and says what is wrong with it', async () => {
    const page = await openPage(definingEngine());
    await page.press('M');
    const field = page.find('textbox', 'Formula');
    await page.type(field, 'samples / smples');
    await page.click(page.find('button', 'Show'));
    expect(page.texts('dialog [role=alert]')).toEqual([
      'there is no metric "smples": did you mean samples? Name another.',
    ]);
    expect(page.hash().has('fx')).toBe(false);
    await page.type(field, 'cpu / samples');
    await page.click(page.find('button', 'Show'));
    expect(page.all('dialog')).toEqual([]);
    expect(page.count('button', /^Metric cpu \/ samples/)).toBe(1);
    expect(page.hash().get('fx')).toBe('cpu / samples');
  });

  it('of an address that cannot be is left out, and told', async () => {
    const page = await openPage(definingEngine(), { hash: '#fx=smples*2' });
    expect(page.hash().has('fx')).toBe(false);
    expect(page.texts('.banner')).toEqual([expect.stringContaining('did you mean samples?')]);
  });
});

/** Base, new, both, change and ratio of one metric. */
const NAMES = ['cpu (base)', 'cpu (new)', 'cpu', 'cpu (change)', 'cpu (ratio)'];
const COMPARED = {
  metrics: NAMES.map((name, at) => ({
    ...TIMED,
    name,
    adds_up: at < 3,
    signed: at === 3,
    formula: at < 3 ? null : name,
  })),
  default_metric: 2,
  comparison: {
    base: 'before',
    new: 'after',
    swaps: true,
    runs: [5, 5] as [number, number],
    tested: true,
    normalise: { kind: 'absolute' as const },
    chosen: null,
    metrics: [{ name: 'cpu', base: 0, new: 1, both: 2, change: 3, ratio: 4 }],
  },
};
const CHANGED = 'main;sum 100 40 140 -60 40\nmain;log 0 15 15 15 0';
const TOLD = { sum: { tag: 'smaller' }, log: { tag: 'added' }, main: { tag: 'larger' } } as const;

describe('a comparison of runs', () => {
  it('has the widths of either side, of both, or of what changed', async () => {
    const page = await openPage(stacksEngine(CHANGED, COMPARED, TOLD));
    expect(page.count('button', /^Metric cpu/)).toBe(1);
    for (const [side, metric] of [
      ['Base', 0],
      ['New', 1],
      ['Change', 3],
      ['Both', 2],
    ] as const) {
      await page.choose(/^Width: /, side);
      expect(page.hash().get('m')).toBe(String(metric));
      expect(page.last('flame')?.view.metric).toBe(metric);
    }
  });

  it.each(['top_down', 'bottom_up', 'flat'])('tells changes in the table, %s', async (shape) => {
    const page = await openPage(stacksEngine(CHANGED, COMPARED, TOLD), {
      hash: `#view=table&list=tree&shape=${shape}&m=3&open=*`,
    });
    page.find('treegrid', 'Table').focus();
    await page.press('h');
    expect(page.texts('[role=columnheader]')).toContain('Change ▾');
    const tags = page.texts('.table .row .tag');
    expect(tags).toContain('[-]');
    for (const tag of tags) expect(tag).toMatch(/^\[[AD+=-]\]$/);
  });

  it('says how many runs filters leave, and where none is left', async () => {
    const engine = stacksEngine(CHANGED, COMPARED, TOLD);
    const page = await openPage(
      {
        ...engine,
        filters: () => ({
          result: { filters: [{ kept: 0.2, matched: true }], runs: [0, 1], notes: [] },
        }),
      },
      { hash: '#f=label_focus:member=after-2' },
    );
    expect(page.texts('.sides .problem')).toEqual(['no run is left: nothing to compare']);
    expect(page.texts('.sides .number')).toEqual(['1 of 5 runs']);
  });

  it('keeps filters, widths and what is selected when it is swapped', async () => {
    const page = await openPage(
      {
        ...stacksEngine(CHANGED, COMPARED, TOLD),
        wait: ({ document }) => ({
          result: {
            document,
            title: 'c',
            name: 'c',
            state: { kind: 'ready', shows: 'profile' },
            made_by: null,
          },
        }),
        swap: () => ({ result: { document: 4 } }),
      },
      { hash: '#f=focus:main&m=3' },
    );
    page.find('tree', 'Flame graph').focus();
    await page.press('ArrowDown', 'ArrowDown');
    const before = page.hash();
    await page.click(page.find('button', 'Swap base and new'));
    before.set('d', '4');
    expect(Object.fromEntries(page.hash())).toEqual(Object.fromEntries(before));
    expect(page.texts('.details > h2')).toEqual(['main']);
    expect(page.all('.chip')).toHaveLength(1);
  });

  it('explains a formula over both of its sides', async () => {
    const page = await openPage(stacksEngine(CHANGED, COMPARED, TOLD));
    await page.press('M');
    expect(page.texts('dialog dt')).toContain('Of both sides');
  });

  it('has a legend of its signs', async () => {
    const signs = ['[-] less, [D] gone', '[=] same', '[+] more, [A] new'];
    const ofRuns = await openPage(stacksEngine(CHANGED, COMPARED, TOLD));
    const told = [...signs, '[+?] unknown'];
    expect(ofRuns.texts('.change-legend > span')).toEqual(told);
    const { comparison } = COMPARED;
    const single = { ...COMPARED, comparison: { ...comparison, tested: false } };
    const page = await openPage(stacksEngine(CHANGED, single, TOLD));
    expect(page.texts('.change-legend > span')).toEqual(signs);
  });
});
