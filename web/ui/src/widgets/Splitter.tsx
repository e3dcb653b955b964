import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Layout, Sized } from '../state/layout.ts';
import { useApp } from '../state/services.ts';

/** How far a press of an arrow key goes, as a part of all that it can go. */
const STEP = 1 / 24;

/** The size that a part has: the one that was chosen, else the standard one. */
export function useSize(part: Sized): number {
  return sizeIn(useApp().layout, part);
}

export function sizeIn(layout: Layout, { name, standard, least, most }: Sized): number {
  return Math.min(most, Math.max(least, layout.sizeOf(name) ?? standard));
}

/** A share of a grid's room and the rest of it, as variables of the style sheet. */
export function shares(name: string, share: number): Readonly<Record<string, string>> {
  return { [`--${name}`]: `${share}fr`, [`--${name}-rest`]: `${1 - share}fr` };
}

/**
 * The line between two parts, which sizes one of them: by dragging, with arrow keys, Home and End;
 * a double click or Enter makes it what it was.
 */
export function Splitter(props: {
  readonly label: string;
  readonly part: Sized;
  /** Across: left and right. */
  readonly along: 'across' | 'down';
  /** Whether the part lies behind the line, so that it shrinks when the line goes on. */
  readonly behind?: boolean;
  readonly class?: string;
}) {
  const { layout } = useApp();
  const { part, along } = props;
  const size = useSize(part);
  const pressed = useRef<{ readonly at: number; readonly size: number } | undefined>(undefined);
  const isShare = part.most <= 1;
  const way = props.behind === true ? -1 : 1;
  const set = (next: number) => {
    const clamped = Math.min(part.most, Math.max(part.least, next));
    layout.setSize(part.name, isShare ? clamped : Math.round(clamped));
  };
  const reset = () => layout.setSize(part.name, undefined);
  const placeOf = (event: PointerEvent) => (along === 'across' ? event.clientX : event.clientY);
  const drag = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (pressed.current === undefined) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    const whole = isShare ? Math.max(1, (along === 'across' ? box?.width : box?.height) ?? 1) : 1;
    set(pressed.current.size + ((placeOf(event) - pressed.current.at) / whole) * way);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const [back, on] = along === 'across' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const step = (part.most - part.least) * STEP;
    if (event.key === back) set(size - step * way);
    else if (event.key === on) set(size + step * way);
    else if (event.key === 'Home') set(part.least);
    else if (event.key === 'End') set(part.most);
    else if (event.key === 'Enter') reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const percent = ((size - part.least) / (part.most - part.least)) * 100;
  return (
    <div
      class={`splitter ${along} ${props.class ?? ''}`}
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={along === 'across' ? 'vertical' : 'horizontal'}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      title={`${props.label}: drag, or arrow keys; double click for the standard`}
      onKeyDown={onKeyDown}
      onDblClick={reset}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = { at: placeOf(event), size };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        pressed.current = undefined;
      }}
      onPointerCancel={() => {
        pressed.current = undefined;
      }}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
