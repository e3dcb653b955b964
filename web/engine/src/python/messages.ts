import type { MadeBy } from '../generated/protocol.ts';

/** What Python needs besides the worker's own code; the page brings it, for the worker has no network. */
export interface PythonParts {
  /** CPython as WebAssembly. */
  readonly interpreter: ArrayBuffer;
  /** Its standard library, as a zip archive. */
  readonly library: ArrayBuffer;
  /** Sources of the package `hotframe`, by path. */
  readonly sources: Readonly<Record<string, string>>;
  /** The engine as WebAssembly, for the profile that a script works on. */
  readonly engine: ArrayBuffer;
}

/** The profile that a script is given. */
export interface HandedProfile {
  readonly name: string;
  /** As a file of Hotframe's own format. */
  readonly bytes: ArrayBuffer;
}

/** What scripts work on. */
export interface Handed {
  /** One profile, or those that what is shown was made of. */
  readonly profiles: readonly HandedProfile[];
  /** The request that made it; its documents are places in `profiles`. */
  readonly made: MadeBy | undefined;
}

/** What the page sends to the worker of scripts. */
export type ToScripts =
  | { readonly kind: 'begin'; readonly parts: PythonParts }
  | {
      readonly kind: 'run';
      readonly source: string;
      readonly handed: Handed;
    }
  | { readonly kind: 'complete'; readonly id: number; readonly text: string };

/** One of the two streams of a script. */
export type Stream = 'stdout' | 'stderr';

/** Where and how a script failed. */
export interface ScriptError {
  /** The line of the script, from 1; undefined where it is none of it. */
  readonly line: number | undefined;
  /** The last line of the traceback: what went wrong. */
  readonly message: string;
  /** The traceback, without frames that are not the script's own. */
  readonly traceback: string;
}

/** What the worker of scripts sends to the page. */
export type FromScripts =
  /** Scripts can be run; `python` is the version of the interpreter. */
  | { readonly kind: 'ready'; readonly python: string }
  | { readonly kind: 'written'; readonly stream: Stream; readonly text: string }
  /** So many characters were left out here, for more was written than is of use. */
  | { readonly kind: 'dropped'; readonly characters: number }
  | {
      readonly kind: 'progress';
      readonly phase: string;
      readonly done: number;
      readonly total: number;
    }
  /** A profile that is to be opened beside the others. */
  | { readonly kind: 'show'; readonly name: string; readonly bytes: ArrayBuffer }
  | { readonly kind: 'ended'; readonly error: ScriptError | undefined }
  | { readonly kind: 'completions'; readonly id: number; readonly names: readonly string[] }
  /** The interpreter is gone: another worker is needed. */
  | { readonly kind: 'fault'; readonly message: string };
