import { type ReadonlySignal, signal } from '@preact/signals';
import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';
import type { Point } from '../../canvas/rect.ts';
import type { TimelineController } from './controller.ts';
import { itemMenu } from './item-menu.ts';
import { RULER } from './places.ts';
import { trackMenu } from './track-menu.ts';

/** A menu, and what it is of. */
export interface OpenMenu extends Point {
  readonly label: string;
  readonly heading: string;
  readonly items: readonly MenuItem[];
}

export type Menus = ReturnType<typeof createMenus>;

/** Which menu is open over a timeline. */
export function createMenus(app: App, controller: TimelineController) {
  const opened = signal<OpenMenu | undefined>(undefined);

  /** Opens the menu of the selected bar. */
  function openItem(at: Point): void {
    const bar = controller.selectedBar();
    const scene = controller.scene.peek();
    if (bar === undefined || scene === undefined) return;
    const name = scene.answer.result.names[scene.answer.columns.bar_name[bar]!] ?? '';
    const items = itemMenu(app, controller, name);
    opened.value = { ...at, label: 'Span', heading: name, items };
  }

  function openTrack(track: number, at: Point): void {
    controller.pointTo(track);
    const heading = controller.placeOf(track)?.track.name ?? '';
    opened.value = { ...at, label: 'Track', heading, items: trackMenu(app, controller, track) };
  }

  return {
    opened: opened as ReadonlySignal<OpenMenu | undefined>,
    openItem,
    openTrack,
    /** Opens the menu of what keys are for, beside it; `corner` is that of the picture. */
    openAtKeys(corner: Point) {
      const track = controller.cursor.peek();
      if (controller.selected.peek().value !== undefined) {
        openItem({ x: corner.x + 200, y: corner.y + 60 });
      } else if (track !== undefined) {
        const place = controller.placeOf(track);
        const y = place === undefined ? RULER : controller.topOf(place);
        openTrack(track, { x: corner.x + 20, y: corner.y + Math.max(RULER, y) + 20 });
      }
    },
    close() {
      opened.value = undefined;
    },
  };
}
