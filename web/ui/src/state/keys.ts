import { type Binding, EVERYWHERE, type KeyScope } from './key-bindings.ts';

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** A key press as `Ctrl+f`; Shift is named only where it does not change the character. */
export function chordOf(press: KeyPress): string {
  const parts = [];
  if (press.ctrlKey || press.metaKey) parts.push('Ctrl');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey && press.key.length > 1) parts.push('Shift');
  parts.push(press.key);
  return parts.join('+');
}

/** What a key press means where the keyboard is; a view's keys win over those of the page. */
export function commandFor(
  press: KeyPress,
  scope: string,
  all: readonly KeyScope[],
): Binding | undefined {
  const chord = chordOf(press);
  const find = (wanted: string) =>
    all
      .filter((one) => one.scope === wanted)
      .flatMap(({ keys }) => keys)
      .find(({ keys }) => keys.includes(chord));
  return find(scope) ?? find(EVERYWHERE);
}

/** A chord as people read it. */
export function chordLabel(chord: string): string {
  return chord
    .replace('ArrowUp', '↑')
    .replace('ArrowDown', '↓')
    .replace('ArrowLeft', '←')
    .replace('ArrowRight', '→')
    .replace('Escape', 'Esc')
    .replace('ContextMenu', 'Menu')
    .replace(/^ $/, 'Space')
    .replace(/^([A-Z])$/, 'Shift+$1')
    .replace(/(^|\+)([a-z])$/, (_, plus: string, letter: string) => plus + letter.toUpperCase());
}
