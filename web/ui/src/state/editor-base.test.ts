import { batch, signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { ComparedDocuments, DocumentInfo, SummaryResult } from '@hotframe/engine';
import { shareBase } from './editor-base.ts';

const OWN = 1;

/** A page of document 1, in an editor. */
function page() {
  const summary = signal<SummaryResult | undefined>(undefined);
  const named = signal<number | undefined>(undefined);
  const list = signal<readonly DocumentInfo[]>([]);
  const chosen: ComparedDocuments[] = [];
  const made: (readonly [readonly number[], readonly number[]])[] = [];
  let tell = (_: ComparedDocuments) => {};
  let connect = (_: number) => {};
  const show = (document: number, documents?: [readonly number[], readonly number[]]) => {
    summary.value = undefined;
    batch(() => {
      named.value = document;
      const [base, now] = documents ?? [];
      const made_by = { method: 'compare', base, new: now };
      const others = list.value.filter((info) => info.document !== document);
      if (documents !== undefined) {
        list.value = [...others, { document, made_by } as unknown as DocumentInfo];
      }
      const comparison = documents === undefined ? null : { metrics: [] };
      summary.value = { metrics: [], comparison } as unknown as SummaryResult;
    });
  };
  shareBase(
    {
      onDocument(listener) {
        connect = listener;
      },
      onCompare(listener) {
        tell = listener;
      },
      chooseCompared: (sides) => chosen.push(sides),
    },
    {
      documents: { named, list, open: (document) => show(document) },
      summary,
      async compareSides(base, now) {
        made.push([base, now]);
        // What the page asks for meanwhile is not a choice.
        show(OWN);
        await Promise.resolve();
        show(10 + made.length, [base, now]);
      },
      fail(error) {
        throw error;
      },
    },
  );
  connect(OWN);
  const settled = () => new Promise((done) => setTimeout(done));
  return {
    named,
    chosen,
    made,
    show,
    settled,
    connect: () => connect(OWN),
    tell: (s: ComparedDocuments) => tell(s),
  };
}

describe('the base of page and editor', () => {
  it('is what the editor compares with, before and after the page has opened', async () => {
    const { named, made, chosen, show, settled, tell } = page();
    tell({ base: [2], now: [OWN] });
    await settled();
    expect([named.value, made]).toEqual([11, [[[2], [1]]]]);
    tell({ base: [2], now: [OWN] });
    tell({ base: [1], now: [2] });
    await settled();
    expect([named.value, made.length]).toEqual([12, 2]);
    tell({ base: [], now: [OWN] });
    expect(named.value).toBe(OWN);
    show(7);
    expect([chosen, made.length]).toEqual([[], 2]);
  });

  it('is what the page compares, swaps and leaves', () => {
    const { chosen, made, show, tell } = page();
    tell({ base: [], now: [OWN] });
    show(OWN);
    show(5);
    expect(chosen).toEqual([]);
    show(11, [[2], [OWN]]);
    show(12, [[OWN], [2]]);
    tell({ base: [OWN], now: [2] });
    show(OWN);
    expect(chosen).toEqual([
      { base: [2], now: [OWN] },
      { base: [OWN], now: [2] },
      { base: [], now: [OWN] },
    ]);
    expect(made).toEqual([]);
  });

  it('is not compared twice', async () => {
    const { made, named, show, settled, tell } = page();
    show(OWN);
    tell({ base: [2], now: [OWN] });
    await settled();
    tell({ base: [], now: [OWN] });
    tell({ base: [2], now: [OWN] });
    await settled();
    expect([named.value, made.length]).toEqual([11, 1]);
  });
});
