import { type Engine, isCancelled, type RunUpload } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Dropped } from '../dropped.ts';
import { sendPieces, uploadNumbers } from '../pieces.ts';
import { asEngineError } from '../resource.ts';
import { tarOf } from './tar.ts';

/** How far a program is on its way. */
export type SendingStatus =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'sending';
      readonly name: string;
      readonly sent: number;
      readonly total: number;
    }
  | {
      readonly kind: 'refused';
      readonly name: string;
      readonly message: string;
      readonly hint: string;
      /** What it was, where it may be something else. */
      readonly files: readonly File[];
    };

export interface Sending {
  readonly status: ReadonlySignal<SendingStatus>;
  /** Sends a program, several files as one; gives what is kept of it, if it is taken. */
  send(dropped: readonly Dropped[]): Promise<RunUpload | undefined>;
  cancel(): void;
  dismiss(): void;
}

/** Hands programs to the engine, which keeps them and runs nothing of it yet. */
export function createSending(engine: Engine): Sending {
  const status = signal<SendingStatus>({ kind: 'idle' });
  const nextUpload = uploadNumbers();
  let controller: AbortController | undefined;

  async function sendFile(
    blob: Blob,
    name: string,
    abort: AbortSignal,
  ): Promise<RunUpload | undefined> {
    const upload = nextUpload();
    const { result } = await sendPieces(
      blob,
      ({ bytes, ...piece }) =>
        engine.call(
          'run_upload',
          { upload, name, ...piece, format: null },
          { columns: { bytes }, signal: abort },
        ),
      (sent) => {
        status.value = { kind: 'sending', name, sent, total: blob.size };
      },
    );
    return result.upload ?? undefined;
  }

  return {
    status,
    async send(dropped) {
      const [only] = dropped;
      if (only === undefined) return undefined;
      controller?.abort();
      controller = new AbortController();
      const { signal: abort } = controller;
      const isOne = dropped.length === 1 && !only.path.includes('/');
      const name = isOne ? only.path : `${folderOf(dropped)}.tar`;
      try {
        const kept = await sendFile(isOne ? only.file : tarOf(dropped), name, abort);
        status.value = { kind: 'idle' };
        return kept;
      } catch (reason) {
        if (abort.aborted || isCancelled(reason)) {
          if (controller.signal === abort) status.value = { kind: 'idle' };
          return undefined;
        }
        const { message, hint } = asEngineError(reason);
        const files = dropped.map(({ file }) => file);
        status.value = { kind: 'refused', name, message, hint, files };
        return undefined;
      }
    },
    cancel: () => controller?.abort(),
    dismiss() {
      status.value = { kind: 'idle' };
    },
  };
}

/** What several files are called together: their folder, if they have one. */
function folderOf(dropped: readonly Dropped[]): string {
  const folders = new Set(dropped.map(({ path }) => path.split('/').slice(0, -1)[0] ?? ''));
  const [folder = ''] = folders;
  return folders.size === 1 && folder !== '' ? folder : 'program';
}
