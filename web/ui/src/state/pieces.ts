/** Bytes a request: large enough to be fast, small enough for smooth progress. */
const PIECE_BYTES = 4 * 2 ** 20;

/** A part of a file on its way to the engine. */
export interface Piece {
  readonly offset: number;
  readonly last: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Hands a file over piece by piece; gives what was answered to the last one. */
export async function sendPieces<T>(
  file: Blob,
  send: (piece: Piece) => Promise<T>,
  tell: (sent: number) => void,
): Promise<T> {
  let offset = 0;
  for (;;) {
    tell(offset);
    const piece = await file.slice(offset, offset + PIECE_BYTES).arrayBuffer();
    const last = offset + piece.byteLength >= file.size;
    const answer = await send({ offset, last, bytes: new Uint8Array(piece) });
    offset += piece.byteLength;
    if (last) return answer;
  }
}

/** Several pages can share an engine, and each chooses its own numbers of uploads. */
export function uploadNumbers(): () => number {
  let next = Math.floor(Math.random() * 2 ** 31);
  return () => next++;
}
