import { cacheFolder } from "../tools/agents.ts";
import { measure, type Rig, sampleOf, startRig, warmUp } from "./measure.ts";
import { readOptions } from "./options.ts";
import { installLitellm, installPortkey, startLitellm, startPortkey } from "./peer_servers.ts";
import { type Shape, standardShapes } from "./shapes.ts";
import { startBareProxy, startGateway, type Subject } from "./subjects.ts";
import { markdownTable, rowsOf, tableOf } from "./table.ts";

/**
 * `deno task bench:peers`: measures other gateways in the same rounds, each as its users run it, and
 * checks what each has recorded. Takes the options of `deno task bench`.
 */
const repository = new URL("..", import.meta.url).pathname;

interface Peer {
  readonly name: string;
  /** Returns the reason if it cannot be installed. */
  readonly install: (folder: string) => Promise<string | undefined>;
  readonly start: (folder: string, upstreamPort: number) => Promise<Subject>;
  readonly persists: string;
}

const peers: readonly Peer[] = [
  {
    name: "portkey",
    install: installPortkey,
    start: startPortkey,
    persists: "nothing: the open-source gateway has no store",
  },
  {
    name: "litellm",
    install: installLitellm,
    start: startLitellm,
    persists: "nothing: it records spend only with a PostgreSQL server, which this run has not",
  },
];

const shapeNames = ["whole-32", "paced", "burst", "converting-whole"];

async function startPeers(rig: Rig, folder: string): Promise<Subject[]> {
  const started: Subject[] = [];
  for (const { name, install, start } of peers) {
    const reason = await install(folder);
    if (reason === undefined) started.push(await start(folder, rig.upstreamPort));
    else console.error(`${name} is not measured: ${reason}`);
  }
  return started;
}

/** The subjects that answer a shape in full. The others' errors are printed. */
async function able(
  rig: Rig,
  subjects: readonly Subject[],
  shape: Shape,
): Promise<readonly Subject[]> {
  const found: Subject[] = [];
  for (const subject of subjects) {
    const load = { durationMs: 10_000, callsMax: 5 };
    const { errors, firstError } = await sampleOf(rig, subject, { ...shape, connections: 1 }, load);
    if (errors === 0) found.push(subject);
    else console.error(`${subject.name} does not answer ${shape.name}: ${firstError}`);
  }
  return found;
}

const auditedCalls = 2_000;

/** Makes calls with a new store, stops the gateway and compares what its books hold. */
async function auditRows(rig: Rig, folder: string): Promise<string> {
  const name = "audited";
  const { upstreamPort } = rig;
  const subject = await startGateway({ name, source: repository, folder, upstreamPort });
  const load = { durationMs: 600_000, callsMax: auditedCalls };
  const { calls } = await sampleOf(rig, subject, standardShapes[0], load);
  await subject.stop();
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/audit.ts", "--json"],
    cwd: repository,
    env: { TESSERA_KV: `${folder}/${name}/tessera.db` },
  }).output();
  const audit: { calls: number; differences: readonly string[] } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  const isRight = audit.calls === calls && audit.differences.length === 0;
  return `${
    isRight ? "right" : "WRONG"
  }: ${audit.calls} rows after ${calls} calls, ${audit.differences.length} differences`;
}

// Last, because the declarations above must have run.
if (import.meta.main) {
  const options = readOptions(Deno.args);
  const shapes = standardShapes.filter(({ name }) => shapeNames.includes(name));
  const folder = `${cacheFolder}/peers`;
  await Deno.mkdir(folder, { recursive: true });
  const data = await Deno.makeTempDir({ prefix: "tessera-bench-" });
  await using rig = await startRig();
  const subjects = [
    await startBareProxy(rig.upstreamPort),
    await startGateway({
      ...{ name: "tessera", source: repository, folder: data },
      upstreamPort: rig.upstreamPort,
    }),
    ...await startPeers(rig, folder),
  ];
  try {
    const usable = new Map<Shape, readonly Subject[]>();
    for (const shape of shapes) usable.set(shape, await able(rig, subjects, shape));
    for (const subject of subjects) {
      await warmUp(rig, subject, standardShapes[0], options.warmUpCalls);
    }
    for (const [shape, able] of usable) {
      console.log(`\n${tableOf(rowsOf(await measure(rig, able, shape, options)))}`);
    }
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
  const rows = [
    [
      "tessera",
      "a row and its charge per call, before the answer ends",
      await auditRows(rig, data),
    ],
    ...peers.map(({ name, persists }) => [name, persists, "no rows to check"]),
  ];
  console.log(`\n${markdownTable(["gateway", "persists", "rows afterwards"], rows)}`);
  await Deno.remove(data, { recursive: true });
}
