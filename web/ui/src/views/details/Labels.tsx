import type { FacetKind, FacetShare, MetricInfo } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import type { Selected } from '../../state/selection.ts';
import { useApp } from '../../state/services.ts';
import { visible } from '../../text/names.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { ShareList, type SharedRow } from './ShareList.tsx';

/** Rows of a group that are shown at first. */
const FIRST_ROWS = 12;

/** Threads, processes, labels: what of the selected frame each of them has. */
export function Labels(props: {
  readonly selected: Selected;
  readonly unit: MetricInfo;
  readonly whole: bigint;
}) {
  const app = useApp();
  const { result, columns } = props.selected.details;
  const keepOnly = ({ pattern, only }: FacetShare) => {
    const patterns = only.length > 0 ? only : [pattern];
    app.profile.addFilters(patterns.map((one) => ({ kind: 'label_focus', pattern: one })));
  };
  const groups = new Map<string, { label: FacetShare; value: bigint }[]>();
  // Values that have no part in the shown metric would only be rows of zeros.
  let more = result.more_labels;
  for (const [index, label] of result.labels.entries()) {
    const value = columns.labels[index] ?? 0n;
    if (value === 0n) {
      more++;
      continue;
    }
    // A label may be called `thread` too.
    const id = `${label.kind} ${label.key}`;
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push({ label, value });
  }
  return (
    <>
      {[...groups].map(([id, labels]) => (
        <div key={id}>
          <h3>{labels[0] === undefined ? '' : headingOf(labels[0].label)}</h3>
          <FoldedShares
            key={id}
            unit={props.unit}
            whole={props.whole}
            rows={labels.map(({ label, value }, index) => ({
              id: `${index} ${label.value}`,
              name: label.value,
              value,
              title: `${visible(`${label.key} = ${label.value}`)}\n${onlyTitle(label)}`,
              run: () => keepOnly(label),
            }))}
          />
        </div>
      ))}
      {more > 0 && <p class="mute">and {formatThings(more, 'more value')}</p>}
    </>
  );
}

/** The first rows of a group, and a button for the others. */
function FoldedShares(props: {
  readonly rows: readonly SharedRow[];
  readonly unit: MetricInfo;
  readonly whole: bigint;
}) {
  const { rows, unit, whole } = props;
  const isOpen = useSignal(false);
  const shown = isOpen.value ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <ShareList unit={unit} whole={whole} rows={shown} />
      {rows.length > FIRST_ROWS && (
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Show fewer' : `Show ${formatInteger(rows.length - FIRST_ROWS)} more`}
        </button>
      )}
    </>
  );
}

/** What a click on a row does. */
function onlyTitle({ kind, only }: FacetShare): string {
  if (kind !== 'thread' && kind !== 'process') return 'Keep only stacks with it';
  const all = kind === 'thread' ? 'threads' : 'processes';
  return only.length > 0 ? `Only this ${kind}` : `Keep only ${all} of this name`;
}

const FACET_NAMES: Record<Exclude<FacetKind, 'label'>, string> = {
  process: 'Processes',
  thread: 'Threads',
  cpu: 'Processors',
  member: 'Profiles in this file',
};

function headingOf(label: FacetShare): string {
  return label.kind === 'label' ? `Label ${label.key}` : FACET_NAMES[label.kind];
}
