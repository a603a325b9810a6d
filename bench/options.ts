import { parseArgs } from "node:util";
import type { RoundOptions } from "./measure.ts";
import { allShapes, type Shape, standardShapes } from "./shapes.ts";

/** A version of the gateway: a name for tables, and the folder of its source. */
export interface Version {
  readonly name: string;
  readonly source: string;
}

export interface Options extends RoundOptions {
  readonly quick: boolean;
  readonly warmUpCalls: number;
  readonly versions: readonly Version[];
  readonly shapes: readonly Shape[];
  readonly runs: number;
  readonly latency: boolean;
  readonly parallel: boolean;
  readonly growth: readonly string[];
  readonly check: boolean;
  readonly writeBaseline: boolean;
  readonly json?: string;
  /** The folder for temporary data; its disk bounds durable commits. */
  readonly folder?: string;
}

const growthNames = ["keys", "models", "rows", "body", "events"] as const;

const full = { runs: "3", latency: true, parallel: true, growth: growthNames.join() };
const quickOptions = { warmUpCalls: 3_000, shapeWarmUp: 1_500, rounds: 2, seconds: 1 };
const soundOptions = { warmUpCalls: 50_000, shapeWarmUp: 25_000, rounds: 5, seconds: 3 };

/** Reads the command line, which bench/RESULTS.md explains. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({ args, options: flags });
  const given = { ...values.full && full, ...values };
  const quick = given.quick ?? false;
  const defaults = quick ? quickOptions : soundOptions;
  return {
    ...defaults,
    quick,
    rounds: Number(given.rounds ?? defaults.rounds),
    seconds: Number(given.seconds ?? defaults.seconds),
    runs: Number(given.runs ?? 1),
    versions: (given.dir ?? [repository]).map(versionOf),
    shapes: shapesOf(given),
    latency: given.latency ?? false,
    parallel: given.parallel ?? false,
    growth: listOf(given.growth),
    check: given.check ?? false,
    writeBaseline: given["write-baseline"] ?? false,
    ...given.json !== undefined && { json: given.json },
    ...given.folder !== undefined && { folder: given.folder },
  };
}

const flags = {
  quick: { type: "boolean" },
  full: { type: "boolean" },
  all: { type: "boolean" },
  shapes: { type: "string" },
  connections: { type: "string" },
  bodies: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  runs: { type: "string" },
  latency: { type: "boolean" },
  parallel: { type: "boolean" },
  growth: { type: "string" },
  dir: { type: "string", multiple: true },
  folder: { type: "string" },
  json: { type: "string" },
  check: { type: "boolean" },
  "write-baseline": { type: "boolean" },
} as const;

const repository = new URL("..", import.meta.url).pathname;

/** `NAME=FOLDER` or `FOLDER`. */
function versionOf(text: string): Version {
  const [name, source] = text.includes("=") ? text.split("=", 2) : ["tessera", text];
  return { name: name ?? "", source: Deno.realPathSync(source ?? "") };
}

function listOf(text = ""): string[] {
  return text.split(",").filter((item) => item !== "");
}

interface Choice {
  readonly all?: boolean;
  readonly shapes?: string;
  readonly connections?: string;
  readonly bodies?: string;
}

/** The chosen shapes, each with every chosen number of connections and size of body. */
function shapesOf({ all, shapes, connections, bodies }: Choice): Shape[] {
  return chosen({ all, shapes })
    .flatMap((shape) =>
      connections === undefined ? [shape] : listOf(connections).map((count) => ({
        ...shape,
        name: `${shape.name}@${count}`,
        connections: Number(count),
      }))
    )
    .flatMap((shape) =>
      bodies === undefined ? [shape] : listOf(bodies).map((kb) => ({
        ...shape,
        name: `${shape.name}, ${kb} KB`,
        bodyBytes: Number(kb) * 1_024,
      }))
    );
}

function chosen({ all = false, shapes }: { all?: boolean; shapes?: string }): readonly Shape[] {
  if (shapes === "none") return [];
  if (shapes === undefined) return all ? allShapes : standardShapes;
  return listOf(shapes).map((name) => {
    const shape = allShapes.find((shape) => shape.name === name);
    if (!shape) {
      throw new Error(`Unknown shape ${name}; known: ${allShapes.map(({ name }) => name).join()}`);
    }
    return shape;
  });
}
