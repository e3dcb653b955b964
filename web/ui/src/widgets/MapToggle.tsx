import { useApp } from '../state/services.ts';

/** What the layout knows overviews by; they are open at first. */
const NAME = 'minimap';

/** Whether overviews are shown. */
export function useMapOpen(): boolean {
  return useApp().layout.sizeOf(NAME) !== 0;
}

/** Closes the overview of a picture, and opens it again in its place. */
export function MapToggle() {
  const { layout } = useApp();
  const open = useMapOpen();
  const label = open ? 'Close the overview' : 'Show the overview';
  return (
    <button
      type="button"
      class={open ? 'map-toggle' : 'map-toggle closed'}
      aria-label={label}
      title={label}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => layout.setSize(NAME, open ? 0 : undefined)}
    >
      {open ? '×' : '▣'}
    </button>
  );
}
