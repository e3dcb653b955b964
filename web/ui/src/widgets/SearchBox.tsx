import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Typing pauses for so long before the engine is asked. */
const PAUSE_MS = 160;

/** A text field that reports what was typed after a short pause, and at once on Enter. */
export function SearchBox(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly problem?: string | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly children?: ComponentChildren;
  onChange(value: string): void;
  /** Enter in a field whose text has been reported already. */
  onEnter?(back: boolean): void;
  onEscape?(): void;
}) {
  const [text, setText] = useState(props.value);
  const timer = useRef(0);
  const reported = useRef(props.value);
  useEffect(() => {
    // Somebody else changed it, such as the browser's back button.
    if (props.value !== reported.current) {
      reported.current = props.value;
      setText(props.value);
    }
  }, [props.value]);
  const report = (value: string) => {
    clearTimeout(timer.current);
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
        value={text}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => report(value), PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            if (!report(text)) props.onEnter?.(event.shiftKey);
          } else if (event.key === 'Escape') {
            event.preventDefault();
            if (text === '') event.currentTarget.blur();
            setText('');
            report('');
            props.onEscape?.();
          } else return;
          event.stopPropagation();
        }}
      />
      {props.children}
    </div>
  );
}
