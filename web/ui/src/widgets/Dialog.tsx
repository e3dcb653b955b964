import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A sheet over the page that Escape or a click beside it closes. */
export function Dialog(props: {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  onClose(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={props.title}
      onClose={props.onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="sheet">
        <header>
          <h2>{props.title}</h2>
          <button
            type="button"
            class="plain"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            ✕
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
