import type { ViewSpec } from '@hotframe/engine';
import { computed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spreadAcross } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import { followSize } from '../../canvas/surface.ts';
import { isZoom, zoomFactor } from '../../canvas/wheel.ts';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { exactPattern } from '../../text/patterns.ts';
import { formatThings } from '../../text/units.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { createTimelineController, type TimelineController } from './controller.ts';
import { Overview } from './Overview.tsx';
import { useTimelinePainting } from './painting.ts';
import { heightOf, RULER } from './places.ts';
import { SpanPanel } from './SpanPanel.tsx';
import { rangePattern, rangesOf, stepOf, timeLabel } from './times.ts';
import { TimelineTip } from './TimelineTip.tsx';

/** How much a pixel of a wheel zooms. */
const WHEEL_SPEED = 0.0022;
/** Shorter drags are clicks that slipped. */
const LEAST_DRAG = 4;
/** Tracks that a screen reader is told of. */
const MOST_SPOKEN = 500;

/** What happened when: overview, tracks, and what is selected. */
export function TimelineView(props: { readonly spec: ViewSpec }) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal({ x: 0, y: 0 });
  const menu = useSignal<{ span: number; name: string; x: number; y: number } | undefined>(
    undefined,
  );
  const spec = useSignal(props.spec);
  if (spec.peek() !== props.spec) spec.value = props.spec;
  const controller = useMemo(
    () =>
      createTimelineController({
        engine: app.engine,
        input: computed(() => ({
          spec: spec.value,
          search: app.view.value.search,
          view: app.view.value.timeline,
        })),
        update: (view, step) =>
          app.update({ timeline: { ...app.view.peek().timeline, ...view } }, step),
        choose(window, unit) {
          const origin = controller.tracks.peek().value?.origin ?? 0;
          chooseRange(app, rangePattern(origin, window, unit));
        },
        select(path) {
          if (path.length > 0) app.update({ selection: path }, 'replace');
        },
        fail: app.notices.fail,
      }),
    [],
  );
  useEffect(() => () => controller.dispose(), []);

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const stopSize = followSize(host, controller.size);
    const stopPointer = followTimeline(host, controller, pointer, (span, name, x, y) => {
      menu.value = { span, name, x, y };
    });
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
  useCommands(commands, () => element.current, {
    parent: () => controller.walk('up'),
    child: () => controller.walk('down'),
    left: () => controller.walk('left'),
    right: () => controller.walk('right'),
    zoom_to() {
      if (selected !== undefined) controller.zoomTo(selected.begin, selected.length);
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
      const window = controller.window.peek();
      controller.choose(
        selected === undefined
          ? window
          : { from: selected.begin, to: selected.begin + Math.max(1, selected.length) },
      );
    },
    next_match: () => void controller.jump(false),
    previous_match: () => void controller.jump(true),
    next_span: () => void controller.jump(false),
    previous_span: () => void controller.jump(true),
    escape() {
      if (app.view.peek().timeline.span !== undefined) controller.select(undefined);
      else if (ranges.length > 0) chooseRange(app, undefined);
      else controller.whole();
    },
  });

  const tracks = controller.tracks.value;
  const { width, height } = controller.size.value;
  const places = controller.places.value;
  const error = tracks.error ?? controller.error.value;
  const window = controller.window.value;
  const opened = menu.value;
  return (
    <div class="timeline">
      <Overview controller={controller} />
      <div class="timeline-picture">
        <div
          ref={element}
          class="picture"
          data-scope="timeline"
          role="tree"
          tabIndex={0}
          aria-label="Timeline"
        >
          <canvas ref={canvas} class="graph" aria-hidden="true" />
          <ul class="spoken" role="group">
            {places.slice(0, MOST_SPOKEN).map(({ track, isOpen, isHeading }) => (
              <li key={track.track} role="treeitem" aria-level={track.depth + 1}>
                {track.name}, {track.kind}
                {isHeading ? '' : `, ${formatThings(track.spans, 'span')}`}
                {isOpen ? ', unfolded' : ''}
              </li>
            ))}
          </ul>
        </div>
        <ScrollBar controller={controller} content={heightOf(places)} room={height - RULER} />
        {tracks.value !== undefined && tracks.value.tracks.length === 0 && (
          <div class="message over">
            <h2>No tracks</h2>
            <p>This profile does not tell when anything was.</p>
          </div>
        )}
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <div class="message over">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {tracks.pending && <div class="busy" />}
        {width > 0 && opened === undefined && (
          <TimelineTip controller={controller} pointer={pointer} />
        )}
      </div>
      <output class="spoken" aria-live="polite">
        {selected === undefined
          ? `${timeLabel(origin + window.from, stepOf(controller.unit.value))} to ${timeLabel(origin + window.to, stepOf(controller.unit.value))}`
          : `${selected.name}, ${timeLabel(selected.length)}, at ${timeLabel(origin + selected.begin)}`}
      </output>
      <SpanPanel controller={controller} choose={(pattern) => chooseRange(app, pattern)} />
      {tracks.value !== undefined && tracks.value.more > 0 && (
        <p class="note">{formatThings(tracks.value.more, 'track')} more are not listed</p>
      )}
      {opened !== undefined && (
        <Menu
          label="Span"
          heading={opened.name}
          x={opened.x}
          y={opened.y}
          items={[
            {
              label: 'Zoom to it',
              key: 'Enter',
              run: () => {
                const shown = controller.selected.peek().value;
                if (shown !== undefined) controller.zoomTo(shown.begin, shown.length);
              },
            },
            {
              label: 'Keep its time',
              key: 'M',
              run: () => {
                const shown = controller.selected.peek().value;
                if (shown !== undefined)
                  controller.choose({
                    from: shown.begin,
                    to: shown.begin + Math.max(1, shown.length),
                  });
              },
            },
            {
              label: 'Keep the time inside all of this name',
              run: () => app.profile.addFilter('during', exactPattern(opened.name)),
            },
            {
              label: 'Search for this name',
              run: () => app.update({ search: exactPattern(opened.name) }, 'push'),
            },
          ]}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
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

/** Turns wheel, mouse and touch into motions of the timeline. */
function followTimeline(
  host: HTMLElement,
  controller: TimelineController,
  pointer: ReturnType<typeof useSignal<Point>>,
  openMenu: (span: number, name: string, x: number, y: number) => void,
): () => void {
  const stop = new AbortController();
  /** Whether a drag moves the picture, and where one that selects began. */
  let pans = false;
  let anchor: number | undefined;
  host.addEventListener(
    'pointerdown',
    (event) => {
      pans = event.pointerType === 'touch' || event.shiftKey || event.button === 1;
      anchor = undefined;
    },
    { signal: stop.signal, capture: true },
  );
  const share = ({ x }: Point) =>
    (x - controller.gutter.peek()) / Math.max(1, controller.plotWidth.peek());
  const spanAt = ({ x, y }: Point): { span: number; name: string } | undefined => {
    const at = controller.hit(x, y);
    const scene = controller.scene.peek();
    if (at?.kind !== 'bar' || scene === undefined) return undefined;
    const { columns, result } = scene.answer;
    const span = columns.bar_span[at.bar]! - 1;
    const name = result.names[columns.bar_name[at.bar]!]!;
    return span < 0 ? undefined : { span, name };
  };
  const finish = () => {
    const dragged = controller.dragged.peek();
    controller.dragged.value = undefined;
    anchor = undefined;
    if (dragged === undefined) return;
    if ((dragged.to - dragged.from) / controller.unit.peek() < LEAST_DRAG) return;
    controller.choose(dragged);
  };
  const stopPointer = followPointer(host, {
    buttons: [0, 1],
    pointer: pointer as never,
    hover(at) {
      controller.hovered.value = at && controller.hit(at.x, at.y);
    },
    wheel(wheel, at) {
      const { width, height } = controller.size.peek();
      const scrolls = heightOf(controller.places.peek()) > height - RULER + 1;
      const sideways = wheel.shiftKey || Math.abs(wheel.dx) > Math.abs(wheel.dy);
      if (isZoom(wheel) || (!sideways && !scrolls)) {
        const factor = zoomFactor(wheel, wheel.ctrlKey, WHEEL_SPEED);
        controller.zoomBy(factor, share(at), wheel.jumps ? 'step' : 'follow');
      } else if (sideways) {
        const by = wheel.shiftKey && wheel.dx === 0 ? wheel.dy : wheel.dx;
        controller.panBy(by / width, wheel.jumps ? 'step' : 'follow');
      } else controller.scrollTo(controller.scroll.peek() + wheel.dy);
    },
    drag(from, to) {
      if (pans) {
        controller.panBy((from.x - to.x) / controller.plotWidth.peek(), 'follow');
        controller.scrollTo(controller.scroll.peek() + from.y - to.y);
        return;
      }
      anchor ??= controller.timeAt(Math.max(controller.gutter.peek(), from.x));
      const at = controller.timeAt(Math.max(controller.gutter.peek(), to.x));
      const limit = controller.length.peek();
      const inside = (time: number) => Math.min(limit, Math.max(0, time));
      const [one, other] = [inside(anchor), inside(at)];
      controller.dragged.value = { from: Math.min(one, other), to: Math.max(one, other) };
    },
    pinch(pinch) {
      controller.zoomBy(1 / spreadAcross(pinch), share(middleOf(pinch)), 'follow');
    },
    click(at) {
      const pointed = controller.hit(at.x, at.y);
      if (pointed?.kind === 'name') controller.toggle(pointed.track);
      else controller.select(spanAt(at)?.span);
    },
    doubleClick(at) {
      const scene = controller.scene.peek();
      const pointed = controller.hit(at.x, at.y);
      if (pointed?.kind !== 'bar' || scene === undefined) return;
      const { columns } = scene.answer;
      const begin = columns.bar_begin[pointed.bar]!;
      controller.zoomTo(begin, columns.bar_end[pointed.bar]! - begin);
    },
    openMenu(at, inWindow) {
      const span = spanAt(at);
      if (span === undefined) return;
      controller.select(span.span);
      openMenu(span.span, span.name, inWindow.x, inWindow.y);
    },
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    host.addEventListener(kind, finish, { signal: stop.signal });
  }
  return () => {
    stop.abort();
    stopPointer();
  };
}
