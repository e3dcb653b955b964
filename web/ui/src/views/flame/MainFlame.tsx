import type { ViewSpec } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { FlameView } from './FlameView.tsx';

/** The page's flame graph: its zoom and its selection are in the address. */
export function MainFlame(props: {
  readonly spec: ViewSpec;
  /** Whether what the search finds is told elsewhere. */
  readonly countsNothing?: boolean;
}) {
  const app = useApp();
  const { zoom, search } = app.view.value;
  return (
    <FlameView
      label="Flame graph"
      spec={props.spec}
      zoom={zoom}
      search={search}
      colour={app.profile.colour.value}
      main={props.countsNothing === true ? 'uncounted' : 'counted'}
      minimap
      pruned={app.profile.pruned.value}
      setZoom={(next, step) => app.update({ zoom: next }, step)}
      onController={(controller) => {
        app.profile.flame.value = controller;
      }}
    />
  );
}
