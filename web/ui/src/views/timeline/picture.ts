import type { ColourBy, TimePlace } from '@hotframe/engine';
import { FONT as NAMES, TIMELINE } from '../../canvas/generated/measures.ts';
import type { Palette } from '../../canvas/palette.ts';
import { visible } from '../../text/names.ts';
import type { PathPieces } from '../../state/profile/look.ts';
import type { TimelineController, TimelineScene } from './controller.ts';
import type { Window } from './times.ts';

export const FONT = `${TIMELINE.fontSize}px ${NAMES}`;
export const LABEL_FONT = '12px system-ui, sans-serif';
export const SMALL_FONT = '11px system-ui, sans-serif';

/** The lines and letters that are not frames. */
export interface Lines {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly panel: string;
  readonly path: string;
}

/** What is drawn, and how. */
export interface Picture {
  readonly controller: TimelineController;
  readonly scene: TimelineScene;
  readonly palette: Palette;
  readonly lines: Lines;
  readonly colour: ColourBy;
  readonly ranges: readonly Window[];
  /** The critical path, while its list is open. */
  readonly path: PathPieces | undefined;
  /** Where a list led. */
  readonly place: TimePlace | undefined;
  readonly characterWidth: number;
}

/** As much of a text as there is room for: its middle goes first, as ends tell names apart. */
export function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  // Nothing wider than this fits any screen.
  const shown = visible(text.length > 1000 ? `${text.slice(0, 500)}…${text.slice(-400)}` : text);
  if (context.measureText(shown).width <= room) return shown;
  const cut = (count: number) => {
    const end = Math.floor(count * 0.4);
    return `${shown.slice(0, count - end)}…${end === 0 ? '' : shown.slice(-end)}`;
  };
  let [least, most] = [0, shown.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (context.measureText(cut(middle)).width <= room) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? '' : cut(least);
}
