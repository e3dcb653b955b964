import type { MetricInfo } from '@hotframe/engine';
import type { Scene } from '../../canvas/scene.ts';
import type { App } from '../../state/app.ts';

/** The metric that a picture's values are in, which need not be that of the page. */
export function unitOf({ profile }: App, scene: Scene): MetricInfo {
  return profile.summary.value?.metrics[scene.subject.spec.metric] ?? profile.metricInfo.value;
}
