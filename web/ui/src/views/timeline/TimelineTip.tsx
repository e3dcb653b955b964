import { FlameFlag } from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { boundedName, shortenName } from '../../text/names.ts';
import { formatInteger, formatShare } from '../../text/units.ts';
import { Estimate } from '../estimates/Estimate.tsx';
import type { TimelineController } from './controller.ts';
import type { Item } from './items.ts';
import { placeOf } from './SpanPanel.tsx';
import { stepOf, timeLabel } from './times.ts';

/** Between the pointer and the tooltip. */
const AWAY = 18;
/** What a tooltip says of arguments. */
const MOST_ARGUMENTS = 6;
const MOST_LETTERS = 60;

/** What is under the pointer, or how long the dragged stretch is. */
export function TimelineTip(props: {
  readonly controller: TimelineController;
  readonly pointer: ReadonlySignal<{ readonly x: number; readonly y: number }>;
}) {
  const { controller } = props;
  const element = useRef<HTMLDivElement>(null);
  const { x, y } = props.pointer.value;
  useLayoutEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const above = y - height - AWAY;
    tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${above >= 8 ? above : y + AWAY}px`;
  });
  const scene = controller.scene.value;
  const tracks = controller.tracks.value.value;
  const at = controller.hovered.value;
  const dragged = controller.dragged.value;
  if (tracks === undefined) return null;
  if (dragged !== undefined) {
    const step = stepOf(controller.unit.value);
    const length = dragged.to - dragged.from;
    return (
      <div ref={element} class="tooltip">
        <b>{timeLabel(length, step)}</b>
        <div class="mute">
          {timeLabel(tracks.origin + dragged.from, step)} to{' '}
          {timeLabel(tracks.origin + dragged.to, step)} · {formatShare(length / tracks.length)}
        </div>
      </div>
    );
  }
  if (scene === undefined || at === undefined || at.kind === 'name') return null;
  const { columns, result } = scene.answer;
  if (at.kind === 'mark') {
    const merged = columns.mark_merged[at.mark]!;
    return (
      <div ref={element} class="tooltip">
        <b>{boundedName(result.names[columns.mark_name[at.mark]!] ?? '')}</b>
        <div class="mute">
          {timeLabel(tracks.origin + columns.mark_time[at.mark]!)}
          {merged > 0 ? ` and ${formatInteger(merged)} more marks` : ''}
        </div>
      </div>
    );
  }
  const begin = columns.bar_begin[at.bar]!;
  const length = columns.bar_length[at.bar]!;
  const merged = columns.bar_merged[at.bar]!;
  const isSample = columns.bar_span[at.bar] === 0;
  const isUnfinished = (columns.bar_flags[at.bar]! & FlameFlag.UNFINISHED) !== 0;
  const { value: item, pending } = controller.told.value;
  return (
    <div ref={element} class="tooltip">
      <b>{boundedName(result.names[columns.bar_name[at.bar]!] ?? '')}</b>
      <div>
        {merged > 0
          ? `the longest of ${formatInteger(merged + 1)} ${isSample ? 'samples' : 'spans'} within ${timeLabel(length)}`
          : `${isUnfinished ? 'unfinished, at least ' : ''}${timeLabel(length)}`}
        {isSample ? ', by samples' : ''}
        {!pending && item?.self !== undefined && ` · self ${timeLabel(item.self)}`}
      </div>
      <div class="mute">at {timeLabel(tracks.origin + begin)}</div>
      {!pending && item !== undefined && <Told item={item} />}
    </div>
  );
}

/** Its place in the source and its first arguments. */
function Told({ item }: { readonly item: Item }) {
  return (
    <>
      {item.file !== '' && <div class="mute">{placeOf(item)}</div>}
      <Estimate of={item.path.at(-1)} />
      {item.arguments.slice(0, MOST_ARGUMENTS).map(([key, value], index) => (
        <div key={index}>
          <span class="mute">{shortenName(key, 24)}</span> {shortenName(value, MOST_LETTERS)}
        </div>
      ))}
      {item.arguments.length > MOST_ARGUMENTS && (
        <div class="mute">and {item.arguments.length - MOST_ARGUMENTS} more</div>
      )}
    </>
  );
}
