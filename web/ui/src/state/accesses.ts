import type {
  AccessesProgram,
  AccessesSizesResult,
  Answer,
  Engine,
  SymbolSetting,
} from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type AccessesViewState,
  cachesOf,
  type ChosenElement,
  DEFAULT_ACCESSES_VIEW,
  isPlain,
  rulesOf,
} from './accesses-view.ts';
import { distinct } from './distinct.ts';
import type { Documents, KindState } from './documents.ts';
import type { Step } from './history.ts';
import { isStopped, type Loaded, resource, steadyResource } from './resource.ts';
import type { ViewState } from './view-state.ts';

/** Up to so many accesses each is told, and the picture follows at once. */
const MOST_EACH = 1 << 18;
/** Distances are followed so far, in lines: 64 MiB of usual ones. */
const DEPTH = 1 << 20;
/** The address follows what is dragged when it has rested for so long. */
const ADDRESS_GAP_MS = 300;

/** A panel beside the picture. */
export type AccessesPanel = 'numbers' | 'changes' | 'sizes' | 'element';

/** What is accessed: all of a document, or an element of a graph. */
export interface AccessesPart {
  readonly document: number;
  readonly element: number | null;
}

/** What accesses do, and what was asked for it. */
export interface AccessesRun extends Answer<'accesses_run'> {
  readonly program: AccessesProgram;
}

/** Sums with the first so many of the changes. */
export interface ChainStep {
  /** The changes that are made; those on screen may be others already. */
  readonly changes: readonly string[];
  readonly small: Answer<'accesses_run'>['result'] | string;
  /** At full size, if that was asked for; or why there is none. */
  readonly full: Answer<'accesses_run'>['result'] | string | undefined;
}

/** What cells of a container tell, of accesses of a program. */
export interface SummedCells {
  readonly program: AccessesProgram;
  readonly values: Float64Array;
}

/** The state of the screen of accesses. */
export interface AccessesState extends KindState {
  /** Undefined while the shown document shows something else. */
  readonly part: ReadonlySignal<AccessesPart | undefined>;
  readonly sizes: ReadonlySignal<Loaded<AccessesSizesResult>>;
  /** What is in the address, with what is being dragged. */
  readonly view: ReadonlySignal<AccessesViewState>;
  /** What is shown. */
  readonly run: ReadonlySignal<Loaded<AccessesRun>>;
  /** What is shown beside it: before all changes; undefined while one is shown alone. */
  readonly base: ReadonlySignal<AccessesRun | undefined>;
  /** Why that is not there. */
  readonly baseProblem: ReadonlySignal<string | undefined>;
  /** Whether accesses were recorded, so that there are no loops, sizes and changes. */
  readonly isRecorded: ReadonlySignal<boolean>;
  /** Values of symbols at full size. */
  readonly full: ReadonlySignal<readonly SymbolSetting[]>;
  /** After no change, after the first of them, and so on; as far as it is known. */
  readonly chain: ReadonlySignal<Loaded<readonly ChainStep[]>>;
  readonly playing: Signal<boolean>;
  /** Iterations a second. */
  readonly speed: Signal<number>;
  readonly panel: Signal<AccessesPanel>;
  readonly hovered: Signal<ChosenElement | undefined>;
  /** What cells tell where the engine adds accesses up, by picture; each tells its own. */
  readonly sums: Signal<ReadonlyMap<string, SummedCells>>;
  update(change: Partial<AccessesViewState>, step: Step): void;
  /** The same, in the address once it has rested. */
  drag(change: Partial<AccessesViewState>): void;
  setSymbol(name: string, value: number | undefined): void;
  /** The accesses that a state is about. */
  program(changes: readonly string[], at: 'shown' | 'full'): AccessesProgram | undefined;
  /** Shows a part of a graph, or goes back to the graph. */
  openPart(scope: AccessesViewState['scope']): void;
}

