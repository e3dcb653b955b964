import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { GraphScene } from '../../state/graph-scene.ts';
import { useApp } from '../../state/services.ts';
import { TABLE_ROW, virtualRows } from '../table/virtual.ts';
import type { GraphController } from './controller.ts';
import { boxesLike, isFoldable, isOpen, kindOf, labelOf } from '../../state/graph-drawing.ts';
import { KindGlyph } from './KindGlyph.tsx';
import { secondLine } from './texts.ts';

/** How far a level is to the right of the one above, in CSS pixels, and the deepest that is. */
const INDENT = 12;
const DEEPEST = 12;

/** The boxes of the drawing as a tree: what is unfolded here is unfolded in the picture. */
export function Outline(props: {
  readonly controller: GraphController;
  readonly scene: GraphScene;
}) {
  const app = useApp();
  const { controller, scene } = props;
  const { drawing, overlay } = scene;
  const scroll = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const box = scroll.current;
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => {
      height.value = box.clientHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const target = controller.selected.value;
  // What is drawn several times is listed once.
  const { originals } = drawing;
  const rowOf = (box: number) => originals.indexOf(boxesLike(drawing, box)[0]!);
  const selected = target?.kind === 'box' ? boxesLike(drawing, target.box)[0] : undefined;
  // What is selected in the picture comes into sight here.
  useSignalEffect(() => {
    const now = controller.selected.value;
    const box = scroll.current;
    if (box === null || now?.kind !== 'box') return;
    const at = rowOf(now.box) * TABLE_ROW;
    if (at < box.scrollTop || at + TABLE_ROW > box.scrollTop + box.clientHeight) {
      box.scrollTop = at - box.clientHeight / 2;
    }
  });

  const rows = virtualRows(originals.length, top.value, height.value);
  const last = Math.min(originals.length, rows.first + rows.count);
  const pick = (box: number) => {
    controller.select({ kind: 'box', box });
    app.graph.reveal({ element: drawing.columns.element[box]!, path: [] });
  };
  const go = (box: number | undefined) => {
    if (box !== undefined) pick(box);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = selected ?? 0;
    switch (event.key) {
      case 'ArrowDown':
        go(selected === undefined ? 0 : originals[rowOf(at) + 1]);
        break;
      case 'ArrowUp':
        go(originals[rowOf(at) - 1]);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(originals.at(-1));
        break;
      case 'ArrowRight':
        if (isFoldable(drawing, at) && !isOpen(drawing, at)) controller.toggle(at);
        else if (drawing.end[at]! > at + 1) go(at + 1);
        break;
      case 'ArrowLeft':
        if (isFoldable(drawing, at) && isOpen(drawing, at) && at !== 0) controller.toggle(at);
        else go(drawing.columns.parent[at]);
        break;
      case 'Enter':
      case ' ':
        controller.toggle(at);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const quiet = overlay?.result.nodes === null || overlay === undefined;
  return (
    <aside class="graph-outline" aria-label="Outline">
      <div
        ref={scroll}
        class="scroll"
        role="tree"
        aria-label="Boxes of the drawing"
        tabIndex={0}
        aria-activedescendant={selected === undefined ? undefined : `outline-${selected}`}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          top.value = event.currentTarget.scrollTop;
        }}
      >
        <div class="body" style={{ height: `${rows.height}px` }}>
          {Array.from({ length: Math.max(0, last - rows.first) }, (_, index) => {
            const row = rows.first + index;
            const box = originals[row]!;
            const foldable = isFoldable(drawing, box);
            const open = isOpen(drawing, box);
            const level = Math.min(DEEPEST, drawing.level[box]!);
            return (
              <div
                key={box}
                id={`outline-${box}`}
                class="row"
                role="treeitem"
                tabIndex={-1}
                aria-level={drawing.level[box]! + 1}
                aria-selected={box === selected}
                aria-expanded={foldable ? open : undefined}
                style={{ top: `${rows.top(row)}px`, paddingLeft: `${6 + level * INDENT}px` }}
                title={labelOf(drawing, box)}
                onClick={() => pick(box)}
                onDblClick={() => controller.toggle(box)}
              >
                <button
                  type="button"
                  tabIndex={-1}
                  class={`twist${open ? ' open' : ''}${foldable && box !== 0 ? '' : ' none'}`}
                  aria-label={open ? 'Fold' : 'Unfold'}
                  onClick={(event) => {
                    event.stopPropagation();
                    controller.toggle(box);
                  }}
                >
                  ▶
                </button>
                <KindGlyph kind={kindOf(drawing, box)} />
                <b>{labelOf(drawing, box)}</b>
                {!quiet && <small class="number">{valueOf(scene, box)}</small>}
              </div>
            );
          })}
        </div>
      </div>
    </aside>
  );
}

function valueOf(scene: GraphScene, box: number): string {
  const value = scene.overlay?.columns.node_value[box] ?? Number.NaN;
  return Number.isNaN(value) ? '' : secondLine(scene, box);
}
