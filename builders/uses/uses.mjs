// Says the calls of uses.txt to the JavaScript builder.
import { appendFileSync, openSync, readFileSync } from "node:fs";

import { Profile } from "../javascript/hotframe.mjs";

/** Bytes that are no UTF-8 become lone surrogates. */
function text(value) {
  if (value === undefined) return undefined;
  if (value === "null") return null;
  const bytes = Buffer.from(value.replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), "latin1");
  const whole = bytes.toString("utf8");
  if (Buffer.from(whole).equals(bytes)) return whole;
  const escaped = (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
  return [...bytes].map(escaped).join("");
}

function number(value) {
  if (value === undefined || value === "text") return value;
  if (value.includes(".")) return Number(value);
  const exact = BigInt(value);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

const row = (value) => (value === undefined ? undefined : Number(value));

const calls = {
  metric: ({ name, unit, decimals, contexts, weight }, profile) =>
    profile.metric({
      name: text(name),
      unit: text(unit),
      decimals: number(decimals),
      overContexts: number(contexts),
      weight: row(weight),
    }),
  default: ({ metric }, profile) => profile.defaultMetric(row(metric)),
  duration: ({ ns }, profile) => profile.duration(number(ns)),
  module: ({ path, start, limit }, profile) =>
    profile.module({ path: text(path), memoryStart: number(start), memoryLimit: number(limit) }),
  frame: (given, profile) =>
    profile.frame({
      function: text(given.function),
      file: text(given.file),
      line: number(given.line),
      column: number(given.column),
      startLine: number(given.start_line),
      module: row(given.module),
      address: number(given.address),
      kind: number(given.kind),
      instruction: text(given.instruction),
      systemName: text(given.system_name),
    }),
  context: ({ parent, frame }, profile) => profile.context(row(parent), row(frame)),
  process: ({ id }, profile) => profile.process(text(id)),
  thread: ({ id, process }, profile) => profile.thread(text(id), undefined, row(process)),
  member: ({ name, time }, profile) => profile.member({ name: text(name), timeNs: number(time) }),
  point: (given, profile) => {
    const [key, value] = given.label?.split(":") ?? [];
    const [role, linked] = given.link?.split(":") ?? [];
    profile.point({
      context: row(given.context),
      values: given.values.split(",").map((one, at) => [at, number(one)]),
      labels: key === undefined ? {} : { [text(key)]: text(value) },
      timeNs: number(given.time),
      thread: row(given.thread),
      cpu: number(given.cpu),
      member: row(given.member),
      links: role === undefined ? [] : [[text(role), row(linked)]],
    });
  },
  note: (given, profile) =>
    profile.note({
      title: text(given.title),
      text: text(given.text),
      link: text(given.link),
      context: row(given.context),
      frame: row(given.frame),
      file: text(given.file),
      line: number(given.line),
    }),
  flush: (_, profile) => profile.flush(),
  close: (_, profile) => profile.close(),
};

/** What JavaScript has no words for: rows are numbers, and what is missing is left out. */
const UNSAYABLE = /frame:|frame=null|point=null|note=null|values=( |$)|values=null|function=null|label=null/;

let profile;
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [what, ...rest] = line.split(" ");
  if (what === "case") {
    const file = openSync(`${process.argv[2]}/${rest[0]}.hotframe`, "w");
    profile = new Profile((bytes) => appendFileSync(file, bytes));
  } else if (what === "end") {
    profile.close();
  } else if (UNSAYABLE.test(line)) {
    console.log("unsayable");
  } else {
    const given = Object.fromEntries(rest.map((one) => one.split(/=(.*)/)));
    try {
      calls[what](given, profile);
      console.log("ok");
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      console.log("refused");
    }
  }
}
