import { type Rig, startRig, warmUp } from "./measure.ts";
import type { Options, Version } from "./options.ts";
import { standardShapes } from "./shapes.ts";
import { type GatewayOptions, startBareProxy, startGateway, type Subject } from "./subjects.ts";

/** Freshly started and warmed-up processes. */
interface Session {
  readonly rig: Rig;
  readonly subjects: readonly Subject[];
}

export type SessionOptions =
  & Pick<Options, "versions" | "warmUpCalls" | "folder">
  & Pick<GatewayOptions, "keys" | "models">
  & {
    /** Also starts each version with so many isolates. */
    readonly isolates?: number;
  };

/** Runs work beside new processes, and stops them whatever happens. */
export async function withSession<Result>(
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await using rig = await startRig();
  const subjects: Subject[] = [];
  const folder = await Deno.makeTempDir({
    prefix: "tessera-bench-",
    ...options.folder !== undefined && { dir: options.folder },
  });
  try {
    for (const start of starts(rig, folder, options)) subjects.push(await start());
    for (const subject of subjects) await warmUpIsolates(rig, subject, options.warmUpCalls);
    return await work({ rig, subjects });
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
    await Deno.remove(folder, { recursive: true });
  }
}

/** New connections often go to one isolate alone, so several batches of them warm up all isolates. */
const batchesPerIsolate = 5;

async function warmUpIsolates(rig: Rig, subject: Subject, calls: number): Promise<void> {
  const { isolates } = subject;
  if (isolates === undefined) return void await warmUp(rig, subject, standardShapes[0], calls);
  for (let batch = 0; batch < isolates * batchesPerIsolate; batch++) {
    await warmUp(rig, subject, standardShapes[0], calls / batchesPerIsolate);
  }
}

function starts(
  { upstreamPort }: Rig,
  folder: string,
  { versions, isolates, ...options }: SessionOptions,
): (() => Promise<Subject>)[] {
  const start = (version: Version, isolates?: number) => () =>
    startGateway({
      ...options,
      ...version,
      name: isolates === undefined ? version.name : `${version.name}-${isolates}-isolates`,
      folder,
      upstreamPort,
      ...isolates !== undefined && { isolates },
    });
  return [
    () => startBareProxy(upstreamPort),
    ...versions.map((version) => start(version)),
    ...isolates === undefined ? [] : versions.map((version) => start(version, isolates)),
  ];
}
