import type { ColourBy, ViewSpec } from '@hotframe/engine';
import { computed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import {
  isMerged,
  isPane,
  isRest,
  labelOf,
  nameOf,
  type Scene,
  severalText,
} from '../../canvas/scene.ts';
import { followSize } from '../../canvas/surface.ts';
import { type Handlers, useCommands } from '../../state/commands.ts';
import {
  type ActedFrame,
  copyText,
  frameHandlers,
  frameMenu,
  isCallable,
} from '../../state/frame-actions.ts';
import type { Step } from '../../state/history.ts';
import type { Pruned } from '../../state/pruning.ts';
import { asEngineError } from '../../state/resource.ts';
import type { Selection } from '../../state/selection.ts';
import { useServices } from '../../state/services.ts';
import type { Zoom } from '../../state/view-state.ts';
import { exactPattern } from '../../text/patterns.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { Menu } from '../../widgets/Menu.tsx';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { createFlameController, type FlameController } from './controller.ts';
import { FrameTree, selectedId, Spoken } from './FrameTree.tsx';
import { followFlamePointer } from './gestures.ts';
import { Minimap } from './Minimap.tsx';
import { usePainting } from './painting.ts';
import { rootKeys } from './source.ts';
import { Tooltip } from './Tooltip.tsx';

const SpreadAtFrame = lazy(async () => (await import('./SpreadAtFrame.tsx')).SpreadAtFrame);

export interface FlameProps {
  readonly label: string;
  readonly spec: ViewSpec;
  readonly zoom: Zoom;
  readonly search: string;
  readonly colour: ColourBy;
  /** Row 0 at the bottom. */
  readonly inverted?: boolean;
  /**
   * Set for the page's flame graph: its selection is in the address, it has a status. What the search
   * finds in it is counted, unless that is told of what stands above it.
   */
  readonly main?: 'counted' | 'uncounted';
  readonly minimap?: boolean;
  /** What is not drawn; all is where undefined. */
  readonly pruned?: Pruned | undefined;
  setZoom(zoom: Zoom, step: Step): void;
  /** What is selected in it, where that is not the page's selection. */
  readonly picks?: FlamePicks;
  /** What keys do in it besides. */
  readonly handlers?: Handlers;
  /** Gets the controller while the view is on screen. */
  readonly onController?: (controller: FlameController | undefined) => void;
}

/** A selection of a flame graph's own. */
export interface FlamePicks extends Pick<Selection, 'nodeIn'> {
  /** A node was picked; `path` where the picture shows all of the way to it. */
  pick(spec: ViewSpec, instance: number, node: number, path: readonly number[] | undefined): void;
  unpick(): void;
}

/** A flame graph of one tree: canvas, tooltip, minimap, menu, keyboard, screen-reader tree. */
export function FlameView(props: FlameProps) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal({ x: 0, y: 0 });
  const menu = useSignal<{ box: number; x: number; y: number } | undefined>(undefined);
  const input = useSignal(props);
  if (input.peek() !== props && !sameProps(input.peek(), props)) input.value = props;

  const unpick = () => {
    const { picks } = input.peek();
    if (picks !== undefined) {
      picks.unpick();
      return;
    }
    app.profile.selection.pick(undefined);
    const isMain = input.peek().main !== undefined;
    app.update({ selection: [], ...(isMain && { fn: undefined }) }, 'replace');
  };
  const shown = useMemo(
    () =>
      computed(() => ({
        ...input.value,
        labels: app.view.value.labels,
        inverted: input.value.inverted === true,
      })),
    [],
  );
  const controller = useMemo(
    () =>
      createFlameController({
        engine: app.engine,
        selection: props.picks ?? app.profile.selection,
        input: shown,
        setZoom: (zoom, step) => input.peek().setZoom(zoom, step),
        onReveal: app.profile.revealBelow,
        onPick(spec, instance, node, path) {
          const { picks } = input.peek();
          if (picks !== undefined) {
            picks.pick(spec, instance, node, path);
            return;
          }
          app.profile.selection.pick({ spec, place: { instance, node, nodes: [] }, path });
          if (input.peek().main !== undefined && path !== undefined) {
            app.update({ selection: path }, 'replace');
          }
        },
      }),
    [],
  );
  useEffect(() => {
    props.onController?.(controller);
    return () => {
      props.onController?.(undefined);
      controller.dispose();
    };
  }, []);

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const stopSize = followSize(host, controller.size);
    const stopPointer = followFlamePointer(host, controller, pointer, {
      clicked() {
        if (input.peek().main !== undefined) app.source.pointed();
      },
      openMenu(box, x, y) {
        menu.value = { box, x, y };
      },
    });
    return () => {
      stopSize();
      stopPointer();
    };
  }, []);

  usePainting(controller, canvas, shown);

  useSignalEffect(() => {
    const scene = controller.scene.value;
    if (scene === undefined || input.value.main === undefined) return;
    const { merged_frames: merged, narrowest } = scene.result;
    const hidden = controller.hidden.value;
    const { metric } = scene.subject.spec;
    app.profile.flameStatus.value = { merged, narrowest, hidden: hidden && { ...hidden, metric } };
  });

  useSignalEffect(() => {
    if (input.value.main !== 'counted') return;
    const found = controller.matches.value;
    app.profile.matches.value = found && { at: found.at, count: found.count, more: found.more };
  });

  // What the editor wants to be seen is selected once the picture has it.
  useSignalEffect(() => {
    const wanted = app.profile.revealing.value;
    if (wanted === undefined || input.value.main === undefined) return;
    const { name, of } = wanted;
    const tell = (isThere: boolean) => {
      if (!isThere) app.notices.notice.value = `${name} has no frame here.`;
    };
    if (of !== undefined) {
      const subject = controller.scene.value?.subject;
      const isWhole = subject?.search === '' && subject.path.length === 0;
      if (controller.busy.value || !isWhole) return;
      app.profile.revealing.value = undefined;
      controller.jumpToFunction(of).then(tell, app.notices.fail);
      return;
    }
    const found = controller.matches.value;
    if (found?.search !== exactPattern(name)) return;
    app.profile.revealing.value = undefined;
    controller.jumpToMatch(1);
    tell(found.count > 0);
  });

  const scene = controller.scene.value;
  const selected = controller.selected.value;
  const frame =
    scene !== undefined && selected !== undefined ? actedFrame(scene, selected) : undefined;
  const openMenu = () => {
    if (selected === undefined) return;
    const place = element.current?.getBoundingClientRect();
    menu.value = { box: selected, x: (place?.left ?? 0) + 60, y: (place?.top ?? 0) + 60 };
  };
  const copyStack = async (box: number) => {
    try {
      copyText(app, (await controller.stackOf(box)).join('\n'), 'Stack copied');
    } catch (reason) {
      app.notices.notice.value = asEngineError(reason).message;
    }
  };
  useCommands(commands, () => element.current, {
    parent: () => controller.walk(props.inverted ? 'child' : 'parent'),
    child: () => controller.walk(props.inverted ? 'parent' : 'child'),
    left: () => controller.walk('left'),
    right: () => controller.walk('right'),
    zoom_to() {
      controller.zoomToSelected();
      if (props.main !== undefined) app.source.pointed();
    },
    zoom_in: () => controller.zoomBy(1 / 1.5, 0.5, true),
    zoom_out: () => controller.zoomBy(1.5, 0.5, true),
    pan_left: () => controller.panBy(-0.2, true),
    pan_right: () => controller.panBy(0.2, true),
    page_up: () => controller.scrollBy(-controller.size.peek().height * 0.8, true),
    page_down: () => controller.scrollBy(controller.size.peek().height * 0.8, true),
    whole: () => controller.zoomToPath([]),
    next_match: () => controller.jumpToMatch(1),
    previous_match: () => controller.jumpToMatch(-1),
    frame_menu: openMenu,
    escape() {
      if (app.profile.atFrame.peek()) app.profile.atFrame.value = false;
      else if (!controller.zoomOut()) unpick();
    },
    ...frameHandlers(app, frame),
    ...(frame !== undefined && { copy_stack: () => void copyStack(selected!) }),
    ...props.handlers,
  });

  const menuOf = (acted: ActedFrame | undefined, box: number) =>
    acted === undefined
      ? []
      : [
          ...frameMenu(app, acted),
          { label: 'Copy the stack', key: 'Ctrl+C', run: () => void copyStack(box) },
        ];
  const opened = menu.value;
  const error = controller.error.value;
  const empty = scene !== undefined && scene.boxes.scale[0] === 0n && scene.count <= 1;
  return (
    <div class="flame">
      <div
        ref={element}
        class="picture"
        data-scope="flame"
        role="tree"
        tabIndex={0}
        aria-label={props.label}
        aria-activedescendant={selected === undefined ? undefined : selectedId(props.label)}
      >
        <canvas ref={canvas} class="graph" aria-hidden="true" />
        {scene !== undefined && <FrameTree scene={scene} selected={selected} label={props.label} />}
      </div>
      <Spoken scene={scene} selected={selected} />
      <PictureStates
        error={error}
        pending={controller.busy.value}
        empty={empty ? ['Nothing to draw', emptyText(props.spec)] : undefined}
      />
      {props.minimap === true && scene !== undefined && (
        <Minimap controller={controller} colour={props.colour} />
      )}
      {props.main !== undefined && app.profile.atFrame.value && (
        <SpreadAtFrame controller={controller} inverted={props.inverted === true} />
      )}
      {opened === undefined && (
        <Tooltip controller={controller} pointer={pointer} inverted={props.inverted === true} />
      )}
      {opened !== undefined && scene !== undefined && (
        <Menu
          label="Frame"
          heading={
            isMerged(scene, opened.box)
              ? severalText(scene, opened.box)
              : labelOf(scene, opened.box)
          }
          x={opened.x}
          y={opened.y}
          items={[
            {
              label: isRest(scene, opened.box) ? 'Show them' : 'Zoom to it',
              key: 'Enter',
              run: () => controller.zoomToBox(opened.box),
            },
            ...menuOf(actedFrame(scene, opened.box), opened.box),
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

/** Why nothing of a tree is drawn. */
function emptyText({ filters, role }: ViewSpec): string {
  if (filters.length > 0) return 'No sample passes the filters. Remove one above.';
  return (role?.chosen.length ?? 0) > 0
    ? 'No sample joins what is chosen in the other panes.'
    : 'This profile has no values in the chosen metric.';
}

/** The frame of a box; undefined for merged ones and for the whole program, which is none. */
function actedFrame(scene: Scene, box: number): ActedFrame | undefined {
  const { spec } = scene.subject;
  const depth = rootKeys(scene).length + scene.boxes.row[box]!;
  if (isMerged(scene, box) || (depth === 0 && !isPane(spec))) return undefined;
  const key = isCallable(spec, depth) ? scene.boxes.key[box]! : undefined;
  const name = nameOf(scene, box);
  return { name, label: labelOf(scene, box), key };
}

function sameProps(a: FlameProps, b: FlameProps): boolean {
  return (
    a.spec === b.spec &&
    a.zoom === b.zoom &&
    a.search === b.search &&
    a.colour === b.colour &&
    a.inverted === b.inverted &&
    a.pruned === b.pruned
  );
}
