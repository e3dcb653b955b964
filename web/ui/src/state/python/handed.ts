import { type CallOptions, type Engine, type Handed, renumbered } from '@hotframe/engine';
import type { OfProfile } from './scripts.ts';

/** What scripts get of a document: it, or what it was made of. */
export async function handedOf(
  engine: Engine,
  { document, name, parts, made }: OfProfile,
  options: CallOptions,
): Promise<Handed> {
  const profiles = [];
  // One after the other: each may be large.
  for (const part of made === undefined ? [{ document, name }] : parts) {
    const bytes = await profileBytes(engine, part.document, options);
    profiles.push({ name: part.name, bytes });
  }
  const places = new Map(parts.map((part, place) => [part.document, place]));
  return { profiles, made: made && renumbered(made, places) };
}

/** The profile of a document as a file of Hotframe's own format, as scripts get it: no filter applies. */
async function profileBytes(
  engine: Engine,
  document: number,
  options: CallOptions,
): Promise<ArrayBuffer> {
  const { columns } = await engine.call('write_profile', { document }, options);
  const { bytes } = columns;
  // The worker gets them for its own, and the frame has more than them.
  return bytes.slice().buffer;
}
