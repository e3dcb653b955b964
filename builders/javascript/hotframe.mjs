// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors
//
// Writes Hotframe's exchange file: profiles that `hotframe open` shows. For Node and browsers,
// without dependencies; hotframe.d.mts has the types and says what each method does.
//
//     const profile = new Profile((bytes) => appendFileSync(file, bytes), { producer: "my profiler 1.0" });
//     const time = profile.metric({ name: "time", unit: "nanoseconds" });
//     const main = profile.context(ROOT, profile.frame({ function: "main", file: "main.js", line: 3 }));
//     profile.point({ context: main, values: [[time, 1200]] });
//     profile.close();
//
// Rows are written block by block: what is held in memory are the tables that name things, never
// the points. Labels are kept until they are many, then they are forgotten and written again where
// they return. The format is schema/profile.proto.
//
// A call that is wrong throws a TypeError or a RangeError and changes nothing. After an error of
// writing nothing more is written.

const MAGIC = "hotframe profile";
const VERSION = 1;
/** Points in one block. */
const BLOCK_POINTS = 4096;
/** Label sets and texts of labels that are remembered beyond a block. */
const MOST_LABELS = 65536;
const MOST_DECIMALS = 18;
const U32 = 2 ** 32 - 1;
/** How a link of a note begins: others lead nowhere, or run something. */
const LINKS = ["https://", "http://", "file://"];

/** The whole program: the parent of the first frame of a stack. */
export const ROOT = 0;

/** What a frame is. */
export const Kind = Object.freeze({ code: 0, loop: 1, data: 2, region: 3, block: 4 });

/** What several values together say. */
export const Combine = Object.freeze({ sum: 0, maximum: 1, minimum: 2, last: 3, mean: 4, none: 5 });

