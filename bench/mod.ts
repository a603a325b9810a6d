import { checkAgainstBaseline, writeBaseline } from "./baseline.ts";
import { measureGrowth } from "./growth.ts";
import { describeMachine } from "./machine.ts";
import { measure, type ShapeResult } from "./measure.ts";
import { type Options, readOptions } from "./options.ts";
import type { Growth, Results } from "./results.ts";
import { type SessionOptions, withSession } from "./session.ts";
import { latencyShapes, type Shape, standardShapes } from "./shapes.ts";
import { rowsOf, tableOf } from "./table.ts";

/**
 * `deno task bench`: measures the gateway beside a bare proxy on the same machine.
 * bench/RESULTS.md explains options, method and results.
 */
if (import.meta.main) {
  const options = readOptions(Deno.args);
  const results = await run(options);
  if (options.json) await Deno.writeTextFile(options.json, `${JSON.stringify(results, null, 1)}\n`);
  if (options.writeBaseline) await writeBaseline(results);
  const errors = [...results.runs.flat(), ...results.latency, ...results.parallel]
    .flatMap(rowsOf).reduce((sum, row) => sum + row.errors, 0);
  if (errors > 0) console.error(`${errors} calls failed`);
  const isSlower = options.check && !await checkAgainstBaseline(results, options);
  Deno.exit(errors > 0 || isSlower ? 1 : 0);
}

async function run(options: Options): Promise<Results> {
  const machine = await describeMachine(options.folder ?? "/tmp");
  console.log(machine);
  if (options.quick) console.log("QUICK: too little warm-up for figures that count");
  const runs: ShapeResult[][] = [];
  for (let n = 0; n < options.runs; n++) runs.push(await measureAll(options.shapes, options));
  return {
    machine,
    quick: options.quick,
    warmUpCalls: options.warmUpCalls,
    runs,
    latency: options.latency ? await measureAll(latencyShapes, options) : [],
    parallel: options.parallel
      ? await measureAll(standardShapes.slice(0, 2), { ...options, isolates: 2 })
      : [],
    growth: await growths(options),
  };
}

/** Measures shapes, one after the other, with new processes. */
async function measureAll(
  shapes: readonly Shape[],
  options: Options & SessionOptions,
): Promise<ShapeResult[]> {
  if (shapes.length === 0) return [];
  return await withSession(options, async ({ rig, subjects }) => {
    const results: ShapeResult[] = [];
    for (const shape of shapes) {
      const result = await measure(rig, subjects, shape, options);
      console.log(`\n${tableOf(rowsOf(result))}`);
      reportErrors(result);
      results.push(result);
    }
    return results;
  });
}

function reportErrors({ samples }: ShapeResult): void {
  for (const [subject, own] of Object.entries(samples)) {
    const error = own.find(({ firstError }) => firstError !== undefined)?.firstError;
    if (error !== undefined) console.error(`${subject}: ${error}`);
  }
}

async function growths(options: Options): Promise<Growth[]> {
  const results: Growth[] = [];
  for (const name of options.growth) results.push(await measureGrowth(name, options));
  return results;
}
