// The example of every builder: allocations with their use and reuse, on two threads.
import { appendFileSync, openSync } from "node:fs";

import { Combine, Kind, Profile, ROOT } from "./hotframe.mjs";

const file = openSync(process.argv[2], "w");
const profile = new Profile((bytes) => appendFileSync(file, bytes), {
  producer: "builders example 1.0",
  timeNs: 1_700_000_000_000_000_000n,
  clockNs: 5000,
  period: 512,
  periodType: "space",
  periodUnit: "bytes",
});
const size = profile.metric({ name: "allocated", unit: "bytes" });
const count = profile.metric({ name: "allocations", unit: "count" });
const lifetime = profile.metric({
  name: "lifetime",
  unit: "seconds",
  decimals: 3,
  overContexts: Combine.mean,
  overTime: Combine.mean,
  overMembers: Combine.none,
  weight: count,
});
profile.defaultMetric(count);
const module = profile.module({
  path: "/usr/bin/example",
  buildId: "c0ffee",
  memoryStart: 0xffffffff81000000n,
  memoryLimit: 0xffffffff82000000n,
  fileOffset: 4096,
});
const main = profile.frame({ function: "main", file: "example.c", line: 10, startLine: 8, module });
const start = profile.context(ROOT, main);
const growFrame = profile.frame({
  function: "List::grow",
  systemName: "_ZN4List4growEv",
  file: "list.cpp",
  line: 21,
  module,
  address: 0xffffffff81000010n,
  instruction: "call malloc",
});
const grow = profile.context(start, growFrame);
const heap = profile.context(grow, profile.frame({ function: "list", kind: Kind.data }));
const inlined = [{ function: "next", file: "list.h", line: 7 }];
const walk = profile.context(start, profile.frame({ function: "walk", file: "list.cpp", line: 40, inlined }));
const blockFrame = profile.frame({
  function: "next",
  file: "list.h",
  line: 8,
  module,
  address: 0xffffffff81000020n,
  kind: Kind.block,
  instruction: "mov rax, [rax + 8]",
});
const block = profile.context(walk, blockFrame);
const own = profile.process(42, "example");
const threads = [1, 2].map((number) => profile.thread(number, `worker ${number}`, own));
profile.member({ name: "run 1", host: "node 1", timeNs: 1_700_000_000_000_000_000n });
for (let step = 0; step < 10; step++) {
  profile.point({
    context: heap,
    values: [[size, 4096 + step], [count, 1], [lifetime, 250]],
    labels: { phase: step < 5 ? "grow" : "steady", step, size: [64 * step, "bytes"] },
    timeNs: step * 1_000_000,
    thread: threads[step % 2],
    cpu: step % 4,
    links: [["allocation", heap], ["use", walk], ["reuse", walk]],
  });
}
profile.point({ context: block, values: [[count, -1]] });
profile.note({ title: "Sampled", text: "One in 512 bytes was seen." });
profile.note({
  title: "Reused",
  text: "What is read here is read again.",
  link: "https://example.com/reuse",
  context: heap,
});
profile.note({ title: "Grows by one", frame: growFrame });
profile.note({ title: "Chases pointers", text: "An array is faster.", file: "list.cpp", line: 40 });
profile.duration(9_000_000);
profile.close();
