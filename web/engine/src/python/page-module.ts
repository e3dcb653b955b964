import type { ScriptEngine } from './profile.ts';
import type { FromScripts } from './messages.ts';

/** Profiles that one script may have the page open, and bytes that they may have together. */
const MOST_SHOWN = 20;
const MOST_SHOWN_BYTES = 2 ** 28;
/** Milliseconds between what is told of progress. */
const PAUSE_MS = 100;
const MOST_NAME = 200;

/** Bytes as Python hands them over: an array, or a stand-in for an object that has bytes. */
type Bytes = Uint8Array | { toJs(): unknown; destroy?(): void };

/** What the package `hotframe` calls in a page: Python knows it as the module `_hotframe_page`. */
export interface PageModule {
  /** Has the engine answer a request: all frames that it sends, the last is the answer. */
  take(frame: Bytes): readonly Uint8Array[];
  /** The number of the profile that scripts work on. */
  document(): number;
  /** The numbers of what it was made of; its own where it was opened. */
  documents(): readonly number[];
  /** What people call it. */
  name(): string;
  /** Has the page open a profile, as a file of Hotframe's own format, beside the others. */
  show(name: string, bytes: Bytes): void;
  /** Tells how far the script is; `total` is 0 where that is not known. */
  progress(phase: string, done: number, total: number): void;
}

/** The module, and how to begin another script. */
export function createPageModule(
  engine: ScriptEngine,
  tell: (message: FromScripts, transfer?: readonly Transferable[]) => void,
  now: () => number,
): { readonly module: PageModule; reset(): void } {
  let shown = 0;
  let shownBytes = 0;
  let told = Number.NEGATIVE_INFINITY;
  const module: PageModule = {
    take: (frame) => engine.take(bytesOf(frame, 'take')),
    document: () => engine.document,
    documents: () => engine.documents,
    name: () => engine.name,
    show(name, given) {
      if (typeof name !== 'string') throw new TypeError('show: the name must be a text');
      if (++shown > MOST_SHOWN) {
        throw new RangeError(
          `show: the page opens at most ${MOST_SHOWN} profiles of one run of a script: show fewer, ` +
            'or merge some by hotframe.merge([...]) and show that',
        );
      }
      const own = bytesOf(given, 'show');
      shownBytes += own.length;
      if (shownBytes > MOST_SHOWN_BYTES) {
        throw new RangeError(
          'show: the page takes at most 256 MiB of profiles of one run of a script: show fewer, ' +
            'or smaller ones, such as of trees with filters',
        );
      }
      // What is sent away is a copy, for the script goes on with its own.
      const bytes = own.slice().buffer;
      tell({ kind: 'show', name: name.slice(0, MOST_NAME), bytes }, [bytes]);
    },
    progress(phase, done, total) {
      if (now() - told < PAUSE_MS) return;
      told = now();
      tell({
        kind: 'progress',
        phase: String(phase).slice(0, MOST_NAME),
        done: Number(done) || 0,
        total: Number(total) || 0,
      });
    },
  };
  return {
    module,
    reset() {
      shown = 0;
      shownBytes = 0;
      told = Number.NEGATIVE_INFINITY;
    },
  };
}

function bytesOf(given: Bytes, who: string): Uint8Array {
  if (given instanceof Uint8Array) return given;
  const bytes: unknown = typeof given?.toJs === 'function' ? given.toJs() : undefined;
  if (bytes instanceof Uint8Array) return bytes;
  throw new TypeError(`${who}: bytes are wanted`);
}
