import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EditorProfile, EditorProfiles, FromPage } from '@hotframe/engine';

const messages: string[] = [];

vi.mock('vscode', () => ({
  Uri: { joinPath: () => 'page' },
  window: {
    showErrorMessage() {},
    showInformationMessage: (text: string) => messages.push(text),
  },
}));

vi.mock('./frames.ts', () => ({ connect: () => new Socket() }));

const { Panels } = await import('./panel.ts');

const FILE = '/home/me/cpu.pb.gz';
const OTHER = '/home/me/before.pb.gz';

/** A socket that opens when the test says so. */
class Socket {
  static all: Socket[] = [];
  readonly OPEN = 1;
  readyState = 0;
  isClosed = false;
  onopen = () => {};
  constructor() {
    Socket.all.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

/** A panel whose page has been loaded. */
function panel() {
  const told: unknown[] = [];
  const aside: string[] = [];
  const run: (readonly unknown[])[] = [];
  const page = { connect() {}, dispose() {}, tell(_: FromPage) {} };
  const view = {
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: String,
      postMessage: (message: unknown) => told.push(message),
      onDidReceiveMessage(take: (message: unknown) => void) {
        page.connect = () => take({ kind: 'connect' });
        page.tell = take;
      },
    },
    onDidDispose(run: () => void) {
      page.dispose = run;
    },
    onDidChangeViewState() {},
  };
  const engine = {
    onStop() {},
    onRestart() {},
    open: async () => new Map([[FILE, 1]]),
    frames: async () => ({ path: '/tmp/frames', token: '' }),
    putAside: async (path: string) => aside.push(path),
    profiles: async () => both(),
    compare: async (...sides: string[]) => run.push(['compare', ...sides]),
    setBase: async (path: string | null) => run.push(['base', path]),
  };
  const context = { extensionUri: 'extension', subscriptions: [] };
  const panels = new Panels(context as never, engine as never, async (does) => void (await does()));
  panels.add({ uri: { scheme: 'file', fsPath: FILE } } as never, view as never);
  return { panels, page, told, aside, run };
}

const profile = (document: number, state: EditorProfile['state'] = 'ready'): EditorProfiles => ({
  profiles: [{ path: FILE, document, state, metric: 0, metrics: [] }] as unknown as EditorProfile[],
  base_is_chosen: false,
  graphs: [],
});

const settled = () => new Promise((done) => setTimeout(done));

/** The panel's profile, and another one; the one that is told of, and the other as its base. */
const both = (active = FILE, base?: string) =>
  [FILE, OTHER].map((path, index) => ({
    path,
    document: index + 1,
    state: 'ready',
    is_active: path === active,
    is_base: path === base,
    metric: 0,
    metrics: [],
  })) as unknown as EditorProfile[];

const compared = (active: string, base?: string, chosen = true): EditorProfiles => ({
  profiles: both(active, base),
  base_is_chosen: chosen,
  graphs: [],
});

describe('a panel', () => {
  beforeEach(() => {
    Socket.all = [];
  });

  it('turns to the document that its file has when it was read again', async () => {
    const { panels, page, told } = panel();
    panels.follow(profile(1));
    page.connect();
    await settled();
    Socket.all[0]!.onopen();
    panels.follow(profile(1));
    panels.follow(profile(2, 'reading'));
    panels.follow(profile(2));
    panels.follow(profile(2));
    expect(told).toEqual([
      { kind: 'opened', document: 1 },
      { kind: 'opened', document: 2 },
    ]);
  });

  it('compares what somebody chose, with its sides swapped, and nothing', async () => {
    const { panels, page, told } = panel();
    page.connect();
    await settled();
    panels.follow(compared(FILE, OTHER, false));
    Socket.all[0]!.onopen();
    panels.follow(compared(FILE, OTHER));
    panels.follow(compared(FILE, OTHER));
    panels.follow(compared(OTHER, FILE));
    panels.follow(compared(OTHER));
    panels.follow(compared(OTHER));
    expect(told).toEqual([
      { kind: 'opened', document: 1 },
      { kind: 'compare', base: [2], now: [1] },
      { kind: 'compare', base: [1], now: [2] },
      { kind: 'compare', base: [], now: [1] },
    ]);
  });

  it('tells what its page compares', async () => {
    const { panels, page, told, run } = panel();
    page.connect();
    await settled();
    Socket.all[0]!.onopen();
    page.tell({ kind: 'compare', base: [1], now: [2] });
    // Until the engine has taken it, what it had is not shown.
    panels.follow(compared(FILE));
    await settled();
    panels.follow(compared(OTHER, FILE));
    page.tell({ kind: 'compare', base: [7, 8], now: [1] });
    await settled();
    panels.follow(compared(OTHER, FILE));
    page.tell({ kind: 'compare', base: [], now: [1] });
    await settled();
    expect(told).toEqual([{ kind: 'opened', document: 1 }]);
    expect(run).toEqual([
      ['compare', FILE, OTHER],
      ['base', null],
    ]);
    expect(messages).toEqual([expect.stringContaining('do not show this comparison')]);
  });

  it('connects no more once it is closed', async () => {
    const { page } = panel();
    page.connect();
    page.dispose();
    await settled();
    expect(Socket.all).toEqual([]);
  });

  it('puts its profile aside when it is closed', () => {
    const { page, aside } = panel();
    expect(aside).toEqual([]);
    page.dispose();
    expect(aside).toEqual([FILE]);
  });

  it('has one connection', async () => {
    const { page } = panel();
    page.connect();
    page.connect();
    await settled();
    page.connect();
    await settled();
    expect(Socket.all.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });
});
