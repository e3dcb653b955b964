import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** A panel beside a picture, of which one tab is shown. */
export function TabbedPanel<T extends string>(props: {
  readonly class: string;
  readonly tabs: readonly { readonly value: T; readonly label: string }[];
  readonly shown: Signal<T>;
  readonly children: ComponentChildren;
}) {
  const { tabs, shown } = props;
  return (
    <aside class={`details graph-panel ${props.class}`} aria-label="Panel">
      <div class="tabs" role="tablist">
        {tabs.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            role="tab"
            aria-selected={shown.value === value}
            onClick={() => {
              shown.value = value;
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="graph-panel-body" tabIndex={0} role="group" aria-label="Panel body">
        {props.children}
      </div>
    </aside>
  );
}
