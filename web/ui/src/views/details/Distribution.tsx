import { useComputed } from '@preact/signals';
import { memberWord, spreads } from '../../state/members.ts';
import { answers } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatThings, several } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Spread } from '../spread/Spread.tsx';

/** How the selected frame's values spread over the profiles that came as one. */
export function Distribution() {
  const app = useApp();
  const wanted = useComputed(() => {
    const selected = app.profile.selection.selected.value.value;
    if (selected === undefined || !spreads(app.profile.summary.value)) return undefined;
    const { spec, place } = selected;
    return { view: spec, instance: place.instance ?? null, node: place.node };
  });
  const spread = useMade(() => answers(app.engine, 'distribution', wanted));
  const { value } = spread.state.value;
  if (value === undefined || wanted.value === undefined) return null;
  const unit =
    app.profile.summary.value?.metrics[value.result.metric] ?? app.profile.metricInfo.value;
  const { members, base_members: baseMembers } = value.result;
  const thing = memberWord(app.view.value.members);
  return (
    <section class="distribution" aria-label={`Over the ${several(thing)}`}>
      <h3>
        {baseMembers === null
          ? `Over ${formatThings(members.length, thing)}`
          : `${formatThings(baseMembers, 'run')} before, ${members.length - baseMembers} after`}
      </h3>
      <Spread spread={value} unit={unit} thing={thing} />
    </section>
  );
}
