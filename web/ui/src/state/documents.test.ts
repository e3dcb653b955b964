import { EngineError } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createDocuments, type KindState } from './documents.ts';
import { fakeEngine, fakeHistory, turn } from './engine.fixture.ts';
import type { Store } from './host.ts';
import { createNotices } from './notices.ts';

/** Documents 0, a profile, and 1, of a kind that the page may not know. */
function opened(other = 'graph', tab = tabStore(), hash = '') {
  const shows = ['profile', other];
  const list = shows.map((kind, document) => ({
    document,
    title: `${document}.pb`,
    name: `/runs/${document}.pb`,
    state: { kind: 'ready', shows: kind },
    made_by: null as unknown,
  }));
  // What answers; a test may let another process answer.
  const answers = { documents: list as readonly unknown[], session: 'one', opens_source: false };
  const { engine, asked } = fakeEngine({
    documents: () => answers,
    wait: ({ document }: { document: number }) => list[document],
    close: () => ({ documents: list.slice(1), opens_source: false }),
    merge: () => ({ document: 8 }),
    compare: () => {
      const made = { ...list[0]!, document: 7, title: '0.pb → 1.pb', name: '0.pb → 1.pb' };
      answers.documents = [...answers.documents, made];
      return { document: 7 };
    },
  });
  const epoch = signal(0);
  const history = fakeHistory(hash);
  const notices = createNotices();
  const documents = createDocuments(engine, epoch, history, notices, tab);
  const done: string[] = [];
  const kind = (name: string): KindState => ({
    load(document) {
      done.push(`load ${name} ${document}`);
      const show = () => void done.push(`show ${name} ${document}`);
      return Promise.resolve({ title: `${name} ${document}`, show });
    },
    clear: () => {},
    blank: () => ({ search: '', filters: [] }),
  });
  documents.follow({ profile: kind('profile'), graph: kind('graph') });
  return { documents, done, epoch, history, asked, notices, answers, list };
}

const called = ({ title, name }: { readonly title: string; readonly name: string }) => ({
  title,
  name,
});

const COMPARE = {
  method: 'compare',
  base: [0],
  new: [1],
  by_age: false,
  normalise: { kind: 'total' },
  noise: 0,
};

/** What a tab keeps. */
function tabStore(): Store {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}

