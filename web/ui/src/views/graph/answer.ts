import type { SymbolSetting } from '@hotframe/engine';
import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { settingsOf } from '../../state/graph-view.ts';
import { type Loaded, steadyResource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';

/** The graph that is shown, and the sizes that rest. */
interface AtSizes {
  readonly document: number;
  readonly symbols: SymbolSetting[];
}

/** What a panel asks of the graph, again whenever sizes or what `asked` reads change. */
export function useGraphAnswer<I, T>(
  asked: (at: AtSizes) => I | undefined,
  load: (input: I) => Promise<T>,
): Loaded<T> {
  const { graph, documents } = useApp();
  const answer = useMemo(() => {
    const input = computed(() => {
      const summary = graph.summary.value;
      const document = documents.shown.value;
      return summary === undefined || document === undefined
        ? undefined
        : asked({ document, symbols: settingsOf(summary, graph.rested.value.symbols) });
    });
    return steadyResource(input, load);
  }, []);
  useEffect(() => () => answer.dispose(), []);
  return answer.state.value;
}
