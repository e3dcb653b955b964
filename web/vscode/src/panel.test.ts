import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EditorProfile, EditorProfiles } from '@hotframe/engine';

vi.mock('vscode', () => ({
  Uri: { joinPath: () => 'page' },
  window: { registerCustomEditorProvider: () => ({ dispose() {} }), showErrorMessage() {} },
}));

const { Panels } = await import('./panel.ts');

const FILE = '/home/me/cpu.pb.gz';

/** A socket that opens when the test says so. */
class Socket {
  static all: Socket[] = [];
  static OPEN = 1;
  readyState = 0;
  isClosed = false;
  onopen = () => {};
  constructor(readonly address: string) {
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
  const page = { connect() {}, dispose() {} };
  const view = {
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: String,
      postMessage: (message: unknown) => told.push(message),
      onDidReceiveMessage(take: (message: unknown) => void) {
        page.connect = () => take({ kind: 'connect' });
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
    socket: async () => 'ws://here',
    putAside: async (path: string) => aside.push(path),
  };
  const context = { extensionUri: 'extension', subscriptions: [] };
  const panels = new Panels(context as never, engine as never, () => {});
  panels.resolveCustomEditor({ uri: { fsPath: FILE } } as never, view as never);
  return { panels, page, told, aside };
}

const profile = (document: number, state: EditorProfile['state'] = 'ready'): EditorProfiles => ({
  profiles: [{ path: FILE, document, state, metric: 0, metrics: [] }] as unknown as EditorProfile[],
  graphs: [],
});

const settled = () => new Promise((done) => setTimeout(done));

describe('a panel', () => {
  beforeEach(() => {
    Socket.all = [];
    vi.stubGlobal('WebSocket', Socket);
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
