// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { FLAME_KEYS } from '../../views/flame/keys.ts';
import { TABLE_KEYS } from '../../views/table/keys.ts';
import { closePages, type FakePage, openPage } from './page.fixture.tsx';
import { badPattern, COUNTED, stacksEngine, TIMED } from './profile.fixture.ts';

afterEach(closePages);

/** Ten samples, of which eight are in compute. */
const ENGINE = stacksEngine(`
  main;compute;sort 5 50
  main;compute;hash 3 10
  main;read 2 80
`);

/** Selects `compute` in the flame graph. */
async function selectCompute(page: FakePage): Promise<void> {
  page.find('tree', 'Flame graph').focus();
  await page.press('ArrowDown', 'ArrowDown', 'ArrowDown');
}

describe('filters', () => {
  it('are added by key, say what they keep, and are taken away', async () => {
    const page = await openPage(ENGINE);
    await selectCompute(page);
    await page.press('f');
    expect(page.texts('.chip')).toEqual(['focus: computekeeps 80.0 %×']);
    expect(page.hash().getAll('f')).toEqual(['focus:(?-i)^compute$']);
    await page.click(page.find('button', 'Remove the filter focus (?-i)^compute$'));
    expect(page.texts('.chip')).toEqual([]);
    expect(page.hash().has('f')).toBe(false);
  });

  it.each([
    ['i', 'ignore: compute', 'keeps 20.0 %'],
    ['x', 'hide: compute', 'keeps 100.0 %'],
    ['g', 'show from: compute', 'keeps 100.0 %'],
  ])('of each kind have a key in the flame graph: %s', async (key, label, kept) => {
    const page = await openPage(ENGINE);
    await selectCompute(page);
    await page.press(key);
    expect(page.texts('.chip')).toEqual([`${label}${kept}×`]);
  });

  it('are typed, and tell that nothing matches', async () => {
    const page = await openPage(ENGINE);
    await page.press('F');
    await page.type(page.find('combobox', 'Kind of filter'), 'ignore');
    await page.type(page.find('textbox', 'Pattern'), 'nothing is called so');
    await page.click(page.find('button', 'Add'));
    expect(page.texts('.chip.idle')).toEqual(['ignore: nothing is called somatches nothing×']);
    // The form is gone.
    expect(page.count('button', '+ Filter')).toBe(1);
  });

  it('that cannot be used are never chips', async () => {
    const refused = {
      ...ENGINE,
      filters: (params: Parameters<NonNullable<typeof ENGINE.filters>>[0]) => {
        const bad = params.view.filters.find(({ pattern }) => /^$|1000/.test(pattern));
        if (bad !== undefined) throw badPattern(bad.pattern);
        return ENGINE.filters!(params);
      },
    };
    const page = await openPage(refused);
    await page.click(page.find('button', '+ Filter'));
    await page.type(page.find('textbox', 'Pattern'), '(\\w{1000}){1000}');
    await page.click(page.find('button', 'Add'));
    expect(page.texts('.add-filter [role=alert]')).toEqual([
      '(\\w{1000}){1000} cannot be searched for. Write less.',
    ]);
    expect(page.texts('.chip')).toEqual([]);
    expect(page.hash().has('f')).toBe(false);
    page.close();
    // One in an address goes, the other stays.
    const linked = await openPage(refused, { hash: '#f=label_focus:&f=focus:compute' });
    expect(linked.hash().getAll('f')).toEqual(['focus:compute']);
    expect(linked.texts('.chip')).toEqual(['focus: computekeeps 80.0 %×']);
    expect(linked.texts('.banner')).toEqual([
      'A filter was left out: cannot be searched for. Write less.',
    ]);
  });

  it('of a kind that nobody knows are told, and the others stay', async () => {
    const page = await openPage(ENGINE, { hash: '#f=bogus:x&f=focus:compute' });
    expect(page.texts('.banner')).toEqual([expect.stringContaining('“bogus:x”')]);
    expect(page.texts('.chip')).toHaveLength(1);
    await page.click(page.find('button', 'Dismiss'));
    expect(page.texts('.banner')).toEqual([]);
  });

  it.each([
    ['label', 'bytes', 'Label bytes'],
    ['thread', 'thread', 'Threads'],
    ['process', 'process', 'Processes'],
    ['cpu', 'cpu', 'Processors'],
    ['member', 'member', 'Profiles in this file'],
  ] as const)('go by a %s of what is selected', async (kind, key, heading) => {
    const page = await openPage({
      ...ENGINE,
      async details(params) {
        const { result, columns } = await ENGINE.details!(params);
        const label = { kind, key, value: '1kb', pattern: `${key}=(?-i)^1kb$`, only: [] };
        return {
          result: { ...result!, labels: [label] },
          columns: { ...columns!, labels: BigInt64Array.of(5n) },
        };
      },
    });
    await selectCompute(page);
    expect(page.texts('.details h3')).toEqual([heading]);
    await page.click(page.find('button', /^1kb/));
    expect(page.hash().getAll('f')).toEqual([`label_focus:${key}=(?-i)^1kb$`]);
    expect(page.texts('.chip')).toEqual([expect.stringMatching(`^label: ${key}=1kbkeeps`)]);
  });

  it('are as many as tell a thread from others, and all threads are listed', async () => {
    const pattern = 'thread=(?-i)^main$';
    const labels = Array.from({ length: 14 }, (_, number) => ({
      kind: 'thread' as const,
      key: 'thread',
      value: `main of process ${number}`,
      pattern,
      only: [pattern, `process=(?-i)^process ${number}$`],
    }));
    const page = await openPage({
      ...ENGINE,
      async details(params) {
        const { result, columns } = await ENGINE.details!(params);
        return {
          result: { ...result!, labels },
          columns: { ...columns!, labels: BigInt64Array.from(labels, () => 1n) },
        };
      },
    });
    await selectCompute(page);
    expect(page.count('button', /^main of process/)).toBe(12);
    await page.click(page.find('button', 'Show 2 more'));
    await page.click(page.find('button', /^main of process 13/));
    expect(page.hash().getAll('f')).toEqual(labels[13]!.only.map((only) => `label_focus:${only}`));
  });
});

