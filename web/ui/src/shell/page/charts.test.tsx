// @vitest-environment happy-dom
import { EngineError } from '@hotframe/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { chartsEngine, FUNCTIONS, treemapEngine } from './charts.fixture.ts';
import { type Answers, closePages, type FakePage, openPage } from './page.fixture.tsx';
import { stacksEngine, TIMED } from './profile.fixture.ts';

afterEach(closePages);

const said = (page: FakePage) => page.texts('.chart-at output')[0];
const picture = (page: FakePage) => page.all('[data-scope=charts]')[0]!;

/** A page with the keyboard in its chart. */
async function openChart(hash = '', answers: Answers = chartsEngine()): Promise<FakePage> {
  const page = await openPage(answers, { hash: `#view=charts${hash}` });
  picture(page).focus();
  return page;
}

/** The marks of a scatter by name. */
const marks = (page: FakePage) =>
  Object.fromEntries(
    page.all('circle[data-key]').map((mark) => {
      const name = ['fib', 'main', 'walk'][Number(mark.getAttribute('data-key')) - 10]!;
      const number = (attribute: string) => Number(mark.getAttribute(attribute));
      return [
        name,
        { x: number('cx'), y: number('cy'), r: number('r'), out: number('fill-opacity') },
      ];
    }),
  );

