import type { SummaryResult, ViewSpec } from '@hotframe/engine';
import type { ComponentChildren, ComponentType } from 'preact';

/** What every chart is drawn from. */
export interface ChartProps {
  readonly spec: ViewSpec;
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}

/** A chart of a profile. */
export interface Chart {
  /** What addresses call it. */
  readonly id: string;
  readonly label: string;
  /** One sentence for the tooltip. */
  readonly title: string;
  /** Whether it is of a tree, which has a shape and is zoomed; else it is of functions. */
  readonly isTree?: boolean;
  /** Whether it offers colours beside those of the other pictures, and so asks for them itself. */
  readonly hasOwnColours?: boolean;
  /** What stands side by side of several profiles, where anything does. */
  readonly sideBySide?: 'bars' | 'scatter';
  /** Whether it is shown where none is chosen; the first in the list that suits is. */
  suits?(summary: SummaryResult): boolean;
  readonly Picture: ComponentType<ChartProps>;
}
