/**
 * The words of a command line, as a shell of Unix splits them: at spaces, but for what stands in
 * quotes or behind a backslash. Nothing is replaced, and what only a shell can do is refused.
 */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!;
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else if (letter === '\\' && quote === '"' && /["\\$`]/.test(line[at + 1] ?? ''))
        word += line[(at += 1)]!;
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (letter === '\\' && at + 1 < line.length) {
      word = (word ?? '') + line[(at += 1)]!;
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[|&;<>()`]/.test(letter)) {
      throw new Error(
        `"${letter}" is for a shell: record ["sh", "-c", "…"] in tasks.json, or put it in quotes.`,
      );
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (quote !== undefined) throw new Error(`A quote (${quote}) is not closed.`);
  if (word !== undefined) words.push(word);
  return words;
}