describe('a scatter', () => {
  it('has a mark for each function where its figures put it', async () => {
    const page = await openChart();
    const { main, fib, walk } = marks(page);
    // More calls are to the right, what takes more a call is higher, areas are totals.
    expect(fib!.x).toBeGreaterThan(walk!.x);
    expect(walk!.x).toBeGreaterThan(main!.x);
    expect(main!.y).toBeLessThan(fib!.y);
    expect((fib!.r / main!.r) ** 2).toBeCloseTo(0.6, 1);
  });

  it('is walked with keys, from the largest on, and leads on', async () => {
    const page = await openChart('&per=total_value');
    await page.press('Home');
    expect(said(page)).toBe(
      'main 1 call, 1 primitive · total a primitive call 100 ns · self 10 ns · total 100 ns',
    );
    expect(page.texts('.tooltip')[0]).toContain('total a primitive call');
    await page.press('ArrowRight');
    expect(said(page)).toMatch(/^walk 20 calls/);
    await page.press('ArrowRight');
    expect(said(page)).toMatch(/^fib 40 calls, 10 primitive · 75\.0 % recursive/);
    await page.press(' ');
    expect(said(page)).toContain('1 function chosen: self 60 ns, 60.0 %');
    expect(page.hash().get('fns')).toBe('a');
    await page.press('Enter');
    expect(page.hash().get('view')).toBe('sandwich');
  });

  it('is where functions are chosen together, in the flame graph and in the table too', async () => {
    const page = await openChart();
    await page.press('Home', ' ', 'ArrowRight', ' ');
    expect(said(page)).toContain('2 functions chosen');
    expect(Object.values(marks(page)).filter(({ out }) => out < 0.5)).toHaveLength(1);
    await page.press('5');
    expect(page.texts('[role=row][aria-selected=true] .name b').toSorted()).toEqual([
      'main',
      'walk',
    ]);
    await page.press('C');
    picture(page).focus();
    await page.press('Escape');
    expect(page.hash().has('fns')).toBe(false);
  });

  it('says the figures of the mark under the pointer', async () => {
    const page = await openChart('&rec=1');
    expect(page.count('img', /from 0 to 100 % of calls recursive/)).toBe(1);
    const { fib } = marks(page);
    await page.pointAt(picture(page), fib!.x, fib!.y);
    expect(page.texts('.tooltip h2')).toEqual(['fib']);
    expect(page.texts('.tooltip tr')).toEqual([
      'total60 ns60.0 %',
      'self60 ns60.0 %',
      'calls40',
      'primitive calls1075.0 % recursive',
      'self a call1.5 ns',
    ]);
  });

  it('says what is not known, and what that means', async () => {
    const unknown = FUNCTIONS.map((one) => ({ ...one, primitive: undefined }));
    const page = await openChart('&per=total_value', chartsEngine(unknown));
    const upwards = page.find('radiogroup', 'Upwards');
    expect(upwards.getAttribute('aria-disabled')).toBe('true');
    await page.press('Home');
    expect(said(page)).toContain('how many primitive is not known');
    await page.click(page.find('button', 'What is this?'));
    expect(page.texts('dialog dd').join()).toContain('Which calls were recursive is not known.');
  });

  it('has what is divided by calls in the address', async () => {
    const page = await openChart();
    await page.click(page.find('radio', 'Total a call'));
    expect(page.hash().get('per')).toBe('total_value');
    expect(page.last('scatter')?.of).toBe('total_value');
    await page.choose('Colour: Module', 'Recursion');
    expect(page.hash().get('rec')).toBe('1');
  });

  it('lets stand out what the search finds', async () => {
    const page = await openChart('&q=^fib', {
      ...chartsEngine(),
      search: () => ({
        result: {
          matches: 1,
          top: [{ key: 10, name: 'fib' }],
          list_metric: 0,
          share: 0.6,
          estimated: false,
        },
        columns: { matched: BigInt64Array.of(60n, 100n), top: BigInt64Array.of(60n) },
      }),
    });
    const front = Object.entries(marks(page)).filter(([, { out }]) => out > 0.5);
    expect(front.map(([name]) => name)).toEqual(['fib']);
  });

  it('is saved as it stands', async () => {
    const page = await openChart();
    await page.choose('Export', 'Scatter as SVG');
    const svg = await page.saved[0]!.text;
    expect(svg.match(/<circle /g)).toHaveLength(3);
    expect(svg).toContain('>self a call<');
    expect(svg).not.toMatch(/var\(|class=/);
  });

  it('says why there is none where nothing counts calls', async () => {
    const page = await openChart('&chart=scatter', {
      ...stacksEngine('main 3'),
      scatter() {
        throw new EngineError({
          code: 'bad_request',
          message: 'No call counts.',
          hint: 'Recorders that follow every call count them.',
        });
      },
    });
    expect(page.texts('.message.over')).toEqual([
      'No call counts.Recorders that follow every call count them.',
    ]);
  });
});

describe('bars', () => {
  it('are what a profile has that counts no calls', async () => {
    const page = await openPage(
      { ...stacksEngine('main;fib 3'), bars: chartsEngine().bars! },
      { hash: '#view=charts' },
    );
    expect(page.find('radio', 'Bars').getAttribute('aria-checked')).toBe('true');
  });

  it('are sorted by self or total, which the address keeps', async () => {
    const page = await openChart('&chart=bars');
    const names = () => page.texts('.bars text').filter((text) => /^(main|fib|walk)$/.test(text));
    expect(names()).toEqual(['fib', 'walk', 'main']);
    await page.choose('Sort: Self', 'Total');
    expect(page.hash().get('bars')).toBe('total');
    expect(names()).toEqual(['main', 'fib', 'walk']);
  });

  it('have one scale for self and total', async () => {
    const page = await openChart('&chart=bars');
    const widths = page
      .all('.bars rect[fill-opacity]')
      .map((bar) => Number(bar.getAttribute('width')));
    // Of each function total and self.
    const unit = widths[0]! / 60;
    const expected = [60, 60, 30, 30, 100, 10];
    for (const [at, width] of widths.entries()) expect(width / unit).toBeCloseTo(expected[at]!, 0);
    expect(widths).toHaveLength(6);
  });

  it('are gone through with keys, chosen, and let go', async () => {
    const page = await openChart('&chart=bars');
    await page.press('Home', 'ArrowDown');
    const second = said(page);
    expect(second).toBe('walk self 30 ns (30.0 %) · total 30 ns (30.0 %)');
    await page.press(' ');
    expect(said(page)).toBe(`${second} · 1 function chosen: self 30 ns, 30.0 %`);
    await page.press('Escape');
    expect(said(page)).toBe(second);
    expect(page.hash().get('fn')).toBe('12');
    await page.press('Escape');
    expect(page.hash().has('fn')).toBe(false);
  });

  it('of several runs tell the least and the most', async () => {
    const engine = chartsEngine();
    const page = await openChart('&chart=bars', {
      ...engine,
      async bars(params) {
        const { result, columns } = await engine.bars!(params);
        return {
          result: { ...result!, members: 5 },
          columns: {
            ...columns!,
            self_least: Float64Array.of(50, 20, 5),
            self_most: Float64Array.of(70, 40, 15),
            total_least: Float64Array.of(50, 20, 90),
            total_most: Float64Array.of(70, 40, 110),
          },
        };
      },
    });
    expect(page.texts('.bars .tools .mute')).toContain('means of 5 members, least to most');
    await page.press('Home');
    expect(said(page)).toMatch(/^fib self .*50 ns to 70 ns.* · total .*50 ns to 70 ns/);
  });
});

describe('bars of a comparison', () => {
  it('begin with the largest change, and say what it is', async () => {
    const engine = chartsEngine();
    const change = { ...TIMED, adds_up: false };
    const page = await openChart('&chart=bars', {
      ...stacksEngine('main;fib 1 2 3 1 2', {
        metrics: [TIMED, TIMED, TIMED, { ...change, signed: true }, change],
        comparison: {
          base: 'before',
          new: 'after',
          swaps: true,
          runs: [1, 1],
          tested: false,
          normalise: { kind: 'absolute' },
          chosen: null,
          metrics: [{ name: 'cpu', base: 0, new: 1, both: 2, change: 3, ratio: 4 }],
        },
      }),
      async bars(params) {
        const { result, columns } = await engine.bars!(params);
        const rows = result!.rows.map((row) => ({ ...row, tag: 'larger' as const }));
        return { result: { ...result!, rows }, columns: columns! };
      },
    });
    expect(page.count('button', 'Sort: Change')).toBe(1);
    expect(page.last('bars')?.sort).toEqual({ by: 'total_value', metric: 3, reverse: false });
    await page.press('Home');
    expect(said(page)).toMatch(/ · \[\+\] larger$/);
  });
});

describe('a sunburst', () => {
  const open = (hash = '') => openChart(`&chart=sunburst${hash}`);

  it('has arcs for calls, in rings around their callers', async () => {
    const page = await open();
    expect(page.all('path[data-node]')).toHaveLength(4);
    await page.choose('Export', 'Sunburst as CSV');
    const [, ...lines] = (await page.saved[0]!.text).trim().split('\n');
    expect(lines.map((line) => line.split(',').slice(0, 2).join())).toEqual([
      '0,all',
      '1,main',
      '2,fib',
      '2,walk',
    ]);
  });

  it('is walked with keys, zooms to an arc, and goes back out', async () => {
    const page = await open('&rings=area');
    await page.press('ArrowDown');
    expect(said(page)).toContain('in the middle');
    await page.press('ArrowDown', 'ArrowDown');
    expect(said(page)).toBe('fib self 60 ns · total 60 ns (60.0 % of all) · ring 2');
    expect(page.hash().get('sel')?.split('.')).toHaveLength(2);
    await page.press('Enter');
    expect(page.hash().get('z')?.split('.')).toHaveLength(2);
    expect(page.texts('.crumbs [aria-current]')).toEqual(['fib']);
    await page.press('Backspace');
    expect(page.hash().get('z')?.split('.')).toHaveLength(1);
    await page.press('Escape');
    expect(page.hash().has('z')).toBe(false);
  });

  it('leaves arcs out from a share on, which the address keeps', async () => {
    const page = await open();
    await page.choose('Arcs from: 0.5 %', '2 %');
    expect(page.hash().get('cut')).toBe('20');
    expect((await page.reload()).count('button', 'Arcs from: 2 %')).toBe(1);
  });
});

describe('a treemap', () => {
  const STACKS = 'main;compute;sort 50\nmain;compute;hash 30\nmain;read 20';
  const open = (hash = '', hidden = 0) =>
    openChart(`&chart=treemap${hash}`, treemapEngine(STACKS, hidden));

  it('is walked with keys, goes in and comes out, and the address knows it', async () => {
    const page = await open();
    await page.press('ArrowDown');
    expect(said(page)).toContain('level 0');
    await page.press('ArrowDown', 'ArrowDown');
    expect(said(page)).toBe('compute total 80 ns · 80.0 % · self 0 · level 2');
    expect(page.texts('[role=treeitem][aria-selected=true]')[0]).toMatch(/^compute,/);
    await page.press('Enter');
    expect(page.hash().get('z')?.split('.')).toHaveLength(2);
    expect(page.texts('.crumbs [aria-current]')).toEqual(['compute']);
    await page.press('Backspace');
    expect(page.hash().get('z')?.split('.')).toHaveLength(1);
    await page.press('Escape');
    expect(page.hash().has('z')).toBe(false);
  });

  it('has boxes from a share on, and says how many are too small', async () => {
    const page = await open('', 12);
    expect(page.texts('.tools .mute')).toContain('12 frames too small, drawn together');
    await page.choose('Boxes from: 0.5 %', '2 %');
    expect(page.hash().get('cut')).toBe('20');
    expect(page.last('treemap')?.least).toBe(0.02);
  });

  it('has colours for depth or share, and a legend that says which', async () => {
    const page = await open();
    expect(page.count('img', /from the root to the innermost/)).toBe(1);
    await page.choose('Colour: Depth', 'Share');
    expect(page.count('img', /from 0 to 100 % of all/)).toBe(1);
    expect(page.hash().get('tint')).toBe('share');
    await page.choose('Colour: Share', 'File');
    expect(page.hash().get('tint')).toBe('groups');
    expect(page.hash().get('colour')).toBe('file');
  });

  it('has exact figures beside the box under the pointer, and explains itself', async () => {
    const page = await open();
    await page.pointAt(picture(page), 100, 60);
    expect(page.texts('.tooltip h2')).toEqual(['sort']);
    expect(page.texts('.tooltip th')).toContain('total');
    await page.click(page.find('button', 'What is this?'));
    expect(page.texts('dialog')[0]).toContain('Boxes in one box compare exactly');
  });

  it('is saved with a box for each that is drawn', async () => {
    const page = await open();
    await page.choose('Export', 'Treemap as SVG');
    const svg = await page.saved[0]!.text;
    expect(svg.match(/<rect /g)!.length - 1).toBe(page.all('rect[data-node]').length);
  });
});

describe('a call graph', () => {
  const open = (hash = '', functions = FUNCTIONS) =>
    openChart(`&chart=calls${hash}`, chartsEngine(functions));

  it('is walked between callers and callees, and other charts follow', async () => {
    const page = await open();
    await page.press('Home');
    expect(said(page)).toBe(
      'main self 10 ns (10.0 %) · total 100 ns (100.0 %) · 0 callers, 2 callees',
    );
    await page.press('ArrowDown');
    expect(said(page)).toMatch(/^fib .* · calls of itself 45 ns \(45\.0 %\)$/);
    expect(page.hash().get('fn')).toBe('10');
    expect(page.texts('[role=treeitem][aria-selected=true]')[0]).toMatch(/^fib/);
    await page.press('ArrowUp');
    expect(said(page)).toMatch(/^main /);
    await page.press('ArrowDown', 'ArrowRight');
    expect(said(page)).toMatch(/^walk /);
    await page.click(page.find('radio', 'Bars'));
    expect(said(page)).toMatch(/^walk /);
  });

  it('tells what is below the least shares, which the address keeps', async () => {
    const page = await open();
    expect(page.texts('.tools [title="Not drawn"]')).toEqual(['all functions and calls']);
    await page.choose('Functions from: 0.5 %', '5 %');
    expect(page.hash().get('nodes')).toBe('50');
    expect(page.last('call_graph')).toMatchObject({ least_node: 0.05, least_edge: 0.001 });
    await page.choose('Calls from: 0.1 %', '0 %');
    expect(page.hash().get('edges')).toBe('0');
  });

  it('says that calls are estimated', async () => {
    const page = await open(
      '',
      FUNCTIONS.map((one) => ({ ...one, primitive: undefined })),
    );
    expect(page.texts('.tools .mute')).toContain('calls estimated');
    await page.click(page.find('button', 'What is this?'));
    expect(page.texts('dialog')[0]).toContain('Call paths of this profile are estimated');
  });

  it('is saved with functions and calls', async () => {
    const page = await open();
    await page.choose('Export', 'Call graph as CSV');
    const lines = (await page.saved[0]!.text).trim().split('\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([
      'function',
      'function',
      'function',
      'call',
      'call',
      'call',
    ]);
  });
});
