import type { SymbolSetting } from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** Longer paths are left out of the address: browsers and chat programs cut very long ones. */
const LONGEST_PATH = 4000;

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

/** Keys from below the whole program down to a node, or of functions; nothing of too many. */
export function encodePath(path: readonly number[]): string {
  return path.length > LONGEST_PATH ? '' : path.map((key) => key.toString(36)).join('.');
}

/** The same read; none of a text that is no such path. */
export function decodePath(text: string | undefined): readonly number[] {
  if (text === undefined || text === '') return [];
  const keys = text.split('.').map((part) => Number.parseInt(part, 36));
  return keys.every((key) => Number.isSafeInteger(key) && key >= 0) ? keys : [];
}
