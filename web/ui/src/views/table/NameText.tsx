import type { ChangeTag, VerdictInfo } from '@hotframe/engine';
import { shortenLabel, shortenPath, textColumns, visible } from '../../text/names.ts';
import { changeWord, tagText } from '../comparison/ChangeValues.tsx';
import { ABOUT, useEstimate } from '../estimates/Estimate.tsx';

/** Width of a character of the names' font, in CSS pixels. */
const CHAR_WIDTH = 7.25;

/** What is said of a function or frame in a list. */
export interface Named {
  /** Identity of the frame at the view's granularity. */
  readonly key: number;
  readonly name: string;
  /** Name with its place, where another function has the same name. */
  readonly label: string | null;
  readonly file: string;
  readonly line: number;
  readonly module: string;
  readonly tag: ChangeTag | null;
  /** Of functions: what runs show of the change. */
  readonly verdict?: VerdictInfo | null;
}

/** Swatch, kind of change, name and place, as much of them as `width` CSS pixels hold. */
export function NameText(props: {
  readonly info: Named;
  readonly width: number;
  readonly colour: string;
}) {
  const { info } = props;
  const estimate = useEstimate(info.key);
  const columns = Math.floor(props.width / CHAR_WIDTH);
  const name = shortenLabel(info.name, info.label ?? info.name, columns);
  const left = columns - textColumns(name) - 1;
  return (
    <>
      <i class="swatch" style={{ background: props.colour }} />
      {info.tag !== null && (
        <span class={`tag ${info.tag}`} title={changeWord(info.tag)}>
          {tagText(info.tag, info.verdict)}
        </span>
      )}
      <b>{name}</b>
      {estimate !== undefined && (
        <span class="tag estimate" title={estimate}>
          {ABOUT.trim()}
        </span>
      )}
      <small>{left >= 8 && info.label === null ? shortenPath(placeOf(info), left) : ''}</small>
    </>
  );
}

/** All that is said of it, for the tooltip. */
export function useNameTitle(info: Named): string {
  const estimate = useEstimate(info.key) ?? '';
  const lines = [visible(info.label ?? info.name), placeOf(info), info.module, estimate];
  return lines.filter((text) => text !== '').join('\n');
}

function placeOf({ file, line, module }: Named): string {
  return file === '' ? module : `${file}${line > 0 ? `:${line}` : ''}`;
}
