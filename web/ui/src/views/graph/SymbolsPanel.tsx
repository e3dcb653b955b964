import type { GraphSymbol } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import type { MenuItem } from '../../state/commands.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { useGraphAnswer } from './answer.ts';
import { SLIDER_STEPS, sizeFrom, sliderAt, sliderEnd, sliderValue } from './axis.ts';
import { ScalingPlot } from './ScalingPlot.tsx';
import { Totals } from './Totals.tsx';

/** Values of all symbols that costs depend on; the picture follows while they move. */
export function SymbolsPanel() {
  const { graph } = useApp();
  const summary = graph.summary.value;
  if (summary === undefined) return null;
  const sizes = summary.symbols.filter(({ unknown }) => unknown === '');
  const unknowns = summary.symbols.filter(({ unknown }) => unknown !== '');
  return (
    <>
      <div class="graph-symbols-head">
        <h2>Sizes</h2>
        {sizes.length > 0 && <Presets />}
      </div>
      {sizes.length === 0 && <p class="mute">Costs of this program depend on no size.</p>}
      {sizes.map((symbol) => (
        <SymbolRow key={symbol.name} symbol={symbol} />
      ))}
      {unknowns.length > 0 && (
        <>
          <h3>What data decides</h3>
          <p class="mute">Assumed: only the data decides.</p>
          {unknowns.map((symbol) => (
            <SymbolRow key={symbol.name} symbol={symbol} />
          ))}
        </>
      )}
      <h3>Totals</h3>
      <Totals />
      <Ranking />
      <ScalingPlot element={undefined} />
    </>
  );
}

function SymbolRow({ symbol }: { readonly symbol: GraphSymbol }) {
  const { graph } = useApp();
  const { name, suggested, element_type: type, unknown } = symbol;
  const set = graph.view.value.symbols.find((setting) => setting.name === name)?.value;
  const value = set ?? suggested;
  const end = sliderEnd(suggested);
  const change = (next: number) => {
    if (Number.isFinite(next)) graph.setSymbol(name, sizeFrom(next));
  };
  return (
    <div class="graph-symbol">
      <label>
        <code>{name}</code>
        {type !== '' && <span class="mute">{type}</span>}
        <input
          type="range"
          aria-label={`${name}, by its logarithm`}
          min={0}
          max={SLIDER_STEPS}
          value={sliderAt(value, end)}
          aria-valuetext={String(value)}
          onInput={(event) => change(sliderValue(Number(event.currentTarget.value), end))}
        />
      </label>
      <input
        type="number"
        class="control"
        aria-label={`Value of ${name}`}
        min={0}
        step={1}
        value={value}
        onInput={({ currentTarget: field }) => {
          const typed = Number(field.value);
          const isSize = field.value !== '' && Number.isSafeInteger(typed) && typed >= 0;
          field.setCustomValidity(isSize ? '' : 'Sizes are whole numbers from 0 on');
          if (isSize) change(typed);
          else if (field.value !== '') field.reportValidity();
        }}
        onBlur={({ currentTarget: field }) => {
          field.setCustomValidity('');
          field.value = String(value);
        }}
      />
      <button
        type="button"
        class="plain"
        aria-label={`Suggested value of ${name}`}
        title={`Back to ${suggested}`}
        disabled={set === undefined || set === suggested}
        onClick={() => graph.setSymbol(name, undefined)}
      >
        ↺
      </button>
      {unknown !== '' && <p class="mute">{unknown}</p>}
    </div>
  );
}

function Presets() {
  const { graph } = useApp();
  const items: readonly MenuItem[] = [
    { label: 'As suggested', run: () => graph.setAllSymbols(() => undefined) },
    {
      label: 'Twice as large',
      apart: true,
      run: () => graph.setAllSymbols((value) => sizeFrom(value * 2)),
    },
    {
      label: 'Half as large',
      run: () => graph.setAllSymbols((value) => Math.max(1, Math.floor(value / 2))),
    },
    ...[64, 256, 1024].map((size, index) => ({
      label: `All ${size}`,
      apart: index === 0,
      run: () => graph.setAllSymbols(() => size),
    })),
  ];
  return (
    <MenuButton label="Set all… (presets)" items={items}>
      Set all…{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}

/** Which symbol matters most: what the program moves if one doubles and the others stay. */
function Ranking() {
  const { engine, graph } = useApp();
  const ranked = useGraphAnswer(
    ({ document, symbols }) =>
      graph.summary.value?.symbols.some(({ unknown }) => unknown === '')
        ? {
            document,
            element: null,
            quantity: 'movement' as const,
            symbols,
            symbol: '',
            from: 1,
            to: 1,
          }
        : undefined,
    (params) => engine.call('graph_scaling', params),
  );
  const ranking = ranked.value?.result.ranking ?? [];
  if (ranking.length === 0) return null;
  const most = Math.max(...ranking.map(({ doubled }) => doubled), 1);
  return (
    <>
      <h3>Which size matters most</h3>
      <ul class="share-list graph-ranking" title="How many times as much moves if it doubles">
        {ranking.map(({ name, doubled }) => (
          <li key={name}>
            <span>
              <i
                class="fill"
                style={{
                  width: `${Math.max(0, ((doubled - 1) / Math.max(1e-9, most - 1)) * 100)}%`,
                }}
              />
              <code>{name}</code>
              <span class="number">×{Number(doubled.toPrecision(3))} if doubled</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
