import { type Engine, isCancelled } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { asEngineError } from './resource.ts';

/** Bytes a request: large enough to be fast, small enough for smooth progress. */
const PIECE_BYTES = 4 * 2 ** 20;

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
    };

export interface Upload {
  readonly status: ReadonlySignal<UploadStatus>;
  /** Files are in the format of that name, or in any that is recognised. */
  send(files: readonly File[], format?: string): Promise<void>;
  cancel(): void;
  /** Puts a failure out of sight. */
  dismiss(): void;
}

/** Hands files that the page holds to the engine, piece by piece; they go nowhere else. */
export function createUpload(engine: Engine, opened: (document: number) => Promise<void>): Upload {
  const status = signal<UploadStatus>({ kind: 'idle' });
  let controller: AbortController | undefined;
  // Several pages can share an engine, and each chooses its own upload numbers.
  let nextUpload = Math.floor(Math.random() * 2 ** 31);

  async function sendFile(
    file: File,
    format: string | undefined,
    abort: AbortSignal,
  ): Promise<number | undefined> {
    const upload = nextUpload++;
    let offset = 0;
    for (;;) {
      status.value = { kind: 'sending', name: file.name, sent: offset, total: file.size };
      const piece = await file.slice(offset, offset + PIECE_BYTES).arrayBuffer();
      const last = offset + piece.byteLength >= file.size;
      const { result } = await engine.call(
        'upload',
        { upload, name: file.name, offset, last, format: format ?? null },
        { columns: { bytes: new Uint8Array(piece) }, signal: abort },
      );
      offset += piece.byteLength;
      if (last) return result.document ?? undefined;
    }
  }

  return {
    status,
    async send(files, format) {
      controller?.abort();
      controller = new AbortController();
      const { signal: abort } = controller;
      for (const file of files) {
        try {
          const document = await sendFile(file, format, abort);
          if (document !== undefined) await opened(document);
        } catch (error) {
          if (isCancelled(error)) break;
          const { message, hint } = asEngineError(error);
          status.value = { kind: 'failed', name: file.name, message, hint };
          return;
        }
      }
      status.value = { kind: 'idle' };
    },
    cancel() {
      controller?.abort();
    },
    dismiss() {
      status.value = { kind: 'idle' };
    },
  };
}
