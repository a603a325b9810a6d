import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatNames, isJsonObject } from "../../../lib/canonical/mod.ts";
import { leavesOf } from "../answers/wire_leaves.ts";
import { bodyKinds, lostIn } from "./lost.ts";
import { Sampler, shapes } from "./sampler.ts";

/**
 * Every value in a request or an answer of any type that the SDKs or the gateway's own schemas have
 * is sent, noted, refused, or in the table of those that nobody misses.
 */

/** Cases of each format; the short run is always the same. */
const runs = Number(Deno.env.get("TESSERA_SHAPES") ?? 40);
const settings = { numRuns: runs, ...(runs <= 40 && { seed: 20_261_129 }) };
const seen = new Set<string>();
let leaves = 0;

for (const from of formatNames) {
  for (const kind of bodyKinds) {
    Deno.test(`leaves: nothing in ${from}, ${kind} is lost in silence (${runs})`, () => {
      const others = formatNames.filter((format) => format !== from);
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom(...others), (seed, to) => {
          const value = new Sampler(seed, seen).value(shapes.roots[`${from} ${kind}`]);
          assert(isJsonObject(value));
          leaves += leavesOf(value).length;
          assertEquals(lostIn(value, { from, kind, to }), []);
        }),
        settings,
      );
    });
  }
}

Deno.test("leaves: the values that were sought", () => {
  console.log(`${leaves} values of ${seen.size} types`);
});
