import type { Connection, Engine, Work } from '@hotframe/engine';
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { visible } from '../text/names.ts';
import { type AccessesState, createAccesses } from './accesses.ts';
import { createConnection } from './connection.ts';
import { createSmall, shareRoom } from './crowding.ts';
import { createDocuments, type Documents } from './documents.ts';
import { shareBase } from './editor-base.ts';
import { shareMetric } from './editor-metric.ts';
import { shareLines } from './measured-lines.ts';
import { createGraph, type GraphState, isGraphFile } from './graph.ts';
import { createHistory, type ViewHistory } from './history.ts';
import type { Host } from './host.ts';
import { createLayout, type Layout } from './layout.ts';
import { createNotices, type Notices } from './notices.ts';
import { createProfile, type ProfileState } from './profile/profile.ts';
import { createRuns, type RunsState } from './runs/runs.ts';
import { createSource, type Source } from './source.ts';
import { createTheme, type Theme } from './theme.ts';
import { firstOf } from './report.ts';
import { tellUnread } from './unread.ts';
import { createUpload, type Upload } from './upload.ts';
import { encodeHash } from './url.ts';
import { AS_OPENED } from './variants.ts';
import type { View } from './view.ts';

/** Selects the function that an address names: by its number in the document, where it tells that. */
function revealNamed(address: URLSearchParams, profile: ProfileState): void {
  const name = address.get('at');
  if (name === null) return;
  const [document, key] = ['d', 'key'].map((part) => Number(address.get(part) ?? Number.NaN));
  const isTold = Number.isInteger(document) && Number.isInteger(key);
  profile.reveal(name, isTold ? { document: document!, key: key! } : undefined);
}

/** What stands over the page. */
export type Overlay =
  | 'keys'
  | 'warnings'
  | 'filter'
  | 'formula'
  | 'open_as'
  | 'together'
  | 'held'
  | 'instructions'
  | 'report'
  | 'about';

/** The state of the page: its parts, one for each kind of documents among them. */
export interface App extends ViewHistory {
  readonly host: Host;
  readonly engine: Engine;
  readonly connection: ReadonlySignal<Connection>;
  /** Whether what answers now does not know this page. */
  readonly refused: ReadonlySignal<boolean>;
  /** What takes long at the moment. */
  readonly work: ReadonlySignal<Work | undefined>;
  readonly documents: Documents;
  /** Where the shown document is a profile. */
  readonly profile: ProfileState;
  /** Where the shown document is a dataflow graph. */
  readonly graph: GraphState;
  /** Where it is loops, or a part of a graph is looked at closely. */
  readonly accesses: AccessesState;
  /** Experiments that are begun from here. */
  readonly runs: RunsState;
  readonly notices: Notices;
  readonly source: Source;
  readonly theme: Theme;
  readonly layout: Layout;
  readonly upload: Upload;
  readonly overlay: Signal<Overlay | undefined>;
  /** The profiles that it is asked what they are together. */
  readonly together: ReadonlySignal<readonly number[]>;
  /** How many others came along with them. */
  readonly apart: ReadonlySignal<number>;
  /** Asks what documents are together, those of them that are profiles. */
  offer(documents: readonly number[]): void;
  readonly detailsOpen: Signal<boolean>;
  /** Whether scripts are written below the views. */
  readonly pythonOpen: Signal<boolean>;
  /** Whether the window has room for the picture and one thing beside it. */
  readonly small: ReadonlySignal<boolean>;
  /** Whether a narrow window shows more than one row of tools. */
  readonly toolsOpen: Signal<boolean>;
}

/** What an address has where the program was given several files. */
const TOGETHER = 'together';

