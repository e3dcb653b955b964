import type { Engine, ViewSpec } from '@hotframe/engine';
import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import { distinct } from '../../state/distinct.ts';
import { type Loaded, resource } from '../../state/resource.ts';
import type { Pointed } from './hit.ts';
import { type Item, type ItemKey, loadItem } from './items.ts';
import type { TimelineScene } from './loading.ts';
import type { TimelineViewState } from './state.ts';

/** What is pointed at for so long is asked about. */
const ASK_MS = 120;

/** What is selected and what is pointed at, and all about both. */
export function createChoosing(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<{ readonly spec: ViewSpec; readonly view: TimelineViewState }>;
  readonly scene: ReadonlySignal<TimelineScene | undefined>;
  readonly hovered: ReadonlySignal<Pointed | undefined>;
  /** Keys are for a track now. */
  pointTo(track: number): void;
  update(view: Partial<TimelineViewState>, step: 'push' | 'replace'): void;
  /** What is selected is known; its call path in the flame graph, and whether it was pointed at just now. */
  select(path: readonly number[], isPointed: boolean): void;
}) {
  const { engine, input, scene, hovered } = options;
  type Asked = { readonly spec: ViewSpec; readonly key: ItemKey };
  const itemInput = distinct((): Asked | undefined => {
    const { spec, view } = input.value;
    const key = keyOf(view);
    return key && { spec, key };
  });
  const load = ({ spec, key }: Asked, abort: AbortSignal) => loadItem(engine, spec, key, abort);
  const { state: selected, dispose: stopSelected } = resource(itemInput, load);
  const hoveredInput = distinct((): Asked | undefined => {
    const [at, drawn] = [hovered.value, scene.value];
    if (at?.kind !== 'bar' || drawn === undefined) return undefined;
    const key = keyAt(drawn, at.bar);
    return key && { spec: input.value.spec, key };
  });
  const { state: told, dispose: stopTold } = resource(hoveredInput, async (asked, abort) => {
    await new Promise((done) => setTimeout(done, ASK_MS));
    abort.throwIfAborted();
    return load(asked, abort);
  });

  /** Selects a span or a frame; one that is pointed at leads to its source in an editor. */
  function select(key: ItemKey | undefined, isPointed = false): void {
    chosen = key === undefined ? undefined : { isPointed };
    options.update({ span: key?.span, frame: key?.frame }, 'replace');
  }
  let chosen: { readonly isPointed: boolean } | undefined;
  let lastKey = '';
  const stopSelection = effect(() => {
    const { value: item, pending } = selected.value;
    if (item === undefined || pending) return;
    if (item.track !== undefined) options.pointTo(item.track);
    const now = chosen;
    chosen = undefined;
    // The same one in another view selects nothing anew.
    const key = JSON.stringify(item.key);
    if (key === lastKey && now === undefined) return;
    lastKey = key;
    untracked(() => options.select(item.path, now?.isPointed === true));
  });

  /** The bar of what is selected in the picture, if it is in it. */
  function selectedBar(): number | undefined {
    const key = keyOf(input.peek().view);
    const drawn = scene.peek();
    if (key === undefined || drawn === undefined) return undefined;
    const { columns } = drawn.answer;
    if (key.span !== undefined) {
      const bar = columns.bar_span.indexOf(key.span + 1);
      return bar < 0 ? undefined : bar;
    }
    const item = selected.peek().value;
    if (item?.key.frame === undefined) return undefined;
    const of = item.track === undefined ? -1 : drawn.tracks.indexOf(item.track);
    for (let bar = 0; bar < columns.bar_of.length; bar++) {
      const isThere =
        columns.bar_of[bar] === of &&
        columns.bar_point[bar]! > 0 &&
        columns.bar_depth[bar] === key.frame.depth;
      if (!isThere || columns.bar_begin[bar]! > item.begin) continue;
      if (columns.bar_end[bar]! > item.begin) return bar;
    }
    return undefined;
  }

  return {
    selected: selected as ReadonlySignal<Loaded<Item>>,
    told: told as ReadonlySignal<Loaded<Item>>,
    select,
    selectedBar,
    dispose() {
      stopSelection();
      stopSelected();
      stopTold();
    },
  };
}

function keyOf({ span, frame }: TimelineViewState): ItemKey | undefined {
  if (span !== undefined) return { span };
  return frame === undefined ? undefined : { frame };
}

/** What a bar is of. */
export function keyAt({ answer: { columns } }: TimelineScene, bar: number): ItemKey | undefined {
  const span = columns.bar_span[bar]!;
  const point = columns.bar_point[bar]!;
  if (span > 0) return { span: span - 1 };
  return point > 0 ? { frame: { point: point - 1, depth: columns.bar_depth[bar]! } } : undefined;
}
