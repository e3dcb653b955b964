/** The bytes of a part of the page that is written as gzip in base64; fails where there is none. */
export async function compressedPart(
  document: Document,
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const part = document.getElementById(id);
  if (part === null) throw new Error(`the page has no part ${id}: it was not saved whole`);
  return unpacked(fromBase64(part.textContent));
}

/** What gzip packed. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes that base64 writes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
