import { type Engine, isCancelled, type Progress } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { sendPieces, uploadNumbers } from './pieces.ts';
import { asEngineError } from './resource.ts';

export type UploadStatus =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'sending';
      readonly name: string;
      readonly sent: number;
      readonly total: number;
    }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly message: string;
      readonly hint: string;
      /** What the engine has of it; undefined where it did not get there. */
      readonly document: number | undefined;
    };

export interface Upload {
  readonly status: ReadonlySignal<UploadStatus>;
  /** Files are in the format of that name, or in any that is recognised. */
  send(files: readonly File[], format?: string): Promise<void>;
  cancel(): void;
  /** Puts a failure out of sight. */
  dismiss(): void;
}

/** What becomes of files that the engine has. */
export interface Uploaded {
  /** One was read; `alone` where no others come with it. */
  opened(document: number, alone: boolean): Promise<void>;
  /** All that came together were read. */
  together(documents: readonly number[]): void;
  /** One cannot be read; false where that is to be said beside what is shown. */
  failed(document: number): Promise<boolean>;
  /** One is not wanted any more. */
  dropped(document: number): Promise<void>;
}

/** Hands files that the page holds to the engine, piece by piece; they go nowhere else. */
export function createUpload(engine: Engine, uploaded: Uploaded): Upload {
  const status = signal<UploadStatus>({ kind: 'idle' });
  let controller: AbortController | undefined;
  const nextUpload = uploadNumbers();

  async function sendFile(
    file: File,
    format: string | undefined,
    abort: AbortSignal,
  ): Promise<number | undefined> {
    const upload = nextUpload();
    const { name, size } = file;
    const { result } = await sendPieces(
      file,
      ({ bytes, ...piece }) =>
        engine.call(
          'upload',
          { upload, name, ...piece, format: format ?? null },
          { columns: { bytes }, signal: abort },
        ),
      (sent) => {
        status.value = { kind: 'sending', name, sent, total: size };
      },
    );
    return result.document ?? undefined;
  }

  /** Waits until a document is read. */
  async function read(
    document: number,
    name: string,
    alone: boolean,
    abort: AbortSignal,
  ): Promise<void> {
    const onProgress = ({ done, total }: Progress) => {
      if (total > 0) status.value = { kind: 'sending', name, sent: done, total };
    };
    await engine.call('wait', { document }, { signal: abort, onProgress });
    await uploaded.opened(document, alone);
  }

  /** Sends a file and waits until it is read: its document, or what went wrong and is to be told. */
  async function take(
    file: File,
    format: string | undefined,
    alone: boolean,
    abort: AbortSignal,
  ): Promise<number | UploadStatus | undefined> {
    let document: number | undefined;
    try {
      document = await sendFile(file, format, abort);
      if (document !== undefined) await read(document, file.name, alone, abort);
      return document;
    } catch (error) {
      if (isCancelled(error)) {
        if (document !== undefined) await uploaded.dropped(document);
        return undefined;
      }
      if (document !== undefined && (await uploaded.failed(document))) return undefined;
      const { message, hint } = asEngineError(error);
      const { name } = file;
      // Who is told it has the name in front already.
      const told = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
      return { kind: 'failed', name, message: told, hint, document };
    }
  }

  return {
    status,
    async send(files, format) {
      controller?.abort();
      controller = new AbortController();
      const { signal: abort } = controller;
      let problem: UploadStatus | undefined;
      const read: number[] = [];
      for (const file of files) {
        if (abort.aborted) break;
        const taken = await take(file, format, files.length === 1, abort);
        if (typeof taken === 'number') read.push(taken);
        else problem = taken ?? problem;
      }
      if (controller.signal === abort) status.value = problem ?? { kind: 'idle' };
      if (files.length > 1) uploaded.together(read);
    },
    cancel() {
      controller?.abort();
    },
    dismiss() {
      status.value = { kind: 'idle' };
    },
  };
}
