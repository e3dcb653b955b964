import { changeState } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { BesideButton } from '../beside/BesideButton.tsx';
import { CHARTS } from './charts.ts';
import { CHARTS_PART } from './state.ts';

/** Leads to the other charts, and to all open profiles side by side. */
export function ChartPicker(props: { readonly chart: string; readonly canStandBeside: boolean }) {
  const app = useApp();
  return (
    <>
      <Segments
        label="Chart"
        choices={CHARTS.map(({ id, label, title }) => ({ value: id, label, title }))}
        value={props.chart}
        onChange={(chart) => changeState(app, CHARTS_PART, { chart })}
      />
      {props.canStandBeside && <BesideButton />}
    </>
  );
}
