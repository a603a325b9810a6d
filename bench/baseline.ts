import { measure } from "./measure.ts";
import type { Options } from "./options.ts";
import type { Results } from "./results.ts";
import { withSession } from "./session.ts";
import { allShapes } from "./shapes.ts";
import { type Row, rowsOf } from "./table.ts";

/** The ratio to the bare proxy that each shape had, by the shape's name. */
type Baseline = Readonly<Record<string, number>>;

/** A shape that lost more than this share of its ratio fails the check. */
const lossMax = 0.1;
const file = new URL("baseline.json", import.meta.url);

export async function writeBaseline({ runs }: Results): Promise<void> {
  const ratios = gatewayRows(runs.flat().flatMap(rowsOf)).map(({ shape, ratio }) =>
    [shape, Number(ratio.median.toFixed(3))] as const
  );
  await Deno.writeTextFile(file, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
}

/**
 * Compares ratios with `baseline.json`. A shape that lost too much is measured once more with new
 * processes, because other load on the machine can slow either side. Returns false if the loss is
 * confirmed.
 */
export async function checkAgainstBaseline(results: Results, options: Options): Promise<boolean> {
  const baseline: Baseline = JSON.parse(await Deno.readTextFile(file));
  const rows = results.runs.flat().flatMap(rowsOf);
  if (!rows.some(({ shape }) => shape in baseline)) {
    throw new Error("bench/baseline.json has none of these shapes: write it with --write-baseline");
  }
  const suspects = lossesIn(rows, baseline);
  if (suspects.length === 0) return true;
  const names = new Set(suspects.map(({ shape }) => shape));
  const again = await withSession(options, async ({ rig, subjects }) => {
    const rows: Row[] = [];
    for (const shape of allShapes.filter(({ name }) => names.has(name))) {
      rows.push(...rowsOf(await measure(rig, subjects, shape, options)));
    }
    return rows;
  });
  const losses = lossesIn(again, baseline);
  for (const { shape, subject, ratio } of losses) {
    console.error(
      `${subject}, ${shape}: ratio ${ratio.median.toFixed(2)}, was ${baseline[shape]?.toFixed(2)}`,
    );
  }
  return losses.length === 0;
}

/** The rows whose ratio is more than the permitted loss below the baseline. */
export function lossesIn(rows: readonly Row[], baseline: Baseline): Row[] {
  return gatewayRows(rows).filter(({ shape, ratio }) =>
    ratio.median < (baseline[shape] ?? 0) * (1 - lossMax)
  );
}

function gatewayRows(rows: readonly Row[]): Row[] {
  return rows.filter(({ subject }) => subject !== "bare");
}
