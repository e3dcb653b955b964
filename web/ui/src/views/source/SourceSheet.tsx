import type { Answer, SourceTextResult } from '@hotframe/engine';
import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { chosenTree, type Dropped } from '../../state/dropped.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { fileOf, textOf } from '../../state/source-folder.ts';
import type { SourcePlace } from '../../state/view-state.ts';
import { shortenName, shortenPath, visible } from '../../text/names.ts';
import { formatThings } from '../../text/units.ts';
import { Dialog } from '../../widgets/Dialog.tsx';
import { useListing } from '../table/listing.ts';
import { ValueCell } from '../table/ValueCell.tsx';
import { inkOf, type Piece, piecesByLine } from './pieces.ts';
import { type Lines, linesOf, rowOf, tooShort } from './lines.ts';

/** Letters of a path. */
const MOST_OF_PATH = 160;

type Values = Answer<'source_lines'>;

/** The text of a source file over the page, where the engine may read it. */
export function SourceSheet() {
  const app = useApp();
  const place = app.view.value.source;
  // An editor shows it itself.
  if (place === undefined || app.documents.opensSource.value) return null;
  return <Sheet key={place.file} place={place} />;
}

function Sheet({ place }: { readonly place: SourcePlace }) {
  const app = useApp();
  const { text, values } = useSource(place.file);
  const name = place.file.split(/[\\/]/).at(-1) ?? place.file;
  const at = place.line > 0 ? `${shortenName(name, 60)}:${place.line}` : shortenName(name, 60);
  const found = text.value;
  return (
    <Dialog title={at} class="source" onClose={() => app.source.close()}>
      {text.error !== undefined && (
        <div class="source-problem">
          <p>{text.error.message}.</p>
          {text.error.hint !== '' && <p class="mute">{text.error.hint}</p>}
          <FolderButton />
        </div>
      )}
      {text.pending && found === undefined && <p class="mute">Reading {shortenName(name, 60)}…</p>}
      {found !== undefined && <Text found={found} place={place} values={values.value} />}
      {values.error !== undefined && <p class="mute">{values.error.message}</p>}
    </Dialog>
  );
}

/** The text of a file in a folder that was given to the page. */
async function fromFolder(files: readonly Dropped[], wanted: string): Promise<SourceTextResult> {
  const of = fileOf(files, wanted);
  if ('problem' in of) throw new Error(of.problem);
  const { found, common } = of;
  const notes =
    common > 1
      ? ['Of the chosen folder: it may not be the text that was measured.']
      : [
          `Found by its name alone in the chosen folder: it may be another file than ${visible(wanted)}.`,
        ];
  return { path: found.path, text: await textOf(found), notes };
}

