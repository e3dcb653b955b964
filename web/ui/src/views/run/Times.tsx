import { meanOf, timesText } from './words.ts';

/** What each run of a cell took, and their mean, on a scale that all cells share and that begins at 0. */
export function Times(props: { readonly seconds: readonly number[]; readonly longest: number }) {
  const { seconds, longest } = props;
  const mean = meanOf(seconds);
  const at = (value: number) => ({ left: `${longest > 0 ? (100 * value) / longest : 0}%` });
  return (
    <span class="times" role="img" aria-label={timesText(seconds)} title={timesText(seconds)}>
      {mean !== undefined && <b style={{ width: at(mean).left }} />}
      {seconds.map((value, index) => (
        <i key={index} style={at(value)} />
      ))}
    </span>
  );
}
