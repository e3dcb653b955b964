import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A button that opens a small panel below it. Escape, or a press elsewhere, closes the panel. */
export function Popover(props: {
  readonly label: string;
  readonly title: string;
  /** What the button shows. */
  readonly face: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<DOMRect | undefined>(undefined);
  const isOpen = at !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && root.current?.contains(event.target))) setAt(undefined);
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, [isOpen]);
  return (
    <div
      ref={root}
      class="popover"
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        setAt(undefined);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen}
        aria-label={props.label}
        title={props.title}
        onClick={(event) => setAt(isOpen ? undefined : event.currentTarget.getBoundingClientRect())}
      >
        {props.face}
      </button>
      {isOpen && (
        <div
          class="popover-panel"
          role="group"
          aria-label={props.label}
          style={{ right: `${Math.max(8, innerWidth - at.right)}px`, top: `${at.bottom + 4}px` }}
        >
          {props.children}
        </div>
      )}
    </div>
  );
}
