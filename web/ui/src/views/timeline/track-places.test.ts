import type { TrackInfo, TracksResult } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { RULER } from './places.ts';
import { TIMELINE_PART, type TimelineViewState } from './state.ts';
import { createTrackPlaces } from './track-places.ts';

/** A process, and threads under it with a span each. */
function placesOf(threads: number, height = 200) {
  const track = (at: number) =>
    ({
      track: at,
      name: `track ${at}`,
      kind: at === 0 ? 'process' : 'thread',
      depth: at === 0 ? 0 : 1,
      spans: at === 0 ? 0 : 1,
      busy: 1,
      samples: 0,
      recording: '',
      only: [],
    }) as unknown as TrackInfo;
  const tracks = Array.from({ length: threads + 1 }, (_, at) => track(at));
  const view = signal<TimelineViewState>(TIMELINE_PART.standard);
  const places = createTrackPlaces({
    tracks: signal({ tracks, counters: [], more: 0 } as unknown as TracksResult),
    view,
    size: signal({ width: 1000, height }),
    gutter: signal(176),
    update(change) {
      view.value = { ...view.value, ...change };
    },
  });
  const shown = () => places.places.value.map((place) => place.track.track);
  return { places, view, shown };
}

it('keys go from the first track in sight to the last, which is scrolled to', () => {
  const { places } = placesOf(20);
  places.moveCursor(1);
  expect(places.cursor.value).toBe(0);
  for (let step = 0; step < 30; step++) places.moveCursor(1);
  expect(places.cursor.value).toBe(20);
  const last = places.placeOf(20)!;
  expect(places.scroll.value).toBeGreaterThan(0);
  expect(places.topOf(last) + last.height).toBeLessThanOrEqual(200);
});

it('keys are for the next track where one is hidden, and for the one before the last', () => {
  const { places, view, shown } = placesOf(3);
  places.pointTo(2);
  places.hide(2);
  expect([shown(), places.cursor.value]).toEqual([[0, 1, 3], 3]);
  places.hide(3);
  expect([view.value.hidden, places.cursor.value]).toEqual([[2, 3], 1]);
});

it('a track that is hidden or summed up is shown again when something of it is', () => {
  const { places, view, shown } = placesOf(3);
  places.hide(2);
  places.show(2, undefined);
  expect(shown()).toEqual([0, 1, 2, 3]);
  places.toggle(0);
  expect(view.value.grouped).toEqual([0]);
  expect(shown()).toEqual([0]);
  places.show(1, undefined);
  expect(shown()).toEqual([0, 1, 2, 3]);
});

it('what scrolled away comes back with fewer tracks', () => {
  const { places, view } = placesOf(40);
  places.scrollTo(1e6);
  expect(places.scroll.value).toBeGreaterThan(0);
  view.value = { ...view.value, names: 'track 7' };
  expect(places.scroll.value).toBe(0);
});

it('the pointer finds tracks below the ruler only', () => {
  const { places } = placesOf(3);
  expect(places.placeAt(RULER - 1)).toBeUndefined();
  expect(places.placeAt(RULER + 1)?.track.track).toBe(0);
});
