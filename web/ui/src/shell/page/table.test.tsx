// @vitest-environment happy-dom
import type { ChangeTag, SummaryResult } from '@hotframe/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { closePages, type FakePage, memoryStore, openPage } from './page.fixture.tsx';
import { COUNTED, documentsOf, stacksEngine, TIMED } from './profile.fixture.ts';

afterEach(closePages);

/** By samples `compute` is the largest, by time `read` is. */
const ENGINE = stacksEngine(`
  main;compute;sort 5 20
  main;compute;hash 3 10
  main;read;copy 2 80
  idle 1 1
`);

const names = (page: FakePage) => page.texts('.table .row .name b');
const heads = (page: FakePage) => page.texts('.table [role=columnheader]');
const rowOf = (page: FakePage, name: string) =>
  page.all('.table .row').find((row) => row.querySelector('.name b')?.textContent === name)!;
const twist = (page: FakePage, name: string) =>
  rowOf(page, name).querySelector<HTMLElement>('.twist')!;
/** What a screen reader says of the selected frame. */
const spoken = (page: FakePage) => page.texts('.picture + [role=status]')[0];

const openTree = (hash = '') => openPage(ENGINE, { hash: `#view=table&list=tree${hash}` });
const openFunctions = (hash = '') => openPage(ENGINE, { hash: `#view=table${hash}` });

