import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { followPointer } from './pointer.ts';
import type { Point } from './rect.ts';

/** As much of an element as pointers need. */
class FakeElement extends EventTarget {
  readonly classes = new Set<string>();
  readonly classList = {
    add: (name: string) => this.classes.add(name),
    remove: (name: string) => this.classes.delete(name),
  };
  readonly captured: number[] = [];
  focused = 0;

  getBoundingClientRect = () => ({ left: 100, top: 50 });
  focus = () => this.focused++;
  setPointerCapture = (id: number) => this.captured.push(id);
}

function stage() {
  const host = new FakeElement();
  const seen: string[] = [];
  const show = (at: Point | undefined) => (at === undefined ? '-' : `${at.x},${at.y}`);
  const pointer = signal({ x: 0, y: 0 });
  const stop = followPointer(host as unknown as HTMLElement, {
    buttons: [0],
    pointer,
    hover: (at) => seen.push(`hover ${show(at)}`),
    wheel: (wheel, at) => seen.push(`wheel ${wheel.dy} ${show(at)}`),
    drag: (from, to) => seen.push(`drag ${show(from)} ${show(to)}`),
    pinch: ({ from, to, other }) => seen.push(`pinch ${show(from)} ${show(to)} ${show(other)}`),
    click: (at) => seen.push(`click ${show(at)}`),
    doubleClick: (at) => seen.push(`double ${show(at)}`),
    openMenu: (at, inWindow) => seen.push(`menu ${show(at)} ${show(inWindow)}`),
  });
  const send = (type: string, x: number, y: number, more: object = {}) => {
    const event = new Event(type, { cancelable: true });
    Object.assign(event, { clientX: x, clientY: y, pointerId: 1, button: 0, ...more });
    host.dispatchEvent(event);
    return event;
  };
  return { host, seen, pointer, stop, send };
}

describe('the pointer on a picture', () => {
  it('hovers, clicks and leaves, at places from the corner of the picture', () => {
    const { host, seen, pointer, send } = stage();
    send('pointermove', 110, 70);
    send('pointerdown', 110, 70);
    send('pointerup', 110, 70);
    send('dblclick', 110, 70);
    send('pointerleave', 0, 0);
    expect(seen).toEqual(['hover 10,20', 'click 10,20', 'double 10,20', 'hover -']);
    expect(pointer.value).toEqual({ x: 110, y: 70 });
    expect([host.focused, host.captured]).toEqual([1, [1]]);
  });

  it('shows that it drags until it is released', () => {
    const { host, seen, send } = stage();
    send('pointerdown', 110, 70);
    send('pointermove', 111, 70);
    expect(host.classes.has('panning')).toBe(false);
    send('pointermove', 130, 70);
    expect(host.classes.has('panning')).toBe(true);
    send('pointerup', 130, 70);
    expect(host.classes.has('panning')).toBe(false);
    expect(seen).toEqual(['hover -', 'drag 10,20 30,20']);
  });

  it('pinches with two fingers', () => {
    const { seen, send } = stage();
    send('pointerdown', 100, 50, { pointerId: 1 });
    send('pointerdown', 200, 50, { pointerId: 2 });
    send('pointermove', 250, 50, { pointerId: 2 });
    expect(seen).toEqual(['hover -', 'pinch 100,0 150,0 0,0']);
  });

  it('leaves other buttons alone', () => {
    const { host, seen, send } = stage();
    send('pointerdown', 110, 70, { button: 2 });
    send('pointerup', 110, 70, { button: 2 });
    expect([seen, host.captured]).toEqual([[], []]);
  });

  it('opens a menu instead of the browser, in the picture and in the window', () => {
    const { seen, send } = stage();
    expect(send('contextmenu', 110, 70).defaultPrevented).toBe(true);
    expect(seen).toEqual(['menu 10,20 110,70']);
  });

  it('is followed no more when that is over', () => {
    const { seen, stop, send } = stage();
    stop();
    for (const type of ['pointermove', 'pointerdown', 'pointerup', 'contextmenu']) {
      send(type, 110, 70);
    }
    expect(seen).toEqual([]);
  });
});