/** A profile under construction. */
export class Profile {
  #write;
  #headWritten = false;
  #hasPoints = false;
  #isClosed = false;
  /** The error after which nothing can be written. */
  #broken;
  /** How many rows each table has in the file; string 0, context 0 and label set 0 always exist. */
  #counts = {
    string: 1, metric: 0, module: 0, function: 0, location: 0, context: 1, labelSet: 1,
    process: 0, thread: 0, member: 0, role: 0, note: 0,
  };
  /** Rows by what tells them apart; texts that only labels use so far can be forgotten. */
  #rows = { labelString: new Map() };
  /** The function of each frame; undefined where it has no name. */
  #functions = [];
  #origin = new Message();
  #new;
  #points = new Points();

  constructor(write, origin = {}) {
    if (typeof write !== "function") throw new TypeError("a profile needs a function that writes bytes");
    this.#write = write;
    for (const table of Object.keys(this.#counts)) this.#rows[table] = new Map();
    this.#new = newRows(this.#counts);
    const { producer, timeNs, durationNs, clockNs, period, periodType, periodUnit, comments = [] } = origin;
    this.#origin.text(2, text(producer));
    [timeNs, durationNs, clockNs, period].forEach((number, at) => {
      this.#origin.integer(5 + at, zigzag(signed(number)));
    });
    this.#origin.text(9, text(periodType));
    this.#origin.text(10, text(periodUnit));
    for (const comment of comments) this.#origin.text(13, text(comment));
  }

  metric(metric) {
    this.#checkOpen();
    const { name, unit, decimals = 0, overContexts = 0, overTime = 0, overMembers = 0, weight } = metric;
    const cells = [
      text(name),
      text(unit),
      unsigned(decimals, MOST_DECIMALS, "decimals"),
      unsigned(overContexts, 5, "a way to combine"),
      unsigned(overTime, 5, "a way to combine"),
      unsigned(overMembers, 5, "a way to combine"),
      this.#plus1(weight, "metric"),
    ];
    if (cells[0] === "") throw new RangeError("a metric needs a name");
    const key = JSON.stringify(cells);
    if (this.#hasPoints && !this.#rows.metric.has(key)) {
      throw new RangeError(`the metric ${name} comes after the first point`);
    }
    return this.#add("metric", key, cells);
  }

  defaultMetric(metric) {
    this.#checkOpen();
    this.#origin.set(3, this.#row(metric, "metric"));
    this.#origin.set(4, 1);
  }

  duration(durationNs) {
    this.#checkOpen();
    this.#origin.set(6, zigzag(signed(durationNs)));
  }

  module(module) {
    this.#checkOpen();
    const texts = [text(module.path), text(module.buildId)];
    const mapping = [address(module.memoryStart), address(module.memoryLimit), address(module.fileOffset)];
    if (mapping[1] < mapping[0]) throw new RangeError("the mapping of a module ends before it starts");
    return this.#addCells("module", [...texts.map((one) => this.#string(one)), ...mapping]);
  }

  frame(frame) {
    this.#checkOpen();
    const kind = unsigned(frame.kind ?? 0, 4, "a kind");
    const modulePlus1 = this.#plus1(frame.module, "module");
    const at = address(frame.address);
    const instruction = text(frame.instruction);
    const places = [frame, ...(frame.inlined ?? [])].map(place);
    const cells = [kind, modulePlus1, at, this.#string(instruction)];
    for (const { texts, startLine, line, column } of places) {
      const own = [...texts.map((one) => this.#string(one)), startLine];
      cells.push(this.#addCells("function", own), line, column);
    }
    const row = this.#addCells("location", cells);
    if (row === this.#functions.length) {
      const [name, systemName] = places[0].texts;
      this.#functions.push(name === "" && systemName === "" ? undefined : cells[4]);
    }
    return row;
  }

  context(parent, frame) {
    this.#checkOpen();
    const above = this.#row(parent, "context");
    const at = this.#row(frame, "location");
    const key = `${above},${at}`;
    const known = this.#rows.context.get(key);
    return known ?? this.#add("context", key, [this.#counts.context - above, at]);
  }

  stack(frames) {
    let context = ROOT;
    for (const frame of frames) context = this.context(context, frame);
    return context;
  }

  process(id, name) {
    this.#checkOpen();
    const texts = [identifier(id), text(name)];
    return this.#addCells("process", texts.map((one) => this.#string(one)));
  }

  thread(id, name, process) {
    this.#checkOpen();
    const processPlus1 = this.#plus1(process, "process");
    const texts = [identifier(id), text(name)];
    return this.#addCells("thread", [processPlus1, ...texts.map((one) => this.#string(one))]);
  }

  member(member) {
    this.#checkOpen();
    const texts = [text(member.name), text(member.producer), text(member.host)];
    const times = [zigzag(signed(member.timeNs)), zigzag(signed(member.durationNs))];
    return this.#add("member", JSON.stringify([...texts, ...times.map(String)]), [...texts, ...times]);
  }

  point(point) {
    this.#checkOpen();
    const context = this.#row(point.context, "context");
    const given = new Map();
    for (const [metric, value] of point.values ?? []) {
      if (given.has(this.#row(metric, "metric"))) throw new RangeError(`metric ${metric} has two values`);
      given.set(metric, zigzag(signed(value)));
    }
    const values = Array.from({ length: this.#counts.metric }, (_, metric) => given.get(metric) ?? 0);
    const labels = Object.entries(point.labels ?? {}).map(([key, value]) => label(key, value));
    const time = point.timeNs === undefined ? undefined : signed(point.timeNs);
    const thread = this.#plus1(point.thread, "thread");
    const cpu = point.cpu === undefined ? 0 : unsigned(point.cpu, U32 - 1, "a processor") + 1;
    const member = point.member === undefined ? 0 : this.#row(point.member, "member");
    const links = [...(point.links ?? [])].map(([role, at]) => [text(role), this.#row(at, "context")]);
    if (links.length > 0 && links.every(([, at]) => at !== context)) {
      throw new RangeError("a point's own context must be among its links");
    }
    const points = this.#points;
    for (const [role, at] of links) {
      const name = this.#string(role);
      points.linkRoles.push(this.#add("role", name, name));
      points.linkContexts.push(at);
    }
    points.linkCounts.push(links.length);
    points.labelSets.push(this.#labelSet(labels));
    points.contexts.push(context);
    points.values.push(values);
    if (time !== undefined) points.times.push(time);
    points.timed.push(time === undefined ? 0 : 1);
    points.threads.push(thread);
    points.cpus.push(cpu);
    points.members.push(member);
    this.#hasPoints = true;
    if (points.contexts.length >= BLOCK_POINTS) this.#writeBlock();
  }

  note(note) {
    this.#checkOpen();
    const texts = [requiredText(note.title), text(note.text), text(note.link)];
    const context = note.context === undefined ? ROOT : this.#row(note.context, "context");
    const frame = note.frame === undefined ? undefined : this.#row(note.frame, "location");
    const file = text(note.file);
    const line = unsigned(note.line ?? 0, U32, "a line");
    const [title, , link] = texts;
    if (title === "") throw new RangeError("a note needs a title");
    if (link !== "" && !LINKS.some((start) => link.startsWith(start))) {
      throw new RangeError(`${link} is not a link: it begins with ${LINKS.join(", ")}`);
    }
    const called = frame === undefined ? undefined : this.#functions[frame];
    if (frame !== undefined && called === undefined) {
      throw new RangeError(`frame ${frame} has no function that a note could be about`);
    }
    if ((file === "") !== (line === 0)) throw new RangeError("a note is about a line of a file: it needs both");
    const places = [context !== ROOT, frame !== undefined, line > 0];
    if (places.filter(Boolean).length > 1) throw new RangeError("a note is about one place");
    let about = called === undefined ? [0, context] : [1, called];
    if (line > 0) about = [2, this.#string(file)];
    this.#addCells("note", [...about, line, ...texts.map((one) => this.#string(one))]);
  }

  flush() {
    this.#checkOpen();
    this.#writeBlock();
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#broken !== undefined) throw this.#broken;
    this.#writeBlock();
  }

  #checkOpen() {
    if (this.#isClosed) throw new TypeError("the profile is closed");
    if (this.#broken !== undefined) throw this.#broken;
  }

  #row(row, table) {
    if (typeof row !== "number") throw new TypeError(`the row of a ${table} is wanted, not ${String(row)}`);
    if (!Number.isInteger(row) || row < 0 || row >= this.#counts[table]) {
      throw new RangeError(`${table} ${row} is not defined: there are ${this.#counts[table]}`);
    }
    return row;
  }

  #plus1(row, table) {
    return row === undefined ? 0 : this.#row(row, table) + 1;
  }

  #add(table, key, cells) {
    let row = this.#rows[table].get(key);
    if (row === undefined) {
      row = this.#counts[table]++;
      this.#rows[table].set(key, row);
      this.#new[table].push(cells);
    }
    return row;
  }

  #addCells(table, cells) {
    return this.#add(table, cells.join(), cells);
  }

  /** The row of a text. Texts of labels are kept apart, so that they can be forgotten. */
  #string(from, isLabel = false) {
    if (from === "") return 0;
    const { string, labelString } = this.#rows;
    let row = string.get(from);
    if (row !== undefined) return row;
    row = labelString.get(from);
    if (row === undefined) {
      row = this.#counts.string++;
      this.#new.string.push(from);
    }
    (isLabel ? labelString : string).set(from, row);
    return row;
  }

  #labelSet(labels) {
    if (labels.length === 0) return 0;
    const cells = [];
    for (const [key, unit, value] of labels) {
      cells.push(this.#string(key, true));
      if (unit === undefined) cells.push(0, zigzag(this.#string(value, true)));
      else cells.push(this.#string(unit, true) + 1, zigzag(value));
    }
    return this.#addCells("labelSet", cells);
  }

  #writeBlock() {
    const out = new Message();
    if (!this.#headWritten) {
      out.text(1, MAGIC);
      out.integer(2, VERSION);
    }
    const block = this.#block();
    if (block.length > 0) out.message(3, block);
    this.#headWritten = true;
    if (this.#rows.labelSet.size + this.#rows.labelString.size > MOST_LABELS) {
      this.#rows.labelSet.clear();
      this.#rows.labelString.clear();
    }
    if (out.length === 0) return;
    try {
      this.#write(out.take());
    } catch (error) {
      // Later blocks would name rows of the one that is lost.
      this.#broken = error ?? new Error("the profile could not be written");
      throw this.#broken;
    }
  }

  #block() {
    const [rows, origin, points] = [this.#new, this.#origin, this.#points];
    [this.#new, this.#origin, this.#points] = [newRows(this.#counts), new Message(), new Points()];
    const out = new Message();
    for (const one of rows.string) out.bytes(1, encoder.encode(one));
    if (origin.length > 0 || !this.#headWritten) out.message(2, origin);
    const put = (field, texts) => (cells) => {
      const inner = new Message();
      cells.forEach((cell, at) => (at < texts ? inner.text(at + 1, cell) : inner.integer(at + 1, cell)));
      out.message(field, inner);
    };
    rows.metric.forEach(put(3, 2));
    rows.module.forEach(put(4, 0));
    out.table(5, rows.function, (table) => table.columns(2, rows.function, 4));
    out.table(6, rows.location, (table) => putLocations(table, rows.location));
    out.table(7, rows.context, (table) => table.columns(2, rows.context, 2));
    out.table(8, rows.labelSet, (table) => {
      table.column(2, rows.labelSet.map((cells) => cells.length / 3));
      table.columns(3, rows.labelSet.flatMap(triples), 3);
    });
    rows.process.forEach(put(9, 0));
    rows.thread.forEach(put(10, 0));
    rows.member.forEach(put(11, 3));
    if (rows.role.length > 0) out.packed(12, rows.role);
    out.table(13, points.contexts, (table) => points.put(this.#counts.metric, table));
    out.table(23, rows.note, (table) => table.columns(2, rows.note, 6));
    return out;
  }
}

/** Rows that are not written yet, as lists of cells. */
function newRows(tables) {
  return Object.fromEntries(Object.keys(tables).map((table) => [table, []]));
}

function triples(cells) {
  return Array.from({ length: cells.length / 3 }, (_, at) => cells.slice(3 * at, 3 * at + 3));
}

/** The points of a block, as columns. */
class Points {
  contexts = [];
  values = [];
  labelSets = [];
  times = [];
  timed = [];
  threads = [];
  cpus = [];
  members = [];
  linkCounts = [];
  linkRoles = [];
  linkContexts = [];

  put(metrics, table) {
    table.column(2, deltas(this.contexts));
    for (let metric = 0; metric < metrics; metric++) {
      const inner = new Message();
      inner.column(1, this.values.map((row) => row[metric]));
      table.message(3, inner);
    }
    table.column(4, this.labelSets);
    if (this.times.length > 0) {
      table.packed(5, deltas(this.times));
      if (this.times.length < this.timed.length) table.packed(6, this.timed);
    }
    const last = [this.threads, this.cpus, this.members, this.linkCounts, this.linkRoles, this.linkContexts];
    last.forEach((column, at) => table.column(7 + at, column));
  }
}

function putLocations(table, rows) {
  table.columns(2, rows, 2);
  const addresses = rows.map((row) => row[2]);
  if (addresses.some(isSet)) table.packed(4, deltas(addresses));
  const frames = rows.map((row) => triples(row.slice(4)));
  if (frames.some((own) => own.length !== 1)) table.packed(6, frames.map((own) => own.length));
  table.columns(7, frames.flat().map(([own, line, column]) => [own + 1, line, column]), 3);
  table.column(10, rows.map((row) => row[3]));
}

// Checks of arguments.

function text(from = "") {
  if (typeof from !== "string") throw new TypeError(`a text is wanted, not ${String(from)}`);
  // A lone surrogate becomes U+FFFD, as in the file, so that equal texts are one.
  if (from.isWellFormed?.()) return from;
  return decoder.decode(encoder.encode(from));
}

function identifier(id) {
  return typeof id === "number" || typeof id === "bigint" ? String(signed(id)) : requiredText(id);
}

function requiredText(from) {
  if (from === undefined) throw new TypeError("a text that is needed is missing");
  return text(from);
}

/** An integer of JavaScript that is exact: a number where it can be one, else a BigInt. */
function integer(number, least, most, what) {
  if (typeof number === "number") {
    if (!Number.isSafeInteger(number)) throw new RangeError(`${what} must be an exact integer, not ${number}`);
  } else if (typeof number !== "bigint") {
    throw new TypeError(`${what} must be an integer, not ${String(number)}`);
  }
  if (number < least || number > most) throw new RangeError(`${what} must be ${least} to ${most}, not ${number}`);
  return number >= -MOST_SAFE && number <= MOST_SAFE ? Number(number) : number;
}

const MOST_SAFE = Number.MAX_SAFE_INTEGER;

function signed(number = 0) {
  return integer(number, -(2n ** 63n), 2n ** 63n - 1n, "a value");
}

function address(number = 0) {
  return integer(number, 0, 2n ** 64n - 1n, "an address");
}

function unsigned(number, most, what) {
  return integer(number, 0, most, what);
}

function place(from) {
  return {
    texts: [text(from.function), text(from.systemName), text(from.file)],
    startLine: unsigned(from.startLine ?? 0, U32, "a line"),
    line: unsigned(from.line ?? 0, U32, "a line"),
    column: unsigned(from.column ?? 0, U32, "a column"),
  };
}

/** Key, unit and value; without unit if the value is a text. */
function label(key, value) {
  if (typeof value === "string") return [text(key), undefined, text(value)];
  const [number, unit] = Array.isArray(value) ? value : [value, ""];
  if (number === undefined) throw new TypeError(`the label ${key} has no value`);
  return [text(key), text(unit), signed(number)];
}

// Protobuf's wire format. Numbers beyond 2^53 are BigInts.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function isSet(value) {
  return value !== 0 && value !== 0n;
}

function zigzag(value) {
  if (typeof value === "number" && Math.abs(value) < 2 ** 52) return value < 0 ? -2 * value - 1 : 2 * value;
  const exact = BigInt(value);
  return BigInt.asUintN(64, (exact << 1n) ^ (exact >> 63n));
}

/** Differences between neighbours, modulo 2^64. */
function deltas(values) {
  let before = 0;
  return values.map((value) => {
    const isSmall = typeof value === "number" && typeof before === "number" && Math.abs(value - before) <= MOST_SAFE;
    const delta = isSmall ? value - before : BigInt.asIntN(64, BigInt(value) - BigInt(before));
    before = value;
    return zigzag(delta);
  });
}

/** A message under construction. */
class Message {
  #bytes = new Uint8Array(64);
  length = 0;

  take() {
    return this.#bytes.slice(0, this.length);
  }

  #reserve(more) {
    if (this.length + more <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #varint(value) {
    this.#reserve(10);
    let rest = value;
    if (typeof rest === "bigint") {
      for (; rest >= 0x80n; rest >>= 7n) this.#bytes[this.length++] = Number(rest & 0x7fn) | 0x80;
    } else {
      for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#bytes[this.length++] = (rest % 128) | 0x80;
    }
    this.#bytes[this.length++] = Number(rest);
  }

  /** An integer field, even if it is 0: it may replace an earlier one. */
  set(field, value) {
    this.#varint(field * 8);
    this.#varint(value);
  }

  /** An integer field; 0 is left out. */
  integer(field, value) {
    if (isSet(value)) this.set(field, value);
  }

  bytes(field, value) {
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.length);
    this.length += value.length;
  }

  message(field, from) {
    this.bytes(field, from.#bytes.subarray(0, from.length));
  }

  /** A text field; the empty text is left out. */
  text(field, value) {
    if (value !== "") this.bytes(field, encoder.encode(value));
  }

  packed(field, values) {
    const inner = new Message();
    for (const value of values) inner.#varint(value);
    this.message(field, inner);
  }

  /** A column; left out if every cell is 0. */
  column(field, cells) {
    if (cells.some(isSet)) this.packed(field, cells);
  }

  /** The columns of rows of cells. */
  columns(first, rows, count) {
    for (let cell = 0; cell < count; cell++) this.column(first + cell, rows.map((row) => row[cell]));
  }

  /** A table of columns after its count; left out if it has no rows. */
  table(field, rows, put) {
    if (rows.length === 0) return;
    const inner = new Message();
    inner.integer(1, rows.length);
    put(inner);
    this.message(field, inner);
  }
}
