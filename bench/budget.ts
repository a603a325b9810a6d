import { parseArgs } from "node:util";
import { sampleOf, startRig, warmUp } from "./measure.ts";
import { standardShapes } from "./shapes.ts";
import { startGateway } from "./subjects.ts";
import { markdownTable } from "./table.ts";

/** A division of the main thread's time: the first item whose pattern matches a frame, `function file`. */
type Division = readonly (readonly [item: string, frame: RegExp])[];

/** The item of all frames that no pattern matches. */
const otherItem = "rest of the runtime";

/** The parts of a call. A frame without a match belongs to the nearest frame around it. */
const parts: Division = [
  ["idle", /^\(idle\)/],
  ["garbage collector", /^\(garbage collector\)/],
  ["KV", /^op_(kv|fs_stat)|deno_kv|lib\/store\/(kv|file)\//],
  [
    "upstream client",
    /^op_(fetch|write|read|net)|26_fetch|deno_net|lib\/upstreams\/(fetch|send)\.ts/,
  ],
  ["server: request and response", /^op_http|deno_http|23_request|23_response/],
  ["timers", /lib\/http\/timers|02_timers/],
  [
    "dispatch",
    /lib\/(dispatcher|http\/(address|behind_proxies|call|cross_origin|endpoints))/,
  ],
  ["identity", /lib\/accounts\/|lib\/store\/directory\/|key_carrier|gateway\/create\.ts/],
  ["request body", /lib\/http\/(body|decode)|canonical\/json_text|\/envelope\.ts/],
  ["size of the prompt", /lib\/tokens\/|gateway\/(size|hosted_tools)/],
  ["limit headers", /formats\/limit_headers|lib\/http\/errors/],
  [
    "settling and row",
    /gateway\/(settle|call_record|record_wait)|ledger\/(settling|cost|group_commit)\.ts|store\/log\//,
  ],
  ["folding rows into sums", /lib\/store\/(settling|usage)\/|ledger\/compactor/],
  ["reservation", /lib\/ledger\/|gateway\/stages/],
  ["metrics and notices", /lib\/(telemetry|alerts)\/|prom-client/],
  ["candidates, health, attempts", /lib\/routing\/|gateway\/deliver/],
  ["upstream request and answer", /lib\/(upstreams|formats|http\/stream)\//],
  ["response", /lib\/http\/respond/],
  ["the line between them", /lib\/|main\.ts/],
];

/** The owner of the code that runs: the gateway, a package, or the runtime. */
const origins: Division = [
  ["idle", /^\(idle\)/],
  ["packages", /node_modules/],
  ["the gateway's code", / file:/],
  ["garbage collector", /^\(garbage collector\)/],
  ["fetch: operations", /^op_fetch/],
  ["store: operations", /^op_kv/],
  ["server: operations", /^op_http/],
  ["other operations", /^op_/],
  ["the runtime's JavaScript", / (ext|node|checkin):/],
];

const flags = {
  body: { type: "string" },
  by: { type: "string" },
  calls: { type: "string" },
  dir: { type: "string" },
} as const;

const measuredSeconds = 5;

interface ProfiledGateway {
  readonly source: string;
  readonly bodyBytes: number;
  readonly warmUpCalls: number;
}

async function profiled({ bodyBytes, warmUpCalls, ...gateway }: ProfiledGateway) {
  const folder = await Deno.makeTempDir({ prefix: "tessera-budget-" });
  try {
    await using rig = await startRig();
    const options = { ...gateway, name: "profiled", folder, upstreamPort: rig.upstreamPort };
    const subject = await startGateway({ ...options, profile: folder });
    const shape = { ...standardShapes[0], connections: 64, bodyBytes };
    await warmUp(rig, subject, shape, warmUpCalls);
    const { calls } = await sampleOf(rig, subject, shape, { durationMs: measuredSeconds * 1_000 });
    await subject.stop();
    return { profile: await readProfile(folder), calls };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A profile as V8 writes it (Chrome DevTools Protocol, `Profiler.Profile`). */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** The main thread's profile: the largest file. */
async function readProfile(folder: string): Promise<Profile> {
  const texts: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".cpuprofile")) texts.push(await Deno.readTextFile(`${folder}/${name}`));
  }
  return JSON.parse(texts.reduce((a, b) => a.length > b.length ? a : b));
}

/** Microseconds of the main thread in the last seconds of a profile, by item; idle time is left out. */
export function budgetOf(
  { nodes, samples, timeDeltas }: Profile,
  seconds: number,
  division = parts,
): Map<string, number> {
  const itemOf = itemsByNode(nodes, division);
  const budget = new Map<string, number>();
  let left = seconds * 1_000_000;
  for (let at = samples.length - 1; at >= 0 && left > 0; at--) {
    const micros = timeDeltas[at] ?? 0;
    const item = itemOf(samples[at] ?? 0);
    left -= micros;
    if (item !== "idle") budget.set(item, (budget.get(item) ?? 0) + micros);
  }
  return budget;
}

/** The item of a node: that of its own frame, else of the nearest frame around it. */
function itemsByNode(nodes: Profile["nodes"], division: Division): (id: number) => string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const known = new Map<number | undefined, string>([[undefined, otherItem]]);
  const itemOf = (id: number | undefined): string => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const frame = id === undefined ? undefined : byId.get(id)?.callFrame;
    const text = `${frame?.functionName} ${frame?.url}`;
    const item = division.find(([, matches]) => matches.test(text))?.[0] ??
      itemOf(id === undefined ? undefined : parents.get(id));
    known.set(id, item);
    return item;
  };
  return itemOf;
}

/**
 * `deno run -A bench/budget.ts`: runs the gateway under the runtime's profiler, and prints the main
 * thread's time per call by item, or with `--by origin` by whose code runs. `--body KB`,
 * `--calls N` of warm-up, and `--dir FOLDER` for the source. The profiler
 * itself costs time: the shares count.
 */
if (import.meta.main) {
  const { values } = parseArgs({ args: Deno.args, options: flags });
  const { profile, calls } = await profiled({
    bodyBytes: Number(values.body ?? 1) * 1_024,
    warmUpCalls: Number(values.calls ?? 50_000),
    source: Deno.realPathSync(values.dir ?? new URL("..", import.meta.url).pathname),
  });
  const budget = budgetOf(profile, measuredSeconds, values.by === "origin" ? origins : parts);
  const total = budget.values().reduce((sum, micros) => sum + micros, 0);
  const rows = [...budget].sort(([, a], [, b]) => b - a).map(([item, micros]) => [
    item,
    (micros / calls).toFixed(1),
    `${(100 * micros / total).toFixed(1)}%`,
  ]);
  console.log(markdownTable(["item", "µs per call", "share"], rows));
  console.log(`\n${calls} calls, ${(total / calls).toFixed(0)} µs of the main thread per call`);
}
