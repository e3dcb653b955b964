import { useLayoutEffect, useRef } from 'preact/hooks';
import { placeBox, ROW_HEIGHT } from '../../canvas/paint.ts';
import { spreads } from '../../state/members.ts';
import { useApp } from '../../state/services.ts';
import { SpreadCard } from '../spread/SpreadCard.tsx';
import type { FlameController } from './controller.ts';

/** Gaps to the frame and to the edges of the picture, in CSS pixels. */
const GAP = 8;

/** How the selected frame's values spread over members, beside the frame. */
export function SpreadAtFrame(props: {
  readonly controller: FlameController;
  readonly inverted: boolean;
}) {
  const app = useApp();
  const { controller } = props;
  const element = useRef<HTMLDivElement>(null);
  const selected = app.profile.selection.selected.value.value;
  const scene = controller.scene.value;
  const box = controller.selected.value;
  const viewport = controller.viewport.value;
  const size = controller.size.value;
  useLayoutEffect(() => {
    const card = element.current;
    if (card === null || scene === undefined || box === undefined) return;
    const frame = placeBox({ scene, viewport, size, inverted: props.inverted }, box);
    const { offsetWidth: width, offsetHeight: height } = card;
    // Beside what the frame calls, where there is room: its children are what one looks at next.
    const right = frame.x + frame.width + GAP;
    const beside = right + width + GAP < size.width;
    const left = beside ? right : Math.max(GAP, Math.min(frame.x, size.width - width - GAP));
    const below = beside ? frame.y : frame.y + ROW_HEIGHT + GAP;
    const top = Math.max(GAP, Math.min(below, size.height - height - GAP));
    card.style.left = `${left}px`;
    card.style.top = `${top}px`;
  });
  if (!app.profile.atFrame.value || !spreads(app.profile.summary.value)) return null;
  if (selected === undefined || selected.isProgram || box === undefined) return null;
  const { label, name } = selected.details.result;
  return (
    <div ref={element} class="at-frame">
      <SpreadCard
        pin={{ label: label ?? name, spec: selected.spec, path: selected.path }}
        onClose={() => {
          app.profile.atFrame.value = false;
        }}
      />
    </div>
  );
}
