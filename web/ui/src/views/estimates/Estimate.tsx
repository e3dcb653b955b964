import { useApp } from '../../state/services.ts';

/** Before values that are not exact. */
export const ABOUT = '≈ ';

/** What is known of a function that is exact up to some call only; undefined of others. */
export function useEstimate(key: number | undefined): string | undefined {
  const { estimates } = useApp().profile;
  return key === undefined ? undefined : estimates.value.get(key)?.text;
}

/** The same as a line of a hover or of details. */
export function Estimate(props: { readonly of: number | undefined }) {
  const text = useEstimate(props.of);
  return text === undefined ? null : <p class="estimate">{ABOUT + text}</p>;
}
