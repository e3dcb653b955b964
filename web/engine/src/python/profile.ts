import { decodeFrame, encodeFrame } from '../codec.ts';
import type { ProtocolError, Request } from '../generated/protocol.ts';
import { renumbered } from '../made-by.ts';
import { type EngineModule, startModule } from '../wasm/module.ts';
import type { Handed, HandedProfile } from './messages.ts';

/** The engine of scripts: it has the profiles that the page handed over, and no files. */
export class ScriptEngine {
  readonly #engine: EngineModule;
  readonly #files: (Uint8Array | undefined)[] = [];
  #frames: Uint8Array<ArrayBuffer>[] = [];
  #fault = '';
  #opened = 0;
  /** The document that scripts work on, and what people call it. */
  #document = 0;
  #documents: readonly number[] = [];
  #name = '';

  constructor(module: WebAssembly.Module, seconds: () => number, id: string) {
    const host = {
      send: (bytes: ArrayBuffer) => void this.#frames.push(new Uint8Array(bytes)),
      read: (file: number, offset: number, count: number) => {
        const bytes = this.#files[file];
        if (bytes === undefined) throw new Error(`no file ${file}`);
        return bytes.subarray(offset, offset + count);
      },
      seconds,
      fault: (text: string) => {
        this.#fault = text;
      },
    };
    this.#engine = startModule(module, host, id);
  }

  get document(): number {
    return this.#document;
  }

  /** What it was made of; itself where it was opened. */
  get documents(): readonly number[] {
    return this.#documents;
  }

  get name(): string {
    return this.#name;
  }

  /** All frames that the engine sends for one; the last is the answer. */
  take(frame: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
    this.#frames = [];
    try {
      this.#engine.take(frame);
    } catch (error) {
      throw new Error(`the engine failed on this: ${this.#fault || String(error)}`);
    }
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** Opens what scripts work on in the place of what was before, and of all that scripts opened. */
  open({ profiles, made }: Handed): void {
    this.#closeAll();
    const opened = profiles.map((profile) => this.#openOne(profile));
    this.#documents = opened;
    this.#name = profiles[0]?.name ?? '';
    const [first] = opened;
    if (first === undefined) throw new Error('no profile was handed over');
    this.#document = first;
    if (made === undefined) return;
    const request = renumbered(made, new Map(opened.entries()));
    const { method, ...params } = request;
    const { document } = this.#ask({ method, params } as Request) as { readonly document: number };
    this.#document = document;
  }

  #openOne({ name, bytes }: HandedProfile): number {
    const upload = ++this.#opened;
    const file = this.#files.push(new Uint8Array(bytes)) - 1;
    this.#engine.hand(upload, [{ path: undefined, file, size: bytes.byteLength }], undefined);
    const params = { upload, name, offset: 0, last: true, format: 'hotframe' };
    const { document } = this.#ask({ method: 'upload', params }) as {
      readonly document: number | null;
    };
    if (document === null) throw new Error('the engine of scripts does not take the profile');
    this.#ask({ method: 'wait', params: { document } });
    this.#files[file] = undefined;
    return document;
  }

  #closeAll(): void {
    const { documents } = this.#ask({ method: 'documents', params: {} }) as {
      readonly documents: readonly { readonly document: number }[];
    };
    for (const { document } of documents) this.#ask({ method: 'close', params: { document } });
  }

  #ask(request: Request): unknown {
    const frames = this.take(encodeFrame({ kind: 'request', id: 0, request }));
    const last = frames.at(-1);
    if (last === undefined) throw new Error(`the engine does not answer ${request.method}`);
    const { header } = decodeFrame(last.buffer);
    if (header.kind === 'error') throw new Error(told(header.error));
    if (header.kind !== 'response') throw new Error(`the engine does not answer ${request.method}`);
    return header.result;
  }
}

function told({ message, hint }: ProtocolError): string {
  return hint === '' ? message : `${message}. ${hint}`;
}
