import type { ReadField, SetField } from './address-part.ts';
import {
  type AccessesViewState,
  type AccessRule,
  CHANGE_SIDES,
  type ChosenElement,
  DEFAULT_ACCESSES_VIEW as DEFAULT,
  DISTANCES,
  INCLUSIONS,
  MISS_KINDS,
  OVERLAYS,
  parseCaches,
  REPLACEMENTS,
  RULES,
} from './accesses-view.ts';
import { COLOUR_MAPS, SCALES } from './graph-view.ts';
import { choice, decodeSymbols, encodeSymbols, wholeNumber } from './url-fields.ts';

/** More chosen elements are left out of the address, which browsers cut. */
const MOST_CHOSEN = 50;
/** More changes are not a chain that somebody made. */
const MOST_CHANGES = 40;
/** More ranges are left out of the address. */
const MOST_RANGES = 50;

/** The part of the address that is about accesses: keys of two letters that begin with `a`. */
export function encodeAccesses(state: AccessesViewState, set: SetField): void {
  const number = (key: string, value: number, standard: number) =>
    set(key, value === standard ? undefined : value);
  set('as', state.scope);
  set('av', encodeSymbols(state.symbols), '');
  set('aq', encodeSymbols(state.fullSymbols), '');
  number('al', state.line, DEFAULT.line);
  number('an', state.lines, DEFAULT.lines);
  set('ak', state.cache, DEFAULT.cache);
  set('af', state.fullCache, DEFAULT.fullCache);
  set('ar', state.replacement, DEFAULT.replacement);
  set('ai', state.inclusion, DEFAULT.inclusion);
  set('ax', state.rules.join('.'), '');
  set('ah', state.schedule, DEFAULT.schedule);
  set('aa', state.ranges.slice(0, MOST_RANGES).join(';'), '');
  number('aj', state.private, DEFAULT.private);
  set('aw', state.changes.join(';'), '');
  set('ab', state.side, DEFAULT.side);
  set('ao', state.overlay, DEFAULT.overlay);
  set('ad', state.distance, DEFAULT.distance);
  set('am', state.misses, DEFAULT.misses);
  const chosen = state.chosen.slice(0, MOST_CHOSEN);
  set(
    'ae',
    chosen.map(({ container, indices }) => `${indices.join('.')}:${container}`).join(','),
    '',
  );
  set('ap', state.at);
  set('ag', state.range && `${state.range.from}~${state.range.to}`);
  set('ac', state.scale, DEFAULT.scale);
  set('ay', state.colours, DEFAULT.colours);
  set('az', state.full ? '1' : undefined);
}

/** The state of an address; what does not parse is at its default. */
export function decodeAccesses(text: ReadField): AccessesViewState {
  const rules = text('ax')?.split('.') ?? [];
  const caches = (key: string, standard: string) => {
    const written = text(key);
    return written !== undefined && parseCaches(written) !== undefined ? written : standard;
  };
  return {
    scope: text('as') === 'all' ? 'all' : wholeNumber(text('as')),
    symbols: decodeSymbols(text('av')),
    fullSymbols: decodeSymbols(text('aq')),
    line: atLeastOne(text('al')) ?? DEFAULT.line,
    lines: atLeastOne(text('an')) ?? DEFAULT.lines,
    cache: caches('ak', DEFAULT.cache),
    fullCache: caches('af', DEFAULT.fullCache),
    replacement: choice(REPLACEMENTS, text('ar'), DEFAULT.replacement),
    inclusion: choice(INCLUSIONS, text('ai'), DEFAULT.inclusion),
    rules: RULES.map(({ value }) => value).filter((rule: AccessRule) => rules.includes(rule)),
    schedule: text('ah') ?? DEFAULT.schedule,
    private: wholeNumber(text('aj')) ?? DEFAULT.private,
    ranges: listOf(text('aa'), MOST_RANGES),
    changes: listOf(text('aw'), MOST_CHANGES),
    side: choice(CHANGE_SIDES, text('ab'), DEFAULT.side),
    overlay: choice(OVERLAYS, text('ao'), DEFAULT.overlay),
    distance: choice(DISTANCES, text('ad'), DEFAULT.distance),
    misses: choice(MISS_KINDS, text('am'), DEFAULT.misses),
    chosen: decodeChosen(text('ae')),
    at: wholeNumber(text('ap')),
    range: decodeRange(text('ag')),
    scale: choice(SCALES, text('ac'), DEFAULT.scale),
    colours: choice(COLOUR_MAPS, text('ay'), DEFAULT.colours),
    full: text('az') === '1',
  };
}

function listOf(text: string | undefined, most: number): readonly string[] {
  return (text ?? '')
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .slice(0, most);
}

function atLeastOne(text: string | undefined): number | undefined {
  const value = wholeNumber(text);
  return value === undefined || value < 1 ? undefined : value;
}

function decodeChosen(text: string | undefined): readonly ChosenElement[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const [number, ...name] = entry.split(':');
    const container = name.join(':');
    const indices = number === '' ? [] : (number ?? '').split('.').map(wholeNumber);
    const isGood = (all: readonly (number | undefined)[]): all is readonly number[] =>
      !all.includes(undefined);
    return isGood(indices) && container !== '' ? [{ container, indices }] : [];
  });
}

function decodeRange(text: string | undefined): AccessesViewState['range'] {
  const [from, to] = text?.split('~').map(wholeNumber) ?? [];
  return from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;
}
