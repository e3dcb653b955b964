import type { Typed } from '../text/patterns.ts';

/** What the text of a search field is: whether its case counts, and whether it is an expression. */
export function PatternSwitches(props: { readonly typed: Typed; onChange(typed: Typed): void }) {
  const { typed, onChange } = props;
  return (
    <span class="switches">
      <button
        type="button"
        aria-label="Case counts"
        aria-pressed={typed.matchCase}
        title="Match case. Otherwise case matters if you type a capital letter"
        onClick={() => onChange({ ...typed, matchCase: !typed.matchCase })}
      >
        Aa
      </button>
      <button
        type="button"
        aria-label="Literal text"
        aria-pressed={typed.literal}
        title="Exact text. Otherwise it is read as a regular expression if it is one"
        onClick={() => onChange({ ...typed, literal: !typed.literal })}
      >
        “”
      </button>
    </span>
  );
}
