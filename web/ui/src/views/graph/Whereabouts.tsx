import { useComputed } from '@preact/signals';
import { Fragment } from 'preact';
import type { GraphController } from './controller.ts';
import { toScreen } from './camera.ts';
import { ancestorsOf, isOpen, labelOf } from '../../state/graph-drawing.ts';
import { boxAt } from './hit.ts';

/**
 * The containers around the middle of the screen whose titles are scrolled out of sight; each is a
 * way there. A state of a thousand nodes says nowhere else which one it is.
 */
export function Whereabouts(props: { readonly controller: GraphController }) {
  const { controller } = props;
  const path = useComputed(() => {
    const drawing = controller.scene.value?.drawing;
    const camera = controller.camera.value;
    const size = controller.size.value;
    if (drawing === undefined) return '';
    const box = boxAt(drawing, camera);
    if (box === undefined) return '';
    const around = isOpen(drawing, box)
      ? [...ancestorsOf(drawing, box), box]
      : ancestorsOf(drawing, box);
    const { x, y } = drawing.columns;
    const isGone = (one: number) => toScreen(camera, size, { x: x[one]!, y: y[one]! }).y < -4;
    // Text, so that it changes only when the path does.
    return around.filter((one) => one !== 0 && isGone(one)).join(' ');
  });
  const drawing = controller.scene.value?.drawing;
  if (drawing === undefined || path.value === '') return null;
  const boxes = path.value.split(' ').map(Number);
  return (
    <nav class="graph-whereabouts" aria-label="In">
      {boxes.map((box, index) => (
        <Fragment key={box}>
          {index > 0 && <span class="mute">›</span>}
          <button
            type="button"
            tabIndex={-1}
            onClick={() => {
              controller.select({ kind: 'box', box });
              controller.fitTo({ kind: 'box', box });
            }}
          >
            {labelOf(drawing, box)}
          </button>
        </Fragment>
      ))}
    </nav>
  );
}
