import { type AccessesViewState, type AccessOverlay, OVERLAYS } from '../../state/accesses-view.ts';

/** What elements tell next. */
export function nextOverlay({ overlay }: AccessesViewState): AccessOverlay {
  const at = OVERLAYS.findIndex(({ value }) => value === overlay);
  return OVERLAYS[(at + 1) % OVERLAYS.length]!.value;
}
