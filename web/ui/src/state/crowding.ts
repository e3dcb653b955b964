import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Pins } from './profile/pins.ts';

/** Windows that are narrower or lower have room for a picture and one thing beside it. */
const SMALL = '(max-width: 600px), (max-height: 600px)';

/** Whether the window is small. */
export function createSmall(page: Pick<Window, 'matchMedia'>): ReadonlySignal<boolean> {
  const query = page.matchMedia(SMALL);
  const small = signal(query.matches);
  query.addEventListener('change', () => {
    small.value = query.matches;
  });
  return small;
}

/**
 * In a small window the panel, the card at the frame and the pinned values make room for the one
 * that was asked for last.
 */
export function shareRoom(
  small: ReadonlySignal<boolean>,
  panel: Signal<boolean>,
  { atFrame: card, pinned }: Pick<Pins, 'atFrame' | 'pinned'>,
): void {
  let before = { panel: panel.peek(), card: card.peek(), pins: pinned.peek().length };
  effect(() => {
    const now = { panel: panel.value, card: card.value, pins: pinned.value.length };
    const isPanelNew = now.panel && !before.panel;
    const isCardNew = now.card && !before.card;
    const arePinsNew = now.pins > before.pins;
    before = now;
    if (!small.value) return;
    const keepsCard = isCardNew && !isPanelNew;
    const keepsPanel = !keepsCard && (isPanelNew || !arePinsNew);
    before = {
      ...now,
      panel: now.panel && keepsPanel,
      card: now.card && (keepsCard || (!now.panel && !arePinsNew)),
    };
    batch(() => {
      panel.value = before.panel;
      card.value = before.card;
    });
  });
}
