/**
 * What people type to find something, and the patterns that the engine takes: regular expressions
 * whose case counts where there is a capital letter. What is not an expression it takes as it stands. Searches
 * look for each word by itself.
 */

import { shortenName } from './names.ts';

/** A pattern as the controls of a search field show it. */
export interface Typed {
  readonly text: string;
  /** The text is not an expression, whatever signs are in it. */
  readonly literal: boolean;
  /** Case counts without capital letters too. */
  readonly matchCase: boolean;
}

/** Makes case count, in front of an expression. */
const MATCH_CASE = '(?-i)';

/** Columns of the name in the label of an exact pattern. */
const LABEL_COLUMNS = 40;

export function patternOf({ text, literal, matchCase }: Typed): string {
  if (text === '') return '';
  return (matchCase ? MATCH_CASE : '') + (literal ? oneWord(escaped(text)) : text);
}

export function typedOf(pattern: string): Typed {
  const matchCase = pattern.startsWith(MATCH_CASE);
  const rest = matchCase ? pattern.slice(MATCH_CASE.length) : pattern;
  const plain = unescaped(rest);
  const isEscaped = [escaped(plain), oneWord(escaped(plain))].includes(rest);
  const literal = plain !== rest && isEscaped;
  return { text: literal ? plain : rest, literal, matchCase };
}

/** The pattern that matches exactly this name. */
export function exactPattern(name: string): string {
  return `${MATCH_CASE}^${escaped(name)}$`;
}

/** A pattern for people: an exact one reads as the name that it stands for. */
export function patternLabel(pattern: string): string {
  const [, key, exact] = pattern.match(/^([^=^(]+=)?\(\?-i\)\^(.*)\$$/) ?? [];
  if (exact !== undefined) return (key ?? '') + shortenName(unescaped(exact), LABEL_COLUMNS);
  const { text, literal, matchCase } = typedOf(pattern);
  return (literal ? `“${text}”` : text) + (matchCase ? ' (case counts)' : '');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The same with spaces that part no words. */
function oneWord(expression: string): string {
  return expression.replaceAll(' ', '\\ ');
}

function unescaped(text: string): string {
  return text.replace(/\\x2c/g, ',').replace(/\\(\W)/g, '$1');
}
