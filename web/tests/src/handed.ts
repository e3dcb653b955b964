import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { decodeFrame, encodeFrame } from '@hotframe/engine';

/** The request that pages hand a profile to a script with. */
const METHOD = 'write_profile';

/** Answers of a server that does not write profiles: that file, whatever is asked for. */
export async function stubServer(page: Page, file: string): Promise<void> {
  const bytes = new Uint8Array(readFileSync(file));
  await page.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (typeof message !== 'string') {
        const { header } = decodeFrame(new Uint8Array(message).buffer);
        if (header.kind === 'request' && (header.request.method as string) === METHOD) {
          const answer = { kind: 'response', id: header.id, result: {} } as const;
          socket.send(Buffer.from(encodeFrame(answer as never, { bytes })));
          return;
        }
      }
      server.send(message);
    });
  });
}

/** The same in a page that has its engine in a worker. */
export async function stubWorker(page: Page, file: string): Promise<void> {
  const text = readFileSync(file).toString('base64');
  await page.addInitScript({
    content: STUB.replaceAll('METHOD', JSON.stringify(METHOD)).replace(
      'FILE',
      JSON.stringify(text),
    ),
  });
}

/** What the page runs before its own script. */
const STUB = `{
  const bytes = Uint8Array.from(atob(FILE), (letter) => letter.charCodeAt(0));
  const answer = (id) => {
    const columns = [{ name: 'bytes', kind: 'u8', offset: 0, count: bytes.length }];
    const header = new TextEncoder().encode(
      JSON.stringify({ kind: 'response', id, result: {}, columns }),
    );
    const start = Math.ceil((8 + header.length) / 8) * 8;
    const frame = new Uint8Array(start + bytes.length);
    frame.set([0x48, 0x4f, 0x54, 0x46]);
    new DataView(frame.buffer).setUint32(4, header.length, true);
    frame.set(header, 8);
    frame.set(bytes, start);
    return frame.buffer;
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.kind === 'frame') {
      const size = new DataView(message.bytes).getUint32(4, true);
      const header = JSON.parse(new TextDecoder().decode(new Uint8Array(message.bytes, 8, size)));
      if (header.request?.method === METHOD) {
        const told = (data) => this.onmessage?.(new MessageEvent('message', { data }));
        setTimeout(() => {
          told({ kind: 'frame', bytes: answer(header.id) });
          told({ kind: 'done' });
        });
        return;
      }
    }
    post.call(this, message, ...rest);
  };
}`;
