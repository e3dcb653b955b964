import type { FromScripts, PythonParts, ToScripts } from '@hotframe/engine';
import type { EditorModule } from './editor.ts';

/** What the page asks of what it lives in to run scripts: nothing of it is loaded before it is asked for. */
export interface PythonHost {
  /** Why there is no Python here and how to get it, as a sentence; undefined where there is. */
  readonly lacking: string | undefined;
  /** What the worker needs; fails where it cannot be had. */
  parts(): Promise<PythonParts>;
  /** Starts a worker that runs scripts and has no network. */
  worker(): Promise<ScriptWorker>;
  editor(): Promise<EditorModule>;
}

/** A worker of scripts, as far as the page has to do with it. */
export interface ScriptWorker {
  post(message: ToScripts, transfer?: readonly Transferable[]): void;
  /** Hears what it sends, and `fault` where it ended by itself. */
  listen(listener: (message: FromScripts) => void): void;
  end(): void;
}

/** A worker of the browser as one of scripts. */
export function scriptWorker(worker: Worker): ScriptWorker {
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    listen(listener) {
      worker.onmessage = ({ data }: MessageEvent<FromScripts>) => listener(data);
      worker.onerror = (event) => {
        event.preventDefault();
        listener({ kind: 'fault', message: event.message || 'its worker does not start' });
      };
    },
    end: () => worker.terminate(),
  };
}
