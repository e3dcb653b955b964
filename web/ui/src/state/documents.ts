import {
  type CallOptions,
  type DocumentInfo,
  type DocumentsResult,
  type Engine,
  EngineError,
  isCancelled,
  type Progress,
  type ProtocolError,
} from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Again, findAgain, type Opened, recall, remember } from './again.ts';
import type { ViewHistory } from './history.ts';
import type { Store } from './host.ts';
import type { Notices } from './notices.ts';
import { asEngineError } from './resource.ts';
import { AS_OPENED, createVariants } from './variants.ts';
import type { ViewState } from './view-state.ts';

/** How far the shown document is. */
export type DocumentStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly title: string; readonly progress: Progress | undefined }
  /** `shows` is the kind of document, by which the page is picked. */
  | { readonly kind: 'ready'; readonly title: string; readonly shows: string }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly error: Pick<ProtocolError, 'message' | 'hint'>;
    };

/** What the state of one kind of documents does when another document is shown. */
export interface KindState {
  /** Asks for what a page of the kind needs first; gives what makes it the shown one. */
  load(document: number, options: CallOptions): Promise<Loadable>;
  /** Forgets the document that was shown. */
  clear(): void;
  /** What of a view means nothing in another document. */
  blank(view: ViewState): Partial<ViewState>;
}

/** A document that can be shown now. */
export interface Loadable {
  readonly title: string;
  show(): void;
}

export interface Documents {
  /** Undefined until the engine has told. */
  readonly list: ReadonlySignal<readonly DocumentInfo[] | undefined>;
  /** Whether an editor is there that shows source. */
  readonly opensSource: ReadonlySignal<boolean>;
  /** Whether experiments may be run; undefined until the engine has told. */
  readonly mayRun: ReadonlySignal<boolean | undefined>;
  readonly status: ReadonlySignal<DocumentStatus>;
  /** What the address names. */
  readonly named: ReadonlySignal<number | undefined>;
  /** What is shown: the named one, or the same with other members or on another axis of time. */
  readonly shown: ReadonlySignal<number | undefined>;
  titleOf(document: number | undefined): string | undefined;
  open(document: number): void;
  close(document: number): Promise<void>;
  /** Reads the named document once more, in a format that is told. */
  readAs(format: string): Promise<void>;
  refresh(): Promise<void>;
  /** Loads what is shown from now on, by its kind. */
  follow(kinds: Readonly<Record<string, KindState>>): void;
}