describe('the tree', () => {
  it('has every metric as two columns, the shown one first', async () => {
    const page = await openTree();
    expect(heads(page)).toEqual([
      'Name',
      'samples self',
      'samples total ▾',
      'cpu self',
      'cpu total',
    ]);
    await page.press('m');
    expect(heads(page)).toEqual([
      'Name',
      'cpu self',
      'cpu total ▾',
      'samples self',
      'samples total',
    ]);
  });

  it('unfolds and folds with mouse and keyboard', async () => {
    const page = await openTree();
    expect(names(page)).toEqual(['main', 'idle']);
    await page.click(twist(page, 'main'));
    expect(names(page)).toEqual(['main', 'compute', 'read', 'idle']);
    await page.click(rowOf(page, 'main'));
    page.find('treegrid', 'Table').focus();
    await page.press('ArrowLeft');
    expect(names(page)).toEqual(['main', 'idle']);
    await page.press('ArrowRight');
    expect(names(page)).toEqual(['main', 'compute', 'read', 'idle']);
    // Once more goes into what is open, and a fold from within to what is around.
    await page.press('ArrowRight');
    expect(page.texts('.row.cursor .name b')).toEqual(['compute']);
    await page.press('ArrowLeft');
    expect(page.texts('.row.cursor .name b')).toEqual(['main']);
    await page.press('Enter');
    expect(names(page)).toEqual(['main', 'idle']);
  });

  it('is sorted by name and by any metric, in both directions', async () => {
    const page = await openTree('&open=c*');
    await page.click(page.find('button', 'Name'));
    expect(page.hash().get('sort')).toBe('name.0');
    expect(names(page)).toEqual(['idle', 'main']);
    expect(heads(page)[0]).toBe('Name ▴');
    await page.click(twist(page, 'main'));
    await page.click(page.find('button', 'cpu total'));
    expect(page.hash().get('sort')).toBe('total_value.1');
    expect(names(page)).toEqual(['main', 'read', 'compute', 'idle']);
    await page.click(page.find('button', 'cpu total ▾'));
    expect(page.hash().get('sort')).toBe('total_value.1.r');
    expect(names(page)).toEqual(['idle', 'main', 'compute', 'read']);
    expect(page.all('[role=columnheader]').map((head) => head.getAttribute('aria-sort'))).toEqual([
      'none',
      'none',
      'none',
      'none',
      'ascending',
    ]);
  });

  it('unfolds the hottest path with one key, and selects its end', async () => {
    const page = await openTree();
    await page.click(rowOf(page, 'main'));
    page.find('treegrid', 'Table').focus();
    await page.press('h');
    expect(names(page)).toEqual(['main', 'compute', 'sort', 'hash', 'read', 'idle']);
    expect(page.texts('.row.cursor .name b')).toEqual(['sort']);
    expect(page.hash().get('sel')?.split('.')).toHaveLength(3);
  });

  it('is narrowed to rows that match, with the way to them', async () => {
    const page = await openTree();
    await page.seek('Filter rows', 'copy');
    expect(names(page)).toEqual(['main', 'read', 'copy']);
    expect(page.texts('.row.matched .name b')).toEqual(['copy']);
    expect(page.hash().get('rows')).toBe('copy');
    await page.seek('Filter rows', 'no such function');
    expect(page.texts('.table .message')).toEqual(['No rowsNo name matches the filter.']);
    await page.seek('Filter rows', '');
    expect(names(page)).toEqual(['main', 'idle']);
  });

  it('is copied as text, the marked rows of it', async () => {
    const page = await openTree();
    await page.click(twist(page, 'main'));
    await page.click(rowOf(page, 'main'));
    page.find('treegrid', 'Table').focus();
    await page.press('Shift+ArrowDown');
    expect(page.texts('.row[aria-selected=true] .name b')).toEqual(['main', 'compute']);
    await page.press('Ctrl+c');
    expect(page.copied).toEqual([
      [
        'name\tfile\tline\tsamples self (count)\tsamples total (count)\tcpu self (nanoseconds)\tcpu total (nanoseconds)',
        'main\tmain.go\t1\t0\t10\t0\t110',
        '  compute\tcompute.go\t1\t0\t8\t0\t30',
      ].join('\n'),
    ]);
    expect(page.texts('.banner')).toEqual(['2 rows copied']);
  });

  it('marks rows up to the one that is clicked with Shift', async () => {
    const page = await openTree('&sel=a');
    await page.click(twist(page, 'main'));
    await page.click(rowOf(page, 'idle'));
    await page.click(rowOf(page, 'compute'), 'Shift');
    expect(page.texts('.row[aria-selected=true] .name b')).toEqual(['compute', 'read', 'idle']);
  });

  it('keeps what is unfolded when the metric changes', async () => {
    const page = await openTree();
    await page.click(twist(page, 'main'));
    await page.click(twist(page, 'compute'));
    await page.choose(/^Metric samples/, /^cpu/);
    expect(page.hash().get('m')).toBe('1');
    expect(names(page)).toEqual(['main', 'read', 'compute', 'sort', 'hash', 'idle']);
  });

  it('is unfolded as before after a reload, also beside what is selected', async () => {
    const page = await openTree();
    await page.click(rowOf(page, 'main'));
    page.find('treegrid', 'Table').focus();
    await page.press('h');
    await page.click(twist(page, 'read'));
    await page.press('Escape');
    expect(page.hash().has('sel')).toBe(false);
    const shown = names(page);
    expect(shown).toEqual(['main', 'compute', 'sort', 'hash', 'read', 'copy', 'idle']);
    expect(names(await page.reload())).toEqual(shown);
  });

  it('has modules, files and functions in the flat shape', async () => {
    const page = await openTree('&shape=flat');
    page.find('treegrid', 'Table').focus();
    await page.press('h');
    expect(names(page).slice(0, 3)).toEqual(['program', 'sort.go', 'sort']);
    expect(page.all('.row').map((row) => row.getAttribute('aria-level'))).toContain('3');
    // What stands for a module is not a function that something calls.
    await page.click(rowOf(page, 'program'));
    await page.press('o');
    expect(page.hash().get('view')).toBe('table');
  });

  it('zooms the flame graph to a row, and has the menu of its frame', async () => {
    const page = await openTree();
    await page.click(rowOf(page, 'main'), 'right');
    expect(page.texts('.menu h2')).toEqual(['main']);
    expect(page.count('menuitem', /^Focus: keep only stacks with it/)).toBe(1);
    await page.click(page.find('menuitem', /^Zoom the flame graph to it/));
    expect(page.hash().get('view')).toBe('flame');
    expect(page.texts('.crumbs [aria-current]')).toEqual(['main']);
  });

  it('shares what is selected with the flame graph', async () => {
    const page = await openPage(ENGINE, { hash: '#view=both&list=tree' });
    page.find('tree', 'Flame graph').focus();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown');
    expect(spoken(page)).toMatch(/^copy,/);
    // The table unfolds to it.
    expect(page.texts('.row.cursor .name b')).toEqual(['copy']);
    await page.click(rowOf(page, 'main'));
    expect(spoken(page)).toMatch(/^main,/);
  });
});

