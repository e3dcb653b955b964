import { type DocumentInfo, type Engine, partsOf, renumbered } from '@hotframe/engine';
import { visible } from '../text/names.ts';
import type { Store } from './host.ts';
import { asEngineError } from './resource.ts';

/** What a process had open. */
export interface Opened {
  readonly session: string;
  readonly documents: readonly DocumentInfo[];
}

/** What a document of another process is in the one that answers. */
export interface Again {
  /** Its number; undefined where it is not there. */
  readonly document?: number;
  /** Why it is not. */
  readonly problem?: string;
  /** Whether something was made for it just now. */
  readonly isNew: boolean;
}

const STORAGE_KEY = 'hotframe.opened';

/** What was open when the tab was loaded before; undefined where nothing is known. */
export function recall(tab: Store): Opened | undefined {
  try {
    const kept = JSON.parse(tab.getItem(STORAGE_KEY) ?? 'null') as Partial<Opened> | null;
    const { session, documents } = kept ?? {};
    if (typeof session !== 'string' || !Array.isArray(documents)) return undefined;
    return { session, documents };
  } catch {
    return undefined;
  }
}

/** Keeps what is open for the next time that the tab is loaded. */
export function remember(tab: Store, opened: Opened): void {
  tab.setItem(STORAGE_KEY, JSON.stringify(opened));
}

/** What it takes to find a document again, or why that is impossible. */
type Found = { readonly document: number } | { readonly problem: string };

/**
 * Another process numbers documents anew: finds the one of the same name, or makes it again of those
 * that it was made of.
 */
export async function findAgain(
  engine: Engine,
  wanted: DocumentInfo,
  before: readonly DocumentInfo[],
  now: readonly DocumentInfo[],
): Promise<Again> {
  let isNew = false;

  /** A document that was read. */
  function read({ document, name }: DocumentInfo): number | undefined {
    const isIt = (info: DocumentInfo) => info.name === name && info.made_by === null;
    const [then, those] = [before.filter(isIt), now.filter(isIt)];
    // One that is open several times is told by its place.
    const at =
      then.length === those.length ? then.findIndex((one) => one.document === document) : 0;
    return then.length === those.length || those.length === 1 ? those[at]?.document : undefined;
  }

  async function again(info: DocumentInfo): Promise<Found> {
    const request = info.made_by;
    if (request === null) {
      const document = read(info);
      return document === undefined ? { problem: lost([info.title]) } : { document };
    }
    const numbers = new Map<number, number>();
    const missing: string[] = [];
    for (const part of partsOf(request)) {
      const known = before.find(({ document }) => document === part);
      const found = known && (await again(known));
      if (found !== undefined && 'document' in found) numbers.set(part, found.document);
      else missing.push(known?.title ?? 'a document that was closed');
    }
    const cannot = `${visible(info.title)} cannot be made again:`;
    if (missing.length > 0) return { problem: `${cannot} ${lost(missing)}` };
    const there = renumbered(request, numbers);
    const text = JSON.stringify(there);
    const made = now.find(({ made_by: other }) => JSON.stringify(other) === text);
    if (made !== undefined) return { document: made.document };
    try {
      const { method, ...params } = there;
      const { result } = await engine.call(method, params as never);
      isNew = true;
      return { document: (result as { readonly document: number }).document };
    } catch (error) {
      return { problem: `${cannot} ${asEngineError(error).message}` };
    }
  }

  return { ...(await again(wanted)), isNew };
}

function lost(titles: readonly string[]): string {
  const names = titles.map(visible).join(' and ');
  return `${names} ${titles.length === 1 ? 'is' : 'are'} not open in the Hotframe that answers now.`;
}
