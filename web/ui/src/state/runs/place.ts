/** A page of experiments that are begun from here. */
export type RunsPlace =
  /** Where a new one is put together, of an upload where one was sent. */
  | { readonly page: 'new'; readonly upload: string | undefined }
  | { readonly page: 'run'; readonly run: string }
  /** What was sent and run before. */
  | { readonly page: 'kept' }
  | { readonly page: 'queue' };

const UPLOAD = /^[0-9a-f]{16}$/;
const RUN = /^[0-9a-f]{16}-[0-9a-f]{12}$/;

/** A place as the address has it: `new`, `kept`, `queue`, or the id of an upload or of a run. */
export function encodeRuns(place: RunsPlace | undefined): string | undefined {
  switch (place?.page) {
    case undefined:
      return undefined;
    case 'new':
      return place.upload ?? 'new';
    case 'run':
      return place.run;
    case 'kept':
    case 'queue':
      return place.page;
  }
}

/** The same read; what is none is the page of a new one. */
export function decodeRuns(text: string | undefined): RunsPlace | undefined {
  if (text === undefined) return undefined;
  if (text === 'kept' || text === 'queue') return { page: text };
  if (RUN.test(text)) return { page: 'run', run: text };
  return { page: 'new', upload: UPLOAD.test(text) ? text : undefined };
}
