import type { RunForm, RunRecorder } from '@hotframe/engine';
import type { Choice } from '../view-state.ts';
import { EMPTY_ROW, type FactorRow, factorsOf, valuesOf, versionsOf } from './levels.ts';

/** What somebody wants to know; each begins the form otherwise. */
export type Entry = 'calls' | 'statistics' | 'environments';

export const ENTRIES: readonly Choice<Entry>[] = [
  {
    value: 'calls',
    label: 'Call stack',
    title: 'Every call in its order: what calls what, when, and for how long.',
  },
  {
    value: 'statistics',
    label: 'Statistics',
    title: 'Calls and time of each function, over several runs, with their scatter.',
  },
  {
    value: 'environments',
    label: 'Environments',
    title: 'The same program with other interpreters, packages and parameters, compared.',
  },
];

export const RECORDERS: readonly Choice<RunRecorder>[] = [
  { value: 'calls', label: 'Every call', title: 'Traced, in order; makes small functions slower' },
  { value: 'cprofile', label: 'cProfile', title: 'Calls and time of each function' },
  { value: 'samples', label: 'Samples', title: 'From outside, for runs of a second or more' },
  { value: 'time', label: 'Time alone', title: 'How long it takes and how much memory it needs' },
];

/** What is typed and chosen. */
export interface Draft {
  readonly entry: Entry;
  readonly recorder: RunRecorder;
  /** A file of the upload. */
  readonly script: string;
  readonly words: string;
  readonly interpreters: readonly string[];
  readonly requirements: readonly FactorRow[];
  readonly parameters: readonly FactorRow[];
  readonly variables: readonly FactorRow[];
  /** How often each cell runs. */
  readonly runs: number;
  /** Seconds that a run may take. */
  readonly timeout: number;
}

/** What an entry begins with; everything can be changed. */
const BEGINNINGS: Readonly<Record<Entry, Pick<Draft, 'recorder' | 'runs'>>> = {
  calls: { recorder: 'calls', runs: 1 },
  statistics: { recorder: 'cprofile', runs: 5 },
  environments: { recorder: 'cprofile', runs: 3 },
};

export const EMPTY_DRAFT: Draft = {
  entry: 'calls',
  ...BEGINNINGS.calls,
  script: '',
  words: '',
  interpreters: [],
  requirements: [],
  parameters: [],
  variables: [],
  timeout: 60,
};

/** The same with another entry. */
export function withEntry(draft: Draft, entry: Entry): Draft {
  const wantsPackage = entry === 'environments' && draft.requirements.length === 0;
  const requirements = wantsPackage ? [EMPTY_ROW] : draft.requirements;
  return { ...draft, ...BEGINNINGS[entry], entry, requirements };
}

/** The names of parameters that the arguments do not have; they are given last, in this order. */
export function givenLast({ words, parameters }: Draft): readonly string[] {
  const names = parameters.map(({ name }) => name.trim()).filter((name) => name !== '');
  return [...new Set(names)].filter((name) => !words.includes(`{${name}}`));
}

/** The form as the engine reads it. */
export function formOf(draft: Draft, name: string): RunForm {
  const script = draft.script === '' ? '' : quoted(draft.script);
  const last = givenLast(draft).map((given) => `{${given}}`);
  const command = ['python3', script, draft.words.trim(), ...last];
  return {
    name,
    command: command.filter((word) => word !== '').join(' '),
    recorder: draft.recorder,
    interpreters: [...draft.interpreters],
    requirements: factorsOf(draft.requirements, versionsOf),
    parameters: factorsOf(draft.parameters, valuesOf),
    variables: factorsOf(draft.variables, valuesOf),
    runs: draft.runs,
    timeout_s: draft.timeout,
  };
}

/** What results of a file are called: its name without endings, of letters that a plan may have. */
export function planName(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const stem = base.replace(/(\.tar)?\.[A-Za-z0-9]+$/, '');
  const plain = stem.replace(/[^A-Za-z0-9 _.-]+/g, '-').slice(0, 64);
  return /[A-Za-z0-9]/.test(plain) ? plain : 'program';
}

/** A word of a command, quoted where a shell would part it. */
function quoted(word: string): string {
  return /^[\w./+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** What a form of a tab that was loaded before had; what does not fit is as at the beginning. */
export function readDraft(text: string | null): Draft {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Record<keyof Draft, unknown>> | null;
    if (typeof kept !== 'object' || kept === null) return EMPTY_DRAFT;
    const fits = Object.entries(kept).filter(
      ([key, value]) => key in EMPTY_DRAFT && isLike(value, EMPTY_DRAFT[key as keyof Draft]),
    );
    return { ...EMPTY_DRAFT, ...Object.fromEntries(fits) };
  } catch {
    return EMPTY_DRAFT;
  }
}

function isLike(value: unknown, standard: unknown): boolean {
  return typeof value === typeof standard && Array.isArray(value) === Array.isArray(standard);
}