/** Gives the page a folder with sources. */
function FolderButton() {
  const app = useApp();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => picker.current?.click()}>
        Choose a folder with the sources…
      </button>
      <p class="mute">Or drop it here. It is read by this page alone, and sent nowhere.</p>
      <input
        ref={picker}
        type="file"
        {...{ webkitdirectory: true }}
        hidden
        aria-label="Choose a folder with sources"
        onChange={(event) => {
          app.source.folder.choose(chosenTree(event.currentTarget.files ?? []));
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** What is asked of a file: its text, and of a profile what was measured on its lines. */
function useSource(file: string) {
  const { engine, documents, profile, source } = useApp();
  const { folder } = source;
  const [text, values] = useMemo(
    () => [
      resource(
        computed(() => {
          const document = documents.shown.value;
          return document === undefined ? undefined : { document, files: folder.files.value };
        }),
        async ({ document, files }, abort): Promise<SourceTextResult> => {
          if (files !== undefined) return fromFolder(files, file);
          const params = { document, file };
          return (await engine.call('source_text', params, { signal: abort })).result;
        },
      ),
      resource(
        computed(() => (profile.summary.value === undefined ? undefined : profile.spec.value)),
        (view, abort) => engine.call('source_lines', { view, file }, { signal: abort }),
      ),
    ],
    [],
  );
  useEffect(
    () => () => {
      text.dispose();
      values.dispose();
    },
    [],
  );
  return { text: text.state.value, values: values.state.value };
}

interface TextProps {
  readonly found: SourceTextResult;
  readonly place: SourcePlace;
  readonly values: Values | undefined;
}

function Text({ found, place, values }: TextProps) {
  const app = useApp();
  const lines = useMemo(() => linesOf(found.text), [found]);
  const pieces = useInks(found, lines);
  const short = tooShort(lines.texts.length, place.line, values?.columns);
  const notes = [
    ...found.notes,
    ...(short === undefined ? [] : [short]),
    ...(lines.cut > 0 ? [`${formatThings(lines.cut, 'long line')} cut.`] : []),
  ];
  return (
    <>
      <p class="source-path mute" title={visible(found.path)}>
        {shortenPath(found.path, MOST_OF_PATH)}
      </p>
      {notes.map((note) => (
        <p key={note} class="source-note" role="note">
          {note}
        </p>
      ))}
      <Listing lines={lines} marked={place.line} values={values} pieces={pieces} />
      {values !== undefined && (
        <p class="source-foot mute">
          {values.columns.line.length === 0
            ? `Nothing was measured on its lines in ${visible(app.profile.metricInfo.value.name)}.`
            : `Self and total of each line in ${visible(app.profile.metricInfo.value.name)}, of what filters keep, wherever it is zoomed to.`}
          {values.result.estimated && ' Totals are estimates.'}
        </p>
      )}
    </>
  );
}

/** Pieces by line. */
type Inked = readonly (readonly Piece[])[];

/** What is what in a text, a moment after it is there; undefined where nobody knows. */
function useInks(found: SourceTextResult, lines: Lines): Inked | undefined {
  const [known, setKnown] = useState<{ readonly of: SourceTextResult; readonly inked: Inked }>();
  useEffect(() => {
    let isGone = false;
    import('./highlight.ts').then(
      ({ highlighted }) => {
        if (isGone) return;
        const pieces = highlighted(found.text, found.path);
        if (pieces === undefined) return;
        setKnown({ of: found, inked: piecesByLine(pieces, lines.texts) });
      },
      // The text can be read without.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [found]);
  return known?.of === found ? known.inked : undefined;
}

/** A line in its inks; as it is where they are not known. */
function inked(text: string, pieces: readonly Piece[] | undefined): ComponentChildren {
  if (pieces === undefined) return text;
  // What was cut ends with a sign of its own.
  const cut = text.slice(pieces.reduce((sum, piece) => sum + piece.text.length, 0));
  const parts = pieces.map((piece, index) => {
    const ink = inkOf(piece);
    if (ink === undefined) return piece.text;
    return (
      <span key={index} class={`ink-${ink}`} data-keeps-lines>
        {piece.text}
      </span>
    );
  });
  return [...parts, cut];
}

function Head() {
  return (
    <div class="source-head" role="row">
      <span class="source-gutter" role="presentation">
        <div class="cell" role="columnheader">
          Self
        </div>
        <div class="cell" role="columnheader">
          Total
        </div>
        <span class="cell" role="columnheader">
          Line
        </span>
      </span>
    </div>
  );
}

/** The lines, of which those in sight exist. */
function Listing(props: {
  readonly lines: Lines;
  readonly marked: number;
  readonly values: Values | undefined;
  readonly pieces: Inked | undefined;
}) {
  const { lines, marked, values, pieces } = props;
  const { summary, metric } = useApp().profile;
  const count = lines.texts.length;
  const { scroller, rows } = useListing(count, marked - 1, [lines, marked]);
  const { first, count: shown, height, top } = rows;
  const shownSummary = values === undefined ? undefined : summary.value;
  const digits = String(count).length;
  return (
    <div
      ref={scroller}
      class={shownSummary === undefined ? 'source-text table' : 'source-text table measured'}
      role="grid"
      aria-label="Source text"
      aria-rowcount={count}
      aria-readonly="true"
      tabIndex={0}
      style={{ '--digits': `${digits}ch`, '--columns': `${lines.columns}ch` }}
    >
      {shownSummary !== undefined && <Head />}
      <div class="source-lines" role="rowgroup" style={{ height: `${height}px` }}>
        {lines.texts.slice(first, first + shown).map((text, index) => {
          const line = first + index + 1;
          const row = values && rowOf(values.columns.line, line);
          return (
            <div
              key={line}
              class={line === marked ? 'source-line marked' : 'source-line'}
              role="row"
              aria-rowindex={line}
              aria-selected={line === marked}
              style={{ top: `${top(line - 1)}px` }}
            >
              <span class="source-gutter" role="presentation">
                {shownSummary !== undefined &&
                  (['self', 'total'] as const).map((kind) =>
                    row === undefined || values === undefined ? (
                      <div key={kind} class="cell" role="gridcell" />
                    ) : (
                      <ValueCell
                        key={kind}
                        summary={shownSummary}
                        kind={kind}
                        isAbout={false}
                        metric={metric.value}
                        value={values.columns[`${kind}_value`][row] ?? 0n}
                        whole={(of) => values.columns.scale[of] ?? 0n}
                      />
                    ),
                  )}
                <span class="source-number number mute" role="rowheader">
                  {line === marked ? <b>{line}</b> : line}
                </span>
              </span>
              <pre role="gridcell">{inked(text, pieces?.[line - 1])}</pre>
            </div>
          );
        })}
      </div>
    </div>
  );
}
