import { type ReadonlySignal, signal } from '@preact/signals';
import type { Store } from '../host.ts';

/** What people wrote, in the order of their names, and what they were at. */
export interface SavedScripts {
  readonly all: ReadonlySignal<readonly SavedScript[]>;
  /** Keeps a script under its name, in the place of another of that name. */
  save(script: SavedScript): void;
  remove(name: string): void;
  /** What was in the editor last; undefined at first. */
  readonly draft: SavedScript | undefined;
  keepDraft(script: SavedScript): void;
}

export interface SavedScript {
  /** Empty for one that nobody named. */
  readonly name: string;
  readonly text: string;
}

const SCRIPTS = 'hotframe.scripts';
const DRAFT = 'hotframe.script';
const MOST_NAME = 100;

/** The scripts that a store has. */
export function createSaved(store: Store): SavedScripts {
  const all = signal(parse(store.getItem(SCRIPTS)).filter(({ name }) => name !== ''));
  const keep = (scripts: readonly SavedScript[]) => {
    const sorted = [...scripts].sort((one, other) => one.name.localeCompare(other.name));
    // A store that is full says so, and what it has stays.
    store.setItem(SCRIPTS, JSON.stringify(sorted));
    all.value = sorted;
  };
  const others = (name: string) => all.peek().filter((script) => script.name !== name);
  return {
    all,
    save: ({ name, text }) => keep([...others(name), { name: name.slice(0, MOST_NAME), text }]),
    remove: (name) => keep(others(name)),
    draft: parse(store.getItem(DRAFT))[0],
    keepDraft(script) {
      try {
        store.setItem(DRAFT, JSON.stringify([script]));
      } catch {
        // It is on the page still; saving it under a name says what is wrong.
      }
    },
  };
}

/** What was kept; what is not a script is left out. */
function parse(text: string | null): readonly SavedScript[] {
  let known: unknown;
  try {
    known = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(known)) return [];
  return known.filter((one: unknown): one is SavedScript => {
    const { name, text } = (one ?? {}) as Partial<SavedScript>;
    return typeof name === 'string' && typeof text === 'string';
  });
}
