import type { App } from '../../state/app.ts';
import { type Exports, PICTURE_WIDTH } from '../../state/exports.ts';
import type { TimelineController } from './controller.ts';

/** Beside the tracks of a picture stand their names. */
const TRACK_NAMES = 186;

/** The tracks that are shown, in the part of time that is in sight; and all spans. */
export function timelineExports(app: App, controller: TimelineController): Exports {
  const { tracks, times, places, input } = controller;
  return {
    pictures: [
      {
        label: 'Timeline',
        async draw() {
          if (tracks.peek().value === undefined) throw new Error('The timeline is not there yet.');
          const { spec, search, view } = input.peek();
          const { result } = await app.engine.call('export_timeline_svg', {
            lanes: {
              view: spec,
              ...times.peek(),
              width: PICTURE_WIDTH - TRACK_NAMES,
              tracks: places.peek().map(({ track, isOpen, rows, sum }) => ({
                track: track.track,
                first_row: 0,
                rows: isOpen ? Math.max(1, rows) : 0,
                group: sum !== undefined,
              })),
              search,
            },
            theme: app.theme.shown.value,
            colour: app.profile.colour.value,
            upwards: view.upwards,
          });
          return result;
        },
      },
    ],
    tables: [
      {
        label: 'Spans',
        title: 'All spans that the filters keep, with their arguments; exact',
        async csv() {
          const { spec } = input.peek();
          return (await app.engine.call('export_spans_csv', { view: spec })).result;
        },
      },
    ],
  };
}
