import { longestEnd } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Dropped } from './dropped.ts';

/** Longest source that is shown, in bytes; the engine has the same. */
const MOST_BYTES = 8 * 2 ** 20;

/** A folder of sources that somebody chose or dropped: the page reads it, and sends it nowhere. */
export interface SourceFolder {
  /** Its files; undefined while none was chosen. */
  readonly files: ReadonlySignal<readonly Dropped[] | undefined>;
  choose(files: readonly Dropped[]): void;
}

export function createSourceFolder(): SourceFolder {
  const files = signal<readonly Dropped[] | undefined>(undefined);
  return {
    files,
    choose(chosen) {
      files.value = chosen;
    },
  };
}

/** The file that a path may mean, by the longest end that they have in common; else why there is none. */
export function fileOf(
  files: readonly Dropped[],
  wanted: string,
): { readonly found: Dropped; readonly common: number } | { readonly problem: string } {
  const { best, common } = longestEnd(files, ({ path }) => path, wanted);
  const [found, other] = best;
  if (found === undefined) {
    return { problem: `The chosen folder has no file ${wanted.split(/[\\/]/).at(-1) ?? ''}` };
  }
  if (other !== undefined) {
    return { problem: `It may be ${found.path} or ${other.path}: choose a folder further in` };
  }
  return { found, common };
}

/** The text of a source file; fails where it is none. */
export async function textOf({ path, file }: Dropped): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(`${path} has more than 8 MiB: it is not a source`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) throw new Error(`${path} is not text`);
  return new TextDecoder().decode(bytes);
}
