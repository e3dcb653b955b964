import { useEffect, useRef } from 'preact/hooks';
import { EMPTY_ROW, type FactorRow, requirementRow } from '../../state/runs/levels.ts';

/** Conditions of one kind: rows of a name and what it is in turn. */
export function FactorRows(props: {
  readonly title: string;
  readonly rows: readonly FactorRow[];
  readonly name: string;
  readonly levels: string;
  readonly placeholders: readonly [string, string];
  readonly add: string;
  readonly help: string;
  onChange(rows: readonly FactorRow[]): void;
}) {
  const { rows, onChange } = props;
  const list = useRef<HTMLDivElement>(null);
  /** The row that was just added is where one goes on. */
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    list.current?.querySelector<HTMLInputElement>('.factor:last-of-type input')?.focus();
  }, [rows.length]);
  const set = (at: number, row: FactorRow) => onChange(rows.with(at, row));
  const isPackage = props.name === 'Package';
  return (
    <section class="run-section" aria-label={props.title === '' ? props.name : props.title}>
      {props.title !== '' && <h2>{props.title}</h2>}
      <div ref={list} class="factors">
        {rows.map((row, at) => (
          <div key={at} class="factor">
            <input
              class="control mono"
              aria-label={`${props.name} ${at + 1}`}
              placeholder={props.placeholders[0]}
              value={row.name}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => set(at, { ...row, name: event.currentTarget.value })}
              onBlur={() => isPackage && set(at, requirementRow(row))}
            />
            <input
              class="control mono"
              aria-label={`${props.levels} of ${row.name === '' ? `row ${at + 1}` : row.name}`}
              placeholder={props.placeholders[1]}
              value={row.levels}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => set(at, { ...row, levels: event.currentTarget.value })}
            />
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${row.name === '' ? `row ${at + 1}` : row.name}`}
              title="Remove"
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              ×
            </button>
          </div>
        ))}
      </div>
      {rows.length > 0 && <p class="mute help">{props.help}</p>}
      <button
        type="button"
        class="control add"
        onClick={() => {
          isAdded.current = true;
          onChange([...rows, EMPTY_ROW]);
        }}
      >
        + {props.add}
      </button>
    </section>
  );
}
