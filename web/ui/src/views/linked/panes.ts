import type { Answer, ColourBy, ViewSpec } from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { distinct } from '../../state/distinct.ts';
import { colourIn } from '../../state/profile/metric.ts';
import { locate, type Place, PROGRAM, samePath, specKey } from '../../state/nodes.ts';
import { answers, type Loaded, type Resource, resource } from '../../state/resource.ts';
import type { Target } from '../../state/selection.ts';
import { isInnermostFirst, NO_ZOOM, type Zoom } from '../../state/view-state.ts';
import type { FlameController } from '../flame/controller.ts';
import type { FlamePicks } from '../flame/FlameView.tsx';
import { choose, paneSpec, rankedRoles, roleSpec } from './choosing.ts';
import { followFormulas } from './formulas.ts';
import { paneMetric } from './pane-metrics.ts';
import { LINKED_PART } from './state.ts';

/** Most pairs that the ranking shows. */
const MOST_PAIRS = 200;

/** The flame graph of one role. */
export interface Pane {
  readonly role: number;
  readonly name: string;
  readonly spec: ReadonlySignal<ViewSpec | undefined>;
  /** The metric that it has of its own; undefined where it is that of the page. */
  readonly metric: ReadonlySignal<number | undefined>;
  readonly colour: ReadonlySignal<ColourBy>;
  /** Keys from below the whole program down to the chosen frame. */
  readonly path: ReadonlySignal<readonly number[]>;
  /** Name of the chosen frame; undefined where none is chosen, or the pane does not have it. */
  readonly chosen: ReadonlySignal<string | undefined>;
  /** Whether the engine is still looking for the chosen frame. */
  readonly isLooking: ReadonlySignal<boolean>;
  readonly picks: FlamePicks;
  readonly zoom: Signal<Zoom>;
  readonly controller: Signal<FlameController | undefined>;
  readonly search: ReadonlySignal<Loaded<Answer<'search'>>>;
}

/** The linked view: a pane a role, and the ranking of pairs. */
export interface Linked {
  readonly panes: readonly Pane[];
  /** The roles of the ranking; undefined where there is only one. */
  readonly ranked: ReadonlySignal<readonly [number, number] | undefined>;
  readonly pairs: ReadonlySignal<Loaded<Answer<'pairs'>>>;
  dispose(): void;
}

