import { changeClass } from '../../canvas/colour.ts';
import { CHANGE_STEPS, SIGN_STEP } from '../../canvas/generated/colours.ts';
import { paletteOf } from '../../canvas/palette.ts';
import { useApp } from '../../state/services.ts';

/** What the colours of changes say, with the signs that say the same without colour. */
export function ChangeLegend(props: {
  /** Whether the values themselves are changes. */
  readonly signed: boolean;
  /** Whether runs were tested, which may leave a change open. */
  readonly tested: boolean;
}) {
  const app = useApp();
  const { fills, background } = paletteOf(app.theme.shown.value, document.documentElement);
  const { signed, tested } = props;
  const strongest = signed ? SIGN_STEP : CHANGE_STEPS;
  const entry = (step: number, text: string) => (
    <span>
      <i aria-hidden="true" style={{ background: fills[changeClass(step)] }} /> {text}
    </span>
  );
  return (
    <span
      class="change-legend"
      title={
        signed
          ? 'Widths show the size of the change, colours its direction; what grew comes first'
          : 'The stronger the colour, the larger the change against the larger of both values'
      }
    >
      {entry(-strongest, '[-] less, [D] gone')}
      {entry(0, '[=] same')}
      {entry(strongest, '[+] more, [A] new')}
      {tested && (
        <span title="The runs do not show whether it changed">
          <i
            aria-hidden="true"
            class="unsure"
            style={{ '--fill': fills[changeClass(strongest)]!, '--line-colour': background }}
          />{' '}
          [+?] unknown
        </span>
      )}
      {signed && <span>width: size of the change</span>}
    </span>
  );
}
