import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { startModule } from '../../../engine/src/wasm/module.ts';

/** A document on the input: the files that it consists of, and what is asked, in hexadecimal. */
interface Asked {
  readonly files: readonly (readonly [string | null, string])[];
  readonly frames: readonly string[];
}

/** Answers a line of standard input with a line, as an engine that knows nothing of the others. */
const module = new WebAssembly.Module(readFileSync(process.argv[2] ?? ''));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answersTo(JSON.parse(line) as Asked))}\n`);
}

function answersTo({ files, frames }: Asked): readonly string[] {
  let last: Uint8Array = new Uint8Array();
  let fault = '';
  const host = {
    send(bytes: ArrayBuffer) {
      last = new Uint8Array(bytes);
    },
    read(file: number, offset: number, count: number) {
      const descriptor = openSync(files[file]?.[1] ?? '', 'r');
      const bytes = new Uint8Array(count);
      const there = readSync(descriptor, bytes, 0, count, offset);
      closeSync(descriptor);
      return bytes.subarray(0, there);
    },
    // Answers must not depend on it.
    seconds: () => 0,
    fault(text: string) {
      fault = text;
    },
  };
  const engine = startModule(module, host, 'a page');
  const known = files.map(([path, name], file) => ({
    path: path ?? undefined,
    file,
    size: statSync(name).size,
  }));
  engine.hand(1, known, undefined);
  return frames.map((frame) => {
    try {
      engine.take(Buffer.from(frame, 'hex'));
    } catch (error) {
      return Buffer.from(`${String(error)}: ${fault}`).toString('hex');
    }
    return Buffer.from(last).toString('hex');
  });
}
