import type { Answer, InstructionInfo, InstructionSection } from '@hotframe/engine';
import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { boundedName, shortenPath, visible } from '../../text/names.ts';
import { formatThings, formatValue, NO_VALUE } from '../../text/units.ts';
import { Dialog } from '../../widgets/Dialog.tsx';
import { useListing } from '../table/listing.ts';
import { ValueCell } from '../table/ValueCell.tsx';
import { hottest, type Line, linesOf } from './lines.ts';

/** Letters of a path. */
const MOST_OF_PATH = 120;

/** What was told, in the metric of the tree that was asked for. */
type Told = Answer<'instructions'> & { readonly metric: number };

/** The instructions of the selected function over the page, with what was measured on each. */
export function InstructionSheet(props: { onClose(): void }) {
  const { profile, engine } = useApp();
  const told = useMemo(
    () =>
      resource(
        computed(() => profile.selection.selected.value.value),
        async ({ spec, place }, abort): Promise<Told> => ({
          ...(await engine.call(
            'instructions',
            { view: spec, instance: place.instance ?? null, node: place.node },
            { signal: abort },
          )),
          metric: spec.metric,
        }),
      ),
    [],
  );
  useEffect(() => () => told.dispose(), []);
  const { value, error, pending } = told.state.value;
  const selected = profile.selection.selected.value.value?.details.result;
  const name = selected === undefined ? 'Instructions' : (selected.label ?? selected.name);
  return (
    <Dialog title={boundedName(name)} class="source instructions" onClose={props.onClose}>
      {error !== undefined && <p class="source-note">{`${error.message}. ${error.hint}`}</p>}
      {pending && value === undefined && <p class="mute">Reading instructions…</p>}
      {value !== undefined && <Instructions told={value} />}
    </Dialog>
  );
}

function Instructions({ told }: { readonly told: Told }) {
  const { profile } = useApp();
  const { result, columns } = told;
  const lines = useMemo(() => linesOf(result), [told]);
  const unit = profile.summary.value?.metrics[told.metric] ?? profile.metricInfo.value;
  const unplaced = columns.unplaced[0] ?? 0n;
  const [self = 0n, total = 0n] = columns.function;
  return (
    <>
      <p class="source-path mute">
        {`All its calls together, of what filters keep: self ${formatValue(self, unit)}, total ${formatValue(total, unit)}.`}
      </p>
      {unplaced !== 0n && (
        <p class="source-note" role="note">
          {`${formatValue(unplaced, unit)} of self stands at no instruction that is shown.`}
        </p>
      )}
      {result.more > 0 && (
        <p class="source-note" role="note">
          {`${formatThings(result.more, 'measured instruction')} left out: there are too many.`}
        </p>
      )}
      {lines.length === 0 ? (
        result.more === 0 && <p class="mute">The profile has no addresses of it.</p>
      ) : (
        <Listing lines={lines} told={told} />
      )}
      <p class="source-foot mute">
        {`Self and total of each instruction in ${visible(unit.name)}; a line stands above each basic block.`}
        {result.estimated && ' Totals are estimates.'}
      </p>
    </>
  );
}

function Head() {
  return (
    <div class="source-head" role="row">
      {['Self', 'Total', 'Address', 'Line', 'Instruction'].map((name) => (
        <div key={name} class="cell" role="columnheader">
          {name}
        </div>
      ))}
    </div>
  );
}

/** The instructions below the functions of the linker that have them; those in sight exist. */
function Listing({ lines, told }: { readonly lines: readonly Line[]; readonly told: Told }) {
  const at = hottest(lines, told.columns.self_value);
  const { scroller, rows } = useListing(lines.length, at, [lines]);
  const { first, count, height, top } = rows;
  return (
    <div
      ref={scroller}
      class="source-text instruction-text table"
      role="grid"
      aria-label="Instructions"
      aria-rowcount={lines.length}
      aria-readonly="true"
      tabIndex={0}
    >
      <Head />
      <div class="source-lines" role="rowgroup" style={{ height: `${height}px` }}>
        {lines.slice(first, first + count).map((line, index) => (
          <div
            key={first + index}
            class={line.kind === 'section' ? 'source-line section' : rowClass(line.isFirst)}
            role="row"
            aria-rowindex={first + index + 1}
            style={{ top: `${top(first + index)}px` }}
          >
            {line.kind === 'section' ? (
              <SectionCell {...line.section} />
            ) : (
              <Cells told={told} row={line.row} instruction={line.instruction} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function rowClass(isFirst: boolean): string {
  return isFirst ? 'source-line first' : 'source-line';
}

function SectionCell(props: InstructionSection) {
  const module = props.module === '' ? 'unknown module' : props.module;
  const place = shortenPath(module, MOST_OF_PATH);
  return (
    <div class="instruction-section" role="gridcell" title={visible(`${module}\n${props.problem}`)}>
      {props.symbol !== '' && <b>{boundedName(props.symbol)}</b>}
      <span class="mute">{place}</span>
      {props.unchecked && (
        <span class="problem">
          Nobody checked whether this is the build that was measured: the profile does not name one
        </span>
      )}
      {props.problem !== '' && <span class="problem">{`No text: ${visible(props.problem)}`}</span>}
    </div>
  );
}

function Cells(props: {
  readonly told: Told;
  readonly row: number;
  readonly instruction: InstructionInfo;
}) {
  const app = useApp();
  const { told, row, instruction } = props;
  const { columns, result } = told;
  const shown = app.profile.summary.value;
  const file = instruction.file === null ? undefined : result.files[instruction.file];
  const { line } = instruction;
  const name = file?.split(/[\\/]/).at(-1) ?? '';
  const at = line > 0 ? `${name}:${line}` : name;
  return (
    <>
      {(['self', 'total'] as const).map((kind) => {
        const value = columns[`${kind}_value`][row] ?? 0n;
        return shown === undefined || value === 0n || value === NO_VALUE ? (
          <div key={kind} class="cell" role="gridcell" />
        ) : (
          <ValueCell
            key={kind}
            summary={shown}
            kind={kind}
            isAbout={false}
            metric={told.metric}
            value={value}
            whole={(of) => columns.scale[of] ?? 0n}
          />
        );
      })}
      <div class="cell number mute" role="rowheader">
        {instruction.address}
      </div>
      <div class="cell" role="gridcell" title={visible(file ?? '')}>
        {file === undefined ? (
          ''
        ) : (
          <button
            type="button"
            class="link"
            onClick={() => {
              app.overlay.value = undefined;
              app.source.open({ file, line }, true);
            }}
          >
            {visible(at)}
          </button>
        )}
      </div>
      <pre role="gridcell">{visible(instruction.text)}</pre>
    </>
  );
}
