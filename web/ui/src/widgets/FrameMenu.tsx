import type { Signal } from '@preact/signals';
import type { Point } from '../canvas/rect.ts';
import type { MenuItem } from '../state/commands.ts';
import { type ActedFrame, frameMenu } from '../state/frame-actions.ts';
import { useApp } from '../state/services.ts';
import { Menu } from './Menu.tsx';

/** What can be done with a frame, while its menu is open. */
export function FrameMenu(props: {
  /** Where it is open; undefined while it is not. */
  readonly at: Signal<Point | undefined>;
  readonly label: 'Frame' | 'Function';
  readonly acted: ActedFrame | undefined;
  /** What can be done with it here alone. */
  readonly first?: MenuItem;
  onClose(): void;
}) {
  const app = useApp();
  const { at, label, acted, first } = props;
  if (at.value === undefined || acted === undefined) return null;
  return (
    <Menu
      label={label}
      heading={acted.label}
      x={at.value.x}
      y={at.value.y}
      items={[...(first === undefined ? [] : [first]), ...frameMenu(app, acted)]}
      onClose={() => {
        at.value = undefined;
        props.onClose();
      }}
    />
  );
}
