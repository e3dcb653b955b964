import type { ExperimentQuantity } from '@hotframe/engine';
import { stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { shortenName } from '../../text/names.ts';
import { updateExperiment } from './experiment.ts';
import { EXPERIMENT_PART, type ExperimentOf, ofText, readOf } from './state.ts';

/** What is compared of each run: its measures, the metrics of what was recorded, the chosen function. */
export function QuantityPick(props: {
  readonly measures: readonly string[];
  readonly quantity: ExperimentQuantity;
}) {
  const app = useApp();
  const { measures, quantity } = props;
  const summary = app.profile.summary.value;
  const { fn } = app.view.value;
  const experiment = stateOf(app.view.value, EXPERIMENT_PART);
  const metrics = summary?.metrics ?? [];
  const current = app.profile.metric.value;
  const { value: selected } = app.profile.selection.selected.value;
  const name = selected === undefined || selected.isProgram ? '' : selected.details.result.name;
  const choose = (of: ExperimentOf) => updateExperiment(app, { of });
  const shown =
    quantity.kind === 'measure'
      ? quantity.name
      : quantity.kind === 'metric'
        ? (metrics[current]?.name ?? 'metric')
        : `${quantity.total ? 'total' : 'self'} of ${shortenName(name || 'the function', 28)}`;
  const isOf = (text: string) =>
    experiment.of === undefined
      ? quantity.kind === 'measure' && text === `measure:${quantity.name}`
      : ofText(experiment.of) === text;
  const ofFunction = (kind: 'own' | 'total', word: string) => ({
    label: `${word} of ${shortenName(name || 'the chosen function', 40)}`,
    title: `In ${metrics[current]?.name ?? 'the metric'}`,
    checked: isOf(kind),
    apart: kind === 'own',
    run: () => choose({ kind }),
  });
  return (
    <MenuButton
      label={`Of: ${shown}`}
      title="What is compared of each run"
      items={[
        ...measures.map((measure) => ({
          label: measure,
          title: 'Measured for whole runs: filters do not apply',
          checked: isOf(`measure:${measure}`),
          run: () => choose(readOf(`measure:${measure}`)!),
        })),
        ...metrics.map((metric, index) => ({
          label: metric.name,
          title: metric.formula ?? 'What was recorded, with what filters leave',
          checked: quantity.kind === 'metric' && index === current,
          apart: index === 0 && measures.length > 0,
          run: () => {
            updateExperiment(app, { of: { kind: 'metric' } });
            if (index !== current) app.profile.setMetric(index);
          },
        })),
        ...(fn === undefined ? [] : [ofFunction('own', 'Self'), ofFunction('total', 'Total')]),
      ]}
    >
      <span class="of">Of:</span> <b>{shown}</b>
    </MenuButton>
  );
}