describe('the list of functions', () => {
  it('has self and total side by side, by self first', async () => {
    const page = await openFunctions();
    expect(heads(page)).toEqual([
      'Function',
      'samples self ▾',
      'samples total',
      'cpu self',
      'cpu total',
    ]);
    expect(names(page)).toEqual(['sort', 'hash', 'copy', 'idle', 'main', 'compute', 'read']);
    await page.click(page.find('button', 'samples total'));
    expect(names(page).slice(0, 3)).toEqual(['main', 'compute', 'sort']);
    expect(page.hash().get('sort')).toBe('total_value.0');
    expect(page.texts('.table .tools > .number')).toEqual(['7 functions']);
  });

  it('has exact values behind those that are read, with shares', async () => {
    const page = await openFunctions();
    const cells = [...rowOf(page, 'copy').querySelectorAll<HTMLElement>('.cell')];
    expect(cells.map((cell) => cell.textContent)).toEqual([
      '218.2 %',
      '218.2 %',
      '80 ns72.1 %',
      '80 ns72.1 %',
    ]);
    expect(cells.map((cell) => cell.title)).toEqual(['2', '2', '80 nanoseconds', '80 nanoseconds']);
  });

  it('is narrowed, and says where nothing matches', async () => {
    const page = await openFunctions();
    await page.seek('Filter functions', 'O');
    expect(names(page)).toEqual(['sort', 'copy', 'compute']);
    expect(page.hash().get('rows')).toBe('O');
    await page.seek('Filter functions', 'PDQSORT');
    expect(page.texts('.table .message')).toEqual(['No functionsNo function matches.']);
  });

  it('chooses a function for all views', async () => {
    const page = await openFunctions();
    await page.click(rowOf(page, 'compute'));
    const chosen = page.hash().get('fn');
    expect(chosen).not.toBeNull();
    expect(page.texts('.details > h2')).toEqual(['compute']);
    await page.click(page.find('radio', 'Flame graph'));
    expect(page.hash().get('fn')).toBe(chosen);
    await page.click(page.find('radio', 'Sandwich'));
    expect(page.texts('.pane-title b')).toEqual(['compute']);
  });

  it('goes with keys from the first to the last', async () => {
    const page = await openFunctions();
    page.find('grid', 'Functions').focus();
    const chosen = () => page.texts('.row.cursor .name b')[0];
    await page.press('End');
    expect(chosen()).toBe('read');
    await page.press('ArrowUp');
    expect(chosen()).toBe('compute');
    await page.press('Home', 'ArrowDown');
    expect(chosen()).toBe('hash');
    await page.press('Escape');
    expect(page.hash().has('fn')).toBe(false);
    expect(chosen()).toBeUndefined();
  });

  it('agrees with the details of the chosen function, whatever filters are left and after a reload', async () => {
    const page = await openFunctions();
    await page.click(rowOf(page, 'main'));
    const agree = (on: FakePage, total: string) => {
      expect(rowOf(on, 'main').textContent).toContain(total);
      expect(on.texts('.details table.values')[0]).toContain(total);
      expect(on.texts('.details > h2')).toEqual(['main']);
    };
    agree(page, '110 ns');
    const again = await page.reload();
    agree(again, '110 ns');
    again.app.profile.addFilter('ignore', 'read');
    await again.settle();
    agree(again, '30 ns');
    await again.go(-1);
    agree(again, '110 ns');
  });

  it('says of functions that were switched off up to which call they are exact', async () => {
    const text = 'exact to call 50, then estimated: 8 ms ± 0.5 ms (95 %, 12 samples)';
    const page = await openPage(
      {
        ...stacksEngine('main;sort 5\nmain;hash 3', { switched_off: 1 }),
        // Functions have keys in the order of their names.
        estimates: () => ({ result: { rows: [{ key: 10, measured: true, text }] } }),
      },
      { hash: '#view=table' },
    );
    const told = names(page).filter((name) => rowOf(page, name).querySelector('.estimate'));
    expect(told).toEqual(['hash']);
    const hash = rowOf(page, 'hash');
    expect(hash.querySelector<HTMLElement>('.name')?.title).toContain(text);
    expect(hash.querySelector('.cell')?.textContent).toBe('≈ 337.5 %');
    expect(rowOf(page, 'sort').querySelector('.cell')?.textContent).toBe('562.5 %');
    await page.click(hash);
    expect(page.texts('.details .estimate')).toEqual([`≈ ${text}`]);
  });

  it('remembers which columns were put away', async () => {
    const page = await openFunctions();
    const all = heads(page);
    await page.choose('Columns', 'cpu (nanoseconds)');
    expect(heads(page)).toEqual(['Function', 'samples self ▾', 'samples total']);
    const again = await page.reload();
    expect(heads(again)).toEqual(['Function', 'samples self ▾', 'samples total']);
    expect(again.last('functions')?.metrics).toEqual([0]);
    await again.choose('Columns', 'As at first');
    expect(heads(again)).toEqual(all);
    await again.click(again.find('button', 'Columns'));
    expect(again.count('menuitem', 'As at first')).toBe(0);
  });
});

