import { GRAPH_KINDS } from '@hotframe/engine';
import { useEffect, useState } from 'preact/hooks';
import { DEFAULT_ACCESSES_VIEW } from '../../state/accesses-view.ts';
import { knownMachine } from '../../state/machine.ts';
import { useApp } from '../../state/services.ts';
import {
  BASES,
  COLOUR_MAPS,
  EDGE_QUANTITIES,
  HIDEABLE,
  KIND_LABELS,
  MEASURED_QUANTITIES,
  NODE_QUANTITIES,
  OPERATIONS,
  SCALES,
  UNITS,
} from '../../state/graph-view.ts';
import { formatInteger } from '../../text/units.ts';
import type { MenuItem } from '../../state/commands.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { PanelButton } from '../../widgets/PanelButton.tsx';
import { Pick } from '../../widgets/Pick.tsx';

/** How far a graph is unfolded, what is laid over it, and what is beside it. */
export function GraphBar() {
  const app = useApp();
  const { graph } = app;
  const { view } = graph;
  const { edges, basis, inBytes, scale, colours } = view.value;
  return (
    <section class="bar" aria-label="What is drawn">
      <button
        type="button"
        class={graph.outlineOpen.value ? 'plain on' : 'plain'}
        aria-pressed={graph.outlineOpen.value}
        title="Outline (o)"
        onClick={() => {
          graph.outlineOpen.value = !graph.outlineOpen.value;
        }}
      >
        Outline
      </button>
      <Folds />
      <HiddenKinds />
      <span class="grow" />
      <Pick
        label="Edges"
        choices={EDGE_QUANTITIES}
        value={edges}
        onChange={(value) => graph.update({ edges: value }, 'push')}
      />
      {edges === 'simulated' && <CachePick />}
      <NodesPick />
      <Pick
        label="Count"
        choices={BASES}
        value={basis}
        onChange={(value) => graph.update({ basis: value }, 'push')}
      />
      <Pick
        label="Operations"
        choices={OPERATIONS}
        value={graph.summary.value?.operations ?? 'dace'}
        onChange={(value) => {
          graph.countOperations(value).catch(app.notices.fail);
        }}
      />
      <Pick
        label="In"
        choices={UNITS}
        value={inBytes ? 'bytes' : 'elements'}
        onChange={(value) => graph.update({ inBytes: value === 'bytes' }, 'push')}
      />
      <Pick
        label="Scale"
        choices={SCALES}
        value={scale}
        onChange={(value) => graph.update({ scale: value }, 'push')}
      />
      <Pick
        label="Colours"
        choices={COLOUR_MAPS}
        value={colours}
        onChange={(value) => graph.update({ colours: value }, 'push')}
      />
      <PanelButton label="Panel" title="Panel (p)" open={app.detailsOpen} />
    </section>
  );
}

/** Folding by depth: one step, all, none, or as the search has it. */
function Folds() {
  const { graph } = useApp();
  const depth = graph.scene.value?.drawing.result.depth ?? 1;
  const deepest = (graph.summary.value?.depth ?? 1) + 1;
  const { depth: chosen, opened, closed } = graph.view.value;
  const matches = graph.search.value.value?.result.matches.length ?? 0;
  const touched = chosen !== undefined || opened.length > 0 || closed.length > 0;
  return (
    <span class="fold-steps" role="group" aria-label="Unfolded">
      <button
        type="button"
        class="plain"
        aria-label="Fold one level"
        title="Fold one level ([)"
        disabled={depth <= 1}
        onClick={() => graph.setDepth(Math.max(1, depth - 1))}
      >
        −
      </button>
      <MenuButton
        label={`Unfolded to depth ${depth}`}
        items={[
          { label: 'Fold all', key: '{', run: () => graph.setDepth(1) },
          { label: 'Unfold all', key: '}', run: () => graph.setDepth(deepest) },
          {
            label: 'As at first',
            title: 'As deep as fits',
            ...(touched ? {} : { checked: true }),
            run: () => graph.setDepth(undefined),
          },
          {
            label: matches > 0 ? `Only the ${formatInteger(matches)} matches` : 'Only matches',
            title: 'Fold all but what the search has found',
            run: () => graph.foldAllButMatches(),
          },
        ]}
      >
        Depth: <b class="number">{depth}</b>
      </MenuButton>
      <button
        type="button"
        class="plain"
        aria-label="Unfold one level"
        title="Unfold one level (])"
        disabled={depth >= deepest}
        onClick={() => graph.setDepth(depth + 1)}
      >
        +
      </button>
    </span>
  );
}

