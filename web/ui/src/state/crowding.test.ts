import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { shareRoom } from './crowding.ts';
import type { Pin } from './profile/pins.ts';

const PIN = { label: 'main', spec: {}, path: [] } as unknown as Pin;

function room(isSmall: boolean) {
  const small = signal(isSmall);
  const panel = signal(false);
  const atFrame = signal(false);
  const pinned = signal<readonly Pin[]>([]);
  shareRoom(small, panel, { atFrame, pinned });
  const open = () =>
    [panel.value ? 'panel' : '', atFrame.value ? 'card' : ''].filter(Boolean).join(' ');
  return { small, panel, atFrame, pinned, open };
}

it('in a small window goes to what was asked for last', () => {
  const { panel, atFrame, pinned, open } = room(true);
  panel.value = true;
  expect(open()).toBe('panel');
  atFrame.value = true;
  expect(open()).toBe('card');
  panel.value = true;
  expect(open()).toBe('panel');
  atFrame.value = true;
  pinned.value = [PIN];
  expect(open()).toBe('');
  panel.value = true;
  expect(open()).toBe('panel');
  pinned.value = [];
  expect(open()).toBe('panel');
});

it('is there for all in a large window, until that becomes small', () => {
  const { small, panel, atFrame, pinned, open } = room(false);
  panel.value = true;
  atFrame.value = true;
  pinned.value = [PIN];
  expect(open()).toBe('panel card');
  small.value = true;
  expect(open()).toBe('panel');
});
