import type { TimelineController } from './controller.ts';
import { RULER } from './places.ts';

/** How far the tracks are scrolled, where not all of them have room. */
export function ScrollBar(props: {
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
