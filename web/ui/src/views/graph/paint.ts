import { type Brush, type GraphPicture, inWorld } from './brush.ts';
import { visibleOf } from './detail.ts';
import { LabelPlaces } from './label-places.ts';
import { paintFrames, paintLeaves } from './paint-boxes.ts';
import { paintEdges, paintEdgeTexts } from './paint-edges.ts';
import { paintHeaders, paintTexts } from './paint-labels.ts';
import { paintMarks } from './paint-marks.ts';
import { paintNames } from './paint-names.ts';
import { rampSteps, soften } from './ramp.ts';

/** Draws what is in sight: frames, edges, boxes, then texts, so that nothing hides a text. */
export function paintGraph(context: CanvasRenderingContext2D, picture: GraphPicture): void {
  const { camera, size, scale, palette } = picture;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, size.width, size.height);
  const visible = visibleOf(picture.scene.drawing, picture.rects, camera, size);
  const ramp = rampSteps(picture.scene.overlay?.result.ramp ?? []);
  const pen: Brush = {
    context,
    picture,
    visible,
    ramp,
    fills: soften(ramp, palette.panel),
    inks: new Map(),
    texts: new LabelPlaces(),
  };
  inWorld(pen, () => {
    paintFrames(pen);
    context.globalAlpha = picture.settled;
    paintEdges(pen);
    context.globalAlpha = 1;
    paintLeaves(pen);
    paintMarks(pen);
  });
  context.setTransform(scale, 0, 0, scale, 0, 0);
  paintHeaders(pen);
  paintTexts(pen);
  if (picture.settled === 1) paintEdgeTexts(pen);
  paintNames(pen);
}
