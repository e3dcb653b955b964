/**
 * Where the parts of a qualified name begin: after `::`, `/` and `.`, but not inside brackets, and
 * after `.` only behind the last `/`, for `github.com` is one part. So `a::b<c::d>(e::f)` has the
 * parts `a` and `b<c::d>(e::f)`, and `json.(*T).do` has `json`, `(*T)` and `do`.
 */
function partStarts(name: string): readonly number[] {
  let starts: number[] = [];
  let depth = 0;
  for (let index = 0; index < name.length; index++) {
    const char = name[index];
    if (char === '<' || char === '(' || char === '[' || char === '{') depth++;
    else if (char === '>' || char === ')' || char === ']' || char === '}')
      depth = Math.max(0, depth - 1);
    else if (depth > 0 || index === 0) continue;
    else if (char === '/') {
      starts = starts.filter((start) => name[start - 1] !== '.');
      starts.push(index + 1);
    } else if (char === '.' && startsPart(name, index)) starts.push(index + 1);
    else if (char === ':' && name[index + 1] === ':') {
      index++;
      // `{{closure}}` says nothing without the function around it.
      if (name[index + 1] !== '{') starts.push(index + 1);
    }
  }
  return starts.filter((start) => start < name.length);
}

/**
 * Whether the point begins a part of its own: not in `libc.so.6`, and not before the numbers that
 * Go gives to closures, which say nothing without the function around them.
 */
function startsPart(name: string, point: number): boolean {
  return !looksLikeFile(name, point) && !/^\.(func)?\d/.test(name.slice(point, point + 8));
}

/** `main.py` and `libc.so` name a file, not something in a package. */
function looksLikeFile(name: string, point: number): boolean {
  return /^\.(so|dll|dylib|exe|c|cc|cpp|cxx|h|hh|hpp|hxx|[sS]|asm|py|pyx|[jt]sx?|[cm][jt]s|rs|go|rb|java|kt|scala|swift|cs|php|m|ml|hs)\b/.test(
    name.slice(point),
  );
}

/** How wide a name is in a monospace font, in characters; East Asian characters count double. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) columns += charColumns(char.codePointAt(0)!);
  return columns;
}

function charColumns(char: number): number {
  return char >= 0x1100 && !(char >= 0x2000 && char < 0x2e80) ? 2 : 1;
}

/**
 * A text that does nothing but show: control characters, which begin lines that nobody wrote, and
 * marks of direction, which show what stands around them in another order, become visible escapes
 * such as `\\n` and `\\u{202e}`. For eyes only: what is searched for and copied stays exact.
 */
export function visible(text: string): string {
  return text.replace(HARMFUL, (char) => {
    if (char === '\n') return '\\n';
    if (char === '\r') return '\\r';
    if (char === '\t') return '\\t';
    return `\\u{${char.codePointAt(0)!.toString(16)}}`;
  });
}

const HARMFUL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** In less room nothing of a name can be told. */
const LEAST_COLUMNS = 4;

/**
 * A name that fits `columns` characters and shows nothing harmful. What is left out are parts in the
 * middle, as the beginning tells the package and the end the function; an argument list goes before
 * anything of the last part does. Empty where not even a few characters fit.
 *
 * `github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap` becomes `github.com/…(*Mapper).TypeMap`.
 * The engine's pictures have the same rules: both are tested with `testdata/names.tsv`.
 */
export function shortenName(exact: string, columns: number): string {
  const name = visible(exact);
  if (textColumns(name) <= columns) return name;
  if (columns < LEAST_COLUMNS) return '';
  const starts = partStarts(name);
  if (starts.length === 0) return cutPart(name, columns);
  const head = name.slice(0, starts[0]);
  const left = columns - textColumns(head) - 1;
  const tail = starts.slice(1).find((start) => textColumns(name.slice(start)) <= left);
  if (tail !== undefined) return `${head}…${name.slice(tail)}`;
  const whole = name.slice(starts.at(-1));
  // Much of the package says more than arguments do.
  const bare = withoutArguments(whole);
  const fits = (part: string, room: number) => textColumns(part) <= room;
  const last = bare !== undefined && !fits(whole, left) && fits(bare, columns) ? bare : whole;
  if (starts.length > 1 && fits(last, left)) return `${head}…${last}`;
  const room = columns - textColumns(last) - 1;
  return room > 0 ? `${firstColumns(name, room)}…${last}` : cutPart(last, columns);
}

/** Names of types that were written by machines have thousands of letters; so many tell enough. */
const MOST_SHOWN = 240;

/** A name where there is room for several lines of it. */
export function boundedName(exact: string): string {
  return shortenName(exact, MOST_SHOWN);
}

/** The middle of a name without parts is left out: most of what stays is its end. */
function cutPart(part: string, columns: number): string {
  if (textColumns(part) <= columns) return part;
  const bare = withoutArguments(part);
  if (bare !== undefined && textColumns(bare) <= columns) return bare;
  // Without its arguments altogether, where even `(…)` has no room.
  const name = bare?.slice(0, -3) ?? part;
  if (textColumns(name) <= columns) return name;
  const head = firstColumns(name, Math.floor((columns - 1) / 3));
  return `${head}…${lastColumns(name, columns - 1 - textColumns(head))}`;
}

/** Letters that a place needs at least to tell anything. */
const LEAST_PLACE = 6;

/**
 * The same for a name with the place that tells it from equal ones. Where the name has room, the
 * outer folders of the place go first: places differ near their ends more than anywhere else. Where
 * it has none, the name is all that is shown.
 */
export function shortenLabel(name: string, label: string, columns: number): string {
  const whole = visible(label);
  const shown = visible(name);
  const left = columns - textColumns(shown) - 1;
  if (textColumns(whole) <= columns || !whole.startsWith(`${shown} `)) {
    return shortenName(label, columns);
  }
  if (left < LEAST_PLACE) return shortenName(name, columns);
  return `${shown} ${shortenPath(label.slice(name.length + 1), left)}`;
}

/**
 * `f(…)` for `f(int, char)`: the end of a list of arguments or type arguments says less than the
 * name. A place in brackets, which stands behind a space, is no such list.
 */
function withoutArguments(part: string): string | undefined {
  const open = part.search(/[(<[]/);
  return open > 0 && part[open - 1] !== ' ' && /[)>\]]$/.test(part) && part.length - open > 3
    ? `${part.slice(0, open + 1)}…${part.at(-1)}`
    : undefined;
}

function firstColumns(text: string, columns: number): string {
  let left = columns;
  let to = 0;
  for (const char of text) {
    left -= textColumns(char);
    if (left < 0) break;
    to += char.length;
  }
  return text.slice(0, to);
}

function lastColumns(text: string, columns: number): string {
  const chars = [...text];
  let left = columns;
  let from = chars.length;
  while (from > 0) {
    const width = textColumns(chars[from - 1]!);
    if (width > left) break;
    left -= width;
    from--;
  }
  return chars.slice(from).join('');
}

/** A path that fits `columns` characters: folders go first, then the front of the file's name. */
export function shortenPath(path: string, columns: number): string {
  let rest = visible(path);
  while (textColumns(rest) > columns) {
    const slash = rest.indexOf('/', 1);
    if (slash < 0) return columns > 3 ? `…${lastColumns(rest, columns - 1)}` : '';
    rest = rest.slice(slash + 1);
  }
  return rest;
}
