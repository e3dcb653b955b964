import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { startModule } from '../../../engine/src/wasm/module.ts';

/** A document on the input: the files that it consists of, and how many frames to ask follow. */
interface Asked {
  readonly files: readonly (readonly [string | null, string])[];
  readonly frames: number;
}

const INPUT = 0;
const NEWLINE = 10;

/** Answers each frame of standard input, document by document, as an engine that knows nothing of the
 * others. Frames and answers follow their number of bytes. */
const module = new WebAssembly.Module(readFileSync(process.argv[2] ?? ''));
for (let line = readLine(); line !== ''; line = readLine()) {
  await answer(JSON.parse(line) as Asked);
}

async function answer({ files, frames }: Asked): Promise<void> {
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
  const asked = Array.from({ length: frames }, () => readBytes(readBytes(4).readUInt32LE()));
  for (const frame of asked) {
    try {
      engine.take(frame);
    } catch (error) {
      last = Buffer.from(`${String(error)}: ${fault}`);
    }
    const count = Buffer.alloc(4);
    count.writeUInt32LE(last.length);
    await write(Buffer.concat([count, last]));
  }
}

/** The next line of the input; empty at its end. */
function readLine(): string {
  const bytes: number[] = [];
  const byte = Buffer.alloc(1);
  while (readSync(INPUT, byte) === 1 && byte[0] !== NEWLINE) bytes.push(byte[0] ?? NEWLINE);
  return Buffer.from(bytes).toString();
}

function readBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let there = 0; there < count;) {
    const more = readSync(INPUT, bytes, there, count - there, null);
    if (more === 0) throw new Error('the input ends in the middle of a document');
    there += more;
  }
  return bytes;
}

/** Writes to the output, which may be a pipe that takes no more for a while. */
function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
