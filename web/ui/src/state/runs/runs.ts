import type {
  Engine,
  QueueResult,
  RunInterpretersResult,
  RunListResult,
  RunPlanParams,
  RunPlanResult,
  RunStatusResult,
  RunUpload,
} from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Documents } from '../documents.ts';
import type { Dropped } from '../dropped.ts';
import type { ViewHistory } from '../history.ts';
import type { Host } from '../host.ts';
import type { Notices } from '../notices.ts';
import { type Loaded, resource, steadyResource } from '../resource.ts';
import { type Draft, formOf, planName, readDraft } from './form.ts';
import { EVERYTHING, type KeptSearch, listOf } from './kept.ts';
import { createLog, type LogOf, type LogText } from './log.ts';
import type { RunsPlace } from './place.ts';
import { poll, type Polled } from './polled.ts';
import { createResults, type Results } from './results.ts';
import { createSending, type Sending } from './sending.ts';

/** What is put together before it is run. */
export interface NewRun {
  /** What was sent. */
  readonly upload: ReadonlySignal<Loaded<RunUpload>>;
  readonly draft: Signal<Draft>;
  /** The plan as somebody writes it; undefined where the form makes it. */
  readonly written: Signal<string | undefined>;
  readonly plan: ReadonlySignal<Loaded<RunPlanResult>>;
  readonly sending: Sending;
  /** Takes a program, and begins the form with it. */
  take(dropped: readonly Dropped[]): Promise<void>;
  /** Runs the plan as it stands. */
  start(): Promise<void>;
}

/** Experiments that are begun from the page. */
export interface RunsState {
  /** Whether that is allowed; undefined until the engine has told. */
  readonly isAllowed: ReadonlySignal<boolean | undefined>;
  /** What of it is shown; undefined where a document is. */
  readonly place: ReadonlySignal<RunsPlace | undefined>;
  readonly here: ReadonlySignal<Loaded<RunInterpretersResult>>;
  readonly fresh: NewRun;
  /** The experiment that is looked at. */
  readonly status: Polled<RunStatusResult>;
  readonly search: Signal<KeptSearch>;
  readonly kept: Polled<RunListResult>;
  readonly queue: Polled<QueueResult>;
  /** The job whose log is shown. */
  readonly logOf: Signal<LogOf | undefined>;
  readonly log: Polled<LogText>;
  readonly results: Results;
  go(place: RunsPlace): void;
  /** Goes back to what is open. */
  leave(): void;
  /** Ends an experiment. */
  cancel(run: string): Promise<void>;
  /** Begins it once more as it was; `anew` also what has ended. */
  goOn(status: RunStatusResult, anew: boolean): Promise<void>;
  /** Puts a plan that was run into the form. */
  change(status: RunStatusResult): void;
}

const DRAFT_KEY = 'hotframe.run';
/** How often is asked what changes by itself. */
const DELAY_MS = 1000;

export interface RunsParts {
  readonly host: Host;
  readonly engine: Engine;
  readonly epoch: ReadonlySignal<number>;
  readonly documents: Documents;
  readonly history: ViewHistory;
  readonly notices: Notices;
}