export function createDocuments(
  engine: Engine,
  epoch: ReadonlySignal<number>,
  history: ViewHistory,
  { fail, standing }: Notices,
  tab: Store,
): Documents {
  const { view, update } = history;
  const list = signal<readonly DocumentInfo[] | undefined>(undefined);
  const opensSource = signal(false);
  const mayRun = signal<boolean | undefined>(undefined);
  const status = signal<DocumentStatus>({ kind: 'none' });
  const named = computed(() => view.value.document ?? list.value?.at(0)?.document);
  /** The connection whose documents are in the list. */
  const listed = signal(0);
  /** What the last process that answered had open; at first, that before the page was loaded. */
  let opened = view.peek().document === undefined ? undefined : recall(tab);
  const variants = createVariants(engine, { document: named, view, epoch }, (error) => {
    update(AS_OPENED, 'replace');
    fail(error);
  });
  let kinds: Readonly<Record<string, KindState>> = {};

  function know({ session, documents, opens_source: isInEditor }: DocumentsResult): void {
    opened = { session, documents };
    if (!isInEditor) remember(tab, opened);
    list.value = documents;
  }

  const titleOf = (document: number | undefined) =>
    list.peek()?.find((info) => info.document === document)?.title;

  async function refresh(): Promise<void> {
    const at = epoch.peek();
    let { result } = await engine.call('documents', {});
    let kept: Again | undefined;
    // An editor says itself which document it shows.
    if (opened !== undefined && opened.session !== result.session && !result.opens_source) {
      kept = await keep(opened, result.documents);
      if (kept?.isNew === true) ({ result } = await engine.call('documents', {}));
    }
    batch(() => {
      if (kept !== undefined) settle(kept);
      know(result);
      opensSource.value = result.opens_source;
      mayRun.value = result.may_run;
      listed.value = at;
    });
  }

  /** What the shown document is in another process that answers. */
  async function keep(before: Opened, now: readonly DocumentInfo[]): Promise<Again | undefined> {
    const wanted = before.documents.find((info) => info.document === named.peek());
    return wanted && findAgain(engine, wanted, before.documents, now);
  }

  function settle({ document, problem }: Again): void {
    if (document !== undefined && document !== named.peek()) update({ document }, 'replace');
    if (problem === undefined) return;
    open(undefined);
    standing.value = problem;
  }

  function open(document: number | undefined): void {
    batch(() => {
      const blanks = Object.values(kinds).map((kind) => kind.blank(view.peek()));
      update(
        Object.assign({ document, runs: undefined, source: undefined, ...AS_OPENED }, ...blanks),
        'push',
      );
    });
  }

  /** Waits until a document is read, and asks for what its kind needs. */
  async function load(document: number, options: CallOptions): Promise<[string, Loadable]> {
    const { result } = await engine.call('wait', { document }, options);
    const shows = result.state.kind === 'ready' ? result.state.shows : '';
    const kind = kinds[shows];
    if (kind === undefined) {
      throw new EngineError({
        code: 'wrong_kind',
        message: `This page does not know documents of the kind “${shows}”.`,
        hint: 'Reload it: the engine may be newer than the page.',
      });
    }
    return [shows, await kind.load(document, options)];
  }

  /** Has what else is open read, so that it can be shown beside this: not everything that answers does so by itself. */
  async function readOthers(signal: AbortSignal): Promise<void> {
    const unread = (list.peek() ?? []).filter(({ state }) => state.kind === 'loading');
    for (const { document } of unread) {
      if (signal.aborted) return;
      // The list tells what cannot be read.
      await engine.call('wait', { document }, { signal }).catch(() => undefined);
    }
    if (unread.length > 0 && !signal.aborted) await refresh();
  }

  function show(): (() => void) | undefined {
    const document = variants.shown.value;
    const title = () => titleOf(named.peek()) ?? 'profile';
    // What is shown stays until it is known what the numbers mean after another connection.
    if (epoch.value !== 0 && listed.value !== epoch.value) return undefined;
    if (epoch.value === 0 || named.value === undefined) {
      status.value = { kind: 'none' };
      return undefined;
    }
    status.value = { kind: 'loading', title: title(), progress: undefined };
    if (document === undefined) return undefined;
    const controller = new AbortController();
    for (const kind of Object.values(kinds)) kind.clear();
    const onProgress = (progress: Progress) => {
      if (status.peek().kind === 'loading') {
        status.value = { kind: 'loading', title: title(), progress };
      }
    };
    load(document, { signal: controller.signal, onProgress }).then(
      ([shows, loaded]) => {
        if (controller.signal.aborted) return;
        batch(() => {
          loaded.show();
          // One that was made of it has no title in the list.
          const listedTitle = document === named.peek() ? titleOf(document) : undefined;
          status.value = { kind: 'ready', title: listedTitle ?? loaded.title, shows };
        });
        readOthers(controller.signal).catch(fail);
      },
      (reason: unknown) => {
        const error = asEngineError(reason);
        if (controller.signal.aborted || isCancelled(error) || error.code === 'disconnected')
          return;
        status.value = { kind: 'failed', title: title(), error };
      },
    );
    return () => controller.abort();
  }

  return {
    list,
    opensSource,
    mayRun,
    status,
    named,
    shown: variants.shown,
    titleOf,
    open,
    async close(document) {
      const { result } = await engine.call('close', { document });
      const wasShown = document === named.peek();
      know(result);
      if (!wasShown) return;
      const next = result.documents.at(-1)?.document;
      if (next !== undefined) open(next);
      else update({ document: undefined }, 'replace');
    },
    async readAs(format) {
      const document = named.peek();
      if (document === undefined) return;
      const failed = status.peek().kind === 'failed';
      const { result } = await engine.call('read_as', { document, format });
      // What an editor has loaded is closed there.
      if (failed && !opensSource.peek()) await engine.call('close', { document });
      await refresh();
      open(result.document);
    },
    refresh,
    follow(all) {
      kinds = all;
      effect(() => {
        if (epoch.value > 0) refresh().catch(fail);
      });
      effect(show);
      // A document may have failed before the list has told what it is called, and it is called
      // otherwise once there is another one of its name.
      effect(() => {
        const wanted = named.value;
        const title = list.value?.find((info) => info.document === wanted)?.title;
        const now = status.peek();
        if (title === undefined || now.kind === 'none') return;
        if (now.kind === 'ready' && variants.shown.peek() !== wanted) return;
        if (now.title !== title) status.value = { ...now, title };
      });
    },
  };
}
