import {
  type AccessesViewState,
  type AccessOverlay,
  overlaysOf,
} from '../../state/accesses-view.ts';

/** Next colours. */
export function nextOverlay({ overlay }: AccessesViewState, isRecorded: boolean): AccessOverlay {
  const overlays = overlaysOf(isRecorded);
  const at = overlays.findIndex(({ value }) => value === overlay);
  return overlays[(at + 1) % overlays.length]!.value;
}
