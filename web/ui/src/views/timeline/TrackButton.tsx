import type { Point } from '../../canvas/rect.ts';
import type { TimelineController } from './controller.ts';
import { RULER } from './places.ts';

/** Opens the menu of the track that the pointer is over, or that keys are for. */
export function TrackButton(props: {
  readonly controller: TimelineController;
  open(track: number, at: Point): void;
}) {
  const { controller } = props;
  controller.scroll.value;
  controller.sticky.value;
  const places = controller.places.value;
  const over = controller.overTrack.value ?? controller.cursor.value;
  const place = places.find(({ track }) => track.track === over);
  if (place === undefined) return null;
  const gutter = controller.gutter.value;
  const sticky = place.isPinned ? 0 : controller.sticky.value;
  const from = controller.topOf(place);
  const top = Math.max(from, RULER + sticky);
  if (top + 20 > from + place.height + 4 || top > controller.size.value.height - 16) return null;
  const left = gutter === 0 ? controller.size.value.width - 30 : gutter - 26;
  return (
    <button
      type="button"
      class="track-button"
      tabIndex={-1}
      style={{ top: `${top + 1}px`, left: `${left}px` }}
      aria-label={`Menu of ${place.track.name}`}
      title="Only this thread, pin, hide, fold, sort"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        props.open(place.track.track, { x: box.left, y: box.bottom + 2 });
      }}
    >
      ⋯
    </button>
  );
}
