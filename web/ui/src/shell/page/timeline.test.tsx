// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { type Answers, closePages, type FakePage, openPage } from './page.fixture.tsx';
import { stacksEngine } from './profile.fixture.ts';
import { names, openTimeline, said, tracks } from './timeline.fixture.tsx';
import { traceEngine } from './trace.fixture.ts';

afterEach(closePages);

describe('a trace', () => {
  it('opens in time order, with its tracks, above the flame graph of the same', async () => {
    const page = await openPage(traceEngine());
    expect(tracks(page)).toEqual([
      'Main, process, 1 mark',
      'Main thread, thread, 5 spans, 100.0 % busy, unfolded',
      'bee two, thread, 1 span, 5.0 % busy, unfolded',
      'bee "one", thread, 1 span, 30.0 % busy, unfolded',
    ]);
    expect(said(page)).toBe('0 ns to 1 s');
    expect(page.count('tree', 'Flame graph')).toBe(1);
    await page.press('4');
    expect(page.count('tree', 'Timeline')).toBe(0);
    expect(page.hash().get('view')).toBe('flame');
  });

  it('is what only a profile with times is', async () => {
    const page = await openPage(stacksEngine('main 3'), { hash: '#view=timeline' });
    expect(page.count('tree', 'Timeline')).toBe(0);
    expect(page.count('tree', 'Flame graph')).toBe(1);
    expect(page.count('radio', 'Timeline')).toBe(0);
    expect(page.count('radio', 'Heat map')).toBe(0);
  });
});

describe('the keyboard', () => {
  it('walks between spans, and shows all about the selected one', async () => {
    const page = await openTimeline();
    const told = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await page.press(key);
      told.push(said(page)?.split(',')[0]);
    }
    expect(told).toEqual(['run', 'compute', 'select', 'select', 'compute']);
    expect(said(page)).toBe('compute, 600 ms, at 300 ms');
    expect(page.hash().get('ts')).toBe('2');
    const panel = page.texts('.span-panel')[0];
    expect(panel).toMatch(/compute.*compute\.py:7.*lasts.*600 ms.*count.*3/);
    // Its call path is selected in the flame graph, too.
    expect(page.hash().get('sel')?.split('.')).toHaveLength(2);
    expect(page.texts('.details > h2')).toEqual(['compute']);
  });

  it('zooms to a span, keeps its time, and lets go again', async () => {
    const page = await openTimeline('&ts=2');
    await page.press('Enter');
    await page.until(() => page.hash().has('t'));
    const [from, to] = page.hash().get('t')!.split('~').map(Number);
    expect(from).toBeLessThan(300e6);
    expect(to).toBeGreaterThan(900e6);
    await page.press('m');
    expect(page.hash().getAll('f')).toEqual(['time:300ms..900ms']);
    expect(page.all('.chip')).toHaveLength(1);
    const again = await page.reload();
    expect(said(again)).toBe('compute, 600 ms, at 300 ms');
    again.find('tree', 'Timeline').focus();
    await again.press('Escape');
    expect(again.hash().has('ts')).toBe(false);
    await again.press('Escape');
    expect(again.all('.chip')).toEqual([]);
    await again.press('0');
    await again.until(() => !again.hash().has('t'));
  });

  it('goes from match to match of the search, and around', async () => {
    const page = await openTimeline('&q=select');
    const found = () => page.texts('.find output')[0]?.split(' · ')[0];
    await page.press(']');
    expect([said(page), found()]).toEqual(['select, 100 ms, at 400 ms', '1 of 2']);
    await page.press(']');
    expect([said(page), found()]).toEqual(['select, 200 ms, at 600 ms', '2 of 2']);
    await page.press('[');
    expect([said(page), found()]).toEqual(['select, 100 ms, at 400 ms', '1 of 2']);
    // In other views, too, Enter in the field does so.
    await page.press('/', 'Enter');
    expect(found()).toBe('2 of 2');
  });
});

