import path from 'node:path';

/** Who takes the samples. */
export const RECORDERS = ['perf', 'python', 'go', 'node', 'java', 'cargo'] as const;
export type Recorder = (typeof RECORDERS)[number];

/** What is recorded, and how: the properties of a task of the type `hotframe`. */
export interface Wanted {
  /** The program and its arguments. */
  readonly command?: readonly string[];
  /** A process that runs already, in place of a command. */
  readonly pid?: number;
  /** How many seconds of it; until it is stopped without. */
  readonly seconds?: number;
  /** Who records; the program tells it without. */
  readonly recorder?: Recorder;
  /** How perf finds call stacks. */
  readonly callGraph?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Something that can be recorded here. */
export interface Offer {
  /** What it is called; profiles are named after it. */
  readonly title: string;
  readonly wanted: Wanted;
  /** What is run before: the program is built into a file, which then is the command's first word. */
  readonly build?: { readonly cwd: string; command(file: string): readonly string[] };
  /** The task of the workspace that is run before. */
  readonly before?: string;
}

/** Who records a command, as its program tells. */
export function recorderOf([program = '', first = '']: readonly string[]): Recorder {
  const name = path.basename(program).replace(/\.exe$/i, '');
  if (/^(python|pypy)[\d.]*$|^(py\.test|pytest|py)$/.test(name)) return 'python';
  if (name === 'node') return 'node';
  if (name === 'java') return 'java';
  if (name === 'go' && (first === 'test' || first === 'run')) return 'go';
  if (name === 'cargo') return 'cargo';
  return 'perf';
}

/** What a task of tasks.json wants; what cannot be, is told. */
export function wantedOf(definition: Readonly<Record<string, unknown>>): Wanted {
  const { command, pid, seconds, recorder, callGraph, cwd, env } = definition;
  const isList = Array.isArray(command) && command.every((word) => typeof word === 'string');
  if (command !== undefined && !(isList && command.length > 0)) {
    throw new Error('"command" is a list: the program and its arguments, each a text of its own.');
  }
  if (pid !== undefined && !(Number.isInteger(pid) && Number(pid) > 0)) {
    throw new Error('"pid" is the number of a process.');
  }
  if ((command === undefined) === (pid === undefined)) {
    throw new Error('A task of the type "hotframe" has either a "command" or a "pid".');
  }
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds > 0)) {
    throw new Error('"seconds" is a number above 0.');
  }
  if (recorder !== undefined && !RECORDERS.includes(recorder as Recorder)) {
    throw new Error(`"recorder" is one of ${RECORDERS.join(', ')}.`);
  }
  for (const [name, value] of Object.entries({ callGraph, cwd })) {
    if (value !== undefined && typeof value !== 'string') throw new Error(`"${name}" is a text.`);
  }
  const values = env === undefined ? [] : env === null ? [env] : Object.values(env);
  if (!values.every((value) => typeof value === 'string')) {
    throw new Error('"env" has a text for each name.');
  }
  const all = { command, pid, seconds, recorder, callGraph, cwd, env };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
