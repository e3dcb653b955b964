import { CHANGE_SIDES, DISTANCES, MISS_KINDS, overlaysOf } from '../../state/accesses-view.ts';
import { COLOUR_MAPS, SCALES } from '../../state/graph-view.ts';
import { useApp } from '../../state/services.ts';
import { PanelButton } from '../../widgets/PanelButton.tsx';
import { Pick } from '../../widgets/Pick.tsx';
import { Segments } from '../../widgets/Segments.tsx';

/** What is accessed, what elements tell, and in which colours. */
export function AccessesBar() {
  const app = useApp();
  const { accesses } = app;
  const view = accesses.view.value;
  const isOfGraph = view.scope !== undefined;
  return (
    <section class="bar" aria-label="What is shown">
      {isOfGraph && (
        <button
          type="button"
          class="plain"
          title="Back to the graph, where it was (Backspace)"
          onClick={() => accesses.openPart(undefined)}
        >
          ‹ Graph
        </button>
      )}
      <b class="accesses-part" title={accesses.sizes.value.value?.part}>
        {accesses.sizes.value.value?.part ?? ''}
      </b>
      <Segments
        label="Colour by"
        choices={overlaysOf(accesses.isRecorded.value)}
        value={view.overlay}
        onChange={(overlay) => accesses.update({ overlay }, 'push')}
      />
      {view.overlay === 'distance' && (
        <Pick
          label="Of"
          choices={DISTANCES}
          value={view.distance}
          onChange={(distance) => accesses.update({ distance }, 'push')}
        />
      )}
      {view.overlay === 'misses' && (
        <Pick
          label="Kind"
          choices={MISS_KINDS}
          value={view.misses}
          onChange={(misses) => accesses.update({ misses }, 'push')}
        />
      )}
      {view.chosen.length > 0 && (
        <button
          type="button"
          class="plain on"
          title="Choose nothing"
          onClick={() => accesses.update({ chosen: [] }, 'replace')}
        >
          {view.chosen.length} chosen ×
        </button>
      )}
      <span class="grow" />
      {view.changes.length > 0 && (
        <Segments
          label="Which"
          choices={CHANGE_SIDES}
          value={view.side}
          onChange={(side) => accesses.update({ side }, 'replace')}
        />
      )}
      <Pick
        label="Scale"
        choices={SCALES}
        value={view.scale}
        onChange={(scale) => accesses.update({ scale }, 'push')}
      />
      <Pick
        label="Colours"
        choices={COLOUR_MAPS}
        value={view.colours}
        onChange={(colours) => accesses.update({ colours }, 'push')}
      />
      <PanelButton label="Panel" title="Panel (p)" open={app.detailsOpen} />
    </section>
  );
}
