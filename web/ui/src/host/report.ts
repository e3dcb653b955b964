import type { First, Given, Request } from '@hotframe/engine';
import { fromBase64, unpacked } from './parts.ts';

/** What a report adds to the page: `hotframe export -o report.html` writes it behind the page's end. */
interface Report {
  /** The address of the view that it begins with. */
  readonly view: string;
  /** What opens its documents, in the order of their numbers. */
  readonly steps: readonly Step[];
}

interface Step {
  readonly request: Request;
  readonly files?: readonly Part[];
}

/** A file of a report. */
interface Part {
  readonly path?: string;
  /** The element that has its bytes, as base64. */
  readonly part: string;
  /** Whether they were packed for the report, and are to be unpacked. */
  readonly gzip: boolean;
}

const REPORT = 'hotframe-report';

/** The report of a page; undefined where it is the page alone. */
export function reportOf(document: Document): Report | undefined {
  const text = document.getElementById(REPORT)?.textContent;
  return text === undefined ? undefined : (JSON.parse(text) as Report);
}

/** What the documents of a report are opened with. */
export function openingOf(document: Document, report: Report): Promise<readonly First[]> {
  return Promise.all(
    report.steps.map(async ({ request, files }) => ({
      request,
      files: files && (await Promise.all(files.map((file) => given(document, file)))),
    })),
  );
}

async function given(document: Document, { path, part, gzip }: Part): Promise<Given> {
  const element = document.getElementById(part);
  if (element === null) throw new Error(`the report has no part ${part}: it was not saved whole`);
  const packed = fromBase64(element.textContent);
  // The text is not needed any more.
  element.remove();
  return { path, file: new Blob([gzip ? await unpacked(packed) : packed]) };
}
