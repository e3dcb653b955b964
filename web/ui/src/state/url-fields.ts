import type { SymbolSetting } from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** A number of a thing: whole, and not negative. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A percentage above 0, as people write it. */
export function percent(text: string | undefined): number | undefined {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text ?? '') ? Number(text) : 0;
  return value > 0 && value <= 100 ? value : undefined;
}

/** One of some choices, if it is one. */
export function optionalChoice<T extends string>(
  choices: readonly Choice<T>[],
  text: string | undefined,
): T | undefined {
  return choices.find(({ value }) => value === text)?.value;
}

/** One of some choices, else the standard one. */
export function choice<T extends string>(
  choices: readonly Choice<T>[],
  text: string | undefined,
  standard: T,
): T {
  return optionalChoice(choices, text) ?? standard;
}

/** Values of symbols: `I:8,J:8`. */
export function encodeSymbols(symbols: readonly SymbolSetting[]): string {
  return symbols.map(({ name, value }) => `${name}:${value}`).join(',');
}

/** The same read; what is none is left out. */
export function decodeSymbols(text: string | undefined): readonly SymbolSetting[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const colon = entry.lastIndexOf(':');
    const value = Number(entry.slice(colon + 1));
    return colon > 0 && Number.isSafeInteger(value) ? [{ name: entry.slice(0, colon), value }] : [];
  });
}
