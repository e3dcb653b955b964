import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChild, ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import type { Point, Size } from '../../canvas/rect.ts';
import { followSize } from '../../canvas/surface.ts';
import { type Handlers, useCommands } from '../../state/commands.ts';
import { type ActedFrame, listedHandlers } from '../../state/frame-actions.ts';
import type { Loaded } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { FrameMenu } from '../../widgets/FrameMenu.tsx';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { inksOf } from './inks.ts';
import { CHARTS_KEYS } from './keys.ts';
import type { Place } from './shapes.ts';

/** What a chart is drawn in and with, and what is open over it. */
export function useChart(spec: ViewSpec) {
  const { app } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal<Size>({ width: 0, height: 0 });
  const menu = useSignal<Point | undefined>(undefined);
  const isHelp = useSignal(false);
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  const inks = useComputed(() => (app.theme.shown.value, inksOf(document.documentElement)));
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);
  return {
    element,
    size,
    menu,
    isHelp,
    palette,
    inks,
    spec: useFollowed(spec),
    /** Where in the picture something happens. */
    at(event: MouseEvent): Place {
      const box = element.current?.getBoundingClientRect();
      return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    },
  };
}

/** A chart: a row of tools, the picture with its keys and its menu, and what it tells below. */
export function ChartFrame(props: {
  readonly chart: ReturnType<typeof useChart>;
  readonly class: string;
  /** What its menu is of. */
  readonly noun: 'Frame' | 'Function';
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
  /** What stands in the row of tools besides. */
  readonly tools: ComponentChildren;
  /** How the picture is described, and what the pointer does in it. */
  readonly picture: HTMLAttributes<HTMLDivElement>;
  readonly state: Pick<Loaded<unknown>, 'error' | 'pending'>;
  readonly empty?: readonly [string, string] | undefined;
  /** The chosen frame. */
  readonly acted: ActedFrame | undefined;
  /** What keys do besides. */
  readonly keys: Handlers;
  /** Where in the picture the menu of the chosen frame opens. */
  menuAt(): Place | undefined;
  /** Chooses what is at an event of the picture; whether anything is. */
  pickAt?(event: MouseEvent): boolean;
  readonly help?: ((close: () => void) => ComponentChild) | undefined;
  /** What it tells. */
  readonly below: ComponentChildren;
  /** What is drawn. */
  readonly children: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const { element, menu, isHelp } = props.chart;
  useCommands(commands, () => element.current, {
    ...listedHandlers(app, props.acted),
    frame_menu() {
      const [box, at] = [element.current?.getBoundingClientRect(), props.menuAt()];
      if (props.acted !== undefined && box !== undefined && at !== undefined)
        menu.value = { x: box.left + at[0], y: box.top + at[1] };
    },
    ...props.keys,
  });
  return (
    <div class={`scatter ${props.class}`}>
      <div class="tools">
        {props.picker}
        {props.tools}
        {props.help !== undefined && (
          <button
            type="button"
            class="plain"
            title="What the figures mean"
            onClick={() => {
              isHelp.value = true;
            }}
          >
            What is this?
          </button>
        )}
      </div>
      <div
        ref={element}
        class="picture"
        data-scope={CHARTS_KEYS.scope}
        tabIndex={0}
        onContextMenu={(event) => {
          if (props.pickAt?.(event) !== true) return;
          event.preventDefault();
          menu.value = { x: event.clientX, y: event.clientY };
        }}
        {...props.picture}
      >
        {props.children}
        <PictureStates {...props.state} empty={props.empty} />
      </div>
      {props.below}
      {isHelp.value &&
        props.help?.(() => {
          isHelp.value = false;
        })}
      <FrameMenu
        at={menu}
        label={props.noun}
        acted={props.acted}
        onClose={() => element.current?.focus()}
      />
    </div>
  );
}
