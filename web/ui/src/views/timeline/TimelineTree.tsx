import { FlameFlag } from '@hotframe/engine';
import { boundedName } from '../../text/names.ts';
import { formatShare, formatThings } from '../../text/units.ts';
import { childrenOf, parentOf, rowOf } from './bars.ts';
import type { TimelineController } from './controller.ts';
import { hasChart, type PlacedTrack } from './places.ts';
import { timeLabel } from './times.ts';

/** Tracks that a screen reader is told of. */
const MOST_TRACKS = 500;
/** So many neighbours on each side are enough to know where one is. */
const NEIGHBOURS = 8;

/** The element of what keys are for. */
export const CURRENT = 'timeline-current';

/**
 * The timeline for screen readers: tracks, and in its track the selected bar with what is around,
 * beside and inside it. A canvas has no content of its own.
 */
export function TimelineTree({ controller }: { readonly controller: TimelineController }) {
  const places = controller.places.value;
  const cursor = controller.cursor.value;
  controller.selected.value;
  controller.input.value;
  const drawn = controller.scene.value;
  const chosen = controller.selectedBar();
  const at = places.findIndex(({ track }) => track.track === cursor);
  const first = Math.min(
    Math.max(0, at - MOST_TRACKS / 2),
    Math.max(0, places.length - MOST_TRACKS),
  );
  const chosenTrack =
    chosen === undefined || drawn === undefined
      ? undefined
      : drawn.tracks[drawn.answer.columns.bar_of[chosen]!];
  return (
    <div class="spoken" role="none">
      {places.slice(first, first + MOST_TRACKS).flatMap((place) => {
        const isCursor = place.track.track === cursor;
        const hasChosen = place.track.track === chosenTrack;
        const track = (
          <div
            key={place.track.track}
            id={isCursor && !hasChosen ? CURRENT : undefined}
            role="treeitem"
            aria-level={place.depth + 1}
            aria-selected={isCursor}
            aria-expanded={
              hasChart(place.track) || place.under > 0
                ? place.isOpen || isOpenGroup(place)
                : undefined
            }
          >
            {describeTrack(place)}
          </div>
        );
        return hasChosen ? [track, ...barsAround(controller, place, chosen!)] : [track];
      })}
    </div>
  );
}

function isOpenGroup({ under, sum, track }: PlacedTrack): boolean {
  return under > 0 && sum === undefined && !hasChart(track);
}

/** What is said of a track. */
function describeTrack(place: PlacedTrack): string {
  const { track, sum, isOpen, isHeading, isPinned, under } = place;
  return [
    boundedName(track.name),
    track.kind,
    track.recording,
    isPinned ? 'pinned' : '',
    sum === undefined ? '' : `sums up ${formatThings(under, 'track')}`,
    isHeading || track.spans === 0 ? '' : formatThings(track.spans, 'span'),
    track.samples === 0 ? '' : formatThings(track.samples, 'sample'),
    track.marks === 0 ? '' : formatThings(track.marks, 'mark'),
    track.busy === 0 ? '' : `${formatShare(track.busy_share)} busy`,
    isOpen ? 'unfolded' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function barsAround(controller: TimelineController, place: PlacedTrack, chosen: number) {
  const scene = controller.scene.value;
  if (scene === undefined) return [];
  const { columns, result } = scene.answer;
  const row = rowOf(columns, chosen);
  const index = row.indexOf(chosen);
  const parent = parentOf(columns, chosen);
  const near = row.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1);
  const inside = childrenOf(columns, chosen).slice(0, 2 * NEIGHBOURS);
  const origin = controller.tracks.value.value?.origin ?? 0;
  const item = (bar: number) => (
    <div
      key={`bar${bar}`}
      id={bar === chosen ? CURRENT : undefined}
      role="treeitem"
      aria-level={place.depth + 2 + columns.bar_row[bar]!}
      aria-selected={bar === chosen}
    >
      {boundedName(result.names[columns.bar_name[bar]!] ?? '')},{' '}
      {(columns.bar_flags[bar]! & FlameFlag.UNFINISHED) !== 0 && 'unfinished, at least '}
      {timeLabel(columns.bar_length[bar]!)}, at {timeLabel(origin + columns.bar_begin[bar]!)}
      {columns.bar_merged[bar]! > 0 &&
        `, and ${formatThings(columns.bar_merged[bar]!, 'shorter one')}`}
    </div>
  );
  return [...(parent === undefined ? [] : [parent]), ...near, ...inside].map(item);
}
