import type { ViewSpec } from '@hotframe/engine';
import { computed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { followSize } from '../../canvas/surface.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { useExports } from '../../state/exports.ts';
import { useServices } from '../../state/services.ts';
import { useShared } from '../../state/shared.ts';
import { formatThings } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { chooseRange, rangesIn, timelineActions } from './actions.ts';
import { createTimelineController, type TimelineController } from './controller.ts';
import { timelineExports } from './exports.ts';
import { followTimeline } from './gestures.ts';
import { createMenus } from './menus.ts';
import { Overview } from './Overview.tsx';
import { useTimelinePainting } from './painting.ts';
import { heightOf, RULER } from './places.ts';
import { ScrollBar } from './ScrollBar.tsx';
import { SpanPanel } from './SpanPanel.tsx';
import { TIMELINE_PART } from './state.ts';
import { rangePattern, stepOf, timeLabel } from './times.ts';
import { TimelineTip } from './TimelineTip.tsx';
import { CURRENT, TimelineTree } from './TimelineTree.tsx';
import { TrackButton } from './TrackButton.tsx';

/** What happened when: overview, tracks, and what is selected. */
export function TimelineView(props: { readonly spec: ViewSpec }) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal({ x: 0, y: 0 });
  const names = useRef<HTMLInputElement>(null);
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

  const menus = useMade(() => createMenus(app, controller));

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const stopSize = followSize(host, controller.size);
    const stopPointer = followTimeline(host, controller, pointer, menus);
    return () => {
      stopSize();
      stopPointer();
    };
  }, []);

  const origin = controller.tracks.value.value?.origin ?? 0;
  const ranges = rangesIn(app, controller);
  useTimelinePainting(controller, canvas, { colour: app.profile.colour.value, ranges });

  useSignalEffect(() => {
    const found = controller.found.value;
    app.profile.matches.value =
      found === undefined || app.view.value.search === ''
        ? undefined
        : { at: found.at, count: found.count, more: false };
  });

  const selected = controller.selected.value.value;
  useCommands(commands, () => element.current, {
    ...timelineActions(app, controller),
    filter_tracks() {
      names.current?.focus();
      names.current?.select();
    },
    frame_menu() {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) menus.openAtKeys({ x: box.left, y: box.top });
    },
  });

  const tracks = controller.tracks.value;
  const { width, height } = controller.size.value;
  const places = controller.places.value;
  const error = tracks.error ?? controller.error.value;
  const window = controller.times.value;
  const opened = menus.opened.value;
  const empty: readonly [string, ComponentChildren] | undefined =
    tracks.value === undefined || places.length > 0
      ? undefined
      : tracks.value.tracks.length === 0
        ? ['No tracks', 'This profile has no timestamps.']
        : ['No track is shown', <NoTrack key="none" controller={controller} />];
  return (
    <div class="timeline">
      <Overview controller={controller} inputRef={names} />
      <div class="timeline-picture" onPointerLeave={controller.leaveTracks}>
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
        <TrackButton controller={controller} open={menus.openTrack} />
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
            menus.close();
            element.current?.focus();
          }}
        />
      )}
    </div>
  );
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
