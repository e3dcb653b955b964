import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Store } from './host.ts';
import type { Choice } from './view-state.ts';

export type ThemeName = 'light' | 'dark' | 'contrast' | 'contrast-light';
export type ThemeChoice = 'system' | ThemeName;

export const THEMES: readonly Choice<ThemeChoice>[] = [
  { value: 'system', label: 'System', title: 'Follow the system' },
  { value: 'light', label: 'Light', title: 'Light' },
  { value: 'dark', label: 'Dark', title: 'Dark' },
  { value: 'contrast-light', label: 'High contrast light', title: 'Black on white, strong lines' },
  { value: 'contrast', label: 'High contrast dark', title: 'White on black, strong lines' },
];

export interface Theme {
  readonly choice: Signal<ThemeChoice>;
  readonly shown: ReadonlySignal<ThemeName>;
}

const STORAGE_KEY = 'hotframe.theme';

/**
 * The theme of the page: the editor's where it lives in one; else a remembered choice, or what the
 * system prefers, live.
 */
export function createTheme(
  root: HTMLElement,
  store: Store,
  editor?: ReadonlySignal<ThemeName>,
): Theme {
  if (editor !== undefined) {
    effect(() => {
      root.dataset.theme = editor.value;
    });
    return { choice: signal<ThemeChoice>('system'), shown: editor };
  }
  const stored = store.getItem(STORAGE_KEY);
  const choice = signal<ThemeChoice>(
    THEMES.find(({ value }) => value === stored)?.value ?? 'system',
  );
  const dark = mediaSignal('(prefers-color-scheme: dark)');
  const contrast = mediaSignal('(prefers-contrast: more), (forced-colors: active)');
  const shown = computed<ThemeName>(() => {
    if (choice.value !== 'system') return choice.value;
    if (contrast.value) return dark.value ? 'contrast' : 'contrast-light';
    return dark.value ? 'dark' : 'light';
  });
  effect(() => {
    root.dataset.theme = shown.value;
  });
  effect(() => store.setItem(STORAGE_KEY, choice.value));
  return { choice, shown };
}

/** The choice after the current one, for a key that walks through all. */
export function nextTheme(choice: ThemeChoice): ThemeChoice {
  const index = THEMES.findIndex(({ value }) => value === choice);
  return THEMES[(index + 1) % THEMES.length]!.value;
}

function mediaSignal(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener('change', () => {
    matches.value = media.matches;
  });
  return matches;
}
