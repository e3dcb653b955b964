/**
 * Where the parts of a qualified name end: after `::`, `/` and `.`, but not inside brackets, so
 * that `a::b<c::d>(e::f)` has the parts `a`, `b<c::d>(e::f)` and `json.(*T).do` has `json`,
 * `(*T)`, `do`. Each entry is the offset where the next part starts.
 */
function partStarts(name: string): readonly number[] {
  const starts: number[] = [];
  let depth = 0;
  for (let index = 0; index < name.length; index++) {
    const char = name[index];
    if (char === '<' || char === '(' || char === '[' || char === '{') depth++;
    else if (char === '>' || char === ')' || char === ']' || char === '}')
      depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (char === ' ') starts.length = 0;
    else if (char === '/' || (char === '.' && index > 0 && startsPart(name, index)))
      starts.push(index + 1);
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

/**
 * The package, namespace or module part of a function's name: `net/http` of
 * `net/http.(*conn).serve`, `a::b` of `a::b::c()`; empty where the name has none.
 */
export function packageOf(name: string): string {
  const open = name.search(/[<(\s[{]/);
  const plain = open < 0 ? name : name.slice(0, open);
  const slash = plain.lastIndexOf('/');
  const colons = plain.lastIndexOf('::');
  if (colons > 0) return plain.slice(0, colons);
  // Go: the package ends at the first point after the last slash.
  const point = plain.indexOf('.', slash + 1);
  if (point > 0 && point < name.length - 1 && !looksLikeFile(name, point))
    return plain.slice(0, point);
  return slash > 0 ? plain.slice(0, slash) : '';
}

/** `main.py` and `libc.so` name a file, not something in a package. */
function looksLikeFile(name: string, point: number): boolean {
  return /^\.(so|dll|dylib|exe|[ch](pp|xx|c)?|[sS]|asm|py|pyx|[jt]sx?|[cm]js|rs|go|rb|java|kt|scala|swift|cs|php|m|ml|hs)\b/.test(
    name.slice(point),
  );
}

/** How wide a name is in a monospace font, in characters; East Asian characters count double. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) columns += char.codePointAt(0)! >= 0x1100 ? 2 : 1;
  return columns;
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

/**
 * A name that fits `columns` characters and shows nothing harmful, shortened from the left: namespaces go first, then the
 * front of the name behind an ellipsis. An argument list is replaced by `(…)` before the name itself
 * is touched, as the end of a list says less than the name. Empty where not even a few characters
 * fit.
 */
export function shortenName(exact: string, columns: number): string {
  const name = visible(exact);
  if (textColumns(name) <= columns) return name;
  let last = name;
  for (const start of partStarts(name)) {
    last = name.slice(start);
    if (textColumns(last) <= columns) return last;
  }
  const bare = withoutArguments(last);
  if (bare === undefined) return fromTheRight(last, columns);
  const marked = `${bare}${last[bare.length]}…${last.at(-1)}`;
  return textColumns(marked) <= columns ? marked : fromTheRight(bare, columns);
}

function fromTheRight(text: string, columns: number): string {
  if (textColumns(text) <= columns) return text;
  return columns > 3 ? `…${lastColumns(text, columns - 1)}` : '';
}

/** What stands before an argument list or type arguments at the end; undefined without them. */
function withoutArguments(part: string): string | undefined {
  const open = part.search(/[(<[]/);
  return open > 0 && /[)>\]]$/.test(part) && part.length - open > 3
    ? part.slice(0, open)
    : undefined;
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

/** A regular expression that matches exactly this name. */
export function exactPattern(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
}
