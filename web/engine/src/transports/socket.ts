import type { Connect } from '../transport.ts';

/** Frames as binary messages of a WebSocket. */
export function socketTransport(url: string): Connect {
  return (events) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    const waiting: Uint8Array<ArrayBuffer>[] = [];
    socket.onopen = () => {
      for (const bytes of waiting.splice(0)) socket.send(bytes);
      events.opened();
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data instanceof ArrayBuffer) events.message(event.data);
    };
    // A failed connection fires `error` and then `close`; one report is enough.
    socket.onclose = () => events.closed();
    return {
      send(bytes) {
        if (socket.readyState === WebSocket.CONNECTING) waiting.push(bytes);
        else socket.send(bytes);
      },
      close() {
        socket.close();
      },
    };
  };
}