/** Kinds that are left out, with how many boxes each has in the drawing. */
function HiddenKinds() {
  const { graph } = useApp();
  const { hidden } = graph.view.value;
  const kinds = graph.scene.value?.drawing.columns.kind ?? [];
  const counts = new Map<number, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const items: MenuItem[] = HIDEABLE.flatMap((kind) => {
    const count = counts.get(GRAPH_KINDS.indexOf(kind)) ?? 0;
    const isHidden = hidden.includes(kind);
    if (count === 0 && !isHidden) return [];
    const number = isHidden ? 'hidden' : formatInteger(count);
    return [
      {
        label: `${isHidden ? 'Show' : 'Hide'} ${KIND_LABELS[kind]} · ${number}`,
        run: () =>
          graph.update(
            { hidden: isHidden ? hidden.filter((one) => one !== kind) : [...hidden, kind] },
            'push',
          ),
      },
    ];
  });
  if (hidden.length > 1) {
    items.push({
      label: 'Show all',
      apart: true,
      run: () => graph.update({ hidden: [] }, 'push'),
    });
  }
  if (items.length === 0) return null;
  const shown =
    hidden.length === 0 ? 'Hide…' : `Hidden: ${hidden.map((kind) => KIND_LABELS[kind]).join(', ')}`;
  return (
    <MenuButton
      label={`${shown} (kinds of boxes)`}
      class={hidden.length > 0 ? 'plain on' : 'plain'}
      items={items}
    >
      {shown}
    </MenuButton>
  );
}

/** Caches that are usual. */
const CACHES = ['32K', '32K:8', '48K:12', '1M:16', '8M'];

/** Which cache edges are simulated in. */
function CachePick() {
  const { accesses, engine } = useApp();
  const { fullCache, line } = accesses.view.value;
  const [own, setOwn] = useState('');
  useEffect(() => {
    void knownMachine(engine).then((known) => {
      const [first = ''] = known?.caches.split(',') ?? [];
      setOwn(first);
      if (first !== '' && accesses.view.peek().fullCache === DEFAULT_ACCESSES_VIEW.fullCache)
        accesses.update({ fullCache: first }, 'replace');
    });
  }, []);
  const known = [own, ...CACHES, fullCache].filter((text) => text !== '');
  const choices = [...new Set(known)].map((text) => ({
    value: text,
    label: text === own ? `${text} (this machine)` : text,
    title: `A first level of ${text}, in lines of ${line} bytes`,
  }));
  return (
    <Pick
      label="Cache"
      choices={choices}
      value={fullCache}
      onChange={(cache) => accesses.update({ fullCache: cache }, 'push')}
    />
  );
}

/** What boxes tell: the model's costs, and what was measured where something was. */
function NodesPick() {
  const { graph } = useApp();
  const measurements = graph.summary.value?.measurements ?? [];
  const names = [
    ...new Set(measurements.flatMap(({ metrics }) => metrics.map(({ name }) => name))),
  ];
  const measured = names.map((name) => ({
    value: `measured:${name}`,
    label: `Measured ${name}`,
    title: 'As it was measured',
  }));
  const communicates = (graph.summary.value?.communications ?? 0) > 0;
  const choices = [
    ...NODE_QUANTITIES.filter(({ value }) => value !== 'network' || communicates),
    ...measured,
    ...(names.length > 0 ? MEASURED_QUANTITIES : []),
  ];
  return (
    <Pick
      label="Boxes"
      choices={choices}
      value={graph.view.value.nodes}
      onChange={(nodes) => graph.update({ nodes }, 'push')}
    />
  );
}
