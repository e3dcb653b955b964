// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors

declare const table: unique symbol;
/** The number of a row, of a type for each table. The same arguments give the same row. */
type Row<Table> = number & { readonly [table]: Table };

export type MetricRow = Row<"metric">;
export type ModuleRow = Row<"module">;
export type FrameRow = Row<"frame">;
export type ContextRow = Row<"context">;
export type ProcessRow = Row<"process">;
export type ThreadRow = Row<"thread">;
export type MemberRow = Row<"member">;

/** An exact integer: a number up to 2^53, or a BigInt of up to 64 bits. */
export type Integer = number | bigint;

/** The whole program: the parent of the first frame of a stack. */
export const ROOT: ContextRow;

/** What a frame is. */
export const Kind: {
  /** Code of a function. */
  readonly code: 0;
  /** A loop of the function around it. */
  readonly loop: 1;
  /** A variable, or the memory that its parent context allocated. */
  readonly data: 2;
  /** A phase, an annotation, an event. */
  readonly region: 3;
  /** A basic block of the function around it: instructions that run one after the other. */
  readonly block: 4;
};
export type Kind = (typeof Kind)[keyof typeof Kind];

/** What several values together say. */
export const Combine: {
  readonly sum: 0;
  readonly maximum: 1;
  readonly minimum: 2;
  /** The last in time; of points without time the last in the file. */
  readonly last: 3;
  readonly mean: 4;
  /** There is no such figure. */
  readonly none: 5;
};
export type Combine = (typeof Combine)[keyof typeof Combine];

/** Where a profile comes from. */
export interface Origin {
  /** What measured it, with version. */
  readonly producer?: string;
  /** Start, in nanoseconds since 1970; 0 if unknown. */
  readonly timeNs?: Integer;
  /** Length in nanoseconds; 0 if unknown; see `duration`. */
  readonly durationNs?: Integer;
  /** What the producer's own clock showed at time 0 of the points, in nanoseconds. */
  readonly clockNs?: Integer;
  /** Events between two samples, and what they count. */
  readonly period?: Integer;
  readonly periodType?: string;
  readonly periodUnit?: string;
  readonly comments?: readonly string[];
}

/** A metric. Values count 10^-decimals of the unit; at most 18 decimals. */
export interface Metric {
  readonly name: string;
  readonly unit?: string;
  readonly decimals?: number;
  /** Of the contexts below one, or of several contexts shown as one. */
  readonly overContexts?: Combine;
  /** Of one context at several times. */
  readonly overTime?: Combine;
  /** Of several members. */
  readonly overMembers?: Combine;
  /** The metric that weights a mean; none if all points weigh the same. */
  readonly weight?: MetricRow | undefined;
}

/** A binary or library, and its mapping: first address, first address after it, offset in the file. */
export interface Module {
  readonly path: string;
  readonly buildId?: string;
  readonly memoryStart?: Integer;
  readonly memoryLimit?: Integer;
  readonly fileOffset?: Integer;
}

/** A function that was inlined. */
export interface Inlined {
  readonly function: string;
  /** The linker's name. */
  readonly systemName?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly startLine?: number;
}

/** A place in code. */
export interface Frame extends Inlined {
  readonly module?: ModuleRow | undefined;
  readonly address?: Integer;
  /** The instruction at the address, as a disassembler writes it. */
  readonly instruction?: string;
  readonly kind?: Kind;
  /** Functions that the compiler put there, the outermost first. */
  readonly inlined?: readonly Inlined[];
}

/** One of several profiles in the file: a snapshot, a run. */
export interface Member {
  readonly name: string;
  readonly producer?: string;
  readonly host?: string;
  /** Start, in nanoseconds since 1970; 0 if unknown. */
  readonly timeNs?: Integer;
  /** Length in nanoseconds; 0 if unknown. */
  readonly durationNs?: Integer;
}

/** A text, a number, or a number with its unit. */
export type Label = string | Integer | readonly [number: Integer, unit: string];

/** A monitoring point: values by metric, measured in a context. */
export interface Point {
  readonly context: ContextRow;
  /** A metric without a value is 0. A Map will do. */
  readonly values?: Iterable<readonly [metric: MetricRow, value: Integer]>;
  readonly labels?: Readonly<Record<string, Label>>;
  /** Nanoseconds after the start of the member, or of the profile. */
  readonly timeNs?: Integer | undefined;
  readonly thread?: ThreadRow | undefined;
  readonly cpu?: number | undefined;
  readonly member?: MemberRow | undefined;
  /** Contexts that the point relates, each with its role. Its own must be among them. */
  readonly links?: Iterable<readonly [role: string, context: ContextRow]>;
}

/** What is to be said of a place: of one context, function or line, or, if none is given, of the whole
 * program. Texts are plain. */
export interface Note {
  /** A few words. */
  readonly title: string;
  /** More of it. */
  readonly text?: string;
  /** Where more is said: begins with https://, http:// or file://. */
  readonly link?: string;
  readonly context?: ContextRow | undefined;
  /** A frame: its function, wherever it is called. */
  readonly frame?: FrameRow | undefined;
  /** A source file, and a line of it, from 1. */
  readonly file?: string;
  readonly line?: number;
}

/** A profile under construction. A call that is wrong throws and changes nothing. */
export class Profile {
  /** `write` gets the file's bytes, a block at a time, in their order. */
  constructor(write: (bytes: Uint8Array) => void, origin?: Origin);
  /** Adds a metric. All must come before the first point. */
  metric(metric: Metric): MetricRow;
  /** Tells which metric to show first. */
  defaultMetric(metric: MetricRow): void;
  /** Tells the profile's length in nanoseconds, once it is known. */
  duration(durationNs: Integer): void;
  /** Adds a binary or library. */
  module(module: Module): ModuleRow;
  /** Adds a place in code. */
  frame(frame: Frame): FrameRow;
  /** Adds a frame called from the context `parent`. */
  context(parent: ContextRow, frame: FrameRow): ContextRow;
  /** The context of a stack of frames, the outermost first. */
  stack(frames: Iterable<FrameRow>): ContextRow;
  /** Adds a process, or a rank of a parallel program. */
  process(id: Integer | string, name?: string): ProcessRow;
  /** Adds a thread. */
  thread(id: Integer | string, name?: string, process?: ProcessRow): ThreadRow;
  /** Adds one of several profiles in the file: a snapshot, a run. */
  member(member: Member): MemberRow;
  /** Adds a monitoring point. */
  point(point: Point): void;
  /** Says something of a place. */
  note(note: Note): void;
  /** Writes what is known so far. A file that ends here is a sound profile. */
  flush(): void;
  /** Writes the rest. Later calls are refused, but for `close`. */
  close(): void;
}
