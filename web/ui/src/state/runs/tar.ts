import type { Dropped } from '../dropped.ts';

const BLOCK = 512;
/** What the two fields of a name hold together, if there is a slash at the right place. */
const LONGEST_NAME = 100;
const LONGEST_FOLDER = 155;

/** Several files as one archive of the ustar kind, so that they are sent as one program. */
export function tarOf(files: readonly Dropped[]): Blob {
  const parts = files.flatMap(({ path, file }) => [
    header(path, file.size),
    file,
    new Uint8Array((BLOCK - (file.size % BLOCK)) % BLOCK),
  ]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

/** The block before a file. */
function header(path: string, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const [folder, name] = splitName(path);
  const write = (at: number, bytes: Uint8Array | string) =>
    block.set(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, at);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  write(0, name);
  write(100, octal(0o644, 7));
  write(108, octal(0, 7));
  write(116, octal(0, 7));
  write(124, octal(size, 11));
  // The same files are the same archive, whenever they were written.
  write(136, octal(0, 11));
  // Of the sum itself, blanks are summed.
  write(148, ' '.repeat(8));
  write(156, '0');
  write(257, 'ustar\x0000');
  write(345, folder);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}

function splitName(path: string): readonly [Uint8Array, Uint8Array] {
  const bytes = new TextEncoder().encode(path);
  if (bytes.length <= LONGEST_NAME) return [new Uint8Array(), bytes];
  const slash = bytes.findIndex(
    (byte, at) => byte === 0x2f && bytes.length - at - 1 <= LONGEST_NAME,
  );
  if (slash < 0 || slash > LONGEST_FOLDER) {
    throw new Error(`The name ${path} is too long for an archive: send a .zip.`);
  }
  return [bytes.slice(0, slash), bytes.slice(slash + 1)];
}
