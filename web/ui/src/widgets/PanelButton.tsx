import type { Signal } from '@preact/signals';

/** Opens and closes the panel beside a picture. */
export function PanelButton(props: {
  readonly label: string;
  readonly title: string;
  readonly open: Signal<boolean>;
}) {
  const { label, title, open } = props;
  return (
    <button
      type="button"
      class={open.value ? 'plain on' : 'plain'}
      aria-pressed={open.value}
      title={title}
      onClick={() => {
        open.value = !open.value;
      }}
    >
      {label}
    </button>
  );
}
