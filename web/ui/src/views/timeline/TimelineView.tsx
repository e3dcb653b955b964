import type { ViewSpec } from '@hotframe/engine';
import { computed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Point } from '../../canvas/rect.ts';
import { followSize } from '../../canvas/surface.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { type MenuItem, useCommands } from '../../state/commands.ts';
import { useExports } from '../../state/exports.ts';
import { useServices } from '../../state/services.ts';
import { useShared } from '../../state/shared.ts';
import { exactPattern } from '../../text/patterns.ts';
import { formatThings } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { createTimelineController, type TimelineController } from './controller.ts';
import { timelineExports } from './exports.ts';
import { followTimeline } from './gestures.ts';
import { lasting } from './items.ts';
import { Overview } from './Overview.tsx';
import { useTimelinePainting } from './painting.ts';
import { heightOf, RULER } from './places.ts';
import { SpanPanel } from './SpanPanel.tsx';
import { showPath } from './path-of.ts';
import { TIMELINE_PART } from './state.ts';
import { rangePattern, rangesOf, stepOf, timeLabel } from './times.ts';
import { TimelineTip } from './TimelineTip.tsx';
import { CURRENT, TimelineTree } from './TimelineTree.tsx';
import { trackMenu } from './track-menu.ts';

/** A menu, and what it is of. */
interface OpenMenu extends Point {
  readonly label: string;
  readonly heading: string;
  readonly items: readonly MenuItem[];
}

