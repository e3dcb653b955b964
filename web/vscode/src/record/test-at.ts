/** A test in a source file, and what it stands in, from the outside. */
export interface Test {
  readonly names: readonly string[];
}

/** Languages whose tests are found, by their names in VS Code. */
const FINDERS: Readonly<
  Record<string, (lines: readonly string[], at: number) => Test | undefined>
> = {
  python: ofPython,
  go: ofGo,
  rust: ofRust,
  javascript: ofNode,
  typescript: ofNode,
};

/** The test that a line (from 0) of a text belongs to. */
export function testAt(language: string, text: string, line: number): Test | undefined {
  const lines = text.split(/\r?\n/);
  return FINDERS[language]?.(lines, Math.min(line, lines.length - 1));
}

/** What the lines that a line stands in begin with, from the inside; the line itself is the first. */
function* around(lines: readonly string[], at: number): Generator<{ line: string; at: number }> {
  const indentOf = (line: string) => line.length - line.trimStart().length;
  let indent = Infinity;
  for (let above = at; above >= 0; above -= 1) {
    const line = lines[above]!;
    // An end of a block stands where its beginning does.
    if (line.trim() === '' || (/^\s*[)\]}]/.test(line) && above !== at)) continue;
    const here = indentOf(line);
    if (here >= indent) continue;
    indent = /^\s*[)\]}]/.test(line) ? here + 1 : here;
    yield { line: line.trim(), at: above };
    if (indent === 0) return;
  }
}

/** `test_x`, `TestX` or `TestX`, `test_x`, as pytest finds them. */
function ofPython(lines: readonly string[], at: number): Test | undefined {
  // On a decorator the test stands below.
  let from = at;
  while (/^\s*@/.test(lines[from] ?? '')) from += 1;
  const names: string[] = [];
  for (const { line } of around(lines, from)) {
    const name = /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1];
    if (name !== undefined) names.unshift(name);
  }
  // Functions inside of a test belong to it.
  const last = names.findIndex((name) => /^test(?!s?$)/.test(name) || name === 'test');
  if (last >= 0) return { names: names.slice(0, last + 1) };
  const [first] = names;
  return first !== undefined && /^Test|Tests?$/.test(first) ? { names: [first] } : undefined;
}

/** Tests, benchmarks, fuzz tests and examples. */
function ofGo(lines: readonly string[], at: number): Test | undefined {
  for (let above = at; above >= 0; above -= 1) {
    const line = lines[above]!;
    // After the end of a function, before the next one.
    if (above < at && line.startsWith('}')) return undefined;
    if (!line.startsWith('func ')) continue;
    const name = /^func ((?:Test|Benchmark|Fuzz|Example)(?![a-z])\w*)\(/.exec(line)?.[1];
    return name === undefined ? undefined : { names: [name] };
  }
  return undefined;
}

/** A function with an attribute that ends with `test`, and its modules. */
function ofRust(lines: readonly string[], at: number): Test | undefined {
  let from = at;
  while (/^\s*#\[/.test(lines[from] ?? '')) from += 1;
  const names: string[] = [];
  let isTest = false;
  for (const { line, at: place } of around(lines, from)) {
    const name = /^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/.exec(line)?.[1];
    const module = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{/.exec(line)?.[1];
    if (name !== undefined) {
      // Functions inside of a test belong to it.
      isTest = hasTestAttribute(lines, place);
      names.splice(0, names.length, name);
    } else if (module !== undefined) names.unshift(module);
  }
  return isTest ? { names } : undefined;
}

function hasTestAttribute(lines: readonly string[], of: number): boolean {
  for (let above = of - 1; above >= 0; above -= 1) {
    const line = lines[above]!.trim();
    if (/^#\[(?:\w+::)*(?:test|rstest|test_case|bench)\b/.test(line)) return true;
    if (!/^(#\[|\/\/)/.test(line)) return false;
  }
  return false;
}

/** Tests of Node.js's own runner, and what describes them. */
function ofNode(lines: readonly string[], at: number): Test | undefined {
  if (!lines.some((line) => /\bfrom\s+['"]node:test['"]|require\(['"]node:test['"]\)/.test(line)))
    return undefined;
  for (const { line } of around(lines, at)) {
    const call =
      /^(?:await\s+)?(?:test|it|describe|suite)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/;
    const name = call.exec(line)?.[2];
    if (name !== undefined && !name.includes('${')) {
      return { names: [name.replace(/\\(.)/g, '$1')] };
    }
  }
  return undefined;
}