describe('the pointer', () => {
  /** Where the chart of the first thread begins, and a row of it. */
  const CHART = { x: 740, top: 24 + 24 + 12, row: 18 };

  it('selects what is under it, whichever way rows grow', async () => {
    const page = await openTimeline();
    const picture = page.find('tree', 'Timeline');
    const rows = async () => {
      const told = [];
      for (let row = 0; row < 3; row++) {
        await page.clickAt(picture, CHART.x, CHART.top + row * CHART.row);
        told.push(said(page)?.split(',')[0]);
      }
      return told;
    };
    expect(await rows()).toEqual(['run', 'compute', 'select']);
    await page.choose(/^4 tracks: order/, 'Rows grow upwards');
    expect(page.hash().get('tu')).toBe('1');
    expect(await rows()).toEqual(['select', 'compute', 'run']);
    await page.choose(/^4 tracks: order/, 'Callees below');
    expect(page.hash().has('tu')).toBe(false);
    expect(await rows()).toEqual(['run', 'compute', 'select']);
  });

  it('is told the time, the place and the arguments of what it is over', async () => {
    const page = await openTimeline();
    await page.pointAt(page.find('tree', 'Timeline'), CHART.x, CHART.top + 2 * CHART.row);
    await page.until(() => /self/.test(page.texts('.tooltip')[0] ?? ''));
    expect(page.texts('.tooltip')[0]).toMatch(/^select.*self 100 ms.*count.*3/);
  });

  it('folds a track by its name, and opens its menu', async () => {
    const page = await openTimeline();
    const picture = page.find('tree', 'Timeline');
    await page.clickAt(picture, 60, CHART.top);
    expect(page.hash().get('tt')).toBe('1');
    await page.clickAt(picture, 60, CHART.top, 'right');
    expect(page.texts('.menu h2')).toEqual(['Main thread']);
  });

  it('opens the menu of a span', async () => {
    const page = await openTimeline();
    await page.clickAt(page.find('tree', 'Timeline'), CHART.x, CHART.top, 'right');
    expect(page.texts('.menu h2')).toEqual(['run']);
    await page.click(page.find('menuitem', 'Filter to all spans with this name'));
    expect(page.hash().getAll('f')).toEqual(['during:(?-i)^run$']);
  });

  it('zooms on the ruler, and filters on tracks', async () => {
    const page = await openTimeline();
    const picture = page.find('tree', 'Timeline');
    const whole = said(page);
    await page.dragOver(picture, { x: 400, y: 8 }, { x: 600, y: 8 });
    await page.until(() => page.hash().has('t'));
    expect(page.hash().has('f')).toBe(false);
    await page.press('0');
    await page.until(() => said(page) === whole);
    await page.dragOver(picture, { x: 400, y: CHART.top }, { x: 600, y: CHART.top });
    expect(page.hash().getAll('f')).toEqual([expect.stringMatching(/^time:/)]);
  });
});

describe('a range of time', () => {
  it('takes the place of the one before, and other filters stay', async () => {
    const page = await openTimeline('&ts=1&f=focus:run');
    await page.press('m');
    expect(page.hash().getAll('f')).toEqual(['focus:run', 'time:0ns..300ms']);
    await page.press('ArrowRight', 'm');
    expect(page.hash().getAll('f')).toEqual(['focus:run', 'time:300ms..900ms']);
  });

  it('may be while spans of a name ran', async () => {
    const page = await openTimeline();
    await page.click(page.find('button', '+ Filter'));
    await page.type(page.find('combobox', 'Kind of filter'), 'during');
    await page.type(page.find('textbox', 'Pattern'), 'select');
    await page.click(page.find('button', 'Add'));
    expect(page.hash().getAll('f')).toEqual(['during:select']);
    expect(page.texts('.chip')[0]).toMatch(/^during: selectkeeps /);
  });

  it('tells what is to be known of it', async () => {
    const page = await openTimeline('&f=time:5s..6s', {
      filters: () => ({
        result: {
          filters: [{ kept: 0, matched: true }],
          runs: null,
          notes: ['The range is outside of the recording.'],
        },
      }),
    });
    expect(page.texts('.chip-notes')).toEqual(['The range is outside of the recording.']);
  });
});

