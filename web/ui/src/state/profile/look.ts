import type {
  Answer,
  FunctionRef,
  FunctionsParams,
  RowsParams,
  TimePlace,
  TracksResult,
} from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Scene } from '../../canvas/scene.ts';
import type { Exports } from '../exports.ts';
import type { Loaded } from '../resource.ts';

/** Frames that are not drawn, each with all that it calls. */
export interface HiddenFrames {
  readonly count: number;
  /** In the metric; undefined where totals do not add up. */
  readonly total: bigint | undefined;
  readonly metric: number;
  /** Whether it is all of them, not only those in the part that is loaded. */
  readonly isAll: boolean;
  /** Whether there may be more below narrow frames that are drawn as one. */
  readonly isLeast: boolean;
}

/** What the main flame graph says in the status line. */
export interface FlameStatus {
  readonly merged: number;
  readonly narrowest: number;
  /** What is left out as was asked for; undefined where nothing is to be. */
  readonly hidden: HiddenFrames | undefined;
}

/** What the search finds in the main flame graph, and which of it is selected. */
export interface MatchStatus {
  readonly at: number | undefined;
  readonly count: number;
  /** Whether there are further ones. */
  readonly more: boolean;
}

/** The main flame graph, as what stands around it knows it. */
export interface MainFlame {
  readonly scene: ReadonlySignal<Scene | undefined>;
  zoomToPath(path: readonly number[]): void;
}

/** The timeline, as what stands around it knows it. */
export interface MainTimeline {
  /** How much of its width names take. */
  readonly gutter: ReadonlySignal<number>;
  readonly tracks: ReadonlySignal<Loaded<TracksResult>>;
  /** Brings a stretch of time into sight, and selects the span that stands for it. */
  showPlace(place: Omit<TimePlace, 'lasts'>): void;
  /** Makes a track the one that keys are for, and brings it into sight. */
  showTrack(track: number): void;
  /** To the next span whose name matches. */
  jump(back: boolean, pattern: string): Promise<void>;
  /** To the next instant of a kind. */
  jumpToMark(kind: string, back: boolean): Promise<void>;
}

/** The pieces of a critical path, as they are drawn. */
export type PathPieces = Answer<'critical_path'>['columns'];

/** A function that is to be selected in the flame graph: of this name, or exactly the one that is told. */
export interface Revealed {
  readonly name: string;
  readonly of: FunctionRef | undefined;
}

/** What pictures of a profile share. */
export type Look = ReturnType<typeof createLook>;

export function createLook() {
  return {
    /** The request for all rows of the table as it is folded; undefined where none is shown. */
    tableRequest: signal<(() => RowsParams | undefined) | undefined>(undefined),
    /** The request for the list of functions; undefined where none is shown. */
    functionsRequest: signal<(() => FunctionsParams) | undefined>(undefined),
    flameStatus: signal<FlameStatus | undefined>(undefined),
    matches: signal<MatchStatus | undefined>(undefined),
    /** Undefined where none is on screen. */
    flame: signal<MainFlame | undefined>(undefined),
    /** The same of the timeline. */
    timeline: signal<MainTimeline | undefined>(undefined),
    /** What can be saved of the view on screen. */
    exports: signal<Exports | undefined>(undefined),
    /** The critical path, while its list is open. */
    path: signal<PathPieces | undefined>(undefined),
    /** The stretch of time that a row of an open list led to. */
    place: signal<TimePlace | undefined>(undefined),
    /** The function whose frames are to be found and its largest selected. */
    revealing: signal<Revealed | undefined>(undefined),
    /**
     * By document, what runs told of functions by their labels, in a sentence: comparisons of parts of an
     * experiment have it from the differences that they were opened from, until the page is left.
     */
    overRuns: signal<ReadonlyMap<number, ReadonlyMap<string, string>>>(new Map()),
    /** The formula that is being typed. */
    typedFormula: signal<string | undefined>(undefined),
  };
}
