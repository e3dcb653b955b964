import { describe, expect, it } from 'vitest';
import { type FromPage, type ToPage, webviewTransport } from './webview.ts';

/** A page in a panel, whose extension is the test. */
function panel() {
  const page = new EventTarget();
  const posted: FromPage[] = [];
  const seen: string[] = [];
  const connect = webviewTransport(page, {
    postMessage: (message) => posted.push(message),
    getState: () => undefined,
    setState: () => {},
  });
  const transport = () =>
    connect({
      opened: () => seen.push('opened'),
      message: (bytes) => seen.push(`frame ${new Uint8Array(bytes).join(' ')}`),
      closed: () => seen.push('closed'),
    });
  const tell = (data: ToPage) => page.dispatchEvent(new MessageEvent('message', { data }));
  return { posted, seen, tell, transport };
}

describe('the transport of a panel', () => {
  it('keeps frames until the engine is there', () => {
    const { posted, seen, tell, transport } = panel();
    const { send } = transport();
    // A frame may be a part of a larger buffer; only the part travels.
    send(new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
    expect(posted).toEqual([{ kind: 'connect' }]);
    tell({ kind: 'opened', document: 3 });
    expect(posted.slice(1)).toEqual([{ kind: 'frame', bytes: new Uint8Array([1, 2]).buffer }]);
    tell({ kind: 'frame', bytes: new Uint8Array([5]).buffer });
    expect(seen).toEqual(['opened', 'frame 5']);
  });

  it('is closed once, and another one takes its place', () => {
    const { seen, tell, transport } = panel();
    const first = transport();
    tell({ kind: 'opened', document: 0 });
    tell({ kind: 'closed' });
    first.close();
    tell({ kind: 'frame', bytes: new ArrayBuffer(1) });
    expect(seen).toEqual(['opened', 'closed']);
    transport();
    tell({ kind: 'opened', document: 1 });
    expect(seen).toEqual(['opened', 'closed', 'opened']);
  });
});
