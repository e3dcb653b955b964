import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The folder of recordings in one of the workspace. They stand there, and not in the extension's
 * storage, so that the explorer can open them together, compare and remove them; compilers and tests
 * do not look into folders whose names begin with a dot.
 */
export const FOLDER = '.hotframe';

/** `pricing.py-2026-05-04-170312`: what was recorded, and when; runs of one thing stand together. */
export function nameOf(title: string, time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('');
  const plain = title.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  return `${plain.slice(0, 80) || 'recording'}-${day}-${clock}`;
}

/** Where the next recording of something goes, without an ending; its folder is there afterwards. */
export async function placeFor(folder: string, title: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  // Nobody wants them among changes; a file that is there may say something else.
  const ignored = path.join(folder, '.gitignore');
  if (!existsSync(ignored)) await writeFile(ignored, '*\n');
  return path.join(folder, nameOf(title, new Date()));
}
