import type { Choice } from '../state/view-state.ts';

/** A few choices side by side, of which one is on. */
export function Segments<T extends string>(props: {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  /** Choices that a narrow screen leaves out. */
  readonly wideOnly?: readonly T[];
  /** Why there is nothing to choose. */
  readonly disabled?: string | undefined;
  readonly class?: string;
  onChange(value: T): void;
}) {
  const { choices, value, onChange } = props;
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const index = choices.findIndex((choice) => choice.value === value);
    const next = (index + by + choices.length) % choices.length;
    onChange(choices[next]!.value);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      class={`segments ${props.class ?? ''}`}
      role="radiogroup"
      aria-label={props.label}
      aria-disabled={props.disabled !== undefined}
      title={props.disabled}
      onKeyDown={move}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          class={props.wideOnly?.includes(choice.value) ? 'wide-only' : ''}
          title={props.disabled ?? choice.title}
          disabled={props.disabled !== undefined}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