/** What happened when: overview, tracks, and what is selected. */
export function TimelineView(props: { readonly spec: ViewSpec }) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal({ x: 0, y: 0 });
  const names = useRef<HTMLInputElement>(null);
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const spec = useFollowed(props.spec);
  const controller = useMade(() =>
    createTimelineController({
      engine: app.engine,
      input: computed(() => ({
        spec: spec.value,
        search: app.view.value.search,
        view: stateOf(app.view.value, TIMELINE_PART),
      })),
      update: (view, step) => changeState(app, TIMELINE_PART, { ...view }, step),
      choose(window, unit) {
        const origin = controller.tracks.peek().value?.origin ?? 0;
        chooseRange(app, rangePattern(origin, window, unit));
      },
      select(path, isPointed) {
        if (path.length === 0) return;
        app.profile.selection.pick({ spec: spec.peek(), place: undefined, path });
        app.update({ selection: path }, 'replace');
        // Only then its details are known to be under way.
        if (isPointed) queueMicrotask(() => app.source.pointed());
      },
      fail: app.notices.fail,
    }),
  );
  useShared(app.profile.timeline, () => controller, []);
  useExports(() => timelineExports(app, controller), []);

  const openItemMenu = (at: Point) => {
    const bar = controller.selectedBar();
    const scene = controller.scene.peek();
    if (bar === undefined || scene === undefined) return;
    const name = scene.answer.result.names[scene.answer.columns.bar_name[bar]!] ?? '';
    const items = itemMenu(app, controller, name);
    menu.value = { ...at, label: 'Span', heading: name, items };
  };
  const openTrackMenu = (track: number, at: Point) => {
    controller.cursor.value = track;
    const heading = controller.placeOf(track)?.track.name ?? '';
    menu.value = { ...at, label: 'Track', heading, items: trackMenu(app, controller, track) };
  };

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const stopSize = followSize(host, controller.size);
    const stopPointer = followTimeline(host, controller, pointer, { openItemMenu, openTrackMenu });
    return () => {
      stopSize();
      stopPointer();
    };
  }, []);

  const { origin, length } = controller.tracks.value.value ?? { origin: 0, length: 1 };
  const ranges = app.view.value.filters.flatMap(({ kind, pattern }) =>
    kind === 'time' ? rangesOf(origin, length, pattern) : [],
  );
  useTimelinePainting(controller, canvas, { colour: app.profile.colour.value, ranges });

  useSignalEffect(() => {
    const found = controller.found.value;
    app.profile.matches.value =
      found === undefined || app.view.value.search === ''
        ? undefined
        : { at: found.at, count: found.count, more: false };
  });

  const selected = controller.selected.value.value;
  const ofCursor = (run: (track: number) => void) => {
    if (controller.cursor.peek() === undefined) controller.moveCursor(0);
    const track = controller.cursor.peek();
    if (track !== undefined) run(track);
  };
  useCommands(commands, () => element.current, {
    parent: () => controller.walk('up'),
    child: () => controller.walk('down'),
    left: () => controller.walk('left'),
    right: () => controller.walk('right'),
    zoom_to() {
      if (selected !== undefined) controller.zoomTo(selected.begin, lasting(selected));
    },
    zoom_in: () => controller.zoomBy(1 / 1.6, 0.5, 'step'),
    zoom_out: () => controller.zoomBy(1.6, 0.5, 'step'),
    pan_left: () => controller.panBy(-0.25, 'step'),
    pan_right: () => controller.panBy(0.25, 'step'),
    page_up: () =>
      controller.scrollTo(controller.scroll.peek() - controller.size.peek().height * 0.8),
    page_down: () =>
      controller.scrollTo(controller.scroll.peek() + controller.size.peek().height * 0.8),
    whole: () => controller.whole(),
    choose_range() {
      const window = controller.times.peek();
      controller.choose(
        selected?.length === undefined
          ? window
          : { from: selected.begin, to: selected.begin + lasting(selected) },
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
        controller.arrange({
          pinned: controller.toggledIn(controller.input.peek().view.pinned, track),
        }),
      ),
    hide_track: () => ofCursor(controller.hide),
    toggle_idle: () => controller.arrange({ noIdle: !controller.input.peek().view.noIdle }),
    show_tracks: () => controller.arrange({ hidden: [] }),
    filter_tracks() {
      names.current?.focus();
      names.current?.select();
    },
    open_source() {
      if (selected !== undefined) app.source.openSelected(true);
    },
    frame_menu() {
      const box = element.current?.getBoundingClientRect();
      const track = controller.cursor.peek();
      if (box === undefined) return;
      if (selected !== undefined) openItemMenu({ x: box.left + 200, y: box.top + 60 });
      else if (track !== undefined) {
        const place = controller.placeOf(track);
        const y = place === undefined ? RULER : controller.topOf(place);
        openTrackMenu(track, { x: box.left + 20, y: box.top + Math.max(RULER, y) + 20 });
      }
    },
    escape() {
      const { span, frame } = stateOf(app.view.peek(), TIMELINE_PART);
      if (span !== undefined || frame !== undefined) controller.select(undefined);
      else if (ranges.length > 0) chooseRange(app, undefined);
      else controller.whole();
    },
  });

  const tracks = controller.tracks.value;
  const { width, height } = controller.size.value;
  const places = controller.places.value;
  const error = tracks.error ?? controller.error.value;
  const window = controller.times.value;
  const opened = menu.value;
  const empty: readonly [string, ComponentChildren] | undefined =
    tracks.value === undefined || places.length > 0
      ? undefined
      : tracks.value.tracks.length === 0
        ? ['No tracks', 'This profile has no timestamps.']
        : ['No track is shown', <NoTrack key="none" controller={controller} />];
  return (
    <div class="timeline">
      <Overview controller={controller} inputRef={names} />
      <div
        class="timeline-picture"
        onPointerLeave={() => {
          controller.overTrack.value = undefined;
        }}
      >
        <div
          ref={element}
          class="picture"
          data-scope="timeline"
          role="tree"
          tabIndex={0}
          aria-label="Timeline"
          aria-activedescendant={
            controller.cursor.value === undefined && selected === undefined ? undefined : CURRENT
          }
        >
          <canvas ref={canvas} class="graph" aria-hidden="true" />
          <TimelineTree controller={controller} />
        </div>
        <TrackButton controller={controller} open={openTrackMenu} />
        <ScrollBar controller={controller} content={heightOf(places)} room={height - RULER} />
        <PictureStates error={error} pending={tracks.pending} empty={empty} />
        {width > 0 && opened === undefined && (
          <TimelineTip controller={controller} pointer={pointer} />
        )}
      </div>
      <output class="spoken" aria-live="polite">
        {selected === undefined
          ? `${timeLabel(origin + window.from, stepOf(controller.unit.value))} to ${timeLabel(origin + window.to, stepOf(controller.unit.value))}`
          : `${selected.name}, ${selected.length === undefined ? 'by samples' : timeLabel(selected.length)}, at ${timeLabel(origin + selected.begin)}`}
      </output>
      <SpanPanel controller={controller} choose={(pattern) => chooseRange(app, pattern)} />
      {tracks.value !== undefined && tracks.value.more > 0 && (
        <p class="note">{formatThings(tracks.value.more, 'track')} more are not listed</p>
      )}
      {controller.scene.value?.answer.result.is_cut === true && (
        <p class="note">There are more bars than are drawn: zoom in, or fold tracks.</p>
      )}
      {opened !== undefined && (
        <Menu
          label={opened.label}
          heading={opened.heading}
          x={opened.x}
          y={opened.y}
          items={opened.items}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** What can be done with what is selected. */
function itemMenu(
  app: ReturnType<typeof useServices>['app'],
  controller: TimelineController,
  name: string,
): readonly MenuItem[] {
  const key = controller.input.peek().view;
  const withShown = (run: (begin: number, lasts: number) => void) => () => {
    const shown = controller.selected.peek().value;
    if (shown !== undefined) run(shown.begin, lasting(shown));
  };
  return [
    {
      label: 'Zoom to it',
      key: 'Enter',
      run: withShown((begin, lasts) => controller.zoomTo(begin, lasts)),
    },
    ...(key.span === undefined
      ? []
      : [
          {
            label: 'Filter to this span',
            key: 'm',
            run: withShown((begin, lasts) => controller.choose({ from: begin, to: begin + lasts })),
          },
          {
            label: 'Filter to all spans with this name',
            run: () => app.profile.addFilter('during', exactPattern(name)),
          },
          { label: 'Critical path of this span', run: () => showPath(app, key.span) },
        ]),
    {
      label: 'Search for this name',
      run: () => app.update({ search: exactPattern(name) }, 'push'),
    },
    { label: 'Open its source', key: 'e', run: () => app.source.openSelected(true) },
  ];
}

/** Opens the menu of the track that the pointer is over, or that keys are for. */
function TrackButton(props: {
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

/** Puts a range in the place of those that are there; none where undefined. */
function chooseRange(
  app: ReturnType<typeof useServices>['app'],
  pattern: string | undefined,
): void {
  const others = app.view.peek().filters.filter(({ kind }) => kind !== 'time');
  const filters = pattern === undefined ? others : [...others, { kind: 'time' as const, pattern }];
  app.update({ filters }, 'push');
}

function ScrollBar(props: {
  readonly controller: TimelineController;
  readonly content: number;
  readonly room: number;
}) {
  const { controller, content, room } = props;
  if (content <= room + 1 || room <= 0) return null;
  const tall = Math.max(24, (room / content) * room);
  const along = (controller.scroll.value / (content - room)) * (room - tall);
  return <div class="timeline-scroll" style={{ top: `${RULER + along}px`, height: `${tall}px` }} />;
}

/** What to do where all tracks are left out. */
function NoTrack({ controller }: { readonly controller: TimelineController }) {
  return (
    <>
      No track has these words in its name, or all are hidden.{' '}
      <button
        type="button"
        class="plain"
        onClick={() => controller.arrange({ names: '', hidden: [] })}
      >
        Show all tracks
      </button>
    </>
  );
}