describe('the theme', () => {
  const theme = () => document.documentElement.dataset.theme;

  it('is that of the system until another one is chosen, which is remembered', async () => {
    const page = await openPage(ENGINE, { prefers: ['color-scheme: dark'] });
    expect(theme()).toBe('dark');
    await page.choose('Theme', 'High contrast dark');
    expect(theme()).toBe('contrast');
    await page.choose('Theme', 'Light');
    expect(theme()).toBe('light');
    const again = await page.reload();
    expect(theme()).toBe('light');
    await again.press('t');
    expect(theme()).toBe('dark');
  });

  it.each([
    [['prefers-contrast: more'], 'contrast-light'],
    [['prefers-contrast: more', 'color-scheme: dark'], 'contrast'],
    [['forced-colors: active'], 'contrast-light'],
    [['forced-colors: active', 'color-scheme: dark'], 'contrast'],
    [[], 'light'],
  ])('suits a system that prefers %s', async (prefers, shown) => {
    await openPage(ENGINE, { prefers });
    expect(theme()).toBe(shown);
  });
});

describe('keys of the page', () => {
  it('are all listed', async () => {
    const page = await openPage(ENGINE);
    await page.press('?');
    const sheet = page.find('dialog', 'Keys');
    const listed = [...sheet.querySelectorAll('dt')].map((one) => one.textContent);
    for (const { title } of [...FLAME_KEYS.keys, ...TABLE_KEYS.keys]) {
      expect(listed).toContain(title);
    }
    expect(listed).toContain('Next metric');
    expect(sheet.querySelectorAll('.key').length).toBeGreaterThan(40);
    // What a graph alone has is not.
    expect(listed).not.toContain('Unfold one level');
    await page.click(page.find('button', 'Close'));
    expect(page.all('dialog')).toEqual([]);
  });

  it('go through the metrics', async () => {
    const page = await openPage(ENGINE);
    expect(page.count('button', /^Metric samples/)).toBe(1);
    await page.press('m');
    expect(page.hash().get('m')).toBe('1');
    expect(page.count('button', /^Metric cpu/)).toBe(1);
    await page.press('m');
    expect(page.hash().get('m')).toBe('0');
  });

  it('choose the view', async () => {
    const page = await openPage(ENGINE);
    for (const [key, view] of [
      ['5', 'table'],
      ['6', 'both'],
      ['7', 'sandwich'],
      ['4', 'flame'],
    ] as const) {
      await page.press(key);
      expect(page.hash().get('view')).toBe(view);
    }
  });

  it.each([
    ['9', 'Timeline', 'This profile has no timestamps.'],
    ['H', 'Heat map', 'This profile has no timestamps.'],
    ['E', 'Processors', 'The samples of this profile have no processors.'],
    ['8', 'Linked', 'The samples of this profile have no linked contexts.'],
    ['V', 'Experiment', 'This profile is not the result of an experiment.'],
  ])('say why there is no such view: %s, %s', async (key, view, told) => {
    const page = await openPage(ENGINE);
    expect(page.count('radio', view)).toBe(0);
    await page.press(key);
    expect(page.texts('.banner')).toEqual([told]);
    expect(page.hash().has('view')).toBe(false);
  });

  it.each(['timeline', 'heat', 'processors', 'linked', 'experiment'])(
    'lead to the flame graph where an address asks for such a view: %s',
    async (view) => {
      const page = await openPage(ENGINE, { hash: `#view=${view}` });
      expect(page.count('tree', 'Flame graph')).toBe(1);
      expect(page.all('.timeline, .heat, .processors, .linked, .experiment')).toEqual([]);
    },
  );

  it('show every function by its total, and say so', async () => {
    const page = await openPage(ENGINE, { hash: '#view=table&list=tree' });
    await page.press('B');
    expect(page.hash().get('shape')).toBe('all_callers');
    expect(page.last('rows')?.view.shape).toEqual({ kind: 'all_callers' });
    expect(page.find('radio', 'Bottom-up').getAttribute('aria-checked')).toBe('true');
    await page.display('Functions by: total', 'self');
    expect(page.hash().get('shape')).toBe('bottom_up');
  });

  it('mean nothing while somebody types', async () => {
    const page = await openPage(ENGINE);
    await page.press('/');
    expect(document.activeElement).toBe(page.find('searchbox', 'Search'));
    await page.press('m', '5');
    expect(page.hash().toString()).toBe('');
  });
});

