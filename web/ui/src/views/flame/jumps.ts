import type { FunctionRef } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals';
import type { Scene } from '../../canvas/scene.ts';
import type { FlameOptions } from './controller.ts';
import { createFinding, findFunction, matchBeside, type Matches, placeOf } from './finding.ts';
import { type BoxPlace, keysOf } from './moves.ts';

/** What is found in a flame graph, and the ways there. */
export interface Jumps {
  /** What the search finds, and which of it is selected; undefined where that is not known yet. */
  readonly matches: ReadonlySignal<(Matches & { readonly at: number | undefined }) | undefined>;
  /** Selects the next match, from elsewhere the widest one; waits for what is being found. */
  jumpToMatch(by: 1 | -1): void;
  /** Selects the widest frame of a function; whether there is one. */
  jumpToFunction(of: FunctionRef): Promise<boolean>;
  dispose(): void;
}

export function createJumps(
  { engine, input, selection, onPick }: Omit<FlameOptions, 'setZoom'>,
  scene: ReadonlySignal<Scene | undefined>,
  bringIntoSight: (place: BoxPlace) => void,
): Jumps {
  const finding = createFinding(engine, scene);
  /** A jump that was asked for before the matches were known. */
  let awaited: 1 | -1 | undefined;

  /** Selects what was found. Of a frame that is not drawn the engine tells the way. */
  function select(current: Scene, found: Pick<Matches, 'instance' | 'places'>, at: number): void {
    const node = found.places.node[at]!;
    const isDrawn = current.result.instance === found.instance;
    const box = isDrawn ? current.indexOfNode.get(node) : undefined;
    const path = box === undefined ? undefined : keysOf(current, box);
    onPick(current.subject.spec, found.instance, node, path);
    bringIntoSight(placeOf(found, at));
  }

  function selectMatch(current: Scene, found: Matches, by: 1 | -1): void {
    const selected = selection.nodeIn(current.subject.spec, found.instance);
    const match = matchBeside(found, selected, by);
    if (match !== undefined) select(current, found, match);
  }

  const stop = effect(() => {
    const found = finding.matches.value;
    const current = scene.peek();
    const by = awaited;
    if (found === undefined || current === undefined || by === undefined) return;
    if (found.search !== input.peek().search) return;
    awaited = undefined;
    untracked(() => selectMatch(current, found, by));
  });
  return {
    matches: computed(() => {
      const found = finding.matches.value;
      const current = scene.value;
      if (found === undefined || current === undefined) return undefined;
      const node = selection.nodeIn(current.subject.spec, found.instance);
      const at = node === undefined ? -1 : found.places.node.indexOf(node);
      return { ...found, at: at < 0 ? undefined : at };
    }),
    jumpToMatch(by) {
      const current = scene.peek();
      const found = finding.matches.peek();
      const { search } = input.peek();
      // What is found may be of the search before.
      if (current !== undefined && found?.search === search) selectMatch(current, found, by);
      else if (search !== '') awaited = by;
    },
    async jumpToFunction(of) {
      const current = scene.peek();
      if (current === undefined) return false;
      const found = await findFunction(engine, current, of);
      const isThere = found.places.node.length > 0;
      if (isThere) select(current, found, 0);
      return isThere;
    },
    dispose() {
      stop();
      finding.dispose();
    },
  };
}
