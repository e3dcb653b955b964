// @vitest-environment happy-dom
import { type DocumentInfo, EngineError, type Params } from '@hotframe/engine';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, closePages, type FakePage, openPage } from './page.fixture.tsx';
import { documentsOf, stacksEngine, SUMMARY } from './profile.fixture.ts';

afterEach(() => {
  vi.useRealTimers();
  closePages();
});

const FORMATS = ['pprof', 'collapsed'].map((name) => ({
  name,
  title: `Files of ${name}`,
  extensions: [`.${name}`],
  reads: true,
  writes: false,
}));

/**
 * An engine that has documents of these titles and takes others; what is called noise it cannot read unless it
 * is told the format. What it makes of others it calls after them.
 */
function deskEngine(...titles: readonly string[]): Answers {
  let documents: DocumentInfo[] = [];
  const add = (title: string, isKnown = false): number => {
    const document = 1 + Math.max(-1, ...documents.map((info) => info.document));
    const state: DocumentInfo['state'] =
      title.startsWith('noise') && !isKnown
        ? {
            kind: 'failed',
            error: { code: 'unreadable', message: `${title}: no format`, hint: 'Say which it is.' },
          }
        : { kind: 'ready', shows: 'profile' };
    documents = [...documents, { ...documentsOf(title)[0]!, document, state }];
    return document;
  };
  for (const title of titles) add(title);
  const titleOf = (document: number) => documents.find((info) => info.document === document)!.title;
  const told = () => ({ documents, opens_source: false, may_run: false, session: 'one' });
  const opened = (title: string, isKnown?: boolean) => ({
    result: { document: add(title, isKnown), received: 0 },
  });
  return {
    ...stacksEngine('main;work 3'),
    documents: () => ({ result: told() }),
    formats: () => ({ result: { formats: FORMATS } }),
    wait({ document }) {
      const info = documents.find((one) => one.document === document)!;
      if (info.state.kind === 'failed') throw new EngineError(info.state.error);
      return { result: info };
    },
    summary: ({ document }) => ({
      result: { ...SUMMARY, title: titleOf(document) },
      columns: { total: BigInt64Array.of(3n) },
    }),
    upload: ({ name, last, format }) =>
      last ? opened(name, format !== null) : { result: { document: null, received: 0 } },
    read_as: ({ document }) => opened(titleOf(document), true),
    compare: ({ base, new: now }) => opened(`${sideOf(base, titleOf)} → ${sideOf(now, titleOf)}`),
    merge: ({ documents: [first, ...others] }) =>
      opened(`${titleOf(first!)} and ${others.length} more`),
    close({ document }) {
      documents = documents.filter((info) => info.document !== document);
      return { result: told() };
    },
  };
}

function sideOf(documents: readonly number[], titleOf: (document: number) => string): string {
  const title = titleOf(documents[0]!);
  return documents.length > 1 ? `${title} (${documents.length} runs)` : title;
}

const file = (name: string) => new File(['main;work 3\n'], name);

async function send(page: FakePage, ...names: readonly string[]): Promise<void> {
  await page.app.upload.send(names.map(file));
  await page.settle();
}

/** The entries of the menu of documents. */
async function listed(page: FakePage): Promise<string[]> {
  await page.click(page.find('button', /^Document /));
  const entries = page.texts('.menu [role=menuitemradio]');
  await page.press('Escape');
  return entries;
}

const title = () => document.title.replace(' – Hotframe', '');

