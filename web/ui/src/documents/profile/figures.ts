import type { SummaryResult } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { memberWord } from '../../state/members.ts';
import { several } from '../../text/units.ts';
import type { MenuItem } from '../../state/commands.ts';

/** What can be said of the shown metric over the profiles that came as one. */
export function figureItems(app: App, summary: SummaryResult): MenuItem[] {
  if (summary.members < 2 || summary.comparison !== null) return [];
  const { formula: shown, name: shownName } = app.profile.metricInfo.value;
  // A figure that is shown leads to the others of its metric.
  const names = summary.metrics.flatMap((one) => (one.formula === null ? [nameOf(one)] : []));
  const isOf = (name: string) => FIGURES.some(({ formula }) => formula(name) === shown);
  const name = shown === null ? nameOf({ name: shownName }) : names.find(isOf);
  if (name === undefined) return [];
  const word = memberWord(app.view.value.members);
  const said = (text: string) =>
    text.replaceAll('profiles', several(word)).replaceAll('profile', word);
  return FIGURES.map(({ label, title, formula }, index) => ({
    label: said(label),
    title: said(title),
    apart: index === 0,
    ...(shown === null ? {} : { checked: formula(name) === shown }),
    run: () => {
      app.profile
        .setFormula(formula(name))
        .then((error) => error && app.notices.fail(error), app.notices.fail);
    },
  }));
}

/** A metric as formulas name it. */
const nameOf = ({ name }: { readonly name: string }) =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;

const FIGURES = [
  {
    label: 'Mean over the profiles',
    title: 'Arithmetic mean',
    formula: (m: string) => `mean_of(${m})`,
  },
  {
    label: 'Median',
    title: 'The profile in the middle',
    formula: (m: string) => `median_of(${m})`,
  },
  {
    label: 'Smallest',
    title: 'What every profile has at least',
    formula: (m: string) => `min_of(${m})`,
  },
  {
    label: 'Largest',
    title: 'What no profile has more of',
    formula: (m: string) => `max_of(${m})`,
  },
  {
    label: 'Standard deviation',
    title: 'How much profiles differ',
    formula: (m: string) => `deviation_of(${m})`,
  },
  {
    label: '95th percentile',
    title: 'What 95 of 100 do not exceed',
    formula: (m: string) => `percentile_of(${m}, 95)`,
  },
  {
    label: 'How many have it',
    title: 'Profiles in which it is not 0',
    formula: (m: string) => `count_of(${m})`,
  },
  {
    label: 'What is left at the end',
    title: 'The last profile',
    formula: (m: string) => `last_of(${m})`,
  },
  {
    label: 'What keeps growing',
    title: 'Change from profile to profile, 0 where it may be chance',
    formula: (m: string) => `rise_of(${m})`,
  },
] as const;
