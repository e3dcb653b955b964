import { partsOf, type Progress } from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { App } from '../app.ts';
import type { Editor } from './editor.ts';
import type { PythonHost } from './host.ts';
import { createSaved, type SavedScript, type SavedScripts } from './saved.ts';
import { createResults } from './results.ts';
import { createScripts, type OfProfile, type Scripts } from './scripts.ts';

/** What is in the pane, which stays while it is closed. */
export interface PythonPane {
  readonly host: PythonHost;
  readonly scripts: Scripts;
  readonly saved: SavedScripts;
  readonly script: Signal<SavedScript>;
  /** What a run works on: the profile that is shown or, where that is a result of this script, what it was made of. */
  readonly profile: ReadonlySignal<OfProfile | undefined>;
  /** What it may work on: two where a result of this script is shown, which comes last. */
  readonly choices: ReadonlySignal<readonly OfProfile[]>;
  /** Has runs work on one of the choices. */
  choose(document: number): void;
  /** The editor, once it is loaded and while it is on the page. */
  readonly editor: Signal<Editor | undefined>;
  /** Puts a script into the editor. */
  put(script: SavedScript): void;
  run(): void;
}

export const FIRST: SavedScript = {
  name: '',
  text: '# `profile` is the profile that is shown.\nprint(profile)\n',
};

/** Milliseconds that output waits for more. */
const DRAWING_MS = 30;

const panes = new WeakMap<App, PythonPane>();

/** The pane of a page with what scripts need. */
export function paneOf(app: App, python: PythonHost): PythonPane {
  const known = panes.get(app);
  if (known !== undefined) return known;
  const pane = createPane(app, python);
  panes.set(app, pane);
  return pane;
}

function createPane(app: App, python: PythonHost): PythonPane {
  const { engine, host, documents, upload, notices } = app;
  const saved = createSaved(host.store);
  const results = createResults(documents.list);
  /** One after the other: what is opened ends what is being opened. */
  let opening = Promise.resolve();
  const scripts = createScripts({
    engine,
    host: python,
    show(name, bytes, work) {
      const file = new File([bytes], fileName(name));
      opening = opening
        .then(async () => {
          for (const document of await upload.send([file])) results.keep(document, work);
        })
        .catch(notices.fail);
    },
    later: (run) => void setTimeout(run, DRAWING_MS),
  });
  const script = signal<SavedScript>(saved.draft ?? FIRST);
  const numbers = createNumbers(script.peek());
  const shown = computed<OfProfile | undefined>(() => {
    const status = documents.status.value;
    const document = documents.shown.value;
    if (status.kind !== 'ready' || status.shows !== 'profile' || document === undefined) {
      return undefined;
    }
    const titles = new Map(documents.list.value?.map((one) => [one.document, one.title]));
    const made = documents.list.value?.find((one) => one.document === document)?.made_by;
    const parts = partsOf(made ?? { method: 'merge', documents: [] }).map((part) => ({
      document: part,
      name: titles.get(part) ?? `profile ${part}`,
    }));
    const listed = documents.named.value ?? document;
    return { document, listed, name: status.title, parts, made: made ?? undefined };
  });
  const choices = computed<readonly OfProfile[]>(() => {
    const now = shown.value;
    if (now === undefined) return [];
    const source = results.madeOf(now.document, numbers.now.value);
    return source === undefined ? [now] : [source, now];
  });
  const chosen = signal<number | undefined>(undefined);
  const profile = computed(
    () => choices.value.find(({ document }) => document === chosen.value) ?? choices.value[0],
  );
  const editor = signal<Editor | undefined>(undefined);
  return {
    host: python,
    scripts,
    saved,
    script,
    profile,
    choices,
    choose(document) {
      chosen.value = document;
    },
    editor,
    put(next) {
      numbers.put(script.peek(), next);
      script.value = next;
      saved.keepDraft(next);
      editor.peek()?.setText(next.text);
    },
    run() {
      const of = profile.peek();
      if (of === undefined) return;
      void scripts.run(script.peek().text, { script: numbers.now.peek(), of });
    },
  };
}

/** Numbers scripts: one keeps its number while it is edited, and under its name. */
export function createNumbers(first: SavedScript): {
  readonly now: ReadonlySignal<number>;
  /** Another script, or the same, takes the place of one. */
  put(before: SavedScript, next: SavedScript): void;
} {
  const now = signal(1);
  let last = 1;
  const named = new Map([[first.name, 1]]);
  return {
    now,
    put(before, { name, text }) {
      const known = name === '' ? undefined : named.get(name);
      now.value = text === before.text ? now.peek() : (known ?? ++last);
      named.set(name, now.peek());
    },
  };
}

/** What a profile is called that a script shows; it is not a path, whatever the script says. */
export function fileName(name: string): string {
  const words = name
    .replace(/\.hotframe$/, '')
    .replaceAll(/[\p{C}/\\]+/gu, ' ')
    .trim();
  return `${words === '' ? 'from a script' : words}.hotframe`;
}

/** Whether somebody knows how much there is to do. */
export function isKnownProgress(progress: Progress | undefined): progress is Progress {
  return progress !== undefined && progress.total > 0;
}
