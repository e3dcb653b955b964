import type {
  ExperimentEffect,
  ExperimentQuantityParams,
  ExperimentResult,
} from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { results } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { endsOf, Forest, ForestHead } from './Forest.tsx';
import type { Sides } from './grid.ts';
import { chanceText, type RatioAxis, ratioAxis } from './ratios.ts';

/** Interactions that are drawn; what follows is the least sure. */
const MOST_TOGETHER = 60;

/** What each factor does, and what two do that neither does alone. */
export function EffectList(props: {
  readonly asked: ReadonlySignal<ExperimentQuantityParams | undefined>;
  readonly experiment: ExperimentResult;
  onChoose(sides: Sides): void;
}) {
  const app = useApp();
  const { experiment } = props;
  const effects = useMade(() => results(app.engine, 'experiment_effects', props.asked));
  const { value: told, error, pending } = effects.state.value;
  const together = told?.together.slice(0, MOST_TOGETHER) ?? [];
  const single = told?.single ?? [];
  const axis = ratioAxis(endsOf([...single, ...together].map(({ ratio }) => ratio)));
  const choose = ({ levels }: ExperimentEffect) => {
    const [factor, level] = levels[0]!;
    const at = (wanted: number) =>
      experiment.cells.flatMap((cell, number) =>
        cell.levels[factor!] === wanted && cell.runs > 0 ? [number] : [],
      );
    props.onChoose({ base: at(0), now: at(level!) });
  };
  if (error !== undefined && error.code !== 'disconnected')
    return (
      <p class="problem">
        {error.message} {error.hint}
      </p>
    );
  const believed = [...single, ...together].filter((one) => one.believed).length;
  return (
    <section class="effects" aria-label="Effects">
      {told !== undefined && (
        <p class="caption">
          {told.title}:{' '}
          {believed === 0
            ? 'no factor does more than chance would'
            : `more than chance: ${believed} of ${formatThings(single.length + together.length, 'effect')}`}
        </p>
      )}
      <Effects
        title="What each factor does, on average over the levels of the others"
        rows={single}
        axis={axis}
        onPick={choose}
      />
      <Effects
        title="What two levels do beyond what each does alone (equal: they do not act on each other)"
        rows={together}
        axis={axis}
      />
      {(told?.together.length ?? 0) > together.length && (
        <p class="mute">
          The surest {together.length} of {told?.together.length} pairs of levels.
        </p>
      )}
      {pending && <div class="busy" />}
    </section>
  );
}

function Effects(props: {
  readonly title: string;
  readonly rows: readonly ExperimentEffect[];
  readonly axis: RatioAxis;
  /** Compares the two levels; undefined where there are not two alone. */
  readonly onPick?: (effect: ExperimentEffect) => void;
}) {
  const { rows, axis, onPick } = props;
  if (rows.length === 0) return null;
  return (
    <div class="scrolled" tabIndex={0} role="group" aria-label={props.title}>
      <table class="told">
        <caption>{props.title}</caption>
        <thead>
          <tr>
            <th scope="col">Levels</th>
            <th scope="col">By</th>
            <th scope="col" class="wide-forest">
              <ForestHead axis={axis} />
              <span class="hidden-text">Drawn</span>
            </th>
            <th scope="col">95 % interval</th>
            <th scope="col" title="Of all rows up to this one at most that share is chance">
              q
            </th>
            <th scope="col" class="words">
              In words
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.title} class={row.believed ? '' : 'unsure'}>
              <th scope="row">
                {onPick === undefined ? (
                  row.title
                ) : (
                  <button
                    type="button"
                    title="Which functions make the difference"
                    onClick={() => onPick(row)}
                  >
                    {row.title}
                  </button>
                )}
              </th>
              <td>{row.ratio?.text ?? 'no ratio'}</td>
              <td class="wide-forest">
                <Forest axis={axis} ratio={row.ratio} believed={row.believed} />
              </td>
              <td>{row.ratio?.interval ?? ''}</td>
              <td>{row.ratio?.low == null ? 'untested' : chanceText(row.q)}</td>
              <td class="words">{words(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function words({ ratio, believed }: ExperimentEffect): string {
  if (ratio === null) return 'nothing to divide by';
  if (!believed) return 'may be chance';
  return ratio.value > 1 ? 'more' : 'less';
}