export function createAccesses(options: {
  readonly engine: Engine;
  readonly documents: Pick<Documents, 'shown' | 'status'>;
  readonly view: ReadonlySignal<ViewState>;
  update(change: Partial<ViewState>, step: Step): void;
}): AccessesState {
  const { engine, documents } = options;
  const dragged = signal<Partial<AccessesViewState>>({});
  const kind = computed(() => {
    const status = documents.status.value;
    return status.kind === 'ready' ? status.shows : undefined;
  });
  const part = distinct((): AccessesPart | undefined => {
    const document = documents.shown.value;
    const { scope } = options.view.value.accesses;
    if (document === undefined) return undefined;
    if (kind.value === 'accesses') return { document, element: null };
    if (kind.value !== 'graph' || scope === undefined) return undefined;
    return { document, element: scope === 'all' ? null : scope };
  });
  const { state: sizes } = resource(part, async (wanted, abort) => {
    const { result } = await engine.call('accesses_sizes', wanted, { signal: abort });
    return result;
  });
  const isRecorded = computed(() => sizes.value.value?.is_recorded === true);
  const view = computed(() => {
    const own = { ...options.view.value.accesses, ...dragged.value };
    return isRecorded.value ? ofRecorded(own) : own;
  });

  const full = computed(() =>
    (sizes.value.value?.symbols ?? []).map(({ name, whole }) => ({
      name,
      value: view.value.fullSymbols.find((setting) => setting.name === name)?.value ?? whole,
    })),
  );
  const program: AccessesState['program'] = (changes, at) => {
    const where = part.value;
    const known = sizes.value.value;
    if (where === undefined || known === undefined) return undefined;
    const { symbols, line, rules, schedule, ranges } = view.value;
    return {
      ...where,
      ranges: isRecorded.value ? [...ranges] : [],
      symbols: at === 'full' ? [...full.value] : [...symbols],
      changes: [...changes],
      schedule,
      combining_reads: rules.includes('combining'),
      packed: rules.includes('packed'),
      line,
    };
  };

  type Asked = Parameters<typeof engine.call<'accesses_run'>>[1];
  const askedOf = (changes: readonly string[]): Asked | undefined => {
    const wanted = program(changes, 'shown');
    if (wanted === undefined) return undefined;
    const caches = cachesOf(view.value, 'shown');
    return { program: wanted, caches, each: MOST_EACH, depth: DEPTH };
  };
  const ask = async (params: Asked): Promise<AccessesRun> => {
    const answer = await engine.call('accesses_run', params);
    return { ...answer, program: params.program };
  };
  const shownRun = distinct(() => askedOf(view.value.side === 'before' ? [] : view.value.changes));
  const { state: run } = steadyResource(shownRun, ask);
  const baseRun = distinct(() =>
    view.value.side === 'both' && view.value.changes.length > 0 ? askedOf([]) : undefined,
  );
  const { state: base } = steadyResource(baseRun, ask);

  const panel = signal<AccessesPanel>('numbers');
  // A chain is of sums alone; with every access it would be asked too often while sliders move. Nobody waits for
  // one, or has to stop it, who does not look at it.
  const chainAsked = distinct(() => {
    if (panel.value !== 'changes' || isRecorded.value) return undefined;
    const { changes, schedule } = view.value;
    const shown = program([], 'shown');
    const whole = view.value.full ? program([], 'full') : undefined;
    if (shown === undefined) return undefined;
    const at = { shown: cachesOf(view.value, 'shown'), full: cachesOf(view.value, 'full') };
    return { changes, schedule, shown, whole, at };
  });
  const partial = signal<readonly ChainStep[] | undefined>(undefined);
  const { state: done } = resource(chainAsked, async (wanted, abort): Promise<ChainStep[]> => {
    const sums = async (base: AccessesProgram, count: number, caches: typeof wanted.at.full) => {
      const made = { ...base, changes: wanted.changes.slice(0, count) };
      try {
        const params = { program: made, caches, each: 0, depth: 0 };
        return (await engine.call('accesses_run', params, { signal: abort })).result;
      } catch (error) {
        // Who stops one of them wants none of the others.
        if (abort.aborted || isStopped(error)) throw error;
        return error instanceof Error ? error.message : String(error);
      }
    };
    // Small sizes first: full ones may take a while, and each is told once it is known.
    let steps: ChainStep[] = [];
    for (let count = 0; count <= wanted.changes.length; count += 1) {
      const small = await sums(wanted.shown, count, wanted.at.shown);
      steps = [...steps, { changes: wanted.changes.slice(0, count), small, full: undefined }];
    }
    partial.value = steps;
    for (let count = 0; wanted.whole !== undefined && count <= wanted.changes.length; count += 1) {
      const whole = await sums(wanted.whole, count, wanted.at.full);
      steps = steps.map((step, index) => (index === count ? { ...step, full: whole } : step));
      partial.value = steps;
    }
    return steps;
  });
  const chain = computed(() => ({ ...done.value, value: partial.value ?? done.value.value }));

  const update: AccessesState['update'] = (change, step) =>
    options.update({ accesses: { ...options.view.peek().accesses, ...change } }, step);

  let addressTimer: ReturnType<typeof setTimeout> | undefined;
  const drag: AccessesState['drag'] = (change) => {
    dragged.value = { ...dragged.peek(), ...change };
    clearTimeout(addressTimer);
    addressTimer = setTimeout(settle, ADDRESS_GAP_MS);
  };
  function settle(): void {
    clearTimeout(addressTimer);
    const change = dragged.peek();
    if (Object.keys(change).length === 0) return;
    update(change, 'replace');
    dragged.value = {};
  }

  const playing = signal(false);
  const sums = signal<ReadonlyMap<string, SummedCells>>(new Map());
  // Iterations of one part are none of another.
  effect(() => {
    part.value;
    playing.value = false;
    sums.value = new Map();
    partial.value = undefined;
    clearTimeout(addressTimer);
    dragged.value = {};
  });

  return {
    async load(document, callOptions) {
      const { result } = await engine.call(
        'accesses_sizes',
        { document, element: null },
        callOptions,
      );
      return { title: result.title, show: () => undefined };
    },
    clear: () => undefined,
    blank: (state) => ({ accesses: forAnother(state.accesses) }),
    part,
    sizes,
    view,
    run,
    base: computed(() =>
      baseRun.value === undefined || base.value.error !== undefined ? undefined : base.value.value,
    ),
    baseProblem: computed(() =>
      baseRun.value === undefined || base.value.error?.code === 'disconnected'
        ? undefined
        : base.value.error?.message,
    ),
    isRecorded,
    full,
    chain,
    playing,
    speed: signal(8),
    panel,
    hovered: signal<ChosenElement | undefined>(undefined),
    sums,
    update(change, step) {
      settle();
      update(change, step);
    },
    drag,
    setSymbol(name, value) {
      const others = view.peek().symbols.filter((setting) => setting.name !== name);
      const symbols = value === undefined ? others : [...others, { name, value }];
      drag({ symbols, at: undefined, range: undefined });
    },
    program,
    openPart(scope) {
      settle();
      update({ ...forAnother(options.view.peek().accesses), scope }, 'push');
    },
  };
}

/** Lines of the first level where they may stand anywhere; undefined where misses are the engine's to tell. */
export function plainLines(state: AccessesViewState): number | undefined {
  return isPlain(state) ? state.lines : undefined;
}

/** Without what there is of loops alone: an address may have it of another document. */
function ofRecorded(state: AccessesViewState): AccessesViewState {
  const allowed = rulesOf(true).map(({ value }) => value);
  const rules = state.rules.filter((rule) => allowed.includes(rule));
  const overlay = state.overlay === 'related' ? 'count' : state.overlay;
  return { ...state, rules, overlay, symbols: [], changes: [], schedule: '', private: 0 };
}

/** What stays of a state when something else is shown: how it is told, not what of it. */
function forAnother(state: AccessesViewState): AccessesViewState {
  const { line, lines, cache, fullCache, replacement, inclusion, rules, private: own } = state;
  const { overlay, distance, misses, scale, colours } = state;
  const machine = { line, lines, cache, fullCache, replacement, inclusion, rules, private: own };
  return { ...DEFAULT_ACCESSES_VIEW, ...machine, overlay, distance, misses, scale, colours };
}
