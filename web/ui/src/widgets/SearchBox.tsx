import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { patternOf, type Typed, typedOf } from '../text/patterns.ts';
import { PatternSwitches } from './PatternSwitches.tsx';

/** Typing pauses for so long before the engine is asked. */
const PAUSE_MS = 160;

/** A field that reports the pattern that was typed after a short pause, and at once on Enter. */
export function SearchBox(props: {
  readonly label: string;
  readonly placeholder: string;
  /** The pattern. */
  readonly value: string;
  readonly problem?: string | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly children?: ComponentChildren;
  onChange(value: string): void;
  /** Enter, after the text was reported: what is found for it may still be on its way. */
  onEnter?(back: boolean): void;
  onEscape?(): void;
}) {
  const [typed, setTyped] = useState(() => typedOf(props.value));
  const timer = useRef(0);
  const reported = useRef(props.value);
  useEffect(() => {
    // Somebody else changed it, such as the browser's back button.
    if (props.value !== reported.current) {
      reported.current = props.value;
      setTyped(typedOf(props.value));
    }
  }, [props.value]);
  const report = (next: Typed) => {
    clearTimeout(timer.current);
    const value = patternOf(next);
    if (value === reported.current) return false;
    reported.current = value;
    props.onChange(value);
    return true;
  };
  return (
    <div class={props.problem === undefined ? 'search' : 'search bad'} title={props.problem}>
      <input
        ref={props.inputRef ?? null}
        type="search"
        aria-label={props.label}
        aria-invalid={props.problem !== undefined}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        value={typed.text}
        onInput={(event) => {
          const next = { ...typed, text: event.currentTarget.value };
          setTyped(next);
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => report(next), PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            const back = event.shiftKey;
            // What was just typed is looked for first, once it has reached the views.
            if (report(typed)) setTimeout(() => props.onEnter?.(back));
            else props.onEnter?.(back);
          } else if (event.key === 'Escape') {
            event.preventDefault();
            if (typed.text === '') event.currentTarget.blur();
            const cleared = { ...typed, text: '' };
            setTyped(cleared);
            report(cleared);
            props.onEscape?.();
          } else return;
          event.stopPropagation();
        }}
      />
      {props.children}
      <PatternSwitches
        typed={typed}
        onChange={(next) => {
          setTyped(next);
          report(next);
        }}
      />
    </div>
  );
}