describe('tracks', () => {
  it('are found by words of their names, which the address keeps', async () => {
    const page = await openTimeline();
    await page.press('T');
    await page.type(document.activeElement as HTMLElement, 'BEE t');
    await page.until(() => page.hash().get('tn') === 'BEE t');
    expect(names(page)).toEqual(['Main', 'bee two']);
    expect(names(await page.reload())).toEqual(['Main', 'bee two']);
  });

  it('say that none has such a name, and are all shown again', async () => {
    const page = await openTimeline('&tn=wasp');
    expect(page.texts('.timeline .message h2')).toEqual(['No track is shown']);
    await page.click(page.find('button', 'Show all tracks'));
    expect(names(page)).toHaveLength(4);
  });

  it('are hidden and pinned by keys, and come back', async () => {
    const page = await openTimeline();
    // Down to the second thread, which goes, and the one behind it, which goes to the top.
    await page.press('j', 'j', 'j', 'x');
    expect(names(page)).toEqual(['Main', 'Main thread', 'bee "one"']);
    await page.press('i');
    expect(names(page)).toEqual(['bee "one"', 'Main', 'Main thread']);
    const current = page.find('tree', 'Timeline').getAttribute('aria-activedescendant');
    expect(page.texts(`#${current}`)[0]).toMatch(/^bee "one".*pinned/);
    const again = await page.reload();
    expect(names(again)).toEqual(['bee "one"', 'Main', 'Main thread']);
    await again.click(again.find('button', '1 hidden: show'));
    expect(names(again)).toEqual(['bee "one"', 'Main', 'Main thread', 'bee two']);
    again.find('tree', 'Timeline').focus();
    await again.press('j', 'i');
    expect(again.hash().has('tp')).toBe(false);
  });

  it('are sorted by busy time and by name', async () => {
    const page = await openTimeline();
    await page.choose(/^4 tracks: order/, 'Sort by name');
    expect(names(page)).toEqual(['Main', 'bee "one"', 'bee two', 'Main thread']);
    await page.choose(/^4 tracks: order/, 'Sort by busy time');
    expect(names(page)).toEqual(['Main', 'Main thread', 'bee "one"', 'bee two']);
    expect(page.hash().get('to')).toBe('busy');
  });

  it('fold and unfold, which the address keeps', async () => {
    const page = await openTimeline();
    const unfolded = (on: FakePage) =>
      tracks(on).filter((text) => text.includes('unfolded')).length;
    expect(unfolded(page)).toBe(3);
    await page.press('j', 'j', 'o');
    expect(unfolded(page)).toBe(2);
    expect(page.hash().get('tt')).toBe('1');
    expect(unfolded(await page.reload())).toBe(2);
  });

  it('under another one are summed up, until one of them is searched for', async () => {
    const page = await openTimeline();
    await page.press('j', 'o');
    expect(tracks(page)).toEqual([expect.stringMatching(/^Main, process, sums up 3 tracks/)]);
    expect(page.hash().get('tg')).toBe('0');
    await page.seek('Search', 'select');
    expect(names(page).length).toBeGreaterThan(1);
  });

  it('are filtered to one thread at a time', async () => {
    const page = await openTimeline('&f=focus:run');
    await page.press('j', 'j', 'ContextMenu');
    await page.click(page.find('menuitem', 'Only this thread'));
    expect(page.hash().getAll('f')).toEqual(['focus:run', 'label_focus:thread=(?-i)^Main thread$']);
    page.find('tree', 'Timeline').focus();
    await page.press('j', 'ContextMenu');
    await page.click(page.find('menuitem', 'Only this thread'));
    expect(page.hash().getAll('f')).toEqual(['focus:run', 'label_focus:thread=(?-i)^bee two$']);
    page.find('tree', 'Timeline').focus();
    await page.press('ContextMenu');
    await page.click(page.find('menuitem', 'All threads again'));
    expect(page.hash().getAll('f')).toEqual(['focus:run']);
  });

  it('have a menu, which the keyboard opens too', async () => {
    const page = await openTimeline();
    await page.press('j', 'j', 'ContextMenu');
    expect(page.texts('.menu h2')).toEqual(['Main thread']);
    expect(page.texts('.menu [role=menuitem], .menu [role=menuitemradio]')).toEqual([
      'Only this thread',
      'Fold its rowsO',
      'Pin to the topI',
      'HideX',
      'Sort as recorded',
      'Sort by busy time',
      'Sort by name',
      'Callees below',
      'Rows grow upwards',
      'Skip idle timeG',
      'Sum up all groups',
    ]);
    await page.click(page.find('menuitemradio', 'Rows grow upwards'));
    expect(page.hash().get('tu')).toBe('1');
    page.find('tree', 'Timeline').focus();
    await page.press('g');
    expect(page.hash().get('ti')).toBe('1');
  });
});

