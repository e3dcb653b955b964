import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './harness.ts';

/**
 * A file of the corpus, which stands beside the repository on some machines; `HOTFRAME_CORPUS` names
 * another folder. Where it is absent that is told, and written to the file in which `cargo xtask test`
 * counts what was left out.
 */
export function corpus(test: string, name: string): string | undefined {
  const folder = process.env.HOTFRAME_CORPUS ?? path.join(REPOSITORY, '../shared/corpus');
  const file = path.join(folder, name);
  if (existsSync(file)) return file;
  const line = `left out: ${test} on ${name} (no corpus)\n`;
  process.stderr.write(line);
  const counted = process.env.HOTFRAME_LEFT_OUT;
  if (counted !== undefined) appendFileSync(counted, line);
  return undefined;
}