describe('names', () => {
  const place = { file: 'src/a.py', label: 'run src/a.py' };

  it('that several functions have stand with their places, and filters go by the name', async () => {
    const page = await openPage(stacksEngine('main;run 4\nmain;walk 3', {}, { run: place }), {
      hash: '#view=table&list=tree&shape=bottom_up',
    });
    expect(names(page)).toEqual(['run src/a.py', 'walk']);
    await page.click(rowOf(page, 'run src/a.py'));
    expect(page.texts('.details > h2')).toEqual(['run src/a.py']);
    await page.click(rowOf(page, 'run src/a.py'), 'right');
    await page.click(page.find('menuitem', /^Focus: keep only stacks with any run/));
    expect(page.hash().getAll('f')).toEqual(['focus:(?-i)^run$']);
    expect(page.texts('.banner')).toEqual([
      'Filters go by name: this takes every function called run.',
    ]);
    expect(names(page)).toEqual(['run src/a.py']);
  });

  it('do nothing but show, and long ones have both of their ends', async () => {
    const evil = 'evil\u001b[2J\u202e\nname';
    const long = 'github.com/example/organisation/repository/internal/package.(*Receiver).Method';
    const stacks = [evil, long].map((name) => ({ names: ['main', name], values: [1n] }));
    const store = memoryStore();
    store.setItem('hotframe.layout', '{"names":300}');
    const page = await openPage(stacksEngine(stacks), {
      hash: '#view=table&list=tree&shape=bottom_up',
      store,
    });
    const shown = 'evil\\u{1b}[2J\\u{202e}\\nname';
    expect(names(page)).toEqual([shown, expect.stringMatching(/^github\.com\/….*Method$/)]);
    await page.click(rowOf(page, shown));
    expect(page.texts('.details > h2')).toEqual([shown]);
    expect(page.texts('.table, .details').join()).not.toMatch(/[\u001b\u202e]/);
  });

  it('of machines are shown as far as they can be read', async () => {
    const machine = `std::map<${'very::long::name<int, '.repeat(450)}x>`;
    const page = await openPage(stacksEngine([{ names: [machine], values: [1n] }]), {
      hash: '#view=table&sel=a',
    });
    expect(page.texts('.details > h2')[0]!.length).toBeLessThanOrEqual(240);
    expect(page.texts('.details > h2')[0]).toMatch(/^std::map<very.*…/);
  });
});

/** Base, new, both, change and ratio of one metric. */
const COMPARED: Partial<SummaryResult> = {
  title: 'before → after',
  metrics: [
    { ...TIMED, name: 'base' },
    { ...TIMED, name: 'new' },
    { ...TIMED, name: 'both' },
    { ...TIMED, name: 'change', signed: true, adds_up: false, formula: 'new - base' },
    { ...COUNTED, name: 'ratio', unit: '', decimals: 2, adds_up: false, formula: 'new / base' },
  ],
  default_metric: 2,
  comparison: {
    base: 'before',
    new: 'after',
    swaps: true,
    runs: [5, 5],
    tested: true,
    normalise: { kind: 'absolute' },
    chosen: null,
    metrics: [{ name: 'cpu', base: 0, new: 1, both: 2, change: 3, ratio: 4 }],
  },
};

