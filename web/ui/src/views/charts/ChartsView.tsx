import type { ViewSpec } from '@hotframe/engine';
import { ScatterView } from '../scatter/ScatterView.tsx';

/** Charts of all functions. */
export function ChartsView({ spec }: { readonly spec: ViewSpec }) {
  return (
    <div class="charts">
      <ScatterView spec={spec} />
    </div>
  );
}
