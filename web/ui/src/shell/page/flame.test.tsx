// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closePages, type FakePage, openPage } from './page.fixture.tsx';
import { badPattern, stacksEngine } from './profile.fixture.ts';

afterEach(closePages);

const ENGINE = stacksEngine(`
  main;compute;sort 5
  main;compute;hash 3
  main;read;copy 2
  main;write;copy 1
`);

/** What a screen reader says of the selected frame. */
const spoken = (page: FakePage) => page.texts('.picture + [role=status]')[0];
const found = (page: FakePage) => page.texts('.header output.share')[0];

/** The page with the keyboard in its flame graph. */
async function openFlame(hash = ''): Promise<FakePage> {
  const page = await openPage(ENGINE, { hash });
  page.find('tree', 'Flame graph').focus();
  return page;
}

describe('the keyboard', () => {
  it('walks between callers, callees and frames beside', async () => {
    const page = await openFlame();
    const told = [];
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowRight',
      'ArrowLeft',
      'ArrowUp',
    ]) {
      await page.press(key);
      told.push(spoken(page)?.split(',')[0]);
    }
    expect(told).toEqual(['all', 'main', 'compute', 'read', 'compute', 'main']);
    expect(spoken(page)).toBe('main, 11, 100.0 % of all');
    expect(page.hash().get('sel')?.split('.')).toHaveLength(1);
  });

  it('zooms to what is selected, and out again', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    expect(page.hash().get('z')?.split('.')).toHaveLength(2);
    expect(page.texts('.crumbs [aria-current]')).toEqual(['compute']);
    await page.press('Escape');
    expect(page.hash().has('z')).toBe(false);
    // Once more lets go of what is selected.
    await page.press('Escape');
    expect(page.hash().has('sel')).toBe(false);
    expect(spoken(page)).toBe('');
  });

  it('zooms to the whole program', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', '0');
    expect(page.hash().has('z')).toBe(false);
  });

  it('opens the function in the sandwich', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'o');
    expect(page.hash().get('view')).toBe('sandwich');
    expect(page.texts('.pane-title')).toEqual(['computetotal 8 (72.7 %), self 0 (0 %)']);
    const items = (tree: string) =>
      [...page.find('tree', tree).querySelectorAll('[role=treeitem]')].map(
        (item) => item.textContent.split(',')[0],
      );
    expect(items('Callers')).toEqual(['compute', 'main']);
    expect(items('Callees')).toEqual(['compute', 'sort', 'hash']);
    await page.go(-1);
    expect(page.count('tree', 'Flame graph')).toBe(1);
  });

  it('opens the menu of a frame, which copies its name', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ContextMenu');
    expect(page.texts('.menu h2')).toEqual(['compute']);
    expect(page.texts('[role=menuitem]')).toEqual([
      'Zoom to itEnter',
      'Focus: keep only stacks with itF',
      'Ignore: drop stacks with itI',
      'Hide itX',
      'Show from it onG',
      'Open in the sandwichO',
      'Open its sourceE',
      'Copy its nameC',
      'Copy the stackCtrl+C',
    ]);
    await page.click(page.find('menuitem', /^Copy its name/));
    expect(page.copied).toEqual(['compute']);
    expect(page.texts('.banner')).toEqual(['Name copied']);
    expect(page.texts('.menu')).toEqual([]);
  });

  it('copies the stack of a frame, a frame a line', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Ctrl+c');
    await page.settle();
    expect(page.copied).toEqual(['main\ncompute\nsort']);
    expect(page.texts('.banner')).toEqual(['Stack copied']);
    await page.press('c', 'ContextMenu');
    await page.click(page.find('menuitem', /^Copy the stack/));
    await page.settle();
    expect(page.copied).toEqual(['main\ncompute\nsort', 'sort', 'main\ncompute\nsort']);
  });

  it('has nothing to do with the whole program', async () => {
    const page = await openFlame();
    await page.press('ArrowDown', 'f', 'o');
    expect(spoken(page)).toMatch(/^all,/);
    expect(page.hash().toString()).toBe('');
  });
});

describe('a function that an editor wants to be seen', () => {
  // Numbers of the engine above: names in their order, from 10 on.
  const [compute, copy, nobody] = [10, 11, 99];

  it('is told by its number, whatever others are called', async () => {
    const page = await openPage(ENGINE, { hash: `d=0&at=copy&key=${compute}` });
    expect(spoken(page)).toMatch(/^compute, 8,/);
    expect(page.hash().has('q')).toBe(false);
    expect(page.last('find')).toMatchObject({ function: { document: 0, key: compute } });
  });

  it('has its widest frame selected', async () => {
    const page = await openPage(ENGINE, { hash: `d=0&at=copy&key=${copy}` });
    expect(spoken(page)).toMatch(/^copy, 2,/);
  });

  it('is told where it has no frame', async () => {
    const page = await openPage(ENGINE, { hash: `d=0&at=lost&key=${nobody}` });
    expect(spoken(page)).toBe('');
    expect(page.texts('.banner')).toEqual(['lost has no frame here.']);
  });

  it('is searched for by its name where no number is told', async () => {
    const page = await openPage(ENGINE, { hash: 'd=0&at=copy' });
    await vi.waitFor(async () => {
      await page.settle();
      expect(spoken(page)).toMatch(/^copy, 2,/);
    });
    expect(found(page)).toBe('1 of 2 · 27.3 %');
  });
});