describe('functions of a comparison', () => {
  const ROWS = `
    main;sum 100 40 140 -60 40
    main;log 10 15 25 5 150
  `;
  const TOLD = {
    sum: {
      tag: 'smaller',
      verdict: { verdict: 'less', reason: '' },
      adjusted: 0.0004,
      interval: { low: -80, estimate: -60, high: -40 },
    },
    log: {
      tag: 'larger',
      verdict: { verdict: 'unknown', reason: 'too noisy, or too few runs' },
      adjusted: 0.31,
      interval: { low: -2, estimate: 5, high: 12 },
    },
    main: {
      tag: 'smaller',
      verdict: { verdict: 'unknown', reason: 'too small to be tested' },
      adjusted: null,
      interval: null,
    },
  } as const;
  const open = (hash = '', summary: Partial<SummaryResult> = COMPARED) =>
    openPage(stacksEngine(ROWS, summary, TOLD), { hash: `#view=table${hash}` });

  it('begin with the largest change, with its sign, both sides and a verdict', async () => {
    const page = await open();
    // What has no room beside the names is there once it is asked for.
    const fitting = ['Function', 'Change ▾', 'Verdict', 'Base', 'New'];
    expect(heads(page)).toEqual(fitting);
    for (const column of ['95 % interval', 'New / base', 'Change of self']) {
      await page.choose('Columns', column);
    }
    expect(heads(page)).toEqual([...fitting, '95 % interval', 'New / base', 'Change of self']);
    const [first] = page.all('.table .row');
    expect(first?.querySelector('.tag')?.textContent).toBe('[-]');
    expect([...first!.querySelectorAll('.cell')].map((cell) => cell.textContent)).toEqual([
      '-60 ns-54.5 %',
      'lessp < 0.001',
      '100 ns90.9 %',
      '40 ns72.7 %',
      '-80 ns to -40 ns',
      '0.4',
      '-60 ns-54.5 %',
    ]);
    expect(page.texts('.table .verdict').toSorted()).toEqual([
      'lessp < 0.001',
      'unknown',
      'unknownp = 0.310',
    ]);
    // What runs do not show has its direction all the same, and says that it is not shown.
    expect(page.texts('.table .row .tag').toSorted()).toEqual(['[+?]', '[-?]', '[-]']);
  });

  it('are those that grew, or those that fell', async () => {
    const page = await open();
    await page.click(page.find('radio', 'Grew'));
    expect(page.last('functions')?.direction).toBe('growth');
    expect(page.hash().get('went')).toBe('growth');
    await page.click(page.find('radio', 'Fell'));
    expect(page.last('functions')?.direction).toBe('fall');
    await page.click(page.find('radio', 'All'));
    expect(page.last('functions')?.direction).toBeNull();
    expect(page.hash().has('went')).toBe(false);
  });

  it('are sorted by how sure it is, and by what the interval holds', async () => {
    const page = await open();
    await page.click(page.find('button', 'Verdict'));
    expect(page.hash().get('sort')).toBe('verdict.0');
    expect(page.last('functions')?.sort).toEqual({ by: 'verdict', metric: 0, reverse: false });
    await page.click(page.find('button', /^Verdict/));
    expect(page.hash().get('sort')).toBe('verdict.0.r');
    await page.choose('Columns', '95 % interval');
    await page.click(page.find('button', '95 % interval'));
    // What the rows are sorted by has its column.
    await page.choose('Columns', '95 % interval');
    expect(heads(page)).toContain('95 % interval ▾');
    expect(page.hash().get('sort')).toBe('interval.0');
    // A tree has neither, and is sorted by what it has.
    await page.click(page.find('radio', 'Tree'));
    expect(page.texts('.table .message')).toEqual([]);
    expect(page.last('rows')?.sort.by).toBe('total_value');
  });

  it('have neither interval nor verdict where no runs were compared', async () => {
    const comparison = { ...COMPARED.comparison!, tested: false };
    const page = await open('', { ...COMPARED, comparison });
    expect(heads(page)).not.toContain('Verdict');
    expect(page.all('.table .verdict')).toEqual([]);
  });
});

describe('a comparison', () => {
  it('is swapped and brought to scale, and details follow while the view stays', async () => {
    const asked: unknown[] = [];
    const comparison = { ...COMPARED.comparison!, tested: false };
    const engine = stacksEngine('main;sum 100 40 140 -60 40', { ...COMPARED, comparison });
    const TAGS: Readonly<Record<number, ChangeTag>> = { 0: 'smaller', 5: 'larger', 6: 'unchanged' };
    const [document] = documentsOf('before → after');
    const page = await openPage(
      {
        ...engine,
        wait: (params) => ({ result: { ...document!, document: params.document } }),
        async details(params) {
          const { result, columns } = await engine.details!(params);
          const tag = TAGS[params.view.document]!;
          const change = { tag, verdict: null, p_value: null, adjusted: null, matched: null };
          return { result: { ...result!, change }, columns: columns! };
        },
        swap(params) {
          asked.push(['swap', params]);
          return { result: { document: 5 } };
        },
        normalise(params) {
          asked.push(['normalise', params]);
          return { result: { document: 6 } };
        },
      },
      { hash: '#view=table' },
    );
    const told = () => page.texts('.details p.mute')[0];
    await page.click(rowOf(page, 'sum'));
    const chosen = page.hash().get('fn');
    expect(page.texts('.sides')[0]).toMatch(/^base before ?⇄ ?new after$/);
    expect(told()).toBe('[-] smaller');
    await page.click(page.find('button', 'Swap base and new'));
    expect(told()).toBe('[+] larger');
    await page.choose('Scale: absolute', 'Equal sum');
    expect(told()).toBe('[=] unchanged');
    expect(asked).toEqual([
      ['swap', { document: 0 }],
      ['normalise', { document: 5, normalise: { kind: 'frame', pattern: '(?-i)^sum$' } }],
    ]);
    expect(page.hash().get('d')).toBe('6');
    expect(page.hash().get('fn')).toBe(chosen);
  });
});