describe('shape, order and colour', () => {
  it('are chosen, and in the address', async () => {
    const page = await openPage(ENGINE);
    await selectCompute(page);
    await page.click(page.find('radio', 'Bottom-up'));
    expect(page.hash().get('shape')).toBe('bottom_up');
    // Where the way to what is selected goes, read backwards.
    expect(page.hash().get('sel')).toBe('a.c');
    await page.click(page.find('radio', 'Flat'));
    expect(page.hash().get('shape')).toBe('flat');
    expect(page.hash().has('sel')).toBe(false);
    await page.press('1');
    expect(page.hash().has('shape')).toBe(false);
    await page.display('Colour: Module', 'Self share');
    expect(page.hash().get('colour')).toBe('self_share');
    await page.display('Order: Size', 'Name');
    expect(page.hash().get('order')).toBe('name');
    expect(page.last('flame')?.view.order).toBe('name');
  });

  it('name frames by line where that is chosen', async () => {
    const page = await openPage(ENGINE);
    await page.display('Box text: Function', 'Line');
    expect(page.hash().get('labels')).toBe('place');
    expect(page.last('flame')?.labels).toBe('place');
  });

  it('are none of a list of functions', async () => {
    const page = await openPage(ENGINE, { hash: '#view=table' });
    expect(page.find('radio', 'Top-down').hasAttribute('disabled')).toBe(true);
    await page.click(page.find('radio', 'Tree'));
    expect(page.find('radio', 'Top-down').hasAttribute('disabled')).toBe(false);
  });
});

describe('what is left out of pictures', () => {
  it('is the next share at each press of a key, and so many levels', async () => {
    const page = await openPage(ENGINE, { hash: '#below=5' });
    await page.press('b');
    expect(page.hash().has('below')).toBe(false);
    await page.display('Max. depth: All', '3');
    expect(page.hash().get('levels')).toBe('3');
    expect((await page.reload()).count('button', 'Display: 3 deep')).toBe(1);
  });
});

