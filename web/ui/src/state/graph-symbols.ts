import type { GraphSummaryResult } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { type GraphViewState, settingsOf } from './graph-view.ts';

/** The address follows a slider when it has rested for so long. */
const ADDRESS_GAP_MS = 300;

type Symbols = GraphViewState['symbols'];

/** A symbol at another value; at the suggested one where undefined. */
export function withSymbol(symbols: Symbols, name: string, value: number | undefined): Symbols {
  const others = symbols.filter((setting) => setting.name !== name);
  return value === undefined ? others : [...others, { name, value }];
}

/** All symbols at other values, but those whose meaning is not known. */
export function withAllSymbols(
  info: GraphSummaryResult,
  symbols: Symbols,
  change: (value: number) => number | undefined,
): Symbols {
  const sizes = settingsOf(info, symbols).filter(
    ({ name }) => info.symbols.find((symbol) => symbol.name === name)?.unknown === '',
  );
  const others = symbols.filter(({ name }) => sizes.every((size) => size.name !== name));
  const changed = sizes.flatMap(({ name, value }) => {
    const next = change(value);
    return next === undefined ? [] : [{ name, value: next }];
  });
  return [...others, ...changed];
}

/** Values of symbols that the address does not have yet. */
export function createSymbolDrag(rest: (symbols: Symbols) => void) {
  const dragged = signal<Symbols | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  function forget(): void {
    dragged.value = undefined;
    clearTimeout(timer);
  }
  return {
    dragged: dragged as ReadonlySignal<Symbols | undefined>,
    forget,
    drag(symbols: Symbols) {
      dragged.value = symbols;
      clearTimeout(timer);
      timer = setTimeout(() => rest(symbols), ADDRESS_GAP_MS);
    },
  };
}
