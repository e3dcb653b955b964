import { useEffect, useMemo } from 'preact/hooks';
import type { Sized } from '../../state/layout.ts';
import { useApp } from '../../state/services.ts';
import { ComparePanel } from './ComparePanel.tsx';
import { createGraphController } from './controller.ts';
import { ElementPanel } from './ElementPanel.tsx';
import { FusionPanel } from './FusionPanel.tsx';
import { GraphCanvas } from './GraphCanvas.tsx';
import { MemoryPanel } from './MemoryPanel.tsx';
import { Outline } from './Outline.tsx';
import { RooflinePanel } from './RooflinePanel.tsx';
import { SymbolsPanel } from './SymbolsPanel.tsx';
import { DETAILS, DetailsSplitters, SHEET } from '../../widgets/DetailsSplitters.tsx';
import { TabbedPanel } from '../../widgets/TabbedPanel.tsx';
import { shares, Splitter, useSize } from '../../widgets/Splitter.tsx';

/** Where the outline has no column of its own; the style sheet has the same width. */
const NARROW = '(max-width: 900px)';

/** Width of the outline. */
const OUTLINE: Sized = { name: 'outline', standard: 250, least: 140, most: 700 };

/** A dataflow graph: outline, picture and a panel. */
export function GraphView() {
  const app = useApp();
  const { graph } = app;
  const controller = useMemo(() => createGraphController(graph), []);
  useEffect(() => () => controller.dispose(), []);
  useEffect(() => {
    const narrow = matchMedia(NARROW);
    const stop = new AbortController();
    // What lies over the picture is there only if someone asks for it.
    const close = () => {
      if (narrow.matches) graph.outlineOpen.value = false;
    };
    narrow.addEventListener('change', close, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const [details, sheet, width] = [useSize(DETAILS), useSize(SHEET), useSize(OUTLINE)];
  const scene = graph.scene.value;
  const outline = graph.outlineOpen.value;
  const panel = app.detailsOpen.value;
  const classes = [
    'main',
    'graph-main',
    outline ? 'with-outline' : '',
    panel ? 'with-details' : '',
  ];
  return (
    <main
      class={classes.join(' ')}
      style={{ '--details': `${details}px`, ...shares('sheet', sheet), '--outline': `${width}px` }}
    >
      {outline && scene !== undefined && <Outline controller={controller} scene={scene} />}
      {outline && (
        <Splitter class="outline-edge" label="Width of the outline" part={OUTLINE} along="across" />
      )}
      <GraphCanvas controller={controller} />
      {panel && (
        <>
          <DetailsSplitters />
          <Panel />
        </>
      )}
    </main>
  );
}

const PANELS = [
  { value: 'details', label: 'Details' },
  { value: 'symbols', label: 'Sizes' },
  { value: 'compare', label: 'Compare' },
  { value: 'roofline', label: 'Roofline' },
  { value: 'fusions', label: 'Fusions' },
  { value: 'memory', label: 'Memory' },
] as const;

/** What stands beside the picture. */
function Panel() {
  const { graph } = useApp();
  const shown = graph.panel.value;
  return (
    <TabbedPanel class="" tabs={PANELS} shown={graph.panel}>
      {shown === 'details' && <ElementPanel />}
      {shown === 'symbols' && <SymbolsPanel />}
      {shown === 'compare' && <ComparePanel />}
      {shown === 'roofline' && <RooflinePanel />}
      {shown === 'fusions' && <FusionPanel />}
      {shown === 'memory' && <MemoryPanel />}
    </TabbedPanel>
  );
}