describe('documents', () => {
  it('are switched between, and back goes to the one before', async () => {
    const page = await openPage(deskEngine('cpu.pb', 'heap.pb'));
    expect(title()).toBe('cpu.pb');
    await page.choose('Document cpu.pb', 'heap.pb');
    expect(title()).toBe('heap.pb');
    expect(page.hash().get('d')).toBe('1');
    await page.go(-1);
    expect(title()).toBe('cpu.pb');
  });

  it('are closed, and the last of the others is shown', async () => {
    const page = await openPage(deskEngine('cpu.pb', 'heap.pb', 'lock.pb'));
    await page.choose('Document cpu.pb', 'Close this one');
    expect(title()).toBe('lock.pb');
    await page.choose('Document lock.pb', 'Close this one');
    await page.choose('Document heap.pb', 'Close this one');
    expect(title()).toBe('Hotframe');
    expect(page.texts('main h1')).toEqual(['Drop a profile here']);
    expect(page.texts('.formats b')).toEqual(['pprof', 'collapsed']);
  });

  it('that cannot be read say why, and what would open', async () => {
    const page = await openPage(deskEngine('cpu.pb', 'noise.bin'));
    await page.choose('Document cpu.pb', 'noise.bin (unreadable)');
    const [card] = page.all('.card[role=alert]');
    expect(card?.querySelector('h1')?.textContent).toBe('noise.bin cannot be shown');
    expect(card?.textContent).toContain('noise.bin: no formatSay which it is.');
    expect(page.texts('.formats b')).toEqual(['pprof', 'collapsed']);
    expect(page.texts('.formats .mono')).toEqual(['.pprof', '.collapsed']);
  });

  it('that are empty say so', async () => {
    const warnings = [{ message: 'cut short', count: 1 }];
    const empty = await openPage(stacksEngine('main;work 3', { points: 0 }));
    expect(empty.texts('main')).toEqual([
      'This profile is emptycpu.pb.gz was read without a problem, but it has no samples.',
    ]);
    empty.close();
    const broken = await openPage(stacksEngine('main;work 3', { points: 0, warnings }));
    expect(broken.texts('main')[0]).toContain('1 warning below may say why');
  });
});

describe('a format that is told', () => {
  it('reads a document that was not recognised, which it then stands for', async () => {
    const page = await openPage(deskEngine('cpu.pb', 'noise.txt'), { hash: '#d=1' });
    await page.click(page.find('button', 'Open as…'));
    expect(page.texts('.open-as option')).toEqual([
      'pprof · Files of pprof',
      'collapsed · Files of collapsed',
    ]);
    expect(page.find('button', 'Read noise.txt as this').hasAttribute('disabled')).toBe(true);
    await page.type(page.find('listbox', 'Format'), 'collapsed');
    await page.click(page.find('button', 'Read noise.txt as collapsed'));
    expect(page.last('read_as')).toEqual({ document: 1, format: 'collapsed' });
    expect(title()).toBe('noise.txt');
    expect(page.count('tree', 'Flame graph')).toBe(1);
    expect(await listed(page)).toEqual(['cpu.pb', 'noise.txt']);
  });

  it('reads a file that is chosen', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await page.press('O');
    await page.type(page.find('listbox', 'Format'), 'collapsed');
    expect(page.count('button', /^Read /)).toBe(0);
    const [picker] = page.all('[aria-label="Open files in this format"]');
    Object.defineProperty(picker, 'files', { value: [file('noise.dat')] });
    picker?.dispatchEvent(new Event('change', { bubbles: true }));
    await page.until(() => title() === 'noise.dat');
    expect(page.last('upload')).toMatchObject({ name: 'noise.dat', format: 'collapsed' });
    expect(title()).toBe('noise.dat');
    expect(page.all('dialog')).toEqual([]);
  });
});

describe('files', () => {
  it('that cannot be read are told beside what is shown, which stays', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'noise.dat');
    expect(page.texts('.banner .told')).toEqual([
      'noise.dat cannot be shown: no format. Say which it is.',
    ]);
    expect(title()).toBe('cpu.pb');
    expect(page.hash().has('d')).toBe(false);
    await page.click(page.find('button', 'Close'));
    expect(page.texts('.banner')).toEqual([]);
    expect(await listed(page)).toEqual(['cpu.pb']);
  });

  it('can be opened in a format that is told instead', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'noise.dat');
    await page.click(page.find('button', 'Open as…'));
    await page.type(page.find('listbox', 'Format'), 'collapsed');
    await page.click(page.find('button', 'Read noise.dat as collapsed'));
    expect(title()).toBe('noise.dat');
  });

  it('that came with one that cannot be read are shown', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'noise.dat', 'good.folded');
    expect(title()).toBe('good.folded');
    expect(page.texts('.banner .told')[0]).toMatch(/^noise\.dat cannot be shown/);
  });
});