describe('documents', () => {
  it('are loaded by their kind, which the engine tells', async () => {
    const { documents, done, epoch } = opened();
    expect(documents.status.value).toEqual({ kind: 'none' });
    epoch.value = 1;
    await turn();
    expect(documents.status.value).toEqual({ kind: 'ready', title: '0.pb', shows: 'profile' });
    documents.open(1);
    expect(documents.status.value.kind).toBe('loading');
    await turn();
    expect(documents.status.value).toEqual({ kind: 'ready', title: '1.pb', shows: 'graph' });
    expect(done).toEqual(['load profile 0', 'show profile 0', 'load graph 1', 'show graph 1']);
  });

  it('are read beside the one that is shown', async () => {
    const { documents, epoch, answers, asked, list } = opened('profile');
    const waits = () => asked.filter(({ method }) => method === 'wait').length;
    const before = [list[0], { ...list[1]!, state: { kind: 'loading' } }];
    Object.defineProperty(answers, 'documents', { get: () => (waits() < 2 ? before : list) });
    epoch.value = 1;
    await turn();
    await turn();
    expect(documents.list.value?.map(({ state }) => state.kind)).toEqual(['ready', 'ready']);
    expect(asked.filter(({ method }) => method === 'wait').map(({ params }) => params)).toEqual([
      { document: 0 },
      { document: 1 },
    ]);
  });

  it('are followed by name when another process answers', async () => {
    const { documents, done, epoch, history, answers, list } = opened();
    epoch.value = 1;
    await turn();
    documents.open(1);
    await turn();
    done.length = 0;
    // Both files again, the other way round.
    answers.session = 'two';
    answers.documents = list.map((info, at) => ({ ...info, ...called(list[1 - at]!) }));
    epoch.value = 2;
    await turn();
    expect(history.view.value.document).toBe(0);
    expect(done).toEqual(['load profile 0', 'show profile 0']);
  });

  it('keep their numbers while the same process answers', async () => {
    const { epoch, history, answers, list } = opened();
    epoch.value = 1;
    await turn();
    answers.documents = list.map((info) => ({ ...info, name: 'renamed' }));
    epoch.value = 2;
    await turn();
    expect(history.view.value.document).toBe(undefined);
  });

  it('that another process does not have are told, and the first is shown', async () => {
    const { documents, epoch, history, answers, list, notices } = opened();
    epoch.value = 1;
    await turn();
    documents.open(1);
    await turn();
    answers.session = 'two';
    answers.documents = list.slice(0, 1);
    epoch.value = 2;
    await turn();
    expect(history.view.value.document).toBe(undefined);
    expect(notices.standing.value).toMatch(/1\.pb is not open/);
  });

  it('that were compared are compared again when another process answers', async () => {
    const { documents, epoch, history, answers, list, asked, notices } = opened('profile');
    const compared = { ...list[0]!, document: 2, title: '0.pb → 1.pb', made_by: COMPARE };
    answers.documents = [...list, compared];
    epoch.value = 1;
    await turn();
    documents.open(2);
    await turn();
    // The same files in another order.
    answers.session = 'two';
    answers.documents = list.map((info, at) => ({ ...info, ...called(list[1 - at]!) }));
    epoch.value = 2;
    await turn();
    const compare = asked.find(({ method }) => method === 'compare');
    const { method: _, ...params } = COMPARE;
    expect(compare?.params).toEqual({ ...params, base: [1], new: [0] });
    expect(history.view.value.document).toBe(7);
    expect(notices.standing.value).toBe(undefined);
    // One of them is gone.
    answers.session = 'three';
    answers.documents = list.slice(0, 1);
    epoch.value = 3;
    await turn();
    expect(history.view.value.document).toBe(undefined);
  });

  it('that cannot be compared again say why', async () => {
    const { documents, epoch, history, answers, list, notices } = opened('profile');
    answers.documents = [...list, { ...list[0]!, document: 2, title: 'both', made_by: COMPARE }];
    epoch.value = 1;
    await turn();
    documents.open(2);
    await turn();
    answers.session = 'two';
    answers.documents = list.slice(0, 1);
    epoch.value = 2;
    await turn();
    expect(history.view.value.document).toBe(undefined);
    expect(notices.standing.value).toMatch(/^both cannot be made again: 1\.pb is not open/);
  });

  it('are found by their names, however few folders their titles have', async () => {
    const { epoch, history, answers, list, notices } = opened('profile');
    const compared = { ...list[0]!, document: 2, title: 'both', made_by: COMPARE };
    const titled = list.map((info, at) => ({ ...info, title: `${at === 0 ? 'a' : 'b'}/cpu.pb` }));
    answers.documents = [...titled, compared];
    epoch.value = 1;
    await turn();
    history.update({ document: 2 }, 'push');
    await turn();
    answers.session = 'two';
    answers.documents = [{ ...titled[0]!, title: 'cpu.pb' }];
    epoch.value = 2;
    await turn();
    expect(notices.standing.value).toMatch(
      /^both cannot be made again: b\/cpu\.pb is not open in the Hotframe that answers now\.$/,
    );
  });

  it('that the address names are found again by a page that is loaded anew', async () => {
    const tab = tabStore();
    const first = opened('profile', tab);
    const compared = { ...first.list[0]!, document: 2, title: 'both', made_by: COMPARE };
    const merged = {
      ...first.list[0]!,
      document: 3,
      title: 'all',
      made_by: { method: 'merge', documents: [2, 1] },
    };
    first.answers.documents = [...first.list, compared, merged];
    first.epoch.value = 1;
    await turn();
    // The merge is made of a comparison, which is made first.
    const next = opened('profile', tab, '#d=3');
    next.answers.session = 'two';
    next.epoch.value = 1;
    await turn();
    expect(next.asked.map(({ method }) => method).slice(0, 3)).toEqual([
      'documents',
      'compare',
      'merge',
    ]);
    expect(next.asked[2]?.params).toEqual({ documents: [7, 1] });
    expect(next.history.view.value.document).toBe(8);
    expect(next.notices.standing.value).toBe(undefined);
  });

  it('that were made again for another page are not made twice', async () => {
    const tab = tabStore();
    const first = opened('profile', tab);
    const compared = { ...first.list[0]!, document: 2, title: 'both', made_by: COMPARE };
    first.answers.documents = [...first.list, compared];
    first.epoch.value = 1;
    await turn();
    const next = opened('profile', tab, '#d=2');
    next.answers.session = 'two';
    next.answers.documents = [...next.list, { ...compared, document: 5 }];
    next.epoch.value = 1;
    await turn();
    expect(next.history.view.value.document).toBe(5);
    expect(next.asked.map(({ method }) => method)).not.toContain('compare');
  });

  it('that the address names and that are not there say so after a reload', async () => {
    const tab = tabStore();
    const first = opened('profile', tab);
    first.epoch.value = 1;
    await turn();
    const next = opened('profile', tab, '#d=1');
    next.answers.session = 'two';
    next.answers.documents = next.list.slice(0, 1);
    next.epoch.value = 1;
    await turn();
    expect(next.notices.standing.value).toMatch(/^1\.pb is not open/);
    // Nothing is known of what is not a list.
    tab.setItem('hotframe.opened', '{"session":1}');
    expect(opened('profile', tab, '#d=1').notices.standing.value).toBe(undefined);
  });

  it('of an unknown kind say so', async () => {
    const { documents, epoch, done } = opened('film');
    epoch.value = 1;
    await turn();
    documents.open(1);
    await turn();
    expect(documents.status.value).toMatchObject({ kind: 'failed', title: '1.pb' });
    expect(done).toHaveLength(2);
  });

  it('that were left before they were read show nothing', async () => {
    const { documents, epoch, done } = opened();
    epoch.value = 1;
    await turn();
    documents.open(1);
    documents.open(0);
    await turn();
    expect(documents.status.value).toMatchObject({ shows: 'profile' });
    expect(done).not.toContain('show graph 1');
  });

  it('that are opened leave nothing of the view behind that means something else there', async () => {
    const { documents, epoch, history } = opened();
    epoch.value = 1;
    await turn();
    history.update({ search: 'main', members: 'thread' }, 'push');
    documents.open(1);
    expect(history.view.value).toMatchObject({ document: 1, members: undefined, search: '' });
  });

  it('that are closed give way to the last one', async () => {
    const { documents, epoch, history } = opened();
    epoch.value = 1;
    await turn();
    await documents.close(0);
    expect(history.view.value.document).toBe(1);
  });
});

describe('notices', () => {
  it('say what is wrong and what to do, but not that nobody waits any more', () => {
    const { notice, fail } = createNotices();
    fail(new EngineError({ code: 'cancelled', message: 'cancelled', hint: '' }));
    expect(notice.value).toBeUndefined();
    fail(new EngineError({ code: 'bad_request', message: 'No.', hint: 'Try yes.' }));
    expect(notice.value).toBe('No. Try yes.');
  });
});
