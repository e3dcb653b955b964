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
        title="Match case; else it counts where a capital letter is typed"
        onClick={() => onChange({ ...typed, matchCase: !typed.matchCase })}
      >
        Aa
      </button>
      <button
        type="button"
        aria-label="Literal text"
        aria-pressed={typed.literal}
        title="Take every sign as it stands; else the text is a regular expression where it can be one"
        onClick={() => onChange({ ...typed, literal: !typed.literal })}
      >
        “”
      </button>
    </span>
  );
}
