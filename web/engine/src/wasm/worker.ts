import { type EngineModule, startModule } from './module.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Bytes that are read of a file at once: each reading waits for the browser's own process. */
const SLICE_BYTES = 4 * 2 ** 20;

/** Runs an engine for the page that sends messages; it answers one after the other. */
export function serveEngine(worker: DedicatedWorkerGlobalScope): void {
  const files: Blob[] = [];
  const slices = slicesOf(files);
  let engine: EngineModule | undefined;
  let fault = '';

  const tell = (message: FromWorker, transfer: Transferable[] = []) =>
    worker.postMessage(message, transfer);

  function take(message: ToWorker): void {
    switch (message.kind) {
      case 'start': {
        const host = {
          send: (bytes: ArrayBuffer) => tell({ kind: 'frame', bytes }, [bytes]),
          read: slices,
          seconds: () => performance.now() / 1000,
          fault: (text: string) => {
            fault = text;
          },
        };
        engine = startModule(message.module, host, message.id);
        return;
      }
      case 'hand': {
        const known = message.files.map(({ path, file }) => ({
          path,
          file: files.push(file) - 1,
          size: file.size,
        }));
        engine?.hand(message.upload, known, message.refused);
        return;
      }
      case 'frame':
        engine?.take(new Uint8Array(message.bytes));
        return;
    }
  }

  worker.onmessage = (event: MessageEvent<ToWorker>) => {
    try {
      take(event.data);
      tell({ kind: 'done' });
    } catch (error) {
      // What ran out of memory has no words for it.
      tell({ kind: 'fault', message: fault, trap: String(error) });
    }
  };
}

/** Reads files ahead, for the engine asks for little at a time. */
function slicesOf(files: readonly Blob[]) {
  const reader = new FileReaderSync();
  let ahead = { file: -1, offset: 0, bytes: new Uint8Array() };
  return (file: number, offset: number, count: number): Uint8Array => {
    const end = ahead.offset + ahead.bytes.length;
    if (ahead.file !== file || offset < ahead.offset || offset >= end) {
      const slice = files[file]?.slice(offset, offset + Math.max(count, SLICE_BYTES));
      if (slice === undefined) throw new Error(`no file ${file}`);
      ahead = { file, offset, bytes: new Uint8Array(reader.readAsArrayBuffer(slice)) };
    }
    const from = offset - ahead.offset;
    return ahead.bytes.subarray(from, from + count);
  };
}