export function createRuns({
  host,
  engine,
  epoch,
  documents,
  history,
  notices,
}: RunsParts): RunsState {
  const { view, update } = history;
  const isAllowed = documents.mayRun;
  const place = computed<RunsPlace | undefined>(() => {
    if (view.value.runs !== undefined) return view.value.runs;
    // Without a document it begins with what can be done.
    const isEmpty = documents.list.value?.length === 0;
    return isEmpty && isAllowed.value === true ? { page: 'new', upload: undefined } : undefined;
  });
  /** Nothing is asked where it would be refused. */
  const allowed = computed(() => (isAllowed.value === true ? place.value : undefined));
  const isOn = (page: RunsPlace['page']) => (allowed.value?.page === page ? true : undefined);
  const pace = { epoch, page: host.window.document, delayMs: DELAY_MS };

  const isShown = computed(() => (allowed.value === undefined ? undefined : epoch.value));
  const here = resource(isShown, async (_, abort) => {
    return (await engine.call('run_interpreters', {}, { signal: abort })).result;
  });

  // A new one.
  const sending = createSending(engine);
  const draft = signal(readDraft(host.tab.getItem(DRAFT_KEY)));
  effect(() => host.tab.setItem(DRAFT_KEY, JSON.stringify(draft.value)));
  const written = signal<string | undefined>(undefined);
  const uploadId = computed(() =>
    allowed.value?.page === 'new' ? allowed.value.upload : undefined,
  );
  const upload = resource(uploadId, async (id, abort) => {
    const { result } = await engine.call('run_list', listOf({ ...EVERYTHING, text: id }), {
      signal: abort,
    });
    const found = result.uploads.find((one) => one.id === id);
    if (found === undefined) throw new Error('What was sent is not kept any more: send it again.');
    const { script } = draft.peek();
    const [first = ''] = found.scripts;
    if (!found.scripts.includes(script)) draft.value = { ...draft.peek(), script: first };
    return found;
  });
  const asked = computed<RunPlanParams | undefined>(() => {
    const sent = upload.state.value.value;
    if (uploadId.value === undefined || sent?.id !== uploadId.value) return undefined;
    const text = written.value;
    const form = text === undefined ? formOf(draft.value, planName(sent.name)) : null;
    return { upload: sent.id, form, text: text ?? '' };
  });
  const plan = steadyResource(asked, async (params) => {
    return (await engine.call('run_plan', params)).result;
  });

  // One that was begun; also while its result is looked at.
  const results: Results = createResults({ engine, documents, status: () => status.state });
  const statusOf = computed(() =>
    allowed.value?.page === 'run' ? allowed.value.run : results.watched.value,
  );
  const status: Polled<RunStatusResult> = poll(
    statusOf,
    async (run, abort) => (await engine.call('run_status', { run }, { signal: abort })).result,
    { ...pace, goesOn: ({ summary }) => isOpen(summary.phase) },
  );
  const logOf = signal<LogOf | undefined>(undefined);
  const log = createLog(engine, logOf, pace);

  // All of them.
  const search = signal(EVERYTHING);
  const wanted = computed(() => (isOn('kept') ? search.value : undefined));
  const kept = poll(
    wanted,
    async (asked, abort) =>
      (await engine.call('run_list', listOf(asked), { signal: abort })).result,
    {
      ...pace,
      goesOn: ({ uploads }) => uploads.some(({ runs }) => runs.some(({ phase }) => isOpen(phase))),
    },
  );
  const queue = poll(
    computed(() => isOn('queue')),
    async (_, abort) => (await engine.call('queue', {}, { signal: abort })).result,
    // Others may add to it at any time.
    { ...pace, goesOn: () => true },
  );

  const go = (to: RunsPlace) => update({ runs: to }, 'push');
  async function start(upload: string, text: string, again: boolean): Promise<void> {
    const { result } = await engine.call('run_start', { upload, text, again });
    go({ page: 'run', run: result.run });
    status.again();
  }
  return {
    isAllowed,
    place,
    here: here.state,
    fresh: {
      upload: upload.state,
      draft,
      written,
      plan: plan.state,
      sending,
      async take(dropped) {
        const taken = await sending.send(dropped);
        if (taken === undefined) return;
        written.value = undefined;
        go({ page: 'new', upload: taken.id });
      },
      async start() {
        const sent = uploadId.peek();
        const text = plan.state.peek().value?.text;
        if (sent !== undefined && text !== undefined) await start(sent, text, false);
      },
    },
    status,
    search,
    kept,
    queue,
    logOf,
    log,
    results,
    go,
    leave: () => update({ runs: undefined }, 'push'),
    async cancel(run) {
      await engine.call('run_cancel', { run });
      status.again();
    },
    goOn: ({ upload, text }, again) => start(upload, text, again),
    change({ upload, text }) {
      written.value = text;
      notices.notice.value = undefined;
      go({ page: 'new', upload });
    },
  };
}

/** Whether an experiment goes on by itself. */
export function isOpen(phase: RunStatusResult['summary']['phase']): boolean {
  return phase === 'waiting' || phase === 'preparing' || phase === 'running';
}