describe('the search', () => {
  it('says how many frames it finds and which share they cover', async () => {
    const page = await openFlame();
    await page.press('/');
    expect(document.activeElement).toBe(page.find('searchbox', 'Search'));
    await page.seek('Search', 'sort|hash');
    expect(page.hash().get('q')).toBe('sort|hash');
    expect(found(page)).toBe('1 of 2 · 72.7 %');
    expect(page.all('.header output.share')[0]?.title).toBe(
      '2 matching functions; together they cover 8, each stack counted once',
    );
  });

  it('goes through all matches, the widest first, and around', async () => {
    const page = await openFlame();
    await page.seek('Search', '^(copy|compute)$');
    const told: unknown[] = [[found(page), spoken(page)?.split(',')[0]]];
    for (const key of ['Enter', 'Enter', 'Enter', 'Shift+Enter']) {
      await page.press(key);
      told.push([found(page), spoken(page)?.split(',')[0]]);
    }
    expect(told).toEqual([
      ['1 of 3 · 100.0 %', 'compute'],
      ['2 of 3 · 100.0 %', 'copy'],
      ['3 of 3 · 100.0 %', 'copy'],
      ['1 of 3 · 100.0 %', 'compute'],
      ['3 of 3 · 100.0 %', 'copy'],
    ]);
    // Both are called so: the address has the way to the second.
    expect(page.app.profile.selection.selected.value.value?.path).toHaveLength(3);
    expect(page.hash().get('sel')?.split('.')).toHaveLength(3);
  });

  it('goes to the first match at once, also right after the last key', async () => {
    const page = await openFlame();
    for (const name of ['hash', 'read']) {
      await page.seek('Search', name);
      expect(spoken(page)?.split(',')[0]).toBe(name);
      expect(page.texts('.details > h2')[0]).toContain(name);
    }
  });

  it('keeps what is selected where another view shows it not', async () => {
    const page = await openFlame('#q=hash');
    page.find('searchbox', 'Search').focus();
    await page.press('Enter');
    const path = page.hash().get('sel');
    await page.click(page.find('radio', 'Table'));
    await page.click(page.find('radio', 'Flame graph'));
    expect(spoken(page)).toMatch(/^hash,/);
    expect(page.hash().get('sel')).toBe(path);
  });

  it('lets case and signs count where that is switched on', async () => {
    const page = await openFlame();
    await page.seek('Search', 'SORT');
    expect(found(page)).toBe('1 of 1 · 45.5 %');
    await page.click(page.all('.header [aria-label="Case counts"]')[0]!);
    expect(page.hash().get('q')).toBe('(?-i)SORT');
    expect(found(page)).toBe('0 · 0 %');
    await page.click(page.all('.header [aria-label="Case counts"]')[0]!);
    expect(page.hash().get('q')).toBe('SORT');
    await page.seek('Search', 'go.func1');
    await page.click(page.all('.header [aria-label="Literal text"]')[0]!);
    expect(page.hash().get('q')).toBe('go\\.func1');
    expect((page.find('searchbox', 'Search') as HTMLInputElement).value).toBe('go.func1');
  });

  it('says what is wrong with a pattern', async () => {
    const refuse = () => {
      throw badPattern('(\\w{1000}){1000}');
    };
    const page = await openPage({ ...ENGINE, search: refuse, flame: refuse });
    await page.seek('Search', '(\\w{1000}){1000}');
    const [box] = page.all('.header .search.bad');
    expect(box?.title).toBe('(\\w{1000}){1000} cannot be searched for');
    expect(found(page)).toBe('!');
    expect(page.find('searchbox', 'Search').getAttribute('aria-invalid')).toBe('true');
    // The picture stays.
    expect(page.texts('.message')).toEqual([]);
  });

  it('is emptied and left with Escape', async () => {
    const page = await openFlame('#q=sort');
    page.find('searchbox', 'Search').focus();
    await page.press('Escape');
    expect(page.hash().has('q')).toBe(false);
    expect(document.activeElement).toBe(page.find('tree', 'Flame graph'));
  });
});

it('opens with all of the program', async () => {
  const page = await openFlame();
  expect(page.texts('[role=treeitem]')).toEqual([
    'all, 11, 100.0 % of all',
    'main, 11, 100.0 % of all',
  ]);
});

it('says that no sample passes the filters', async () => {
  const page = await openFlame('#f=focus:nothing');
  expect(page.texts('.message.over')).toEqual([
    'Nothing to drawNo sample passes the filters. Remove one above.',
  ]);
});
