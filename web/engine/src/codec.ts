import type { ColumnEntry, ColumnKind, Header } from './generated/protocol.ts';

/** The bulk numbers of a frame, by name. */
export type ColumnData = Uint8Array | Uint32Array | BigInt64Array | Float64Array;
export type ColumnSet = Readonly<Record<string, ColumnData>>;

/** One message; `columns` are views into the bytes it was decoded from. */
export interface Frame {
  readonly header: Header;
  readonly columns: ColumnSet;
}

/** Bytes that are not a frame. */
export class FrameError extends Error {}

const MAGIC = [0x48, 0x4f, 0x54, 0x46];
const PREAMBLE_BYTES = 8;
/** Columns start at multiples of 8 so that typed arrays can view them in place. */
const ALIGNMENT = 8;

/** The bytes of a frame; the layout is drawn in crates/protocol/src/frame.rs. */
export function encodeFrame(header: Header, columns: ColumnSet = {}): Uint8Array<ArrayBuffer> {
  const entries: ColumnEntry[] = [];
  let dataBytes = 0;
  for (const [name, data] of Object.entries(columns)) {
    entries.push({ name, kind: kindOf(data), offset: dataBytes, count: data.length });
    dataBytes = align(dataBytes + data.byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: entries }));
  const dataStart = align(PREAMBLE_BYTES + text.length);
  const bytes = new Uint8Array(dataStart + dataBytes);
  bytes.set(MAGIC, 0);
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(text, PREAMBLE_BYTES);
  for (const [index, data] of Object.values(columns).entries()) {
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    bytes.set(raw, dataStart + (entries[index]?.offset ?? 0));
  }
  return bytes;
}

/** Reads a frame; the columns keep `bytes` alive. */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  const start = new Uint8Array(bytes, 0, Math.min(PREAMBLE_BYTES, bytes.byteLength));
  if (start.length < PREAMBLE_BYTES || MAGIC.some((byte, index) => start[index] !== byte)) {
    throw new FrameError('not a frame: it does not start with the four bytes HOTF and a length');
  }
  const headerBytes = new DataView(bytes).getUint32(4, true);
  if (PREAMBLE_BYTES + headerBytes > bytes.byteLength) {
    throw new FrameError(
      `frame cut short: the header needs ${headerBytes} bytes, ` +
        `${bytes.byteLength - PREAMBLE_BYTES} are there`,
    );
  }
  const text = new TextDecoder().decode(new Uint8Array(bytes, PREAMBLE_BYTES, headerBytes));
  const { columns: entries, ...header } = parseHeader(text);
  const dataStart = align(PREAMBLE_BYTES + headerBytes);
  const columns: Record<string, ColumnData> = {};
  for (const entry of entries ?? []) {
    columns[entry.name] = viewColumn(bytes, dataStart, entry);
  }
  return { header: header as Header, columns };
}

function parseHeader(text: string): Header & { columns?: readonly ColumnEntry[] } {
  try {
    return JSON.parse(text) as Header & { columns?: readonly ColumnEntry[] };
  } catch (error) {
    throw new FrameError(`frame header: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function viewColumn(bytes: ArrayBuffer, dataStart: number, entry: ColumnEntry): ColumnData {
  const offset = dataStart + entry.offset;
  const end = offset + entry.count * widthOf(entry.kind);
  if (end > bytes.byteLength) {
    throw new FrameError(
      `frame cut short: column ${entry.name} ends at byte ${end} of ${bytes.byteLength}`,
    );
  }
  switch (entry.kind) {
    case 'u8':
      return new Uint8Array(bytes, offset, entry.count);
    case 'u32':
      return new Uint32Array(bytes, offset, entry.count);
    case 'i64':
      return new BigInt64Array(bytes, offset, entry.count);
    case 'f64':
      return new Float64Array(bytes, offset, entry.count);
  }
}

function kindOf(data: ColumnData): ColumnKind {
  if (data instanceof Uint8Array) return 'u8';
  if (data instanceof Uint32Array) return 'u32';
  if (data instanceof BigInt64Array) return 'i64';
  return 'f64';
}

function widthOf(kind: ColumnKind): number {
  switch (kind) {
    case 'u8':
      return 1;
    case 'u32':
      return 4;
    case 'i64':
    case 'f64':
      return 8;
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
