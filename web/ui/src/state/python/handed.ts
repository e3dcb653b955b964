import type { CallOptions, ColumnSet, Engine } from '@hotframe/engine';

/** The profile of a document as a file of Hotframe's own format, as scripts get it: no filter applies. */
export async function profileBytes(
  engine: Engine,
  document: number,
  options: CallOptions,
): Promise<ArrayBuffer> {
  const call = engine.call.bind(engine) as unknown as WriteProfile;
  const { columns } = await call('write_profile', { document }, options);
  const { bytes } = columns;
  if (!(bytes instanceof Uint8Array)) throw new Error('the engine has not written the profile');
  // The worker gets them for its own, and the frame has more than them.
  return bytes.slice().buffer;
}

type WriteProfile = (
  method: 'write_profile',
  params: { readonly document: number },
  options: CallOptions,
) => Promise<{ readonly columns: ColumnSet }>;
