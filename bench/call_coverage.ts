import { parseArgs } from "node:util";
import { type Rig, sampleOf, startRig, warmUp } from "./measure.ts";
import { freePort } from "./processes.ts";
import { type Shape, standardShapes } from "./shapes.ts";
import { startGateway, type Subject } from "./subjects.ts";
import { markdownTable } from "./table.ts";

const [plain] = standardShapes;
const streamed = { answer: "burst", events: 8 } as const;

const measured: readonly Shape[] = [
  { ...plain, name: "whole", connections: 1 },
  { ...plain, name: "streamed", connections: 1, ...streamed },
  { ...plain, name: "streamed and converted", connections: 1, ...streamed, to: "messages" },
];

/** Calls before the first count, and counted calls: timers run in some of them, so the median counts. */
const [warmUpCalls, countedCalls] = [500, 15];

/** The functions of the gateway's own code that ran in a window, and how often all of them did. */
interface Coverage {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  /** Calls by `file function`. */
  readonly byFunction: ReadonlyMap<string, number>;
}

/** One `Profiler.ScriptCoverage` of the Chrome DevTools Protocol. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly {
      readonly count: number;
      readonly startOffset: number;
      readonly endOffset: number;
    }[];
  }[];
}

/** The inspector of a process. */
class Inspector {
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async connect(port: number): Promise<Inspector> {
    const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`))
      .json();
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    return new Inspector(socket);
  }

  // deno-lint-ignore no-explicit-any -- as the protocol answers
  ask(method: string, params: object = {}): Promise<any> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      const receive = ({ data }: MessageEvent) => {
        const answer = JSON.parse(data);
        if (answer.id !== id) return;
        this.#socket.removeEventListener("message", receive);
        resolve(answer.result);
      };
      this.#socket.addEventListener("message", receive);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** The functions that ran since the last time. */
  async coverage(source: string): Promise<Coverage> {
    const { result } = await this.ask("Profiler.takePreciseCoverage");
    return coverageOf(result, `file://${source}/`);
  }

  close(): void {
    this.#socket.close();
  }
}

function coverageOf(scripts: readonly ScriptCoverage[], root: string): Coverage {
  const byFunction = new Map<string, number>();
  const files = new Set<string>();
  for (const { url, functions } of scripts) {
    if (!url.startsWith(root) || url.includes("/node_modules/")) continue;
    for (const { functionName, ranges: [{ count, startOffset }] } of functions) {
      if (count === 0) continue;
      const file = url.slice(root.length);
      files.add(file);
      byFunction.set(`${file} ${functionName || "(anonymous)"} ${startOffset}`, count);
    }
  }
  const calls = byFunction.values().reduce((sum, count) => sum + count, 0);
  return { files: files.size, functions: byFunction.size, calls, byFunction };
}

async function covered(rig: Rig, subject: Subject, inspector: Inspector, source: string) {
  const found = new Map<string, Coverage[]>();
  for (const shape of measured) {
    await warmUp(rig, subject, shape, warmUpCalls);
    await new Promise((resolve) => setTimeout(resolve, 2_000)); // work after the warm-up ends
    const windows: Coverage[] = [];
    for (let at = 0; at < countedCalls; at++) {
      await inspector.coverage(source);
      await sampleOf(rig, subject, shape, { durationMs: 1_000, callsMax: 1 });
      windows.push(await inspector.coverage(source));
    }
    found.set(shape.name, windows.toSorted((a, b) => a.calls - b.calls));
  }
  return found;
}

/**
 * `deno run -A bench/call_coverage.ts`: counts the files, functions and calls of the gateway's own
 * code that one warm call runs through (V8's precise coverage, the median of 15 calls). `--dir
 * FOLDER` for the source; `--list` also prints each function with its calls.
 */
if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: { dir: { type: "string" }, list: { type: "boolean" } },
  });
  const source = Deno.realPathSync(values.dir ?? new URL("..", import.meta.url).pathname);
  const folder = await Deno.makeTempDir({ prefix: "tessera-coverage-" });
  try {
    await using rig = await startRig();
    const inspectPort = freePort();
    const { upstreamPort } = rig;
    const options = { name: "covered", source, folder, upstreamPort, inspectPort };
    const subject = await startGateway(options);
    const inspector = await Inspector.connect(inspectPort);
    await inspector.ask("Profiler.enable");
    await inspector.ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const found = await covered(rig, subject, inspector, source);
    inspector.close(); // the process would wait for it
    await subject.stop();
    const medians = [...found].map(([name, windows]) =>
      [name, windows[windows.length >> 1]] as const
    );
    console.log(markdownTable(
      ["call", "files", "functions", "calls"],
      medians.map(([name, { files, functions, calls }]) => [
        name,
        `${files}`,
        `${functions}`,
        `${calls}`,
      ]),
    ));
    for (const [name, { byFunction }] of values.list ? medians : []) {
      console.log(`\n${name}`);
      for (const [what, count] of [...byFunction].sort()) console.log(`${count}\t${what}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