describe('what is saved', () => {
  const written = (file_name: string) => () => ({
    result: { text: `text of ${file_name}`, file_name },
  });
  const SAVING = {
    ...ENGINE,
    export_svg: written('cpu.pb.gz.svg'),
    export_csv: written('cpu.pb.gz.csv'),
    export_functions_csv: written('functions.csv'),
  };

  it('is the picture of the flame graph as it is shown', async () => {
    const page = await openPage(SAVING, { hash: '#q=sort&colour=file&labels=place' });
    await selectCompute(page);
    await page.press('Enter');
    await page.choose('Export', 'Flame graph as SVG');
    expect(page.saved.map(({ name }) => name)).toEqual(['cpu.pb.gz.svg']);
    expect(await page.saved[0]!.text).toBe('text of cpu.pb.gz.svg');
    // The root is what is zoomed to.
    expect(page.last('export_svg')).toMatchObject({
      root: 2,
      search: 'sort',
      colour: 'file',
      labels: 'place',
      view: { shape: { kind: 'top_down' } },
    });
  });

  it('is the tree where no list of functions is shown', async () => {
    const page = await openPage(SAVING);
    await page.choose('Export', 'Table as CSV');
    expect(page.saved.map(({ name }) => name)).toEqual(['cpu.pb.gz.csv']);
  });

  it('is the list of functions as it is sorted and filtered', async () => {
    const page = await openPage(SAVING, { hash: '#view=table&rows=o&sort=total_value.1.r' });
    await page.choose('Export', 'Table as CSV');
    expect(page.saved.map(({ name }) => name)).toEqual(['functions.csv']);
    expect(page.last('export_functions_csv')).toMatchObject({
      filter: 'o',
      sort: { by: 'total_value', metric: 1, reverse: true },
      metrics: [0, 1],
      first: 0,
      count: 0,
    });
  });

  it('is what calls and what is called in the sandwich, and the functions themselves', async () => {
    const page = await openPage(SAVING, { hash: '#view=sandwich' });
    await page.seek('Find a function', 'SOR');
    expect(page.texts('.functions .share-list code')).toEqual(['sort']);
    await page.click(page.find('button', 'sort50.0 %'));
    expect(page.texts('.pane-title b')).toEqual(['sort']);
    await page.choose('Export', 'Callees as SVG');
    const { fn } = page.app.view.value;
    expect(page.last('export_svg')?.view.shape).toEqual({ kind: 'callees', key: fn });
    await page.choose('Export', 'Callers as SVG');
    expect(page.last('export_svg')?.view.shape).toEqual({ kind: 'callers', key: fn });
    await page.choose('Export', 'Table as CSV');
    expect(page.saved).toHaveLength(3);
  });
});

describe('the address', () => {
  it('opens the same page again', async () => {
    const page = await openPage(ENGINE);
    await selectCompute(page);
    await page.press('Enter');
    await page.click(page.find('radio', 'Both'));
    const before = page.hash().toString();
    expect(page.hash().get('z')).toBe('c.a');
    const again = await page.reload();
    expect(again.hash().toString()).toBe(before);
    expect(again.texts('.flame + [role=status], .picture + [role=status]')).toEqual([
      'compute, 8, 80.0 % of all',
    ]);
    expect(again.texts('.crumbs [aria-current]')).toEqual(['compute']);
  });

  it('goes back and forward through what was done', async () => {
    const page = await openPage(ENGINE);
    await selectCompute(page);
    await page.press('Enter');
    await page.click(page.find('radio', 'Both'));
    await page.go(-1);
    expect(page.all('.table')).toEqual([]);
    await page.go(-1);
    expect(page.hash().has('z')).toBe(false);
    await page.go(1);
    expect(page.hash().get('z')).toBe('c.a');
  });
});

describe('the status line', () => {
  it('says what was measured', async () => {
    const page = await openPage(ENGINE);
    expect(page.texts('.status span:not(.grow)')).toEqual(['2 s', '12 stacks', '7 contexts']);
    expect(document.title).toBe('cpu.pb.gz – Hotframe');
  });

  it.each([
    [{ estimated_paths: true }, 'totals estimated'],
    [{ switched_off: 2 }, '2 functions exact in part'],
    [{ threads: 3 }, '2 s over 3 threads'],
    [{ duration_s: null }, 'pprof'],
    [
      { metrics: [{ ...COUNTED, adds_up: false, combine: 'maximum' }, TIMED] },
      'largest, not summed',
    ],
    [{ warnings: [{ message: 'cut short', count: 1 }] }, '1 warning'],
  ])('says of %j: %s', async (summary, told) => {
    const page = await openPage(stacksEngine('main;work 3 4', summary));
    expect(page.texts('.status > *')).toContain(told);
  });

  it('leads to what was repaired', async () => {
    const warnings = [{ message: 'a line was cut short', count: 1200 }];
    const page = await openPage(stacksEngine('main;work 3', { warnings }));
    await page.click(page.find('button', '1 warning'));
    expect(page.texts('.warnings li')).toEqual(['a line was cut short (1,200 times)']);
  });
});
