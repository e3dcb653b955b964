import type { MadeBy } from './generated/protocol.ts';

/** The documents that a request makes another one of, each once. */
export function partsOf(request: MadeBy): readonly number[] {
  return [
    ...new Set(
      request.method === 'compare' ? [...request.base, ...request.new] : request.documents,
    ),
  ];
}

/** The same request of documents with other numbers. */
export function renumbered(request: MadeBy, numbers: ReadonlyMap<number, number>): MadeBy {
  const those = (parts: readonly number[]) => parts.map((part) => numbers.get(part) ?? part);
  return request.method === 'compare'
    ? { ...request, base: those(request.base), new: those(request.new) }
    : { ...request, documents: those(request.documents) };
}
