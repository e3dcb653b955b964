import {
  type AccessesViewState,
  cachesOf,
  INCLUSIONS,
  parseCaches,
  REPLACEMENTS,
  rulesOf,
} from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatThings } from '../../text/units.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { RangesField } from './RangesField.tsx';
import { placeOf, THRESHOLDS } from './threshold.ts';
import { ownLevels } from './words.ts';

/** Caches that machines have, the nearest first. */
const PRESETS = [
  { label: 'Intel Skylake server', text: '32K:8,1M:16' },
  { label: 'Intel Ice Lake', text: '48K:12,512K:8' },
  { label: 'AMD Zen', text: '32K:8,512K:8' },
  { label: 'Arm Neoverse N1', text: '64K:4,1M:8' },
] as const;

/** Sizes of the program, the cache that it goes through, and what is taken for granted. */
export function SizesPanel() {
  const { accesses } = useApp();
  const known = accesses.sizes.value.value;
  const view = accesses.view.value;
  const isRecorded = accesses.isRecorded.value;
  if (known === undefined) return <p class="mute">…</p>;
  const all = (at: 'small' | 'whole') => {
    const symbols = [...accesses.full.value];
    accesses.update(
      { symbols: at === 'small' ? [] : symbols, at: undefined, range: undefined },
      'push',
    );
  };
  return (
    <>
      {isRecorded && <RangesField />}
      {!isRecorded && (
        <>
          <div class="graph-symbols-head">
            <h2>Sizes</h2>
            {known.symbols.length > 0 && (
              <span>
                <button type="button" class="plain" onClick={() => all('small')}>
                  Small
                </button>
                <button type="button" class="plain" onClick={() => all('whole')}>
                  Full size
                </button>
              </span>
            )}
          </div>
          {known.symbols.length === 0 && <p class="mute">These accesses depend on no size.</p>}
          {known.symbols.map(({ name, small, whole }) => {
            const value = view.symbols.find((setting) => setting.name === name)?.value ?? small;
            const end = Math.max(2 * small, Math.min(whole, 64), 4);
            return (
              <div class="graph-symbol accesses-symbol" key={name}>
                <label>
                  <code>{name}</code>
                  <input
                    type="range"
                    aria-label={`Size ${name}`}
                    min={0}
                    max={end}
                    value={Math.min(value, end)}
                    onInput={(event) => accesses.setSymbol(name, Number(event.currentTarget.value))}
                  />
                </label>
                <input
                  type="number"
                  class="control"
                  aria-label={`Value of ${name}`}
                  step={1}
                  value={value}
                  onInput={({ currentTarget: field }) => {
                    const typed = Number(field.value);
                    if (field.value !== '' && Number.isSafeInteger(typed)) {
                      accesses.setSymbol(name, typed);
                    }
                  }}
                />
                <label class="accesses-whole mute" title="At full size">
                  full
                  <input
                    type="number"
                    class="control"
                    aria-label={`Full size of ${name}`}
                    step={1}
                    value={accesses.full.value.find((setting) => setting.name === name)?.value}
                    onChange={({ currentTarget: field }) => {
                      const typed = Number(field.value);
                      if (field.value === '' || !Number.isSafeInteger(typed)) return;
                      const others = view.fullSymbols.filter((setting) => setting.name !== name);
                      accesses.update({ fullSymbols: [...others, { name, value: typed }] }, 'push');
                    }}
                  />
                </label>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Suggested value of ${name}`}
                  title={`Back to ${small}; full size is ${whole}`}
                  disabled={value === small}
                  onClick={() => accesses.setSymbol(name, undefined)}
                >
                  ↺
                </button>
              </div>
            );
          })}
        </>
      )}
      <h3>Line</h3>
      <Pick
        label="Line"
        choices={[16, 32, 64, 128, 256].map((bytes) => ({
          value: String(bytes),
          label: `${bytes} bytes`,
          title: `Lines of ${bytes} bytes`,
        }))}
        value={String(view.line)}
        onChange={(value) => accesses.update({ line: Number(value) }, 'push')}
      />
      <h3>{isRecorded ? 'Cache' : 'Cache at these sizes'}</h3>
      <label class={view.cache === '' ? 'accesses-threshold' : 'accesses-threshold mute'}>
        <span>
          {view.cache === ''
            ? `${formatThings(view.lines, 'line')}, fully associative (${formatBytes(view.lines * view.line)})`
            : `Fully associative: not while ${view.cache} is given below`}
        </span>
        <input
          type="range"
          aria-label="Lines of the cache, by their logarithm"
          min={0}
          max={THRESHOLDS.length - 1}
          value={placeOf(view.lines)}
          disabled={view.cache !== ''}
          aria-valuetext={formatThings(view.lines, 'line')}
          onInput={(event) =>
            accesses.drag({ lines: THRESHOLDS[Number(event.currentTarget.value)] ?? view.lines })
          }
        />
      </label>
      <CacheField
        label="or sets, as 32K:8,1M:16"
        name="cache"
        value={view.cache}
        empty
        onChange={(cache) => accesses.update({ cache }, 'push')}
      />
      {!isRecorded && (
        <>
          <h3>Cache at full size</h3>
          <CacheField
            label="as 32K:8,1M:16"
            name="fullCache"
            value={view.fullCache}
            onChange={(fullCache) => accesses.update({ fullCache }, 'push')}
          />
        </>
      )}
      <h3>How caches work</h3>
      <Pick
        label="Replaced"
        choices={REPLACEMENTS}
        value={view.replacement}
        onChange={(replacement) => accesses.update({ replacement }, 'push')}
      />
      {view.replacement !== 'lru' && cachesOf(view, 'shown').replacement === 'lru' && (
        <p class="mute" role="note">
          LRU here: fully associative caches evict the least recently used line. Write the ways of
          all levels, such as 32K:8, for another policy.
        </p>
      )}
      <Pick
        label="Levels"
        choices={INCLUSIONS}
        value={view.inclusion}
        onChange={(inclusion) => accesses.update({ inclusion }, 'push')}
      />
      {rulesOf(isRecorded).map(({ value, label, title }) => (
        <label key={value} class="accesses-rule" title={title}>
          <input
            type="checkbox"
            checked={view.rules.includes(value)}
            onChange={() => {
              const others = view.rules.filter((rule) => rule !== value);
              const rules = others.length < view.rules.length ? others : [...others, value];
              accesses.update({ rules }, 'push');
            }}
          />{' '}
          {label}
        </label>
      ))}
      {!isRecorded && (
        <>
          <h3>Schedule</h3>
          <ScheduleField view={view} />
          {view.schedule !== '' && <OwnLevels view={view} />}
        </>
      )}
    </>
  );
}

function CacheField(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Whether it may be empty. */
  readonly empty?: boolean;
  onChange(text: string): void;
}) {
  const { value } = props;
  return (
    <>
      <label class="accesses-field">
        <span class="mute">{props.label}</span>
        <input
          class="control"
          name={props.name}
          value={value}
          onChange={({ currentTarget: field }) => {
            const text = field.value.trim();
            const isGood = (text === '' && props.empty) || parseCaches(text) !== undefined;
            field.setCustomValidity(isGood ? '' : 'Write caches as 32K:8,1M:16: sizes, then ways');
            if (isGood) props.onChange(text);
            else field.reportValidity();
          }}
        />
      </label>
      <p class="accesses-presets">
        {PRESETS.map(({ label, text }) => (
          <button
            key={label}
            type="button"
            class={value === text ? 'plain on' : 'plain'}
            title={text}
            onClick={() => props.onChange(value === text && props.empty ? '' : text)}
          >
            {label}
          </button>
        ))}
      </p>
    </>
  );
}

/** Levels of caches that threads do not share. */
function OwnLevels({ view }: { readonly view: AccessesViewState }) {
  const { accesses } = useApp();
  const most = Math.max(
    cachesOf(view, 'shown').levels.length,
    view.full ? cachesOf(view, 'full').levels.length : 0,
  );
  const choices = Array.from({ length: most + 1 }, (_, count) => ({
    value: String(count),
    label: count === 0 ? 'None' : ownLevels(count),
    title:
      count === 0
        ? 'Threads share every level'
        : 'They are not kept coherent: writes of one thread evict nothing from other caches',
  }));
  return (
    <Pick
      label="Own caches"
      choices={choices}
      value={String(Math.min(view.private, most))}
      onChange={(count) => accesses.update({ private: Number(count) }, 'push')}
    />
  );
}

/** One thread, or how iterations of parallel loops are dealt out. */
function ScheduleField({ view }: { readonly view: AccessesViewState }) {
  const { accesses } = useApp();
  return (
    <label class="accesses-field">
      <span class="mute">static:4, static:4:1, dynamic:4:7; empty is one thread</span>
      <input
        class="control"
        name="schedule"
        value={view.schedule}
        onChange={(event) =>
          accesses.update(
            { schedule: event.currentTarget.value.trim(), at: undefined, range: undefined },
            'push',
          )
        }
      />
    </label>
  );
}
