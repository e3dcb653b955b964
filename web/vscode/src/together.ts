import { twoGroups } from '@hotframe/ui/src/text/sides.ts';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Engine } from './engine.ts';
import { joined } from './several.ts';

interface Choice extends vscode.QuickPickItem {
  /** The profiles to open, the one to compare with first. */
  readonly opened: readonly string[];
}

/**
 * Opens files as one profile; where their names are of two groups, lets the person choose whether
 * these are compared. Gives the path of what is to be shown.
 */
export async function openTogether(
  engine: Engine,
  uris: readonly vscode.Uri[],
): Promise<string | undefined> {
  const files = uris
    .map(({ fsPath }) => fsPath)
    .sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
  const choices = choicesOf(files);
  const [only] = choices;
  const chosen =
    choices.length > 1
      ? await vscode.window.showQuickPick(choices, {
          title: `How do these ${files.length} profiles relate?`,
          placeHolder: 'One profile, or two sides of a comparison',
        })
      : only;
  if (chosen === undefined) return undefined;
  await engine.open(chosen.opened);
  const [first, now] = chosen.opened;
  if (first !== undefined && now !== undefined) await engine.compare(first, now);
  return now ?? first;
}

/** What files can be together: one profile, or the two sides of a comparison. */
export function choicesOf(files: readonly string[]): readonly Choice[] {
  const one: Choice = {
    label: `Show ${files.length} profiles as one`,
    description: 'values are the mean of the runs',
    opened: [joined(files)],
  };
  // Two files are two sides, whatever they are called.
  const second =
    twoGroups(files.map((file) => path.basename(file))) ??
    (files.length === 2 ? [false, true] : undefined);
  if (second === undefined) return [one];
  const groups = [false, true].map((is) => files.filter((_, at) => second[at] === is));
  const compare = (base: readonly string[], now: readonly string[]): Choice => ({
    label: `Compare ${nameOf(now)} against ${nameOf(base)}`,
    opened: [joined(base), joined(now)],
  });
  const [first = [], other = []] = groups;
  return [one, compare(first, other), compare(other, first)];
}

/** `before-1.pb.gz and 2 more`. */
function nameOf(files: readonly string[]): string {
  const first = path.basename(files[0] ?? '');
  return files.length > 1 ? `${first} and ${files.length - 1} more` : first;
}
