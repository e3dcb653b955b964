import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import type { Handlers } from '../../state/commands.ts';
import type { TimelineController } from './controller.ts';
import { lasting } from './items.ts';
import { TIMELINE_PART } from './state.ts';
import { timeRanges, type Window, withRange } from './times.ts';

/** How far a page goes, as a share of the picture. */
const PAGE = 0.8;

/** Keeps only a range of time, in the place of those before; all of it where undefined. */
export function chooseRange(app: Pick<App, 'view' | 'update'>, pattern: string | undefined): void {
  app.update({ filters: withRange(app.view.peek().filters, pattern) }, 'push');
}

/** The stretches that are kept. */
export function rangesIn(
  app: Pick<App, 'view'>,
  { tracks }: Pick<TimelineController, 'tracks'>,
): readonly Window[] {
  const { origin, length } = tracks.value.value ?? { origin: 0, length: 1 };
  return timeRanges(app.view.value.filters, origin, length);
}

/** What keys do in a timeline. */
export function timelineActions(
  app: Pick<App, 'view' | 'update' | 'source'>,
  controller: TimelineController,
): Handlers {
  const view = () => controller.input.peek().view;
  const selected = () => controller.selected.peek().value;
  const scrollBy = (pages: number) =>
    controller.scrollTo(controller.scroll.peek() + pages * controller.size.peek().height);
  /** Does something with the track of the keys; with the first in sight where they have none. */
  const ofCursor = (run: (track: number) => void) => {
    if (controller.cursor.peek() === undefined) controller.moveCursor(0);
    const track = controller.cursor.peek();
    if (track !== undefined) run(track);
  };
  return {
    parent: () => controller.walk('up'),
    child: () => controller.walk('down'),
    left: () => controller.walk('left'),
    right: () => controller.walk('right'),
    zoom_to() {
      const item = selected();
      if (item !== undefined) controller.zoomTo(item.begin, lasting(item));
    },
    zoom_in: () => controller.zoomBy(1 / 1.6, 0.5, 'step'),
    zoom_out: () => controller.zoomBy(1.6, 0.5, 'step'),
    pan_left: () => controller.panBy(-0.25, 'step'),
    pan_right: () => controller.panBy(0.25, 'step'),
    page_up: () => scrollBy(-PAGE),
    page_down: () => scrollBy(PAGE),
    whole: controller.whole,
    choose_range() {
      const item = selected();
      controller.choose(
        item?.length === undefined
          ? controller.times.peek()
          : { from: item.begin, to: item.begin + lasting(item) },
      );
    },
    next_match: () => void controller.jump(false),
    previous_match: () => void controller.jump(true),
    next_span: () => void controller.jump(false),
    previous_span: () => void controller.jump(true),
    track_up: () => controller.moveCursor(-1),
    track_down: () => controller.moveCursor(1),
    toggle_fold: () => ofCursor(controller.toggle),
    pin_track: () =>
      ofCursor((track) =>
        controller.arrange({ pinned: controller.toggledIn(view().pinned, track) }),
      ),
    hide_track: () => ofCursor(controller.hide),
    toggle_idle: () => controller.arrange({ noIdle: !view().noIdle }),
    show_tracks: () => controller.arrange({ hidden: [] }),
    open_source() {
      if (selected() !== undefined) app.source.openSelected(true);
    },
    escape() {
      const { span, frame } = stateOf(app.view.peek(), TIMELINE_PART);
      if (span !== undefined || frame !== undefined) controller.select(undefined);
      else if (rangesIn(app, controller).length > 0) chooseRange(app, undefined);
      else controller.whole();
    },
  };
}
