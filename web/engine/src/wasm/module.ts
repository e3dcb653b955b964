/** What the module of the engine asks of whoever runs it. */
export interface ModuleHost {
  /** Takes a frame. */
  send(bytes: ArrayBuffer): void;
  /** Bytes of a file from `offset` on, at most `count`; fails where the file is gone. */
  read(file: number, offset: number, count: number): Uint8Array;
  /** Seconds, counted from any moment. */
  seconds(): number;
  /** Hears why the engine cannot go on, before the call fails. */
  fault(text: string): void;
}

/** A file as the module knows it: by a number. */
export interface KnownFile {
  readonly path: string | undefined;
  readonly file: number;
  readonly size: number;
}

/** The engine, compiled to WebAssembly: what crates/wasm/src/abi.rs exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  room(count: number): number;
  start(): void;
  hand(): number;
  take(): void;
}

/** An engine that answers within each call. */
export interface EngineModule {
  hand(upload: number, files: readonly KnownFile[], refused: string | undefined): void;
  take(frame: Uint8Array): void;
}

/** Starts the engine; `id` tells it from that of any other page. */
export function startModule(
  module: WebAssembly.Module,
  host: ModuleHost,
  id: string,
): EngineModule {
  const text = (at: number, count: number) =>
    new TextDecoder().decode(new Uint8Array(memory().buffer, at >>> 0, count));
  const hotframe = {
    send: (at: number, count: number) =>
      host.send(memory().buffer.slice(at >>> 0, (at >>> 0) + count)),
    read(file: number, offset: number, out: number, count: number): number {
      try {
        const bytes = host.read(file, offset, count);
        new Uint8Array(memory().buffer, out >>> 0, bytes.length).set(bytes);
        return bytes.length;
      } catch {
        return -1;
      }
    },
    seconds: () => host.seconds(),
    fault: (at: number, count: number) => host.fault(text(at, count)),
  };
  const instance = new WebAssembly.Instance(module, { ...unused(module), hotframe });
  const engine = instance.exports as unknown as Exports;
  const memory = () => engine.memory;
  /** Addresses above 2 GiB come as negative numbers. */
  const write = (bytes: Uint8Array) => {
    const at = engine.room(bytes.length) >>> 0;
    new Uint8Array(memory().buffer, at, bytes.length).set(bytes);
  };
  const writeText = (words: string) => write(new TextEncoder().encode(words));
  writeText(id);
  engine.start();
  return {
    hand(upload, files, refused) {
      writeText(JSON.stringify({ upload, files, refused }));
      if (engine.hand() === 0) throw new Error('the engine does not take the files');
    },
    take(frame) {
      write(frame);
      engine.take();
    },
  };
}

/** What libraries would ask of a page that has their own glue, if anything here called them. */
function unused(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, () => never>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] = {
      ...imports[from],
      [name]: () => {
        throw new Error(`the engine called ${from}.${name}, which a page does not have`);
      },
    };
  }
  return imports;
}