/** The state of a page in its host, with the views that profiles have. */
export function createApp(host: Host, views: readonly View[]): App {
  const page = host.window;
  const { engine, connection, refused, epoch, work } = createConnection(host);
  const history = createHistory(host.address, views);
  const notices = createNotices();
  tellUnread(host.address, notices);
  notices.standing.value ??= host.report && firstOf(host.report.note);
  const documents = createDocuments(engine, epoch, history, notices, host.tab);
  const rules = host.report?.rules ?? [];
  const profile = createProfile(engine, documents, history, notices, rules, views);
  const graph = createGraph({
    engine,
    documents,
    view: history.view,
    wide: page.innerWidth >= 1100,
    update: history.update,
  });
  const accesses = createAccesses({
    engine,
    documents,
    view: history.view,
    update: history.update,
  });
  const source = createSource(engine, documents, notices, profile.selection, graph, history, host);
  const overlay = signal<Overlay | undefined>(undefined);
  const together = signal<readonly number[]>([]);
  const apart = signal(0);
  function offer(offered: readonly number[]): void {
    const isProfile = (document: number) => {
      const state = documents.list.peek()?.find((info) => info.document === document)?.state;
      return state?.kind === 'ready' && state.shows === 'profile';
    };
    const profiles = offered.filter(isProfile);
    if (profiles.length < 2) return;
    together.value = profiles;
    apart.value = offered.length - profiles.length;
    overlay.value = 'together';
  }
  /** Asks what all documents are together, once they are read. */
  async function offerAll(): Promise<void> {
    const { result } = await engine.call('documents', {});
    // Where something was made of them already, it was said.
    if (result.documents.some(({ made_by: made }) => made !== null)) return;
    const all = result.documents.map(({ document }) => document);
    await Promise.allSettled(all.map((document) => engine.call('wait', { document })));
    await documents.refresh();
    if (overlay.peek() === undefined) offer(all);
  }
  const upload = createUpload(engine, {
    async opened(document, alone) {
      await documents.refresh();
      // Of several, the first is shown until it is said what they are together.
      if (!alone && documents.status.peek().kind === 'ready') return;
      const title = documents.titleOf(document) ?? '';
      if (graph.summary.peek() === undefined || isGraphFile(title)) documents.open(document);
      else graph.offer.value = { document, title };
    },
    async failed(document) {
      await documents.refresh();
      const isFree = documents.status.peek().kind !== 'ready';
      if (isFree) documents.open(document);
      return isFree;
    },
    dropped: (document) => documents.close(document),
    together(read) {
      const [only] = read;
      if (read.length > 1) offer(read);
      else if (only !== undefined) documents.open(only);
    },
  });
  documents.follow({ profile, graph, accesses });
  const runs = createRuns({ host, engine, epoch, documents, history, notices });

  effect(() => {
    const status = documents.status.value;
    const title = runs.place.value !== undefined ? 'Run' : status.kind !== 'none' && status.title;
    page.document.title = title === false ? 'Hotframe' : `${visible(title)} – Hotframe`;
  });
  host.editor?.onDocument((document) => history.update({ document, ...AS_OPENED }, 'replace'));
  host.editor?.onReveal(profile.reveal);
  if (host.editor !== undefined) {
    const { compareSides, summary } = profile;
    shareMetric(host.editor, profile);
    shareBase(host.editor, { documents, summary, compareSides, fail: notices.fail });
  }
  host.editor?.onRestart(() => engine.connect());
  if (host.sources !== undefined) shareLines(host.sources, engine, profile);
  revealNamed(new URLSearchParams(host.address.read()), profile);
  const detailsOpen = signal(page.innerWidth >= 900);
  const small = createSmall(page);
  shareRoom(small, detailsOpen, profile);
  const asks = new URLSearchParams(host.address.read()).has(TOGETHER);
  // Once: a page that is loaded again shows what was chosen.
  if (asks) host.address.write(encodeHash(history.view.peek(), views), 'replace');
  engine.connect();
  if (asks) offerAll().catch(notices.fail);
  return {
    ...history,
    host,
    engine,
    connection,
    refused,
    work,
    documents,
    profile,
    graph,
    accesses,
    runs,
    notices,
    source,
    theme: createTheme(page.document.documentElement, host.store, host.theme),
    layout: createLayout(host.store),
    upload,
    overlay,
    together,
    apart,
    offer,
    detailsOpen,
    pythonOpen: signal(false),
    small,
    toolsOpen: signal(false),
  };
}