export function createLinked(app: App, roles: readonly string[]): Linked {
  const disposers: (() => void)[] = [];
  const keep = <T>(made: Resource<T>) => {
    disposers.push(made.dispose);
    return made.state;
  };
  /** The pane that was used last: the details panel shows its frame. */
  const active = signal<number | undefined>(undefined);

  const state = computed(() => stateOf(app.view.value, LINKED_PART));
  const panes = roles.map((name, role): Pane => {
    const metric = computed(() => paneMetric(app.profile.summary.value, state.value.metrics, role));
    const spec = distinct(
      () =>
        app.profile.spec.value &&
        paneSpec(app.profile.spec.value, role, state.value.chosen, metric.value),
    );
    const path = computed(() => state.value.chosen[role] ?? []);
    const pathText = computed(() => path.value.join('.'));
    const wanted = computed(() => {
      pathText.value;
      return spec.value === undefined ? undefined : { spec: spec.value, path: path.peek() };
    });
    const located = keep(
      resource(wanted, async (want, abort) => {
        const place = await locate(app.engine, want.spec, want.path, abort);
        return { spec: want.spec, place, whole: place.nodes.length === want.path.length };
      }),
    );
    /** What was clicked; its path is unknown where the picture shows only a part of the way. */
    const picked = signal<(Target & { readonly place: Place }) | undefined>(undefined);
    const zoom = signal<Zoom>(NO_ZOOM);
    const controller = signal<FlameController | undefined>(undefined);
    const pickPath = (next: readonly number[]) => {
      batch(() => {
        active.value = role;
        const chosen = choose(state.peek().chosen, role, next);
        changeState(app, LINKED_PART, { chosen }, 'replace');
      });
    };
    const searched = computed(() => {
      const pattern = app.view.value.search;
      return spec.value === undefined || pattern === '' ? undefined : { view: spec.value, pattern };
    });
    return {
      role,
      name,
      spec,
      metric,
      colour: computed(() =>
        colourIn(
          app.profile.summary.value,
          metric.value ?? app.profile.metric.value,
          app.view.value.colour,
        ),
      ),
      path,
      chosen: computed(() => {
        const found = located.value.value;
        if (path.value.length === 0 || found === undefined || !found.whole) return undefined;
        return labelOf(found.place, found.spec);
      }),
      isLooking: computed(() => located.value.pending),
      picks: {
        nodeIn(inSpec, instance) {
          const belongs = (found: { spec: ViewSpec; place: Place } | undefined) =>
            found?.place.instance === instance && specKey(found.spec) === specKey(inSpec)
              ? found.place.node
              : undefined;
          const last = picked.value;
          const found = located.value.value;
          const isShown = last?.path === undefined || samePath(last.path, path.value);
          return (
            (isShown ? belongs(last) : undefined) ??
            (found?.whole === true && path.value.length > 0 ? belongs(found) : undefined)
          );
        },
        pick(inSpec, instance, node, known) {
          batch(() => {
            picked.value = { spec: inSpec, place: { instance, node, nodes: [] }, path: known };
            if (known !== undefined) pickPath(known);
          });
          if (known !== undefined) return;
          app.engine.call('details', { view: inSpec, instance, node }).then(({ result }) => {
            const path = result.path.map(({ key }) => key);
            batch(() => {
              if (picked.peek()?.place.node === node) {
                picked.value = { spec: inSpec, place: { instance, node, nodes: [] }, path };
              }
              pickPath(path);
            });
          }, app.notices.fail);
        },
        unpick() {
          picked.value = undefined;
          pickPath([]);
        },
      },
      zoom,
      controller,
      search: keep(answers(app.engine, 'search', searched)),
    };
  });

  const ranked = computed(() => rankedRoles(roles.length, state.value.ranked));
  const pairsSpec = distinct(() => {
    const pair = ranked.value;
    if (app.profile.spec.value === undefined || pair === undefined) return undefined;
    const others = (role: number) => !pair.includes(role);
    return roleSpec(app.profile.spec.value, pair[0], state.value.chosen, others);
  });
  const pairsInput = computed(() => {
    const pair = ranked.value;
    const view = pairsSpec.value;
    if (view === undefined || pair === undefined) return undefined;
    return { view, first: pair[0], second: pair[1], count: MOST_PAIRS };
  });
  const pairs = keep(answers(app.engine, 'pairs', pairsInput));

  // Keys mean nothing at another granularity, and paths differ by shape.
  const treeKind = computed(() => {
    const { granularity, shape, document, members } = app.view.value;
    return `${granularity} ${shape} ${document} ${members}`;
  });
  disposers.push(
    followFormulas(app),
    effect(() => {
      treeKind.value;
      for (const pane of panes) pane.zoom.value = NO_ZOOM;
    }),
    // The details panel shows the frame of the pane that was used last, or the whole of it.
    effect(() => {
      const chosen = panes.filter((pane) => pane.path.value.length > 0);
      const used = (among: readonly Pane[]) => among.find(({ role }) => role === active.value);
      const shown = used(chosen) ?? chosen.at(-1) ?? used(panes) ?? panes[0];
      const spec = shown?.spec.value;
      const path = shown?.path.value ?? [];
      const known = app.profile.selection.target.peek();
      if (spec === undefined) return;
      const same = known !== undefined && specKey(known.spec) === specKey(spec);
      if (same && known.path?.join() === path.join()) return;
      app.profile.selection.pick({ spec, place: path.length === 0 ? PROGRAM : undefined, path });
    }),
  );
  return {
    panes,
    ranked,
    pairs,
    dispose() {
      for (const stop of disposers) stop();
    },
  };
}

/** What a node is called: bottom-up the function with the caller where the node ends. */
function labelOf({ nodes }: Place, spec: ViewSpec): string | undefined {
  const [first, last] = [nodes[0]?.name, nodes.at(-1)?.name];
  return isInnermostFirst(spec.shape.kind) && nodes.length > 1 ? `${first} ← ${last}` : last;
}
