import { ENTRIES, withEntry } from '../../state/runs/form.ts';
import { useApp } from '../../state/services.ts';

/** What somebody wants to know: three ways to begin. */
export function EntryCards() {
  const { draft } = useApp().runs.fresh;
  return (
    <div class="entries" role="radiogroup" aria-label="What you want to know">
      {ENTRIES.map(({ value, label, title }) => (
        <label key={value} class="entry">
          <input
            type="radio"
            name="run-entry"
            checked={draft.value.entry === value}
            onChange={() => {
              draft.value = withEntry(draft.peek(), value);
            }}
          />
          <span>
            <b>{label}</b>
            <span class="mute">{title}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
