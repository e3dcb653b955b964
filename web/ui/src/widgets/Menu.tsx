import { type ComponentChildren, Fragment, type TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MenuItem } from '../state/commands.ts';
import { chordLabel } from '../state/keys.ts';

/** A button that opens a list of things to choose or do. */
export function MenuButton(props: {
  readonly label: string;
  readonly class?: string;
  readonly title?: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<DOMRect | undefined>(undefined);
  const close = () => {
    setAt(undefined);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class ?? 'plain'}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        aria-label={props.label}
        title={props.title}
        onClick={() =>
          setAt(at === undefined ? button.current?.getBoundingClientRect() : undefined)
        }
      >
        {props.children}
      </button>
      {at !== undefined && (
        <Menu
          label={props.label}
          items={props.items}
          x={at.left}
          y={at.bottom + 4}
          onClose={close}
        />
      )}
    </>
  );
}

/** The list itself, at a place of the page, moved so that all of it is in sight. */
export function Menu(props: {
  readonly label: string;
  readonly heading?: string;
  readonly items: readonly MenuItem[];
  readonly x: number;
  readonly y: number;
  onClose(): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = list.current;
    if (menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(props.x, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(props.y, innerHeight - height - 8))}px`;
    const first = menu.querySelector<HTMLElement>('[aria-checked="true"]');
    (first ?? menu.querySelector('button'))?.focus();
  }, [props.x, props.y]);
  useEffect(() => {
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && list.current?.contains(event.target))) props.onClose();
    };
    // The press that opened the menu is still on its way up.
    const timer = setTimeout(() => addEventListener('pointerdown', outside, true));
    addEventListener('blur', props.onClose);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', outside, true);
      removeEventListener('blur', props.onClose);
    };
  }, []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const focus = (next: number) => buttons[(next + buttons.length) % buttons.length]?.focus();
    switch (event.key) {
      case 'ArrowDown':
        focus(index + 1);
        break;
      case 'ArrowUp':
        focus(index - 1);
        break;
      case 'Home':
        focus(0);
        break;
      case 'End':
        focus(-1);
        break;
      case 'Escape':
      case 'Tab':
        props.onClose();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={list} class="menu" onKeyDown={onKeyDown}>
      {props.heading !== undefined && <h2>{props.heading}</h2>}
      <div role="menu" aria-label={props.label}>
        {props.items.map((item) => (
          <Fragment key={item.label}>
            {item.apart === true && <hr />}
            <button
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              {...(item.checked === undefined ? {} : { 'aria-checked': item.checked })}
              title={item.title}
              onClick={() => {
                props.onClose();
                item.run();
              }}
            >
              {item.label}
              {item.key !== undefined && <span class="key">{chordLabel(item.key)}</span>}
            </button>
          </Fragment>
        ))}
      </div>
    </div>
  );
}
