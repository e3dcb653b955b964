import type { AdviceRuleInfo, First, Given, ReportScript, Request } from '@hotframe/engine';
import { VIEWS } from '../documents/profile/views.ts';
import type { ReportAbout } from '../state/host.ts';
import { decodeHash, encodeHash } from '../state/url.ts';
import { fromBase64, unpacked } from './parts.ts';

/** What a report adds to the page: `hotframe export -o report.html` writes it behind the page's end. */
interface Report {
  /** The address of the view that it begins with. */
  readonly view: string;
  /** Documents as that address has them, and as they are in the report. */
  readonly numbers: readonly (readonly [number, number])[];
  /** What opens its documents, in the order of their numbers. */
  readonly steps: readonly Step[];
  readonly about: Omit<ReportAbout, 'scripts' | 'rules'>;
  readonly scripts: readonly ReportScript[];
  readonly rules: readonly AdviceRuleInfo[];
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

/** A file that ends before its end, as some that came by mail do. */
export class CutReport extends Error {}

/** The report of a page; undefined where it is the page alone. Fails where a report is not whole. */
export function reportOf(document: Document): Report | undefined {
  const text = document.getElementById(REPORT)?.textContent;
  if (text === undefined) {
    // The script of a report waits for what stands behind it.
    if (document.querySelector('body > script[type="module"]:not([async])') === null) {
      return undefined;
    }
    throw new CutReport('its end is missing');
  }
  try {
    return JSON.parse(text) as Report;
  } catch {
    throw new CutReport('its end is missing');
  }
}

/** The address of the view that a report begins with, in its own numbers. */
export function viewOf({ view, numbers }: Report): string {
  const state = decodeHash(view, VIEWS);
  const its = (number: number | undefined) =>
    numbers.find(([there]) => there === number)?.[1] ?? number;
  const { graph } = state;
  const document = its(state.document ?? numbers[0]?.[0]);
  const own = { ...state, document, graph: { ...graph, against: its(graph.against) } };
  return encodeHash(own, VIEWS);
}

/** What a report tells of itself. */
export function aboutOf({ about, scripts, rules }: Report): ReportAbout {
  return { ...about, scripts, rules };
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
