import { type Choice, labelOf } from '../state/view-state.ts';
import { MenuButton } from './Menu.tsx';

/** A label within a line; sizes such as 32K and short forms such as LRU stay as they are written. */
export function inLine(label: string): string {
  if (/\d/.test(label)) return label;
  return label.replace(/\p{L}+/gu, (word) =>
    /\p{Lu}.*\p{Lu}/u.test(word) ? word : word.toLowerCase(),
  );
}

/** A named choice of several, in one line: what is chosen, and a menu of what can be. */
export function Pick<T extends string>(props: {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly class?: string;
  onChange(value: T): void;
}) {
  return (
    <MenuButton
      class={`plain ${props.class ?? ''}`}
      label={`${props.label}: ${labelOf(props.choices, props.value)}`}
      items={props.choices.map(({ value, label, title }) => ({
        label,
        title,
        checked: value === props.value,
        run: () => props.onChange(value),
      }))}
    >
      <span class="of">{props.label}:</span> <b>{inLine(labelOf(props.choices, props.value))}</b>
    </MenuButton>
  );
}
