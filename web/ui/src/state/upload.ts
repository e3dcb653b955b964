import { type Engine, type Given, isCancelled, type Progress } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Dropped, foldersOf } from './dropped.ts';
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
  /** Files are in the format of that name, or in any that is recognised; the documents that were read. */
  send(files: readonly File[], format?: string): Promise<readonly number[]>;
  /** The files of a drop or of a chosen folder: a folder that is one profile is opened as one. */
  sendTree(files: readonly Dropped[]): Promise<void>;
  cancel(): void;
  /** Puts a failure out of sight. */
  dismiss(): void;
}

/** One of several that are opened together. */
interface Part {
  readonly name: string;
  /** Hands it to the engine; gives the document. */
  send(abort: AbortSignal): Promise<number | undefined>;
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
  /** What was chosen last; others wait for it. */
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** What went wrong while others waited. */
  let unread: UploadStatus | undefined;
  const nextUpload = uploadNumbers();

  /** Has the engine open what it reads itself; undefined where that is not one document. */
  async function openHanded(
    name: string,
    files: readonly Given[],
    format: string | undefined,
    abort: AbortSignal,
  ): Promise<number | undefined> {
    const upload = nextUpload();
    engine.hand(upload, files);
    const whole = { upload, name, offset: 0, last: true, format: format ?? null };
    const { result } = await engine.call('upload', whole, { signal: abort });
    return result.document ?? undefined;
  }

  async function sendFile(
    file: File,
    format: string | undefined,
    abort: AbortSignal,
  ): Promise<number | undefined> {
    const { name, size } = file;
    if (engine.readsFiles) return openHanded(name, [{ path: undefined, file }], format, abort);
    const upload = nextUpload();
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
    name: string,
    send: () => Promise<number | undefined>,
    alone: boolean,
    abort: AbortSignal,
  ): Promise<number | UploadStatus | undefined> {
    let document: number | undefined;
    try {
      document = await send();
      if (document !== undefined) await read(document, name, alone, abort);
      return document;
    } catch (error) {
      if (isCancelled(error)) {
        if (document !== undefined) await uploaded.dropped(document);
        return undefined;
      }
      if (document !== undefined && (await uploaded.failed(document))) return undefined;
      const { message, hint } = asEngineError(error);
      // Who is told it has the name in front already.
      const told = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
      return { kind: 'failed', name, message: told, hint, document };
    }
  }

  /** Opens what was chosen together; nothing else is being opened then. */
  async function takeAll(parts: readonly Part[], abort: AbortSignal): Promise<readonly number[]> {
    let problem: UploadStatus | undefined = unread;
    unread = undefined;
    const read: number[] = [];
    for (const { name, send } of parts) {
      if (abort.aborted) break;
      const taken = await take(name, () => send(abort), parts.length === 1, abort);
      if (typeof taken === 'number') read.push(taken);
      else problem = taken ?? problem;
    }
    status.value = problem ?? { kind: 'idle' };
    // What comes next does not hide that this failed.
    if (waiting > 0) unread = problem;
    if (parts.length > 1) uploaded.together(read);
    return read;
  }

  /** Runs once all that was chosen before is open. */
  function inTurn<T>(run: (abort: AbortSignal) => Promise<T>): Promise<T> {
    const before = last;
    waiting += 1;
    const turn = before.then(() => {
      waiting -= 1;
      controller = new AbortController();
      return run(controller.signal);
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  const partOf = (file: File, format?: string): Part => ({
    name: file.name,
    send: (abort) => sendFile(file, format, abort),
  });

  return {
    status,
    send(files, format) {
      const parts = files.map((file) => partOf(file, format));
      return inTurn((abort) => takeAll(parts, abort));
    },
    sendTree: (dropped) =>
      inTurn(async (abort) => {
        const parts: Part[] = [];
        for (const { name, files } of foldersOf(dropped)) {
          const document =
            name !== undefined && engine.readsFiles
              ? await openHanded(name, files, undefined, abort)
              : undefined;
          if (name === undefined || document === undefined) {
            parts.push(...files.map(({ file }) => partOf(file)));
          } else parts.push({ name, send: () => Promise.resolve(document) });
        }
        await takeAll(parts, abort);
      }),
    cancel() {
      controller?.abort();
    },
    dismiss() {
      status.value = { kind: 'idle' };
    },
  };
}
