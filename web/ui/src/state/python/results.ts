import type { DocumentInfo } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { OfProfile, Work } from './scripts.ts';

/** What scripts showed, and of what they made it. */
export interface Results {
  /** A script showed a document. */
  keep(document: number, work: Work): void;
  /** What a script made a document of; undefined where it did not, or where that is open no more. */
  madeOf(document: number, script: number): OfProfile | undefined;
}

type Listed = ReadonlySignal<readonly DocumentInfo[] | undefined>;

export function createResults(list: Listed): Results {
  /** With what documents are called: another engine numbers them anew. */
  interface Result extends Work {
    readonly name: string | undefined;
    readonly nameOf: string | undefined;
  }

  const results = signal<ReadonlyMap<number, Result>>(new Map());
  const nameIn = (documents: readonly DocumentInfo[] | undefined, document: number) =>
    documents?.find((one) => one.document === document)?.name;
  return {
    keep(document, work) {
      const now = list.peek();
      const result = {
        ...work,
        name: nameIn(now, document),
        nameOf: nameIn(now, work.of.listed),
      };
      results.value = new Map(results.peek()).set(document, result);
    },
    madeOf(document, script) {
      const result = results.value.get(document);
      if (result === undefined || result.script !== script) return undefined;
      const { name, nameOf, of } = result;
      const isOpen =
        name !== undefined &&
        name === nameIn(list.value, document) &&
        nameOf !== undefined &&
        nameOf === nameIn(list.value, of.listed);
      return isOpen ? of : undefined;
    },
  };
}
