import type { ComparedDocuments, DocumentInfo, SummaryResult } from '@hotframe/engine';
import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import type { Documents } from './documents.ts';
import type { EditorHost } from './host.ts';

/** What is shared of a page. */
interface Page {
  readonly documents: Pick<Documents, 'named' | 'list' | 'open'>;
  readonly summary: ReadonlySignal<SummaryResult | undefined>;
  compareSides(base: readonly number[], now: readonly number[]): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Page and editor compare the same profiles: what is chosen in one is shown in the other. A page
 * that shows another document on its own leaves the editor alone.
 */
export function shareBase(
  editor: Pick<EditorHost, 'onDocument' | 'onCompare' | 'chooseCompared'>,
  { documents, summary, compareSides, fail }: Page,
): void {
  /** What both agreed on last; undefined until the editor has said. */
  let agreed: ComparedDocuments | undefined;
  /** What is shown, where it is a profile of the editor's documents. */
  let shown: ComparedDocuments | undefined;
  /** Comparisons that are on their way: what is shown until then is not a choice. */
  let making = 0;
  /** The documents of comparisons, by their sides. */
  const made = new Map<string, number>();

  function show(sides: ComparedDocuments) {
    if (sides.base.length === 0) {
      if ((shown?.base.length ?? 0) > 0) documents.open(sides.now[0]!);
      return;
    }
    const known = made.get(nameOf(sides));
    if (known !== undefined && documents.list.peek()?.some(({ document }) => document === known)) {
      documents.open(known);
      return;
    }
    making += 1;
    compareSides(sides.base, sides.now)
      .catch(fail)
      .finally(() => {
        making -= 1;
      });
  }

  editor.onDocument(() => {
    // Another engine may number documents anew.
    agreed = undefined;
    made.clear();
  });
  editor.onCompare((sides) => {
    if (isSame(agreed, sides)) return;
    agreed = sides;
    if (!isSame(shown, sides)) show(sides);
  });
  effect(() => {
    const of = summary.value;
    untracked(() => {
      const document = documents.named.peek();
      const listed = documents.list.peek()?.find((info) => info.document === document);
      const now = document === undefined ? undefined : sidesOf(of, listed, document);
      shown = now;
      if (now === undefined) return;
      const isCompared = now.base.length > 0;
      if (isCompared && document !== undefined) made.set(nameOf(now), document);
      if (making > 0 || isSame(agreed, now)) return;
      // One of the two that were compared is shown on its own; others are looked at beside.
      const [alone] = now.now;
      const was = agreed?.base.length ? [...agreed.base, ...agreed.now] : [];
      if (!isCompared && (alone === undefined || !was.includes(alone))) return;
      agreed = now;
      editor.chooseCompared(now);
    });
  });
}

/** What a document compares; of one that compares nothing, itself. Undefined where nobody knows. */
function sidesOf(
  summary: SummaryResult | undefined,
  listed: DocumentInfo | undefined,
  document: number,
): ComparedDocuments | undefined {
  if (summary === undefined) return undefined;
  if (summary.comparison === null) return { base: [], now: [document] };
  const made = listed?.made_by;
  return made?.method === 'compare' ? { base: made.base, now: made.new } : undefined;
}

function nameOf({ base, now }: ComparedDocuments): string {
  return `${base.join()} ${now.join()}`;
}

function isSame(one: ComparedDocuments | undefined, other: ComparedDocuments): boolean {
  return one !== undefined && nameOf(one) === nameOf(other);
}
