import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from './codec.ts';
import type { Header } from './generated/protocol.ts';

const header: Header = { kind: 'request', id: 7, request: { method: 'formats', params: {} } };
const columns = {
  bytes: new Uint8Array([1, 2, 3]),
  node: new Uint32Array([0xffffffff, 0]),
  total: new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n]),
  x: new Float64Array([0.1, -0]),
};

describe('the frame codec', () => {
  it('gives back what went in', () => {
    const frame = decodeFrame(encodeFrame(header, columns).buffer);
    expect(frame.header).toEqual(header);
    expect(frame.columns).toEqual(columns);
  });

  it('views the columns without copying', () => {
    const bytes = encodeFrame(header, columns).buffer;
    const frame = decodeFrame(bytes);
    for (const column of Object.values(frame.columns)) {
      expect(column.buffer).toBe(bytes);
      expect(column.byteOffset % 8).toBe(0);
    }
  });

  it('refuses a frame cut at any length', () => {
    const bytes = encodeFrame(header, columns).buffer;
    for (let length = 0; length < bytes.byteLength; length++) {
      expect(() => decodeFrame(bytes.slice(0, length)), `cut to ${length}`).toThrow();
    }
  });

  it('keeps names that are not ASCII', () => {
    const spoken: Header = {
      kind: 'error',
      id: 1,
      error: { code: 'bad_pattern', message: 'Größe “☃” — naïve', hint: '' },
    };
    expect(decodeFrame(encodeFrame(spoken).buffer).header).toEqual(spoken);
  });

  it('reads a frame without columns', () => {
    const text = new TextEncoder().encode('{"kind":"cancel","id":3}');
    const bytes = new Uint8Array(8 + text.length);
    bytes.set([0x48, 0x4f, 0x54, 0x46, text.length, 0, 0, 0]);
    bytes.set(text, 8);
    expect(decodeFrame(bytes.buffer)).toEqual({ header: { kind: 'cancel', id: 3 }, columns: {} });
  });
});
