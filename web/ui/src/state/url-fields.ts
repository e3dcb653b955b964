import type { Choice } from './view-state.ts';

/** A number of a thing: whole, and not negative. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
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