describe('a timeline', () => {
  it('is saved as it is shown, with its spans', async () => {
    const page = await openTimeline('&q=select&tu=1', {
      export_timeline_svg: () => ({ result: { text: '<svg/>', file_name: 'trace.timeline.svg' } }),
      export_spans_csv: () => ({ result: { text: 'name', file_name: 'trace.spans.csv' } }),
    });
    await page.choose('Export', 'Timeline as SVG');
    await page.choose('Export', 'Spans as CSV');
    expect(page.saved.map(({ name }) => name)).toEqual(['trace.timeline.svg', 'trace.spans.csv']);
    expect(page.last('export_timeline_svg')).toMatchObject({
      upwards: true,
      lanes: { from: 0, to: 1e9, search: 'select' },
    });
  });
});

describe('a heat map', () => {
  /** A second of a hundred columns, ten milliseconds each, whose cells have one each. */
  const HEAT: Answers = {
    heat: ({ cells }) => ({
      result: { outside: 0, untimed: 0 },
      columns: { value: new Float64Array(cells).fill(1) },
    }),
  };
  const at = (page: FakePage) => page.texts('.heat-at')[0];

  async function openHeat(hash = '&hc=10000000'): Promise<FakePage> {
    const page = await openPage(traceEngine(HEAT), { hash: `#view=heat${hash}` });
    page.all('[data-scope=heat]')[0]!.focus();
    return page;
  }

  it('is walked with keys, which extend the cells and keep their time', async () => {
    const page = await openHeat();
    await page.press('ArrowRight');
    expect(at(page)).toBe('1 0.02 % 0 ns to 200 µs · 200 µs');
    await page.press('ArrowRight');
    expect(at(page)).toMatch(/ 10 ms to 10\.2 ms /);
    await page.press('Shift+ArrowUp', 'Shift+ArrowRight');
    expect(at(page)).toMatch(/^4 .* · 2 parts, 800 µs together$/);
    await page.press('Enter');
    expect(page.hash().getAll('f')).toEqual(['time:10ms..10.4ms,20ms..20.4ms']);
    await page.press('Escape', 'Escape');
    expect(page.hash().has('f')).toBe(false);
  });

  it('is of what the search finds', async () => {
    const page = await openHeat('&hc=100000000&q=^[a-f]');
    expect(page.texts('.heat-told')[0]).toContain('each cell 2 ms · of what the search finds');
    expect(page.last('heat')?.view.filters).toEqual([{ kind: 'search', pattern: '^[a-f]' }]);
  });

  it('has columns of a length that is chosen', async () => {
    const page = await openHeat();
    await page.choose('Column: 10 ms', '50 ms');
    expect(page.hash().get('hc')).toBe('50000000');
    expect(page.last('heat')).toMatchObject({ cell: 1e6, cells: 1000 });
  });

  it('compares cells with the range that is kept, and asks for one first', async () => {
    const page = await openHeat();
    await page.press('ArrowRight', 'c');
    expect(page.texts('.banner')).toEqual(['Keep a range first: the other is compared with it.']);
  });
});