describe('several files', () => {
  it('are one profile in one step', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'run-1.pb', 'run-2.pb', 'run-3.pb');
    expect(page.texts('dialog h2')).toEqual(['How do these 3 profiles relate?']);
    expect(page.texts('.together code')).toEqual(['run-1.pb', 'run-2.pb', 'run-3.pb']);
    await page.click(page.find('button', 'Show 3 profiles as one'));
    expect(page.last('merge')).toEqual({ documents: [1, 2, 3] });
    expect(title()).toBe('run-1.pb and 2 more');
  });

  it('are asked about where the program was given them, once they are read', async () => {
    const open = () => openPage(deskEngine('before.pb', 'after.pb'), { hash: '#together' });
    const page = await open();
    expect(page.texts('dialog h2')).toEqual(['How do these 2 profiles relate?']);
    expect(page.hash().has('together')).toBe(false);
    // The best guess has the focus, and Enter takes it.
    expect(document.querySelector('dialog [autofocus]')?.textContent).toBe(
      'Compare 1 run against 1 run',
    );
    await page.click(page.find('button', 'Compare 1 run against 1 run'));
    expect(page.last('compare')).toMatchObject({ base: [0], new: [1] });
    const other = await open();
    await other.click(other.find('button', 'One by one'));
    expect(title()).toBe('before.pb');
    expect((await openPage(deskEngine('a.pb', 'b.pb'))).all('dialog')).toEqual([]);
    expect((await openPage(deskEngine('a.pb'), { hash: '#together' })).all('dialog')).toEqual([]);
  });

  it('of two kinds are compared in one step, the sides guessed by their names', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'before-1.pb', 'before-2.pb', 'after-1.pb', 'after-2.pb');
    await page.click(page.find('button', 'Compare 2 runs against 2 runs'));
    expect(page.last('compare')).toMatchObject({ base: [1, 2], new: [3, 4], by_age: false });
    expect(title()).toBe('before-1.pb (2 runs) → after-1.pb (2 runs)');
  });

  it('have sides that are chosen, and what is left out stays on its own', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    await send(page, 'before-1.pb', 'before-2.pb', 'before-3.pb');
    expect(page.count('button', 'Compare 1 run against 2 runs')).toBe(1);
    const [, second] = page.all('.together li');
    await page.click(
      [...second!.querySelectorAll('button')].find((one) => one.textContent === 'Leave out')!,
    );
    expect(page.count('button', 'Show 2 profiles as one')).toBe(1);
    await page.click(page.find('button', 'Compare 1 run against 1 run'));
    expect(page.last('compare')).toMatchObject({ base: [1], new: [3] });
    expect(await listed(page)).toContain('before-2.pb');
  });
});

describe('what is open', () => {
  it('is compared, the older one as the base, and added up', async () => {
    const page = await openPage(deskEngine('before.pb', 'after.pb'));
    await page.choose('Document before.pb', 'Compare with after.pb');
    expect(page.last('compare')).toMatchObject({ base: [0], new: [1], by_age: true });
    expect(title()).toBe('before.pb → after.pb');
    await page.choose('Document before.pb → after.pb', 'before.pb');
    await page.choose('Document before.pb', 'Add after.pb to this view');
    expect(page.last('merge')).toEqual({ documents: [0, 1] });
    expect(title()).toBe('before.pb and 1 more');
  });

  it('is put together where it is more than two', async () => {
    const page = await openPage(deskEngine('a.pb', 'b.pb', 'c.pb'), { hash: '#d=1' });
    await page.choose('Document b.pb', 'Several together…');
    expect(page.texts('.together code')).toEqual(['a.pb', 'b.pb', 'c.pb']);
    await page.click(page.find('button', 'One by one'));
    expect(page.all('dialog')).toEqual([]);
  });
});

describe('members', () => {
  const splits = [{ by: 'thread', title: 'thread' }];
  const answers = (refused = ''): Answers => ({
    ...stacksEngine('main;work 3', { splits }),
    wait: ({ document }) => ({ result: { ...documentsOf('cpu.pb')[0]!, document } }),
    split_members({ by }: Params<'split_members'>) {
      if (by === refused) {
        throw new EngineError({
          code: 'bad_request',
          message: `no sample of cpu.pb has a label ${by}`,
          hint: '',
        });
      }
      return { result: { document: 7 } };
    },
  });

  it('are made of threads, and an address opens them again', async () => {
    const page = await openPage(answers());
    await page.display('Members: as opened', 'By thread');
    expect(page.hash().get('members')).toBe('thread');
    expect(page.last('split_members')).toEqual({ document: 0, by: 'thread' });
    expect(page.last('summary')).toEqual({ document: 7 });
    const again = await page.reload();
    expect(again.last('summary')).toEqual({ document: 7 });
    expect(again.count('button', 'Display: members by thread')).toBe(1);
    await again.display('Members: thread', 'As opened');
    expect(again.hash().has('members')).toBe(false);
    expect(again.count('button', 'Display')).toBe(1);
  });

  it('that there are not leave the profile as it came', async () => {
    const page = await openPage(answers('nothing'), { hash: '#members=nothing' });
    expect(page.texts('.banner')).toEqual([
      expect.stringContaining('no sample of cpu.pb has a label nothing'),
    ]);
    expect(page.hash().has('members')).toBe(false);
    expect(page.count('tree', 'Flame graph')).toBe(1);
  });
});

