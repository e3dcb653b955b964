import type { EditorFrames } from '@hotframe/engine';
import { request } from 'node:http';
import { WebSocket } from 'ws';

/** A WebSocket to the engine, which takes frames. */
export function connect({ path, token }: EditorFrames): WebSocket {
  const socket = new WebSocket(`ws+unix:${path}:/socket?token=${token}`);
  socket.binaryType = 'arraybuffer';
  // Whoever waits for it is told that it is closed.
  socket.on('error', () => {});
  return socket;
}

/** A part of what scripts of pages need, as it is: the engine has it. */
export async function part({ path }: EditorFrames, name: string): Promise<ArrayBuffer> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const asked = request({
      socketPath: path,
      path: `/python/${encodeURIComponent(name)}`,
      headers: { host: 'localhost' },
    });
    asked.on('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(bytes.toString()));
      });
    });
    asked.on('error', reject);
    asked.end();
  });
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
