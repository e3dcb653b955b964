import type { FacetKind, FacetShare, MetricInfo } from '@hotframe/engine';
import type { Selected } from '../../state/selection.ts';
import { useApp } from '../../state/services.ts';
import { visible } from '../../text/names.ts';
import { formatThings } from '../../text/units.ts';
import { ShareList } from './ShareList.tsx';

/** Threads, processes, labels: what of the selected frame each of them has. */
export function Labels(props: {
  readonly selected: Selected;
  readonly unit: MetricInfo;
  readonly whole: bigint;
}) {
  const app = useApp();
  const { result, columns } = props.selected.details;
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
          <ShareList
            unit={props.unit}
            whole={props.whole}
            rows={labels.map(({ label, value }) => ({
              id: label.value,
              name: label.value,
              value,
              title: `${visible(`${label.key} = ${label.value}`)}\nKeep only stacks with it`,
              run: () => app.profile.addFilter('label_focus', label.pattern),
            }))}
          />
        </div>
      ))}
      {more > 0 && <p class="mute">and {formatThings(more, 'more value')}</p>}
    </>
  );
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