describe('a report of what is shown', () => {
  const bytes = new TextEncoder().encode('<!doctype html>');
  const REPORTING: Answers = {
    ...stacksEngine('main;work 3'),
    report: () => ({ result: { file_name: 'report.html' }, columns: { bytes } }),
  };
  const open = async (hash = '') => {
    const page = await openPage(REPORTING, { hash, host: { makesReports: true } });
    await page.choose('Export', 'Report as one page…');
    return page;
  };
  const save = (page: FakePage) => page.find('button', 'Save');
  const replaced = (page: FakePage) => page.all('.report select')[0]!;

  it('has the view and the note of whoever writes it', async () => {
    const page = await open('#q=work&shape=bottom_up');
    await page.type(page.all('.report textarea')[0]!, ' Look at work. ');
    await page.click(save(page));
    expect(page.last('report')).toMatchObject({
      documents: [0],
      view: 'd=0&shape=bottom_up&q=work',
      note: 'Look at work.',
      anonymize: null,
    });
    expect(page.saved.map(({ name }) => name)).toEqual(['report.html']);
    expect(page.all('dialog')).toEqual([]);
  });

  it.each(['#f=hide:work', '#q=work', '#view=table&rows=work'])(
    'does not look for names that are replaced: %s',
    async (hash) => {
      const page = await open(hash);
      await page.type(replaced(page), 'names');
      expect(page.texts('.report [role=alert]')).toEqual([
        expect.stringContaining('which would find nothing any more'),
      ]);
      expect(save(page).hasAttribute('disabled')).toBe(true);
      await page.type(replaced(page), 'paths');
      expect(page.texts('.report [role=alert]')).toEqual([]);
      expect(save(page).hasAttribute('disabled')).toBe(false);
    },
  );

  it('is written without names where that is asked for', async () => {
    const page = await open();
    await page.type(replaced(page), 'names');
    expect(page.texts('.report p')).toContain('Your note is kept as it is: it may hold names.');
    await page.click(save(page));
    expect(page.last('report')?.anonymize).toBe('names');
  });

  it('is none where the page cannot make one', async () => {
    const page = await openPage(REPORTING);
    await page.click(page.find('button', 'Export'));
    expect(page.count('menuitem', 'Report as one page…')).toBe(0);
  });
});

describe('what is to be told', () => {
  it('goes by itself once it is read, but for what must not be missed', async () => {
    const page = await openPage(deskEngine('cpu.pb'));
    const { notice, standing } = page.app.notices;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const passes = (milliseconds: number) =>
      act(() => {
        vi.advanceTimersByTime(milliseconds);
      });
    await act(() => {
      notice.value = 'Name copied';
    });
    await passes(1000);
    expect(page.texts('.banner')).toEqual(['Name copied']);
    await passes(10_000);
    expect(page.texts('.banner')).toEqual([]);
    await act(() => {
      standing.value = 'after.pb is not open';
    });
    await passes(100_000);
    expect(page.texts('.banner .told')).toEqual(['after.pb is not open']);
    vi.useRealTimers();
    await page.click(page.find('button', 'Dismiss'));
    expect(page.texts('.banner')).toEqual([]);
  });

  it.each([
    [false, 'Disconnected: Hotframe has stopped or cannot be reached. Restart it'],
    [true, 'Another Hotframe serves here now: open the address that it printed.'],
  ])('is that nothing answers any more, or another Hotframe does: %s', async (isOther, told) => {
    let lose = () => {};
    const page = await openPage(deskEngine('cpu.pb'), {
      host: { admitted: () => Promise.resolve(!isOther) },
      onConnect: (events) => {
        lose = () => events.closed();
      },
    });
    expect(page.all('.stale')).toEqual([]);
    await act(() => lose());
    await page.settle();
    expect(page.all('.stale')).toHaveLength(1);
    expect(page.texts('.banner')[0]).toContain(told);
    // What was shown is still there.
    expect(page.count('tree', 'Flame graph')).toBe(1);
    await page.click(page.find('button', 'Reconnect'));
    expect(page.all('.stale')).toEqual([]);
    expect(page.texts('.banner')).toEqual([]);
  });
});
